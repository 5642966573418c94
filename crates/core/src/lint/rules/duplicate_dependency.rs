//! `GW316`. See `duplicate_dependency.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for member in &cx.members {
        let edges = &member.node.depends_on;
        for (index, edge) in edges.iter().enumerate() {
            let Some(first) = edges[..index].iter().find(|e| e.value == edge.value) else {
                continue;
            };
            let found = out
                .at(
                    cx.plan_path(),
                    edge.span.clone(),
                    format!("`{}` waits for `{}` twice", member.id(), edge.value),
                )
                .related(cx.plan_path(), first.span.clone(), "the first time");
            let text = &cx.feature.plan.doc.text;
            let between = &text[edges[index - 1].span.end..edge.span.start];
            // Only in a list on one line: there the comma before it goes with it.
            if between.trim() == "," && !between.contains('\n') {
                found.safe_fix(
                    "take it out",
                    vec![(edges[index - 1].span.end..edge.span.end, String::new())],
                );
            }
        }
    }
}
