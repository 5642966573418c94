//! What lies in a slot beside its tracked files: ignored paths, planted repositories, leftovers to remove.

use super::git_command::{CommandScope, GitCommand};
use super::index::{self, IndexEntry};
use super::slot::Slot;
use super::{Git, GitPath, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel;
use std::fs;
use std::path::{Path, PathBuf};

impl Git {
    /// Removes what is not tracked, except the ignored paths that the slot keeps.
    pub(super) fn clean(&self, slot: &Slot, entries: &[IndexEntry]) -> Result<()> {
        if self.sweep(slot, entries)? {
            let scope = CommandScope::Slot(slot.dir(), slot.index());
            let mut call = GitCommand::new(self, scope, "clean").arg("-ffdq");
            if let Some(kept) = slot.kept() {
                call = call.arg("-x");
                for path in kept {
                    call = call.arg("-e").arg(path);
                }
            }
            call.run()?;
        }
        Ok(())
    }

    /// Removes what is not tracked, except what is ignored and what the slot keeps; returns whether anything untracked was
    /// there.
    pub(super) fn clean_unignored(&self, slot: &Slot, entries: &[IndexEntry]) -> Result<bool> {
        let untracked = self.sweep(slot, entries)?;
        if untracked {
            let scope = CommandScope::Slot(slot.dir(), slot.index());
            let mut call = GitCommand::new(self, scope, "clean").arg("-ffdq");
            for path in slot.kept().unwrap_or_default() {
                call = call.arg("-e").arg(path);
            }
            call.run()?;
        }
        Ok(untracked)
    }

    /// Removes `.git` and special files from the directories with tracked files, which git never lists, and returns
    /// whether anything else is there that is not tracked.
    fn sweep(&self, slot: &Slot, entries: &[IndexEntry]) -> Result<bool> {
        let shape = index::shape(entries);
        let filled = slot.submodules();
        let mut directories = shape.with_root();
        // Another repository answers for the files of a filled one.
        let places = shape.gitlinks.iter();
        directories
            .extend(places.filter(|place| filled.iter().all(|known| known.place != **place)));
        let search = UntrackedSearch {
            root: slot.dir(),
            shape: &shape,
            entries,
        };
        let shares = parallel::share(
            &directories,
            index::MIN_SHARE,
            |part| -> Result<UntrackedEntries> {
                let mut found = UntrackedEntries::default();
                for directory in part {
                    search.scan(directory, &mut found)?;
                }
                Ok(found)
            },
        );
        let mut untracked = false;
        for found in shares {
            let found = found?;
            untracked |= found.untracked;
            for path in found.unlisted {
                worktree::remove(&path)?;
            }
        }
        Ok(untracked)
    }

    /// Returns the ignored paths of a slot, a whole directory as one path.
    pub(crate) fn ignored_in(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let mut ignored = self.ignored(CommandScope::Slot(slot.dir(), slot.index()))?;
        for part in slot.submodules() {
            let below = part.git.ignored_in(&part.slot)?;
            ignored.extend(below.iter().map(|path| part.place.join(path.as_bytes())));
        }
        Ok(ignored)
    }

    /// Returns the ignored paths of a work tree, a whole directory as one path that ends in a slash.
    pub(super) fn ignored(&self, scope: CommandScope<'_>) -> Result<Vec<GitPath>> {
        let call = GitCommand::new(self, scope, "ls-files");
        let call = call.args(["-o", "-i", "--exclude-standard", "--directory", "-z"]);
        Ok(call.run()?.paths().collect())
    }

    /// Returns every `.git` in a directory with tracked files or a submodule's place, except the slot's own.
    pub(super) fn planted_git(&self, slot: &Slot) -> Result<Vec<PathBuf>> {
        let shape = index::shape(&self.index_of(slot)?);
        let mut found = Vec::new();
        for directory in shape.directories.iter().chain(&shape.gitlinks) {
            let Some(path) = worktree::inside(slot.dir(), &directory.join(b".git")) else {
                continue;
            };
            if fs::symlink_metadata(&path).is_ok() {
                found.push(path);
            }
        }
        Ok(found)
    }
}

/// What directories with tracked files also hold.
#[derive(Default)]
struct UntrackedEntries {
    /// Whether there is something that git lists.
    untracked: bool,
    /// `.git` and special files.
    unlisted: Vec<PathBuf>,
}

/// A slot, and what its index says is in it.
struct UntrackedSearch<'a> {
    root: &'a Path,
    shape: &'a index::WorkTreeShape,
    entries: &'a [IndexEntry],
}

impl UntrackedSearch<'_> {
    fn scan(&self, directory: &GitPath, found: &mut UntrackedEntries) -> Result<()> {
        let Some(full) = worktree::inside(self.root, directory) else {
            return Ok(());
        };
        for entry in fs::read_dir(&full).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let kind = entry.file_type();
            let kind = kind.map_err(|e| Error::io("read", &entry.path(), &e))?;
            let path = directory.join(name.as_encoded_bytes());
            if name == ".git" {
                if !directory.as_bytes().is_empty() {
                    found.unlisted.push(entry.path());
                }
            } else if kind.is_dir() {
                found.untracked |= !self.shape.knows(&path);
            } else if kind.is_file() || kind.is_symlink() {
                let at = self.entries.binary_search_by(|entry| entry.path.cmp(&path));
                found.untracked |= at.is_err();
            } else {
                found.unlisted.push(entry.path());
            }
        }
        Ok(())
    }
}
