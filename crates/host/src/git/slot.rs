//! Slots: private directories outside the repository where attempts run.
//!
//! Invariants: after `Git::prepare` a slot's files are the commit's, plus ignored ones; everything that reads the slot
//! goes through the vault and a private index that is not in the slot; no symbolic link is followed out of it.

use super::git_command::{CommandScope, GitCommand};
use super::index::{self, IndexEntry, Record};
use super::{Git, GitPath, Oid};
use super::{modified_files, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A slot: its work tree and the private index that describes it. Clones are the same slot.
#[derive(Debug, Clone)]
pub struct Slot {
    dir: PathBuf,
    state: PathBuf,
    index: PathBuf,
    /// Ignored paths that stay when the slot is prepared; none: all of them do.
    kept: Option<Arc<Vec<String>>>,
    written: Arc<Mutex<Written>>,
}

/// What was last written into a slot, to tell what an agent did.
#[derive(Debug, Clone, Default)]
pub(super) struct Written {
    /// Identity of the index file after our last command, to notice another writer.
    index: Option<FileIdentity>,
    /// The commit or tree the files were prepared from, and what the index had then.
    prepared: Option<(Oid, Arc<Vec<IndexEntry>>)>,
}

/// What a slot is to hold: the tree of its files, and the commit and the branch (a full ref name) its `HEAD` is at.
pub type Target<'a> = (Oid, Oid, &'a str);

/// What a slot is known to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownTree {
    /// Its tracked files are this tree's.
    pub tree: Oid,
    /// And there are no others but ignored ones.
    pub swept: bool,
    /// Something unconfined ran since, elsewhere: the files are to be looked at before that is believed.
    pub doubted: bool,
}

/// What preparing a slot took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotPreparation {
    /// Only what differed was written.
    Incremental,
    /// The slot was built from nothing: new, or too damaged to repair.
    Fresh,
}

impl Slot {
    /// Returns the same slot, where preparing removes every ignored path but these.
    #[must_use]
    pub fn keeping_only(mut self, kept: Vec<String>) -> Slot {
        self.kept = Some(Arc::new(kept));
        self
    }

    /// Returns the directory an attempt works in.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the private index file.
    pub(super) fn index(&self) -> &Path {
        &self.index
    }

    /// Returns the directory of the slot's own state, inside the repository's git directory.
    pub(super) fn state(&self) -> &Path {
        &self.state
    }

