//! `GW412`. See `edited_event.md`.

use crate::engine::events::{begins_here, is_whole, line_hash};
use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::layout;
use crate::model::status_machine::UnitStatus;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The end of the chain in a line; lines of other writers have none.
#[derive(Deserialize)]
struct Link {
    #[serde(default)]
    prev: Option<String>,
}

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let Some(log) = cx.feature.others.get(layout::EVENTS) else {
        return;
    };
    let log = String::from_utf8_lossy(log);
    let path: Arc<str> = format!("{}/{}", cx.feature.dir, layout::EVENTS).into();
    let (mut before, mut chained): (Option<&str>, bool) = (None, false);
    let mut hashed = false;
    let mut completed = BTreeSet::new();
    let mut at = 0;
    for line in log.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() {
            continue;
        }
        let prev = line
            .contains("\"prev\":\"")
            .then(|| serde_json::from_str::<Link>(line).ok()?.prev)
            .flatten();
        let fits = match (&prev, before) {
            (Some(prev), Some(before)) => line_hash(before) == *prev,
            (Some(_), None) => false,
            // Once the driver wrote, nobody else does.
            (None, _) => !chained,
        };
        let whole = is_whole(line);
        if whole == Some(false) || whole.is_none() && hashed {
            out.at(
                &path,
                start..start + line.len(),
                "this event is not as it was written",
            )
            .help("`git log -p` of the file shows who changed it; take the driver's version back")
            .label("its own hash does not fit it");
            return;
        }
        hashed |= whole.is_some();
        if !fits {
            out.at(
                &path,
                start..start + line.len(),
                "this event was not written after the line before it",
            )
            .help("`git log -p` of the file shows who changed it; take the driver's version back")
            .label("this line, or one before it, was edited, removed or put in");
            return;
        }
        chained |= prev.is_some();
        if line.contains("\"task_completed\"")
            && let Ok(done) = serde_json::from_str::<Completed>(line)
            && done.event_type == "task_completed"
        {
            completed.insert(done.correlation_id);
        }
        before = Some(line);
    }
    if hashed && begins_here(&log) {
        against_units(cx, &path, log.len(), &completed, out);
    }
}

/// The unit an event speaks of.
#[derive(Deserialize)]
struct Completed {
    event_type: String,
    correlation_id: String,
}

/// A log that was cut short, or added to, says something else than the units do.
fn against_units(
    cx: &FeatureCx<'_>,
    path: &Arc<str>,
    end: usize,
    completed: &BTreeSet<String>,
    out: &mut FindingSink,
) {
    for member in cx.feature.members() {
        let Some(unit) = member.unit else { continue };
        let tried = unit.front.attempts.as_ref().map_or(0, |a| a.value);
        let logged = completed.contains(member.id());
        let what = match member.status() {
            UnitStatus::Done if tried > 0 && !logged => "does not record that it was completed",
            UnitStatus::Draft | UnitStatus::Pending
                if logged && tried == 0 && unit.re_arm_count() == 0 =>
            {
                "records that it was completed, which its file does not"
            }
            _ => continue,
        };
        out.at(path, end..end, format!("the log of {} {what}", member.id()))
            .help("`git log -p` of the file shows who cut it or added to it; take the driver's version back");
    }
}
