//! Since when a feature waits for a user, and why, from its log.

use super::log_reader::{Log, LoggedEvent};
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::status_machine::{GateStatus, UnitStatus};
use std::collections::BTreeMap;

/// The beginning of a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingSince {
    /// RFC 3339, as the log has it.
    pub at: String,
    /// Why, in the words of the stop.
    pub message: Option<String>,
}

impl WaitingSince {
    fn of(event: LoggedEvent) -> WaitingSince {
        let message = event.payload["message"].as_str().map(str::to_owned);
        WaitingSince {
            at: event.timestamp,
            message,
        }
    }
}

/// What a feature waits for a user with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeatureWaits {
    /// The gate that waits for review.
    pub gate: Option<WaitingSince>,
    /// The parked units by id, each with its moment.
    pub units: BTreeMap<String, WaitingSince>,
}

/// Returns since when a feature's parked units, and its gate at review, wait.
pub fn of_feature(feature: &Feature) -> FeatureWaits {
    let parked: Vec<String> = (feature.members())
        .filter(|m| m.status() == UnitStatus::BlockedHuman)
        .map(|m| m.id().to_owned())
        .collect();
    let reached = feature
        .current_gate()
        .is_some_and(|gate| feature.gate_status(gate) == GateStatus::AwaitingReview);
    let Some(log) = feature.others.get(layout::EVENTS) else {
        return FeatureWaits::default();
    };
    if parked.is_empty() && !reached {
        return FeatureWaits::default();
    }
    let mut waits = FeatureWaits::default();
    for event in Log::select(log, &["human_escalation", "gate_reached"]) {
        match event.event_type.as_str() {
            "gate_reached" if reached => waits.gate = Some(WaitingSince::of(event)),
            "human_escalation" if parked.contains(&event.id) => {
                let id = event.id.clone();
                waits.units.insert(id, WaitingSince::of(event));
            }
            _ => {}
        }
    }
    waits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::snapshot;
    use serde_json::json;

    fn waits(situation: &str, lines: &[(&str, &str, &str)]) -> FeatureWaits {
        let mut feature = (*snapshot(situation).feature).clone();
        let log: String = lines
            .iter()
            .map(|(at, kind, id)| {
                let payload = json!({"reason": "attempts_used", "message": format!("{kind} of {id}")});
                let id = format!("{}{id}", feature.name());
                json!({"timestamp": at, "correlation_id": id, "event_type": kind, "payload": payload})
                    .to_string()
                    + "\n"
            })
            .collect();
        feature
            .others
            .insert(layout::EVENTS.into(), log.into_bytes().into());
        of_feature(&feature)
    }

    const LOG: [(&str, &str, &str); 4] = [
        ("1", "human_escalation", "/T01"),
        ("2", "human_escalation", "/T02"),
        ("3", "human_escalation", "/T01"),
        ("4", "gate_reached", ""),
    ];

    #[test]
    fn the_last_stop_of_what_still_waits_counts() {
        let found = waits("G1: T01 blocked; T02 done", &LOG);
        assert_eq!(found.gate, None);
        let units: Vec<_> = found
            .units
            .iter()
            .map(|(id, w)| (&id[id.len() - 3..], &*w.at))
            .collect();
        assert_eq!(units, [("T01", "3")]);
        let message = found.units.values().next().and_then(|w| w.message.clone());
        assert_eq!(message.as_deref(), Some("human_escalation of /T01"));
    }

    #[test]
    fn a_gate_waits_only_while_it_is_at_review() {
        let found = waits("G1 awaiting_review: T01 done", &LOG);
        assert_eq!(found.gate.map(|w| w.at).as_deref(), Some("4"));
        assert!(found.units.is_empty());
        assert_eq!(waits("G1: T01 done", &LOG), FeatureWaits::default());
    }
}
