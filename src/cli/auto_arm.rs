//! Autonomy `auto`: passing a gate and arming the next one when nothing needs a review.
//! One commit, and a tag on the commit before it to undo it. It never merges.

use super::Context;
use gatewalk_core::driver::plan_commit::place_edits;
use gatewalk_core::driver::ports::{CommitRequest, Machine};
use gatewalk_core::engine::bookkeeping::{Arming, Books};
use gatewalk_core::engine::evidence::{counted, sanitize};
use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::engine::trailers::{self, Trailer};
use gatewalk_core::engine::{autonomy, events};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::plan::Autonomy;
use gatewalk_core::model::status_machine::{GateStatus, UnitStatus};
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::state_repository::{Repository, Selected};
use serde_json::{Value, json};

/// A run that stopped at a gate.
pub(crate) struct StoppedRun<'a> {
    pub(crate) context: &'a Context,
    pub(crate) repository: &'a Repository,
    pub(crate) machine: &'a dyn Machine,
    pub(crate) selected: &'a Selected,
    pub(crate) snapshot: &'a Snapshot,
}

/// Arms the gate behind the one that waits for review, if the plan says `auto` and every class is clean.
/// Returns whether it did.
pub(crate) fn arm(run: &StoppedRun<'_>) -> Result<bool> {
    let Some(gate) = gate_to_pass(run.snapshot) else {
        return Ok(false);
    };
    let commit = run.snapshot.tip;
    let workspace = run.repository.plans_around(commit, &run.selected.dir)?;
    let found = gatewalk_core::lint::feature_errors(&workspace, &run.snapshot.feature);
    let lint: Vec<String> = found
        .iter()
        .map(|d| format!("{} {}", d.code, d.message))
        .collect();
    let classes = autonomy::classes(run.snapshot, gate, &lint);
    let mut stops = classes
        .iter()
        .flat_map(|c| c.found.iter().map(move |f| format!("{}: {f}", c.name)))
        .peekable();
    if stops.peek().is_some() {
        let out = &run.context.out;
        out.note("the plan says `auto`, but this needs your review:");
        stops.for_each(|stop| out.note(format!("  {}", sanitize(&stop))));
        return Ok(false);
    }
    let tag = tag_for_undo(run, gate, commit)?;
    pass_and_arm(run, gate, &json!(classes), &tag)?;
    Ok(true)
}

/// The gate that waits for review, when the plan says `auto` and another gate follows it.
fn gate_to_pass(s: &Snapshot) -> Option<usize> {
    let feature = &s.feature;
    let gate = feature.current_gate()?;
    let waits = feature.gate_status(gate) == GateStatus::AwaitingReview;
    let last = feature.terminal_gate() == Some(gate);
    (waits && !last && feature.plan.autonomy() == Autonomy::Auto).then_some(gate)
}

/// Tags the commit before the arming; returns the tag's name.
fn tag_for_undo(run: &StoppedRun<'_>, gate: usize, commit: ObjectId) -> Result<String> {
    let feature = &run.snapshot.feature;
    let next = feature.gate_number(gate) + 1;
    let tag = format!(
        "refs/tags/gatewalk/before-arm/{}-gate-{next}",
        feature.name()
    );
    if run.repository.git.ref_value(&tag)?.is_none() {
        run.repository.git.cas_ref(&tag, commit, None)?;
    }
    Ok(tag)
}

/// Returns the ids of a gate's drafts that have a file.
fn drafts_of(feature: &Feature, gate: usize) -> Vec<String> {
    let drafts = feature
        .members_of(gate)
        .filter(|m| m.status() == UnitStatus::Draft && m.unit.is_some());
    drafts.map(|m| m.id().to_owned()).collect()
}

fn pass_and_arm(run: &StoppedRun<'_>, gate: usize, classes: &Value, tag: &str) -> Result<()> {
    let s = run.snapshot;
    let workspace = run.repository.plans_around(s.tip, &run.selected.dir)?;
    let feature = &s.feature;
    let (name, number) = (feature.name(), feature.gate_number(gate));
    let units = drafts_of(feature, gate + 1);
    let now = run.machine.now().to_string();
    let books = Books {
        layout: run.repository.layout,
        feature,
        roadmap: workspace.roadmap.as_ref(),
        now: &now,
    };
    let event = events::verb(
        &name,
        &now,
        "gate_armed",
        json!({"passed_gate": number, "units": units, "auto": true, "classes": classes, "undo": tag}),
    );
    let arming = Arming {
        pass: Some(gate),
        units: &units,
        activate: false,
    };
    let edits = books.arm(&arming, event)?;
    let undo = tag.trim_start_matches("refs/tags/");
    let pending = counted(units.len(), "unit");
    let message = trailers::message(
        &format!("Arm {name} automatically: gate {number} passed, {pending} pending"),
        &format!("Every class of doubts is clean. Undo: git reset --keep {undo}"),
        &[(Trailer::Armed, &name)],
    );
    let branch = &run.selected.branch;
    let commit = CommitRequest {
        tree: run.machine.tree_of(&s.tip)?,
        parent: s.tip,
        message: &message,
    };
    let placed = place_edits(run.machine, branch, &commit, edits)?;
    let (commit, _) = placed.ok_or_else(|| {
        Error::integrity(format!("`{branch}` moved while it was being armed"))
            .hint("run the command again")
    })?;
    run.context.out.note(format!(
        "gate {number} passed and {pending} armed without you ({}); undo: tag {undo}",
        commit.short(),
    ));
    Ok(())
}
