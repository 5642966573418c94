//! Following a move without git, where the checkout is as the old commit has it and nothing about the change is out of
//! the ordinary. Git would read both trees and write all of the index, and stand twenty times as long on a large
//! repository.
//!
//! Invariants: every look comes before the first write; a file is taken out by exchange of names, and goes back if it is
//! not what was looked at; links, submodules, attributes and settings that convert files, an index with more in it than
//! entries and cached trees, and whatever the user edited are left to git.

use super::cached_trees::kept_extensions;
use super::checkout_update_rules::WorkTreeState;
use super::clean_filters::named_filters;
use super::index::{self, Record};
use super::index_writer::{self, Replacement};
use super::nested_directories::NestedDirectories;
use super::plain_edit::{
    LARGEST, ReadIndex, converts, holds_what_is_recent, is_as_known, write_file,
};
use super::user_index::LockedIndex;
use super::{Change, Git, GitPath, worktree};
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::error::{Error, Result};
use rustix::fs::Stat;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What git has of attributes for every repository of a machine, where it is installed as usual.
const OF_THE_MACHINE: &str = "/etc/gitattributes";

/// One file of the user's to replace, make or remove: what is there, and what comes.
struct FileMove<'c> {
    change: &'c Change,
    found: WorkTreeState,
    content: Option<Vec<u8>>,
}

impl Git {
    /// Takes the checkout, and the copy of its index, from one commit to another; `None`, with nothing written, where git
    /// should do it.
    pub(super) fn edit_checkout(
        &self,
        index: &LockedIndex,
        changes: &[Change],
    ) -> Result<Option<CheckoutUpdate>> {
        let raw = fs::read(&index.copy).map_err(|e| Error::io("read", &index.copy, &e))?;
        let Some(records) = index::records(&raw, self.object_format()) else {
            return Ok(None);
        };
        let directories = directories_of(changes);
        let Some(extensions) = index::extensions(&raw, &records)
            .and_then(|stored| kept_extensions(stored, &directories))
        else {
            return Ok(None);
        };
        let read = ReadIndex {
            raw: &raw,
            records: &records,
        };
        let Some(moves) = self.plain_moves(index, &read, changes)? else {
            return Ok(None);
        };
        let mut followed = CheckoutUpdate::default();
        let replaced = self.move_files(index, &moves, &mut followed)?;
        let header = raw.first_chunk().ok_or_else(unreadable)?;
        let raw = index_writer::rewritten(header, &records, &replaced, &extensions);
        // In place, for whoever may read the user's index may read this one.
        fs::write(&index.copy, raw).map_err(|e| Error::io("write", &index.copy, &e))?;
        Ok(Some(followed))
    }

