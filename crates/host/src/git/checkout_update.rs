//! Letting the user's checkout follow a branch that moved under it.
//!
//! Invariants: a file is replaced or removed only while it is what the old commit has there; an index entry only while
//! it is the old commit's; the index is replaced as a whole, under git's own lock; a crash at any point is finished by
//! `Git::recover_follow`. A checkout that cannot be refreshed is reported with the command to do it, never an error:
//! the landing stands.

use super::git_command::{CommandScope, GitCommand};
use super::user_index::LockedIndex;
use super::worktree;
use super::{Change, Git, GitPath, RefFormat};
use crate::files::write_runtime;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a lock of the branch must have been left alone to be taken for one of a killed run.
const LOCK_WAIT: Duration = Duration::from_secs(3);

/// How often it is looked at.
const LOCK_POLL: Duration = Duration::from_millis(20);

/// What became of the user's checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckoutUpdateOutcome {
    /// The paths that are now the new commit's.
    pub updated: Vec<GitPath>,
    /// The paths left as the user has them, or out of the way of something of theirs.
    pub kept: Vec<GitPath>,
    /// Why the checkout could not be refreshed at all, with the command that does it.
    pub problem: Option<String>,
}

/// The record of a move that the checkout has yet to follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Intent {
    branch: String,
    old: ObjectId,
    new: ObjectId,
    /// An earlier move that did happen and was not followed either.
    landed: Option<ObjectId>,
}

/// Why the checkout follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occasion {
    /// The branch has just moved.
    Landing,
    /// A run was killed on the way: git may have left a file missing or half written.
    Recovery,
}

impl Git {
    fn intent_path(&self) -> PathBuf {
        self.state_dir().join("follow.json")
    }

    /// Records that `branch` is about to move, if it is checked out here.
    pub(super) fn intend_follow(
        &self,
        branch: &str,
        old: ObjectId,
        new: ObjectId,
    ) -> Result<Option<Intent>> {
        if self.head()?.branch.as_deref() != Some(branch) {
            return Ok(None);
        }
        // A checkout that is still behind an earlier move has to follow from there.
        let intent = match self.intent()? {
            Some(earlier) if earlier.branch == branch => Intent {
                landed: Some(earlier.new),
                new,
                ..earlier
            },
            _ => Intent {
                branch: branch.to_owned(),
                old,
                new,
                landed: None,
            },
        };
        self.write_intent(&intent)?;
        Ok(Some(intent))
    }

    /// Records that `HEAD` is about to move from a commit to another branch.
    pub(super) fn intend_switch(
        &self,
        branch: &str,
        old: ObjectId,
        new: ObjectId,
    ) -> Result<Intent> {
        let intent = Intent {
            branch: branch.to_owned(),
            old,
            new,
            landed: None,
        };
        self.write_intent(&intent)?;
        Ok(intent)
    }

    fn write_intent(&self, intent: &Intent) -> Result<()> {
        let dir = self.state_dir();
        fs::create_dir_all(&dir).map_err(|e| Error::io("create", &dir, &e))?;
        let Intent {
            branch,
            old,
            new,
            landed,
        } = intent;
        let landed = landed.map(|oid| oid.hex());
        let text = serde_json::json!({ "branch": branch, "old": old.hex(), "new": new.hex(), "landed": landed });
        write_runtime(&self.intent_path(), text.to_string().as_bytes())
    }

