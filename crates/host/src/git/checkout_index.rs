//! The user's index beside a move path by path: the versions that git would write, and their entries.

use super::checkout_update_rules::{Indexed, PathAction, WorkTreeState};
use super::git_command::{CommandScope, GitCommand};
use super::git_path::nul_separated;
use super::path_update::PathUpdate;
use super::slot_git::quote;
use super::types::push_index_line;
use super::user_index::LockedIndex;
use super::{Change, Git, GitPath, MODE_GITLINK, MODE_SYMLINK, Version, is_regular};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

impl Git {
    /// Returns what git would store for each file that is there, by the user's own line-ending and filter settings.
    pub(super) fn clean_versions(
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
    pub(super) fn mode_git_sees(&self, mode: u32, change: &Change) -> u32 {
        let known = change
            .old
            .or(change.new)
            .map(|version| version.mode)
            .filter(|mode| is_regular(*mode));
        match known {
            Some(known)
                if is_regular(mode) && self.settings().get("core.filemode") == Some("false") =>
            {
                known
            }
            _ => mode,
        }
    }

    pub(super) fn update_index(
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
            let entry = change.new.map_or((0, zero), |new| (new.mode, new.oid));
            push_index_line(&mut script, entry, &change.path);
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
    pub(super) fn stage_files(
        &self,
        index: &LockedIndex,
        staging: &Path,
        written: &[&Change],
    ) -> Result<()> {
        let files: Vec<&&Change> = written
            .iter()
            .filter(|c| c.new.is_some_and(|v| v.mode != MODE_GITLINK))
            .collect();
        if files.is_empty() {
            return Ok(());
        }
        let staging = staging.join("files");
        fs::create_dir_all(&staging).map_err(|e| Error::io("create", &staging, &e))?;
        let names = nul_separated(files.iter().map(|change| &change.path));
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
}
