//! The trusted git directory: our own, sharing nothing but the object store, for every work tree an agent may have
//! written.
//!
//! Invariant: while git uses it, it holds what is written here and nothing else.

use super::{Git, slot_git, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel::locked;
use std::path::PathBuf;
use std::sync::MutexGuard;

/// Its files, and what it never has but git would heed (gitrepository-layout(5)).
const HAS: [&str; 4] = ["HEAD", "config", "info/exclude", "info/attributes"];
const NEVER_HAS: [&str; 5] = [
    "config.worktree",
    "commondir",
    "hooks",
    "info/grafts",
    "shallow",
];

impl Git {
    /// Returns the files of the trusted git directory that decide what git does there.
    pub(crate) fn trusted_git_dir_settings(&self) -> Vec<PathBuf> {
        let names = HAS.iter().chain(&NEVER_HAS);
        names
            .map(|name| self.trusted_git_dir().join(name))
            .collect()
    }

    /// Has the trusted git directory written again before its next use.
    pub(crate) fn distrust_git_dir(&self) {
        *self.trusted_git_dir_ready() = false;
    }

    fn trusted_git_dir_ready(&self) -> MutexGuard<'_, bool> {
        locked(&self.shared.known.trusted_git_dir_ready)
    }

    /// Makes sure the trusted git directory exists and holds what this version writes there.
    pub(super) fn ensure_trusted_git_dir(&self) -> Result<()> {
        let mut ready = self.trusted_git_dir_ready();
        let dir = self.trusted_git_dir();
        // Somebody may remove it while a session is at work, whose files are to be captured all the same.
        if *ready && dir.join("HEAD").exists() {
            return Ok(());
        }
        for part in ["objects", "refs", "info"] {
            let path = dir.join(part);
            std::fs::create_dir_all(&path).map_err(|e| Error::io("create", &path, &e))?;
        }
        let config = slot_git::bare_config(self.object_format(), true);
        let excludes = self.user_excludes();
        let contents: [&[u8]; 4] = [b"ref: refs/heads/none\n", config.as_bytes(), &excludes, b""];
        for (name, content) in HAS.iter().zip(contents) {
            worktree::write_if_changed(&dir.join(name), content)?;
        }
        // An unconfined session, of an earlier run too, may have written there.
        for name in NEVER_HAS {
            worktree::remove(&dir.join(name))?;
        }
        *ready = true;
        Ok(())
    }
}
