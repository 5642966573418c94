//! What sessions noticed and nobody has settled: follow-ups, open questions, unusual landings, criteria that were not met.
//! Derived from a feature's log and plan alone, so that it is the same on every machine.

use super::closing::{self, CriterionState};
use super::log_reader::Log;
use super::{gate_criteria, open_notices, oracle, questions};
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::layout;
use crate::model::status_machine::{GateStatus, UnitStatus};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// The event that settles an item.
pub const SETTLED: &str = "inbox_settled";

/// Digits of an item's id.
const ID_DIGITS: usize = 8;

/// What kind of thing waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InboxKind {
    /// A question of the plan, or of a review.
    Question,
    /// A landing that was unusual.
    Notice,
    /// A criterion of a gate that was not met.
    Criterion,
    /// What a session left to others.
    FollowUp,
}

/// One thing that waits for somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InboxItem {
    /// Names it, the same wherever it is listed.
    pub id: String,
    /// The feature it comes from.
    pub feature: String,
    /// The unit, or the criterion, it comes from.
    pub from: Option<String>,
    /// What kind of thing it is.
    pub kind: InboxKind,
    /// What was noticed, as one line.
    pub text: String,
    /// Whether its feature takes units still.
    #[serde(skip)]
    pub takes_units: bool,
}

/// Returns what is open in a feature: what stops an arming first.
pub fn open(feature: &Feature) -> Vec<InboxItem> {
    let log = feature.others.get(layout::EVENTS);
    let log = log.map_or_else(Log::default, |bytes| Log::parse(bytes));
    let name = feature.name();
    let takes_units = takes_units(feature);
    let item = |kind, from: Option<String>, text: &str| InboxItem {
        id: id_of(&name, kind, from.as_deref(), text),
        feature: name.clone(),
        from,
        kind,
        text: text.to_owned(),
        takes_units,
    };
    let asked = questions::open(feature);
    let asked = asked
        .iter()
        .map(|q| item(InboxKind::Question, None, &q.text));
    let notices = open_notices::of_gate(feature, None);
    let notices = notices
        .iter()
        .map(|n| item(InboxKind::Notice, Some(n.unit.clone()), &n.text));
    let unmet = unmet(feature);
    let unmet = unmet
        .iter()
        .map(|(id, text)| item(InboxKind::Criterion, Some(id.clone()), text));
    let left = follow_ups(&log);
    let left = left
        .iter()
        .map(|(unit, text)| item(InboxKind::FollowUp, Some(unit.clone()), text));
    let settled: BTreeSet<String> = settled(&log);
    let mut seen = BTreeSet::new();
    let all = asked.chain(notices).chain(unmet).chain(left);
    all.filter(|item| !settled.contains(&item.id) && seen.insert(item.id.clone()))
        .collect()
}

/// Returns whether a new unit has a place: in the last gate, while that is open and has not begun to close.
fn takes_units(feature: &Feature) -> bool {
    let Some(last) = feature.plan.gates.len().checked_sub(1) else {
        return false;
    };
    let closes = |m: &PlannedUnit<'_>| m.unit_type().is_closing();
    let mut closing = feature.members_of(last).filter(closes);
    !feature.plan.status().is_over()
        && feature.gate_status(last) == GateStatus::Open
        && closing.all(|m| matches!(m.status(), UnitStatus::Draft | UnitStatus::Pending))
}

/// Returns what the event that settles an item holds: what became of it, and by which name or reason.
pub fn settlement(item: &InboxItem, became: &str, what: &str) -> Value {
    json!({"item": item.id, "kind": item.kind, "text": item.text, "from": item.from, "became": became, "what": what})
}

fn id_of(feature: &str, kind: InboxKind, from: Option<&str>, text: &str) -> String {
    let whole = format!("{feature}\0{kind:?}\0{}\0{text}", from.unwrap_or_default());
    oracle::hex(&Sha256::digest(whole.as_bytes()))[..ID_DIGITS].to_owned()
}

fn settled(log: &Log) -> BTreeSet<String> {
    let events = log.events.iter().filter(|e| e.event_type == SETTLED);
    let ids = events.filter_map(|e| Some(e.payload.get("item")?.as_str()?.to_owned()));
    ids.collect()
}

