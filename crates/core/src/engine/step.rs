//! When the driver does what: one pure decision from a snapshot.

mod side_by_side;
mod stop_reasons;
mod unit_start;

use super::action::{Action, Step, Stop};
use super::attempt_record::{AttemptRecord, Judgement};
use super::broad_tier::{self, BroadState};
use super::failure_class::FailureClass;
use super::park_reason::ParkReason;
use super::red_command::RedCommand;
use super::snapshot::Snapshot;
use super::{auto_close, coverage, landing_queue, model_selection, open_notices};
use crate::agents::SessionClass;
use crate::model::feature::PlannedUnit;
use crate::model::plan::Autonomy;
use crate::model::status_machine::{FeatureStatus, GateStatus, UnitStatus};
use crate::model::unit::{Unit, UnitType, Verdict};
pub(crate) use stop_reasons::near_budgets;
use stop_reasons::{at_gate, over_budget, red_tip, why_nothing_moves};
use unit_start::UnitStart;

/// Decides what may start now, or why the walk ends. The same snapshot gives the same step.
pub fn step(s: &Snapshot) -> Step {
    match s.feature.plan.status() {
        FeatureStatus::Done => return Step::Stop(Stop::FeatureDone),
        FeatureStatus::Planned => return Step::Do(vec![Action::Activate]),
        FeatureStatus::Active => {}
        other => return Step::Stop(Stop::NotWalkable(other.to_string())),
    }
    let Some(gate) = s.feature.current_gate() else {
        if let Some(step) = unshown_at_the_end(s) {
            return step;
        }
        // Every gate is passed but the feature is not done: finish the last one's flip.
        let last = s.feature.plan.gates.len().saturating_sub(1);
        return Step::Do(vec![Action::CloseGate {
            gate: last,
            finish: true,
        }]);
    };
    match s.feature.gate_status(gate) {
        GateStatus::Open => open_gate(s, gate),
        GateStatus::AwaitingReview => Step::Stop(at_gate(s, gate)),
        GateStatus::Passed => unreachable!("the current gate is never passed"),
    }
}

/// What stands in the way of a gate, collected while looking for work.
#[derive(Default)]
struct Findings {
    actions: Vec<Action>,
    red_base: Vec<(String, Vec<RedCommand>)>,
    human: Vec<String>,
    waits: Vec<(jiff::Timestamp, String)>,
    no_agent: Option<Stop>,
    red_tip: Option<Stop>,
}

fn open_gate(s: &Snapshot, gate: usize) -> Step {
    if s.feature.is_complete(gate) && s.running.is_empty() {
        return complete_gate(s, gate);
    }
    let mut found = Findings::default();
    for member in s.feature.frontier(gate) {
        if !s.running.contains(member.id()) {
            consider(s, gate, &member, &mut found);
        }
    }
    let held = held(s, &found.actions);
    if held.is_some() {
        found.actions.retain(|a| !goes_on(a));
    }
    let over = held.or_else(|| over_budget(s, gate));
    if over.is_some() {
        // Work that is paid for is judged and landed; nothing new is started.
        found
            .actions
            .retain(|a| !matches!(a, Action::Dispatch { .. } | Action::CheckBase { .. }));
    }
    let actions = admit(s, found.actions);
    if !actions.is_empty() {
        return Step::Do(actions);
    }
    if !s.running.is_empty() {
        return Step::Busy;
    }
    if let Some(stop) = over {
        return Step::Stop(stop);
    }
    if let Some((until, why)) = found.waits.into_iter().min() {
        return Step::Do(vec![Action::Wait { until, why }]);
    }
    if let Some(stop) = found.no_agent {
        return Step::Stop(stop);
    }
    if let Some(stop) = found.red_tip {
        return Step::Stop(stop);
    }
    Step::Stop(why_nothing_moves(s, gate, found.red_base, found.human))
}

/// Nothing of the gate is left to do: what ends it was seen on the tip, or is asked now.
fn complete_gate(s: &Snapshot, gate: usize) -> Step {
    if must_ask(s) {
        return Step::Do(vec![Action::AskRequirements]);
    }
    match broad_tier::state(s, gate) {
        BroadState::Unasked => Step::Do(vec![Action::CheckBroad { gate }]),
        BroadState::Red(report) => Step::Stop(red_tip(s, gate, report)),
        BroadState::Clear => Step::Do(vec![Action::CloseGate {
            gate,
            finish: may_finish(s, gate),
        }]),
    }
}

/// Returns whether an action begins another unit, or ends a gate without a session.
fn goes_on(action: &Action) -> bool {
    matches!(
        action,
        Action::Dispatch { .. } | Action::CheckBase { .. } | Action::AutoClose { .. }
    )
}

/// Under `supervised` a user looks at each landing before anything else starts.
fn held(s: &Snapshot, actions: &[Action]) -> Option<Stop> {
    let supervised = s.feature.plan.autonomy() == Autonomy::Supervised;
    let holds = supervised && !s.landed.is_empty() && actions.iter().any(goes_on);
    holds.then(|| Stop::Supervised {
        landed: s.landed.iter().map(ToString::to_string).collect(),
    })
}

/// Keeps what the free slots can take; quick actions need none, but go first and alone.
fn admit(s: &Snapshot, actions: Vec<Action>) -> Vec<Action> {
    let (slots, quick): (Vec<_>, Vec<_>) = actions.into_iter().partition(Action::needs_slot);
    if let Some(first) = landing_queue::first(s, quick) {
        return vec![first];
    }
    let free = s.options.jobs.max(1).saturating_sub(s.running.len());
    let slots = side_by_side::admitted(s, slots);
    slots.into_iter().take(free).collect()
}

