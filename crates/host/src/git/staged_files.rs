//! What the next commit would hold, as far as it is staged.

use super::git_command::{CommandScope, GitCommand};
use super::user_index::Listed;
use super::{Git, GitPath, is_regular};
use gatewalk_core::error::Result;
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
            .args(["-s", "-t", "-z", "--"])
            .args([&prefix])
            .run()?;
        let records = output.stdout.split(|byte| *byte == 0);
        let wanted = records.filter_map(Listed::parse).filter_map(|listed| {
            let path = listed.path.as_str()?.to_owned();
            is_regular(listed.version.mode).then_some((path, listed.version.oid))
        });
        self.contents_of(wanted.collect())
    }
}
