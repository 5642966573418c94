//! The sessions that run now, and what each of them does: `sessions` of `status --json`.

use super::Context;
use super::attempts::session_log;
use gatewalk_core::driver::ports::InFlight;
use gatewalk_host::os::{has_begun, log_dir, read_in_flight};
use gatewalk_host::state_repository::Repository;
use serde_json::{Value, json};
use std::path::Path;

/// How many of the last lines of a transcript are shown.
const LAST_LINES: usize = 20;

/// Returns a row for each session of the driver at work; none without one.
pub(super) fn of_repository(
    context: &Context,
    repository: &Repository,
    is_driven: bool,
) -> Vec<Value> {
    if !is_driven {
        return vec![];
    }
    let state = repository.git.state_dir();
    // Shown beside what was asked for: what cannot be read now is only not shown.
    let notes = read_in_flight(&state).unwrap_or_default();
    notes
        .iter()
        .map(|note| row(context, &state, note))
        .collect()
}

/// Returns the runner of each session that is on one now, and whether it still waits there.
pub(super) fn on_runners(repository: &Repository, is_driven: bool) -> Vec<(String, bool)> {
    let state = repository.git.state_dir();
    let notes = is_driven.then(|| read_in_flight(&state).unwrap_or_default());
    let notes = notes.unwrap_or_default();
    notes
        .iter()
        .filter_map(|note| Some((note.runner.clone()?, is_queued(&state, note))))
        .collect()
}

fn is_queued(state: &Path, note: &InFlight) -> bool {
    note.runner.is_some() && !has_begun(state, &note.unit, note.number)
}

fn row(context: &Context, state: &Path, note: &InFlight) -> Value {
    let log = log_dir(state, &note.unit, note.number).join("session.log");
    let read = session_log::transcript(context, &note.agent, &log).ok();
    let (folded, lines) = read.unzip();
    let now = folded.as_ref().and_then(|session| session.now());
    let lines = lines.unwrap_or_default();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    let began: Option<jiff::Timestamp> = note.started_at.parse().ok();
    let seconds = began.map(|at| {
        jiff::Timestamp::now()
            .duration_since(at)
            .as_secs_f64()
            .max(0.0)
    });
    json!({
        "unit": note.unit,
        "attempt": note.number,
        "agent": note.agent,
        "runner": note.runner,
        "queued": is_queued(state, note),
        "started_at": note.started_at,
        "seconds": seconds.map(f64::round),
        "tool": now.map(|now| &now.tool),
        "detail": now.map(|now| &now.detail),
        "output_tokens": folded.as_ref().and_then(|s| s.usage.output_tokens),
        "input_tokens": folded.as_ref().and_then(|s| s.usage.input_tokens),
        "last_lines": last,
        "cost_usd": folded.as_ref().and_then(|s| s.cost_usd),
    })
}
