//! Which paths of a slot can differ from its index: what changed shows in the times of files and directories, so git need
//! not list every directory and look at every file once more.
//!
//! Invariants: every path that git would add, of whatever kind, is one of these or below one; what is ignored is git's to
//! say; where the times cannot tell, or much changed, git looks at everything.

use super::directory_marks::{DirectoryLook, settled_by_now};
use super::git_command::{CommandScope, GitCommand};
use super::git_path::nul_separated;
use super::index::IndexFile;
use super::index_block::BlockPart;
use super::index_record::Record;
use super::index_walk::RecordSearch;
use super::index_writer::{self, Replacement};
use super::modified_files::{
    FileLook, LEAST_BLOCKS, changed_since, is_recent, look_at, recent_parts,
};
use super::nested_directories::{NamedEntry, NestedDirectories};
use super::plain_edit::holds;
use super::sealed_features::{FoundWhole, exposed_records};
use super::slot::Slot;
use super::slot_edit::replace_entries;
use super::slot_untracked::SlotLook;
use super::types::push_index_line;
use super::{Git, GitPath, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectFormat;
use gatewalk_core::parallel;
use rustix::fs::FileType;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// With more paths than this git looks at everything: it compares each with every entry of the index.
const MOST_PATHS: usize = 100;

impl Git {
    /// Returns the paths of a slot that can differ from its index, a new directory as one path; `None` where git should look
    /// at everything.
    pub(super) fn paths_to_add(&self, slot: &Slot, look: &SlotLook) -> Option<Vec<GitPath>> {
        let index = look.index.as_deref()?;
        let is_usual = self.object_format() == ObjectFormat::Sha1 && !self.has_special_files();
        if !is_usual || index.has_unwatched() || !index.shape().gitlinks.is_empty() {
            return None;
        }
        let search = ChangeSearch {
            git: self,
            root: slot.dir(),
            index,
            look,
            stores_as_is: !self.attributes_convert(index).ok()?,
            apart: slot.tells_changes_apart(),
        };
        let (mut paths, looks, directories) = search.untracked()?;
        let mut swept = look.swept.clone();
        Arc::make_mut(&mut swept).keep(looks);
        slot.set_swept(swept);
        let (modified, files) = search.modified()?;
        slot.found_whole(look.sealed.as_ref(), FoundWhole { files, directories });
        paths.extend(modified);
        (paths.len() <= MOST_PATHS).then(|| outermost(&paths))
    }

    /// Adds to the slot's index what it holds at these paths, or everything.
    pub(super) fn add_at(&self, slot: &Slot, paths: Option<&[GitPath]>) -> Result<()> {
        match paths {
            None => self.add_all(slot),
            Some([]) => Ok(()),
            Some(paths) => self.add_paths(slot, paths).or_else(|_| {
                // What git does not take by its name it may take with all else, such as a path below a link.
                worktree::remove(&slot.state().join("index.lock"))?;
                self.add_all(slot)
            }),
        }
    }

    /// Has git read the files that changed in the moment in which the index was written, where it left the index as it was:
    /// it compares whole seconds, so it never doubts what changed just before one began.
    pub(super) fn settle_recent(&self, slot: &Slot, look: &SlotLook) -> Result<()> {
        if !look.recent || slot.index().written()? != look.index_written {
            return Ok(());
        }
        let Some(index) = &look.index else {
            return Ok(());
        };
        let is_recent = |record: &Record<'_>| is_recent(record, look.index_written);
        let parts = recent_parts(index.all_parts(), look.index_written);
        let records = parts.flat_map(|part| part.records());
        let recent: Vec<Record<'_>> = records.filter(is_recent).collect();
        self.forget_times(slot, &recent)?;
        let paths: Vec<GitPath> = recent.iter().map(|r| GitPath::new(r.path)).collect();
        self.add_at(slot, (paths.len() <= MOST_PATHS).then_some(&*paths))
    }

    /// Leaves nothing in the slot's index of what these files were on disk, so that git reads them next.
    fn forget_times(&self, slot: &Slot, records: &[Record<'_>]) -> Result<()> {
        let mut entries = Vec::new();
        for record in records {
            let entry = (record.mode(), record.version().oid);
            push_index_line(&mut entries, entry, &GitPath::new(record.path));
        }
        let scope = slot.scope()?;
        let call = GitCommand::new(self, scope, "update-index");
        call.args(["-z", "--index-info"]).input(&entries).run()?;
        Ok(())
    }

    /// Adds these paths. Where git has to, it adds them to an index of nothing else, of which is taken over what it has of them:
    /// it would read and write the whole of the slot's own.
    fn add_paths(&self, slot: &Slot, paths: &[GitPath]) -> Result<()> {
        let index = self.index_of(slot)?;
        if let Some(added) = self.added_plainly(slot, &index, paths)? {
            let replaced = added
                .iter()
                .map(|(path, entry)| (path.as_bytes(), entry.clone()));
            return replace_entries(slot, &index, &replaced.collect()).map(drop);
        }
        let mut known: Vec<Record<'_>> = Vec::new();
        for path in paths {
            known.extend(index.record_of(path.as_bytes()));
            known.extend(index.below(path.as_bytes()));
        }
        let found = self.added_alone(slot, &index, (paths, &known))?;
        let mut replaced: BTreeMap<&[u8], Replacement> =
            known.iter().map(|record| (record.path, None)).collect();
        let is_added =
            |record: &Record<'_>| paths.iter().any(|path| path.is_at_or_above(record.path));
        for record in found.records().filter(is_added) {
            replaced.insert(record.path, Some(record.stored.to_vec()));
        }
        replace_entries(slot, &index, &replaced).map(drop)
    }

    /// Returns an index with what git adds at some paths, of which some files are known. The rules of attributes that git
    /// may want are in it too; what it has of ignored files it reads where they are.
    fn added_alone(
        &self,
        slot: &Slot,
        index: &IndexFile,
        (paths, known): (&[GitPath], &[Record<'_>]),
    ) -> Result<IndexFile> {
        let file = slot.state().join("index.added");
        let lock = slot.state().join("index.added.lock");
        worktree::remove(&lock)?;
        let rules = index.attribute_files();
        let entries: BTreeMap<&[u8], Replacement> = rules
            .chain(known.iter().copied())
            // Without what the file was: git compares the content.
            .map(|r| (r.path, Some(index_writer::entry(r.path, r.version(), None))))
            .collect();
        let none = IndexFile::empty(self.object_format());
        let alone = index_writer::rewritten(&none, &entries, &[])?;
        worktree::write_over(&file, alone.pieces())?;
        let output = GitCommand::new(self, CommandScope::Slot(slot.dir(), &file), "add")
            .args(["-A", "--pathspec-from-file=-", "--pathspec-file-nul"])
            .input(&nul_separated(paths))
            .accept(&[0, 1])
            .run()?;
        // Exit 1 says that some are ignored: the others were added.
        if output.code != 0 && !output.complaint.is_of_ignored_paths() {
            return Err(output.to_error("add"));
        }
        let raw = fs::read(&file).map_err(|e| Error::io("read", &file, &e))?;
        worktree::remove(&file)?;
        IndexFile::parse(&raw, self.object_format())
            .ok_or_else(|| Error::internal("git wrote an index that cannot be read"))
    }
}

/// What an entry of a directory is to git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryKind {
    /// A tracked file, or a directory with such.
    Tracked,
    Untracked,
    /// What git never lists: `.git`, pipes, sockets and devices.
    Unlisted,
}

/// A slot, and what its index says is in it.
struct ChangeSearch<'a> {
    git: &'a Git,
    root: &'a Path,
    index: &'a IndexFile,
    look: &'a SlotLook,
    /// Whether files are stored as they are.
    stores_as_is: bool,
    /// Whether no change hides in the moment of another.
    apart: bool,
}

impl ChangeSearch<'_> {
    /// Returns whether a path is in what nothing could write.
    fn is_sealed(&self, path: &[u8]) -> bool {
        let sealed = self.look.sealed.as_ref();
        sealed.is_some_and(|sealed| sealed.covers(path))
    }

    /// Returns what is not tracked in the directories that may hold such, what each of them was, and whether the sealed ones
    /// hold nothing else; `None` where one cannot be listed, or for many.
    fn untracked(&self) -> Option<(Vec<GitPath>, Vec<DirectoryLook>, bool)> {
        let mut tree = NestedDirectories::new(self.root);
        let (mut found, mut looks) = (Vec::new(), Vec::new());
        let mut whole = self.look.planted.is_empty();
        for (directory, look) in &self.look.unswept {
            let mut is_clean = true;
            let mut files = RecordSearch::new(self.index);
            for entry in tree.list(directory)? {
                let kind = self.kind_of(directory, &entry, &mut files);
                is_clean &= kind == EntryKind::Tracked;
                if kind == EntryKind::Untracked {
                    found.push(directory.join(&entry.name));
                }
            }
            if found.len() > MOST_PATHS {
                return None;
            }
            whole &= is_clean || !self.is_sealed(directory.as_bytes());
            looks.push(match is_clean {
                true => *look,
                false => DirectoryLook::unclear(directory),
            });
        }
        Some((found, looks, whole))
    }

    fn kind_of(
        &self,
        directory: &GitPath,
        entry: &NamedEntry,
        files: &mut RecordSearch<'_>,
    ) -> EntryKind {
        let is_known = || self.index.shape().knows(&directory.join(&entry.name));
        match entry.kind {
            _ if entry.name == b".git" => EntryKind::Unlisted,
            FileType::Directory if is_known() => EntryKind::Tracked,
            FileType::Directory => EntryKind::Untracked,
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice => EntryKind::Unlisted,
            _ if files.is_tracked(directory, &entry.name) => EntryKind::Tracked,
            _ => EntryKind::Untracked,
        }
    }

    /// Returns the tracked files that are not as the index saw them, or may not be although their times say so, and whether
    /// the sealed ones are, each under one name; `None` for many.
    fn modified(&self) -> Option<(Vec<GitPath>, bool)> {
        let exposed = exposed_records(self.look.sealed.as_ref(), self.index);
        let shares = parallel::share(&exposed, LEAST_BLOCKS, |parts| self.modified_in(parts));
        let (mut found, mut whole) = (Vec::new(), true);
        for share in shares {
            let (more, all) = share?;
            found.extend(more);
            whole &= all;
        }
        Some((found, whole))
    }

    fn modified_in(&self, parts: &[BlockPart<'_>]) -> Option<(Vec<GitPath>, bool)> {
        let mut tree = NestedDirectories::new(self.root);
        let (mut found, mut unclear, mut whole) = (Vec::new(), 0, true);
        for record in parts.iter().flat_map(BlockPart::records) {
            let look = look_at(&mut tree, &record);
            let recent = !self.apart && is_recent(&record, self.look.index_written);
            whole &= look == FileLook::AsSeen && !recent || !self.is_sealed(record.path);
            if !recent && look != FileLook::Changed {
                continue;
            }
            unclear += 1;
            if unclear > MOST_PATHS {
                return None;
            }
            if look == FileLook::Changed || !self.is_settled_and_same(&record) {
                found.push(GitPath::new(record.path));
            }
        }
        Some((found, whole))
    }

    /// Returns whether a file whose times say that it did not change, but may not tell, holds what it held. Asked in the moment in
    /// which it was written, no: the next change may come in that yet, and the index be written later.
    fn is_settled_and_same(&self, record: &Record<'_>) -> bool {
        self.stores_as_is
            && !changed_since(record, settled_by_now())
            && holds(self.git, self.root, record)
    }
}

/// Returns the paths that are not below another one, each once.
fn outermost(paths: &[GitPath]) -> Vec<GitPath> {
    let all: BTreeSet<&GitPath> = paths.iter().collect();
    let is_below_one = |path: &&GitPath| {
        path.parents()
            .any(|parent| all.contains(&GitPath::new(parent)))
    };
    let outer = all.iter().copied().filter(|path| !is_below_one(path));
    outer.cloned().collect()
}
