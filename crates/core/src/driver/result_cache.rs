//! How commands ended on trees: kept so that what was verified at a landing is the next unit's base for free.

use super::run_loop::Driver;
use crate::engine::oracle;

/// Stands for the exit of a command that exited 0 and proved nothing.
pub(super) const UNPROVEN: i32 = -2;

impl Driver<'_> {
    /// Returns how a command ended on a tree: in this run, else in an earlier one.
    pub(super) fn known(&self, key: &str) -> Option<i32> {
        let here = self.cache().exits.get(key).copied();
        here.or_else(|| self.machine.cached_result(key))
    }

    /// Returns how a command ended on a tree. A walk trusts only what it saw itself: this decides what is done, and
    /// what earlier runs wrote down is in a place that an unconfined session can write to.
    pub(super) fn witnessed(&self, key: &str) -> Option<i32> {
        let cache = self.cache();
        match cache.exits.get(key) {
            None if !cache.walking => self.machine.cached_result(key),
            here => here.copied(),
        }
    }

    /// Caches how a command ended on a tree, for this run and later ones.
    pub(super) fn cache_exit(&self, key: String, exit: i32) {
        self.machine.cache_result(&key, exit);
        self.cache().exits.insert(key, exit);
    }
}

/// Returns the name under which a command's result on a tree is cached.
pub(super) fn base_key(tree_key: &str, shell: &str) -> String {
    use sha2::{Digest, Sha256};
    let hash = oracle::hex(&Sha256::digest(shell.as_bytes()));
    format!("{tree_key}-{}", &hash[..24])
}
