//! What the user can do next, from the state alone: the one answer of every command that prints one.

mod feature_state;
mod next_step;
mod parked_unit;
mod stuck_units;
mod way_out;
mod while_driven;

pub use feature_state::FeatureState;
pub use next_step::NextStep;
use parked_unit::parked;
use stuck_units::stuck;
pub use way_out::way_out;

use super::action::{BudgetScope, Stop};
use super::attempt_record::AttemptRecord;
use super::red_command::RedCommand;
use super::{contract, open_notices, questions};
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::status_machine::{FeatureStatus, GateStatus, UnitStatus};
use crate::model::unit::{Unit, UnitType, Verdict};
use next_step::NextAction;

/// Returns what to do next, most useful first; empty when nothing is left to do.
pub fn next_steps(state: &FeatureState<'_>) -> Vec<NextStep> {
    finish(state, of_feature(state))
}

/// Returns what to do after a run stopped.
pub fn after_stop(stop: &Stop, state: &FeatureState<'_>) -> Vec<NextStep> {
    let feature = state.feature.name();
    let steps = match stop {
        Stop::FeatureDone => vec![NextAction::PullRequest { feature }.into()],
        Stop::AtGate { uncovered, .. } if !uncovered.is_empty() => uncovered_steps(&feature),
        Stop::AtGate { .. } => of_feature(state),
        Stop::NeedsHuman {
            blocked,
            human,
            red_base,
        } => {
            let mut steps: Vec<_> = blocked.iter().flat_map(|id| parked(state, id)).collect();
            steps.extend(human.iter().map(|id| hand_in(id)));
            if !red_base.is_empty() {
                steps.extend(at_red_base(feature, red_base));
            }
            steps
        }
        Stop::RedTip { .. } => vec![
            on_branch(state, |branch| {
                format!("mend the product on `{branch}` and commit")
            }),
            NextAction::Loop { feature }.into(),
        ],
        Stop::Budget { whose, .. } => over_budget(*whose, feature),
        Stop::NoAgent {
            replaceable,
            runner,
            ..
        } => {
            let run = match replaceable {
                true => NextAction::LoopWithAgent { feature },
                false => NextAction::Loop { feature },
            };
            let runner = runner.clone();
            vec![NextAction::Doctor { runner }.into(), run.into()]
        }
        Stop::Supervised { .. } => vec![
            on_branch(state, |branch| {
                format!("look at what landed: git log -p -1 {branch}")
            }),
            NextAction::Loop { feature }.into(),
        ],
        Stop::Stuck(_) => stuck(state.feature),
        Stop::NotWalkable(_) => vec![NextAction::Reopen { feature }.into()],
    };
    finish(state, steps)
}

fn on_branch(state: &FeatureState<'_>, words: impl Fn(&str) -> String) -> NextStep {
    NextStep::words(words(state.feature.plan.branch().unwrap_or_default()))
}

fn over_budget(whose: BudgetScope, feature: String) -> Vec<NextStep> {
    let file = match whose {
        BudgetScope::Gate(_) => "`cost_budget_usd` of the gate, or `gate_budget_usd` of config.yml",
        BudgetScope::Feature => "`budget_usd` of PLAN.md",
        // The next run counts anew.
        BudgetScope::Run => return vec![NextAction::Loop { feature }.into()],
    };
    vec![
        NextStep::words(format!("raise the budget: {file}")),
        run_edited(feature),
    ]
}

/// Returns what to do about one unit.
pub fn for_unit(member: &PlannedUnit<'_>, state: &FeatureState<'_>) -> Vec<NextStep> {
    let rests = !matches!(
        state.feature.plan.status(),
        FeatureStatus::Active | FeatureStatus::Planned
    );
    if member.status().is_settled() || rests || state.is_driven || state.has_errors {
        return match member.status().is_settled() {
            true => vec![],
            false => next_steps(state),
        };
    }
    let is_free = state.feature.waiting(member).is_empty();
    let id = member.id();
    let steps = match member.status() {
        UnitStatus::Draft => match blocking_question(state.feature) {
            Some(answer) => vec![answer],
            None if member.unit.is_some_and(Unit::is_unfilled) => vec![lint(state.feature)],
            None => vec![NextAction::Arm { target: id.into() }.into()],
        },
        UnitStatus::BlockedHuman => parked(state, id),
        _ if is_free && member.unit_type() == UnitType::Human => vec![hand_in(id)],
        _ => of_feature(state),
    };
    finish(state, steps)
}

