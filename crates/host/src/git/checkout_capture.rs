//! The user's checkout as a tree: what is neither ignored nor committed included.
//!
//! Invariants: the user's index is only copied, and no file of theirs changes; what was captured is on the disk before its
//! id is given out.

use super::file_times::copy_keeping_time;
use super::git_command::{CommandScope, GitCommand};
use super::{Git, GitPath, worktree};
use crate::atomic_write::{self, FileWrite};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::path::Path;

impl Git {
    /// Returns the checkout's files as a tree in the repository.
    pub fn capture_checkout(&self) -> Result<ObjectId> {
        let name = format!("checkout-index-{}", std::process::id());
        let copy = self.scratch_dir()?.join(name);
        let tree = self.capture_with(&copy);
        let lock = copy.with_extension("lock");
        for file in [&copy, &lock] {
            worktree::remove(file)?;
        }
        tree
    }

    fn capture_with(&self, copy: &Path) -> Result<ObjectId> {
        worktree::remove(copy)?;
        let index = self.git_dir().join("index");
        if index.exists() {
            copy_keeping_time(&index, copy)?;
        }
        let scope = CommandScope::User(Some(copy));
        let unmerged = GitCommand::new(self, scope, "ls-files").args(["-u", "-z"]);
        if let Some(entry) = unmerged.run()?.paths().next() {
            let entry = entry.to_text();
            let path = entry.split_once('\t').map_or(&*entry, |(_, path)| path);
            return Err(Error::plan(format!(
                "`{}` is in conflict, so your checkout is no work to take over",
                gatewalk_core::engine::evidence::one_line(path)
            ))
            .hint("`git status` shows every conflict: resolve them first")
            .hint("nothing was started and nothing was touched"));
        }
        GitCommand::new(self, scope, "add")
            .args(["--all", "--", "."])
            .flushed()
            .run()?;
        let output = GitCommand::new(self, scope, "write-tree").flushed().run()?;
        ObjectId::parse(output.stdout.trim_ascii())
            .ok_or_else(|| Error::internal("git write-tree answered without an id"))
    }

    /// Checks a branch out in a new worktree.
    pub fn add_worktree(&self, directory: &Path, branch: &str) -> Result<()> {
        GitCommand::new(self, CommandScope::User(None), "worktree")
            .arg("add")
            .arg("--quiet")
            .arg(directory)
            .arg(branch)
            .run()
            .map(drop)
    }

    /// Replaces a file of the checkout by what a commit has, if it still is what a captured tree has there.
    pub(crate) fn take_landed(
        &self,
        path: &str,
        captured: ObjectId,
        landed: ObjectId,
    ) -> Result<bool> {
        let git_path = GitPath::new(path.as_bytes());
        let before = self.file_at(captured, &git_path)?;
        let Some(full) = worktree::inside(self.work_tree(), &git_path) else {
            return Ok(false);
        };
        let there = std::fs::read(&full).ok();
        let Some(new) = self.file_at(landed, &git_path)? else {
            return Ok(false);
        };
        if before.is_none() || before != there {
            return Ok(false);
        }
        let write = FileWrite {
            path,
            content: Some(&new),
            fresh: false,
        };
        atomic_write::apply(self.work_tree(), &[write])?;
        Ok(true)
    }
}
