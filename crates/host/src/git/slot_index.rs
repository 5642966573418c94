//! What a slot holds, put into its own index: all that git can take, and without a repository inside it.

use super::git_command::GitCommand;
use super::git_path::nul_separated;
use super::index_walk;
use super::slot::Slot;
use super::tree_object::TreeObject;
use super::worktree;
use super::{Change, Git, GitPath};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

impl Git {
    pub(super) fn add_all(&self, slot: &Slot) -> Result<()> {
        GitCommand::new(self, slot.scope()?, "add")
            .args(["-A", "."])
            .run()?;
        Ok(())
    }

    /// Returns the index as a tree, and how it differs from the base.
    ///
    /// When this process prepared the slot with the base, both come from comparing the index with what it had then, and
    /// only the directories that changed are written.
    pub(super) fn index_tree(
        &self,
        slot: &Slot,
        base: ObjectId,
    ) -> Result<(ObjectId, Vec<Change>)> {
        let base_tree = self.tree_of(base)?;
        let before = slot.index_at(base).or_else(|| slot.index_at(base_tree));
        if let (Some(before), Ok(after)) = (before, self.index_of(slot)) {
            let changes = index_walk::changes(&before, &after);
            let versions: Vec<_> = changes
                .iter()
                .map(|change| (&change.path, change.new))
                .collect();
            let tree = self.edit_versions(base_tree, &versions)?;
            return Ok((tree, changes));
        }
        let output = GitCommand::new(self, slot.scope()?, "write-tree")
            .flushed()
            .run()?;
        let tree = ObjectId::parse(output.stdout.trim_ascii())
            .ok_or_else(|| Error::internal("git write-tree answered without an id"))?;
        let changes = self.diff(base, tree)?;
        Ok((tree, changes))
    }

    /// Adds what can be added when git refused: makes files readable, moves nested repositories and special files aside,
    /// and names what is still left out.
    pub(super) fn add_reluctantly(
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
        let scope = slot.scope()?;
        let add = GitCommand::new(self, scope, "add")
            .args(["-A", "--ignore-errors", "."])
            .accept(&[0, 1]);
        if add.run().is_err() {
            // The agent's attributes may ask for an encoding a file does not have: then the bytes are taken as they are.
            let empty = self.write_tree(&TreeObject::empty(self.object_format()))?;
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
    pub(super) fn unlink_nested(
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
    pub(super) fn drop_entries(&self, slot: &Slot, paths: &[GitPath]) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let removals = nul_separated(paths);
        let scope = slot.scope()?;
        GitCommand::new(self, scope, "update-index")
            .args(["--force-remove", "-z", "--stdin"])
            .input(&removals)
            .run()?;
        Ok(())
    }

    /// Moves a nested `.git` into the slot's state, where nothing reads it, until the slot is prepared again.
    pub(super) fn set_aside(
        &self,
        slot: &Slot,
        path: &Path,
        nested: &mut Vec<GitPath>,
    ) -> Result<()> {
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
