//! `GW408`. See `changed_after_arming.md`.

use crate::engine::bookkeeping::contract_hash;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::UnitStatus;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(armed) = &cx.unit.front.armed else {
        return;
    };
    let waiting = cx.unit.status() == UnitStatus::Pending && !cx.f.is_settled();
    if waiting && armed.value != contract_hash(cx.unit) {
        out.at(
            cx.path(),
            armed.span.clone(),
            "the unit was changed after it was armed",
        )
        .help("read the change and arm it again: `gatewalk arm`");
    }
}
