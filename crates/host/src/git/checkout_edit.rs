//! Following a move without git, where the checkout is as the old commit has it and nothing about the change is out of
//! the ordinary. Git would read both trees and write all of the index, and stand twenty times as long on a large
//! repository.
//!
//! Invariants: every look comes before the first write; a file is taken out by exchange of names, and goes back if it is
//! not what was looked at; links, submodules, attributes and settings that convert files, an index with more in it than
//! entries and cached trees, and whatever the user edited are left to git.

use super::cache::BlobContent;
use super::cached_trees::kept_extensions;
use super::checkout_update_rules::WorkTreeState;
use super::clean_filters::named_filters;
use super::file_swap::marks_at;
use super::file_times::set_modified_apart;
use super::index::IndexFile;
use super::index_writer::{self, Replacement};
use super::nested_directories::NestedDirectories;
use super::plain_edit::{LARGEST, converts, holds_what_is_recent, is_as_known, write_file};
use super::touched_files::mtime;
use super::user_index::{LockedIndex, UserIndex};
use super::{Change, Git, GitPath, is_regular, worktree};
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::error::{Error, Result};
use rustix::fs::Stat;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What git has of attributes for every repository of a machine, where it is installed as usual.
const OF_THE_MACHINE: &str = "/etc/gitattributes";

/// One file of the user's to replace, make or remove: what is there, and what comes.
struct FileMove<'c> {
    change: &'c Change,
    found: WorkTreeState,
    content: Option<BlobContent>,
}

impl Git {
    /// Takes the checkout from one commit to another, and makes the index that goes with it as the copy, which is returned too;
    /// `None`, with nothing written, where git should do it.
    pub(super) fn edit_checkout(
        &self,
        index: &LockedIndex,
        changes: &[Change],
    ) -> Result<Option<(CheckoutUpdate, UserIndex)>> {
        let Some(read) = self.user_index(index)? else {
            return Ok(None);
        };
        let directories = directories_of(changes);
        let Some(extensions) = extensions_without(&read, &directories) else {
            return Ok(None);
        };
        let Some(moves) = self.plain_moves(index, &read, changes)? else {
            return Ok(None);
        };
        let mut followed = CheckoutUpdate::default();
        let (replaced, apart) = self.move_files(index, &moves, &mut followed)?;
        let mut written = index_writer::rewritten(&read.file, &replaced, &extensions)?;
        index.write_copy(&mut written)?;
        let mut uncached = read.uncached;
        uncached.extend(directories.into_iter().map(GitPath::new));
        let file = Arc::new(written);
        let written = UserIndex {
            file,
            uncached,
            apart,
        };
        Ok(Some((followed, written)))
    }

