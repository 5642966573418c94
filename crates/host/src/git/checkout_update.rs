//! Letting the user's checkout follow a branch that moved under it.
//!
//! Invariants: a file is replaced or removed only while it is what the old commit has there; an index entry only while
//! it is the old commit's, or a plan file's that the user staged, which takes what the run wrote; the index is replaced
//! as a whole, under git's own lock, which is taken before the branch moves; a crash at any point is finished by
//! `Git::recover_follow`. A checkout that cannot be refreshed is reported with the command to do it, never an error: the
//! landing stands.

use super::checkout_intent::CheckoutIntent;
use super::git_command::{CommandScope, GitCommand};
use super::user_index::LockedIndex;
use super::{Change, Git, GitPath, RefFormat, worktree};
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a lock of the branch must have been left alone to be taken for one of a killed run.
const LOCK_WAIT: Duration = Duration::from_secs(3);

/// How often it is looked at.
const LOCK_POLL: Duration = Duration::from_millis(20);

/// Why the checkout follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occasion {
    /// The branch has just moved.
    Landing,
    /// An update was killed or failed on the way: git may have left a file missing or half written.
    Recovery,
}

/// From where to where a branch moved.
#[derive(Clone, Copy)]
struct CommitMove {
    old: ObjectId,
    new: ObjectId,
}

