//! The index in a slot's git directory, which whatever runs there sees and may write: of an index of thousands of files only
//! what differs is written, where it is certain what the file holds.

use super::file_times::{as_system_time, set_modified_apart};
use super::index::IndexFile;
use super::private_index::{FileIdentity, identity_of};
use super::slot::Slot;
use super::worktree;
use crate::crash;
use gatewalk_core::error::{Error, Result};
use rustix::fs::OFlags;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

/// An index that was written for others to see, and which file it is as long as nobody else wrote it.
#[derive(Debug, Clone)]
pub(super) struct ShownIndex {
    file: FileIdentity,
    index: Arc<IndexFile>,
}

impl Slot {
    /// Makes a file this index, as of when that was made, and notes what it is.
    pub(super) fn show(&self, path: &Path, index: &Arc<IndexFile>) -> Result<()> {
        let held = self.shown();
        self.set_shown(None);
        let failed = |e: io::Error| Error::io("write", path, &e);
        let written = crash::around("write", || update(path, held.as_ref(), index));
        if !written.map_err(failed)? {
            worktree::write_over(path, index.pieces())?;
        }
        let modified = as_system_time(self.index().written()?);
        let file = open(path).map_err(failed)?;
        let shown = set_modified_apart(&file, modified).map_err(failed)?;
        self.set_shown(shown.map(|file| ShownIndex {
            file: identity_of(&file),
            index: index.clone(),
        }));
        Ok(())
    }
}

/// Writes what differs between two indexes, if the file holds the first.
fn update(path: &Path, held: Option<&ShownIndex>, index: &IndexFile) -> io::Result<bool> {
    let Some(held) = held else {
        return Ok(false);
    };
    let Ok(file) = open(path) else {
        return Ok(false);
    };
    if identity_of(&file.metadata()?) != held.file {
        return Ok(false);
    }
    let mut old = with_places(&held.index).peekable();
    let mut end = 0;
    for (at, piece) in with_places(index) {
        end = at + piece.len() as u64;
        while old.next_if(|(other, _)| *other < at).is_some() {}
        let is_held = |(other, old): &(u64, &[u8])| *other == at && std::ptr::eq(*old, piece);
        if !old.peek().is_some_and(is_held) {
            file.write_all_at(piece, at)?;
        }
    }
    file.set_len(end)?;
    Ok(true)
}

/// Returns the pieces of an index, each with where it begins. What two indexes share is the same memory.
fn with_places(index: &IndexFile) -> impl Iterator<Item = (u64, &[u8])> {
    index.pieces().scan(0, |end, piece| {
        let at = *end;
        *end += piece.len() as u64;
        Some((at, piece))
    })
}

fn open(path: &Path) -> io::Result<File> {
    // Nothing is waited for, and no link is followed.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    File::options().write(true).custom_flags(flags).open(path)
}
