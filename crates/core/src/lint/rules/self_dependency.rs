//! `GW303`. See `self_dependency.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for member in &cx.members {
        for edge in member
            .node
            .depends_on
            .iter()
            .filter(|e| e.value == member.id())
        {
            out.at(
                cx.plan_path(),
                edge.span.clone(),
                format!("`{}` waits for itself", member.id()),
            );
        }
    }
}
