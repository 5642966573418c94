//! `GW410`. See `done_without_landing.md`.

use crate::engine::events::begins_here;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::layout::{self, Layout};
use crate::model::status_machine::{FeatureStatus, UnitStatus};
use crate::model::unit::UnitType;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let unit = cx.unit;
    let feature = cx.f.feature;
    // A user's unit has its evidence.
    if unit.status() != UnitStatus::Done
        || unit.unit_type() == UnitType::Human
        || feature.plan.status() == FeatureStatus::Abandoned
    {
        return;
    }
    let id = unit.front.id.as_ref().map_or("", |id| &id.value);
    let log = feature.others.get(layout::EVENTS);
    let has_log = log.is_some();
    // Old drivers did not write every landing down.
    let begun_elsewhere = log.is_some_and(|log| !begins_here(&String::from_utf8_lossy(log)));
    let tried = unit.front.attempts.as_ref().is_some_and(|a| a.value > 0);
    // Old drivers kept no log at first. Where one is, a finished feature's is held against its units by `edited-event`.
    let is_old = cx.f.ws.ws.layout == Layout::Specfuse && !has_log;
    let is_over = cx.f.is_settled();
    if is_old || is_over && (has_log || !tried) || cx.f.ws.history().has_landed(id) {
        return;
    }
    let what = match has_log {
        true => {
            "done, but no commit of the driver landed it: `events.jsonl` has no `task_completed`"
        }
        false => "done, but there is no `events.jsonl` that records how it landed",
    };
    // What another driver finished, and then was moved here, may never have had a log.
    let armed_here = feature.units.values().any(|u| u.front.armed.is_some());
    out.at(cx.path(), unit.span_of("status"), what)
        .help(match tried {
            true => "take the log back as it was: `git log -- events.jsonl` in the feature's directory shows who changed it",
            false => "set it back to `pending`: only what was verified is done",
        })
        .only_warn_if(begun_elsewhere || is_over && !armed_here);
}
