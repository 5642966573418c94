//! What lies in a slot beside its tracked files: ignored paths, planted repositories, leftovers to remove.

use super::directory_marks::{DirectoryLook, DirectoryMarks, settled_by_now};
use super::git_command::{CommandScope, GitCommand};
use super::index::{self, IndexFile};
use super::index_walk::RecordSearch;
use super::modified_files::{is_recent, recent_parts};
use super::nested_directories::NestedDirectories;
use super::sealed_features::{FoundWhole, SealedFeatures, exposed_directories};
use super::slot::Slot;
use super::touched_files::{Time, changed_at};
use super::{Git, GitPath, worktree};
use gatewalk_core::error::Result;
use gatewalk_core::parallel;
use rustix::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Git {
    /// Removes what is not tracked, except the ignored paths that the slot keeps.
    pub(super) fn clean(&self, slot: &Slot, index: &IndexFile) -> Result<()> {
        if self.sweep(slot, index)? {
            let scope = slot.scope()?;
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
    pub(super) fn clean_unignored(&self, slot: &Slot, index: &IndexFile) -> Result<bool> {
        let untracked = self.sweep(slot, index)?;
        if untracked {
            let scope = slot.scope()?;
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
    fn sweep(&self, slot: &Slot, index: &IndexFile) -> Result<bool> {
        let shape = index.shape();
        let filled = slot.submodules();
        let sealed = slot.sealed();
        let root = GitPath::new("");
        let mut directories = exposed_directories(sealed.as_ref(), shape);
        directories.push(&root);
        // Another repository answers for the files of a filled one.
        let places = shape.gitlinks.iter();
        directories
            .extend(places.filter(|place| filled.iter().all(|known| known.place != **place)));
        let known = slot.swept();
        let is_known = shape.gitlinks.is_empty() && known.are_among(shape);
        let search = UntrackedSearch {
            root: slot.dir(),
            shape,
            index,
            known: is_known.then_some(&*known),
            settled: settled_by_now(),
        };
        let shares = parallel::share(&directories, index::MIN_SHARE, |part| search.scan(part));
        let mut untracked = false;
        let mut marks = DirectoryMarks::within(shape);
        let mut whole = FoundWhole {
            files: false,
            directories: true,
        };
        for found in shares {
            untracked |= found.untracked;
            marks.keep(found.looks);
            let holds_more =
                |s: &SealedFeatures| found.unclear.iter().any(|d| s.covers(d.as_bytes()));
            whole.directories &= !sealed.as_ref().is_some_and(holds_more);
            for path in found.unlisted {
                worktree::remove(&path)?;
            }
        }
        slot.set_swept(match shape.gitlinks.is_empty() {
            true => marks,
            false => DirectoryMarks::default(),
        });
        slot.found_whole(sealed.as_ref(), whole);
        Ok(untracked)
    }

    /// Returns the ignored paths of a slot, a whole directory as one path.
    pub(crate) fn ignored_in(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let mut ignored = self.ignored(slot.scope()?)?;
        for part in slot.submodules() {
            let below = part.git.ignored_in(&part.slot)?;
            ignored.extend(below.iter().map(|path| part.place.join(path.as_bytes())));
        }
        Ok(ignored)
    }

    /// Returns the paths of a slot that are neither tracked nor ignored, a whole directory as one path that ends in a slash.
    pub(crate) fn unignored_in(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let scope = slot.scope()?;
        self.untracked(scope, "--no-empty-directory")
    }

    /// Returns those of some paths that are tracked in a slot, or have tracked files below them.
    pub(crate) fn tracked_among(&self, slot: &Slot, paths: &[String]) -> Result<Vec<String>> {
        let index = self.index_of(slot)?;
        let is_tracked = |path: &&String| {
            index.find(path.as_bytes()).is_ok() || index.below(path.as_bytes()).next().is_some()
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

    /// Looks for every `.git` in a directory with tracked files or a submodule's place, except the slot's own, and for
    /// directories in which anything changed.
    pub(super) fn look_for_planted(&self, slot: &Slot) -> Result<SlotLook> {
        let index_written = slot.index().written()?;
        let index = self.index_of(slot).ok();
        let shape = index.as_ref().map(|index| index.shape().clone());
        let shape = shape.unwrap_or_default();
        let (known, settled) = (slot.without_git(), settled_by_now());
        let root = GitPath::new("");
        let sealed = slot.sealed();
        let mut look = SlotLook {
            sealed: None,
            recent: index.as_ref().is_some_and(|index| {
                let parts = recent_parts(index.all_parts(), index_written);
                let mut records = parts.flat_map(|part| part.records());
                records.any(|record| is_recent(&record, index_written))
            }),
            index,
            index_written,
            unswept: vec![(root.clone(), DirectoryLook::unclear(&root))],
            swept: slot.swept().of_shape(&shape),
            touched: vec![root],
            planted: Vec::new(),
        };
        let mut tree = NestedDirectories::new(slot.dir());
        let (mut marks, mut looks) = (DirectoryMarks::default(), Vec::new());
        let directories = exposed_directories(sealed.as_ref(), &shape);
        for place in directories.into_iter().chain(&shape.gitlinks) {
            let Some(seen) = tree.stat(place.as_bytes()) else {
                continue;
            };
            if changed_at(&seen) >= index_written {
                look.touched.push(place.clone());
            }
            let is_directory = FileType::from_raw_mode(seen.st_mode).is_dir();
            if is_directory && !look.swept.hold(place, &seen) {
                let own = DirectoryLook::new(place, Some(&seen), settled);
                look.unswept.push((place.clone(), own));
            }
            let own = place.join(b".git");
            if known.hold(place, &seen) || tree.stat(own.as_bytes()).is_none() {
                looks.push(DirectoryLook::new(place, Some(&seen), settled));
            } else {
                look.planted.push(slot.dir().join(own.as_path()));
            }
        }
        marks.keep(looks);
        slot.set_without_git(marks);
        look.sealed = sealed;
        Ok(look)
    }
}

/// What shows in a slot without asking git, before what is in it is captured.
pub(super) struct SlotLook {
    /// The private index, if that can be read.
    pub(super) index: Option<Arc<IndexFile>>,
    /// The directories in which anything was made, removed or renamed since the index was written, and the root.
    pub(super) touched: Vec<GitPath>,
    /// The directories in which there may be something that is not tracked, as they were seen, and the root.
    pub(super) unswept: Vec<(GitPath, DirectoryLook)>,
    /// The other ones, as they were seen before.
    pub(super) swept: Arc<DirectoryMarks>,
    /// When the index was written.
    pub(super) index_written: Time,
    /// Whether a file changed in that moment.
    pub(super) recent: bool,
    /// Every `.git` beside tracked files or in a submodule's place, except the slot's own.
    pub(super) planted: Vec<PathBuf>,
    /// What nothing could write.
    pub(super) sealed: Option<SealedFeatures>,
}

/// What directories with tracked files also hold.
#[derive(Default)]
struct UntrackedEntries {
    /// Whether there is something that git lists.
    untracked: bool,
    /// `.git` and special files.
    unlisted: Vec<PathBuf>,
    /// Each directory, as it was before.
    looks: Vec<DirectoryLook>,
    /// Those that hold something else, or cannot be listed.
    unclear: Vec<GitPath>,
}

/// A slot, and what its index says is in it.
struct UntrackedSearch<'a> {
    root: &'a Path,
    shape: &'a index::WorkTreeShape,
    index: &'a IndexFile,
    /// Directories in which nothing was found before.
    known: Option<&'a DirectoryMarks>,
    settled: Time,
}

impl UntrackedSearch<'_> {
    fn scan(&self, directories: &[&GitPath]) -> UntrackedEntries {
        let mut found = UntrackedEntries::default();
        let mut tree = NestedDirectories::new(self.root);
        for directory in directories {
            let seen = tree.stat(directory.as_bytes());
            let is_as_known = |seen| self.known.is_some_and(|k| k.hold(directory, seen));
            let is_clean = seen.as_ref().is_some_and(is_as_known)
                || self.look_into(&mut tree, directory, &mut found);
            if !is_clean {
                found.unclear.push((*directory).clone());
            }
            // What is ignored may stay: then its directory is looked into again.
            let seen = seen.filter(|_| is_clean);
            let look = DirectoryLook::new(directory, seen.as_ref(), self.settled);
            found.looks.push(look);
        }
        found
    }

    /// Returns whether a directory could be listed and has nothing but tracked files and directories with such.
    fn look_into(
        &self,
        tree: &mut NestedDirectories<'_>,
        directory: &GitPath,
        found: &mut UntrackedEntries,
    ) -> bool {
        let listed = tree.list(directory);
        let is_listed = listed.is_some();
        let mut untracked = false;
        let mut files = RecordSearch::new(self.index);
        for entry in listed.unwrap_or_default() {
            match entry.kind {
                _ if entry.name == b".git" && directory.as_bytes().is_empty() => {}
                FileType::Directory if entry.name != b".git" => {
                    untracked |= !self.shape.knows(&directory.join(&entry.name));
                }
                FileType::RegularFile | FileType::Symlink if entry.name != b".git" => {
                    untracked |= !files.is_tracked(directory, &entry.name);
                }
                _ => {
                    let path = directory.join(&entry.name);
                    found.unlisted.push(self.root.join(path.as_path()));
                }
            }
        }
        found.untracked |= untracked;
        is_listed && !untracked
    }
}
