//! Letting the operator's checkout follow a branch that moved under it.
//!
//! Invariants: a file is replaced or removed only while it is what the old commit has there; an index entry only while
//! it is the old commit's; the index is replaced as a whole, under git's own lock; a crash at any point is finished by
//! [`Git::recover_follow`]. A checkout that cannot be refreshed is reported with the command to do it, never an error:
//! the landing stands.

use super::run::{Call, Scope};
use super::slot_git::copy_keeping_time;
use super::worktree;
use super::{Change, Git, GitPath, Oid, RefFormat};
use crate::error::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long another git may hold the index before the checkout is left for later.
const LOCK_WAIT: Duration = Duration::from_secs(3);

/// How often the lock is tried.
const LOCK_POLL: Duration = Duration::from_millis(20);

/// What became of the operator's checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Followed {
    /// The paths that are now the new commit's.
    pub updated: Vec<GitPath>,
    /// The paths left as the operator has them, or out of the way of something of theirs.
    pub kept: Vec<GitPath>,
    /// Why the checkout could not be refreshed at all, with the command that does it.
    pub problem: Option<String>,
}

/// The record of a move that the checkout has yet to follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Intent {
    branch: String,
    old: Oid,
    new: Oid,
    /// An earlier move that did happen and was not followed either.
    landed: Option<Oid>,
}

/// The operator's index, locked against every other git, and our working copy of it.
pub(super) struct LockedIndex {
    real: PathBuf,
    lock: PathBuf,
    /// The copy that git commands work on.
    pub copy: PathBuf,
}

impl Git {
    fn intent_path(&self) -> PathBuf {
        self.state_dir().join("follow.json")
    }

    /// Records that `branch` is about to move, if it is checked out here.
    pub(super) fn intend_follow(&self, branch: &str, old: Oid, new: Oid) -> Result<Option<Intent>> {
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
    pub(super) fn intend_switch(&self, branch: &str, old: Oid, new: Oid) -> Result<Intent> {
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
        worktree::write_if_changed(&self.intent_path(), text.to_string().as_bytes())
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
        let oid = |key: &str| text(key).and_then(|hex| Oid::parse(hex.as_bytes()));
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
            None => worktree::remove(&self.intent_path()),
        }
    }

