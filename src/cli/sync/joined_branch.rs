//! Two sides of a branch that both went on: joined as a landing is, by merging the trees and verifying what comes of it.

use super::shared_feature::SharedFeature;
use crate::cli::plan_check::{self, ChangedUnits};
use crate::cli::run_guards::end_leftovers;
use crate::cli::watch::Printer;
use gatewalk_core::driver::ports::{History, MergeOutcome, SlotId, TreeWrite};
use gatewalk_core::engine::attempt_record::Judgement;
use gatewalk_core::engine::feature_lease::{join_logs, landed_twice};
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::path_names::{file_name, is_below};
use gatewalk_host::lock::ProcessTreeLock;
use gatewalk_host::os::Os;
use gatewalk_host::signals;
use gatewalk_host::state_repository::Selected;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How the two sides were joined, or why not.
pub(crate) enum JoinEnd {
    /// The declared commands pass on what came of it.
    Verified(ObjectId),
    /// Outside the plans it is what one of the sides was.
    Known(ObjectId),
    /// Both changed these paths.
    Conflict(Vec<String>),
    /// These units landed on both.
    Twice(Vec<String>),
    /// The declared commands do not pass.
    Refused { judgement: Box<Judgement> },
    /// It was cut short.
    Interrupted,
}

impl JoinEnd {
    /// Returns the commit that joins them.
    pub(crate) fn commit(&self) -> Option<ObjectId> {
        match self {
            JoinEnd::Verified(commit) | JoinEnd::Known(commit) => Some(*commit),
            _ => None,
        }
    }

    /// Returns the word for machines.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            JoinEnd::Verified(_) => "verified",
            JoinEnd::Known(_) => "merged",
            JoinEnd::Conflict(_) => "conflict",
            JoinEnd::Twice(_) => "landed_twice",
            JoinEnd::Refused { .. } => "refused",
            JoinEnd::Interrupted => "interrupted",
        }
    }

    /// Returns what a person has to settle.
    pub(crate) fn conflicts(&self) -> Vec<String> {
        match self {
            JoinEnd::Conflict(all) | JoinEnd::Twice(all) => all.clone(),
            _ => vec![],
        }
    }
}

/// Joins two tips and moves the branch here to what comes of it, where that passes.
pub(super) fn join(
    shared: &SharedFeature<'_>,
    (ours, theirs): (ObjectId, ObjectId),
    driving: bool,
) -> Result<JoinEnd> {
    let _locks = shared.locked(driving)?;
    let repository = shared.repository;
    let git = &repository.git;
    let base = git.merge_base(ours, theirs)?.ok_or_else(|| {
        Error::plan(format!(
            "`{}` here and on `{}` have no commit in common",
            shared.branch(),
            shared.remote()
        ))
        .hint("nothing was moved: choose one of them by hand")
    })?;
    let watcher = Printer::new(shared.context.out.clone(), false);
    let family_path = match driving {
        // What runs is the caller's own.
        true => git.state_dir().join("family.lock"),
        false => end_leftovers(shared.context, repository),
    };
    let family = ProcessTreeLock::acquire(&family_path)?;
    let stop = signals::install()?;
    let machine = Os::new(git, shared.context.host()?, &watcher)?.for_run(stop, family);
    let end = join_on(shared, &machine, (base, ours, theirs))?;
    watcher.finish();
    Ok(end)
}

/// Merges, verifies and moves the branch, on the machine of a run.
fn join_on(
    shared: &SharedFeature<'_>,
    machine: &Os<'_>,
    (base, ours, theirs): (ObjectId, ObjectId, ObjectId),
) -> Result<JoinEnd> {
    let repository = shared.repository;
    let twice = twice(shared, (base, ours, theirs))?;
    if !twice.is_empty() {
        return Ok(JoinEnd::Twice(twice));
    }
    let (left, right) = with_joined_logs(shared, machine, (base, ours, theirs))?;
    let tree = match machine.merge(&base, &left, &right)? {
        MergeOutcome::Conflict(paths) => return Ok(JoinEnd::Conflict(paths)),
        MergeOutcome::Clean(tree) => tree,
    };
    let message = format!(
        "Join {name} with `{}`\n\nFeature: {name}\n",
        shared.remote(),
        name = shared.name()
    );
    let merge = shared.there().write_merge(tree, [ours, theirs], &message)?;
    let selected = selected_at(shared, merge)?;
    plan_check::refuse_findings(shared.context, repository, &selected, ChangedUnits::Refused)
        .map_err(|error| {
            error.hint("both sides merge into a plan with errors; nothing was moved")
        })?;
    let known = repository.product_key(merge)?;
    let known =
        known == repository.product_key(ours)? || known == repository.product_key(theirs)?;
    if !known && let Some(end) = not_passing(machine, (shared, &selected), &tree)? {
        return Ok(end);
    }
    if !shared.moved(Some(ours), merge)? {
        return Err(
            Error::integrity(format!("`{}` moved meanwhile", shared.branch()))
                .hint("nothing was moved here: run the command again"),
        );
    }
    Ok(match known {
        true => JoinEnd::Known(merge),
        false => JoinEnd::Verified(merge),
    })
}

