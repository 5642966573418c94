//! pytest's `--report-log`, a line an event, and the single object of pytest-json-report.

use super::{CaseEnd, ReadReport, TestReport, unreadable};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn read(text: &str) -> ReadReport {
    match serde_json::from_str::<Value>(text) {
        Ok(whole) if whole.get("tests").is_some() => of_object(&whole),
        _ => of_lines(text),
    }
}

fn of_object(whole: &Value) -> ReadReport {
    let mut report = TestReport::default();
    let list = |key: &str| whole.get(key).and_then(Value::as_array).cloned();
    let Some(tests) = list("tests") else {
        return unreadable("the report has no list of tests");
    };
    for test in &tests {
        let (Some(name), Some(outcome)) = (word(test, "nodeid"), word(test, "outcome")) else {
            return unreadable("the report has a case without a name or an outcome");
        };
        // What it ended with, where it ran more than once.
        let again = (outcome == "rerun").then(|| test.get("call")).flatten();
        let outcome = again
            .and_then(|call| word(call, "outcome"))
            .unwrap_or(outcome);
        report.add(name, end_of(outcome));
    }
    for collector in list("collectors").unwrap_or_default() {
        if word(&collector, "outcome") == Some("failed") {
            let name = word(&collector, "nodeid").unwrap_or("the collection");
            report.add(name, CaseEnd::Broken);
        }
    }
    Ok(report)
}

fn of_lines(text: &str) -> ReadReport {
    let mut ends: BTreeMap<String, CaseEnd> = BTreeMap::new();
    let mut finished = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            return unreadable(
                "the report has a line that is no whole JSON; `pytest --report-log=FILE` of pytest-reportlog writes one",
            );
        };
        let outcome = word(&value, "outcome").unwrap_or_default();
        let name = word(&value, "nodeid").unwrap_or_default();
        match word(&value, "$report_type") {
            Some("SessionFinish") => finished = true,
            Some("TestReport") if name.is_empty() => {
                return unreadable("the report has a case without a name");
            }
            Some("TestReport") => take_phase(&value, (name, outcome), &mut ends),
            // Parts of a case are named only where they fail, and their case ran.
            Some("SubTestReport" | "SubtestReport") if outcome == "failed" => {
                ends.insert(format!("{name} > {}", part_of(&value)), CaseEnd::Broken);
            }
            Some("CollectReport") if outcome == "failed" => {
                let name = if name.is_empty() {
                    "the collection"
                } else {
                    name
                };
                ends.insert(name.to_owned(), CaseEnd::Broken);
            }
            _ => {}
        }
    }
    if !finished {
        return unreadable("the report ends before the run did");
    }
    let mut report = TestReport::default();
    for (name, end) in ends {
        report.add(name, end);
    }
    Ok(report)
}

/// Adds one of the lines that set-up, call and teardown of a case have.
fn take_phase(value: &Value, (name, outcome): (&str, &str), ends: &mut BTreeMap<String, CaseEnd>) {
    // It runs again, and only the last time counts.
    if outcome == "rerun" {
        ends.remove(name);
        return;
    }
    let end = end_of(outcome);
    let call = word(value, "when") == Some("call");
    let known = ends.get(name).copied();
    if end != CaseEnd::Passed || call && known.is_none() {
        let worst = known == Some(CaseEnd::Failed);
        let end = if worst { CaseEnd::Failed } else { end };
        ends.insert(name.to_owned(), end);
    }
}

/// What a part of a case is called: its message, and the values it was given.
fn part_of(value: &Value) -> String {
    let context = value.get("_subtest.context").or(value.get("context"));
    let context = context.unwrap_or(&Value::Null);
    let message = word(context, "msg").unwrap_or_default();
    let values = context.get("kwargs").and_then(Value::as_object);
    let values = values
        .into_iter()
        .flatten()
        .map(|(k, v)| format!("{k}={v}"));
    let words: Vec<String> = std::iter::once(message.to_owned()).chain(values).collect();
    words.join(" ").trim().to_owned()
}

fn word<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

fn end_of(outcome: &str) -> CaseEnd {
    match outcome {
        "passed" | "xpassed" => CaseEnd::Passed,
        "skipped" | "xfailed" | "deselected" => CaseEnd::Skipped,
        _ => CaseEnd::Failed,
    }
}
