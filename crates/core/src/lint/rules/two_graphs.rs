//! `GW311`. See `two_graphs.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::plan::GraphProblem;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for problem in &cx.feature.plan.graph_problems {
        if let GraphProblem::SecondBlock { span, first } = problem {
            let line = |s: &std::ops::Range<usize>| {
                s.start
                    ..s.start
                        + cx.feature.plan.doc.text[s.clone()]
                            .lines()
                            .next()
                            .map_or(0, str::len)
            };
            out.at(
                cx.plan_path(),
                line(span),
                "a second block has a top-level `gates:`",
            )
            .related(cx.plan_path(), line(first), "the first one, which is used")
            .help("keep one; an old graph kept for reference can be a `text` block");
        }
    }
}
