//! `GW309`. See `empty_gate.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::UnitType;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    if !cx.node.units.is_empty() || cx.is_settled() {
        return;
    }
    let drafted_later = cx.members.iter().any(|m| {
        m.gate < cx.index && m.unit_type() == UnitType::PlanNext && !m.status().is_settled()
    });
    if !drafted_later {
        out.at(
            cx.plan_path(),
            cx.span(),
            format!(
                "gate {} has no units, and no unit is left that would draft them",
                cx.number()
            ),
        )
        .help("list its units, take the gate out, or give the gate before it a `plan-next` unit")
        .only_warn_if(cx.is_on_hold());
    }
}
