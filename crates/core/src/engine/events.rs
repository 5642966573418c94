//! The lines of `events.jsonl`: each numbered, each with the hash of the line before and of itself.

use super::attempt_record::{AttemptRecord, CommandResult, Judgement};
use super::close_decision::Decision;
use super::oracle::hex;
use super::park_reason::ParkReason;
use super::{inherited_cases, joined_tests};
use crate::agents::SessionClass;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// The version that stands in every line.
pub(crate) const SOURCE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// One event before it is numbered and chained.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When it happened: RFC 3339, in UTC.
    pub(crate) timestamp: String,
    /// The unit, or the feature.
    pub(crate) correlation_id: String,
    /// What happened, in the log's words: `task_started`, `attempt_outcome` and so on.
    pub(crate) event_type: &'static str,
    /// What belongs to it.
    pub(crate) payload: Value,
}

/// Appends events to the text of a log, numbering and chaining them.
///
/// A log that does not end in a newline gets one first: a torn line is never extended.
pub fn append(log: &str, events: &[Event]) -> String {
    let mut count = log.lines().filter(|l| !l.trim().is_empty()).count() as u64;
    let mut previous = log.lines().rfind(|l| !l.trim().is_empty()).map(line_hash);
    let mut added = String::new();
    if !log.is_empty() && !log.ends_with('\n') {
        added.push('\n');
    }
    for event in events {
        count += 1;
        let line = line(event, count, previous.as_deref());
        previous = Some(line_hash(&line));
        added.push_str(&line);
        added.push('\n');
    }
    // A long log is copied once.
    [log, &added].concat()
}

/// Returns the hash that the next line carries.
pub(crate) fn line_hash(line: &str) -> String {
    hex(&Sha256::digest(line.as_bytes()))
}

fn line(event: &Event, seq: u64, previous: Option<&str>) -> String {
    let mut object = Map::new();
    object.insert("seq".into(), json!(seq));
    object.insert("timestamp".into(), json!(event.timestamp));
    object.insert("correlation_id".into(), json!(event.correlation_id));
    object.insert("event_type".into(), json!(event.event_type));
    object.insert("source".into(), json!("driver"));
    object.insert("source_version".into(), json!(SOURCE_VERSION));
    object.insert("payload".into(), event.payload.clone());
    object.insert("prev".into(), json!(previous));
    let open = Value::Object(object).to_string();
    let open = open.trim_end_matches('}');
    format!("{open}{HASH}{}\"}}", line_hash(open))
}

/// What stands between a line's own text and its hash.
const HASH: &str = ",\"hash\":\"";

/// Returns whether a line is as it was written; `None` when it does not say.
pub(crate) fn is_whole(line: &str) -> Option<bool> {
    let (open, hash) = line.rsplit_once(HASH)?;
    Some(hash.strip_suffix("\"}") == Some(&line_hash(open)))
}

/// Returns whether a log was written by this program from its first line on.
pub(crate) fn begins_here(log: &str) -> bool {
    let first = log.lines().find(|line| !line.trim().is_empty());
    first.is_none_or(|line| is_whole(line).is_some())
}

/// Returns the events of a unit's attempts: that it started, and how each attempt ended.
pub(crate) fn of_attempts(unit_type: &str, attempts: &[&AttemptRecord]) -> Vec<Event> {
    let mut events = Vec::new();
    if let Some(first) = attempts.first() {
        events.push(Event {
            timestamp: first.started_at.clone(),
            correlation_id: first.unit.clone(),
            event_type: "task_started",
            payload: json!({
                "type": unit_type, "agent": first.agent, "model": first.model,
                "re_arm_count": first.re_arm, "isolation": first.isolation,
            }),
        });
    }
    events.extend(
        attempts
            .iter()
            .enumerate()
            .map(|(i, a)| outcome(i as u32 + 1, a)),
    );
    events
}

/// Returns an attempt's end in a word.
fn verdict_word(a: &AttemptRecord) -> &'static str {
    match &a.judgement {
        Some(j) if j.passed() => "passed",
        Some(_) if a.session.class == SessionClass::Blocked => "blocked",
        Some(_) => "failed",
        None => "unjudged",
    }
}

