//! What goes into the record of a session that has ended: its figures, what it said of itself, and what is odd.

use super::agent_fault::without_a_trace;
use super::ports::{AgentEnd, AgentJob, CapturedTree, InFlight};
use crate::agents::{Outcome, ResultBlock};
use crate::engine::attempt_record::{
    AttemptRecord, FORMAT, SessionEnd, SessionFigures, SessionNote,
};
use crate::engine::{handover, last_words, secrets};
use std::time::Duration;

/// What the driver knows of a session beside its job and its end.
pub(super) struct SessionRun {
    pub(super) attempt_id: String,
    pub(super) isolation: String,
    /// How often its unit had been unblocked.
    pub(super) re_arm: u32,
    /// What its unit was armed as.
    pub(super) armed: String,
    pub(super) captured: CapturedTree,
}

/// Returns what it means that a session changed nothing: its server never answered, or it asks the user something.
pub(super) fn without_change(end: &AgentEnd) -> Option<Outcome> {
    let asks = || {
        let text = end.session.closing_text();
        let open = end.outcome == Outcome::Worked && ResultBlock::last_in(text).0.is_none();
        let words = last_words::of(text).filter(|_| open);
        words
            .filter(|words| last_words::is_question(words))
            .map(Outcome::Blocked)
    };
    // A program that prints no events may be asking all the same.
    asks().or_else(|| without_a_trace(end))
}

impl SessionRun {
    /// Returns the record of the attempt, not judged yet.
    pub(super) fn record(self, note: InFlight, job: &AgentJob, end: &AgentEnd) -> AttemptRecord {
        AttemptRecord {
            format: FORMAT,
            unit: note.unit,
            number: note.number,
            attempt_id: self.attempt_id,
            re_arm: self.re_arm,
            armed: Some(self.armed),
            base: note.base,
            tree: self.captured.tree,
            history_ok: self.captured.history_ok,
            agent: note.agent,
            model: job.model.clone().or_else(|| end.session.model.clone()),
            effort: job.effort.clone(),
            isolation: self.isolation,
            runner: end.place.as_ref().map(|place| place.runner.clone()),
            queued_seconds: end.place.as_ref().map(|place| rounded(place.waited)),
            started_at: note.started_at,
            figures: figures(end),
            session: session_end(end, &self.captured.notes),
            judgement: None,
            by_hand: false,
            collision: None,
        }
    }
}

/// Returns a time in seconds, to the millisecond.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

fn figures(end: &AgentEnd) -> SessionFigures {
    let usage = end.session.usage;
    SessionFigures {
        duration_seconds: rounded(end.duration),
        cost_usd: end.session.cost_usd,
        cost_estimated: end.session.cost_estimated,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cache_read_input_tokens: usage.cache_read,
        cache_creation_input_tokens: usage.cache_write,
    }
}

fn session_end(end: &AgentEnd, captured: &[String]) -> SessionEnd {
    let (block, note) = ResultBlock::last_in(end.session.closing_text());
    let strays =
        (end.strays > 0).then(|| format!("{} processes it left behind were ended", end.strays));
    // What a session says is stored for good.
    let kept = |text: &String| SessionNote::from(secrets::redact(text));
    let block_note = note.map(|text| SessionNote::ResultBlock(secrets::redact(&text)));
    let notes = end.notes.iter().chain(captured).map(kept);
    let notes = notes.chain(block_note).chain(strays.as_ref().map(kept));
    SessionEnd {
        class: end.outcome.class().into(),
        blocked_reason: match &end.outcome {
            Outcome::Blocked(reason) => Some(handover::kept(reason)),
            _ => None,
        },
        summary: block
            .as_ref()
            .map(|b| handover::kept(&b.summary))
            .filter(|s| !s.is_empty()),
        last_words: match block {
            Some(_) => None,
            None => last_words::of(end.session.closing_text()),
        },
        criteria: handover::kept_list(block.as_ref().map(|b| &b.acceptance_criteria)),
        follow_ups: handover::kept_list(block.as_ref().map(|b| &b.follow_ups)),
        widen_touches: handover::kept_list(block.as_ref().map(|b| &b.widen_touches)),
        notes: notes.collect(),
    }
}