/// Returns how often a unit failed in the same way, when another attempt must have a reason to differ and the unit is as
/// it was armed.
pub fn repeated_failure(
    feature: &Feature,
    member: &PlannedUnit<'_>,
    attempts: &[AttemptRecord],
) -> Option<usize> {
    let armed = member.unit.map_or("", Unit::armed);
    if !armed.is_empty() && !contract::is_as(armed, feature, member) {
        return None;
    }
    let signatures: Vec<&str> = attempts
        .iter()
        .filter_map(|a| a.judgement.as_ref()?.failure_signature())
        .collect();
    let [.., before, last] = signatures[..] else {
        return None;
    };
    (before == last && last != "session:blocked")
        .then(|| signatures.iter().filter(|s| **s == last).count())
}

/// Adds what holds for every step: edits of the plan are committed on the way, and a branch that cannot move comes first.
fn finish(state: &FeatureState<'_>, mut steps: Vec<NextStep>) -> Vec<NextStep> {
    for step in &mut steps {
        step.commit_plan |= state.is_edited;
    }
    if let Some(held) = state.held
        && steps.iter().any(|step| step.action.moves_the_branch())
    {
        steps.insert(0, NextStep::words(held));
    }
    steps
}

fn of_feature(state: &FeatureState<'_>) -> Vec<NextStep> {
    let feature = state.feature;
    let name = feature.name();
    if state.is_driven {
        return while_driven::steps(state);
    }
    match feature.plan.status() {
        FeatureStatus::Done => return vec![],
        FeatureStatus::Blocked | FeatureStatus::Deferred | FeatureStatus::Abandoned => {
            return vec![NextAction::Reopen { feature: name }.into()];
        }
        FeatureStatus::Planned | FeatureStatus::Active => {}
    }
    if state.has_errors {
        return vec![lint(feature)];
    }
    if feature.plan.status() == FeatureStatus::Planned {
        return arm(feature);
    }
    match feature.current_gate() {
        None if state.has_gaps => uncovered_steps(&name),
        None => vec![NextAction::Loop { feature: name }.into()],
        Some(gate) if feature.gate_status(gate) == GateStatus::AwaitingReview => {
            at_review(state, gate)
        }
        Some(gate) => at_open_gate(state, gate),
    }
}

fn at_open_gate(state: &FeatureState<'_>, gate: usize) -> Vec<NextStep> {
    let feature = state.feature;
    if !state.changed.is_empty() {
        let target = state.changed.join(" ");
        return vec![NextAction::Arm { target }.into()];
    }
    let ready = feature.frontier(gate);
    let (yours, others): (Vec<_>, Vec<_>) =
        ready.iter().partition(|m| m.unit_type() == UnitType::Human);
    let is_red = |m: &PlannedUnit<'_>| state.red_base.iter().any(|(id, _)| id == m.id());
    if feature.is_complete(gate) || others.iter().any(|m| !is_red(m)) {
        let feature = feature.name();
        return vec![NextAction::Loop { feature }.into()];
    }
    let mut steps: Vec<_> = yours.iter().map(|m| hand_in(m.id())).collect();
    if !state.red_base.is_empty() {
        steps.push(found_red(state.red_base));
        steps.extend(at_red_base(feature.name(), state.red_base));
    }
    steps.extend(held_up(state, gate));
    match steps.is_empty() {
        true => stuck(feature),
        false => steps,
    }
}

/// What units wait for that are parked, or were never armed.
fn held_up(state: &FeatureState<'_>, gate: usize) -> Vec<NextStep> {
    let feature = state.feature;
    let mut steps: Vec<_> = with_status(feature, gate, UnitStatus::BlockedHuman)
        .flat_map(|unit| parked(state, unit.id()))
        .collect();
    if with_status(feature, gate, UnitStatus::Draft)
        .next()
        .is_some()
    {
        steps.extend(arm(feature));
    }
    steps
}

