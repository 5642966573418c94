//! What the driver asks of the repository, answered by git.

use super::{Os, full};
use crate::git::{self, GitPath, MODE_FILE, MODE_GITLINK, MODE_TREE, PinWrite, is_regular};
use crate::state_repository::stamp_now;
use gatewalk_core::driver::ports::{
    CheckoutUpdate, CommitRequest, History, MergeOutcome, Pin, RestoredFile, TreeListing, TreeWrite,
};
use gatewalk_core::engine::changed_file::ChangedPath;
use gatewalk_core::error::Result;
use gatewalk_core::model::layout::{self, Layout};
use gatewalk_core::model::workspace::FileSet;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard};

/// The largest file whose content a listing holds.
const LISTING_LIMIT: u64 = 64 * 1024;

impl Os<'_> {
    fn awaiting(&self) -> MutexGuard<'_, BTreeMap<String, PinWrite>> {
        locked(&self.awaiting)
    }
}

impl History for Os<'_> {
    fn state_files(&self, commit: &ObjectId, layout: Layout) -> Result<FileSet> {
        self.git.files_under(*commit, layout.dir())
    }

    fn plan_files(&self, commit: &ObjectId, layout: Layout, feature_dir: &str) -> Result<FileSet> {
        let features = layout.path(layout::FEATURES);
        let mut files = self.git.files_except(*commit, layout.dir(), &[&features])?;
        files.extend(self.git.files_under(*commit, feature_dir)?);
        Ok(files)
    }

    fn file_at(&self, tree: &ObjectId, path: &str) -> Result<Option<Vec<u8>>> {
        self.git.file_at(*tree, &GitPath::new(path.as_bytes()))
    }

    fn pointer_files(&self, tree: &ObjectId) -> Result<Vec<String>> {
        let found = self.git.pointers_in_slots(*tree)?;
        Ok(found.iter().map(|p| p.to_text().into_owned()).collect())
    }

    fn pointer_files_of_submodules(&self, tree: &ObjectId) -> Result<Vec<String>> {
        let found = self.git.submodule_pointers_in_slots(*tree)?;
        Ok(found.iter().map(|p| p.to_text().into_owned()).collect())
    }

    fn paths(&self, tree: &ObjectId) -> Result<Vec<String>> {
        let entries = self.git.list_tree(*tree, &GitPath::new(Vec::new()))?;
        Ok(entries
            .iter()
            .filter(|e| is_regular(e.mode))
            .map(|e| e.path.to_text().into_owned())
            .collect())
    }

    fn list_tree(
        &self,
        tree: &ObjectId,
        choose: &dyn Fn(&[String]) -> Vec<String>,
    ) -> Result<TreeListing> {
        let plans = Layout::ALL.map(|layout| layout.path(layout::FEATURES));
        let plans = plans.each_ref().map(String::as_str);
        let root = GitPath::new(Vec::new());
        let entries = self.git.list_except(*tree, &root, &plans)?;
        let regular = entries.iter().filter(|e| is_regular(e.mode));
        let (paths, blobs): (Vec<String>, Vec<_>) = regular
            .map(|e| (e.path.to_text().into_owned(), e.oid))
            .unzip();
        let names = choose(&paths);
        // The listing is sorted by bytes, and text that is no UTF-8 cannot be chosen anyway.
        let found: Vec<(String, _)> = names
            .into_iter()
            .filter_map(|n| {
                let at = paths.iter().position(|p| *p == n)?;
                Some((n, blobs[at]))
            })
            .collect();
        let oids: Vec<_> = found.iter().map(|(_, oid)| *oid).collect();
        let contents = self.git.read_blobs(&oids, LISTING_LIMIT)?;
        let chosen = found
            .into_iter()
            .zip(contents)
            .map(|((name, _), bytes)| (name, bytes.unwrap_or_default()))
            .collect();
        Ok(TreeListing { paths, chosen })
    }

    fn contents(
        &self,
        tree: &ObjectId,
        paths: &[String],
        limit: usize,
    ) -> Result<Vec<Option<Arc<[u8]>>>> {
        let paths: Vec<GitPath> = paths.iter().map(|p| GitPath::new(p.as_bytes())).collect();
        let versions = self.git.versions_at(*tree, &paths)?;
        let is_blob = |v: &git::Version| v.mode != MODE_GITLINK && v.mode != MODE_TREE;
        let blobs: Vec<Option<ObjectId>> = versions
            .into_iter()
            .map(|version| version.filter(is_blob).map(|v| v.oid))
            .collect();
        let oids: Vec<ObjectId> = blobs.iter().copied().flatten().collect();
        let mut found = self.git.contents_in_slots(&oids, limit as u64)?.into_iter();
        let contents = blobs
            .iter()
            .map(|blob| blob.and_then(|_| found.next().flatten()));
        Ok(contents.collect())
    }

    fn tip(&self, branch: &str) -> Result<Option<ObjectId>> {
        self.git.ref_value(&full(branch))
    }

    fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId> {
        self.git.tree_of(*commit)
    }

    fn tree_key(&self, tree: &ObjectId, state_dir: &str) -> Result<String> {
        self.git.product_key(*tree, state_dir)
    }

    fn diff(&self, old: &ObjectId, new: &ObjectId) -> Result<Vec<ChangedPath>> {
        Ok(self
            .git
            .diff(*old, *new)?
            .iter()
            .map(ChangedPath::from)
            .collect())
    }

    fn edit_tree(&self, tree: &ObjectId, edits: &[TreeWrite]) -> Result<ObjectId> {
        // An edit comes from what was read, and of such a file nothing was.
        let paths: Vec<String> = edits.iter().map(|(path, _)| path.clone()).collect();
        if let Some(error) = self.git.first_oversized(*tree, &paths)? {
            return Err(error);
        }
        let edits: Vec<git::TreeEdit> = edits
            .iter()
            .map(|(path, content)| git::TreeEdit {
                path: GitPath::new(path.as_bytes()),
                content: content.clone().map(|bytes| (MODE_FILE, bytes)),
            })
            .collect();
        self.git.edit_tree(*tree, &edits)
    }

    fn restore_paths(
        &self,
        tree: &ObjectId,
        from: &ObjectId,
        paths: &[RestoredFile],
    ) -> Result<ObjectId> {
        let paths: Vec<(GitPath, Option<Vec<u8>>)> = paths
            .iter()
            .map(|(path, text)| {
                (
                    GitPath::new(path.as_bytes()),
                    text.as_ref().map(|t| t.clone().into_bytes()),
                )
            })
            .collect();
        self.git.put_back(*tree, *from, &paths)
    }

    fn merge(&self, base: &ObjectId, ours: &ObjectId, theirs: &ObjectId) -> Result<MergeOutcome> {
        self.git.merge_trees(*base, *ours, *theirs)
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        self.git.list_pins(layout::REFS)
    }

    fn pin(&self, name: &str, commit: &CommitRequest<'_>) -> Result<()> {
        self.awaiting().remove(name);
        let commit = git::NewCommit {
            tree: commit.tree,
            parent: commit.parent,
            message: commit.message,
            when: stamp_now(),
        };
        self.own_commits(|own| {
            own.insert(self.git.pin(name, commit)?);
            Ok(())
        })
    }

    fn pin_with_landing(&self, name: &str, commit: &CommitRequest<'_>) -> Result<()> {
        let pin = PinWrite {
            name: name.to_owned(),
            tree: commit.tree,
            parent: commit.parent,
            message: commit.message.to_owned(),
        };
        self.awaiting().insert(pin.name.clone(), pin);
        Ok(())
    }

    fn unpin(&self, name: &str) -> Result<()> {
        self.awaiting().remove(name);
        match self.git.ref_value(name)? {
            Some(value) => self.git.delete_ref(name, value).map(drop),
            None => Ok(()),
        }
    }

    fn land(
        &self,
        branch: &str,
        commit: &CommitRequest<'_>,
    ) -> Result<Option<(ObjectId, CheckoutUpdate)>> {
        let pins: Vec<PinWrite> = std::mem::take(&mut *self.awaiting())
            .into_values()
            .collect();
        let landing = git::Landing {
            branch: &full(branch),
            tip: commit.parent,
            tree: commit.tree,
            message: commit.message,
            when: stamp_now(),
            pins: &pins,
        };
        let landed = self.own_commits(|own| {
            let landed = self.git.land(&landing);
            if let Ok(git::Landed::Done { commit, pinned, .. }) = &landed {
                own.insert(*commit);
                own.extend(pinned);
            }
            landed
        });
        if let Ok(git::Landed::Done {
            commit, followed, ..
        }) = landed
        {
            return Ok(Some((commit, followed)));
        }
        let mut awaiting = self.awaiting();
        for pin in pins {
            awaiting.entry(pin.name.clone()).or_insert(pin);
        }
        landed.map(|_| None)
    }

    fn replace_captured(
        &self,
        kept: Vec<String>,
        captured: &ObjectId,
        landed: &ObjectId,
    ) -> Result<Vec<String>> {
        let mut left = Vec::new();
        for path in kept {
            if !self.git.take_landed(&path, *captured, *landed)? {
                left.push(path);
            }
        }
        Ok(left)
    }

    fn finish_checkout_update(&self) -> Result<CheckoutUpdate> {
        Ok(self.git.recover_follow()?.unwrap_or_default())
    }
}
