//! The lock files that git makes and removes around its writes: one that stays was left by a git that was killed, or is held.

use super::Git;
use super::user_index::LOCK_MARK;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// What a lock keeps from happening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockHolds {
    /// The checkout cannot follow what lands.
    Checkout,
    /// Nothing can land.
    Branch,
}

impl Git {
    /// Returns the locks that are there now and keep a run of these branches (`refs/heads/…`) from its end: of the index, and of
    /// what each branch stands in. One that a run of ours left is removed by the next.
    pub fn locks_there(&self, branches: &BTreeSet<String>) -> Vec<(PathBuf, LockHolds)> {
        if branches.is_empty() {
            return vec![];
        }
        let (own, common) = (self.git_dir(), self.common_dir());
        let index = own.join("index.lock");
        let is_ours = fs::read(&index).is_ok_and(|content| content == LOCK_MARK);
        let index = (!is_ours).then_some((index, LockHolds::Checkout));
        let of_branch = |branch| (common.join(format!("{branch}.lock")), LockHolds::Branch);
        let there = index.into_iter().chain(branches.iter().map(of_branch));
        there.filter(|(path, _)| path.exists()).collect()
    }
}
