//! Plan files that the user edited while a run was at work: what the run wrote there goes beside the edit, in the work
//! tree and in what is staged, also where the file has another name by now.

use super::checkout_update_rules::{Indexed, PathAction, View, WorkTreeState};
use super::file_swap::{exchange, look_at, same_file_system};
use super::git_command::{CommandScope, GitCommand};
use super::path_update::{PathUpdate, PlanEdit};
use super::types::push_index_line;
use super::user_index::LockedIndex;
use super::{Change, Git, GitPath, MODE_SYMLINK, is_regular, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::document::MAX_FILE_BYTES;
use gatewalk_core::model::plan_merge;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::path_names::file_name;
use std::fs;
use std::path::{Path, PathBuf};

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

    /// Writes what a run changed in plan files into what the user has staged of them, so that committing it takes
    /// nothing back.
    pub(super) fn merge_staged_plans(
        &self,
        index: &LockedIndex,
        updates: &[PathUpdate<'_>],
        view: &View,
    ) -> Result<()> {
        let mut script = Vec::new();
        for update in updates.iter().filter(|u| u.step == PathAction::LeaveAll) {
            let Some((old, new)) = self.plan_texts(update.change)? else {
                continue;
            };
            let Some((path, mode, user)) = self.staged_plan((&update.change.path, &old), view)?
            else {
                continue;
            };
            if let Some(merged) = plan_merge::with_changes(&old, &new, &user) {
                let oid = self.write_blob(merged.as_bytes())?;
                push_index_line(&mut script, (mode, oid), path);
            }
        }
        if script.is_empty() {
            return Ok(());
        }
        let scope = CommandScope::User(Some(&index.copy));
        let call = GitCommand::new(self, scope, "update-index").args(["-z", "--index-info"]);
        call.input(&script).run().map(|_| ())
    }

    /// Returns what the user has staged of a plan file, at its path or under another name in the same directory: where,
    /// with what mode, and its text.
    fn staged_plan<'v>(
        &self,
        (path, old): (&GitPath, &str),
        view: &'v View,
    ) -> Result<Option<(&'v GitPath, u32, String)>> {
        let merges = |e: &Indexed| !e.unmerged && !e.skip_worktree && is_regular(e.version.mode);
        if let Some((path, entry)) = view.indexed.get_key_value(path) {
            let text = match merges(entry) {
                true => self.plan_text(entry.version.oid)?,
                false => None,
            };
            return Ok(text.map(|text| (path, entry.version.mode, text)));
        }
        let name = path.as_str().unwrap_or_default();
        let directory = &name[..name.len() - file_name(name).len()];
        let entries = view.indexed.range(GitPath::new(directory)..);
        let below =
            entries.take_while(|(path, _)| path.as_bytes().starts_with(directory.as_bytes()));
        let is_markdown_here = |path: &GitPath| {
            let rest = &path.as_bytes()[directory.len()..];
            rest.ends_with(b".md") && !rest.contains(&b'/')
        };
        for (other, entry) in below.filter(|(path, e)| is_markdown_here(path) && merges(e)) {
            let text = self.plan_text(entry.version.oid)?;
            if let Some(text) = text.filter(|text| plan_merge::is_file_of_unit(text, (name, old))) {
                return Ok(Some((other, entry.version.mode, text)));
            }
        }
        Ok(None)
    }

    fn plan_text(&self, oid: ObjectId) -> Result<Option<String>> {
        let read = self.read_blobs(&[oid], MAX_FILE_BYTES as u64)?;
        let bytes = read.into_iter().next().flatten();
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// Returns a plan file before and after a change, where it is one.
    fn plan_texts(&self, change: &Change) -> Result<Option<(String, String)>> {
        let path = change.path.as_str().unwrap_or_default();
        let (Some(old), Some(new)) = (change.old, change.new) else {
            return Ok(None);
        };
        if !plan_merge::is_plan_file(path) || !is_regular(old.mode) || !is_regular(new.mode) {
            return Ok(None);
        }
        let (old, new) = (self.plan_text(old.oid)?, self.plan_text(new.oid)?);
        Ok(old.zip(new))
    }

    fn plan_edit(&self, change: &Change) -> Result<Option<PlanEdit>> {
        let path = change.path.as_str().unwrap_or_default();
        let Some((old, new)) = self.plan_texts(change)? else {
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
