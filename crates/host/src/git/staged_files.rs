//! What the next commit would hold, as far as it is staged.

use super::git_command::{CommandScope, GitCommand};
use super::{Git, GitPath, MODE_EXECUTABLE, MODE_FILE};
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Git {
    /// Returns the regular files below `prefix` as the index has them, by path from the root; `-a` and paths given to
    /// `git commit` count, as git names the index that they make to its hooks.
    ///
    /// # Errors
    /// Where git cannot read the index, or an object is missing.
    pub fn staged_files(&self, prefix: &GitPath) -> Result<BTreeMap<String, Arc<[u8]>>> {
        let named = std::env::var_os("GIT_INDEX_FILE").map(|index| self.work_tree().join(index));
        let index: Option<&Path> = named.as_deref();
        let prefix: PathBuf = prefix.as_path().to_owned();
        let output = GitCommand::new(self, CommandScope::User(index), "ls-files")
            .args(["-s", "-z", "--"])
            .args([&prefix])
            .run()?;
        let records = output.stdout.split(|byte| *byte == 0);
        let wanted: Vec<(String, ObjectId)> = records.filter_map(staged).collect();
        let oids: Vec<ObjectId> = wanted.iter().map(|(_, oid)| *oid).collect();
        let mut files = BTreeMap::new();
        for ((path, oid), object) in wanted.into_iter().zip(self.read_kept(&oids)?) {
            if let Ok((_, content)) = object.ok_or_else(|| self.missing(oid))? {
                files.insert(path, content);
            }
        }
        Ok(files)
    }
}

/// Reads a record of `git ls-files -s -z`: mode, object, stage, and behind a tab the path.
fn staged(record: &[u8]) -> Option<(String, ObjectId)> {
    let (marks, path) = std::str::from_utf8(record).ok()?.split_once('\t')?;
    let mut marks = marks.split(' ');
    let mode = u32::from_str_radix(marks.next()?, 8).ok()?;
    let regular = mode == MODE_FILE || mode == MODE_EXECUTABLE;
    let oid = ObjectId::parse(marks.next()?.as_bytes())?;
    regular.then(|| (path.to_owned(), oid))
}
