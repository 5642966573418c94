//! Capturing what an agent left in a slot, as a tree in the repository's object store.
//!
//! Invariants: the slot's own git directory and nested repositories are never asked and never captured as submodules;
//! what cannot be captured is named, never silently left out. Ignored files stay out; a `.gitignore` the agent wrote
//! counts, so what it alone hides is named.

use super::directory_marks::DirectoryMarks;
use super::git_command::{CommandScope, GitCommand};
use super::ignore_rules::may_ignore;
use super::read::READ_LIMIT;
use super::slot::Slot;
use super::slot_head::slot_head;
use super::slot_untracked::SlotLook;
use super::{Change, Git, GitPath, MODE_GITLINK, Version, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;
use std::fs;

/// How the history in the slot relates to the commit it started from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotHistory {
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
pub(crate) struct SlotCapture {
    /// The tree of all files that are not ignored.
    pub(crate) tree: ObjectId,
    /// What differs from the base.
    pub(crate) changes: Vec<Change>,
    /// What became of the history in the slot.
    pub(crate) history: SlotHistory,
    /// Repositories found inside; their files are in the tree, their git directories are not.
    pub(crate) nested_repositories: Vec<GitPath>,
    /// What could not be captured: sockets, pipes, devices, names git refuses.
    pub(crate) skipped: Vec<GitPath>,
    /// A `.gitignore` differs from the base: files may be hidden that the base's rules would have shown.
    pub(crate) ignore_rules_changed: bool,
    /// What there is of such files, a whole directory as one path.
    pub(crate) newly_ignored: Vec<GitPath>,
    /// What a user should know of how files are stored.
    pub(crate) notes: Vec<String>,
    /// A filter of the user's configuration stored some files otherwise than they are in the slot.
    pub(crate) filtered: bool,
}

impl Git {
    /// Captures the slot's files; nothing in the slot runs, and nothing in it changes except nested `.git` directories,
    /// which are moved out of the way.
    pub(crate) fn capture(&self, slot: &Slot, base: ObjectId) -> Result<SlotCapture> {
        self.ensure_trusted_git_dir()?;
        ensure_directory(slot)?;
        worktree::remove(&slot.state().join("index.lock"))?;
        let mut nested = Vec::new();
        let look = self.set_planted_aside(slot, base, &mut nested)?;
        let mut skipped = Vec::new();
        let paths = self.paths_to_add(slot, &look);
        let packed = self.pack_new_files(slot, &look, paths.as_deref());
        let added = self.add_at(slot, paths.as_deref());
        if added
            .and_then(|()| self.settle_recent(slot, &look))
            .is_err()
        {
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
        slot.index().own();
        let filtered = self.filtered_versions(slot, base, &changes)?;
        tree = self.with_versions(tree, &mut changes, &filtered.versions)?;
        let written = changes.iter().filter_map(|change| change.new);
        for version in written.filter(|version| !packed.contains(&version.oid)) {
            self.note_written(version.oid);
        }
        let is_rules = |change: &&Change| change.path.as_path().ends_with(".gitignore");
        let rules: Vec<&Change> = changes.iter().filter(is_rules).collect();
        let newly_ignored = self.newly_ignored(slot, &rules)?;
        let ignore_rules_changed = !rules.is_empty();
        let history = self.slot_history(slot, base)?;
        Ok(SlotCapture {
            tree,
            changes,
            history,
            nested_repositories: nested,
            skipped,
            ignore_rules_changed,
            newly_ignored,
            filtered: !filtered.versions.is_empty(),
            notes: filtered.notes,
        })
    }

    /// Returns what is ignored in a slot by files of rules that changed, and was not before.
    fn newly_ignored(&self, slot: &Slot, rules: &[&Change]) -> Result<Vec<GitPath>> {
        if rules.is_empty() {
            return Ok(Vec::new());
        }
        let text = |version: Option<Version>| -> Result<Vec<u8>> {
            let Some(version) = version else {
                return Ok(Vec::new());
            };
            let read = self.read_blobs(&[version.oid], READ_LIMIT)?;
            Ok(read.into_iter().flatten().next().unwrap_or_default())
        };
        let mut changed = Vec::new();
        for change in rules {
            let name = b".gitignore";
            let directory = change.path.as_bytes();
            let directory = &directory[..directory.len() - name.len()];
            changed.push((directory, text(change.old)?, text(change.new)?));
        }
        let is_new = |path: &GitPath| {
            changed.iter().any(|(directory, old, new)| {
                let below = path.as_bytes().strip_prefix(*directory);
                let below = below.map(|path| path.strip_suffix(b"/").unwrap_or(path));
                below.is_some_and(|path| may_ignore(new, path) && !may_ignore(old, path))
            })
        };
        let ignored = self.ignored(slot.scope()?)?;
        Ok(ignored.into_iter().filter(is_new).collect())
    }

    /// Puts the versions that filters of the user's stored into a tree, and into what changed.
    fn with_versions(
        &self,
        tree: ObjectId,
        changes: &mut [Change],
        stored: &BTreeMap<GitPath, Version>,
    ) -> Result<ObjectId> {
        if stored.is_empty() {
            return Ok(tree);
        }
        for change in changes {
            change.new = stored.get(&change.path).copied().or(change.new);
        }
        let versions: Vec<_> = stored.iter().map(|(path, v)| (path, Some(*v))).collect();
        self.edit_versions(tree, &versions)
    }

    /// Moves every repository inside the slot aside: the files of those take their place, so that they are pinned, and
    /// that the guards see them. Returns what was seen before.
    fn set_planted_aside(
        &self,
        slot: &Slot,
        base: ObjectId,
        nested: &mut Vec<GitPath>,
    ) -> Result<SlotLook> {
        let mut look = match self.look_for_planted(slot) {
            Ok(look) if look.index.is_some() && slot.index().is_ours() => look,
            // The index is gone, damaged or somebody else's: capture against the base with a new one.
            _ => self.start_over(slot, base)?,
        };
        let submodules = self.changed_submodules(slot)?;
        // The git directories of filled submodules are ours, and gone by now.
        look.planted
            .retain(|path| fs::symlink_metadata(path).is_ok());
        for path in &look.planted {
            self.set_aside(slot, path, nested)?;
        }
        self.drop_entries(slot, &submodules)?;
        Ok(look)
    }

    fn start_over(&self, slot: &Slot, base: ObjectId) -> Result<SlotLook> {
        fs::create_dir_all(slot.state()).map_err(|e| Error::io("create", slot.state(), &e))?;
        slot.index().remove()?;
        slot.set_swept(DirectoryMarks::default());
        slot.unseal();
        GitCommand::new(self, slot.scope()?, "read-tree")
            .arg(base.hex())
            .run()?;
        self.look_for_planted(slot)
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

/// Puts an empty directory where the agent removed the slot, or put something else: no link is followed.
fn ensure_directory(slot: &Slot) -> Result<()> {
    if fs::symlink_metadata(slot.dir()).is_ok_and(|meta| meta.is_dir()) {
        return Ok(());
    }
    worktree::remove(slot.dir())?;
    fs::create_dir_all(slot.dir()).map_err(|e| Error::io("create", slot.dir(), &e))
}

fn is_new_link(change: &Change) -> bool {
    change
        .new
        .is_some_and(|version| version.mode == MODE_GITLINK)
}
