//! `GW410`. See `done_without_landing.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::UnitType;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let unit = cx.unit;
    // A user's unit has its evidence; a closed feature's log may be long gone.
    if unit.status() != UnitStatus::Done
        || unit.unit_type() == UnitType::Human
        || cx.f.is_settled()
        || unit.front.auto_close.is_some()
    {
        return;
    }
    let id = unit.front.id.as_ref().map_or("", |id| &id.value);
    if !cx.f.ws.history().has_landed(id) {
        out.at(
            cx.path(),
            unit.span_of("status"),
            "done, but no commit of the driver landed it: `events.jsonl` has no `task_completed`",
        )
        .help("set it back to `pending`: only what was verified is done");
    }
}
