//! `GW410`. See `done_without_landing.md`.

use crate::engine::record_origin::{self, RecordOrigin};
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::layout::Layout;
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
    if cx.f.has_landed(id) {
        return;
    }
    let has_log = record_origin::log(feature).is_some();
    let tried = unit.attempts_counted() > 0;
    let is_over = cx.f.is_settled();
    let layout = cx.f.ws.ws.layout;
    let only_warn = match record_origin::of(feature, layout) {
        // Where it was worked on, `edited-event` says that the log lacks it.
        RecordOrigin::Here if has_log && tried => return,
        RecordOrigin::Here => false,
        // Old drivers did not write every landing down, and kept no log at first.
        RecordOrigin::Elsewhere if has_log => {
            if is_over {
                return;
            }
            true
        }
        RecordOrigin::Elsewhere if layout == Layout::Specfuse || is_over && !tried => return,
        RecordOrigin::Elsewhere => is_over,
    };
    let what = match has_log {
        true => {
            "done, but no commit of the driver landed it: `events.jsonl` has no `task_completed`"
        }
        false => "done, but there is no `events.jsonl` that records how it landed",
    };
    out.at(cx.path(), unit.span_of("status"), what)
        .help(match tried {
            true => "take the log back as it was: `git log -- events.jsonl` in the feature's directory shows who changed it",
            false => "set it back to `pending`: only what was verified is done",
        })
        .only_warn_if(only_warn);
}
