//! Submodules: the repositories the user's checkout has of them, and their files in a slot.
//!
//! Nothing is fetched: a commit that no checkout on this machine has leaves its place empty, and is named. A submodule's
//! place is a slot of the submodule's own repository, so that all that holds for slots holds for it.

use super::filled_submodule::{is_machines, key, known_fill, pointed_at, real_directory};
use super::git_command::{CommandScope, GitCommand};
use super::index::IndexFile;
use super::index_record::Record;
use super::slot::{FilledSubmodule, Slot};
use super::slot_target::{KnownTree, SlotTarget};
use super::{Directories, Git, GitPath, MODE_GITLINK, discover, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

impl Git {
    /// Writes the files of every submodule into a prepared slot, as far as this machine has them.
    pub(super) fn fill_submodules(
        &self,
        slot: &Slot,
        index: &IndexFile,
        branch: &str,
    ) -> Result<()> {
        let links: Vec<Record<'_>> = index.links().collect();
        let (mut filled, mut absent) = (Vec::new(), Vec::new());
        if !links.is_empty() {
            let rules = match index.record_of(b".gitmodules") {
                Some(rules) => self.submodule_names(rules.version().oid)?,
                None => BTreeMap::new(),
            };
            for link in links {
                let (place, commit) = (GitPath::new(link.path), link.version().oid);
                let name = rules.get(&place);
                match self.fill_submodule(slot, (&place, commit, name), branch)? {
                    Some(submodule) => filled.push(submodule),
                    None => absent.push(place),
                }
            }
        }
        slot.set_submodules(filled, absent);
        Ok(())
    }

    /// Fills the place of a submodule, with the name that the rules give it.
    fn fill_submodule(
        &self,
        slot: &Slot,
        (place, commit, name): (&GitPath, ObjectId, Option<&Vec<u8>>),
        branch: &str,
    ) -> Result<Option<FilledSubmodule>> {
        let known = known_fill(slot, place, commit);
        let was_filled = known.is_some();
        let git = match known {
            Some(known) => Some(known.git),
            None => self.submodule_with(place, name, commit)?,
        };
        let Some(git) = git else {
            empty_filled(slot, place)?;
            return Ok(None);
        };
        let Some(dir) = real_directory(slot, place)? else {
            return Ok(None);
        };
        let own = slot.at_place(place, dir, state_of(slot, place));
        let target = SlotTarget {
            tree: commit,
            commit,
            branch,
        };
        git.distrust_git_dir();
        git.ensure_trusted_git_dir()?;
        let filled = match was_filled {
            true => git.advance(&own, filled_before(commit), target),
            false => git.prepare_tree(&own, target),
        };
        match filled {
            Ok(_) => Ok(Some(FilledSubmodule {
                place: place.clone(),
                commit,
                branch: branch.to_owned(),
                git,
                slot: own,
            })),
            Err(error) if is_machines(&error) => Err(error),
            // Not all of it is here, as in a partial clone.
            Err(_) => {
                empty_filled(slot, place)?;
                Ok(None)
            }
        }
    }

    /// Returns the repository of a submodule that has a commit.
    pub(super) fn submodule_with(
        &self,
        place: &GitPath,
        name: Option<&Vec<u8>>,
        commit: ObjectId,
    ) -> Result<Option<Git>> {
        for git_dir in self.submodule_git_dirs(place, name) {
            let git = self.submodule(place, &git_dir);
            match git.resolve(&commit.hex()) {
                Ok(Some(_)) => return Ok(Some(git)),
                Err(error) if is_machines(&error) => return Err(error),
                Ok(None) | Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Returns the submodules of a tree whose commit this machine has: the place, the commit and the repository.
    pub(super) fn submodules_here(&self, tree: ObjectId) -> Result<Vec<(GitPath, ObjectId, Git)>> {
        let entries = self.list_tree(tree, &GitPath::new(""))?;
        let rules = entries.iter().find(|e| e.path.as_bytes() == b".gitmodules");
        let links = || entries.iter().filter(|entry| entry.mode == MODE_GITLINK);
        let names = match rules.filter(|_| links().next().is_some()) {
            Some(rules) => self.submodule_names(rules.oid)?,
            None => BTreeMap::new(),
        };
        let mut found = Vec::new();
        for link in links() {
            if let Some(git) = self.submodule_with(&link.path, names.get(&link.path), link.oid)? {
                found.push((link.path.clone(), link.oid, git));
            }
        }
        Ok(found)
    }

    /// Returns where the user's checkout may have the repository of a submodule: with this repository's own, or in its
    /// place.
    fn submodule_git_dirs(&self, place: &GitPath, name: Option<&Vec<u8>>) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let name = name.map(|name| Path::new(OsStr::from_bytes(name)));
        let plain = |path: &&Path| path.components().all(|c| matches!(c, Component::Normal(_)));
        if let Some(name) = name.filter(plain) {
            found.push(self.git_dir().join("modules").join(name));
            found.push(self.common_dir().join("modules").join(name));
        }
        if let Some(own) = worktree::inside(self.work_tree(), &place.join(b".git")) {
            found.extend(pointed_at(&own));
        }
        found.dedup();
        found.retain(|dir| dir.join("objects").is_dir() && dir.join("HEAD").exists());
        found
    }

    /// Returns the repository in a git directory of a submodule; its runtime state is with this repository's.
    fn submodule(&self, place: &GitPath, git_dir: &Path) -> Git {
        let name = key(git_dir.as_os_str().as_bytes());
        let at = Directories {
            work_tree: self.work_tree().join(place.as_path()),
            git_dir: git_dir.to_path_buf(),
            common_dir: git_dir.to_path_buf(),
            state: self.state_dir().join("submodules").join(name),
        };
        let kind = (
            discover::ref_format(git_dir),
            git_dir.join("shallow").exists(),
        );
        self.handle(at, kind, self.shared.deadline)
    }

    /// Returns the names of submodules by their places, from a `.gitmodules`.
    pub(super) fn submodule_names(&self, rules: ObjectId) -> Result<BTreeMap<GitPath, Vec<u8>>> {
        let call = GitCommand::new(self, CommandScope::Repository, "config")
            .arg(format!("--blob={rules}"))
            .args(["-z", "--get-regexp", "^submodule\\..*\\.path$"]);
        // One that cannot be read names nothing, and the place alone decides.
        let output = call.accept(&[0, 1, 3, 128]).run()?;
        let pairs = output.stdout.split(|byte| *byte == 0).filter_map(|pair| {
            let end = pair.iter().position(|byte| *byte == b'\n')?;
            let name = pair[..end].strip_prefix(b"submodule.")?;
            let name = name.strip_suffix(b".path")?;
            Some((GitPath::new(&pair[end + 1..]), name.to_vec()))
        });
        Ok(pairs.collect())
    }
}

/// What is known of a place that was filled from a commit and may have been worked in since.
fn filled_before(commit: ObjectId) -> KnownTree {
    KnownTree {
        tree: commit,
        swept: false,
        untrusted: true,
    }
}

/// Empties a submodule's place that was filled here; what a project's set-up fetched stays.
fn empty_filled(slot: &Slot, place: &GitPath) -> Result<()> {
    let state = state_of(slot, place);
    if !state.exists() {
        return Ok(());
    }
    if let Some(dir) = worktree::inside(slot.dir(), place) {
        worktree::remove(&dir)?;
        fs::create_dir(&dir).map_err(|e| Error::io("create", &dir, &e))?;
    }
    worktree::remove(&state)
}

/// Returns where the state of a submodule's place of a slot is.
fn state_of(slot: &Slot, place: &GitPath) -> PathBuf {
    slot.state().join("submodules").join(key(place.as_bytes()))
}