    /// Returns the recorded move, if one is unfinished; an unreadable record is none.
    pub(super) fn intent(&self) -> Result<Option<Intent>> {
        let path = self.intent_path();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Error::io("read", &path, &e)),
        };
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else {
            return Ok(None);
        };
        let text = |key: &str| value.get(key).and_then(|value| value.as_str());
        let oid = |key: &str| text(key).and_then(|hex| ObjectId::parse(hex.as_bytes()));
        let intent = (text("branch"), oid("old"), oid("new"));
        let (Some(branch), Some(old), Some(new)) = intent else {
            return Ok(None);
        };
        Ok(Some(Intent {
            branch: branch.to_owned(),
            old,
            new,
            landed: oid("landed"),
        }))
    }

    /// Forgets a move that did not happen; an earlier one that is unfinished stays recorded.
    pub(super) fn withdraw_intent(&self, intent: &Intent) -> Result<()> {
        match intent.landed {
            Some(landed) => self.write_intent(&Intent {
                new: landed,
                landed: None,
                ..intent.clone()
            }),
            None => self.forget_intent(),
        }
    }

    /// Removes the record, or else replaces it by an empty one.
    fn forget_intent(&self) -> Result<()> {
        let path = self.intent_path();
        worktree::remove(&path).or_else(|_| write_runtime(&path, b"{}"))
    }

    /// Returns whether a recorded move happened: the branch contains it.
    fn happened(&self, intent: &Intent, tip: ObjectId) -> Result<bool> {
        for commit in [Some(intent.new), intent.landed].into_iter().flatten() {
            if self.resolve(&commit.hex())?.is_some() && self.is_ancestor(commit, tip)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lets the checkout follow a recorded move to `tip`, and forgets the record once that is done.
    pub(super) fn finish_follow(&self, intent: &Intent, tip: ObjectId) -> CheckoutUpdateOutcome {
        self.finish_on(intent, tip, Occasion::Landing)
    }

    fn finish_on(
        &self,
        intent: &Intent,
        tip: ObjectId,
        occasion: Occasion,
    ) -> CheckoutUpdateOutcome {
        let followed = self.follow_on(&intent.branch, intent.old, tip, occasion);
        if followed.problem.is_none() {
            // If neither works, the next landing takes the checkout for edited, and reports that.
            let _ = self.forget_intent();
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
    pub fn recover_follow(&self) -> Result<Option<CheckoutUpdateOutcome>> {
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
        let here = self.head()?.branch.as_deref() == Some(&intent.branch);
        match self.resolve(&intent.branch)? {
            Some(tip) if here && self.happened(&intent, tip)? => {
                Ok(Some(self.finish_on(&intent, tip, Occasion::Recovery)))
            }
            _ => {
                self.forget_intent()?;
                Ok(None)
            }
        }
    }

    /// Updates the user's checkout from `old` to `new` wherever they have not edited, when `branch` is checked out.
    pub fn follow(&self, branch: &str, old: ObjectId, new: ObjectId) -> CheckoutUpdateOutcome {
        self.follow_on(branch, old, new, Occasion::Landing)
    }

    fn follow_on(
        &self,
        branch: &str,
        old: ObjectId,
        new: ObjectId,
        occasion: Occasion,
    ) -> CheckoutUpdateOutcome {
        let result = self.head().and_then(|head| {
            if head.branch.as_deref() == Some(branch) {
                self.follow_locked(old, new, occasion)
            } else {
                Ok(CheckoutUpdateOutcome::default())
            }
        });
        result.unwrap_or_else(|error| {
            let command = format!("git read-tree -m -u {} {}", old.short(), new.short());
            let problem =
                format!("{error}; the commit stands, and `{command}` refreshes the checkout");
            CheckoutUpdateOutcome {
                problem: Some(problem),
                ..CheckoutUpdateOutcome::default()
            }
        })
    }

    fn follow_locked(
        &self,
        old: ObjectId,
        new: ObjectId,
        occasion: Occasion,
    ) -> Result<CheckoutUpdateOutcome> {
        let changes = self.diff(old, new)?;
        if changes.is_empty() {
            return Ok(CheckoutUpdateOutcome::default());
        }
        let index = self.lock_index()?;
        if !index.copy.exists() {
            // A checkout without an index has no files of ours to replace.
            let kept = changes.into_iter().map(|change| change.path).collect();
            return Ok(CheckoutUpdateOutcome {
                kept,
                ..CheckoutUpdateOutcome::default()
            });
        }
        if !self.is_delicate(&changes) && self.two_tree_merge(&index, old, new, false)? {
            self.replace_index(&index)?;
            let updated = changes.into_iter().map(|change| change.path).collect();
            return Ok(CheckoutUpdateOutcome {
                updated,
                ..CheckoutUpdateOutcome::default()
            });
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
        Ok(!self.is_delicate(&changes) && self.two_tree_merge(&index, old, new, true)?)
    }

    /// Returns whether git's own step would go too far: it overwrites an ignored file where a new one goes, and brings
    /// back a file the user removed.
    fn is_delicate(&self, changes: &[Change]) -> bool {
        let gone = |path: &GitPath| {
            let at = changes.binary_search_by(|change| change.path.cmp(path));
            at.is_ok_and(|at| changes[at].new.is_none())
        };
        // In a sparse checkout files are missing by design, and git knows which.
        let sparse = self.settings().get("core.sparsecheckout") == Some("true");
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
        old: ObjectId,
        new: ObjectId,
        dry_run: bool,
    ) -> Result<bool> {
        let mut call = GitCommand::new(self, CommandScope::User(Some(&index.copy)), "read-tree")
            .args(["-m", "-u"]);
        if dry_run {
            call = call.arg("-n");
        }
        Ok(call
            .args([old.hex(), new.hex()])
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
