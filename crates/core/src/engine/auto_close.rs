//! Whether a gate may close without a session, and pass without you: every condition, each with its reason.

mod close_question;

use self::close_question::CloseQuestion;
use super::broad_tier::{self, BroadState};
use super::close_decision::{Condition, Decision, Stops};
use super::log_reader::Log;
use super::open_notices::{self, OpenNotice};
use super::snapshot::Snapshot;
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::money::usd_of_limit;
use crate::model::status_machine::UnitStatus;

/// The predicate's version; recorded with every decision.
pub const VERSION: u32 = 4;

/// How far the cost may exceed the plan, as a factor.
pub const COST_FACTOR: f64 = 1.5;

/// Decides for one gate. All conditions are evaluated, so that every reason is recorded.
pub fn decide(s: &Snapshot, gate: usize) -> Decision {
    let costs = GateCosts::of(s, gate);
    let conditions = vec![
        enabled(s, gate),
        settled(s, gate),
        no_replan(s, gate),
        unit_costs(&costs),
        total_cost(&costs),
        final_attempts(s, gate),
        deliverables(s),
        requirements(s, gate),
        nothing_unusual(s, gate),
        broad_passed(s, gate),
    ];
    Decision {
        version: VERSION,
        mechanical: !conditions
            .iter()
            .any(|c| !c.holds && c.stops == Stops::MechanicalClose),
        clean: conditions.iter().all(|c| c.holds),
        conditions,
    }
}

fn condition(question: CloseQuestion, bad: &[String], good: &str) -> Condition {
    let (name, stops, remedy) = question.terms();
    let detail = if bad.is_empty() {
        good.to_owned()
    } else {
        bad.join("; ")
    };
    Condition {
        name,
        stops,
        remedy: (!bad.is_empty()).then_some(remedy),
        holds: bad.is_empty(),
        detail,
    }
}

fn enabled(s: &Snapshot, gate: usize) -> Condition {
    let mut bad = Vec::new();
    if s.options.force_full_close {
        bad.push("a full close was asked for".to_owned());
    }
    if s.feature
        .plan
        .front
        .auto_close_disabled
        .as_ref()
        .is_some_and(|d| d.value)
    {
        bad.push("the plan says auto_close_disabled".to_owned());
    }
    for m in s.feature.members_of(gate) {
        let disabled = m.unit.and_then(|u| u.front.auto_close_disabled.as_ref());
        if disabled.is_some_and(|d| d.value) {
            bad.push(format!("{} says auto_close_disabled", m.id()));
        }
    }
    condition(CloseQuestion::Enabled, &bad, "not disabled anywhere")
}

fn settled(s: &Snapshot, gate: usize) -> Condition {
    let bad: Vec<_> = s
        .feature
        .members_of(gate)
        .filter(|m| !m.unit_type().is_closing() && m.status() != UnitStatus::Done)
        .map(|m| format!("{} is {}", m.id(), m.status()))
        .collect();
    condition(
        CloseQuestion::NoBlockedUnit,
        &bad,
        "every substantive unit is done",
    )
}

fn no_replan(s: &Snapshot, gate: usize) -> Condition {
    let bad: Vec<_> = s
        .feature
        .members_of(gate)
        .filter_map(|m| Some((m.id().to_owned(), m.unit?.re_arm_count())))
        .filter(|(_, count)| *count > 0)
        .map(|(id, count)| format!("{id} was unblocked {count}×"))
        .collect();
    condition(
        CloseQuestion::NoReplan,
        &bad,
        "no unit was sent back to work",
    )
}

/// What the substantive units of a gate cost, of those that have a planned cost.
struct GateCosts {
    /// Each with its planned and its actual cost.
    units: Vec<(String, f64, f64)>,
    /// Those of which some attempt's cost is not known.
    unknown: Vec<String>,
}

impl GateCosts {
    fn of(s: &Snapshot, gate: usize) -> GateCosts {
        let members = s.feature.members_of(gate);
        let substantive = members.filter(|m| !m.unit_type().is_closing());
        let planned = substantive.filter_map(|m| {
            let planned = m.unit?.front.planned_cost_usd.as_ref()?.value;
            Some((m.id().to_owned(), planned, s.unit_cost(m.id())))
        });
        let units: Vec<_> = planned.collect();
        let is_unknown = |id: &str| {
            let all = s.attempts.get(id).map_or(&[][..], |all| all.as_slice());
            all.iter().any(|a| a.figures.cost_usd.is_none())
        };
        let unknown = units.iter().map(|(id, ..)| id);
        let unknown = unknown.filter(|id| is_unknown(id)).cloned().collect();
        GateCosts { units, unknown }
    }
}

