//! `GW312`. See `no_gates.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::plan::GraphProblem;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for problem in &cx.feature.plan.graph_problems {
        if let GraphProblem::NoGates(span) = problem {
            out.at(cx.plan_path(), span.clone(), "the list of gates is empty")
                .help("a feature has at least one gate with units")
                .only_warn_if(cx.is_on_hold());
        }
    }
}
