//! Cases that fail as they did before a unit's work: from the event log, so that a gate and a pull request list them.

use super::attempt_record::CommandResult;
use super::evidence::first_named;
use super::log_reader::{Log, LoggedEvent};
use crate::model::feature::Feature;
use crate::model::known_failures::KnownFailures;
use crate::model::layout;
use crate::model::verification::Verification;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Keys of a command in the event of a landing.
const INHERITED: &str = "inherited";
const KNOWN: &str = "known_failures";

/// How many cases a line names.
const NAMED: usize = 10;

/// What a command still failed when its feature landed last.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct InheritedCases {
    /// The set of `verification.yml` that the command is in.
    pub(crate) set: String,
    /// The command's name in its set.
    pub(crate) command: String,
    /// The unit that landed.
    pub(crate) unit: String,
    /// Names of the cases that failed.
    pub(crate) cases: Vec<String>,
    /// Cases that `known_failures` names and that pass now.
    pub(crate) settled: Vec<String>,
}

impl std::fmt::Display for InheritedCases {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        if !self.cases.is_empty() {
            let (count, cases) = (self.cases.len(), listed(&self.cases));
            parts.push(format!("{count} still fail as before the work: {cases}"));
        }
        if !self.settled.is_empty() {
            let cases = listed(&self.settled);
            parts.push(format!(
                "pass now, so `known_failures` can lose them: {cases}"
            ));
        }
        write!(f, "{}: {}", self.command, parts.join("; "))
    }
}

fn listed(cases: &[String]) -> String {
    first_named(cases, NAMED)
}

/// Returns what a command's run inherited, in a sentence.
pub(crate) fn notice(result: &CommandResult) -> Option<String> {
    let cases = &result.inherited;
    (!cases.is_empty()).then(|| {
        let (name, count) = (&result.name, cases.len());
        format!("`{name}`: {count} fail as on the base: {}", listed(cases))
    })
}

/// Adds what a command's run inherited to its row in an event.
pub(crate) fn record(result: &CommandResult, row: &mut Value) {
    if !result.inherited.is_empty() {
        row[INHERITED] = json!(result.inherited);
    }
    if let Some(known) = &result.known_failures {
        row[KNOWN] = json!(known);
    }
}

/// Returns the cases that a command of a landing's event failed as before the work.
pub(crate) fn of_row(row: &Value) -> Vec<String> {
    texts(row, INHERITED)
}

/// Returns what each command failed or could have failed at its last landing; nothing of commands that fail nothing.
pub fn of_feature(feature: &Feature, verification: &Verification) -> Vec<InheritedCases> {
    let mut last: BTreeMap<(String, String), InheritedCases> = BTreeMap::new();
    if !may_have_any(feature, verification) {
        return vec![];
    }
    for event in landings(feature) {
        for row in rows(&event) {
            let (Some(command), Some(set)) = (text(row, "name"), text(row, "set")) else {
                continue;
            };
            let found = InheritedCases {
                set: set.to_owned(),
                command: command.to_owned(),
                unit: event.id.clone(),
                cases: of_row(row),
                settled: vec![],
            };
            last.insert((set.to_owned(), command.to_owned()), found);
        }
    }
    let mut all: Vec<InheritedCases> = last.into_values().collect();
    for found in &mut all {
        found.settled = settled(found, verification);
    }
    all.retain(|found| !found.cases.is_empty() || !found.settled.is_empty());
    all
}

/// Returns whether a log names inherited cases, or a command cases that may fail: most of neither do, and lists of features
/// ask for every log.
fn may_have_any(feature: &Feature, verification: &Verification) -> bool {
    let commands = verification.sets.iter().flat_map(|set| &set.commands);
    let mut lists = commands.filter_map(|c| c.value.known_failures.as_ref());
    let log = feature.others.get(layout::EVENTS);
    let key = format!("\"{INHERITED}\"");
    lists.next().is_some()
        || log.is_some_and(|log| memchr::memmem::find(log, key.as_bytes()).is_some())
}

/// The cases of a command's list that its last landing did not inherit.
fn settled(found: &InheritedCases, verification: &Verification) -> Vec<String> {
    let set = verification.sets.iter().find(|s| s.name.value == found.set);
    let commands = set.into_iter().flat_map(|set| &set.commands);
    let mut commands = commands.map(|c| &c.value);
    let command = commands.find(|c| c.name() == found.command);
    let known = command.and_then(|c| c.known_failures.as_ref());
    let cases = known.into_iter().flat_map(|list| &list.value.0);
    cases
        .map(|case| case.value.clone())
        .filter(|case| !found.cases.contains(case))
        .collect()
}

