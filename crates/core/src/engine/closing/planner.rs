//! What a planner may shape: gates not yet reached, and nothing that is the user's.

use super::{ClosingFindings, ends_the_plan, violation};
use crate::engine::contract;
use crate::engine::failure_class::FailureClass;
use crate::engine::plan_revision::PlanRevision;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::layout;
use crate::model::requirements::{self, Requirement};
use crate::model::status_machine::{GateStatus, UnitStatus};
use crate::model::unit::{PLACEHOLDER_OPEN, Unit};
use std::collections::BTreeMap;

fn lacks_review(after: &Feature, gate: u32) -> bool {
    let text = after.others.get(&layout::review_file(gate));
    let text = text.map_or_else(String::new, |b| String::from_utf8_lossy(b).into_owned());
    text.trim().is_empty() || text.contains(PLACEHOLDER_OPEN)
}

/// A planner may shape what is not reached yet, and nothing else.
pub(super) fn plan_next(
    before: &Feature,
    after: &Feature,
    gate: usize,
    looked: &mut ClosingFindings,
) {
    let number = before.gate_number(gate);
    let plan = after.path(layout::PLAN);
    let mut refuse = |class: FailureClass, message: String, paths: Vec<String>| {
        looked.violations.push(violation(class, message, paths));
    };
    if shape(before, ..=gate) != shape(after, ..=gate) {
        let message =
            format!("gates up to {number}, their units, files and edges stay as they are");
        refuse(FailureClass::PassedGateChanged, message, vec![plan.clone()]);
    }
    if front_without_costs(before) != front_without_costs(after) {
        let message = "the plan's frontmatter is the user's: goal, branch, status and budgets stay";
        refuse(
            FailureClass::PlanChanged,
            message.to_owned(),
            vec![plan.clone()],
        );
    }
    keeps_what_is_a_user(before, after, gate, looked);
    if ends_the_plan(before, gate) && after.plan.gates.len() == before.plan.gates.len() {
        return;
    }
    let next = number + 1;
    let mut refuse = |class: FailureClass, message: String, paths: Vec<String>| {
        looked.violations.push(violation(class, message, paths));
    };
    if after.members_of(gate + 1).next().is_none() {
        refuse(
            FailureClass::NothingDrafted,
            format!("gate {next} has no units"),
            vec![plan],
        );
    }
    if lacks_review(after, next) {
        let message = format!(
            "the review must name what to doubt; nothing that begins with `{PLACEHOLDER_OPEN}` stays"
        );
        let review = after.path(&layout::review_file(next));
        refuse(FailureClass::MissingReview, message, vec![review]);
    }
    looked.revisions = reshaped(before, after, gate + 1);
}

/// Requirements are the user's, arming is, and gates are the driver's and the user's.
fn keeps_what_is_a_user(
    before: &Feature,
    after: &Feature,
    gate: usize,
    looked: &mut ClosingFindings,
) {
    let mut refuse = |class: FailureClass, message: String, paths: Vec<String>| {
        looked.violations.push(violation(class, message, paths));
    };
    let removed = lost_requirements(before, after);
    if !removed.is_empty() {
        let message = format!(
            "requirements are the user's; these are gone or reworded: {}",
            removed.join(", ")
        );
        refuse(
            FailureClass::RequirementsChanged,
            message,
            vec![after.path(layout::PLAN)],
        );
    }
    let armed: Vec<String> = after
        .members()
        .filter(|m| m.gate > gate && m.unit.is_some())
        .filter(|m| {
            let earlier = before.member(m.id()).map(|b| b.status());
            m.status() != UnitStatus::Draft && earlier != Some(m.status())
        })
        .map(|m| m.unit.map_or_else(String::new, |u| u.path().to_string()))
        .collect();
    if !armed.is_empty() {
        refuse(
            FailureClass::ArmedBySession,
            "units of later gates are drafts; only the user arms them".to_owned(),
            armed,
        );
    }
    let opened: Vec<String> = (gate + 1..after.plan.gates.len())
        .filter(|g| after.gate_status(*g) != GateStatus::Open)
        .filter_map(|g| after.gate(g).map(|f| f.doc.path.to_string()))
        .collect();
    if !opened.is_empty() {
        refuse(
            FailureClass::GateMovedBySession,
            "the status of a gate is the driver's and the user's".to_owned(),
            opened,
        );
    }
}

/// Ids, files and edges of some gates.
fn shape(feature: &Feature, range: std::ops::RangeToInclusive<usize>) -> Vec<(u32, Vec<PlanNode>)> {
    let end = range.end.min(feature.plan.gates.len().saturating_sub(1));
    (0..=end)
        .map(|g| {
            (
                feature.gate_number(g),
                feature.members_of(g).map(|m| node(&m)).collect(),
            )
        })
        .collect()
}

type PlanNode = (String, String, Vec<String>);

fn node(member: &PlannedUnit<'_>) -> PlanNode {
    let edges = member.node.depends_on.iter().map(|d| d.value.clone());
    (
        member.id().to_owned(),
        member.node.file.value.clone(),
        edges.collect(),
    )
}

/// The plan's frontmatter without what a planner may put right: the expected cost.
fn front_without_costs(feature: &Feature) -> BTreeMap<String, String> {
    let front = feature.plan.doc.front.iter();
    front
        .flat_map(|f| f.root.entries())
        .filter(|e| e.key != "planned_cost_usd")
        .map(|e| {
            let text = feature.plan.doc.text.get(e.value.span.clone());
            (e.key.clone(), text.unwrap_or_default().to_owned())
        })
        .collect()
}

fn lost_requirements(before: &Feature, after: &Feature) -> Vec<String> {
    let now = requirements::due(&after.plan);
    let is_there = |r: &Requirement| now.iter().any(|n| (&n.id, &n.text) == (&r.id, &r.text));
    let before = requirements::due(&before.plan).into_iter();
    before.filter(|r| !is_there(r)).map(|r| r.id).collect()
}

/// Returns what changed in units that had been planned before: loud, because nobody asked for it.
fn reshaped(before: &Feature, after: &Feature, from: usize) -> Vec<PlanRevision> {
    let mut revisions = Vec::new();
    for old in before.members().filter(|m| m.gate >= from) {
        let unit = old.id().to_owned();
        match after.member(old.id()) {
            None => revisions.push(PlanRevision::Removed { unit }),
            Some(new) if new.gate != old.gate => revisions.push(PlanRevision::Moved {
                unit,
                from: before.gate_number(old.gate),
                to: after.gate_number(new.gate),
            }),
            Some(new) => {
                let hash = |u: Option<&Unit>| u.map(contract::unit_hash);
                if hash(old.unit) != hash(new.unit) || node(&old) != node(&new) {
                    revisions.push(PlanRevision::Changed { unit });
                }
            }
        }
    }
    let known: Vec<u32> = (0..before.plan.gates.len())
        .map(|g| before.gate_number(g))
        .collect();
    let added = (from..after.plan.gates.len()).map(|g| after.gate_number(g));
    let added = added.filter(|number| !known.contains(number));
    revisions.extend(added.map(|gate| PlanRevision::GateAdded { gate }));
    revisions
}