/// Finds what one unit of the frontier needs next.
fn consider(s: &Snapshot, gate: usize, member: &PlannedUnit<'_>, found: &mut Findings) {
    let Some(unit) = member.unit else { return };
    let id = member.id().to_owned();
    if unit.unit_type() == UnitType::Human {
        found.human.push(id);
        return;
    }
    let attempts = s.attempts_of(&id, unit);
    match attempts.last() {
        // What comes of it depends on what is ahead.
        Some(last)
            if s.stands_on_open(&id) && last.judgement.as_ref().is_none_or(|j| j.passed()) => {}
        Some(last) if last.judgement.is_none() => {
            found.actions.push(Action::Judge {
                unit: id,
                number: last.number,
            });
        }
        Some(last) if last.passed() => {
            found.actions.push(Action::Land {
                unit: id,
                number: last.number,
            });
        }
        _ => match park_reason(s, unit, &id, &attempts) {
            Some(reason) => found.actions.push(Action::Park { unit: id, reason }),
            None => {
                let used = attempts.len() as u32;
                unit_start::find(
                    &UnitStart {
                        s,
                        gate,
                        unit,
                        id: &id,
                        used,
                    },
                    found,
                );
            }
        },
    }
}

fn park_reason(
    s: &Snapshot,
    unit: &Unit,
    id: &str,
    attempts: &[&AttemptRecord],
) -> Option<ParkReason> {
    let used = attempts.len() as u32;
    if let Some(last) = attempts.last() {
        if let Some(paths) = widening_asked(last) {
            return Some(ParkReason::WideningAsked { paths });
        }
        if let Some(reason) = last
            .session
            .blocked_reason
            .clone()
            .filter(|_| last.session.class == SessionClass::Blocked)
        {
            return Some(ParkReason::AgentBlocked(reason));
        }
        if let [.., before, last] = attempts {
            let same_failure = last
                .judgement
                .as_ref()
                .and_then(Judgement::failure_signature)
                .is_some_and(|signature| {
                    before
                        .judgement
                        .as_ref()
                        .and_then(Judgement::failure_signature)
                        == Some(signature)
                });
            // One that asks for another model or more effort does differ.
            let escalates =
                model_selection::chain(s, unit, used + 1) != model_selection::chain(s, unit, used);
            let repeats = same_failure || before.tree == last.tree;
            // The limit that you set is what to name when it is reached; beside the default, the repetition is.
            let below_yours = unit.front.max_attempts.is_none() || used < unit.max_attempts();
            if below_yours && repeats && !escalates {
                return Some(ParkReason::SameFailure { attempts: used });
            }
        }
        if used >= unit.max_attempts() {
            return Some(ParkReason::AttemptsUsed { attempts: used });
        }
    }
    let budget = unit.front.budget_usd.as_ref()?.value;
    let spent = s.unit_cost(id);
    (spent >= budget && spent > 0.0).then_some(ParkReason::Budget { spent, budget })
}

/// Returns the paths that a session asks for, where its work is refused for being outside `touches`, or blocked by that.
fn widening_asked(last: &AttemptRecord) -> Option<Vec<String>> {
    let asked = &last.session.widen_touches;
    let class = last.judgement.as_ref()?.failure_class()?;
    let waits = matches!(
        class.known(),
        Some(FailureClass::OutOfScope | FailureClass::Blocked)
    );
    (waits && !asked.is_empty()).then(|| asked.clone())
}

/// Returns true when the end depends on checks that were not asked on the tip yet.
fn must_ask(s: &Snapshot) -> bool {
    s.requirements
        .iter()
        .any(coverage::RequirementCoverage::is_not_run)
}

/// A feature is not finished on the word of a gate's file while a requirement is not shown.
fn unshown_at_the_end(s: &Snapshot) -> Option<Step> {
    if must_ask(s) {
        return Some(Step::Do(vec![Action::AskRequirements]));
    }
    let gaps = s.gaps();
    let why = gaps
        .into_iter()
        .map(|gap| format!("{} is not covered: {}", gap.requirement, gap.why));
    let why: Vec<String> = why.collect();
    (!why.is_empty()).then_some(Step::Stop(Stop::Stuck(why)))
}

/// Returns true when the driver may finish the feature by itself at this gate: never under `supervised`, nor while a
/// requirement is not shown on the tip, or a landing was unusual, whatever a verdict says.
fn may_finish(s: &Snapshot, gate: usize) -> bool {
    if s.feature.terminal_gate() != Some(gate)
        || s.feature.plan.autonomy() == Autonomy::Supervised
        || !s.gaps().is_empty()
        || !open_notices::of_gate(&s.feature, Some(gate)).is_empty()
    {
        return false;
    }
    let closing: Vec<&Unit> = s
        .feature
        .members_of(gate)
        .filter(|m| m.unit_type() == UnitType::Close && m.status() == UnitStatus::Done)
        .filter_map(|m| m.unit)
        .collect();
    let by_session = |unit: &Unit| unit.front.auto_close.is_none();
    // What was closed from its records passes without you only where nothing in them asks for a look.
    if !closing.iter().any(|unit| by_session(unit)) {
        return auto_close::decide(s, gate).clean;
    }
    let met = |unit: &&Unit| unit.front.verdict.as_ref().map(|v| v.value) == Some(Verdict::Met);
    closing.iter().all(met)
}

#[cfg(test)]
mod tests;
