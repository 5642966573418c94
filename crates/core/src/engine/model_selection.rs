//! What a session is asked for: model, effort, and what is left to spend.
//!
//! The nearest word counts: the ladder on a retry, then the unit, its gate, its plan, its type in
//! the project's settings, the project.

use super::snapshot::Snapshot;
use crate::model::unit::{Effort, RetryOverride, Unit};

/// Model and effort; the agent's own defaults where absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelSelection {
    /// The model, in the agent's own words.
    pub model: Option<String>,
    /// How much thought.
    pub effort: Option<Effort>,
}

/// Returns what the `nth` attempt of a unit, counted from 1, is asked for.
pub fn of(s: &Snapshot, unit: &Unit, nth: u32) -> ModelSelection {
    let overrides = overrides_until(unit, nth);
    let gate = unit.id.as_ref().and_then(|id| {
        let member = s.feature.member(&id.to_string())?;
        s.feature.gate(member.gate)
    });
    let by_type = s.config.front.by_type.as_ref().map(|list| &list.value);
    let typed = by_type
        .into_iter()
        .flatten()
        .map(|defaults| &defaults.value)
        .find(|defaults| defaults.unit_type.as_ref().map(|t| t.value) == Some(unit.unit_type()));
    let plan = &s.feature.plan.front;
    let models = overrides.iter().map(|step| step.model.as_ref()).chain([
        unit.front.model.as_ref(),
        gate.and_then(|g| g.front.model.as_ref()),
        plan.model.as_ref(),
        typed.and_then(|defaults| defaults.model.as_ref()),
        s.config.front.model.as_ref(),
    ]);
    let efforts = overrides.iter().map(|step| step.effort.as_ref()).chain([
        unit.front.effort.as_ref(),
        gate.and_then(|g| g.front.effort.as_ref()),
        plan.effort.as_ref(),
        typed.and_then(|defaults| defaults.effort.as_ref()),
        s.config.front.effort.as_ref(),
    ]);
    ModelSelection {
        model: models.flatten().next().map(|m| m.value.clone()),
        effort: efforts.flatten().next().map(|e| e.value),
    }
}

/// Returns the overrides of the ladder that an attempt has reached, the latest first: what one does
/// not set stays as it was.
fn overrides_until(unit: &Unit, nth: u32) -> Vec<&RetryOverride> {
    let ladder = unit.front.ladder.as_ref().map_or(&[][..], |l| &l.value);
    let reached = ladder.len().min(nth.saturating_sub(1) as usize);
    ladder[..reached].iter().rev().map(|r| &r.value).collect()
}

/// Returns what a session of a unit may cost: the least that its own budget, its gate's and its
/// feature's leave. `None` where none is set.
pub fn budget_left(s: &Snapshot, id: &str, unit: &Unit) -> Option<f64> {
    let of_unit = unit.front.budget_usd.as_ref();
    least([
        of_unit.map(|b| (b.value - s.unit_cost(id)).max(0.0)),
        shared_budget_left(s, id),
    ])
}

/// Returns what the budgets leave that a unit shares with others: its gate's and its feature's.
pub fn shared_budget_left(s: &Snapshot, id: &str) -> Option<f64> {
    let gate = s.feature.member(id).map(|member| member.gate);
    let of_gate = gate
        .and_then(|gate| s.feature.gate(gate))
        .and_then(|gate| gate.front.cost_budget_usd.as_ref())
        .or(s.config.front.gate_budget_usd.as_ref());
    let of_feature = s.feature.plan.front.budget_usd.as_ref();
    least([
        of_gate.map(|b| (b.value - s.cost(gate)).max(0.0)),
        of_feature.map(|b| (b.value - s.cost(None)).max(0.0)),
    ])
}

fn least(budgets: [Option<f64>; 2]) -> Option<f64> {
    budgets.into_iter().flatten().min_by(f64::total_cmp)
}
