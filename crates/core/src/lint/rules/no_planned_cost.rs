//! `GW805`. See `no_planned_cost.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::PLACEHOLDER_OPEN;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    // A unit that is still a template has more to be filled in, and closing units are the driver's own.
    let is_written = !cx.unit.doc.text.contains(PLACEHOLDER_OPEN);
    let is_yours = cx.member.is_some() && !cx.unit.unit_type().is_closing();
    if cx.is_prompt() && is_yours && is_written && !is_written_down(cx) {
        out.at(cx.path(), cx.unit.span_of("id"), "no planned cost")
            .help(
                "add `planned_cost_usd: 2.00`; a gate that overruns its plan does not close itself",
            );
    }
}

/// Returns whether the key is there: a value that cannot be read has a finding of its own.
fn is_written_down(cx: &UnitCx<'_>) -> bool {
    let front = cx.unit.doc.front.as_ref();
    let entry = front.and_then(|front| front.root.get("planned_cost_usd"));
    entry.is_some_and(|entry| !entry.value.is_null())
}
