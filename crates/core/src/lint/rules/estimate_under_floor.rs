//! `GW807`. See `estimate_under_floor.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::Word;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(planned) = cx
        .unit
        .front
        .planned_cost_usd
        .as_ref()
        .filter(|_| cx.is_prompt())
    else {
        return;
    };
    let word = cx.unit.unit_type().word();
    let Some(floor) = cx.f.ws.history().cost_floor(word) else {
        return;
    };
    if planned.value < floor {
        out.at(cx.path(), planned.span.clone(), format!("{:.2} is less than nine of ten `{word}` attempts of this repository cost ({floor:.2})", planned.value));
    }
}
