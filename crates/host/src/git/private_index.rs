//! The private index of a slot. What this process makes of it stays in memory until git asks: with thousands of plans it is
//! megabytes, several times a unit.
//!
//! Invariants: while it is in memory there is no file, so that a process that is killed leaves nothing behind that describes files as
//! they were; it becomes one, with the time at which it was made, before git is called and when nobody has the slot any more. It is
//! gone with the directory that it would be in, which a user may throw away.

use super::file_times::{as_system_time, set_modified, touched_now};
use super::index::IndexFile;
use super::touched_files::{Time, mtime};
use super::worktree;
use crate::crash;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectFormat;
use gatewalk_core::parallel::locked;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// An index, and how it is known.
#[derive(Debug)]
pub(super) struct PrivateIndex {
    path: PathBuf,
    state: Mutex<IndexState>,
}

#[derive(Debug, Default)]
struct IndexState {
    /// The index as it was read or made last.
    known: Option<(IndexPlace, Arc<IndexFile>)>,
    /// The file after our last command, to notice another writer.
    own: Option<FileIdentity>,
}

/// Where an index is.
#[derive(Debug, Clone, Copy)]
enum IndexPlace {
    File(FileIdentity),
    Memory(MadeIndex),
}

/// An index that is no file yet.
#[derive(Debug, Clone, Copy)]
struct MadeIndex {
    /// When it was made, by the clock of its file system.
    written: Time,
    /// The file that will be written over.
    spare: FileIdentity,
}

/// What distinguishes one index file from another: inode, size, and when the inode changed.
pub(super) type FileIdentity = (u64, u64, i64, i64);

pub(super) fn identity(path: &Path) -> Option<FileIdentity> {
    fs::symlink_metadata(path)
        .ok()
        .map(|meta| identity_of(&meta))
}

pub(super) fn identity_of(meta: &Metadata) -> FileIdentity {
    (meta.ino(), meta.size(), meta.ctime(), meta.ctime_nsec())
}

impl PrivateIndex {
    /// Returns the index of which nothing is known but its path.
    pub(super) fn new(path: PathBuf) -> Self {
        PrivateIndex {
            path,
            state: Mutex::default(),
        }
    }

    /// Returns the file for git, which may write it.
    pub(super) fn file(&self) -> Result<&Path> {
        let mut state = locked(&self.state);
        self.write_out(&mut state)?;
        state.known = None;
        Ok(&self.path)
    }

    /// Returns when it was made, which git compares with the times of files, to know which entries may be stale.
    pub(super) fn written(&self) -> Result<Time> {
        if let Some((IndexPlace::Memory(made), _)) = &locked(&self.state).known
            && self.is_as_made(made)
        {
            return Ok(made.written);
        }
        let file = fs::metadata(&self.path).map_err(|e| Error::io("read", &self.path, &e))?;
        Ok(mtime(&file))
    }

    /// Returns the index, where it is known without reading a file.
    fn known(&self) -> Option<Arc<IndexFile>> {
        let state = locked(&self.state);
        let (place, index) = state.known.as_ref()?;
        let is_current = match place {
            IndexPlace::File(known) => identity(&self.path) == Some(*known),
            IndexPlace::Memory(made) => self.is_as_made(made),
        };
        is_current.then(|| index.clone())
    }

    /// Returns the index, read again where the file may be another one.
    pub(super) fn read(&self, format: ObjectFormat) -> Result<Arc<IndexFile>> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        let found = identity(&self.path);
        let raw = fs::read(&self.path).map_err(|e| Error::io("read", &self.path, &e))?;
        let index = IndexFile::parse(&raw, format).ok_or_else(|| {
            Error::environment(format!("`{}` is not a readable index", self.path.display()))
        })?;
        let index = Arc::new(index);
        let known = found.map(|found| (IndexPlace::File(found), index.clone()));
        locked(&self.state).known = known;
        Ok(index)
    }

    /// Makes this the index, as of now.
    pub(super) fn set(&self, index: &Arc<IndexFile>) -> Result<()> {
        let mut state = locked(&self.state);
        state.known = None;
        let spare = self.spare();
        let touched = crash::around("keep in memory", || {
            match fs::rename(&self.path, &spare) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => other?,
            }
            touched_now(&spare)
        })
        .map_err(|e| Error::io("keep", &self.path, &e))?;
        let made = MadeIndex {
            written: mtime(&touched),
            spare: identity_of(&touched),
        };
        state.known = Some((IndexPlace::Memory(made), index.clone()));
        Ok(())
    }

    /// Records the file, as it is now, as written by us.
    pub(super) fn own(&self) {
        locked(&self.state).own = identity(&self.path);
    }

    /// Returns whether it can be trusted: there is one, and since our last command nobody else wrote it.
    pub(super) fn is_ours(&self) -> bool {
        let state = locked(&self.state);
        match (&state.known, state.own, identity(&self.path)) {
            (Some((IndexPlace::Memory(made), _)), _, _) => self.is_as_made(made),
            (_, _, None) => false,
            (_, None, Some(_)) => true,
            (_, own, found) => own == found,
        }
    }

    /// Leaves no index.
    pub(super) fn remove(&self) -> Result<()> {
        locked(&self.state).known = None;
        worktree::remove(&self.path)
    }

    /// Returns the file that is written over when this becomes one.
    fn spare(&self) -> PathBuf {
        self.path.with_extension("spare")
    }

    /// Returns whether nobody has put a file in the place of one that is in memory, or taken away what it is written over.
    fn is_as_made(&self, made: &MadeIndex) -> bool {
        identity(&self.path).is_none() && identity(&self.spare()) == Some(made.spare)
    }

    /// Makes a file of what is in memory, if that is still so.
    fn write_out(&self, state: &mut IndexState) -> Result<()> {
        let Some((IndexPlace::Memory(made), index)) = &state.known else {
            return Ok(());
        };
        if self.is_as_made(made) {
            worktree::replace_in_turns(&self.path, index.pieces())?;
            set_modified(&self.path, as_system_time(made.written))?;
            state.own = identity(&self.path);
        }
        state.known = None;
        Ok(())
    }
}

impl Drop for PrivateIndex {
    fn drop(&mut self) {
        let mut state = std::mem::take(&mut *locked(&self.state));
        // Without the file the slot's files are read once more.
        let _ = self.write_out(&mut state);
    }
}
