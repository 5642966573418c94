//! What lies in a slot beside its tracked files: ignored paths, planted repositories, leftovers to remove.

use super::git_command::{CommandScope, GitCommand};
use super::index::{self, IndexEntry};
use super::nested_directories::NestedDirectories;
use super::slot::Slot;
use super::{Git, GitPath, worktree};
use gatewalk_core::error::Result;
use gatewalk_core::parallel;
use rustix::fs::FileType;
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
        let shares = parallel::share(&directories, index::MIN_SHARE, |part| {
            let mut found = UntrackedEntries::default();
            let mut tree = NestedDirectories::new(search.root);
            for directory in part {
                search.scan(&mut tree, directory, &mut found);
            }
            found
        });
        let mut untracked = false;
        for found in shares {
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

    /// Returns the paths of a slot that are neither tracked nor ignored, a whole directory as one path that ends in a slash.
    pub(crate) fn unignored_in(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let scope = CommandScope::Slot(slot.dir(), slot.index());
        self.untracked(scope, "--no-empty-directory")
    }

    /// Returns those of some paths that are tracked in a slot, or have tracked files below them.
    pub(crate) fn tracked_among(&self, slot: &Slot, paths: &[String]) -> Result<Vec<String>> {
        let entries = self.index_of(slot)?;
        let is_tracked = |path: &&String| {
            let first = entries.partition_point(|e| e.path.as_bytes() < path.as_bytes());
            let below = format!("{path}/");
            let under = entries.partition_point(|e| e.path.as_bytes() < below.as_bytes());
            let at = |i: usize| entries.get(i).map(|e| e.path.as_bytes());
            at(first) == Some(path.as_bytes())
                || at(under).is_some_and(|next| next.starts_with(below.as_bytes()))
        };
        Ok(paths.iter().filter(is_tracked).cloned().collect())
    }

    /// Returns the ignored paths of a work tree, a whole directory as one path that ends in a slash.
    pub(super) fn ignored(&self, scope: CommandScope<'_>) -> Result<Vec<GitPath>> {
        self.untracked(scope, "-i")
    }

    fn untracked(&self, scope: CommandScope<'_>, which: &str) -> Result<Vec<GitPath>> {
        let call = GitCommand::new(self, scope, "ls-files").args(["-o", which]);
        let call = call.args(["--exclude-standard", "--directory", "-z"]);
        Ok(call.run()?.paths().collect())
    }

    /// Returns every `.git` in a directory with tracked files or a submodule's place, except the slot's own.
    pub(super) fn planted_git(&self, slot: &Slot) -> Result<Vec<PathBuf>> {
        let shape = index::shape(&self.index_of(slot)?);
        let mut tree = NestedDirectories::new(slot.dir());
        let places = shape.directories.iter().chain(&shape.gitlinks);
        let planted = places.map(|directory| directory.join(b".git"));
        Ok(planted
            .filter(|path| tree.stat(path.as_bytes()).is_some())
            .map(|path| slot.dir().join(path.as_path()))
            .collect())
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
    fn scan(
        &self,
        tree: &mut NestedDirectories<'_>,
        directory: &GitPath,
        found: &mut UntrackedEntries,
    ) {
        for entry in tree.list(directory).unwrap_or_default() {
            let path = directory.join(&entry.name);
            match entry.kind {
                _ if entry.name == b".git" && directory.as_bytes().is_empty() => {}
                FileType::Directory if entry.name != b".git" => {
                    found.untracked |= !self.shape.knows(&path);
                }
                FileType::RegularFile | FileType::Symlink if entry.name != b".git" => {
                    let at = self.entries.binary_search_by(|entry| entry.path.cmp(&path));
                    found.untracked |= at.is_err();
                }
                _ => found.unlisted.push(self.root.join(path.as_path())),
            }
        }
    }
}
