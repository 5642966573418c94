//! What arming freezes: a unit as its author wrote it, the text of the requirements it covers, and its feature's `root` where it
//! goes by that.

use super::log_reader::Log;
use super::oracle::hex;
use super::review_comments;
use crate::line_diff::{self, ChangeTag, lines_in, lines_of};
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::frontmatter::Owner;
use crate::model::layout;
use crate::model::plan::Plan;
use crate::model::requirements;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::{Unit, UnitFront};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// Stands in `armed` between the hash of the unit and that of what the plan says for it. Units for which it says nothing
/// have the first alone, and are held to that.
const JOINT: char = '-';

/// Returns the hash of a unit's own text: everything an author may write in its file.
pub(crate) fn unit_hash(unit: &Unit) -> String {
    let mut hasher = Sha256::new();
    for (key, raw) in authored(unit) {
        hasher.update(key.as_bytes());
        hasher.update(raw.as_bytes());
        hasher.update([0]);
    }
    hasher.update(body(unit).as_bytes());
    short(hasher)
}

/// Returns what `armed` says of a unit that is armed as it stands.
pub(crate) fn word(plan: &Plan, unit: &Unit) -> String {
    let lines = of_plan(plan, unit);
    if lines.is_empty() {
        return unit_hash(unit);
    }
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update(line.as_bytes());
        hasher.update([0]);
    }
    format!("{}{JOINT}{}", unit_hash(unit), short(hasher))
}

/// Returns whether a unit still is what a word in `armed` stands for.
pub fn is_as(armed: &str, plan: &Plan, unit: &Unit) -> bool {
    match armed.contains(JOINT) {
        true => armed == word(plan, unit),
        false => armed == unit_hash(unit),
    }
}

/// Returns what a unit's contract says, as text whose lines can be compared.
pub fn text(plan: &Plan, unit: &Unit) -> String {
    let keys = authored(unit).map(|(key, raw)| format!("{key}: {raw}\n"));
    let lines = of_plan(plan, unit).into_iter();
    let lines = lines.map(|line| format!("{line}\n"));
    let parts: String = keys.chain(lines).collect();
    format!("{parts}{}\n", body(unit))
}

/// Returns the lines that two texts of a contract do not share, each behind `- ` or `+ `.
pub fn difference(before: &str, after: &str) -> Vec<String> {
    let (before, after) = (lines_of(before), lines_of(after));
    let operations = line_diff::operations(&before, &after);
    let lines = operations
        .iter()
        .flat_map(|op| lines_in(op, (&before, &after)));
    let changes = lines.filter(|(tag, _)| *tag != ChangeTag::Equal);
    let lines = changes.map(|(tag, line)| format!("{tag} {}", line.trim_end()));
    lines.filter(|line| line.len() > 2).collect()
}

/// Returns the units that wait for a session and are not what was armed, each with what was.
pub fn changed(feature: &Feature) -> Vec<(PlannedUnit<'_>, String)> {
    let mut waiting = feature
        .members()
        .filter(|m| m.status() == UnitStatus::Pending && m.unit.is_some())
        .peekable();
    if waiting.peek().is_none() {
        return vec![];
    }
    let logged = logged(feature);
    waiting
        .filter_map(|m| {
            let unit = m.unit?;
            let written = unit.front.armed.as_ref().map(|a| a.value.clone());
            let armed = logged.get(m.id()).cloned().or(written)?;
            (!is_as(&armed, &feature.plan, unit)).then_some((m, armed))
        })
        .collect()
}

/// Returns what the log says that units were armed as, the last time.
fn logged(feature: &Feature) -> HashMap<String, String> {
    let Some(log) = feature.others.get(layout::EVENTS) else {
        return HashMap::new();
    };
    let mut armed = HashMap::new();
    for event in Log::select(log, &["gate_armed", "re_arm_dispatched"]) {
        let payload = &event.payload;
        let mut set = |unit: &str, word: &Value| match word.as_str() {
            Some(word) => drop(armed.insert(unit.to_owned(), word.to_owned())),
            // An older program armed it, and its file alone says as what.
            None => drop(armed.remove(unit)),
        };
        if event.event_type == "re_arm_dispatched" {
            set(&event.id, &payload["contract"]);
        }
        for unit in payload["units"].as_array().into_iter().flatten() {
            let unit = unit.as_str().unwrap_or_default();
            set(unit, &payload["contracts"][unit]);
        }
    }
    armed
}

/// What an author wrote in the frontmatter: keys with their text.
fn authored(unit: &Unit) -> impl Iterator<Item = (&str, &str)> {
    let entries = unit.doc.front.iter().flat_map(|f| f.root.entries());
    entries.filter_map(|entry| {
        let key = UnitFront::KEYS.iter().find(|k| k.name == entry.key);
        let counts = entry.key != "status" && key.is_none_or(|k| k.owner == Owner::Author);
        let raw = unit.doc.text.get(entry.value.span.clone());
        counts.then(|| (&*entry.key, raw.unwrap_or_default()))
    })
}

fn body(unit: &Unit) -> String {
    let text = unit.doc.body_text().replace("\r\n", "\n");
    // A comment on a diff is evidence for the next attempt, and no part of what is promised.
    review_comments::without(&text).trim_end().to_owned()
}

/// What the plan says for a unit, a line each: the feature's `root` where the unit names no `touches`, and the requirements
/// that it or one of its checks covers.
fn of_plan(plan: &Plan, unit: &Unit) -> Vec<String> {
    let names_touches = !Unit::list(&unit.front.touches).is_empty();
    let root = plan.root().filter(|_| !names_touches);
    let mut lines: Vec<String> = root
        .map(|root| format!("root: {root}"))
        .into_iter()
        .collect();
    let checks = unit.front.checks.iter().flat_map(|c| &c.value);
    let any = checks
        .map(|check| &check.value.covers)
        .chain([&unit.front.covers])
        .any(|covers| !Unit::list(covers).is_empty());
    if !any {
        return lines;
    }
    let all = requirements::of(plan).into_iter();
    let covered = all.filter(|r| requirements::covers(unit, &r.id));
    lines.extend(covered.map(|r| {
        let words: Vec<&str> = r.text.split_whitespace().collect();
        format!("{}: {}", r.id, words.join(" "))
    }));
    lines
}

fn short(hasher: Sha256) -> String {
    hex(&hasher.finalize())[..16].to_owned()
}

#[cfg(test)]
mod tests;
