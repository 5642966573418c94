//! Capturing what an agent left in a slot, as a tree in the repository's object store.
//!
//! Invariants: the slot's own git directory and nested repositories are never asked and never captured as submodules;
//! what cannot be captured is named, never silently left out. Ignored files stay out; a `.gitignore` the agent wrote
//! counts, so `SlotCapture::ignore_rules_changed` reports that one did.

use super::git_command::{CommandScope, GitCommand};
use super::index;
use super::slot::Slot;
use super::slot_head::slot_head;
use super::worktree;
use super::{Change, Git, GitPath, MODE_GITLINK};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How the history in the slot relates to the commit it started from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotHistory {
    /// `HEAD` is where it was put.
    AtBase,
    /// The agent committed on top.
    Descends,
    /// `HEAD` is somewhere that does not contain the base.
    Diverged,
    /// There is no readable `HEAD`: the agent removed or broke the slot's git directory.
    Missing,
}

/// What an agent left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotCapture {
    /// The tree of all files that are not ignored.
    pub tree: ObjectId,
    /// What differs from the base.
    pub changes: Vec<Change>,
    /// What became of the history in the slot.
    pub history: SlotHistory,
    /// Repositories found inside; their files are in the tree, their git directories are not.
    pub(crate) nested_repositories: Vec<GitPath>,
    /// What could not be captured: sockets, pipes, devices, names git refuses.
    pub skipped: Vec<GitPath>,
    /// A `.gitignore` differs from the base: files may be hidden that the base's rules would have shown.
    pub(crate) ignore_rules_changed: bool,
    /// What a user should know of how files are stored.
    pub notes: Vec<String>,
    /// A filter of the user's configuration stored some files otherwise than they are in the slot.
    pub filtered: bool,
}

impl Git {
    /// Captures the slot's files; nothing in the slot runs, and nothing in it changes except nested `.git` directories,
    /// which are moved out of the way.
    pub fn capture(&self, slot: &Slot, base: ObjectId) -> Result<SlotCapture> {
        self.ensure_trusted_git_dir()?;
        if !fs::symlink_metadata(slot.dir()).is_ok_and(|meta| meta.is_dir()) {
            // The agent removed the slot, or put something else in its place: nothing is left, and no link is followed.
            worktree::remove(slot.dir())?;
            fs::create_dir_all(slot.dir()).map_err(|e| Error::io("create", slot.dir(), &e))?;
        }
        worktree::remove(&slot.state().join("index.lock"))?;
        let mut nested = Vec::new();
        let mut planted = match self.planted_git(slot) {
            Ok(planted) if self.index_is_ours(slot) => planted,
            // The index is gone, damaged or somebody else's: capture against the base with a new one.
            _ => self.start_over(slot, base)?,
        };
        let submodules = self.changed_submodules(slot)?;
        // The git directories of filled submodules are ours, and gone by now.
        planted.retain(|path| fs::symlink_metadata(path).is_ok());
        for path in planted {
            self.set_aside(slot, &path, &mut nested)?;
        }
        // Their files take their place, so that they are pinned, and that the guards see them.
        self.drop_entries(slot, &submodules)?;
        let mut skipped = Vec::new();
        let packed = self.pack_new_files(slot);
        if self.add_all(slot).is_err() {
            self.add_reluctantly(slot, &mut nested, &mut skipped)?;
        }
        let (mut tree, mut changes) = self.index_tree(slot, base)?;
        let links: Vec<GitPath> = changes
            .iter()
            .filter(|change| is_new_link(change))
            .map(|c| c.path.clone())
            .collect();
        if !links.is_empty() {
            self.unlink_nested(slot, &links, &mut nested)?;
            (tree, changes) = self.index_tree(slot, base)?;
        }
        slot.own_index();
        let filtered = self.filtered_versions(slot, base, &changes)?;
        if !filtered.versions.is_empty() {
            let versions = filtered.versions.iter();
            let versions: Vec<_> = versions.map(|(path, v)| (path, Some(*v))).collect();
            tree = self.edit_versions(tree, &versions)?;
            for change in &mut changes {
                change.new = filtered.versions.get(&change.path).copied().or(change.new);
            }
        }
        let written = changes.iter().filter_map(|change| change.new);
        for version in written.filter(|version| !packed.contains(&version.oid)) {
            self.note_written(version.oid);
        }
        let ignore_rules_changed = changes
            .iter()
            .any(|change| change.path.as_path().ends_with(".gitignore"));
        let history = self.slot_history(slot, base)?;
        Ok(SlotCapture {
            tree,
            changes,
            history,
            nested_repositories: nested,
            skipped,
            ignore_rules_changed,
            filtered: !filtered.versions.is_empty(),
            notes: filtered.notes,
        })
    }

