//! `GW403`. See `passed_gate_open_unit.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::GateStatus;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let Some(gate) = cx.gate.filter(|g| g.status() != GateStatus::Open) else {
        return;
    };
    for member in cx.units().filter(|m| !m.status().is_settled()) {
        let Some(unit) = member.unit else { continue };
        out.at(
            unit.path(),
            unit.span_of("status"),
            format!(
                "{} in gate {}, which is {}: it never runs",
                member.status(),
                cx.number(),
                gate.status()
            ),
        )
        .related(&gate.doc.path, gate.doc.key_span("status"), "the gate")
        .help("move the unit to a later gate, abandon it, or open the gate again")
        .only_warn_if(cx.is_settled());
    }
}
