//! The parts of a contract, as they are hashed.

use crate::engine::oracle::hex;
use crate::engine::{gate_criteria, review_comments};
use crate::model::document::Document;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::frontmatter::Owner;
use crate::model::id::{LocalKind, UnitId};
use crate::model::plan::Plan;
use crate::model::requirements;
use crate::model::unit::{Unit, UnitFront, UnitType};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Stands in `armed` between the hash of the unit and that of what the plan says for it. Units for which it says nothing
/// have the first alone.
pub(super) const JOINT: char = '-';

/// Stands in `armed` before the hash of the unit's place: its gate, what it waits for, what its gate's end must show. Older
/// programs did not write it; what they armed is held to the rest, and without a [`JOINT`] to the unit alone.
pub(super) const PLACE: char = '+';

/// Stands in `armed` before the hash of what the unit's gate and plan set for it. What was armed without one is held to the rest.
pub(super) const SETTINGS: char = '.';

/// What an author wrote in the frontmatter: keys with their text.
pub(super) fn authored(unit: &Unit) -> impl Iterator<Item = (&str, &str)> {
    let entries = unit.doc.front.iter().flat_map(|f| f.root.entries());
    entries.filter_map(|entry| {
        let key = UnitFront::KEYS.iter().find(|k| k.name == entry.key);
        let counts = entry.key != "status" && key.is_none_or(|k| k.owner == Owner::Author);
        let raw = unit.doc.text.get(entry.value.span.clone());
        counts.then(|| (&*entry.key, raw.unwrap_or_default()))
    })
}

pub(super) fn body(unit: &Unit) -> String {
    let text = unit.doc.body_text().replace("\r\n", "\n");
    // A comment on a diff is evidence for the next attempt, and no part of what is promised.
    review_comments::without(&text).trim_end().to_owned()
}

/// What the plan says for a unit, a line each: the feature's `root` where the unit names no `touches`, and the requirements
/// that it or one of its checks covers.
pub(super) fn of_plan(plan: &Plan, member: &PlannedUnit<'_>) -> Vec<String> {
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
pub(super) fn of_place(feature: &Feature, member: &PlannedUnit<'_>) -> Vec<String> {
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
pub(super) const INHERITED: [&str; 3] = ["agent", "model", "effort"];

/// What a unit's gate and plan set for it, a line each.
pub(super) fn of_settings(feature: &Feature, member: &PlannedUnit<'_>) -> Vec<String> {
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
pub(super) fn written<'d>(doc: &'d Document, key: &str) -> Option<&'d str> {
    let front = doc.front.as_ref()?;
    let entry = front.root.entries().iter().find(|entry| entry.key == key)?;
    doc.text.get(entry.value.span.clone())
}

/// Whether a unit says what of its gate's criteria is met.
pub(super) fn judges_the_gate(member: &PlannedUnit<'_>) -> bool {
    let kind = member.unit_type();
    matches!(kind, UnitType::Close | UnitType::CloseIntermediate)
}

pub(super) fn on_one_line(id: &str, text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("{id}: {}", words.join(" "))
}

/// The hashes in a word: of the unit, of what the plan says, of its place, of what is set for it.
pub(super) fn parts(armed: &str) -> [Option<&str>; 4] {
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

pub(super) fn hash_of(lines: &[String]) -> String {
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update(line.as_bytes());
        hasher.update([0]);
    }
    short(hasher)
}

pub(super) fn short(hasher: Sha256) -> String {
    hex(&hasher.finalize())[..16].to_owned()
}