fn unit_costs(costs: &GateCosts) -> Condition {
    let bad: Vec<_> = costs
        .units
        .iter()
        .filter(|(_, planned, actual)| *actual > planned * COST_FACTOR)
        .map(|(id, planned, actual)| {
            let (actual, planned) = usd_of_limit(*actual, *planned);
            format!("{id} cost {actual}, planned {planned}")
        })
        .collect();
    let held = match &costs.unknown[..] {
        [] => "no unit above 1.5 × its plan".to_owned(),
        ids => format!(
            "no unit known to be above 1.5 × its plan; not all that {} cost is known",
            ids.join(", ")
        ),
    };
    condition(CloseQuestion::UnitCost, &bad, &held)
}

fn total_cost(costs: &GateCosts) -> Condition {
    let planned: f64 = costs.units.iter().map(|c| c.1).sum();
    let actual: f64 = costs.units.iter().map(|c| c.2).sum();
    let over = planned > 0.0 && actual > planned * COST_FACTOR;
    let bad = over.then(|| {
        let (actual, planned) = usd_of_limit(actual, planned);
        format!("{actual} of planned {planned}")
    });
    let held = match costs.unknown.is_empty() {
        true => "the gate within 1.5 × its plan",
        false => "the gate not known to be above 1.5 × its plan",
    };
    condition(CloseQuestion::TotalCost, bad.as_slice(), held)
}

fn final_attempts(s: &Snapshot, gate: usize) -> Condition {
    let bad: Vec<_> = s
        .feature
        .members_of(gate)
        .filter(|m| !m.unit_type().is_closing())
        .filter_map(|m| s.attempts.get(m.id())?.last())
        .filter(|a| !a.passed() && !landed_by_hand(&s.feature, &a.unit))
        .map(|a| format!("the last attempt of {} did not pass", a.unit))
        .collect();
    condition(
        CloseQuestion::FinalAttempts,
        &bad,
        "every final attempt passed",
    )
}

/// Whether the newest landing of a unit is a user's own work, which no attempt of a session's speaks for.
fn landed_by_hand(feature: &Feature, unit: &str) -> bool {
    let log = feature.others.get(layout::EVENTS);
    let outcomes = log.map_or_else(Vec::new, |log| Log::select(log, &["attempt_outcome"]));
    let mut landed = outcomes
        .iter()
        .filter(|e| e.id == unit && e.payload["outcome"] == "passed");
    landed
        .next_back()
        .is_some_and(|e| e.payload["by_hand"] == true)
}

fn deliverables(s: &Snapshot) -> Condition {
    condition(
        CloseQuestion::Deliverables,
        &s.missing_deliverables,
        "every deliverable is in the tree",
    )
}

fn requirements(s: &Snapshot, gate: usize) -> Condition {
    let question = CloseQuestion::Requirements;
    if s.feature.terminal_gate() != Some(gate) {
        return condition(question, &[], "asked at the last gate");
    }
    let gaps = s.gaps();
    let bad: Vec<String> = gaps
        .iter()
        .map(|gap| format!("{}: {}", gap.requirement, gap.why))
        .collect();
    condition(question, &bad, "no check of a requirement is red")
}

fn broad_passed(s: &Snapshot, gate: usize) -> Condition {
    let bad = match broad_tier::state(s, gate) {
        BroadState::Clear => vec![],
        BroadState::Unasked => vec!["it was not run on these files".to_owned()],
        BroadState::Red(report) => report.red.clone(),
    };
    condition(
        CloseQuestion::BroadTier,
        &bad,
        "no broad command is open or red",
    )
}

fn nothing_unusual(s: &Snapshot, gate: usize) -> Condition {
    let open = open_notices::of_gate(&s.feature, Some(gate));
    let bad: Vec<String> = open.iter().map(OpenNotice::to_string).collect();
    condition(
        CloseQuestion::NothingUnusual,
        &bad,
        "no landing was unusual",
    )
}

#[cfg(test)]
mod tests;