/// What the sessions of passed attempts left to others, by unit.
fn follow_ups(log: &Log) -> Vec<(String, String)> {
    let passed = log.events.iter().filter(|e| {
        e.event_type == "attempt_outcome" && e.payload.get("outcome") == Some(&"passed".into())
    });
    let each = passed.flat_map(|e| {
        let list = e.payload.get("agent_follow_ups").and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(|text| (e.id.clone(), text.trim().to_owned()))
    });
    each.filter(|(_, text)| !text.is_empty()).collect()
}

/// The criteria that a closing session did not find met, with what it says has to be done.
fn unmet(feature: &Feature) -> Vec<(String, String)> {
    let pages = (0..feature.plan.gates.len()).filter_map(|gate| {
        let name = gate_criteria::criteria_file(feature.gate_number(gate));
        let text = String::from_utf8_lossy(feature.others.get(&name)?).into_owned();
        Some(closing::entries(&text))
    });
    let open = pages
        .flatten()
        .filter(|entry| entry.state == CriterionState::NotMet);
    open.map(|entry| (entry.id, entry.follow_up)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::{FEATURE, snapshot};

    /// A feature with a log, and a page of criteria.
    fn feature(log: &[Value], criteria: &str) -> Feature {
        let mut feature = (*snapshot("active | G1 open: T01 done").feature).clone();
        let lines = log.iter().map(|e| format!("{e}\n")).collect::<String>();
        let mut put = |name: &str, text: &str| {
            let bytes = text.as_bytes().to_vec();
            feature.others.insert(name.to_owned(), bytes.into());
        };
        put(layout::EVENTS, &lines);
        put("GATE-01-CRITERIA.md", criteria);
        feature
    }

    fn event(kind: &str, payload: Value) -> Value {
        json!({"timestamp": "t", "correlation_id": format!("{FEATURE}/T01"), "event_type": kind, "payload": payload})
    }

    #[test]
    fn an_item_of_a_feature_that_is_over_becomes_no_unit_of_it() {
        let landed = json!({"outcome": "passed", "agent_follow_ups": ["Docs are old"]});
        let log = format!("{}\n", event("attempt_outcome", landed));
        for (plan, takes_units) in [
            ("active | G1 open: T01 done", true),
            ("planned | G1 open: T01 done", true),
            ("done | G1 passed: T01 done", false),
            ("abandoned | G1 open: T01 done", false),
        ] {
            let mut feature = (*snapshot(plan).feature).clone();
            let bytes = log.as_bytes().to_vec();
            feature
                .others
                .insert(layout::EVENTS.to_owned(), bytes.into());
            let all = open(&feature);
            let found: Vec<bool> = all.iter().map(|item| item.takes_units).collect();
            assert_eq!(found, [takes_units], "{plan}");
        }
    }

    #[test]
    fn what_was_noticed_is_open_until_it_is_settled() {
        let landed = |outcome: &str| {
            event(
                "attempt_outcome",
                json!({"outcome": outcome, "agent_follow_ups": ["Docs are old", " ", "Docs are old"], "unusual": ["a test changed"]}),
            )
        };
        let page = "### G1.1\n\n- state: not_met\n- follow-up: measure it\n\n### G1.2\n\n- state: met\n- shown by: x\n";
        let open_in = |log: &[Value]| {
            let all = open(&feature(log, page));
            let shown = all.iter().map(|i| format!("{:?} {}", i.kind, i.text));
            (shown.collect::<Vec<_>>().join(", "), all)
        };
        let (shown, all) = open_in(&[landed("passed")]);
        let whole = "Notice a test changed, Criterion measure it, FollowUp Docs are old";
        assert_eq!(shown, whole, "each once");
        assert_eq!(all[1].from.as_deref(), Some("G1.1"));
        let (shown, _) = open_in(&[landed("failed")]);
        assert_eq!(
            shown, "Criterion measure it",
            "a failed attempt says nothing"
        );
        let settled = event(SETTLED, settlement(&all[2], "dropped", "known"));
        let (shown, rest) = open_in(&[landed("passed"), settled]);
        assert_eq!(shown, "Notice a test changed, Criterion measure it");
        assert_eq!(rest[0].id, all[0].id, "an id stays");
        assert_ne!(rest[0].id, rest[1].id);
    }
}
