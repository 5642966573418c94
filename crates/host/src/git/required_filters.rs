//! Filters that the user's configuration requires, such as that of git-lfs: what lands went through them, as it does
//! when git adds it.
//!
//! Which path has which filter is read from the base's attributes, and the programs from the user's configuration: a
//! session decides neither.

use super::git_command::{CommandScope, GitCommand};
use super::slot::Slot;
use super::{Change, Git, GitPath, MODE_EXECUTABLE, MODE_FILE, Version, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;

impl Git {
    /// Returns the changed files that a required filter is for, each as the filter stores it.
    pub(super) fn filtered_versions(
        &self,
        slot: &Slot,
        base: ObjectId,
        changes: &[Change],
    ) -> Result<BTreeMap<GitPath, Version>> {
        let required = self.settings().required_filters();
        let files: Vec<(&GitPath, Version)> = changes
            .iter()
            .filter_map(|change| Some((&change.path, change.new?)))
            .filter(|(_, new)| new.mode == MODE_FILE || new.mode == MODE_EXECUTABLE)
            .collect();
        if required.is_empty() || files.is_empty() {
            return Ok(BTreeMap::new());
        }
        let filters = self.filters_of(base, files.iter().map(|(path, _)| *path))?;
        let mut versions = BTreeMap::new();
        for ((path, new), filter) in files.into_iter().zip(filters) {
            if required.contains(&filter)
                && let Some(file) = worktree::inside(slot.dir(), path)
            {
                let oid = self.filter_file(&file, path, &filter, base)?;
                versions.insert(path.clone(), Version { oid, ..new });
            }
        }
        Ok(versions)
    }

    /// Returns the filter of each path, by the attributes of a commit.
    fn filters_of<'p>(
        &self,
        base: ObjectId,
        paths: impl Iterator<Item = &'p GitPath>,
    ) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for path in paths {
            names.extend_from_slice(path.as_bytes());
            names.push(0);
        }
        let output = GitCommand::new(self, CommandScope::Bare, "check-attr")
            .args(["-z", "--stdin", "filter"])
            .env("GIT_ATTR_SOURCE", base.hex())
            .input(&names)
            .run()?;
        // Each answer is a path, the attribute's name and its value.
        let fields: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0).collect();
        let values = fields.chunks_exact(3).map(|answer| answer[2]);
        Ok(values
            .map(|value| String::from_utf8_lossy(value).into_owned())
            .collect())
    }

    fn filter_file(
        &self,
        file: &std::path::Path,
        path: &GitPath,
        filter: &str,
        base: ObjectId,
    ) -> Result<ObjectId> {
        let mut named = std::ffi::OsString::from("--path=");
        named.push(path.as_path());
        let call = GitCommand::new(self, CommandScope::User(None), "hash-object")
            .args(["-w", "-t", "blob"])
            .arg(named)
            .arg("--")
            .arg(file)
            .env("GIT_ATTR_SOURCE", base.hex());
        let output = call.run().map_err(|error| {
            Error::environment(format!(
                "`{path}` must go through the filter `{filter}` before it can be committed, and that failed: {}",
                error.message
            ))
            .hint(format!(
                "make the program of `git config filter.{filter}.clean` work (for `lfs`: install git-lfs), then run again"
            ))
            .hint("what the session left is kept in its slot, and nothing of it landed")
        })?;
        ObjectId::parse(output.stdout.trim_ascii())
            .ok_or_else(|| Error::internal("git hash-object answered without an id"))
    }
}