    /// Returns whether a recorded move happened: the branch contains it.
    fn happened(&self, intent: &Intent, tip: Oid) -> Result<bool> {
        for commit in [Some(intent.new), intent.landed].into_iter().flatten() {
            if self.resolve(&commit.hex())?.is_some() && self.is_ancestor(commit, tip)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lets the checkout follow a recorded move to `tip`, and forgets the record once that is done.
    pub(super) fn finish_follow(&self, intent: &Intent, tip: Oid) -> Followed {
        let followed = self.follow(&intent.branch, intent.old, tip);
        if followed.problem.is_none() {
            // A record left behind is followed again, which changes nothing.
            let _ = worktree::remove(&self.intent_path());
        }
        followed
    }

    /// Finishes what a crash interrupted: stale locks of ours, and a checkout that has not followed its branch.
    ///
    /// Only for the holder of the driver's lock, at start-up. Returns `None` when there was nothing to do.
    pub fn recover_follow(&self) -> Result<Option<Followed>> {
        self.remove_stale_pin_locks();
        let Some(intent) = self.intent()? else {
            return Ok(None);
        };
        self.remove_our_index_lock();
        self.remove_branch_lock(&intent.branch);
        let here = self.head()?.branch.as_deref() == Some(&intent.branch);
        match self.resolve(&intent.branch)? {
            Some(tip) if here && self.happened(&intent, tip)? => {
                Ok(Some(self.finish_follow(&intent, tip)))
            }
            _ => {
                worktree::remove(&self.intent_path())?;
                Ok(None)
            }
        }
    }

    /// Removes the lock of the branch whose move was interrupted, if nobody has touched it for a while.
    fn remove_branch_lock(&self, branch: &str) {
        if self.ref_format() != RefFormat::Files {
            return;
        }
        let lock = self.common_dir().join(format!("{branch}.lock"));
        let age = || {
            fs::symlink_metadata(&lock)
                .ok()?
                .modified()
                .ok()?
                .elapsed()
                .ok()
        };
        let give_up = Instant::now() + LOCK_WAIT;
        while let Some(age) = age() {
            if age > LOCK_WAIT || Instant::now() > give_up {
                // What cannot be removed is reported by the update that needs it.
                let _ = fs::remove_file(&lock);
                return;
            }
            std::thread::sleep(LOCK_POLL);
        }
    }

    /// Brings the operator's checkout from `old` to `new` wherever they have not edited, when `branch` is checked out.
    pub fn follow(&self, branch: &str, old: Oid, new: Oid) -> Followed {
        let result = self.head().and_then(|head| {
            if head.branch.as_deref() == Some(branch) {
                self.follow_locked(old, new)
            } else {
                Ok(Followed::default())
            }
        });
        result.unwrap_or_else(|error| {
            let command = format!("git read-tree -m -u {} {}", old.short(), new.short());
            let problem =
                format!("{error}; the commit stands, and `{command}` refreshes the checkout");
            Followed {
                problem: Some(problem),
                ..Followed::default()
            }
        })
    }

    fn follow_locked(&self, old: Oid, new: Oid) -> Result<Followed> {
        let changes = self.diff(old, new)?;
        if changes.is_empty() {
            return Ok(Followed::default());
        }
        let index = self.lock_index()?;
        if !self.is_occupied(&changes) && self.two_tree_merge(&index, old, new, false)? {
            index.replace()?;
            let updated = changes.into_iter().map(|change| change.path).collect();
            return Ok(Followed {
                updated,
                ..Followed::default()
            });
        }
        self.follow_paths(&index, &changes).and_then(|followed| {
            index.replace()?;
            Ok(followed)
        })
    }

    /// Returns whether the checkout could go from `old` to `new` without touching anything of the operator's.
    pub(super) fn can_follow(&self, old: Oid, new: Oid) -> Result<bool> {
        let changes = self.diff(old, new)?;
        if changes.is_empty() {
            return Ok(true);
        }
        let index = self.lock_index()?;
        Ok(!self.is_occupied(&changes) && self.two_tree_merge(&index, old, new, true)?)
    }

    /// Returns whether something lies where a new file goes. Git itself would overwrite an ignored file there.
    fn is_occupied(&self, changes: &[Change]) -> bool {
        changes
            .iter()
            .filter(|change| change.old.is_none())
            .any(
                |change| match worktree::inside(self.work_tree(), &change.path) {
                    Some(path) => fs::symlink_metadata(path).is_ok(),
                    None => worktree::blocked(self.work_tree(), &change.path),
                },
            )
    }

    /// Lets git merge both trees into the copy of the index and the files; `false` if it refused, having changed nothing.
    fn two_tree_merge(
        &self,
        index: &LockedIndex,
        old: Oid,
        new: Oid,
        dry_run: bool,
    ) -> Result<bool> {
        let mut call =
            Call::new(self, Scope::Operator(Some(&index.copy)), "read-tree").args(["-m", "-u"]);
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

    /// Takes the lock every git takes before it writes the index, and copies the index.
    fn lock_index(&self) -> Result<LockedIndex> {
        let dir = self.scratch_dir()?;
        let (real, lock) = (
            self.git_dir().join("index"),
            self.git_dir().join("index.lock"),
        );
        worktree::remove(&dir.join("operator-index.lock"))?;
        take_lock(&lock)?;
        // From here on the drop of `index` releases the lock.
        let index = LockedIndex {
            real,
            lock,
            copy: dir.join("operator-index"),
        };
        fs::write(&index.lock, LOCK_MARK).map_err(|e| Error::io("write", &index.lock, &e))?;
        worktree::remove(&index.copy)?;
        if index.real.exists() {
            copy_keeping_time(&index.real, &index.copy)?;
        }
        Ok(index)
    }

    /// Removes an index lock that a run of ours left when it was killed.
    fn remove_our_index_lock(&self) {
        let lock = self.git_dir().join("index.lock");
        if fs::read(&lock).is_ok_and(|content| content == LOCK_MARK) {
            // What cannot be removed is reported when the lock is needed.
            let _ = fs::remove_file(&lock);
        }
    }
}

/// What we write into the index lock; git writes an index there, which starts with `DIRC`.
const LOCK_MARK: &[u8] = b"gatewalk\n";

/// Creates a lock file, waiting a bounded time for another git to release it.
fn take_lock(lock: &Path) -> Result<()> {
    let give_up = Instant::now() + LOCK_WAIT;
    loop {
        match fs::File::options().write(true).create_new(true).open(lock) {
            Ok(_) => return Ok(()),
            Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(Error::io("create", lock, &e));
            }
            Err(_) if Instant::now() > give_up => {
                return Err(Error::environment(format!(
                    "another git holds `{}`",
                    lock.display()
                )));
            }
            Err(_) => std::thread::sleep(LOCK_POLL),
        }
    }
}

impl LockedIndex {
    /// Puts the copy in the index's place. The lock is released by the drop, after that.
    fn replace(&self) -> Result<()> {
        fs::rename(&self.copy, &self.real).map_err(|e| Error::io("replace", &self.real, &e))
    }

    /// Returns the file that files are prepared beside.
    pub(super) fn copy_dir(&self) -> &Path {
        self.copy.parent().unwrap_or(&self.copy)
    }
}

impl Drop for LockedIndex {
    fn drop(&mut self) {
        // Either may be gone already; a lock that cannot be removed is recognised by its mark later.
        let _ = fs::remove_file(&self.copy);
        let _ = fs::remove_file(&self.lock);
    }
}
