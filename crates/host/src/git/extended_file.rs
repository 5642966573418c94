//! Writing on a file that grows at its end, such as an event log, instead of writing it anew with each landing.
//!
//! In a slot it is written on where it stands. In the user's checkout a file is only ever exchanged for another: there two take
//! turns, and the one that was taken out is written on and comes in with the next landing.

use super::cache::BlobContent;
use super::checkout_update_rules::FileMarks;
use super::file_swap::{make_parents, marks_at};
use super::{Change, Git, GitPath, Version, worktree};
use crate::crash;
use crate::inode_state::InodeState;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use rustix::fs::{OFlags, Stat, fstat, lstat};
use std::collections::VecDeque;
use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The length from which on a file is rather extended than written anew, in bytes: a page, which is written whole anyway.
pub(super) const LONG: usize = 4 << 10;

/// A file that was taken out of the checkout, where it stood as an earlier state of one that grows. It goes when this does.
#[derive(Debug)]
pub(super) struct SpareFile {
    path: PathBuf,
    /// What git has of it.
    stored: (Version, BlobContent),
    /// What it was when it was kept: there each change has a time of its own.
    state: InodeState,
}

impl Drop for SpareFile {
    fn drop(&mut self) {
        // Left behind it is only a stray file in the scratch directory.
        let _ = fs::remove_file(&self.path);
    }
}

impl SpareFile {
    /// Returns whether nobody was at it since it was kept: neither at its content nor at its mode, nor gave it another name.
    fn is_as_kept(&self) -> bool {
        lstat(&self.path).is_ok_and(|now| InodeState::of(&now) == self.state)
    }
}

/// Which contents are known to begin with which, by their ids, the newest last: each state of a log is taken up in several places.
pub(super) type KnownBeginnings = VecDeque<(ObjectId, ObjectId)>;

/// How many of them are kept: of a log, what each of some slots goes on from.
const MOST_BEGINNINGS: usize = 16;

impl Git {
    /// Returns whether a content, which git has under some id, begins with another.
    fn begins_with(
        &self,
        (id, content): (ObjectId, &[u8]),
        (beginning_id, beginning): (ObjectId, &[u8]),
    ) -> bool {
        let pair = (id, beginning_id);
        if locked(&self.shared.known.beginnings).contains(&pair) {
            return true;
        }
        let begins = content.starts_with(beginning);
        if begins {
            let mut known = locked(&self.shared.known.beginnings);
            known.push_back(pair);
            let surplus = known.len().saturating_sub(MOST_BEGINNINGS);
            known.drain(..surplus);
        }
        begins
    }

    /// Writes a file below a directory by writing on the spare one, which is gone then; none where that is not its beginning.
    pub(super) fn extend_spare(
        &self,
        directory: &Path,
        path: &GitPath,
        new: (Version, &[u8]),
    ) -> Result<Option<Stat>> {
        let (version, content) = new;
        let mut kept = locked(&self.shared.known.spare);
        let goes_on = |spare: &mut SpareFile| {
            let (stored, beginning) = &spare.stored;
            stored.mode == version.mode
                && self.begins_with((version.oid, content), (stored.oid, beginning))
                && spare.is_as_kept()
        };
        let Some(spare) = kept.take_if(goes_on) else {
            return Ok(None);
        };
        if !make_parents(directory, path)? {
            return Ok(None);
        }
        let full = directory.join(path.as_path());
        crash::around("rename", || fs::rename(&spare.path, &full))
            .map_err(|e| Error::io("move", &spare.path, &e))?;
        let extended = extend_file(directory, path, (content, spare.stored.1.len()))?;
        if extended.is_none() {
            worktree::remove(&full)?;
        }
        Ok(extended)
    }

    /// Returns what git has under an id, if that is at hand and a content begins with it.
    pub(super) fn beginning_of(
        &self,
        content: (ObjectId, &[u8]),
        id: ObjectId,
    ) -> Result<Option<BlobContent>> {
        if !self.is_kept(&id) {
            return Ok(None);
        }
        let held = self.read_shared(&[id], content.1.len() as u64)?.pop();
        Ok(held
            .flatten()
            .filter(|held| self.begins_with(content, (id, held))))
    }

    /// Keeps a file that a change took out of the checkout, if the change wrote on it; it is what these marks say. Where it cannot be
    /// kept it stays where it is, and the next one is written whole.
    pub(super) fn keep_spare(
        &self,
        taken: &Path,
        change: &Change,
        (content, marks): (&[u8], FileMarks),
    ) {
        let versions = change.old.zip(change.new);
        let stored = versions.filter(|_| content.len() >= LONG);
        let stored = stored.and_then(|(old, new)| {
            let held = self.beginning_of((new.oid, content), old.oid);
            Some((old, held.ok()??))
        });
        if let Some(stored) = stored {
            let mut spare = locked(&self.shared.known.spare);
            // It goes with its file, in whose place the next one comes.
            *spare = None;
            *spare = self.moved_to_spare(taken, stored, marks);
        }
    }

    /// Returns a file as the spare one, in whose place it is moved; none where that is not done, or it is not what these marks say:
    /// somebody may have it open.
    fn moved_to_spare(
        &self,
        taken: &Path,
        stored: (Version, BlobContent),
        marks: FileMarks,
    ) -> Option<SpareFile> {
        let name = format!("spare-{}", std::process::id());
        let path = self.scratch_dir().ok()?.join(name);
        crash::around("rename", || fs::rename(taken, &path)).ok()?;
        let meta = lstat(&path).ok()?;
        let spare = SpareFile {
            path,
            stored,
            state: InodeState::of(&meta),
        };
        let is_taken = meta.st_nlink == 1 && marks_at(&spare.path) == Some(marks);
        is_taken.then_some(spare)
    }
}

/// Appends to a file of which the beginning is there, and nothing else; returns what the index keeps of it, and nothing where
/// something else stands there.
pub(super) fn extend_file(
    root: &Path,
    path: &GitPath,
    (content, from): (&[u8], usize),
) -> Result<Option<Stat>> {
    let Some(full) = worktree::inside(root, path) else {
        return Ok(None);
    };
    let append = || {
        let mut options = fs::OpenOptions::new();
        // Whatever stands there by now, no link is followed and nothing is waited for.
        let plain = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).bits();
        let flags = plain.cast_signed();
        let mut file = options.append(true).custom_flags(flags).open(&full)?;
        let before = fstat(&file)?;
        if u64::try_from(before.st_size) != Ok(from as u64) || before.st_nlink != 1 {
            return Ok(None);
        }
        file.write_all(&content[from..])?;
        Ok(Some(fstat(&file)?))
    };
    crash::around("write", append).map_err(|e: std::io::Error| Error::io("write", &full, &e))
}
