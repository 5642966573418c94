//! What a closing session finds prepared, must leave, and may not touch.
//!
//! The same questions are asked by the driver after the session, by `lint --closing` inside it, and
//! are listed in its prompt: one list, so that a session can know beforehand what it is judged by.
//! All of it is a function of the feature before and after; deliberately absent: reading trees.

mod planner;
mod skeletons;
mod verdict;

use super::coverage::Gap;
use super::failure_class::FailureClass;
use super::gate_criteria::{criteria, criteria_file};
use super::guards::Violation;
use super::plan_revision::PlanRevision;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::unit::{PLACEHOLDER_OPEN, Unit, UnitType};
use crate::model::{layout, requirements};

pub use skeletons::review_page;
pub(crate) use skeletons::skeletons;
pub use verdict::{CriterionEntry, CriterionState, entries};

/// Returns what a closing session must leave, for its prompt.
pub(crate) fn must_leave(feature: &Feature, gate: usize, unit: &Unit) -> Vec<String> {
    let number = feature.gate_number(gate);
    let path = |name: &str| format!("`{}`", feature.path(name));
    let mut all = Vec::new();
    match unit.unit_type() {
        UnitType::Close | UnitType::CloseIntermediate => {
            all.push(format!(
                "{}: the section `# Gate {number}` is begun from the records; below its tables you have written what they mean, on one page at most",
                path(layout::RETROSPECTIVE)
            ));
            if !criteria(feature, gate).is_empty() {
                all.push(format!(
                    "{}: every criterion is `met` with what shows it, or `not_met` with a follow-up; none is open, none is added or removed",
                    path(&criteria_file(number))
                ));
            }
        }
        UnitType::PlanNext if ends_the_plan(feature, gate) => all.push(format!(
            "no gate is planned after gate {number}: {} says whether the goal is met; a further gate is planned only where it is not, with its units as drafts and a review of it",
            path(layout::RETROSPECTIVE)
        )),
        UnitType::PlanNext => {
            let next = number + 1;
            all.push(format!(
                "{}: nothing that begins with `{PLACEHOLDER_OPEN}` is left",
                path(&layout::review_file(next))
            ));
            all.push(format!(
                "gate {next} has units, each `status: draft`; the plan has no lint error; gates up to {number}, their units and edges are as they were"
            ));
        }
        _ => {}
    }
    if unit.unit_type() == UnitType::Close && !requirements::due(&feature.plan).is_empty() {
        all.push(
            "a requirement is `met` only when a check names it and every such check passes on the files you start \
             from; the driver runs them itself and refuses `met` otherwise"
                .to_owned(),
        );
    }
    if unit.unit_type() == UnitType::Close {
        all.push(format!(
            "`{}`: its frontmatter has `verdict: met` when every criterion is met, else `verdict: not_met`",
            unit.path()
        ));
    }
    all
}

/// Returns whether a planner of this gate may end the plan: older plans close their last gate with four units, the last of
/// which looks for a next gate and usually finds none.
fn ends_the_plan(feature: &Feature, gate: usize) -> bool {
    let older = |m: &PlannedUnit<'_>| {
        let kind = m.unit_type();
        kind.is_closing()
            && !matches!(
                kind,
                UnitType::PlanNext | UnitType::Close | UnitType::CloseIntermediate
            )
    };
    gate + 1 == feature.plan.gates.len() && feature.members_of(gate).any(|m| older(&m))
}

fn violation(class: FailureClass, message: impl Into<String>, paths: Vec<String>) -> Violation {
    Violation {
        class,
        message: message.into(),
        paths,
    }
}

/// What a closing session left, looked at against what was there before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClosingFindings {
    /// What fails the attempt: everything at once.
    pub violations: Vec<Violation>,
    /// What the user should see at the gate.
    pub(crate) notices: Vec<String>,
    /// What a planner did to what had been planned before.
    pub(crate) revisions: Vec<PlanRevision>,
}

impl ClosingFindings {
    /// Returns everything that the user should see at the gate, in words.
    pub fn shown(&self) -> Vec<String> {
        let revisions = self.revisions.iter().map(PlanRevision::to_string);
        self.notices.iter().cloned().chain(revisions).collect()
    }
}

/// A closing unit and what is known when it is looked at.
#[derive(Debug, Clone, Copy)]
pub struct ClosingReview<'a> {
    /// The feature as the session found it.
    pub before: &'a Feature,
    /// Index of the unit's gate.
    pub gate: usize,
    /// The closing unit, as it was armed.
    pub unit: &'a Unit,
    /// Requirements that nothing shows on the files that are judged.
    pub gaps: &'a [Gap],
}

/// Looks at what a closing session left. `own_text` is its unit's file as the session left it.
pub(crate) fn look(asked: &ClosingReview<'_>, after: &Feature, own_text: &str) -> ClosingFindings {
    let mut looked = ClosingFindings::default();
    match asked.unit.unit_type() {
        UnitType::Close | UnitType::CloseIntermediate => {
            verdict::reflection(asked, after, &mut looked);
            verdict::verdict(asked, after, own_text, &mut looked);
        }
        UnitType::PlanNext => planner::plan_next(asked.before, after, asked.gate, &mut looked),
        _ => {}
    }
    looked
}

#[cfg(test)]
mod tests;
