//! `GW505`. See `duplicate_closing.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::{UnitStatus, Word};

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let closing: Vec<_> = cx
        .units()
        .filter(|m| m.unit_type().is_closing() && m.status() != UnitStatus::Abandoned)
        .collect();
    for (index, member) in closing.iter().enumerate() {
        let first = closing[..index]
            .iter()
            .find(|m| m.unit_type() == member.unit_type());
        if let Some(first) = first.filter(|_| !cx.is_settled()) {
            out.at(
                cx.plan_path(),
                member.node.id.span.clone(),
                format!(
                    "gate {} has two units of type `{}`",
                    cx.number(),
                    member.unit_type().word()
                ),
            )
            .related(cx.plan_path(), first.node.id.span.clone(), "the other one");
        }
    }
}
