//! `GW412`. See `edited_event.md`.

use crate::engine::events::{begins_here, is_whole, line_hash};
use crate::engine::log_reader::Log;
use crate::engine::oracle::shell_quote;
use crate::engine::record_origin::{self, RecordOrigin};
use crate::engine::top_path::top_file;
use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::layout;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::Unit;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The end of the chain in a line; lines of other writers have none.
#[derive(Deserialize)]
struct Link {
    #[serde(default)]
    prev: Option<String>,
}

/// The lines so far.
#[derive(Default)]
struct LogChain<'l> {
    before: Option<&'l str>,
    /// Whether a line names the hash of the one before it.
    chained: bool,
    /// Whether a line has a hash of its own.
    hashed: bool,
}

impl<'l> LogChain<'l> {
    /// Takes the next line, or returns what is wrong with it, and why.
    fn take(&mut self, line: &'l str) -> Result<(), (&'static str, &'static str)> {
        let whole = is_whole(line);
        if whole == Some(false) || whole.is_none() && self.hashed {
            return Err((
                "this event is not as it was written",
                "its own hash does not fit it",
            ));
        }
        let prev = line
            .contains("\"prev\":\"")
            .then(|| serde_json::from_str::<Link>(line).ok()?.prev)
            .flatten();
        let fits = match (&prev, self.before) {
            (Some(prev), Some(before)) => line_hash(before) == *prev,
            (Some(_), None) => false,
            // Once the driver wrote, nobody else does, and its first line is not written twice.
            (None, _) => !self.chained && !self.hashed,
        };
        if !fits {
            return Err((
                "this event was not written after the line before it",
                "this line, or one before it, was edited, removed or put in",
            ));
        }
        self.hashed |= whole.is_some();
        self.chained |= prev.is_some();
        self.before = Some(line);
        Ok(())
    }
}

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    lost_armings(cx, out);
    let Some(log) = record_origin::log(cx.feature) else {
        missing(cx, out);
        return;
    };
    let bytes = log;
    let log = String::from_utf8_lossy(bytes);
    let path: Arc<str> = format!("{}/{}", cx.feature.dir, layout::EVENTS).into();
    let mut chain = LogChain::default();
    let mut at = 0;
    for line in log.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() {
            continue;
        }
        if let Err((what, label)) = chain.take(line) {
            out.at(&path, start..start + line.len(), what)
                .help(
                    "`git log -p` of the file shows who changed it; take the driver's version back",
                )
                .label(label);
            return;
        }
    }
    if chain.hashed && begins_here(&log) {
        against_units(cx, (&path, log.len()), &LoggedMoves::read(bytes), out);
    }
}

/// A log that is not there, although units were armed or worked on here.
fn missing(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let layout = cx.ws.ws.layout;
    let marked = |unit: &Unit| {
        let front = &unit.front;
        !unit.armed().is_empty() || unit.attempts_counted() > 0 || front.escalation_reason.is_some()
    };
    let marked: Vec<&str> = cx
        .feature
        .members()
        .filter(|m| m.status() != UnitStatus::Done && m.unit.is_some_and(marked))
        .map(|m| m.node.id.value.as_str())
        .collect();
    if cx.is_settled()
        || marked.is_empty()
        || record_origin::of(cx.feature, layout) == RecordOrigin::Elsewhere
    {
        return;
    }
    let what = format!(
        "there is no `events.jsonl`, although {} was armed or worked on",
        marked.join(", ")
    );
    let span = cx.feature.plan.doc.key_span("feature_id");
    out.at(cx.plan_path(), span, what).help(
        "take the log back: `git log -- events.jsonl` in the feature's directory shows who removed it",
    );
}

/// A unit whose arming an earlier commit's log has and this one has not: whoever took it out could thaw what was armed.
fn lost_armings(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if cx.is_settled() {
        return;
    }
    for member in cx.feature.members() {
        let Some(earlier) = cx.ws.ws.lost_armings.get(member.id()) else {
            continue;
        };
        let Some(unit) = member.unit else { continue };
        let log = format!("{}/{}", cx.feature.dir, layout::EVENTS);
        let what = format!(
            "the log no longer records that {} was armed, as that of commit {} does",
            member.id(),
            earlier.commit
        );
        let (commit, path) = (&earlier.commit, shell_quote(&earlier.path));
        out.at(unit.path(), unit.span_of("status"), what)
            .help(format!(
                "bring it back and commit it: `git show {commit}:{path} > {}`",
                top_file(&log)
            ));
    }
}

/// What a log says that units went through.
#[derive(Default)]
struct LoggedMoves {
    armed: BTreeSet<String>,
    completed: BTreeSet<String>,
    parked: BTreeSet<String>,
    sent_back: BTreeMap<String, u32>,
}

impl LoggedMoves {
    fn read(log: &[u8]) -> LoggedMoves {
        let kinds = [
            "gate_armed",
            "task_completed",
            "human_escalation",
            "re_arm_dispatched",
        ];
        let mut moves = LoggedMoves::default();
        for event in Log::select(log, &kinds) {
            match event.event_type.as_str() {
                "gate_armed" => {
                    let units = event.payload["units"].as_array().into_iter().flatten();
                    let ids = units.filter_map(|unit| unit.as_str().map(str::to_owned));
                    moves.armed.extend(ids);
                }
                "task_completed" => drop(moves.completed.insert(event.id)),
                "human_escalation" => drop(moves.parked.insert(event.id)),
                _ => {
                    *moves.sent_back.entry(event.id.clone()).or_default() += 1;
                    moves.armed.insert(event.id);
                }
            }
        }
        moves
    }
}

/// A log that was cut short, or added to, says something else than the units do.
fn against_units(
    cx: &FeatureCx<'_>,
    (path, end): (&Arc<str>, usize),
    logged: &LoggedMoves,
    out: &mut FindingSink,
) {
    for member in cx.feature.members() {
        let Some(unit) = member.unit else { continue };
        let tried = unit.attempts_counted();
        let completed = logged.completed.contains(member.id());
        let parked = logged.parked.contains(member.id());
        let sent_back = logged.sent_back.get(member.id()).copied().unwrap_or(0);
        let what = match member.status() {
            UnitStatus::Done if tried > 0 && !completed => "does not record that it was completed",
            UnitStatus::Draft | UnitStatus::Pending
                if completed && tried == 0 && unit.re_arm_count() == 0 =>
            {
                "records that it was completed, which its file does not"
            }
            UnitStatus::BlockedHuman if unit.front.escalation_reason.is_some() && !parked => {
                "does not record that it was parked"
            }
            _ if unit.re_arm_count() > sent_back => {
                "does not record how often it was sent back to work"
            }
            _ if !unit.armed().is_empty() && !logged.armed.contains(member.id()) => {
                "does not record that it was armed"
            }
            _ => continue,
        };
        out.at(path, end..end, format!("the log of {} {what}", member.id()))
            .help("take the driver's version back: `git diff HEAD` shows what your checkout edited meanwhile, `git log -p` of the file who cut it or added to it");
    }
}
