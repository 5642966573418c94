//! `GW310`. See `no_graph.md`.

use crate::lint::context::{FeatureCx, is_missing};
use crate::lint::finding_sink::FindingSink;
use crate::model::plan::GraphProblem;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let plan = &cx.feature.plan;
    if plan.graph_problems.contains(&GraphProblem::NoBlock) && !is_missing(&plan.doc) {
        let span = plan
            .doc
            .title()
            .map_or(plan.doc.body.start..plan.doc.body.start, |(_, span)| span);
        out.at(
            cx.plan_path(),
            span,
            "no task graph: no fenced `yaml` block has a top-level `gates:`",
        )
        .help("add a ```yaml block that begins with `gates:`")
        .only_warn_if(cx.is_on_hold());
    }
}
