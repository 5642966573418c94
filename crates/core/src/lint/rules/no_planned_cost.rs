//! `GW805`. See `no_planned_cost.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if cx.is_prompt() && cx.member.is_some() && cx.unit.front.planned_cost_usd.is_none() {
        out.at(cx.path(), cx.unit.span_of("id"), "no planned cost")
            .help(
                "add `planned_cost_usd: 2.00`; a gate that overruns its plan does not close itself",
            );
    }
}