    /// Returns what is to be done at each path, if all of it is plain and the checkout has what the old commit has there.
    fn plain_moves<'c>(
        &self,
        index: &LockedIndex,
        UserIndex {
            file: read, apart, ..
        }: &UserIndex,
        changes: &'c [Change],
    ) -> Result<Option<Vec<FileMove<'c>>>> {
        let written = fs::symlink_metadata(&index.real).ok();
        let written = written.map(|file| mtime(&file));
        let is_plain = self.are_plain(changes)
            && !self.is_sparse()
            && !collide(read, changes)
            && !self.converts_in_checkout(read, &directories_of(changes))?
            && written.is_some_and(|written| {
                holds_what_is_recent(self, self.work_tree(), read.all_parts(), (written, *apart))
            });
        if !is_plain {
            return Ok(None);
        }
        let Some(contents) = self.new_contents(changes)? else {
            return Ok(None);
        };
        let moves = changes.iter().zip(contents);
        let moves = moves.map(|(change, content)| FileMove {
            change,
            found: self.look_unread(change, *apart),
            content,
        });
        let moves: Vec<_> = moves.collect();
        // After the looks: what they saw is what the index knows.
        let mut tree = NestedDirectories::new(self.work_tree());
        let as_known = |change: &Change| is_as_known(&mut tree, read, change);
        Ok(changes.iter().all(as_known).then_some(moves))
    }

    /// Returns what lies at a path that changes. A file is not read where that tells no more than its times.
    fn look_unread(&self, change: &Change, apart: bool) -> WorkTreeState {
        let is_file = change.old.is_some_and(|old| is_regular(old.mode));
        let path = worktree::inside(self.work_tree(), &change.path);
        let marks = path.filter(|_| apart && is_file);
        let marks = marks.and_then(|path| marks_at(&path));
        marks.map_or_else(|| self.look(&change.path), WorkTreeState::AsIndexed)
    }

    /// Returns whether attributes or settings may have files of these directories written otherwise than they are stored.
    fn converts_in_checkout(
        &self,
        index: &IndexFile,
        directories: &BTreeSet<&[u8]>,
    ) -> Result<bool> {
        let set = |key: &str| self.settings().get(key);
        if set("core.autocrlf").is_some_and(|value| value != "false")
            || set("core.eol").is_some_and(|value| value != "lf")
        {
            return Ok(true);
        }
        let stored = self.read_blobs(&index.attribute_ids(), LARGEST)?;
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

    /// Makes every move; returns the entries of the index that take the others' place, and whether all changes have a time of
    /// their own there. A file that the user saved at this moment stays.
    fn move_files<'c>(
        &self,
        index: &LockedIndex,
        moves: &[FileMove<'c>],
        followed: &mut CheckoutUpdate,
    ) -> Result<(BTreeMap<&'c [u8], Replacement>, bool)> {
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
                    let new = (new, &**content);
                    Some(match self.extend_spare(&files, &change.path, new)? {
                        Some(extended) => extended,
                        None => write_file(&files, &change.path, new)?,
                    })
                }
                _ => None,
            });
        }
        let mut apart = staged_apart(&files, moves);
        let mut replaced = BTreeMap::new();
        for (file, written) in moves.iter().zip(staged) {
            let FileMove { change, found, .. } = file;
            let placed = self.place(change, found, &staging)?;
            match (found, &file.content) {
                _ if !placed => followed.kept.push(change.path.to_shown()),
                (WorkTreeState::AsIndexed(marks), Some(content)) => {
                    let taken = files.join(change.path.as_path());
                    self.keep_spare(&taken, change, (content, *marks));
                }
                _ => {}
            }
            let seen = written.filter(|_| placed);
            let seen = seen.and_then(|written| still_is(self.work_tree(), &change.path, &written));
            // Of files on another file system nothing is known.
            apart &= change.new.is_none() || seen.is_some();
            let path = change.path.as_bytes();
            let entry = change
                .new
                .map(|new| index_writer::entry(path, new, seen.as_ref()));
            replaced.insert(path, entry);
        }
        worktree::remove(&staging)?;
        Ok((replaced, apart))
    }
}

/// Returns the extensions of an index in which entries of these directories are replaced; `None` where one of them is not known.
fn extensions_without<'i>(
    read: &'i UserIndex,
    directories: &BTreeSet<&[u8]>,
) -> Option<Cow<'i, [u8]>> {
    let stored = read.file.extensions()?;
    let is_uncached = |directory: &&[u8]| read.uncached.contains(&GitPath::new(*directory));
    match directories.iter().all(is_uncached) {
        // What it has was made for these, too.
        true => Some(Cow::Borrowed(stored)),
        false => kept_extensions(stored, directories).map(Cow::Owned),
    }
}

/// Returns whether the file system of the files that are staged gives each change a time of its own; where none is, not.
fn staged_apart(files: &Path, moves: &[FileMove<'_>]) -> bool {
    let mut staged = moves.iter().filter(|staged| staged.content.is_some());
    let apart = |path: &GitPath| -> io::Result<bool> {
        let file = fs::File::open(files.join(path.as_path()))?;
        let modified = file.metadata()?.modified()?;
        Ok(set_modified_apart(&file, modified)?.is_some())
    };
    staged
        .next()
        .is_some_and(|staged| apart(&staged.change.path).unwrap_or(false))
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
        directories.extend(change.path.parents());
    }
    directories
}

/// Returns whether something is in the index where a new file needs a directory, or below its path.
fn collide(index: &IndexFile, changes: &[Change]) -> bool {
    let added = changes.iter().filter(|change| change.old.is_none());
    let mut paths = added.map(|change| &change.path);
    paths.any(|path| {
        let mut above = path.parents();
        above.any(|parent| index.find(parent).is_ok())
            || index.below(path.as_bytes()).next().is_some()
    })
}
