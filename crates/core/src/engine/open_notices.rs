//! What was unusual about landings and no user has accepted yet: it keeps its gate from closing by itself. Kept in the
//! event log, so that it is the same on every machine and in a year.

use super::log_reader::{Log, LoggedEvent};
use crate::model::feature::Feature;
use crate::model::layout;
use memchr::memmem;
use serde_json::{Value, json};

/// The event of a user who accepts them.
pub const ACCEPTED: &str = "notices_accepted";

/// What is unusual about one unit's landing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenNotice {
    /// Full id of the unit.
    pub(crate) unit: String,
    /// What was said at its landing.
    pub(crate) text: String,
}

impl std::fmt::Display for OpenNotice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.unit, self.text)
    }
}

/// Returns the notices of a gate's units that no user has accepted; of every gate without one.
pub fn of_gate(feature: &Feature, gate: Option<usize>) -> Vec<OpenNotice> {
    let Some(log) = feature.others.get(layout::EVENTS) else {
        return vec![];
    };
    let events = Log::select_lines(log, is_about_notices);
    let accepted = events.iter().rposition(|e| e.event_type == ACCEPTED);
    let since = accepted.map_or(0, |at| at + 1);
    let landed = events[since..].iter().filter(|e| is_landing(e));
    let here = |event: &&LoggedEvent| {
        let member = feature.member(&event.id);
        member.is_some_and(|m| gate.is_none_or(|gate| m.gate == gate))
    };
    landed.filter(here).flat_map(notices).collect()
}

/// Returns whether a line may tell of something unusual, or that it was accepted. Most landings are unusual in nothing, and
/// lists of features ask for every log.
fn is_about_notices(line: &[u8]) -> bool {
    let mut unusual = memmem::find_iter(line, b"\"unusual\"");
    let is_none = |at: usize| line[at..].starts_with(b"\"unusual\":[]");
    unusual.any(|at| !is_none(at)) || memmem::find(line, ACCEPTED.as_bytes()).is_some()
}

fn is_landing(event: &LoggedEvent) -> bool {
    event.event_type == "attempt_outcome"
        && event.payload.get("outcome").and_then(Value::as_str) == Some("passed")
}

fn notices(event: &LoggedEvent) -> Vec<OpenNotice> {
    let all = event.payload.get("unusual").and_then(Value::as_array);
    let texts = all.into_iter().flatten().filter_map(Value::as_str);
    let notice = |text: &str| OpenNotice {
        unit: event.id.clone(),
        text: text.to_owned(),
    };
    texts.map(notice).collect()
}

/// Returns what the event of accepting them holds.
pub fn acceptance(notices: &[OpenNotice]) -> Value {
    let texts: Vec<String> = notices.iter().map(OpenNotice::to_string).collect();
    json!({ "notices": texts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::{FEATURE, snapshot};

    #[test]
    fn a_notice_is_open_until_it_is_accepted_and_again_for_the_next_landing() {
        let line = |event: &str, outcome: &str, notice: &str| {
            format!(
                "{{\"timestamp\":\"x\",\"correlation_id\":\"{FEATURE}/T01\",\"event_type\":\"{event}\",\"payload\":{{\"outcome\":\"{outcome}\",\"unusual\":[\"{notice}\"]}}}}\n"
            )
        };
        let one = line("attempt_outcome", "passed", "one");
        let failed = line("attempt_outcome", "failed", "no");
        let accepted = line(ACCEPTED, "", "one");
        let two = line("attempt_outcome", "passed", "two");
        let usual = one.replace("\"one\"", "");
        for (log, want) in [
            (one.clone(), vec!["one"]),
            (failed.clone(), vec![]),
            (format!("{usual}{one}{usual}"), vec!["one"]),
            (format!("{one}{accepted}"), vec![]),
            (format!("{one}{accepted}{failed}{two}"), vec!["two"]),
        ] {
            let snapshot = snapshot("active | G1 open: T01 done");
            let mut feature = (*snapshot.feature).clone();
            feature
                .others
                .insert(layout::EVENTS.to_owned(), log.clone().into_bytes().into());
            let open = of_gate(&feature, Some(0));
            let texts: Vec<&str> = open.iter().map(|n| n.text.as_str()).collect();
            assert_eq!(texts, want, "{log}");
            assert_eq!(of_gate(&feature, Some(1)), vec![]);
        }
    }
}
