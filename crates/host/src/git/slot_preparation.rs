//! Making a slot hold exactly the files of a tree, writing as little as can be relied on.

use super::directory_marks::DirectoryMarks;
use super::filled_submodule::restore_submodules;
use super::git_command::GitCommand;
use super::index::IndexFile;
use super::nested_directories::NestedDirectories;
use super::slot::Slot;
use super::slot_target::{KnownTree, SlotTarget};
use super::{Git, modified_files, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use rustix::fs::FileType;
use std::fs;
use std::sync::Arc;

/// What preparing a slot took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotPreparation {
    /// Only what differed was written.
    Incremental,
    /// The slot was built from nothing: new, or too damaged to repair.
    Fresh,
}

impl Git {
    /// Makes the slot hold exactly the files of a tree: leftovers gone, ignored files kept, a new throwaway `.git`.
    ///
    /// What an agent left there is lost: capture it first.
    pub(crate) fn prepare_tree(
        &self,
        slot: &Slot,
        target: SlotTarget<'_>,
    ) -> Result<SlotPreparation> {
        self.ensure_trusted_git_dir()?;
        worktree::remove(&slot.state().join("nested"))?;
        let (prepared, index) = self.restore_files(slot, target.tree)?;
        self.settle(slot, index, target)?;
        Ok(prepared)
    }

    /// Gives a slot whose files are in place its git directory, and records what it holds.
    fn settle(&self, slot: &Slot, index: Arc<IndexFile>, target: SlotTarget<'_>) -> Result<()> {
        self.refresh_git(slot, target.commit, target.branch)?;
        self.fill_submodules(slot, &index, target.branch)?;
        slot.index().own();
        slot.set_prepared(target.tree, index);
        Ok(())
    }

    /// Does what [`Git::prepare_tree`] does to a slot of which something is known: only what differs between the two
    /// trees is written, and other files are searched for only where there may be some.
    pub(crate) fn advance(
        &self,
        slot: &Slot,
        known: KnownTree,
        target: SlotTarget<'_>,
    ) -> Result<SlotPreparation> {
        match self.advance_files(slot, known, target.tree) {
            Ok(index) => {
                worktree::remove(&slot.state().join("nested"))?;
                self.settle(slot, index, target)?;
                Ok(SlotPreparation::Incremental)
            }
            // What was known no longer holds.
            Err(_) => self.prepare_tree(slot, target),
        }
    }

    fn advance_files(&self, slot: &Slot, known: KnownTree, to: ObjectId) -> Result<Arc<IndexFile>> {
        let changed = || Error::internal("the slot does not hold what was known of it");
        if self.remove_stale_pointers(slot)? {
            return Err(changed());
        }
        let before = self.index_of(slot).map_err(|_| changed())?;
        if !slot.index().is_ours()
            || known.untrusted && !modified_files::is_untouched(slot, &before)
        {
            return Err(changed());
        }
        let from = known.tree;
        let after = match from == to {
            true => before.clone(),
            false => match self.edit_slot(slot, &before, (from, to))? {
                Some(after) => after,
                None => self.merge_into_slot(slot, (from, to))?,
            },
        };
        // Files that were ignored before may not be now.
        if !known.swept || after.ignore_rules() != before.ignore_rules() {
            self.clean(slot, &after)?;
        }
        Ok(after)
    }

    /// Lets git take a slot from one tree to another.
    fn merge_into_slot(
        &self,
        slot: &Slot,
        (from, to): (ObjectId, ObjectId),
    ) -> Result<Arc<IndexFile>> {
        let scope = slot.scope()?;
        let call = GitCommand::new(self, scope, "read-tree");
        let call = call.args(["-m", "-u"]).args([from.hex(), to.hex()]);
        let output = call.run()?;
        if !output.complaint.is_empty() {
            return Err(output.to_error("read-tree"));
        }
        self.index_of(slot)
    }

