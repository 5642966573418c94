//! Taking a slot from one tree to another without git: the few files that differ are written, and the private index is
//! written anew around their entries. Git would read both trees and stand ten times as long on a large repository.
//!
//! Invariants: every look comes before the first write; what is out of the ordinary (links, submodules, attributes that
//! convert files, something else in a file's place) is left to git; the index is replaced as a whole.

use super::cache::BlobContent;
use super::extended_file::{LONG, extend_file};
use super::file_swap::prune;
use super::git_path::parent;
use super::index::IndexFile;
use super::index_writer::{self, Replacement};
use super::modified_files::{FileLook, look_at};
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
    /// Whether a file is there that is to be removed.
    goes: bool,
    new: Option<NewFile>,
}

/// What a file becomes.
enum NewFile {
    Written(Version, BlobContent),
    /// It goes on, with what its content has from this byte on: a log, which grows with every landing.
    Extended(Version, BlobContent, usize),
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
        for edit in edits.iter().filter(|edit| edit.goes) {
            remove_file(slot.dir(), edit.path)?;
        }
        for edit in &edits {
            let path = edit.path.as_bytes();
            let new = match &edit.new {
                Some(NewFile::Written(version, content)) => Some((
                    version,
                    write_file(slot.dir(), edit.path, (*version, content))?,
                )),
                Some(NewFile::Extended(version, content, from)) => Some((
                    version,
                    extend_file(slot.dir(), edit.path, (content, *from))?
                        .ok_or_else(|| in_the_way(edit.path))?,
                )),
                None => None,
            };
            let entry = new.map(|(v, stat)| index_writer::entry(path, *v, Some(&stat)));
            replaced.insert(path, entry);
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
        let edit = |(change, content): (&'c Change, Option<BlobContent>)| {
            let content = change.new.zip(content);
            let new = content.map(|new| self.new_file(&mut tree, (change, index), new));
            FileEdit {
                path: &change.path,
                goes: change.old.is_some() && !matches!(new, Some(NewFile::Extended(..))),
                new,
            }
        };
        Ok(Some(changes.iter().zip(contents).map(edit).collect()))
    }

    /// Returns how a file comes to what it is to hold. One of some length is extended where it holds the beginning of that, and
    /// has no other name.
    fn new_file(
        &self,
        tree: &mut NestedDirectories<'_>,
        (change, index): (&Change, &IndexFile),
        (version, content): (Version, BlobContent),
    ) -> NewFile {
        let old = change.old.filter(|old| old.mode == version.mode);
        let old = old.filter(|_| content.len() >= LONG);
        let held = old.and_then(|old| {
            let held = self.beginning_of((version.oid, &content), old.oid);
            held.ok().flatten()
        });
        let record = index.record_of(change.path.as_bytes());
        let is_alone = |record| look_at(tree, &record) == FileLook::AsSeen;
        match held {
            Some(held) if record.is_some_and(is_alone) => {
                NewFile::Extended(version, content, held.len())
            }
            _ => NewFile::Written(version, content),
        }
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
