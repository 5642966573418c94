//! `GW406`. See `human_without_evidence.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::UnitType;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let unit = cx.unit;
    let done = unit.unit_type() == UnitType::Human && unit.status() == UnitStatus::Done;
    let has_evidence = unit
        .front
        .evidence
        .as_ref()
        .is_some_and(|e| !e.value.trim().is_empty());
    if done && !has_evidence {
        out.at(
            cx.path(),
            unit.span_of("status"),
            "done by hand, without evidence",
        )
        .help("`gatewalk done <unit> --evidence \"…\"` records it");
    }
}
