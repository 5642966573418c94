//! Tests that landed in a feature because they only joined, without a declaration: from the event log, so that it is the
//! same on every machine. Nobody vouched for them, so they may find fault and may not hide it.

use super::attempt_record::Judgement;
use super::log_reader::{Log, LoggedEvent};
use crate::model::feature::Feature;
use crate::model::layout;
use crate::object_id::ObjectId;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Keys of the event of a landing.
const JOINED: &str = "tests_joined";
const AIDS: &str = "test_aids_changed";
const DECLARED: &str = "tests_declared";
const TOUCHED: &str = "files_touched";
const BEFORE: &str = "tests_before";

/// Returns each path, with the commit that has it as it was before it joined.
pub(crate) fn of_feature(feature: &Feature) -> BTreeMap<String, ObjectId> {
    landed(feature, JOINED)
}

/// Returns likewise the sources that only tests use and that changed.
pub(crate) fn aids_of_feature(feature: &Feature) -> BTreeMap<String, ObjectId> {
    landed(feature, AIDS)
}

/// Returns the files that work of the feature changed which landed.
pub(crate) fn touched(feature: &Feature) -> BTreeSet<String> {
    touched_together(feature).into_iter().flatten().collect()
}

/// Returns the files that landed in one work with some of these.
pub(crate) fn touched_beside(feature: &Feature, paths: &[String]) -> BTreeSet<String> {
    let mut landings = touched_together(feature);
    landings.retain(|files| paths.iter().any(|path| files.contains(path)));
    landings.into_iter().flatten().collect()
}

/// Returns the files of each landing.
fn touched_together(feature: &Feature) -> Vec<Vec<String>> {
    let log = feature.others.get(layout::EVENTS);
    let events = log.map(|log| Log::select_naming(log, &[TOUCHED]));
    let events = events.unwrap_or_default();
    let landings = events.iter().filter(|event| is_landing(event));
    landings
        .map(|event| texts(event, TOUCHED).into_iter().collect())
        .collect()
}

fn before_of(event: &LoggedEvent) -> Option<ObjectId> {
    let hex = event.payload.get(BEFORE).and_then(Value::as_str)?;
    ObjectId::parse(hex.as_bytes())
}

fn landed(feature: &Feature, key: &str) -> BTreeMap<String, ObjectId> {
    let Some(log) = feature.others.get(layout::EVENTS) else {
        return BTreeMap::new();
    };
    let mut joined = BTreeMap::new();
    // What was declared before anything joined says nothing here, and in a long log that is most of its lines.
    let Some(first) = memchr::memmem::find(log, format!("\"{key}\"").as_bytes()) else {
        return joined;
    };
    let begin = memchr::memrchr(b'\n', &log[..first]).map_or(0, |end| end + 1);
    let events = Log::select_naming(&log[begin..], &[key, DECLARED]);
    for event in events.iter().filter(|e| is_landing(e)) {
        let before = before_of(event);
        for path in texts(event, key) {
            if let Some(before) = before {
                joined.entry(path).or_insert(before);
            }
        }
        for path in texts(event, DECLARED) {
            joined.remove(&path);
        }
    }
    joined
}

/// Adds what a judgement knows of them to the event of its attempt.
pub(crate) fn record(judgement: &Judgement, payload: &mut Map<String, Value>) {
    if !judgement.joined.is_empty() {
        payload.insert(JOINED.to_owned(), json!(judgement.joined));
    }
    if !judgement.aids.is_empty() {
        payload.insert(AIDS.to_owned(), json!(judgement.aids));
    }
    if !judgement.joined.is_empty() || !judgement.aids.is_empty() {
        payload.insert(BEFORE.to_owned(), json!(judgement.base.hex()));
    }
    if !judgement.declared.is_empty() {
        payload.insert(DECLARED.to_owned(), json!(judgement.declared));
    }
}

fn is_landing(event: &LoggedEvent) -> bool {
    event.event_type == "attempt_outcome"
        && event.payload.get("outcome").and_then(Value::as_str) == Some("passed")
}

fn texts(event: &LoggedEvent, key: &str) -> Vec<String> {
    let all = event.payload.get(key).and_then(Value::as_array);
    let all = all.into_iter().flatten().filter_map(Value::as_str);
    all.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::{FEATURE, object, snapshot};

    fn feature(lines: &[&str]) -> Feature {
        let line = |text: &&str| {
            let mut payload = Map::new();
            for word in text.split_whitespace() {
                let (key, value) = word.split_once('=').unwrap();
                let value = match key {
                    BEFORE => json!(object(value).hex()),
                    "outcome" => json!(value),
                    _ => json!(value.split(',').collect::<Vec<_>>()),
                };
                payload.insert(key.to_owned(), value);
            }
            format!(
                "{{\"timestamp\":\"x\",\"correlation_id\":\"{FEATURE}/T01\",\"event_type\":\"attempt_outcome\",\"payload\":{}}}\n",
                Value::Object(payload)
            )
        };
        let log: String = lines.iter().map(line).collect();
        let mut feature = (*snapshot("active | G1: T01").feature).clone();
        feature
            .others
            .insert(layout::EVENTS.to_owned(), log.into_bytes().into());
        feature
    }

    fn joined(lines: &[&str]) -> String {
        let found = of_feature(&feature(lines)).into_iter();
        let found = found.map(|(path, before)| {
            let name = ["b1", "b2"].into_iter().find(|name| object(name) == before);
            format!("{path}@{}", name.unwrap())
        });
        found.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_work_of_the_feature_changed_is_known_where_it_landed() {
        for (lines, want) in [
            (&[][..], ""),
            (&["outcome=failed files_touched=a"], ""),
            (
                &[
                    "outcome=passed files_touched=b,a",
                    "outcome=passed files_touched=c",
                ],
                "a b c",
            ),
        ] {
            let found: Vec<String> = touched(&feature(lines)).into_iter().collect();
            assert_eq!(found.join(" "), want, "{lines:?}");
        }
        let lines = [
            "outcome=passed files_touched=b,a",
            "outcome=passed files_touched=c",
        ];
        for (path, want) in [("a", "a b"), ("c", "c"), ("d", "")] {
            let found = touched_beside(&feature(&lines), &[path.to_owned()]);
            let found: Vec<String> = found.into_iter().collect();
            assert_eq!(found.join(" "), want, "{path}");
        }
    }

    #[test]
    fn what_joined_is_put_back_to_before_it_did_until_a_unit_declares_it() {
        let one = "outcome=passed tests_joined=a,b tests_before=b1";
        for (lines, want) in [
            (&[][..], ""),
            (&[one], "a@b1 b@b1"),
            (&["outcome=failed tests_joined=a tests_before=b1"], ""),
            (&["outcome=passed tests_joined=a"], ""),
            (
                &[one, "outcome=passed tests_joined=a,c tests_before=b2"],
                "a@b1 b@b1 c@b2",
            ),
            (&[one, "outcome=passed tests_declared=a"], "b@b1"),
            (&[one, "outcome=failed tests_declared=a"], "a@b1 b@b1"),
            (&["outcome=passed tests_declared=a", one], "a@b1 b@b1"),
        ] {
            assert_eq!(joined(lines), want, "{lines:?}");
        }
    }
}