impl Git {
    /// Returns whether a recorded move happened: the branch contains it.
    fn happened(&self, intent: &CheckoutIntent, tip: ObjectId) -> Result<bool> {
        for commit in [Some(intent.new), intent.landed].into_iter().flatten() {
            if self.resolve(&commit.hex())?.is_some() && self.is_ancestor(commit, tip)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lets the checkout follow a recorded move to `tip`, and removes the record once that is done. `ahead` is the index
    /// where it was locked before the move.
    pub(super) fn finish_follow(
        &self,
        intent: &CheckoutIntent,
        ahead: Option<LockedIndex>,
        tip: ObjectId,
    ) -> CheckoutUpdate {
        // After an update that failed, git may have left files missing or half written, as after a kill.
        let occasion = match intent.landed {
            Some(_) => Occasion::Recovery,
            None => Occasion::Landing,
        };
        self.finish_on(intent, tip, (occasion, ahead))
    }

    fn finish_on(
        &self,
        intent: &CheckoutIntent,
        tip: ObjectId,
        (occasion, ahead): (Occasion, Option<LockedIndex>),
    ) -> CheckoutUpdate {
        let followed = self.follow_on(
            &intent.branch,
            CommitMove {
                old: intent.old,
                new: tip,
            },
            (occasion, ahead),
        );
        if followed.not_followed.is_none() {
            // If neither works, the next landing takes the checkout for edited, and reports that.
            let _ = self.remove_intent();
        }
        followed
    }

    /// Returns whether a move was interrupted and is yet to be finished.
    pub fn is_behind(&self) -> bool {
        self.intent().is_ok_and(|intent| intent.is_some())
    }

    /// Finishes what a crash interrupted: stale locks of ours, and a checkout that has not followed its branch.
    ///
    /// Only for the holder of the driver's lock, at start-up. Returns `None` when there was nothing to do.
    pub fn recover_follow(&self) -> Result<Option<CheckoutUpdate>> {
        let _lock = self.lock_checkout();
        self.remove_stale_pin_locks();
        let Some(intent) = self.intent()? else {
            return Ok(None);
        };
        self.remove_our_index_lock();
        if self.ref_format() == RefFormat::Files {
            let branch = format!("{}.lock", intent.branch);
            remove_abandoned(&self.common_dir().join(branch));
            remove_abandoned(&self.git_dir().join("HEAD.lock"));
        }
        let here = self.head_branch()?.as_deref() == Some(&intent.branch);
        match self.resolve(&intent.branch)? {
            Some(tip) if here && self.happened(&intent, tip)? => Ok(Some(self.finish_on(
                &intent,
                tip,
                (Occasion::Recovery, None),
            ))),
            _ => {
                self.remove_intent()?;
                Ok(None)
            }
        }
    }

    /// Updates the user's checkout from `old` to `new` wherever they have not edited, when `branch` is checked out.
    pub(crate) fn follow(&self, branch: &str, old: ObjectId, new: ObjectId) -> CheckoutUpdate {
        self.follow_on(branch, CommitMove { old, new }, (Occasion::Landing, None))
    }

    fn follow_on(
        &self,
        branch: &str,
        moved: CommitMove,
        (occasion, ahead): (Occasion, Option<LockedIndex>),
    ) -> CheckoutUpdate {
        let result = self.head_branch().and_then(|here| {
            if here.as_deref() == Some(branch) {
                self.follow_locked(moved, (occasion, ahead))
            } else {
                Ok(CheckoutUpdate::default())
            }
        });
        result.unwrap_or_else(|error| {
            let (old, new) = (moved.old.short(), moved.new.short());
            let command = format!("git read-tree -m -u {old} {new}");
            let problem =
                format!("{error}; the commit stands, and `{command}` refreshes the checkout");
            CheckoutUpdate {
                not_followed: Some(problem),
                ..CheckoutUpdate::default()
            }
        })
    }

    fn follow_locked(
        &self,
        moved: CommitMove,
        (occasion, ahead): (Occasion, Option<LockedIndex>),
    ) -> Result<CheckoutUpdate> {
        let changes = self.diff(moved.old, moved.new)?;
        if changes.is_empty() {
            return Ok(CheckoutUpdate::default());
        }
        let index = match ahead {
            Some(index) => index,
            None => self.lock_index()?,
        };
        if !index.real.exists() {
            // A checkout without an index has no files of ours to replace.
            let kept = changes
                .iter()
                .map(|change| change.path.to_shown())
                .collect();
            return Ok(CheckoutUpdate {
                kept,
                ..CheckoutUpdate::default()
            });
        }
        let is_delicate = self.is_delicate(&changes);
        let edited = match is_delicate {
            true => None,
            false => self.edit_checkout(&index, &changes)?,
        };
        if let Some((followed, written)) = edited {
            self.replace_index(&index)?;
            self.keep_user_index(&index, written);
            return Ok(followed);
        }
        index.make_copy()?;
        if !is_delicate && self.two_tree_merge(&index, moved, false)? {
            self.replace_index(&index)?;
            return Ok(CheckoutUpdate::default());
        }
        self.follow_paths(&index, &changes, occasion)
            .and_then(|followed| {
                self.replace_index(&index)?;
                Ok(followed)
            })
    }

    /// Returns whether the checkout could go from `old` to `new` without touching anything of the user's.
    pub(super) fn can_follow(&self, old: ObjectId, new: ObjectId) -> Result<bool> {
        let changes = self.diff(old, new)?;
        if changes.is_empty() {
            return Ok(true);
        }
        let index = self.lock_index()?;
        index.make_copy()?;
        Ok(!self.is_delicate(&changes)
            && self.two_tree_merge(&index, CommitMove { old, new }, true)?)
    }

    /// Returns whether git's own step would go too far: it overwrites an ignored file where a new one goes, and restores
    /// a file the user removed.
    fn is_delicate(&self, changes: &[Change]) -> bool {
        let gone = |path: &GitPath| {
            let at = changes.binary_search_by(|change| change.path.cmp(path));
            at.is_ok_and(|at| changes[at].new.is_none())
        };
        // In a sparse checkout files are missing by design, and git knows which.
        let sparse = self.is_sparse();
        let missing =
            |path: &GitPath| fs::symlink_metadata(self.work_tree().join(path.as_path())).is_err();
        changes.iter().any(|change| match (change.old, change.new) {
            (None, _) => worktree::occupied(self.work_tree(), &change.path, &gone),
            (Some(_), Some(_)) => !sparse && missing(&change.path),
            (Some(_), None) => false,
        })
    }

    /// Lets git merge both trees into the copy of the index and the files; `false` if it refused, having changed nothing.
    fn two_tree_merge(
        &self,
        index: &LockedIndex,
        moved: CommitMove,
        dry_run: bool,
    ) -> Result<bool> {
        let mut call = GitCommand::new(self, CommandScope::User(Some(&index.copy)), "read-tree")
            .args(["-m", "-u"]);
        if dry_run {
            call = call.arg("-n");
        }
        Ok(call
            .args([moved.old.hex(), moved.new.hex()])
            .accept(&[0, 1, 128])
            .run()?
            .code
            == 0)
    }
}

/// Removes a lock of the move that was interrupted, if nobody has touched it for a while.
fn remove_abandoned(lock: &Path) {
    let age = || {
        let modified = fs::symlink_metadata(lock).ok()?.modified().ok()?;
        // A time in the future is as good as any other: what counts is that it does not change.
        Some(modified.elapsed().unwrap_or_default())
    };
    let give_up = Instant::now() + LOCK_WAIT;
    while let Some(age) = age() {
        if age > LOCK_WAIT || Instant::now() > give_up {
            // What cannot be removed is reported by the update that needs it.
            let _ = fs::remove_file(lock);
            return;
        }
        std::thread::sleep(LOCK_POLL);
    }
}