/// Names what the last run found red, where no run is there to show it.
fn found_red(red_base: &[(String, Vec<RedCommand>)]) -> NextStep {
    let mut names: Vec<String> = Vec::new();
    for red in red_base.iter().flat_map(|(_, red)| red) {
        let name = red.to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let names = names.join(", ");
    NextStep::words(format!(
        "already red before any work, as of the last run: {names}"
    ))
}

/// Something is red before any work: what each cause asks for, once.
fn at_red_base(feature: String, red_base: &[(String, Vec<RedCommand>)]) -> Vec<NextStep> {
    let mut remedies: Vec<String> = Vec::new();
    for red in red_base.iter().flat_map(|(_, red)| red) {
        let remedy = red.remedy();
        if !remedies.contains(&remedy) {
            remedies.push(remedy);
        }
    }
    let mut steps: Vec<_> = remedies.into_iter().map(NextStep::words).collect();
    steps.push(run_edited(feature));
    steps
}

/// A gate waits for review: what is missing comes before what could be armed.
fn at_review(state: &FeatureState<'_>, gate: usize) -> Vec<NextStep> {
    let feature = state.feature;
    let last = feature.terminal_gate() == Some(gate);
    let is_unmet = |m: &PlannedUnit<'_>| {
        let verdict = m.unit.and_then(|u| u.front.verdict.as_ref());
        m.unit_type() == UnitType::Close
            && m.status() == UnitStatus::Done
            && verdict.is_none_or(|v| v.value == Verdict::NotMet)
    };
    if last && feature.members_of(gate).any(|m| is_unmet(&m)) {
        return vec![
            NextAction::Review {
                feature: feature.name(),
            }
            .into(),
            NextAction::NewGate {
                feature: feature.name(),
            }
            .into(),
        ];
    }
    if last && state.has_gaps {
        return uncovered_steps(&feature.name());
    }
    let mut steps = vec![
        NextAction::Review {
            feature: feature.name(),
        }
        .into(),
    ];
    match open_notices::of_gate(feature, Some(gate)).is_empty() {
        true => steps.extend(arm(feature)),
        false => steps.push(
            NextAction::ArmAccepting {
                feature: feature.name(),
            }
            .into(),
        ),
    }
    steps
}

/// Arms the feature's drafts, once no open question blocks that and nothing in them is left to be filled in.
fn arm(feature: &Feature) -> Vec<NextStep> {
    let target = feature.name();
    let arm = || match has_unfilled_drafts(feature) {
        true => lint(feature),
        false => NextAction::Arm { target }.into(),
    };
    vec![blocking_question(feature).unwrap_or_else(arm)]
}

/// Whether arming would refuse a draft because something in it is left to be filled in.
fn has_unfilled_drafts(feature: &Feature) -> bool {
    contract::drafts_to_arm(feature).is_some_and(|(_, drafts)| {
        let mut drafts = drafts.into_iter();
        drafts.any(|draft| draft.unit.is_some_and(Unit::is_unfilled))
    })
}

/// Shows what is wrong with the plan, and what is left to be filled in.
fn lint(feature: &Feature) -> NextStep {
    let directory = feature.dir.to_string();
    NextAction::Lint { directory }.into()
}

fn blocking_question(feature: &Feature) -> Option<NextStep> {
    let open = questions::open(feature);
    let number = open.iter().position(|q| q.blocking)? + 1;
    let feature = feature.name();
    Some(NextAction::Answer { feature, number }.into())
}

fn hand_in(unit: &str) -> NextStep {
    NextAction::HandIn { unit: unit.into() }.into()
}

fn run_edited(feature: String) -> NextStep {
    NextStep {
        action: NextAction::Loop { feature },
        commit_plan: true,
    }
}

fn uncovered_steps(name: &str) -> Vec<NextStep> {
    let feature = name.to_owned();
    vec![
        NextAction::Coverage {
            feature: feature.clone(),
        }
        .into(),
        NextAction::NewGate { feature }.into(),
        NextStep::words(
            "or write `(deferred: why)` behind the requirement in PLAN.md, commit, and arm",
        ),
    ]
}

fn with_status(
    feature: &Feature,
    gate: usize,
    status: UnitStatus,
) -> impl Iterator<Item = PlannedUnit<'_>> {
    let members = feature.members_of(gate);
    members.filter(move |m| m.status() == status && m.unit.is_some())
}

#[cfg(test)]
mod tests;
