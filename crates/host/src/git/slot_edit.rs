//! Taking a slot from one tree to another without git: the few files that differ are written, and the private index is
//! written anew around their entries. Git would read both trees and stand ten times as long on a large repository.
//!
//! Invariants: every look comes before the first write; what is out of the ordinary (links, submodules, attributes that
//! convert files, something else in a file's place) is left to git; the index is replaced as a whole.

use super::cache::BlobContent;
use super::file_swap::prune;
use super::git_path::parent;
use super::index::IndexFile;
use super::index_writer::{self, Replacement};
use super::nested_directories::NestedDirectories;
use super::plain_edit::{
    LARGEST, converts, holds_what_is_recent, in_the_way, is_as_known, write_file,
};
use super::sealed_features::exposed_records;
use super::slot::Slot;
use super::{Change, Git, GitPath, Version, worktree};
use crate::crash;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// One file to write or remove.
struct FileEdit<'c> {
    path: &'c GitPath,
    /// Whether a file is there.
    is_there: bool,
    new: Option<(Version, BlobContent)>,
}

impl Git {
    /// Writes what differs between two trees into a slot that holds the first. Returns what its index has then; `None`,
    /// with nothing written, where git should do it.
    pub(super) fn edit_slot(
        &self,
        slot: &Slot,
        index: &IndexFile,
        (from, to): (ObjectId, ObjectId),
    ) -> Result<Option<Arc<IndexFile>>> {
        let changes = self.diff(from, to)?;
        let Some(edits) = self.plain_edits(slot, index, &changes)? else {
            return Ok(None);
        };
        let mut replaced: BTreeMap<&[u8], Replacement> = BTreeMap::new();
        // What goes makes room for what comes.
        for edit in edits.iter().filter(|edit| edit.is_there) {
            remove_file(slot.dir(), edit.path)?;
        }
        for edit in &edits {
            let path = edit.path.as_bytes();
            let new = match &edit.new {
                Some((version, content)) => {
                    let stat = write_file(slot.dir(), edit.path, (*version, content))?;
                    Some(index_writer::entry(path, *version, Some(&stat)))
                }
                None => None,
            };
            replaced.insert(path, new);
        }
        replace_entries(slot, index, &replaced).map(Some)
    }

    /// Returns what is to be done at each path that changes, if all of it is plain and the slot is as its index says.
    fn plain_edits<'c>(
        &self,
        slot: &Slot,
        index: &IndexFile,
        changes: &'c [Change],
    ) -> Result<Option<Vec<FileEdit<'c>>>> {
        // A look that found what is sealed whole found nothing recent there.
        let sealed = slot.sealed();
        let exposed = exposed_records(sealed.as_ref(), index);
        let doubt = (slot.index().written()?, slot.tells_changes_apart());
        let is_plain = self.are_plain(changes)
            && !self.attributes_convert(index)?
            && holds_what_is_recent(self, slot.dir(), exposed.into_iter(), doubt);
        if !is_plain {
            return Ok(None);
        }
        let Some(contents) = self.new_contents(changes)? else {
            return Ok(None);
        };
        let mut tree = NestedDirectories::new(slot.dir());
        let mut as_known = |change: &Change| is_as_known(&mut tree, index, change);
        if !changes.iter().all(&mut as_known) {
            return Ok(None);
        }
        let edits = changes
            .iter()
            .zip(contents)
            .map(|(change, content)| FileEdit {
                path: &change.path,
                is_there: change.old.is_some(),
                new: change.new.zip(content),
            });
        Ok(Some(edits.collect()))
    }

    /// Returns whether attributes may have files written otherwise than they are stored. No filter but that of git-lfs is
    /// configured where slots are filled.
    pub(super) fn attributes_convert(&self, index: &IndexFile) -> Result<bool> {
        let texts = self.read_blobs(&index.attribute_ids(), LARGEST)?;
        Ok(texts.iter().any(|text| {
            text.as_deref()
                .is_none_or(|t| converts(t, self.fills_lfs()))
        }))
    }
}

/// Writes a slot's index with other entries, or none, at some paths; returns it.
pub(super) fn replace_entries(
    slot: &Slot,
    index: &IndexFile,
    replaced: &BTreeMap<&[u8], Replacement>,
) -> Result<Arc<IndexFile>> {
    let written = index_writer::rewritten(index, replaced, &[])?;
    if keep_shape(index, replaced) {
        written.share_shape(index);
    }
    let written = Arc::new(written);
    slot.index().set(&written)?;
    Ok(written)
}

/// Returns whether what takes the place of some entries leaves the same directories.
fn keep_shape(index: &IndexFile, replaced: &BTreeMap<&[u8], Replacement>) -> bool {
    let keeps = |(path, entry): (&&[u8], &Replacement)| {
        let is_replaced = entry.is_some() && index.find(path).is_ok();
        let is_beside = || {
            index
                .shape()
                .directories
                .contains(&GitPath::new(parent(path)))
        };
        is_replaced || entry.is_some() && (parent(path).is_empty() || is_beside())
    };
    replaced.iter().all(keeps)
}

fn remove_file(root: &Path, path: &GitPath) -> Result<()> {
    let full = worktree::inside(root, path).ok_or_else(|| in_the_way(path))?;
    crash::around("remove", || fs::remove_file(&full))
        .map_err(|e| Error::io("remove", &full, &e))?;
    prune(root, &full);
    Ok(())
}
