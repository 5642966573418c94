//! Following a move path by path, when the user has edits that git's whole-tree step refuses to go near.

use super::checkout_update::Occasion;
use super::checkout_update_rules::{PathAction, View, WorkTreeState};
use super::file_swap::{
    exchange, look_at, make_parents, move_aside, prune, put_new, same_file_system,
};
use super::git_command::{CommandScope, GitCommand};
use super::path_update::PathUpdate;
use super::user_index::LockedIndex;
use super::{Change, Git, GitPath, MODE_GITLINK, worktree};
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::error::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

impl Git {
    /// Updates each changed path that the user has not edited.
    pub(super) fn follow_paths(
        &self,
        index: &LockedIndex,
        changes: &[Change],
        occasion: Occasion,
    ) -> Result<CheckoutUpdate> {
        let found: Vec<WorkTreeState> = changes
            .iter()
            .map(|change| self.look(&change.path))
            .collect();
        let clean = self.clean_versions(index, changes, &found)?;
        let view = View::new(self.index_entries(index, changes)?, changes);
        let update = |(change, found)| PathUpdate {
            step: view.decide(change, &found, clean.get(&change.path).copied()),
            change,
            found,
            plan_edit: None,
        };
        let mut updates: Vec<PathUpdate<'_>> = changes.iter().zip(found).map(update).collect();
        let staging = self.fresh_staging(index)?;
        self.update_index(index, &updates, &view.indexed)?;
        let stage = |update: &&PathUpdate<'_>| {
            let torn = occasion == Occasion::Recovery && update.step == PathAction::IndexOnly;
            (update.step == PathAction::Replace || torn) && update.change.new.is_some()
        };
        let staged: Vec<&Change> = updates
            .iter()
            .filter(stage)
            .map(|update| update.change)
            .collect();
        self.stage_files(index, &staging, &staged)?;
        if occasion == Occasion::Recovery {
            self.retake_torn(&mut updates, &view, &staging);
        }
        self.merge_plan_edits(&mut updates, &view)?;
        self.merge_staged_plans(index, &updates, &view)?;
        let followed = self.place_all(&updates, &staging)?;
        worktree::remove(&staging)?;
        // Fills in the files' times, so that the next status need not read them. Exit 1: some are edited.
        let call = GitCommand::new(self, CommandScope::User(Some(&index.copy)), "update-index");
        call.args(["-q", "--refresh"]).accept(&[0, 1]).run()?;
        Ok(followed)
    }

    fn place_all(&self, updates: &[PathUpdate<'_>], staging: &Path) -> Result<CheckoutUpdate> {
        let (mut kept, mut merged) = (Vec::new(), Vec::new());
        // Removals first: a directory may have to make room for a file.
        let mut order: Vec<&PathUpdate<'_>> = updates.iter().collect();
        order.sort_by_key(|update| update.change.new.is_some());
        for update in order {
            let done = match update.step {
                PathAction::Replace => self.place(update.change, &update.found, staging)?,
                PathAction::AlreadyThere => true,
                PathAction::IndexOnly | PathAction::LeaveAll => false,
            };
            let path = &update.change.path;
            match &update.plan_edit {
                Some(edit) if self.place_plan_edit(edit, staging)? => merged.push(path),
                _ if !done => kept.push(path),
                _ => {}
            }
        }
        let sorted = |mut paths: Vec<&GitPath>| {
            paths.sort();
            paths.into_iter().map(GitPath::to_shown).collect()
        };
        Ok(CheckoutUpdate {
            kept: sorted(kept),
            merged: sorted(merged),
            not_followed: None,
        })
    }

    /// Returns the directory files are prepared in. One that a killed run left may hold the only copy of an edit saved
    /// at that moment, so it is set aside.
    pub(super) fn fresh_staging(&self, index: &LockedIndex) -> Result<PathBuf> {
        let staging = index.copy_dir().join("follow");
        if fs::symlink_metadata(&staging).is_ok() {
            let mut number = 0;
            let mut aside = self.state_dir().join("set-aside-0");
            while fs::symlink_metadata(&aside).is_ok() {
                number += 1;
                aside = self.state_dir().join(format!("set-aside-{number}"));
            }
            fs::rename(&staging, &aside).map_err(|e| Error::io("move", &staging, &e))?;
        }
        Ok(staging)
    }

    /// Replaces what a killed git left torn: a file that is missing, or only the beginning of what it was to become.
    fn retake_torn(&self, updates: &mut [PathUpdate<'_>], view: &View, staging: &Path) {
        for update in updates {
            let change = update.change;
            let hidden = view
                .indexed
                .get(&change.path)
                .is_some_and(|entry| entry.skip_worktree);
            if update.step != PathAction::IndexOnly || hidden || change.new.is_none() {
                continue;
            }
            let torn = match &update.found {
                WorkTreeState::Nothing => true,
                WorkTreeState::File { .. } => {
                    let wanted = fs::read(staging.join("files").join(change.path.as_path()));
                    let there = fs::read(self.work_tree().join(change.path.as_path()));
                    matches!((wanted, there), (Ok(wanted), Ok(there)) if wanted.starts_with(&there))
                }
                WorkTreeState::AsIndexed(_) | WorkTreeState::Other => false,
            };
            if torn {
                update.step = PathAction::Replace;
            }
        }
    }

    pub(super) fn look(&self, path: &GitPath) -> WorkTreeState {
        match worktree::inside(self.work_tree(), path) {
            Some(full) => look_at(&full),
            None if worktree::blocked(self.work_tree(), path) => WorkTreeState::Other,
            None => WorkTreeState::Nothing,
        }
    }

    /// Puts the new file (or nothing) at a path that held `before`; `false` if that changed meanwhile.
    pub(super) fn place(
        &self,
        change: &Change,
        before: &WorkTreeState,
        staging: &Path,
    ) -> Result<bool> {
        let target = self.work_tree().join(change.path.as_path());
        match change.new {
            Some(new) if new.mode == MODE_GITLINK => {
                // An empty directory is how a submodule that is not checked out looks.
                Ok(*before == WorkTreeState::Other || fs::create_dir_all(&target).is_ok())
            }
            Some(_) => {
                if !make_parents(self.work_tree(), &change.path)? {
                    return Ok(false);
                }
                let source =
                    same_file_system(&staging.join("files").join(change.path.as_path()), &target)?;
                let placed = match before {
                    WorkTreeState::File { .. } | WorkTreeState::AsIndexed(_) => {
                        exchange(&source, &target, before)
                    }
                    WorkTreeState::Nothing | WorkTreeState::Other => put_new(&source, &target),
                };
                if source.parent() == target.parent() {
                    worktree::remove(&source)?;
                }
                placed
            }
            None => {
                let taken = staging.join("removed");
                fs::create_dir_all(staging).map_err(|e| Error::io("create", staging, &e))?;
                let removed = move_aside(&target, &taken, before)?;
                if removed {
                    prune(self.work_tree(), &target);
                }
                Ok(removed)
            }
        }
    }
}
