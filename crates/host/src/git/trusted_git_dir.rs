//! The vault: a git directory of our own that shares nothing but the object store, for every work tree an agent may have
//! written.
//!
//! Invariant: while git uses it, it says what is written here and nothing else.

use super::{Git, slot_git, worktree};
use gatewalk_core::error::{Error, Result};
use std::path::PathBuf;
use std::sync::{MutexGuard, PoisonError};

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
    /// Returns what of the vault decides what git does there.
    pub fn vault_settings(&self) -> Vec<PathBuf> {
        let names = HAS.iter().chain(&NEVER_HAS);
        names.map(|name| self.vault_dir().join(name)).collect()
    }

    /// Lets the vault be made anew before it is used again.
    pub fn distrust_vault(&self) {
        *self.vault_is_ready() = false;
    }

    fn vault_is_ready(&self) -> MutexGuard<'_, bool> {
        let ready = self.shared.vault.lock();
        ready.unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes sure the vault exists and holds what this version writes there.
    pub(super) fn ensure_vault(&self) -> Result<()> {
        let mut ready = self.vault_is_ready();
        let dir = self.vault_dir();
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
