//! What arming freezes: a unit as its author wrote it; the text of the requirements it covers, and its feature's `root` where it
//! goes by that; its gate, what it waits for and, where it closes the gate, what must be so at its end; what its gate and its
//! plan set for it: the gate's own command, and the agent, model and effort that it does not name itself.
//!
//! What a closing unit waits for besides closing units is left out: it runs after all others anyway, and a new unit of the
//! gate is written there.

mod contract_parts;

use self::contract_parts::{
    JOINT, PLACE, SETTINGS, authored, body, hash_of, judges_the_gate, of_place, of_plan,
    of_settings, parts, short,
};
use super::log_reader::Log;
use crate::line_diff;
use crate::line_diff::{ChangeTag, lines_in, lines_of};
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::layout;
use crate::model::status_machine::{GateStatus, UnitStatus};
use crate::model::unit::Unit;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

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

#[cfg(test)]
mod tests;
