//! Slots: private directories that hold a tree.

use super::{ShellEnd, SlotId};
use crate::error::Result;
use crate::object_id::ObjectId;

/// What a slot held when it was captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedTree {
    /// Its files as a tree.
    pub tree: ObjectId,
    /// Whether its history still descended from the base.
    pub history_ok: bool,
    /// Anything odd: nested repositories, sockets.
    pub notes: Vec<String>,
}

/// What prepares a slot beside its files.
#[derive(Debug, Clone, Copy)]
pub struct SetUp<'a> {
    /// The tree in the slot.
    pub tree: &'a ObjectId,
    /// The tree the work started from.
    pub base: &'a ObjectId,
    /// The project's `setup`, for `sh -c`; none where it has none.
    pub shell: Option<&'a str>,
    /// The project's `link`: ignored paths taken from the checkout.
    pub link: &'a [String],
    /// The state directory, which says nothing about the product.
    pub state_dir: &'a str,
}

/// What a slot is to hold.
#[derive(Debug, Clone, Copy)]
pub struct SlotContent<'a> {
    /// Which slot, by its kind and number.
    pub slot: SlotId,
    /// The commit its throwaway repository is at.
    pub commit: ObjectId,
    /// The tree that its files are.
    pub tree: ObjectId,
    /// The branch its throwaway repository is on.
    pub branch: &'a str,
}

/// A path from the root of a slot, and what stands there.
pub type NamedBytes = (String, Vec<u8>);

/// The slots, each worked in by one thread at a time.
pub trait Workspaces: Sync {
    /// Makes a slot hold exactly a tree, with a fresh throwaway repository at a commit.
    fn prepare_slot(&self, content: &SlotContent<'_>) -> Result<()>;
    /// Links paths and runs the project's set-up in a slot, unless it ran for the same inputs before.
    fn set_up(&self, slot: SlotId, asked: &SetUp<'_>) -> Result<Option<ShellEnd>>;
    /// Returns the tracked files of a prepared slot that are not as the tree has them.
    fn changed_in_slot(&self, _slot: SlotId) -> Result<Vec<String>> {
        Ok(vec![])
    }
    /// Puts the tracked files of a prepared slot back and removes what is neither tracked nor ignored nor made by set-up;
    /// returns the tracked files that were not as the tree has them.
    fn restore_slot(&self, slot: SlotId) -> Result<Vec<String>> {
        self.changed_in_slot(slot)
    }
    /// Makes a prepared slot hold another tree; ignored files stay, what was built among them. For what never lands.
    fn switch_slot(&self, content: &SlotContent<'_>) -> Result<()> {
        self.prepare_slot(content)
    }
    /// Returns a regular file of a slot; nothing where there is none, or a larger one.
    fn slot_file(&self, _slot: SlotId, _path: &str, _limit: usize) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }
    /// Returns the regular files of a slot that a path or a glob names, in order; none where they are larger together.
    fn slot_files(&self, slot: SlotId, named: &str, limit: usize) -> Result<Vec<NamedBytes>> {
        let one = self.slot_file(slot, named, limit)?;
        Ok(one
            .map(|bytes| (named.to_owned(), bytes))
            .into_iter()
            .collect())
    }
    /// Removes the files of a slot that a path or a glob names: what stands there later was written since.
    fn remove_slot_file(&self, _slot: SlotId, _path: &str) -> Result<()> {
        Ok(())
    }
    /// Returns the directory of a slot, as its programs print it.
    fn slot_root(&self, _slot: SlotId) -> Result<String> {
        Ok(String::new())
    }
    /// Names the ignored paths that verification's slots keep from run to run.
    fn keep_caches(&self, _paths: &[String]) {}
    /// Captures what is in a slot.
    fn capture(&self, slot: SlotId, base: &ObjectId) -> Result<CapturedTree>;
}
