//! Plan files that the user edited while a run was at work: what the run wrote there goes beside the edit, also where
//! the file has another name by now.

use super::checkout_update_paths::PathUpdate;
use super::checkout_update_rules::{PathAction, View, WorkTreeState};
use super::file_swap::{exchange, look_at, same_file_system};
use super::{Change, Git, GitPath, MODE_SYMLINK, is_regular, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::document::MAX_FILE_BYTES;
use gatewalk_core::model::plan_merge;
use std::fs;
use std::path::{Path, PathBuf};

/// The user's version of a plan file with what a run wrote into it.
pub(super) struct PlanEdit {
    target: PathBuf,
    before: WorkTreeState,
    text: String,
}

impl Git {
    /// Finds, for each plan file that stays the user's, what it is with the run's own changes.
    pub(super) fn merge_plan_edits(
        &self,
        updates: &mut [PathUpdate<'_>],
        view: &View,
    ) -> Result<()> {
        for update in updates {
            let unmerged = view
                .indexed
                .get(&update.change.path)
                .is_some_and(|e| e.unmerged);
            let stays = matches!(update.step, PathAction::IndexOnly | PathAction::LeaveAll);
            if stays && !unmerged {
                update.plan_edit = self.plan_edit(update.change)?;
            }
        }
        Ok(())
    }

    fn plan_edit(&self, change: &Change) -> Result<Option<PlanEdit>> {
        let path = std::str::from_utf8(change.path.as_bytes()).unwrap_or_default();
        let (Some(old), Some(new)) = (change.old, change.new) else {
            return Ok(None);
        };
        if !plan_merge::is_plan_file(path) || !is_regular(old.mode) || !is_regular(new.mode) {
            return Ok(None);
        }
        let read = self.read_blobs(&[old.oid, new.oid], MAX_FILE_BYTES as u64)?;
        let mut texts = read.into_iter().map(|bytes| String::from_utf8(bytes?).ok());
        let (Some(Some(old)), Some(Some(new))) = (texts.next(), texts.next()) else {
            return Ok(None);
        };
        let Some(target) = self.place_of_plan_file(&change.path, (path, &old)) else {
            return Ok(None);
        };
        // Looked at first: a file that is saved in between is not what is taken out, and goes back.
        let before = look_at(&target);
        let text = match &before {
            WorkTreeState::File { mode, .. } if *mode != MODE_SYMLINK => readable(&target),
            _ => None,
        };
        let merged = text.and_then(|user| plan_merge::with_changes(&old, &new, &user));
        Ok(merged.map(|text| PlanEdit {
            target,
            before,
            text,
        }))
    }

    /// Returns where the user has a plan file: at its path, or under another name in the same directory.
    fn place_of_plan_file(&self, path: &GitPath, old: (&str, &str)) -> Option<PathBuf> {
        let full = worktree::inside(self.work_tree(), path)?;
        if fs::symlink_metadata(&full).is_ok() {
            return Some(full);
        }
        let entries = fs::read_dir(full.parent()?).ok()?;
        let mut others = entries.flatten().map(|entry| entry.path());
        others.find(|other| {
            let is_markdown = other.extension().is_some_and(|e| e == "md");
            let is_file = || fs::symlink_metadata(other).is_ok_and(|meta| meta.is_file());
            let text = || readable(other);
            is_markdown
                && is_file()
                && text().is_some_and(|text| plan_merge::is_file_of_unit(&text, old))
        })
    }

    /// Puts a plan file's merged version in its place; `false` if the user saved another one meanwhile.
    pub(super) fn place_plan_edit(&self, edit: &PlanEdit, staging: &Path) -> Result<bool> {
        let staged = staging.join("plan");
        fs::create_dir_all(staging).map_err(|e| Error::io("create", staging, &e))?;
        worktree::remove(&staged)?;
        fs::write(&staged, &edit.text).map_err(|e| Error::io("write", &staged, &e))?;
        let permissions = fs::metadata(&edit.target).map(|meta| meta.permissions());
        permissions
            .and_then(|permissions| fs::set_permissions(&staged, permissions))
            .map_err(|e| Error::io("copy the permissions of", &edit.target, &e))?;
        let source = same_file_system(&staged, &edit.target)?;
        let placed = exchange(&source, &edit.target, &edit.before);
        if source.parent() == edit.target.parent() {
            worktree::remove(&source)?;
        }
        placed
    }
}

fn readable(path: &Path) -> Option<String> {
    let size = fs::metadata(path).ok()?.len();
    (size <= MAX_FILE_BYTES as u64).then(|| fs::read_to_string(path).ok())?
}
