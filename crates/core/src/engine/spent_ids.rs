//! Ids that a feature's log has spent: an id stands for one unit, also after that unit is gone.

use super::events::is_whole;
use super::log_reader::Log;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::id::{LocalKind, UnitId};
use crate::model::layout;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::Unit;
use std::collections::{BTreeSet, HashMap};

/// How a log left a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoggedEnd {
    Completed,
    Parked,
    Abandoned,
}

/// Returns every unit id that a log names.
pub fn named(log: &[u8]) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for event in Log::parse(log).events {
        let units = event.payload["units"].as_array().into_iter().flatten();
        ids.extend(units.filter_map(|unit| unit.as_str().map(str::to_owned)));
        ids.insert(event.id);
    }
    ids.retain(|id| UnitId::parse(id).is_some());
    ids
}

/// Returns units that wait for work although the log says that their id was used up by another, each with how.
pub fn reused(feature: &Feature) -> Vec<(PlannedUnit<'_>, &'static str)> {
    let mut fresh = feature
        .members()
        .filter_map(|m| Some((m, m.unit?)))
        .filter(|(m, _)| matches!(m.status(), UnitStatus::Draft | UnitStatus::Pending))
        .peekable();
    if fresh.peek().is_none() {
        return vec![];
    }
    let ends = ends(feature);
    let reused = fresh.filter_map(|(m, unit)| {
        let how = match ends.get(m.id())? {
            LoggedEnd::Abandoned => "was abandoned",
            // A unit that was sent back by hand still has what the driver wrote into its file.
            _ if has_history(unit) => return None,
            LoggedEnd::Completed => "was completed",
            LoggedEnd::Parked => "was tried and parked",
        };
        Some((m, how))
    });
    reused.collect()
}

/// Returns the next id of a feature that was never used, by its plan, its files and its log.
pub(crate) fn next_free(feature: &Feature) -> String {
    let planned = feature.members().map(|m| m.id().to_owned());
    let log = feature.others.get(layout::EVENTS);
    let logged = log.map(|log| named(log)).unwrap_or_default();
    let filed = feature.units.values().filter_map(|u| u.id.as_ref());
    let numbers = planned
        .chain(logged)
        .filter_map(|id| UnitId::parse(&id))
        .chain(filed.cloned())
        .filter_map(|id| match id.kind() {
            LocalKind::Task(n) | LocalKind::Hygiene(n) => Some(n),
            LocalKind::Closing { .. } => None,
        });
    let number = numbers.max().unwrap_or(0) + 1;
    format!("{}/T{number:02}", feature.name())
}

/// How the log left each unit that it ended; lines of other writers end nothing.
fn ends(feature: &Feature) -> HashMap<String, LoggedEnd> {
    let Some(log) = feature.others.get(layout::EVENTS) else {
        return HashMap::new();
    };
    let text = String::from_utf8_lossy(log);
    let own: String = text
        .lines()
        .filter(|line| KINDS.iter().any(|kind| line.contains(kind)))
        .filter(|line| is_whole(line) == Some(true))
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut ends = HashMap::new();
    for event in Log::select(own.as_bytes(), &KINDS) {
        let end = match event.event_type.as_str() {
            "task_completed" => LoggedEnd::Completed,
            "human_escalation" => LoggedEnd::Parked,
            "task_abandoned" => LoggedEnd::Abandoned,
            _ => {
                ends.remove(&event.id);
                continue;
            }
        };
        ends.insert(event.id, end);
    }
    ends
}

/// What ends a unit, and what sends it back.
const KINDS: [&str; 4] = [
    "task_completed",
    "human_escalation",
    "task_abandoned",
    "re_arm_dispatched",
];

/// Whether a unit's file shows that the driver worked on this very unit.
fn has_history(unit: &Unit) -> bool {
    unit.attempts_counted() > 0 || unit.front.escalation_reason.is_some() || unit.re_arm_count() > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::events::{append, verb};
    use crate::engine::test_snapshot::{FEATURE, snapshot};
    use serde_json::json;

    fn feature(situation: &str, events: &[(&str, &'static str)]) -> Feature {
        let snapshot = snapshot(situation);
        let mut feature = (*snapshot.feature).clone();
        let events: Vec<_> = events
            .iter()
            .map(|(id, kind)| verb(&format!("{FEATURE}/{id}"), "t", kind, json!({})))
            .collect();
        let log = append("", &events);
        feature
            .others
            .insert(layout::EVENTS.to_owned(), log.into_bytes().into());
        feature
    }

    #[test]
    fn an_id_that_the_log_ended_is_not_for_another_unit() {
        for (situation, events, want) in [
            ("active | G1: T01", &[][..], vec![]),
            (
                "active | G1: T01; T02",
                &[("T02", "task_abandoned")],
                vec!["T02 was abandoned"],
            ),
            (
                "active | G1: T01 draft",
                &[("T01", "human_escalation")],
                vec!["T01 was tried and parked"],
            ),
            (
                "active | G1: T01",
                &[("T01", "task_completed")],
                vec!["T01 was completed"],
            ),
            (
                "active | G1: T01",
                &[("T01", "human_escalation"), ("T01", "re_arm_dispatched")],
                vec![],
            ),
            (
                "active | G1: T01 attempts=1",
                &[("T01", "human_escalation")],
                vec![],
            ),
            (
                "active | G1: T01 re_arm_count=1",
                &[("T01", "human_escalation")],
                vec![],
            ),
            (
                "active | G1: T01 escalation_reason=x",
                &[("T01", "human_escalation")],
                vec![],
            ),
            (
                "active | G1: T01 attempts=1",
                &[("T01", "task_abandoned")],
                vec!["T01 was abandoned"],
            ),
            (
                "active | G1: T01 done",
                &[("T01", "task_completed")],
                vec![],
            ),
            (
                "active | G1: T01 abandoned",
                &[("T01", "task_abandoned")],
                vec![],
            ),
        ] {
            let feature = feature(situation, events);
            let found: Vec<String> = reused(&feature)
                .iter()
                .map(|(m, how)| format!("{} {how}", m.id().rsplit('/').next().unwrap()))
                .collect();
            assert_eq!(found, want, "{situation}");
        }
    }

    #[test]
    fn lines_of_another_driver_end_nothing() {
        let mut feature = feature("active | G1: T01", &[]);
        let line = format!(
            "{{\"timestamp\":\"t\",\"correlation_id\":\"{FEATURE}/T01\",\"event_type\":\"task_completed\",\"payload\":{{}}}}\n"
        );
        feature
            .others
            .insert(layout::EVENTS.to_owned(), line.into_bytes().into());
        assert!(reused(&feature).is_empty());
    }

    #[test]
    fn the_next_id_is_behind_every_one_that_was_ever_used() {
        let next = |situation, events| next_free(&feature(situation, events));
        assert_eq!(next("active | G1: T01", &[]), format!("{FEATURE}/T02"));
        let gone = &[("T07H2", "task_abandoned"), ("G1-CLOSE", "task_completed")];
        assert_eq!(next("active | G1: T01", gone), format!("{FEATURE}/T08"));
    }
}