    fn start_over(&self, slot: &Slot, base: ObjectId) -> Result<Vec<PathBuf>> {
        fs::create_dir_all(slot.state()).map_err(|e| Error::io("create", slot.state(), &e))?;
        worktree::remove(slot.index())?;
        GitCommand::new(
            self,
            CommandScope::Slot(slot.dir(), slot.index()),
            "read-tree",
        )
        .arg(base.hex())
        .run()?;
        self.planted_git(slot)
    }

    fn add_all(&self, slot: &Slot) -> Result<()> {
        GitCommand::new(self, CommandScope::Slot(slot.dir(), slot.index()), "add")
            .args(["-A", "."])
            .run()?;
        Ok(())
    }

    /// Returns the index as a tree, and how it differs from the base.
    ///
    /// When this process prepared the slot with the base, both come from comparing the index with what it had then, and
    /// only the directories that changed are written.
    fn index_tree(&self, slot: &Slot, base: ObjectId) -> Result<(ObjectId, Vec<Change>)> {
        let base_tree = self.tree_of(base)?;
        let before = slot.entries_of(base).or_else(|| slot.entries_of(base_tree));
        if let (Some(before), Ok(after)) = (before, self.index_of(slot)) {
            let changes = index::changes(&before, &after);
            let versions: Vec<_> = changes
                .iter()
                .map(|change| (&change.path, change.new))
                .collect();
            let tree = self.edit_versions(base_tree, &versions)?;
            return Ok((tree, changes));
        }
        let output = GitCommand::new(
            self,
            CommandScope::Slot(slot.dir(), slot.index()),
            "write-tree",
        )
        .flushed()
        .run()?;
        let tree = ObjectId::parse(output.stdout.trim_ascii())
            .ok_or_else(|| Error::internal("git write-tree answered without an id"))?;
        let changes = self.diff(base, tree)?;
        Ok((tree, changes))
    }

    /// Adds what can be added when git refused: makes files readable, moves nested repositories and special files aside,
    /// and names what is still left out.
    fn add_reluctantly(
        &self,
        slot: &Slot,
        nested: &mut Vec<GitPath>,
        skipped: &mut Vec<GitPath>,
    ) -> Result<()> {
        worktree::remove(&slot.state().join("index.lock"))?;
        worktree::make_accessible(slot.dir());
        let mut special = Vec::new();
        let mut repositories = Vec::new();
        survey(slot.dir(), slot.dir(), &mut special, &mut repositories);
        for path in repositories {
            self.set_aside(slot, &path, nested)?;
        }
        for path in special {
            skipped.push(relative(slot.dir(), &path));
            worktree::remove(&path)?;
        }
        let scope = CommandScope::Slot(slot.dir(), slot.index());
        let add = GitCommand::new(self, scope, "add")
            .args(["-A", "--ignore-errors", "."])
            .accept(&[0, 1]);
        if add.run().is_err() {
            // The agent's attributes may ask for an encoding a file does not have: then the bytes are taken as they are.
            let empty = self.write_tree(&[])?;
            let add = GitCommand::new(self, scope, "add")
                .args(["-A", "--ignore-errors", "."])
                .accept(&[0, 1]);
            add.env("GIT_ATTR_SOURCE", empty.hex()).run()?;
        }
        let left = GitCommand::new(self, scope, "ls-files")
            .args(["-o", "-m", "-z", "--exclude-standard"])
            .run()?;
        skipped.extend(left.paths());
        skipped.sort();
        skipped.dedup();
        Ok(())
    }

