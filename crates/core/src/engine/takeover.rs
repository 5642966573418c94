//! Whether a user's own work on a unit may land as the plan stands: where a session of the unit could run, or could have.

use crate::error::Error;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::status_machine::{FeatureStatus, GateStatus, UnitStatus};
use crate::model::unit::UnitType;

/// Returns why work on a unit cannot land now; nothing where it can.
pub fn refusal(feature: &Feature, member: &PlannedUnit<'_>) -> Option<Error> {
    refused_unit(member)
        .or_else(|| refused_status(feature))
        .or_else(|| refused_gate(feature, member))
        .or_else(|| {
            let waits = waits_for(feature, member);
            (!waits.is_empty()).then(|| {
                Error::plan(format!("{} waits for {}", member.id(), waits.join(", ")))
                    .hint("`gatewalk status` shows what comes first")
            })
        })
}

/// A unit that no work belongs to, by its type or its status.
fn refused_unit(member: &PlannedUnit<'_>) -> Option<Error> {
    let id = member.id();
    if member.unit_type() == UnitType::Human {
        return Some(
            Error::plan(format!(
                "{id} is of type `human`: there is nothing to verify"
            ))
            .hint(format!("gatewalk done {id} --evidence \"…\"")),
        );
    }
    match member.status() {
        UnitStatus::Pending | UnitStatus::BlockedHuman => None,
        UnitStatus::Draft => Some(
            Error::plan(format!(
                "{id} is a draft: nothing of it counts before you arm it"
            ))
            .hint(format!("gatewalk arm {id}")),
        ),
        settled @ (UnitStatus::Done | UnitStatus::Abandoned) => {
            Some(Error::plan(format!("{id} is `{settled}` already")))
        }
    }
}

fn refused_status(feature: &Feature) -> Option<Error> {
    let name = feature.name();
    match feature.plan.status() {
        FeatureStatus::Active => None,
        FeatureStatus::Planned => {
            let error = Error::plan(format!("{name} is not active"));
            Some(error.hint(format!("gatewalk activate {name}")))
        }
        status => {
            let error = Error::plan(format!("{name} is `{status}`"));
            Some(error.hint(format!("gatewalk reopen {name} --reason \"…\"")))
        }
    }
}

fn refused_gate(feature: &Feature, member: &PlannedUnit<'_>) -> Option<Error> {
    let (id, name) = (member.id(), feature.name());
    let number = feature.gate_number(member.gate);
    if feature.current_gate() != Some(member.gate) {
        return Some(
            Error::plan(format!(
                "{id} is in gate {number}, which is not the current one"
            ))
            .hint("`gatewalk status` shows what comes first"),
        );
    }
    (feature.gate_status(member.gate) != GateStatus::Open).then(|| {
        Error::plan(format!("gate {number} waits for your review"))
            .hint(format!("gatewalk review {name}"))
    })
}

/// Returns the units that must be settled before; a closing unit is its gate's last, whatever its edges say.
fn waits_for(feature: &Feature, member: &PlannedUnit<'_>) -> Vec<String> {
    let edges = feature.waiting(member).into_iter();
    let mut waits: Vec<String> = edges.map(|w| w.unit().to_owned()).collect();
    let closing = member.unit_type().is_closing();
    let open = feature
        .members_of(member.gate)
        .filter(|m| closing && !m.unit_type().is_closing() && !m.status().is_settled());
    for id in open.map(|m| m.id().to_owned()) {
        if !waits.contains(&id) {
            waits.push(id);
        }
    }
    waits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::snapshot;

    #[test]
    fn work_lands_only_where_a_session_could_have_run() {
        for (situation, want) in [
            ("active | G1: T01", None),
            ("active | G1: T01 blocked", None),
            ("active | G1: T01; T02 draft", None),
            ("active | G1: T01 after=T02; T02 done", None),
            (
                "active | G1: T01 after=T02; T02",
                Some("waits for FEAT-2026-0001/T02"),
            ),
            (
                "active | G1: T01 after=T02; T02 abandoned",
                Some("waits for FEAT-2026-0001/T02"),
            ),
            ("active | G1: T90 close; T01 done", None),
            (
                "active | G1: T90 close; T01 done; T02",
                Some("waits for FEAT-2026-0001/T02"),
            ),
            (
                "active | G1: T90 close after=T01; T01",
                Some("T90 waits for FEAT-2026-0001/T01"),
            ),
            ("active | G1: T01 draft", Some("is a draft")),
            ("active | G1: T01 done", Some("is `done` already")),
            ("active | G1: T01 abandoned", Some("is `abandoned` already")),
            ("active | G1: T01 human", Some("is of type `human`")),
            ("planned | G1: T01", Some("is not active")),
            ("deferred | G1: T01", Some("is `deferred`")),
            (
                "active | G1 awaiting_review: T01",
                Some("waits for your review"),
            ),
            ("active | G1 passed: T01", Some("not the current one")),
        ] {
            let s = snapshot(situation);
            let member = s.feature.members().next().unwrap();
            let found = refusal(&s.feature, &member).map(|e| e.to_string());
            match want {
                None => assert_eq!(found, None, "{situation}"),
                Some(want) => {
                    let found = found.unwrap_or_default();
                    assert!(found.contains(want), "{situation}: {found}");
                }
            }
        }
    }

    #[test]
    fn what_is_waited_for_twice_is_named_once() {
        let s = snapshot("active | G1: T90 close after=T01; T01");
        let member = s.feature.members().next().unwrap();
        assert_eq!(waits_for(&s.feature, &member).len(), 1);
    }
}