    /// Puts the tracked files of a prepared slot back where they changed, and removes what is neither tracked nor ignored
    /// nor kept; returns whether anything untracked was there.
    pub(crate) fn restore(&self, slot: &Slot, tree: ObjectId, changed: bool) -> Result<bool> {
        if changed {
            self.remove_planted(slot)?;
            self.read_tree(slot, tree)?;
        }
        let index = self.index_of(slot)?;
        let untracked = self.clean_unignored(slot, &index)?;
        restore_submodules(slot, changed)?;
        slot.index().own();
        slot.set_prepared(tree, index);
        Ok(untracked)
    }

    fn restore_files(
        &self,
        slot: &Slot,
        treeish: ObjectId,
    ) -> Result<(SlotPreparation, Arc<IndexFile>)> {
        fs::create_dir_all(slot.state()).map_err(|e| Error::io("create", slot.state(), &e))?;
        // The driver's lock is held: a lock file here belongs to a git that was killed.
        worktree::remove(&slot.state().join("index.lock"))?;
        let is_dir = fs::symlink_metadata(slot.dir()).is_ok_and(|meta| meta.is_dir());
        if is_dir && slot.index().is_ours() {
            if let Ok(index) = self.refill(slot, treeish) {
                return Ok((SlotPreparation::Incremental, index));
            }
            worktree::make_accessible(slot.dir());
        }
        if is_dir {
            let refilled = self
                .rehash(slot, treeish)
                .and_then(|()| self.refill(slot, treeish));
            if let Ok(index) = refilled {
                return Ok((SlotPreparation::Incremental, index));
            }
        }
        worktree::remove(slot.dir())?;
        slot.index().remove()?;
        slot.set_swept(DirectoryMarks::default());
        slot.unseal();
        fs::create_dir_all(slot.dir()).map_err(|e| Error::io("create", slot.dir(), &e))?;
        self.read_tree(slot, treeish)?;
        Ok((SlotPreparation::Fresh, self.index_of(slot)?))
    }

    /// Starts over with an index that assumes nothing about the files, and reads them all once.
    fn rehash(&self, slot: &Slot, commit: ObjectId) -> Result<()> {
        slot.index().remove()?;
        slot.set_swept(DirectoryMarks::default());
        slot.unseal();
        let scope = slot.scope()?;
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

    /// Turns any state of the slot into the wanted files, rewriting only what differs.
    fn refill(&self, slot: &Slot, treeish: ObjectId) -> Result<Arc<IndexFile>> {
        self.remove_planted(slot)?;
        self.remove_stale_pointers(slot)?;
        self.read_tree(slot, treeish)?;
        let index = self.index_of(slot)?;
        self.clean(slot, &index)?;
        Ok(index)
    }

    /// Removes what leads git astray before it goes there: the git directories in submodules' places, which it would ask
    /// about their state, and whatever stands in a directory's place, such as a link over which it would find the files.
    fn remove_planted(&self, slot: &Slot) -> Result<()> {
        let index = self.index_of(slot)?;
        let shape = index.shape();
        let mut tree = NestedDirectories::new(slot.dir());
        for directory in &shape.directories {
            let found = tree.stat(directory.as_bytes());
            if found.is_some_and(|meta| !FileType::from_raw_mode(meta.st_mode).is_dir()) {
                worktree::remove(&slot.dir().join(directory.as_path()))?;
            }
        }
        for gitlink in &shape.gitlinks {
            if let Some(path) = worktree::inside(slot.dir(), &gitlink.join(b".git")) {
                worktree::remove(&path)?;
            }
        }
        Ok(())
    }

    fn read_tree(&self, slot: &Slot, commit: ObjectId) -> Result<()> {
        let call = GitCommand::new(self, slot.scope()?, "read-tree");
        let output = call.args(["--reset", "-u"]).arg(commit.hex()).run()?;
        // Git reports a file it could not replace and still succeeds.
        if output.complaint.is_empty() {
            Ok(())
        } else {
            Err(output.to_error("read-tree"))
        }
    }
}
