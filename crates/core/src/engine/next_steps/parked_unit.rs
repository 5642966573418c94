//! What a user does about a parked unit.

use super::next_step::NextAction;
use super::{FeatureState, NextStep, repeated_failure, way_out};
use crate::engine::failure_class::FailureClass;
use crate::engine::questions;
use crate::model::status_machine::Word;
use crate::model::unit::{ParkCause, Unit};

/// Steps about a parked unit: see what was tried, change what stood in the way, send it back.
pub(super) fn parked(state: &FeatureState<'_>, id: &str) -> Vec<NextStep> {
    let member = state.feature.member(id);
    let unit = member.and_then(|m| m.unit);
    let attempts = state.attempts.get(id).map_or(&[][..], |all| all.as_slice());
    let mut steps = Vec::new();
    if !attempts.is_empty() {
        steps.push(NextAction::ShowAttempt { unit: id.into() }.into());
    }
    let open = questions::open(state.feature);
    if let Some(place) = open.iter().position(|q| q.unit.as_deref() == Some(id)) {
        let (feature, number) = (state.feature.name(), place + 1);
        steps.push(NextAction::Answer { feature, number }.into());
        return steps;
    }
    if unit.and_then(park_cause) == Some(ParkCause::WideningAsked) {
        steps.push(NextAction::UnblockWidened { unit: id.into() }.into());
        return steps;
    }
    steps.extend(unit.and_then(stood_in_the_way).map(NextStep::words));
    let changed =
        member.is_some_and(|member| repeated_failure(state.feature, &member, attempts).is_some());
    let mut unblock: NextStep = NextAction::Unblock {
        unit: id.to_owned(),
        changed,
    }
    .into();
    // The words before it ask for an edit of the plan.
    unblock.commit_plan = steps.iter().any(|step| !step.is_command());
    steps.push(unblock);
    // A check that is green on the base is green for nobody's work, and a submodule's change lands for nobody.
    let submodule = unit.and_then(failure_class) == Some(FailureClass::SubmoduleChanged);
    if unit.and_then(park_cause) != Some(ParkCause::Vacuous) && !submodule {
        steps.push(NextStep::words(format!(
            "or do it by hand, in your checkout or on a branch, and then: gatewalk land {id}"
        )));
    }
    steps
}

/// What a user changes before another attempt at a unit can come to more.
fn stood_in_the_way(unit: &Unit) -> Option<&'static str> {
    match park_cause(unit) {
        Some(ParkCause::Vacuous) => {
            Some("change the check so that it fails without the work, or abandon the unit")
        }
        Some(ParkCause::Budget) => way_out(FailureClass::Budget),
        _ => way_out(failure_class(unit)?),
    }
}

fn failure_class(unit: &Unit) -> Option<FailureClass> {
    let class = unit.front.escalation_failure_class.as_ref()?;
    FailureClass::from_word(&class.value)
}

fn park_cause(unit: &Unit) -> Option<ParkCause> {
    let reason = unit.front.escalation_reason.as_ref()?;
    ParkCause::from_word(&reason.value)
}
