//! `GW203`. See `duplicate_id.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for member in &cx.members {
        let Some(first) = cx.member(member.id()) else {
            continue;
        };
        if first.node.span != member.node.span {
            out.at(
                cx.plan_path(),
                member.node.id.span.clone(),
                format!("`{}` is in the graph twice", member.id()),
            )
            .related(cx.plan_path(), first.node.id.span.clone(), "the first one");
        }
    }
}
