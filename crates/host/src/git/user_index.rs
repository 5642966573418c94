//! The user's index: locked against every other git, worked on as a copy or written anew, and put back as a whole.
//!
//! Invariant: until `Git::replace_index` the user's own index is untouched, and afterwards it is complete.

use super::checkout_update_rules::Indexed;
use super::file_swap::put_new;
use super::file_times::copy_keeping_time;
use super::git_command::{CommandScope, GitCommand};
use super::index::IndexFile;
use super::private_index::{FileIdentity, identity};
use super::{Change, Git, GitPath, Version, worktree};
use crate::crash;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

/// How long another git may hold the index before the checkout is left for later.
const LOCK_WAIT: Duration = Duration::from_secs(3);

/// How often the lock is tried.
const LOCK_POLL: Duration = Duration::from_millis(20);

/// The user's index, locked against every other git, and the place of our working copy of it.
pub(super) struct LockedIndex {
    /// The index, if there is one.
    pub(crate) real: PathBuf,
    lock: PathBuf,
    /// The copy that git commands work on, once it is made, and what takes the index's place.
    pub(crate) copy: PathBuf,
}

impl Git {
    /// Takes the lock every git takes before it writes the index.
    pub(super) fn lock_index(&self) -> Result<LockedIndex> {
        let dir = self.scratch_dir()?;
        let (real, lock) = (
            self.git_dir().join("index"),
            self.git_dir().join("index.lock"),
        );
        worktree::remove(&dir.join("user-index.lock"))?;
        // The mark is in the lock from its first moment: a kill must not leave one that looks like another git's.
        let marked = dir.join("index-lock");
        fs::write(&marked, LOCK_MARK).map_err(|e| Error::io("write", &marked, &e))?;
        crash::around("lock the index", || take_lock(&marked, &lock))?;
        // From here on the drop of `index` releases the lock.
        let index = LockedIndex {
            real,
            lock,
            copy: dir.join("user-index"),
        };
        worktree::remove(&index.copy)?;
        Ok(index)
    }

    /// Takes the lock before a branch or `HEAD` moves, and keeps it until the checkout has followed: a `git commit` between
    /// the two would commit the index as it was, on top of what landed, and so take that back.
    ///
    /// None where another git keeps the lock: it has read where `HEAD` was, and git refuses its commit once that moved.
    pub(super) fn lock_index_ahead(&self) -> Option<LockedIndex> {
        self.lock_index().ok()
    }

    /// Removes an index lock that a run of ours left when it was killed.
    pub(super) fn remove_our_index_lock(&self) {
        let lock = self.git_dir().join("index.lock");
        if fs::read(&lock).is_ok_and(|content| content == LOCK_MARK) {
            // What cannot be removed is reported when the lock is needed.
            let _ = fs::remove_file(&lock);
        }
    }

    /// Returns what the user's index has, entries that only announce a file (`git add -N`) left out.
    pub(super) fn index_entries(
        &self,
        index: &LockedIndex,
        changes: &[Change],
    ) -> Result<BTreeMap<GitPath, Indexed>> {
        let scope = CommandScope::User(Some(&index.copy));
        let output = GitCommand::new(self, scope, "ls-files")
            .args(["-s", "-t", "-z"])
            .run()?;
        let mut entries: BTreeMap<GitPath, Indexed> = output
            .stdout
            .split(|byte| *byte == 0)
            .filter_map(Listed::parse)
            .map(|listed| {
                let entry = Indexed {
                    version: listed.version,
                    unmerged: listed.unmerged,
                    skip_worktree: listed.tag == b'S',
                };
                (listed.path, entry)
            })
            .collect();
        // Such an entry looks like an empty file in a listing, so only then is it worth asking.
        let empty = self.write_blob(b"")?;
        let announced = |change: &&Change| {
            change.old.is_none()
                && entries
                    .get(&change.path)
                    .is_some_and(|e| e.version.oid == empty)
        };
        if changes.iter().any(|change| announced(&change)) {
            let call = GitCommand::new(self, scope, "diff-files").args([
                "--name-only",
                "--diff-filter=A",
                "-z",
            ]);
            for path in call.run()?.paths() {
                entries.remove(&path);
            }
        }
        Ok(entries)
    }
}

