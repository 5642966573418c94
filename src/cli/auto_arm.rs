//! Autonomy `auto`: passing a gate and arming the next one when nothing gives a user a reason to look.
//! One commit, and a tag on the commit before it to undo it. It never merges.

use super::Context;
use gatewalk_core::diagnostic::Severity;
use gatewalk_core::driver::land::{commit_name, place_edits};
use gatewalk_core::driver::machine::Machine;
use gatewalk_core::engine::autonomy;
use gatewalk_core::engine::bookkeeping::Books;
use gatewalk_core::engine::events;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::plan::Autonomy;
use gatewalk_core::model::status_machine::{GateStatus, UnitStatus};
use gatewalk_host::git::Oid;
use gatewalk_host::state_repository::{Repository, Selected};
use serde_json::json;

/// Arms the gate behind the one that waits for review, if the plan says `auto` and every class is clean.
/// Returns whether it did.
pub(crate) fn arm(
    context: &Context,
    repository: &Repository,
    machine: &dyn Machine,
    selected: &Selected,
    s: &Snapshot,
) -> Result<bool> {
    let feature = &s.feature;
    let waiting = feature
        .current_gate()
        .filter(|g| feature.gate_status(*g) == GateStatus::AwaitingReview);
    let Some(gate) = waiting.filter(|g| feature.terminal_gate() != Some(*g)) else {
        return Ok(false);
    };
    if feature.plan.autonomy() != Autonomy::Auto {
        return Ok(false);
    }
    let commit = Oid::parse(s.tip.as_bytes())
        .ok_or_else(|| Error::internal("a tip that is no object id"))?;
    let workspace = repository.workspace_at(commit)?;
    let found = gatewalk_core::lint::run_feature(&workspace, feature);
    let lint: Vec<String> = found
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| format!("{} {}", d.code, d.message))
        .collect();
    let classes = autonomy::classes(s, gate, &lint);
    let stops: Vec<String> = classes
        .iter()
        .flat_map(|c| c.found.iter().map(move |f| format!("{}: {f}", c.name)))
        .collect();
    if !stops.is_empty() {
        context
            .out
            .note("the plan says `auto`, but a user has to look:");
        for stop in stops {
            context.out.note(format!("  {}", sanitize(&stop)));
        }
        return Ok(false);
    }
    let number = feature.gate_number(gate);
    let name = feature.name();
    let tag = format!("refs/tags/gatewalk/before-arm/{name}-gate-{}", number + 1);
    if repository.git.ref_value(&tag)?.is_none() {
        repository.git.cas_ref(&tag, commit, None)?;
    }
    let units: Vec<String> = feature
        .members_of(gate + 1)
        .filter(|m| m.status() == UnitStatus::Draft && m.unit.is_some())
        .map(|m| m.id().to_owned())
        .collect();
    let now = machine.now().to_string();
    let books = Books {
        layout: repository.layout,
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
    let edits = books.arm(Some(gate), &units, false, event)?;
    let message = format!(
        "Arm {name} without a user: gate {number} passed, {} units pending\n\nEvery class of doubts is clean. Undo: git reset --keep {}\n\nArmed: {name}\n",
        units.len(),
        tag.trim_start_matches("refs/tags/")
    );
    let tree = machine.tree_of(&s.tip)?;
    let placed = place_edits(machine, &selected.branch, &s.tip, &tree, edits, &message)?;
    let (commit, _) = placed.ok_or_else(|| {
        Error::integrity(format!(
            "`{}` moved while it was being armed",
            selected.branch
        ))
        .hint("run the command again")
    })?;
    context.out.note(format!(
        "gate {number} passed and {} units armed without a user ({}); undo: tag {}",
        units.len(),
        commit_name(&commit),
        tag.trim_start_matches("refs/tags/")
    ));
    Ok(true)
}
