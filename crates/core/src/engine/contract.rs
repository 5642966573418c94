//! What arming freezes: a unit as its author wrote it; the text of the requirements it covers, and its feature's `root` where it
//! goes by that; its gate, what it waits for and, where it closes the gate, what must be so at its end; what its gate and its
//! plan set for it: the gate's own command, and the agent, model and effort that it does not name itself.
//!
//! What a closing unit waits for besides closing units is left out: it runs after all others anyway, and a new unit of the
//! gate is written there.

use super::log_reader::Log;
use super::oracle::hex;
use super::{gate_criteria, review_comments};
use crate::line_diff::{self, ChangeTag, lines_in, lines_of};
use crate::model::document::Document;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::frontmatter::Owner;
use crate::model::id::{LocalKind, UnitId};
use crate::model::plan::Plan;
use crate::model::status_machine::{GateStatus, UnitStatus};
use crate::model::unit::{Unit, UnitFront, UnitType};
use crate::model::{layout, requirements};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};

/// Stands in `armed` between the hash of the unit and that of what the plan says for it. Units for which it says nothing
/// have the first alone.
const JOINT: char = '-';

/// Stands in `armed` before the hash of the unit's place: its gate, what it waits for, what its gate's end must show. Older
/// programs did not write it; what they armed is held to the rest, and without a [`JOINT`] to the unit alone.
const PLACE: char = '+';

/// Stands in `armed` before the hash of what the unit's gate and plan set for it. What was armed without one is held to the rest.
const SETTINGS: char = '.';

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
pub fn word(feature: &Feature, member: &PlannedUnit<'_>) -> String {
    let own = member.unit.map_or_else(String::new, unit_hash);
    let place = hash_of(&of_place(feature, member));
    let settings = hash_of(&of_settings(feature, member));
    let lines = of_plan(&feature.plan, member);
    let plan = match lines.is_empty() {
        true => String::new(),
        false => format!("{JOINT}{}", hash_of(&lines)),
    };
    format!("{own}{plan}{PLACE}{place}{SETTINGS}{settings}")
}

/// Returns what of a unit is no longer as a word in `armed` says, as the subject of a sentence; nothing where all is.
pub(crate) fn what_changed(
    armed: &str,
    feature: &Feature,
    member: &PlannedUnit<'_>,
) -> Option<&'static str> {
    let now = word(feature, member);
    let ([own, plan, place, settings], [own_now, plan_now, place_now, settings_now]) =
        (parts(armed), parts(&now));
    if own != own_now {
        return Some("the unit");
    }
    let counts_plan = plan.is_some() || place.is_some();
    if counts_plan && plan != plan_now {
        return Some("a requirement that the unit covers, or the `root` it goes by,");
    }
    if place.is_some() && place != place_now {
        return Some(match judges_the_gate(member) {
            true => "what must be so at the end of the unit's gate, or its place in the graph,",
            false => "what the unit waits for, or its gate,",
        });
    }
    (settings.is_some() && settings != settings_now).then_some(
        "what the unit's gate or plan sets for it (`feature_oracle`, `agent`, `model` or `effort`)",
    )
}

/// Returns whether a unit still is what a word in `armed` stands for.
pub fn is_as(armed: &str, feature: &Feature, member: &PlannedUnit<'_>) -> bool {
    what_changed(armed, feature, member).is_none()
}

/// Returns what a unit's contract says, as text whose lines can be compared.
pub fn text(feature: &Feature, member: &PlannedUnit<'_>) -> String {
    let Some(unit) = member.unit else {
        return String::new();
    };
    let keys = authored(unit).map(|(key, raw)| format!("{key}: {raw}\n"));
    let plan = of_plan(&feature.plan, member).into_iter();
    let lines = plan.chain(of_place(feature, member));
    let lines = lines.chain(of_settings(feature, member));
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

/// Returns the gate whose units arming makes pending, which is the next one where this one was reviewed, and its drafts; nothing
/// where every gate is passed.
pub fn drafts_to_arm(feature: &Feature) -> Option<(usize, Vec<PlannedUnit<'_>>)> {
    let current = feature.current_gate()?;
    let is_reviewed = feature.gate_status(current) == GateStatus::AwaitingReview;
    let gate = current + usize::from(is_reviewed);
    let drafts = feature.members_of(gate);
    let drafts = drafts.filter(|m| m.status() == UnitStatus::Draft && m.unit.is_some());
    Some((gate, drafts.collect()))
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
            let written = m.unit?.front.armed.as_ref().map(|a| a.value.clone());
            let armed = logged.get(m.id()).cloned().or(written)?;
            (!is_as(&armed, feature, &m)).then_some((m, armed))
        })
        .collect()
}