fn outcome(nth: u32, a: &AttemptRecord) -> Event {
    let judgement = a.judgement.as_ref();
    let mut payload = json!({
            "attempt": nth,
            "attempt_id": a.attempt_id,
            "outcome": verdict_word(a),
            "duration_seconds": a.figures.duration_seconds,
            "cost_usd": a.figures.cost_usd,
            "input_tokens": a.figures.input_tokens,
            "output_tokens": a.figures.output_tokens,
            "cache_read_input_tokens": a.figures.cache_read_input_tokens,
            "cache_creation_input_tokens": a.figures.cache_creation_input_tokens,
            "model": a.model,
            "effort": a.effort,
            "agent": a.agent,
            "failure_class": judgement.and_then(Judgement::failure_class),
            "failure_signature": judgement.and_then(Judgement::failure_signature),
            "failure_excerpt": judgement.and_then(Judgement::failure_excerpt),
            "files_touched": judgement.map(|j| j.files_touched.clone()).unwrap_or_default(),
            "notices": judgement.map(|j| j.notices.clone()).unwrap_or_default(),
            "unusual": judgement.map(|j| j.unusual.clone()).unwrap_or_default(),
            "commands": judgement.map(|j| ran(&j.commands)).unwrap_or_default(),
            "product_tree": judgement.and_then(|j| j.product_tree.clone()),
            "isolation": a.isolation,
            "agent_status": a.session.class,
            "agent_blocked_reason": a.session.blocked_reason,
            "agent_summary": a.session.summary,
            "agent_criteria": a.session.criteria,
            "agent_follow_ups": a.session.follow_ups,
            "agent_widen_touches": a.session.widen_touches,
            "re_arm_count": a.re_arm,
    });
    if a.figures.cost_estimated {
        payload["cost_estimated"] = json!(true);
    }
    if let (Some(judgement), Value::Object(payload)) = (judgement, &mut payload) {
        joined_tests::record(judgement, payload);
    }
    if let Some(witness) = judgement.and_then(|j| j.witness.as_ref()) {
        payload["witness"] = json!(witness);
    }
    Event {
        timestamp: judgement.map_or(&a.started_at, |j| &j.at).clone(),
        correlation_id: a.unit.clone(),
        event_type: "attempt_outcome",
        payload,
    }
}

/// Returns the event of a user's own work that passed: how an attempt ends, and no attempt of the unit's.
pub(crate) fn by_hand(record: &AttemptRecord) -> Event {
    let mut event = outcome(0, record);
    event.payload["attempt"] = Value::Null;
    event.payload["by_hand"] = true.into();
    event
}

/// What each command said and took, so that a limit can be held against what is usual.
pub(crate) fn ran(commands: &[CommandResult]) -> Vec<Value> {
    let row = |c: &CommandResult| {
        let mut row =
            json!({"name": c.name, "set": c.source, "verdict": c.verdict, "seconds": c.seconds});
        inherited_cases::record(c, &mut row);
        row
    };
    commands.iter().map(row).collect()
}

/// What a unit took until it landed.
pub(crate) struct CompletedUnit<'a> {
    pub(crate) id: &'a str,
    /// The word of its type.
    pub(crate) unit_type: &'a str,
    pub(crate) attempts: u32,
    pub(crate) cost_usd: Option<f64>,
}

/// Returns the event of a landed unit.
pub(crate) fn completed(unit: &CompletedUnit<'_>, at: &str) -> Event {
    let payload =
        json!({"attempts": unit.attempts, "type": unit.unit_type, "cost_usd": unit.cost_usd});
    verb(unit.id, at, "task_completed", payload)
}

/// Returns the event of a parked unit.
pub(crate) fn escalation(unit: &str, at: &str, reason: &ParkReason) -> Event {
    Event {
        timestamp: at.to_owned(),
        correlation_id: unit.to_owned(),
        event_type: "human_escalation",
        payload: json!({"reason": reason.cause().to_string(), "message": reason.sentence()}),
    }
}

/// Returns the event of a gate that a user must look at, or that the driver passed.
pub(crate) fn gate_reached(feature: &str, at: &str, gate: u32, status: &str) -> Event {
    Event {
        timestamp: at.to_owned(),
        correlation_id: feature.to_owned(),
        event_type: "gate_reached",
        payload: json!({"gate": gate, "status": status}),
    }
}

/// Returns the event of the predicate that may close a gate without a session.
pub(crate) fn auto_close(id: &str, at: &str, decision: &Decision) -> Event {
    Event {
        timestamp: at.to_owned(),
        correlation_id: id.to_owned(),
        event_type: "auto_close_decision",
        payload: serde_json::to_value(decision).expect("plain data"),
    }
}

/// Returns the event of a user's verb.
pub fn verb(id: &str, at: &str, event_type: &'static str, payload: Value) -> Event {
    Event {
        timestamp: at.to_owned(),
        correlation_id: id.to_owned(),
        event_type,
        payload,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::record;

    #[test]
    fn a_cost_by_a_list_of_prices_is_marked_in_the_log() {
        let mut attempt = record("FEAT-2026-0001/T01", 1, "pass");
        let marked =
            |attempt: &AttemptRecord| outcome(1, attempt).payload["cost_estimated"].clone();
        assert_eq!(marked(&attempt), Value::Null);
        attempt.figures.cost_estimated = true;
        assert_eq!(marked(&attempt), json!(true));
    }

    #[test]
    fn lines_are_numbered_and_chained_also_after_a_torn_one() {
        let event = verb(
            "FEAT-2026-0001",
            "2026-01-01T00:00:00Z",
            "gate_reached",
            json!({}),
        );
        let one = append("{\"torn\":", std::slice::from_ref(&event));
        let two = append(&one, &[event]);
        let lines: Vec<&str> = two.lines().collect();
        assert_eq!(lines.len(), 3);
        let third: Value = serde_json::from_str(lines[2]).unwrap();
        assert_eq!(third["seq"], 3);
        assert_eq!(third["prev"], json!(line_hash(lines[1])));
        let second: Value = serde_json::from_str(lines[1]).unwrap();
        assert_eq!(second["prev"], json!(line_hash(lines[0])));
        assert_eq!(is_whole(lines[2]), Some(true));
        assert_eq!(is_whole(&lines[2].replace("2026", "2027")), Some(false));
        assert_eq!(is_whole(lines[0]), None);
    }
}
