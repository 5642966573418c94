//! Following a move path by path, when the user has edits that git's whole-tree step refuses to go near.

use super::checkout_update::Occasion;
use super::checkout_update_rules::{Indexed, PathAction, View, WorkTreeState};
use super::file_swap::{
    exchange, look_at, make_parents, move_aside, prune, put_new, same_file_system,
};
use super::git_command::{CommandScope, GitCommand};
use super::slot_git::quote;
use super::user_index::LockedIndex;
use super::worktree;
use super::{
    Change, Git, GitPath, MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, Version,
};
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// One changed path of the checkout.
struct PathUpdate<'a> {
    change: &'a Change,
    found: WorkTreeState,
    step: PathAction,
}

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
        let decide = |(change, found): (&Change, &WorkTreeState)| {
            view.decide(change, found, clean.get(&change.path).copied())
        };
        let steps: Vec<PathAction> = changes.iter().zip(&found).map(decide).collect();
        let mut updates: Vec<PathUpdate<'_>> = changes
            .iter()
            .zip(found)
            .zip(steps)
            .map(|((change, found), step)| PathUpdate {
                change,
                found,
                step,
            })
            .collect();
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
        let followed = self.place_all(&updates, &staging)?;
        worktree::remove(&staging)?;
        // Fills in the files' times, so that the next status need not read them. Exit 1: some are edited.
        let call = GitCommand::new(self, CommandScope::User(Some(&index.copy)), "update-index");
        call.args(["-q", "--refresh"]).accept(&[0, 1]).run()?;
        Ok(followed)
    }

    fn place_all(&self, updates: &[PathUpdate<'_>], staging: &Path) -> Result<CheckoutUpdate> {
        let mut kept: Vec<&GitPath> = Vec::new();
        // Removals first: a directory may have to make room for a file.
        let mut order: Vec<&PathUpdate<'_>> = updates.iter().collect();
        order.sort_by_key(|update| update.change.new.is_some());
        for update in order {
            let done = match update.step {
                PathAction::Replace => self.place(update.change, &update.found, staging)?,
                PathAction::AlreadyThere => true,
                PathAction::IndexOnly | PathAction::LeaveAll => false,
            };
            if !done {
                kept.push(&update.change.path);
            }
        }
        kept.sort();
        Ok(CheckoutUpdate {
            kept: kept.into_iter().map(GitPath::to_shown).collect(),
            not_followed: None,
        })
    }

    /// Returns the directory files are prepared in. One that a killed run left may hold the only copy of an edit saved
    /// at that moment, so it is set aside.
    fn fresh_staging(&self, index: &LockedIndex) -> Result<PathBuf> {
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
                WorkTreeState::Other => false,
            };
            if torn {
                update.step = PathAction::Replace;
            }
        }
    }

    fn look(&self, path: &GitPath) -> WorkTreeState {
        match worktree::inside(self.work_tree(), path) {
            Some(full) => look_at(&full),
            None if worktree::blocked(self.work_tree(), path) => WorkTreeState::Other,
            None => WorkTreeState::Nothing,
        }
    }

    /// Returns what git would store for each file that is there, by the user's own line-ending and filter settings.
    fn clean_versions(
        &self,
        index: &LockedIndex,
        changes: &[Change],
        found: &[WorkTreeState],
    ) -> Result<HashMap<GitPath, Version>> {
        let mut versions = HashMap::new();
        let mut requested = Vec::new();
        let mut names = Vec::new();
        for (change, found) in changes.iter().zip(found) {
            let WorkTreeState::File { mode, .. } = found else {
                continue;
            };
            let mode = &self.mode_git_sees(*mode, change);
            if *mode == MODE_SYMLINK {
                let Ok(target) = fs::read_link(self.work_tree().join(change.path.as_path())) else {
                    continue;
                };
                let oid = self.write_blob(target.as_os_str().as_bytes())?;
                versions.insert(change.path.clone(), Version { mode: *mode, oid });
            } else {
                names.extend_from_slice(&quote(change.path.as_bytes()));
                names.push(b'\n');
                requested.push((change.path.clone(), *mode));
            }
        }
        if requested.is_empty() {
            return Ok(versions);
        }
        let call = GitCommand::new(self, CommandScope::User(Some(&index.copy)), "hash-object")
            .arg("--stdin-paths");
        let output = call.input(&names).run()?;
        let oids = output
            .stdout
            .split(|byte| *byte == b'\n')
            .map(ObjectId::parse);
        for ((path, mode), oid) in requested.into_iter().zip(oids) {
            if let Some(oid) = oid {
                versions.insert(path, Version { mode, oid });
            }
        }
        Ok(versions)
    }

    /// Returns the mode git would see: without executable bits on the file system, it trusts the index.
    fn mode_git_sees(&self, mode: u32, change: &Change) -> u32 {
        let plain = |mode: u32| mode == MODE_FILE || mode == MODE_EXECUTABLE;
        let known = change
            .old
            .or(change.new)
            .map(|version| version.mode)
            .filter(|mode| plain(*mode));
        match known {
            Some(known) if plain(mode) && self.settings().get("core.filemode") == Some("false") => {
                known
            }
            _ => mode,
        }
    }

    fn update_index(
        &self,
        index: &LockedIndex,
        updates: &[PathUpdate<'_>],
        indexed: &BTreeMap<GitPath, Indexed>,
    ) -> Result<()> {
        let mut script = Vec::new();
        let mut sparse = Vec::new();
        let zero = self.object_format().zero();
        let mut taken: Vec<&Change> = updates
            .iter()
            .filter(|update| update.step != PathAction::LeaveAll)
            .map(|update| update.change)
            .collect();
        // Removals first: a directory's entries cannot be beside a file's of the same name.
        taken.sort_by_key(|change| change.new.is_some());
        for change in taken {
            let line = match change.new {
                Some(new) => format!("{:06o} {}\t", new.mode, new.oid),
                None => format!("0 {zero}\t"),
            };
            script.extend_from_slice(line.as_bytes());
            script.extend_from_slice(change.path.as_bytes());
            script.push(0);
            if change.new.is_some()
                && indexed
                    .get(&change.path)
                    .is_some_and(|entry| entry.skip_worktree)
            {
                sparse.extend_from_slice(change.path.as_bytes());
                sparse.push(0);
            }
        }
        let scope = CommandScope::User(Some(&index.copy));
        if !script.is_empty() {
            GitCommand::new(self, scope, "update-index")
                .args(["-z", "--index-info"])
                .input(&script)
                .run()?;
        }
        if !sparse.is_empty() {
            let call = GitCommand::new(self, scope, "update-index").args([
                "--skip-worktree",
                "-z",
                "--stdin",
            ]);
            call.input(&sparse).run()?;
        }
        Ok(())
    }

    /// Writes the new files, as the user's git would check them out, into a directory of ours.
    fn stage_files(&self, index: &LockedIndex, staging: &Path, written: &[&Change]) -> Result<()> {
        let files: Vec<&&Change> = written
            .iter()
            .filter(|c| c.new.is_some_and(|v| v.mode != MODE_GITLINK))
            .collect();
        if files.is_empty() {
            return Ok(());
        }
        let staging = staging.join("files");
        fs::create_dir_all(&staging).map_err(|e| Error::io("create", &staging, &e))?;
        let mut names = Vec::new();
        for change in files {
            names.extend_from_slice(change.path.as_bytes());
            names.push(0);
        }
        let mut prefix = std::ffi::OsString::from("--prefix=");
        prefix.push(&staging);
        prefix.push("/");
        let call = GitCommand::new(
            self,
            CommandScope::User(Some(&index.copy)),
            "checkout-index",
        )
        .arg(prefix);
        call.args(["-z", "--stdin"]).input(&names).run()?;
        Ok(())
    }

    /// Puts the new file (or nothing) at a path that held `before`; `false` if that changed meanwhile.
    fn place(&self, change: &Change, before: &WorkTreeState, staging: &Path) -> Result<bool> {
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
                    WorkTreeState::File { .. } => exchange(&source, &target, before),
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