/// Returns what the log says that units were armed as, the last time.
fn logged(feature: &Feature) -> HashMap<String, String> {
    let log = feature.others.get(layout::EVENTS);
    log.map(|log| logged_in(log)).unwrap_or_default()
}

/// Returns the units that wait for a session and of which the log does not say as what they were armed.
pub fn without_record(feature: &Feature) -> Vec<String> {
    let waiting = feature.members();
    let mut waiting = waiting
        .filter(|m| m.status() == UnitStatus::Pending && m.unit.is_some())
        .peekable();
    if waiting.peek().is_none() {
        return vec![];
    }
    let logged = logged(feature);
    let waiting = waiting.filter(|m| !logged.contains_key(m.id()));
    waiting.map(|m| m.id().to_owned()).collect()
}

/// Returns what a log says that units were armed as, the last time.
pub fn logged_in(log: &[u8]) -> HashMap<String, String> {
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
fn of_plan(plan: &Plan, member: &PlannedUnit<'_>) -> Vec<String> {
    let Some(unit) = member.unit else {
        return vec![];
    };
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
    lines.extend(covered.map(|r| on_one_line(&r.id, &r.text)));
    lines
}

/// What is frozen of a unit's place, a line each.
fn of_place(feature: &Feature, member: &PlannedUnit<'_>) -> Vec<String> {
    let is_closing = member.unit_type().is_closing();
    let edges = member.node.depends_on.iter().map(|edge| &*edge.value);
    let counts = |id: &&str| {
        let kind = UnitId::parse(id).map(|id| id.kind());
        !is_closing || matches!(kind, Some(LocalKind::Closing { .. }))
    };
    let edges: BTreeSet<&str> = edges.filter(counts).collect();
    let edges: Vec<&str> = edges.into_iter().collect();
    let mut lines = vec![format!("gate: {}", feature.gate_number(member.gate))];
    lines.extend((!edges.is_empty()).then(|| format!("depends_on: {}", edges.join(", "))));
    if judges_the_gate(member) {
        let shown = gate_criteria::criteria(feature, member.gate);
        lines.extend(shown.iter().map(|c| on_one_line(&c.id, &c.text)));
    }
    lines
}

/// The keys of a gate and a plan that are a unit's where it does not name them itself, the nearest first.
const INHERITED: [&str; 3] = ["agent", "model", "effort"];

/// What a unit's gate and plan set for it, a line each.
fn of_settings(feature: &Feature, member: &PlannedUnit<'_>) -> Vec<String> {
    let Some(unit) = member.unit else {
        return vec![];
    };
    let gate = feature.gate(member.gate).map(|gate| &gate.doc);
    let levels = [Some(&unit.doc), gate, Some(&feature.plan.doc)];
    let oracle = gate.and_then(|gate| written(gate, "feature_oracle"));
    let oracle = oracle.map(|raw| on_one_line("feature_oracle", raw));
    let inherited = INHERITED.iter().filter_map(|key| {
        let mut levels = levels.iter().flatten().enumerate();
        let (level, raw) = levels.find_map(|(at, doc)| Some((at, written(doc, key)?)))?;
        (level > 0).then(|| on_one_line(key, raw))
    });
    oracle.into_iter().chain(inherited).collect()
}

/// What stands behind a key of the frontmatter.
fn written<'d>(doc: &'d Document, key: &str) -> Option<&'d str> {
    let front = doc.front.as_ref()?;
    let entry = front.root.entries().iter().find(|entry| entry.key == key)?;
    doc.text.get(entry.value.span.clone())
}

/// Whether a unit says what of its gate's criteria is met.
fn judges_the_gate(member: &PlannedUnit<'_>) -> bool {
    let kind = member.unit_type();
    matches!(kind, UnitType::Close | UnitType::CloseIntermediate)
}

fn on_one_line(id: &str, text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("{id}: {}", words.join(" "))
}

/// The hashes in a word: of the unit, of what the plan says, of its place, of what is set for it.
fn parts(armed: &str) -> [Option<&str>; 4] {
    let cut = |text, mark| -> (&str, Option<&str>) {
        let text: &str = text;
        match text.split_once(mark) {
            Some((before, behind)) => (before, Some(behind)),
            None => (text, None),
        }
    };
    let (rest, settings) = cut(armed, SETTINGS);
    let (rest, place) = cut(rest, PLACE);
    let (own, plan) = cut(rest, JOINT);
    [Some(own), plan, place, settings]
}

fn hash_of(lines: &[String]) -> String {
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update(line.as_bytes());
        hasher.update([0]);
    }
    short(hasher)
}

fn short(hasher: Sha256) -> String {
    hex(&hasher.finalize())[..16].to_owned()
}

#[cfg(test)]
mod tests;
