//! Reading `events.jsonl` back: this program's lines and those of older drivers.
//!
//! Nothing here fails: a line that is no event is counted and left out, a field that is missing is
//! unknown, and unknown is never zero.

use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Returns what a log says, with marks in place of what is not text. A long one is text nearly always, and looking for
/// what is not takes many times longer than finding that nothing is.
pub(crate) fn log_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// One line of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedEvent {
    /// RFC 3339, as written.
    pub timestamp: String,
    /// The unit, or the feature.
    pub id: String,
    /// What happened, such as `attempt_outcome`.
    pub event_type: String,
    /// What belongs to it.
    pub payload: Value,
}

/// A log as far as it could be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Log {
    /// The events, in the order of the file.
    pub events: Vec<LoggedEvent>,
    /// Lines that are no event.
    pub unreadable: usize,
}

/// One attempt, as a log tells of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoggedAttempt {
    /// Full id of the unit.
    pub(crate) unit: String,
    /// When it was judged.
    pub(crate) at: String,
    /// Which attempt since the unit was armed.
    pub(crate) attempt: u64,
    /// Whether the work passed.
    pub(crate) passed: bool,
    /// The failure's class, or the outcome's word; none when it passed.
    pub(crate) cause: Option<String>,
    /// The failure made comparable.
    pub(crate) signature: Option<String>,
    /// What to show of it.
    pub(crate) excerpt: Option<String>,
    /// The model, when named.
    pub(crate) model: Option<String>,
    /// US dollars, when known.
    pub(crate) cost_usd: Option<f64>,
    /// Whether that is by a list of prices, not by the program.
    pub(crate) cost_estimated: bool,
    /// Seconds of wall clock, when known.
    pub(crate) seconds: Option<f64>,
    /// Tokens read, when known.
    pub(crate) input_tokens: Option<u64>,
    /// Tokens written, when known.
    pub(crate) output_tokens: Option<u64>,
    /// The paths it changed, when known.
    pub(crate) files: Vec<String>,
}

impl LoggedAttempt {
    /// Takes the figures it has none of its own for.
    fn take_figures(&mut self, from: LoggedAttempt) {
        self.cost_usd = self.cost_usd.or(from.cost_usd);
        self.seconds = self.seconds.or(from.seconds);
        self.input_tokens = self.input_tokens.or(from.input_tokens);
        self.output_tokens = self.output_tokens.or(from.output_tokens);
    }
}

impl Log {
    /// Reads a log; never fails.
    pub fn parse(bytes: &[u8]) -> Log {
        let mut log = Log::default();
        for line in log_text(bytes).lines() {
            if line.trim().is_empty() {
                continue;
            }
            match event(line) {
                Some(event) => log.events.push(event),
                None => log.unreadable += 1,
            }
        }
        log
    }

    /// Reads the events of some types alone, in order: of a long log, most lines are not parsed.
    pub(crate) fn select(bytes: &[u8], types: &[&str]) -> Vec<LoggedEvent> {
        Log::select_about(bytes, types, None)
    }

    /// Likewise, those about some units alone, where such are named.
    pub(crate) fn select_about(
        bytes: &[u8],
        types: &[&str],
        units: Option<&[&str]>,
    ) -> Vec<LoggedEvent> {
        let quoted = |words: &[&str]| words.iter().map(|w| format!("\"{w}\"")).collect();
        let (of_type, about): (Vec<String>, Option<Vec<String>>) =
            (quoted(types), units.map(quoted));
        let text = log_text(bytes);
        let has = |line: &str, words: &[String]| words.iter().any(|w| line.contains(w.as_str()));
        let may_be = |line: &&str| {
            about.as_ref().is_none_or(|about| has(line, about)) && has(line, &of_type)
        };
        let events = text.lines().filter(may_be).filter_map(event);
        let is_wanted = |e: &LoggedEvent| {
            types.contains(&e.event_type.as_str())
                && units.is_none_or(|units| units.contains(&e.id.as_str()))
        };
        events.filter(is_wanted).collect()
    }

    /// Reads the events whose lines name one of some keys, in order. Every landing asks, and a log grows with each.
    pub(crate) fn select_naming(bytes: &[u8], keys: &[&str]) -> Vec<LoggedEvent> {
        let keys = keys.iter().map(|key| format!("\"{key}\""));
        let finders: Vec<_> = keys
            .map(|key| memchr::memmem::Finder::new(&key).into_owned())
            .collect();
        Log::select_lines(bytes, |line| finders.iter().any(|f| f.find(line).is_some()))
    }

