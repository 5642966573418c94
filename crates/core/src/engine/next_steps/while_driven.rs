//! What a user can do while a driver is at work on a feature.

use super::next_step::NextAction;
use super::{FeatureState, NextStep, at_review, hand_in, parked, with_status};
use crate::model::status_machine::{FeatureStatus, GateStatus, UnitStatus};
use crate::model::unit::UnitType;

/// Returns how to follow the feature's sessions. Where none runs, what the feature waits for can be settled meanwhile: a
/// driver of several features goes on with it by itself.
pub(super) fn steps(state: &FeatureState<'_>) -> Vec<NextStep> {
    let follow = |unit: &String| NextAction::Follow { unit: unit.clone() }.into();
    let own = |unit: &&String| state.feature.member(unit).is_some();
    let own: Vec<NextStep> = state.in_flight.iter().filter(own).map(follow).collect();
    if !own.is_empty() {
        return own;
    }
    match wanted(state) {
        wanted if wanted.is_empty() => state.in_flight.iter().map(follow).collect(),
        wanted => wanted,
    }
}

fn wanted(state: &FeatureState<'_>) -> Vec<NextStep> {
    let feature = state.feature;
    let is_active = feature.plan.status() == FeatureStatus::Active && !state.has_errors;
    let Some(gate) = feature.current_gate().filter(|_| is_active) else {
        return vec![];
    };
    if feature.gate_status(gate) == GateStatus::AwaitingReview {
        return at_review(state, gate);
    }
    let yours = feature.frontier(gate).into_iter();
    let yours = yours.filter(|m| m.unit_type() == UnitType::Human);
    let mut steps: Vec<NextStep> = yours.map(|m| hand_in(m.id())).collect();
    let blocked = with_status(feature, gate, UnitStatus::BlockedHuman);
    steps.extend(blocked.flat_map(|unit| parked(state, unit.id())));
    steps
}