/// Returns what the lists in effect at every landing of a feature allowed.
pub(crate) fn lists_of(feature: &Feature) -> KnownFailures {
    let mut lists = KnownFailures::default();
    for event in landings(feature) {
        for row in rows(&event).filter(|row| row.get(KNOWN).is_some()) {
            if let (Some(command), Some(set)) = (text(row, "name"), text(row, "set")) {
                lists.narrow(KnownFailures::one(set, command, texts(row, KNOWN)));
            }
        }
    }
    lists
}

fn landings(feature: &Feature) -> Vec<LoggedEvent> {
    let log = feature.others.get(layout::EVENTS);
    let outcomes = log.map_or_else(Vec::new, |log| Log::select(log, &["attempt_outcome"]));
    let passed = outcomes
        .into_iter()
        .filter(|e| e.payload["outcome"] == "passed");
    passed.collect()
}

fn rows(event: &LoggedEvent) -> impl Iterator<Item = &Value> {
    let rows = event.payload.get("commands").and_then(Value::as_array);
    rows.into_iter().flatten()
}

fn text<'v>(row: &'v Value, key: &str) -> Option<&'v str> {
    row.get(key).and_then(Value::as_str)
}

fn texts(row: &Value, key: &str) -> Vec<String> {
    let all = row.get(key).and_then(Value::as_array);
    let all = all.into_iter().flatten().filter_map(Value::as_str);
    all.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::{FEATURE, snapshot};

    fn feature(log: &str) -> Feature {
        let snapshot = snapshot("active | G1 open: T01 done; T02 done");
        let mut feature = (*snapshot.feature).clone();
        let log = log.to_owned().into_bytes().into();
        feature.others.insert(layout::EVENTS.to_owned(), log);
        feature
    }

    fn landing(unit: &str, outcome: &str, rows: &str) -> String {
        format!(
            "{{\"timestamp\":\"x\",\"correlation_id\":\"{FEATURE}/{unit}\",\"event_type\":\"attempt_outcome\",\"payload\":{{\"outcome\":\"{outcome}\",\"commands\":[{rows}]}}}}\n"
        )
    }

    fn verification(known: &str) -> Verification {
        let text = format!("code:\n  - {{name: t, command: x, known_failures: {known}}}\n");
        Verification::parse("v".into(), Some(text.as_bytes()))
    }

    #[test]
    fn the_last_landing_of_a_command_shows_what_it_still_fails_and_what_is_settled() {
        let one =
            r#"{"name":"t","set":"code","inherited":["a","b"],"known_failures":["a","b","c"]}"#;
        let two = r#"{"name":"t","set":"code","inherited":["a"],"known_failures":["a","b"]}"#;
        let none = r#"{"name":"t","set":"code"}"#;
        let first = landing("T01", "passed", one);
        for (log, want) in [
            (first.clone(), "t: 2 still fail as before the work: a, b"),
            (
                first.clone() + &landing("T02", "failed", none),
                "t: 2 still fail as before the work: a, b",
            ),
            (
                first.clone() + &landing("T02", "passed", two),
                "t: 1 still fail as before the work: a; pass now, so `known_failures` can lose them: b",
            ),
            (
                first.clone() + &landing("T02", "passed", none),
                "t: pass now, so `known_failures` can lose them: a, b",
            ),
        ] {
            let found = of_feature(&feature(&log), &verification("[a, b]"));
            let lines: Vec<String> = found.iter().map(InheritedCases::to_string).collect();
            assert_eq!(lines, [want], "{log}");
        }
        let quiet = feature(&landing("T01", "passed", none));
        assert_eq!(of_feature(&quiet, &verification("[]")), []);
        let lists = lists_of(&feature(&(first + &landing("T02", "passed", two))));
        assert!(lists.allows("code", "t", "a") && !lists.allows("code", "t", "c"));
    }

    #[test]
    fn a_long_list_is_cut() {
        let cases: Vec<String> = (0..12).map(|n| format!("c{n}")).collect();
        assert!(listed(&cases).ends_with("c9 and 2 more"));
        assert!(listed(&cases[..10]).ends_with("c8, c9"));
    }
}