    /// Returns what is to be done at each path, if all of it is plain and the checkout has what the old commit has there.
    fn plain_moves<'c>(
        &self,
        index: &LockedIndex,
        read: &ReadIndex<'_>,
        changes: &'c [Change],
    ) -> Result<Option<Vec<FileMove<'c>>>> {
        let is_plain = self.are_plain(changes)
            && !self.is_sparse()
            && !collide(read.records, changes)
            && !self.converts_in_checkout(read.records, &directories_of(changes))?
            && holds_what_is_recent((self.work_tree(), &index.copy), read.records);
        if !is_plain {
            return Ok(None);
        }
        let Some(contents) = self.new_contents(changes)? else {
            return Ok(None);
        };
        let moves = changes.iter().zip(contents);
        let moves = moves.map(|(change, content)| FileMove {
            change,
            found: self.look(&change.path),
            content,
        });
        let moves: Vec<_> = moves.collect();
        // After the looks: what they read is what the index knows.
        let mut tree = NestedDirectories::new(self.work_tree());
        let as_known = |change: &Change| is_as_known(&mut tree, read, change);
        Ok(changes.iter().all(as_known).then_some(moves))
    }

    /// Returns whether attributes or settings may have files of these directories written otherwise than they are stored.
    fn converts_in_checkout(
        &self,
        records: &[Record<'_>],
        directories: &BTreeSet<&[u8]>,
    ) -> Result<bool> {
        let set = |key: &str| self.settings().get(key);
        if set("core.autocrlf").is_some_and(|value| value != "false")
            || set("core.eol").is_some_and(|value| value != "lf")
        {
            return Ok(true);
        }
        let stored = self.read_blobs(&index::attribute_files(records), LARGEST)?;
        let Some(stored) = stored.into_iter().collect::<Option<Vec<_>>>() else {
            return Ok(true);
        };
        // The user's own, and what is in the work tree by now.
        let here = directories.iter().filter_map(|directory| {
            let rules = GitPath::new(*directory).join(b".gitattributes");
            worktree::inside(self.work_tree(), &rules)
        });
        let machine = [PathBuf::from(OF_THE_MACHINE)];
        let files = here.chain(self.user_attributes()).chain(machine);
        let in_files = files.filter_map(|file| fs::read(file).ok());
        let mut texts = in_files.chain(stored);
        Ok(texts.any(|text| {
            converts(&text, false) || !named_filters(&String::from_utf8_lossy(&text)).is_empty()
        }))
    }

    /// Makes every move; returns the entries of the index that take the others' place. A file that the user saved at this
    /// moment stays.
    fn move_files<'c>(
        &self,
        index: &LockedIndex,
        moves: &[FileMove<'c>],
        followed: &mut CheckoutUpdate,
    ) -> Result<BTreeMap<&'c [u8], Replacement>> {
        let staging = self.fresh_staging(index)?;
        let files = staging.join("files");
        fs::create_dir_all(&files).map_err(|e| Error::io("create", &files, &e))?;
        let mut staged = Vec::new();
        for FileMove {
            change, content, ..
        } in moves
        {
            staged.push(match (change.new, content) {
                (Some(new), Some(content)) => {
                    Some(write_file(&files, &change.path, (new, content))?)
                }
                _ => None,
            });
        }
        let mut replaced = BTreeMap::new();
        for (FileMove { change, found, .. }, written) in moves.iter().zip(staged) {
            let placed = self.place(change, found, &staging)?;
            if !placed {
                followed.kept.push(change.path.to_shown());
            }
            let seen = written.filter(|_| placed);
            let seen = seen.and_then(|written| still_is(self.work_tree(), &change.path, &written));
            replaced.insert(change.path.as_bytes(), change.new.map(|new| (new, seen)));
        }
        worktree::remove(&staging)?;
        Ok(replaced)
    }
}

/// Returns what a file is, if it is one that was written by us.
fn still_is(root: &Path, path: &GitPath, written: &Stat) -> Option<Stat> {
    let now = NestedDirectories::new(root).stat(path.as_bytes())?;
    let identity = |meta: &Stat| {
        let modified = (meta.st_mtime, meta.st_mtime_nsec);
        (meta.st_dev, meta.st_ino, meta.st_size, modified)
    };
    (identity(&now) == identity(written)).then_some(now)
}

/// Returns the directories above the paths that change, the root as an empty path.
fn directories_of(changes: &[Change]) -> BTreeSet<&[u8]> {
    let mut directories = BTreeSet::from([b"".as_slice()]);
    for change in changes {
        let path = change.path.as_bytes();
        directories.extend(memchr::memchr_iter(b'/', path).map(|end| &path[..end]));
    }
    directories
}

/// Returns whether something is in the index where a new file needs a directory, or below its path.
fn collide(records: &[Record<'_>], changes: &[Change]) -> bool {
    let find = |path: &[u8]| records.binary_search_by(|record| record.path.cmp(path));
    let added = changes.iter().filter(|change| change.old.is_none());
    let mut paths = added.map(|change| change.path.as_bytes());
    paths.any(|path| {
        let mut above = memchr::memchr_iter(b'/', path);
        let below = [path, b"/"].concat();
        let next = find(&below).unwrap_or_else(|at| at);
        let is_below = |record: &Record<'_>| record.path.starts_with(&below);
        above.any(|end| find(&path[..end]).is_ok()) || records.get(next).is_some_and(is_below)
    })
}

fn unreadable() -> Error {
    Error::internal("the index of the checkout cannot be written")
}