impl Git {
    /// Puts the copy in the index's place. The lock is released by the drop, after that.
    pub(super) fn replace_index(&self, index: &LockedIndex) -> Result<()> {
        crash::around("replace the index", || fs::rename(&index.copy, &index.real))
            .map_err(|e| Error::io("replace", &index.real, &e))?;
        self.shared.known.replaced.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the user's index, which is locked, if this reader knows all that is in it.
    pub(super) fn user_index(&self, index: &LockedIndex) -> Result<Option<UserIndex>> {
        let kept = self.kept_user_index().clone();
        if let Some((file, kept)) = kept
            && identity(&index.real) == Some(file)
        {
            return Ok(Some(kept));
        }
        let raw = fs::read(&index.real).map_err(|e| Error::io("read", &index.real, &e))?;
        let read = IndexFile::parse(&raw, self.object_format());
        Ok(read.map(|read| UserIndex {
            file: Arc::new(read),
            uncached: BTreeSet::new(),
            apart: false,
        }))
    }

    /// Keeps what this process put in the index's place, for as long as it is that file: the next landing reads it again.
    pub(super) fn keep_user_index(&self, index: &LockedIndex, written: UserIndex) {
        let file = identity(&index.real);
        *self.kept_user_index() = file.map(|file| (file, written));
    }

    fn kept_user_index(&self) -> MutexGuard<'_, Option<(FileIdentity, UserIndex)>> {
        locked(&self.shared.known.user_index)
    }
}

/// The user's index as it was read or made.
#[derive(Debug, Clone)]
pub(super) struct UserIndex {
    pub(super) file: Arc<IndexFile>,
    /// Directories of which it is known that it has no cached tree, by their paths, the root's empty.
    pub(super) uncached: BTreeSet<GitPath>,
    /// Whether the work tree's file system gives each change of a file a time of its own.
    pub(super) apart: bool,
}

/// An entry as `git ls-files -s` lists it, with the tag that `-t` or `-v` puts before it.
pub(super) struct Listed {
    /// `H`, `S` for a file left out of the checkout, in lower case (`-v`) for one taken to be unchanged.
    pub(crate) tag: u8,
    pub(crate) path: GitPath,
    pub(crate) version: Version,
    /// Whether it is one side of a conflict.
    pub(crate) unmerged: bool,
}

impl Listed {
    /// Parses `<tag> <mode> <oid> <stage>\t<path>`.
    pub(super) fn parse(record: &[u8]) -> Option<Listed> {
        let tab = record.iter().position(|byte| *byte == b'\t')?;
        let head = std::str::from_utf8(&record[..tab]).ok()?;
        let fields: Vec<&str> = head.split(' ').collect();
        let [tag, mode, oid, stage] = fields[..] else {
            return None;
        };
        Some(Listed {
            tag: *tag.as_bytes().first()?,
            path: GitPath::new(&record[tab + 1..]),
            version: Version {
                mode: u32::from_str_radix(mode, 8).ok()?,
                oid: ObjectId::parse(oid.as_bytes())?,
            },
            unmerged: stage != "0",
        })
    }
}

/// What we write into the index lock; git writes an index there, which starts with `DIRC`.
pub(super) const LOCK_MARK: &[u8] = b"gatewalk\n";

/// Puts a marked file in the place of a lock, waiting a bounded time for another git to release it.
fn take_lock(marked: &Path, lock: &Path) -> Result<()> {
    let give_up = Instant::now() + LOCK_WAIT;
    while !put_new(marked, lock)? {
        if Instant::now() > give_up {
            return Err(Error::environment(format!(
                "another git holds `{}`",
                lock.display()
            )));
        }
        std::thread::sleep(LOCK_POLL);
    }
    Ok(())
}

impl LockedIndex {
    /// Makes the copy that git commands work on; none where there is no index.
    pub(super) fn make_copy(&self) -> Result<()> {
        match self.real.exists() {
            true => copy_keeping_time(&self.real, &self.copy),
            false => Ok(()),
        }
    }

    /// Makes the copy with other entries, and gives these a checksum. Whoever may read the index may read this one.
    pub(super) fn write_copy(&self, index: &mut IndexFile) -> Result<()> {
        let mut write = || {
            let permissions = fs::metadata(&self.real)?.permissions();
            let mut file = fs::File::create(&self.copy)?;
            index.write_with_checksum(&mut file)?;
            file.set_permissions(permissions)
        };
        write().map_err(|e| Error::io("write", &self.copy, &e))
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
        let _ = crash::around("unlock the index", || fs::remove_file(&self.lock));
    }
}