    /// Reads the events of some lines alone, in order.
    pub(crate) fn select_lines(
        bytes: &[u8],
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Vec<LoggedEvent> {
        let lines = bytes.split(|byte| *byte == b'\n');
        lines
            .filter(|line| is_wanted(line))
            .filter_map(|line| event(&String::from_utf8_lossy(line)))
            .collect()
    }

    /// Returns every attempt, in order.
    ///
    /// Older logs are short: the oldest have no line an attempt, later ones a line for a failed one only,
    /// and that without its figures. The completed or escalated unit's own list of usages has the rest.
    pub(crate) fn attempts(&self) -> Vec<LoggedAttempt> {
        let mut tried: Vec<LoggedAttempt> = Vec::new();
        // Where the attempts stand that are known of each unit since it was started.
        let mut known: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for event in &self.events {
            match event.event_type.as_str() {
                "task_started" | "re_arm_dispatched" => {
                    known.remove(event.id.as_str());
                }
                // A user's own work is no attempt.
                "attempt_outcome" if event.payload["by_hand"] == true => {}
                "attempt_outcome" => {
                    let known = known.entry(&event.id).or_default();
                    known.push(tried.len());
                    let mut outcome = outcome(event);
                    if outcome.attempt == 0 {
                        outcome.attempt = known.len() as u64;
                    }
                    tried.push(outcome);
                }
                "task_completed" | "human_escalation" => {
                    let known = known.entry(&event.id).or_default();
                    for usage in usages(event) {
                        match known.iter().find(|i| tried[**i].attempt == usage.attempt) {
                            Some(at) => tried[*at].take_figures(usage),
                            None => {
                                known.push(tried.len());
                                tried.push(usage);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        tried
    }

    /// Returns how often an event type stands in the log.
    pub(crate) fn count(&self, event_type: &str) -> usize {
        let of_type = |e: &&LoggedEvent| e.event_type == event_type;
        self.events.iter().filter(of_type).count()
    }
}

fn event(line: &str) -> Option<LoggedEvent> {
    let mut value: Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
    Some(LoggedEvent {
        timestamp: text("timestamp")?,
        id: text("correlation_id")?,
        event_type: text("event_type")?,
        payload: value
            .get_mut("payload")
            .map(Value::take)
            .unwrap_or_default(),
    })
}

fn word(payload: &Value, key: &str) -> Option<String> {
    let text = payload.get(key)?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}

fn outcome(event: &LoggedEvent) -> LoggedAttempt {
    let p = &event.payload;
    let outcome = word(p, "outcome").unwrap_or_else(|| "unknown".to_owned());
    let passed = outcome == "passed";
    let named = || word(p, "failure_class").filter(|class| class != "other");
    let files = p.get("files_touched").and_then(Value::as_array);
    LoggedAttempt {
        unit: event.id.clone(),
        at: event.timestamp.clone(),
        attempt: p.get("attempt").and_then(Value::as_u64).unwrap_or(0),
        passed,
        cause: (!passed).then(|| named().unwrap_or(outcome)),
        signature: word(p, "failure_signature"),
        excerpt: word(p, "failure_excerpt"),
        model: word(p, "model"),
        cost_usd: p.get("cost_usd").and_then(Value::as_f64),
        cost_estimated: p.get("cost_estimated").and_then(Value::as_bool) == Some(true),
        seconds: p.get("duration_seconds").and_then(Value::as_f64),
        input_tokens: p.get("input_tokens").and_then(Value::as_u64),
        output_tokens: p.get("output_tokens").and_then(Value::as_u64),
        files: files
            .into_iter()
            .flatten()
            .filter_map(|f| f.as_str().map(str::to_owned))
            .collect(),
    }
}

/// The attempts of a unit whose log has only their usages: all but a completed unit's last failed.
fn usages(event: &LoggedEvent) -> Vec<LoggedAttempt> {
    let completed = event.event_type == "task_completed";
    let list = event
        .payload
        .get("attempts_usage")
        .and_then(Value::as_array);
    let list = list.map_or(&[][..], Vec::as_slice);
    list.iter()
        .enumerate()
        .map(|(i, usage)| {
            let passed = completed && i + 1 == list.len();
            LoggedAttempt {
                unit: event.id.clone(),
                at: event.timestamp.clone(),
                attempt: usage
                    .get("attempt")
                    .and_then(Value::as_u64)
                    .unwrap_or(i as u64 + 1),
                passed,
                cause: (!passed).then(|| "unrecorded".to_owned()),
                signature: None,
                excerpt: None,
                model: word(usage, "model"),
                cost_usd: usage.get("cost_usd").and_then(Value::as_f64),
                cost_estimated: false,
                seconds: usage.get("duration_seconds").and_then(Value::as_f64),
                input_tokens: usage.get("input_tokens").and_then(Value::as_u64),
                output_tokens: usage.get("output_tokens").and_then(Value::as_u64),
                files: vec![],
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_selected_by_their_own_type_and_unit_and_not_by_what_they_mention() {
        let line = |unit: &str, kind: &str, text: &str| {
            format!(
                r#"{{"timestamp":"t","correlation_id":"{unit}","event_type":"{kind}","payload":{{"text":"{text}"}}}}"#
            )
        };
        let log = [
            line("F/T01", "a", "1"),
            line("F/T02", "a", "F/T01"),
            line("F/T01", "b", "a"),
            line("F/T01", "a", "2"),
            "torn".to_owned(),
        ]
        .join("\n");
        let texts = |types: &[&str], units: Option<&[&str]>| {
            let found = Log::select_about(log.as_bytes(), types, units);
            let texts = found.iter().map(|e| e.payload["text"].as_str().unwrap());
            texts.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(texts(&["a"], None), "1 F/T01 2");
        assert_eq!(texts(&["a"], Some(&["F/T01"])), "1 2");
        assert_eq!(texts(&["a", "b"], Some(&["F/T01", "F/T02"])), "1 F/T01 a 2");
        assert_eq!(texts(&["b"], Some(&["F/T02"])), "");
        assert_eq!(texts(&["a"], Some(&[])), "");
    }

    #[test]
    fn attempts_come_from_lines_or_else_from_usages() {
        let outcome = |unit: &str, rest: &str| {
            format!(
                r#"{{"timestamp":"t","correlation_id":"{unit}","event_type":"attempt_outcome","payload":{{{rest}}}}}"#
            )
        };
        let other = |unit: &str, kind: &str, rest: &str| {
            format!(
                r#"{{"timestamp":"t","correlation_id":"{unit}","event_type":"{kind}","payload":{{{rest}}}}}"#
            )
        };
        let usages = r#""attempts":2,"attempts_usage":[{"attempt":1,"cost_usd":0.5},{"attempt":2,"cost_usd":null}]"#;
        type Row = (Vec<String>, Vec<(bool, Option<&'static str>, Option<f64>)>);
        let rows: Vec<Row> = vec![
            (
                vec![
                    outcome(
                        "A",
                        r#""outcome":"failed","attempt":1,"failure_class":"tests","cost_usd":1.0"#,
                    ),
                    outcome("A", r#""outcome":"passed","attempt":2,"cost_usd":2.0"#),
                    other("A", "task_completed", usages),
                ],
                vec![(false, Some("tests"), Some(1.0)), (true, None, Some(2.0))],
            ),
            (
                vec![other("A", "task_completed", usages)],
                vec![(false, Some("unrecorded"), Some(0.5)), (true, None, None)],
            ),
            (
                vec![other("A", "human_escalation", usages)],
                vec![
                    (false, Some("unrecorded"), Some(0.5)),
                    (false, Some("unrecorded"), None),
                ],
            ),
            (
                vec![outcome(
                    "A",
                    r#""outcome":"blocked","failure_class":"other""#,
                )],
                vec![(false, Some("blocked"), None)],
            ),
            (
                // A line for the failed attempt only, without its figures.
                vec![
                    other("A", "task_started", ""),
                    outcome("A", r#""outcome":"files_changed_mismatch","attempt":1"#),
                    other("A", "task_completed", usages),
                ],
                vec![
                    (false, Some("files_changed_mismatch"), Some(0.5)),
                    (true, None, None),
                ],
            ),
            (
                // Started again: the numbers begin anew.
                vec![
                    other("A", "human_escalation", usages),
                    other("A", "task_started", ""),
                    outcome("A", r#""outcome":"passed","attempt":1,"cost_usd":3.0"#),
                    other(
                        "A",
                        "task_completed",
                        r#""attempts_usage":[{"attempt":1,"cost_usd":3.0}]"#,
                    ),
                ],
                vec![
                    (false, Some("unrecorded"), Some(0.5)),
                    (false, Some("unrecorded"), None),
                    (true, None, Some(3.0)),
                ],
            ),
            (vec!["torn {".to_owned(), "[]".to_owned()], vec![]),
        ];
        for (lines, want) in rows {
            let log = Log::parse(lines.join("\n").as_bytes());
            let attempts = log.attempts();
            let got: Vec<_> = attempts
                .iter()
                .map(|a| (a.passed, a.cause.as_deref(), a.cost_usd))
                .collect();
            assert_eq!(got, want, "{lines:?}");
            assert_eq!(log.events.len() + log.unreadable, lines.len());
        }
    }
}
