//! `GW304`. See `later_gate_dependency.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for member in &cx.members {
        for edge in &member.node.depends_on {
            let Some(target) = cx.member(&edge.value).filter(|t| t.gate > member.gate) else {
                continue;
            };
            let (from, to) = (
                cx.feature.gate_number(member.gate),
                cx.feature.gate_number(target.gate),
            );
            out.at(
                cx.plan_path(),
                edge.span.clone(),
                format!(
                    "`{}` of gate {from} waits for `{}` of gate {to}",
                    member.id(),
                    edge.value
                ),
            )
            .related(
                cx.plan_path(),
                target.node.id.span.clone(),
                "it is in a later gate",
            )
            .help("edges reach into earlier gates only: move one of the two units");
        }
    }
}