    /// Turns entries that became submodules into the files they hold.
    fn unlink_nested(
        &self,
        slot: &Slot,
        links: &[GitPath],
        nested: &mut Vec<GitPath>,
    ) -> Result<()> {
        let mut special = Vec::new();
        for link in links {
            let Some(dir) = worktree::inside(slot.dir(), link) else {
                continue;
            };
            let mut repositories = Vec::new();
            survey(&dir, &dir, &mut special, &mut repositories);
            let own = dir.join(".git");
            if fs::symlink_metadata(&own).is_ok() {
                repositories.push(own);
            }
            for path in repositories {
                self.set_aside(slot, &path, nested)?;
            }
        }
        self.drop_entries(slot, links)?;
        self.add_all(slot)
    }

    /// Removes entries from the slot's index; the files stay.
    fn drop_entries(&self, slot: &Slot, paths: &[GitPath]) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let mut removals = Vec::new();
        for path in paths {
            removals.extend_from_slice(path.as_bytes());
            removals.push(0);
        }
        let scope = CommandScope::Slot(slot.dir(), slot.index());
        GitCommand::new(self, scope, "update-index")
            .args(["--force-remove", "-z", "--stdin"])
            .input(&removals)
            .run()?;
        Ok(())
    }

    /// Moves a nested `.git` into the slot's state, where nothing reads it, until the slot is prepared again.
    fn set_aside(&self, slot: &Slot, path: &Path, nested: &mut Vec<GitPath>) -> Result<()> {
        let owner = path.parent().unwrap_or(path);
        let target = slot.state().join("nested");
        fs::create_dir_all(&target).map_err(|e| Error::io("create", &target, &e))?;
        let mut number = 0;
        let mut place = target.join("0");
        while fs::symlink_metadata(&place).is_ok() {
            number += 1;
            place = target.join(number.to_string());
        }
        if fs::rename(path, &place).is_err() {
            // Another file system: the files beside it are what counts.
            worktree::remove(path)?;
        }
        nested.push(relative(slot.dir(), owner));
        Ok(())
    }

    /// Compares the slot's `HEAD` with the base, reading the slot's refs as files and asking git only about ids.
    fn slot_history(&self, slot: &Slot, base: ObjectId) -> Result<SlotHistory> {
        let dir = slot.dir().join(".git");
        let Some(head) = slot_head(&dir) else {
            return Ok(SlotHistory::Missing);
        };
        if head == base {
            return Ok(SlotHistory::AtBase);
        }
        let call = GitCommand::new(self, CommandScope::Bare, "merge-base")
            .arg("--is-ancestor")
            .args([base.hex(), head.hex()]);
        let call = call
            .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", dir.join("objects"))
            .accept(&[0, 1, 128]);
        Ok(if call.run()?.code == 0 {
            SlotHistory::Descends
        } else {
            SlotHistory::Diverged
        })
    }
}

fn is_new_link(change: &Change) -> bool {
    change
        .new
        .is_some_and(|version| version.mode == MODE_GITLINK)
}

fn relative(root: &Path, path: &Path) -> GitPath {
    GitPath::new(
        path.strip_prefix(root)
            .unwrap_or(path)
            .as_os_str()
            .as_bytes(),
    )
}

/// Collects special files and nested `.git` entries below `dir`, following no link.
fn survey(root: &Path, dir: &Path, special: &mut Vec<PathBuf>, repositories: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if entry.file_name() == ".git" {
            if dir != root {
                repositories.push(path);
            }
        } else if kind.is_dir() {
            survey(root, &path, special, repositories);
        } else if !kind.is_file() && !kind.is_symlink() {
            special.push(path);
        }
    }
}
