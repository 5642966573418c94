//! What a unit's witness came to: an event of the feature's log, so that nothing is run twice, and anyone can read it.

use crate::engine::attempt_record::witness_report::{UnwitnessedLines, WitnessReport};
use crate::engine::attempt_record::{Judgement, WorkRefusal};
use crate::engine::events::{self, Event};
use crate::engine::evidence::{counted, one_line};
use crate::engine::log_reader::{Log, LoggedEvent};
use crate::model::feature::Feature;
use crate::model::id::short_id;
use crate::model::layout;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The event that records a witness.
pub const EVENT: &str = "unit_witnessed";

impl WitnessReport {
    /// Returns the event of it.
    pub fn event(&self, unit: &str, at: &str, commit: &str) -> Event {
        let mut payload = serde_json::to_value(self).expect("plain data");
        payload["commit"] = json!(commit);
        events::verb(unit, at, EVENT, payload)
    }
}

/// Returns what is on record of the last landing of each unit.
pub fn of_feature(feature: &Feature) -> BTreeMap<String, WitnessReport> {
    let mut found = BTreeMap::new();
    let Some(log) = feature.others.get(layout::EVENTS) else {
        return found;
    };
    let names = |word: &[u8]| memchr::memmem::find(log, word).is_some();
    if !names(EVENT.as_bytes()) && !names(b"\"witness\":{") {
        return found;
    }
    for event in Log::parse(log).events {
        match event.event_type.as_str() {
            "attempt_outcome" | "task_started" => drop(found.remove(&event.id)),
            EVENT => {}
            _ => continue,
        }
        if let Some(report) = report_in(&event) {
            found.insert(event.id, report);
        }
    }
    found
}

fn report_in(event: &LoggedEvent) -> Option<WitnessReport> {
    let passed = event.payload.get("outcome").and_then(Value::as_str) == Some("passed");
    let payload = match &*event.event_type {
        EVENT => &event.payload,
        _ if passed => event.payload.get("witness")?,
        _ => return None,
    };
    serde_json::from_value(payload.clone()).ok()
}

/// Returns what is on record of one unit's last landing.
pub fn of_unit(feature: &Feature, unit: &str) -> Option<WitnessReport> {
    of_feature(feature).remove(unit)
}

/// Most places of one file that are shown one by one: a bundle that no check reads has hundreds, and would hide the rest.
const PLACES_OF_A_FILE: usize = 3;

/// Returns the unwitnessed places of a gate's units, or of every gate's, each as a line, and one for what else is in a file.
pub fn unwitnessed_lines(feature: &Feature, gate: Option<usize>) -> Vec<String> {
    let here = |unit: &String| {
        let member = feature.member(unit);
        member.is_some_and(|m| gate.is_none_or(|gate| m.gate == gate))
    };
    let reports = of_feature(feature).into_iter();
    let of_one = |(unit, report): (String, WitnessReport)| {
        let local = short_id(&unit).to_owned();
        let lines = shown_places(&report.unwitnessed, &local).into_iter();
        lines.map(move |line| format!("{local}  {line}"))
    };
    reports
        .filter(|(unit, _)| here(unit))
        .flat_map(of_one)
        .collect()
}

/// Returns a unit's places as lines: of a file with many the first ones, and how many more there are.
fn shown_places(places: &[UnwitnessedLines], unit: &str) -> Vec<String> {
    let of_one_file = places.chunk_by(|a, b| a.path == b.path);
    let lines = of_one_file.flat_map(|places| {
        // A line for one more place would be no shorter than the place.
        let shown = match places.len() {
            all if all <= PLACES_OF_A_FILE + 1 => all,
            _ => PLACES_OF_A_FILE,
        };
        let mut lines: Vec<String> = places[..shown].iter().map(ToString::to_string).collect();
        if let [first, .., last] = &places[shown..] {
            lines.push(format!(
                "{}:{}-{}: {} more places (gatewalk witness {unit})",
                one_line(&first.path),
                first.first,
                last.last,
                places.len() - shown
            ));
        }
        lines
    });
    lines.collect()
}

/// Writes into a judgement that its work does not land, for no check sees some of it.
pub(crate) fn refuse(judgement: &mut Judgement, report: &WitnessReport) {
    use crate::engine::failure_class::FailureClass;
    let lines: Vec<String> = report.against().map(|u| format!("- {u}")).collect();
    let Some(first) = report.against().next() else {
        return;
    };
    let places: Vec<String> = report
        .against()
        .map(|u| format!("{}:{}", u.path, u.text))
        .collect();
    let excerpt = match lines.len() {
        1 => format!("no check sees {first}"),
        all => format!(
            "no check sees {first} and {}",
            counted(all - 1, "more place")
        ),
    };
    let evidence = format!(
        "Every command passed, and so they did with these lines taken back: no check sees them.\n\n{}\n\nAdd or extend tests that fail without these lines, or leave the lines out. Files that a command makes from others are not looked at where `generated_surfaces` of the unit names them, which only the user can say. Commands that were asked: {}.",
        lines.join("\n"),
        report.commands.join(", "),
    );
    judgement.refuse(WorkRefusal::new(
        FailureClass::Unwitnessed,
        format!("unwitnessed:{}", places.join(";")),
        excerpt,
        evidence,
    ));
}

#[cfg(test)]
mod tests;