    fn written(&self) -> Written {
        self.written
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns what the index had when this process prepared the slot from this commit or tree.
    pub(super) fn entries_of(&self, treeish: Oid) -> Option<Arc<Vec<IndexEntry>>> {
        self.written()
            .prepared
            .filter(|(prepared, _)| *prepared == treeish)
            .map(|(_, entries)| entries)
    }

    /// Returns the tree, or the commit, whose files this process last brought here.
    pub fn prepared(&self) -> Option<Oid> {
        self.written().prepared.map(|(prepared, _)| prepared)
    }

    fn set_written(&self, change: impl FnOnce(&mut Written)) {
        change(&mut self.written.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Notes the index file as our own work.
    pub(super) fn own_index(&self) {
        let identity = identity(&self.index);
        self.set_written(|written| written.index = identity);
    }
}

/// What tells one index file from another: inode, size, and when the inode changed.
pub(super) type FileIdentity = (u64, u64, i64, i64);

pub(super) fn identity(path: &Path) -> Option<FileIdentity> {
    let meta = fs::symlink_metadata(path).ok()?;
    Some((meta.ino(), meta.size(), meta.ctime(), meta.ctime_nsec()))
}

impl Git {
    /// Returns the slot called `name` in `dir`, which must be outside the repository's work tree.
    pub fn slot(&self, name: &str, dir: &Path) -> Result<Slot> {
        if self.work_tree().starts_with(dir)
            || self.git_dir().starts_with(dir)
            || dir.starts_with(self.work_tree())
        {
            return Err(Error::internal(format!(
                "the slot `{}` overlaps the repository",
                dir.display()
            )));
        }
        let state = self.state_dir().join("slots").join(name);
        Ok(Slot {
            dir: dir.to_path_buf(),
            index: state.join("index"),
            state,
            kept: None,
            written: Arc::default(),
        })
    }

    /// Makes the slot hold exactly the files of `tree`: leftovers gone, ignored files kept, a new throwaway `.git` at
    /// `commit` on `branch` (a full ref name).
    ///
    /// What an agent left there is lost, so it must have been captured before.
    pub fn prepare_tree(
        &self,
        slot: &Slot,
        tree: Oid,
        commit: Oid,
        branch: &str,
    ) -> Result<SlotPreparation> {
        self.ensure_vault()?;
        worktree::remove(&slot.state.join("nested"))?;
        let (prepared, entries) = self.restore_files(slot, tree)?;
        self.settle(slot, entries, (tree, commit, branch))?;
        Ok(prepared)
    }

    /// Gives a slot whose files are in place its git directory, and remembers what is in it.
    fn settle(&self, slot: &Slot, entries: Vec<IndexEntry>, to: Target<'_>) -> Result<()> {
        let (tree, commit, branch) = to;
        self.refresh_git(slot, commit, branch)?;
        slot.own_index();
        slot.set_written(|written| written.prepared = Some((tree, Arc::new(entries))));
        Ok(())
    }

    /// Does what [`Git::prepare_tree`] does to a slot of which something is known: only what differs between the two trees
    /// is looked at, and other files are looked for where there may be some.
    pub fn advance(
        &self,
        slot: &Slot,
        known: KnownTree,
        to: Target<'_>,
    ) -> Result<SlotPreparation> {
        let (tree, commit, branch) = to;
        match self.advance_files(slot, known, tree) {
            Ok(entries) => {
                worktree::remove(&slot.state.join("nested"))?;
                self.settle(slot, entries, to)?;
                Ok(SlotPreparation::Incremental)
            }
            // What was known is not so.
            Err(_) => self.prepare_tree(slot, tree, commit, branch),
        }
    }

    fn advance_files(&self, slot: &Slot, known: KnownTree, to: Oid) -> Result<Vec<IndexEntry>> {
        let otherwise = || Error::internal("it is not as it was known to be");
        let raw = fs::read(&slot.index).map_err(|_| otherwise())?;
        let records = index::records(&raw, self.object_format()).ok_or_else(otherwise)?;
        if !self.index_is_ours(slot)
            || known.doubted && !modified_files::untouched(slot.dir(), &records)
        {
            return Err(otherwise());
        }
        let from = known.tree;
        let mut entries: Vec<IndexEntry> = records.iter().map(Record::entry).collect();
        let rules = index::ignore_rules(&entries);
        if from != to {
            let call = GitCommand::new(
                self,
                CommandScope::Vault(&slot.dir, &slot.index),
                "read-tree",
            );
            let call = call.args(["-m", "-u"]).args([from.hex(), to.hex()]);
            let output = call.run()?;
            if !output.stderr.is_empty() {
                return Err(super::git_command::failure("read-tree", &output));
            }
            entries = self.index_of(slot)?;
        }
        // Files that were ignored before may not be now.
        if !known.swept || index::ignore_rules(&entries) != rules {
            self.clean(slot, &entries)?;
        }
        Ok(entries)
    }

    /// Makes the slot hold exactly the files of `commit`; see [`Git::prepare_tree`].
    pub fn prepare(&self, slot: &Slot, commit: Oid, branch: &str) -> Result<SlotPreparation> {
        self.prepare_tree(slot, commit, commit, branch)
    }

    fn restore_files(
        &self,
        slot: &Slot,
        treeish: Oid,
    ) -> Result<(SlotPreparation, Vec<IndexEntry>)> {
        fs::create_dir_all(&slot.state).map_err(|e| Error::io("create", &slot.state, &e))?;
        // The driver's lock is held: a lock file here belongs to a git that was killed.
        worktree::remove(&slot.state.join("index.lock"))?;
        let is_dir = fs::symlink_metadata(&slot.dir).is_ok_and(|meta| meta.is_dir());
        if is_dir && self.index_is_ours(slot) {
            if let Ok(entries) = self.refill(slot, treeish) {
                return Ok((SlotPreparation::Incremental, entries));
            }
            worktree::make_accessible(&slot.dir);
        }
        if is_dir {
            let refilled = self
                .rehash(slot, treeish)
                .and_then(|()| self.refill(slot, treeish));
            if let Ok(entries) = refilled {
                return Ok((SlotPreparation::Incremental, entries));
            }
        }
        worktree::remove(&slot.dir)?;
        worktree::remove(&slot.index)?;
        fs::create_dir_all(&slot.dir).map_err(|e| Error::io("create", &slot.dir, &e))?;
        self.read_tree(slot, treeish)?;
        Ok((SlotPreparation::Fresh, self.index_of(slot)?))
    }

    /// Returns whether the private index can be believed: it exists, and in this process nobody else wrote it.
    pub(super) fn index_is_ours(&self, slot: &Slot) -> bool {
        match (slot.written().index, identity(&slot.index)) {
            (_, None) => false,
            (None, Some(_)) => true,
            (known, found) => known == found,
        }
    }

    /// Starts over with an index that believes nothing about the files, and reads them all once.
    fn rehash(&self, slot: &Slot, commit: Oid) -> Result<()> {
        worktree::remove(&slot.index)?;
        let scope = CommandScope::Vault(&slot.dir, &slot.index);
        GitCommand::new(self, scope, "read-tree")
            .arg(commit.hex())
            .run()?;
        // Exit 1 says that some files differ, which is what the next step repairs.
        GitCommand::new(self, scope, "update-index")
            .args(["-q", "--refresh"])
            .accept(&[0, 1])
            .run()?;
        Ok(())
    }

    /// Brings the slot from any state to the wanted files, rewriting only what differs.
    fn refill(&self, slot: &Slot, treeish: Oid) -> Result<Vec<IndexEntry>> {
        // Before git goes there: it would ask a repository in a submodule's place about its state.
        for gitlink in index::shape(&self.index_of(slot)?).gitlinks {
            if let Some(path) = worktree::inside(&slot.dir, &inner_git(&gitlink)) {
                worktree::remove(&path)?;
            }
        }
        self.read_tree(slot, treeish)?;
        let entries = self.index_of(slot)?;
        self.clean(slot, &entries)?;
        Ok(entries)
    }

    /// Removes what is not tracked, ignored files kept as the slot says.
    fn clean(&self, slot: &Slot, entries: &[IndexEntry]) -> Result<()> {
        if self.sweep(slot, entries)? {
            let scope = CommandScope::Vault(&slot.dir, &slot.index);
            let mut call = GitCommand::new(self, scope, "clean").arg("-ffdq");
            if let Some(kept) = &slot.kept {
                call = call.arg("-x");
                for path in kept.iter() {
                    call = call.arg("-e").arg(path);
                }
            }
            call.run()?;
        }
        Ok(())
    }

    /// Removes `.git` and special files from the directories with tracked files, which git never lists, and returns
    /// whether anything else is there that is not tracked.
    fn sweep(&self, slot: &Slot, entries: &[IndexEntry]) -> Result<bool> {
        let shape = index::shape(entries);
        let mut directories = shape.with_root();
        directories.extend(&shape.gitlinks);
        let shares = parallel::share(
            &directories,
            index::MIN_SHARE,
            |part| -> Result<UntrackedEntries> {
                let mut found = UntrackedEntries::default();
                for directory in part {
                    found.look_into(slot.dir(), directory, &shape, entries)?;
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

    fn read_tree(&self, slot: &Slot, commit: Oid) -> Result<()> {
        let call = GitCommand::new(
            self,
            CommandScope::Vault(&slot.dir, &slot.index),
            "read-tree",
        );
        let output = call.args(["--reset", "-u"]).arg(commit.hex()).run()?;
        // Git reports a file it could not replace and still succeeds.
        if output.stderr.is_empty() {
            Ok(())
        } else {
            Err(super::git_command::failure("read-tree", &output))
        }
    }

    /// Returns the ignored paths of a slot, whole directories as one.
    pub fn ignored_in(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        self.ignored(CommandScope::Vault(&slot.dir, &slot.index))
    }

    /// Returns the ignored paths of a work tree, whole directories as one with a slash behind.
    pub(super) fn ignored(&self, scope: CommandScope<'_>) -> Result<Vec<GitPath>> {
        let call = GitCommand::new(self, scope, "ls-files");
        let call = call.args(["-o", "-i", "--exclude-standard", "--directory", "-z"]);
        let output = call.run()?;
        let paths = output
            .stdout
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty());
        Ok(paths.map(GitPath::new).collect())
    }

    /// Returns every `.git` in a directory with tracked files or a submodule's place, except the slot's own.
    pub(super) fn planted_git(&self, slot: &Slot) -> Result<Vec<PathBuf>> {
        let shape = index::shape(&self.index_of(slot)?);
        let mut found = Vec::new();
        for directory in shape.directories.iter().chain(&shape.gitlinks) {
            let Some(path) = worktree::inside(&slot.dir, &inner_git(directory)) else {
                continue;
            };
            if fs::symlink_metadata(&path).is_ok() {
                found.push(path);
            }
        }
        Ok(found)
    }

    /// Returns what the private index has.
    pub(super) fn index_of(&self, slot: &Slot) -> Result<Vec<IndexEntry>> {
        let raw = fs::read(&slot.index).map_err(|e| Error::io("read", &slot.index, &e))?;
        index::entries(&raw, self.object_format()).ok_or_else(|| {
            Error::environment(format!(
                "`{}` is not a readable index",
                slot.index.display()
            ))
        })
    }
}

/// What directories with tracked files hold beside them.
#[derive(Default)]
struct UntrackedEntries {
    /// Whether there is something that git lists.
    untracked: bool,
    /// `.git` and special files.
    unlisted: Vec<PathBuf>,
}

impl UntrackedEntries {
    fn look_into(
        &mut self,
        root: &Path,
        directory: &GitPath,
        shape: &index::WorkTreeShape,
        entries: &[IndexEntry],
    ) -> Result<()> {
        let Some(full) = worktree::inside(root, directory) else {
            return Ok(());
        };
        for entry in fs::read_dir(&full).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let kind = entry.file_type();
            let kind = kind.map_err(|e| Error::io("read", &entry.path(), &e))?;
            let path = directory.join(name.as_encoded_bytes());
            if name == ".git" {
                if !directory.as_bytes().is_empty() {
                    self.unlisted.push(entry.path());
                }
            } else if kind.is_dir() {
                self.untracked |= !shape.knows(&path);
            } else if kind.is_file() || kind.is_symlink() {
                let at = entries.binary_search_by(|entry| entry.path.cmp(&path));
                self.untracked |= at.is_err();
            } else {
                self.unlisted.push(entry.path());
            }
        }
        Ok(())
    }
}

fn inner_git(directory: &GitPath) -> GitPath {
    directory.join(b".git")
}