/// Verifies what came of both sides; returns the end where that does not pass.
fn not_passing(
    machine: &Os<'_>,
    (shared, selected): (&SharedFeature<'_>, &Selected),
    tree: &ObjectId,
) -> Result<Option<JoinEnd>> {
    machine.require_isolation(selected.workspace.config.sandbox())?;
    machine.empty_slot(SlotId::Recheck)?;
    let layout = shared.repository.layout;
    let driver = machine.driver(layout, selected, RunOptions::default());
    let judged = driver.check_tree(&selected.commit, tree, SlotId::Recheck)?;
    Ok(match judged {
        None => Some(JoinEnd::Interrupted),
        Some(judgement) if judgement.passed() => None,
        Some(judgement) => Some(JoinEnd::Refused {
            judgement: Box::new(judgement),
        }),
    })
}

fn selected_at(shared: &SharedFeature<'_>, commit: ObjectId) -> Result<Selected> {
    let workspace = shared.repository.workspace_at(commit)?;
    if workspace.feature_in(&shared.selected.dir).is_none() {
        let dir = &shared.selected.dir;
        return Err(
            Error::plan(format!("`{dir}` is gone on one of the sides")).hint("nothing was moved")
        );
    }
    Ok(Selected {
        workspace: Arc::new(workspace),
        commit,
        exists: true,
        ..shared.selected.clone()
    })
}

/// The units that landed on both sides since they were one.
fn twice(
    shared: &SharedFeature<'_>,
    (base, ours, theirs): (ObjectId, ObjectId, ObjectId),
) -> Result<Vec<String>> {
    let at = |commit| shared.repository.workspace_at(commit);
    let (base, ours, theirs) = (at(base)?, at(ours)?, at(theirs)?);
    let dir = &shared.selected.dir;
    Ok(match (ours.feature_in(dir), theirs.feature_in(dir)) {
        (Some(ours), Some(theirs)) => landed_twice(base.feature_in(dir), ours, theirs),
        _ => vec![],
    })
}

/// Returns both sides' trees with the logs that both continued joined in each: elsewhere, lines at one place are a conflict.
fn with_joined_logs(
    shared: &SharedFeature<'_>,
    machine: &Os<'_>,
    (base, ours, theirs): (ObjectId, ObjectId, ObjectId),
) -> Result<(ObjectId, ObjectId)> {
    let features = shared.repository.layout.path(layout::FEATURES);
    let logs = |side: &ObjectId| -> Result<BTreeSet<String>> {
        let changed = machine.diff(&base, side)?.into_iter().map(|c| c.path);
        let is_log = |path: &String| is_below(path, &features) && file_name(path) == layout::EVENTS;
        Ok(changed.filter(is_log).collect())
    };
    let text = |commit: &ObjectId, path: &str| -> Result<String> {
        let bytes = machine.file_at(commit, path)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut edits: Vec<TreeWrite> = Vec::new();
    for path in logs(&ours)?.intersection(&logs(&theirs)?) {
        let [before, left, right] = [&base, &ours, &theirs].map(|commit| text(commit, path));
        if let Some(joined) = join_logs(&before?, &left?, &right?) {
            edits.push((path.clone(), Some(joined.into_bytes().into())));
        }
    }
    let side = |commit: &ObjectId| machine.edit_tree(&machine.tree_of(commit)?, &edits);
    Ok((side(&ours)?, side(&theirs)?))
}
