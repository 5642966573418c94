//! Commits, trees and refs: what git keeps.

use crate::engine::changed_file::ChangedPath;
use crate::engine::evidence::one_line;
use crate::engine::top_path::shown_top_path;
use crate::error::Result;
use crate::model::layout::Layout;
use crate::model::workspace::{FileSet, keep_one_feature};
use crate::object_id::ObjectId;
use std::sync::Arc;

/// A commit that a ref under `refs/gatewalk/` keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The ref's full name.
    pub name: String,
    /// The commit that keeps it.
    pub commit: ObjectId,
    /// The tree of that commit.
    pub tree: ObjectId,
    /// The commit's message, an attempt's record among them.
    pub message: String,
}

/// What a merge of two trees gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeOutcome {
    /// A tree that holds both.
    Clean(ObjectId),
    /// Paths that both changed.
    Conflict(Vec<String>),
}

/// What happened to the user's checkout when the branch moved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckoutUpdate {
    /// Paths that kept the user's version although the branch changed them.
    pub kept: Vec<String>,
    /// Plan files that keep the user's edits beside what the branch changed in them.
    pub merged: Vec<String>,
    /// Why the checkout was not updated, when it was not.
    pub not_followed: Option<String>,
}

impl CheckoutUpdate {
    /// Returns what a user has to know of it, a sentence each.
    pub fn said(&self) -> Vec<String> {
        let compared = |path: &str| format!("git diff HEAD -- {}", shown_top_path(path));
        let kept = self.kept.iter().map(|path| {
            let (name, compared) = (one_line(path), compared(path));
            format!("kept your version of `{name}`; see the landed one with: {compared}")
        });
        let merged = self.merged.iter().map(|path| {
            let (name, compared) = (one_line(path), compared(path));
            format!(
                "your edits of `{name}` stay beside what landed there, and count once they are committed; see them with: {compared}"
            )
        });
        let stays = self.not_followed.iter();
        let stays = stays.map(|why| format!("your checkout stays as it is: {why}"));
        kept.chain(merged).chain(stays).collect()
    }
}

/// The paths of a tree, and the content of some of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeListing {
    /// Every regular file, from the root.
    pub paths: Vec<String>,
    /// Those that were chosen, in the order chosen.
    pub chosen: Vec<(String, Vec<u8>)>,
}

/// A commit that is to be written.
#[derive(Debug, Clone, Copy)]
pub struct CommitRequest<'a> {
    /// The tree that the new commit is to have.
    pub tree: ObjectId,
    /// What it stands on: for a landing, where the branch must still be.
    pub parent: ObjectId,
    /// The whole message, trailers at its end.
    pub message: &'a str,
}

/// New content of a path of a tree; none removes it.
pub type TreeWrite = (String, Option<Arc<[u8]>>);

/// What is put back for a second look: a path, and its text; none for what the other tree has there.
pub type RestoredFile = (String, Option<String>);

/// The repository the plan is in.
pub trait History: Sync {
    /// Returns the files of the state directory at a commit.
    fn state_files(&self, commit: &ObjectId, layout: Layout) -> Result<FileSet>;
    /// Returns the files of the state directory at a commit that belong to no feature, or to the one in this directory.
    fn plan_files(&self, commit: &ObjectId, layout: Layout, feature_dir: &str) -> Result<FileSet> {
        let mut files = self.state_files(commit, layout)?;
        keep_one_feature(&mut files, layout, feature_dir);
        Ok(files)
    }
    /// Returns one file of a commit or tree.
    fn file_at(&self, tree: &ObjectId, path: &str) -> Result<Option<Vec<u8>>>;
    /// Returns the files of a commit or tree in whose place commands find pointers of git-lfs.
    fn pointer_files(&self, _tree: &ObjectId) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
    /// Returns those in the submodules of a commit or tree, as far as this machine has them.
    fn pointer_files_of_submodules(&self, _tree: &ObjectId) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
    /// Returns every path of a commit or tree that is a regular file.
    fn paths(&self, tree: &ObjectId) -> Result<Vec<String>>;
    /// Returns every path of a commit or tree that is a regular file, those of plans left out, and of those that
    /// `choose` picks the content; what is large comes empty.
    fn list_tree(
        &self,
        tree: &ObjectId,
        choose: &dyn Fn(&[String]) -> Vec<String>,
    ) -> Result<TreeListing>;
    /// Returns the contents of paths of a tree, in the order asked; none for what is not there or is
    /// larger than the limit.
    fn contents(
        &self,
        tree: &ObjectId,
        paths: &[String],
        limit: usize,
    ) -> Result<Vec<Option<Arc<[u8]>>>> {
        let one = |path: &String| {
            let found = self.file_at(tree, path)?;
            Ok(found.filter(|bytes| bytes.len() <= limit).map(Arc::from))
        };
        paths.iter().map(one).collect()
    }
    /// Returns the commit a branch points at.
    fn tip(&self, branch: &str) -> Result<Option<ObjectId>>;
    /// Returns the tree of a commit.
    fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId>;
    /// Returns a name for a tree's content without what runs read of the state directory, which commands are not judged by.
    fn tree_key(&self, tree: &ObjectId, state_dir: &str) -> Result<String>;
    /// Returns what changed between two trees or commits.
    fn diff(&self, old: &ObjectId, new: &ObjectId) -> Result<Vec<ChangedPath>>;
    /// Returns a tree with some files replaced.
    fn edit_tree(&self, tree: &ObjectId, edits: &[TreeWrite]) -> Result<ObjectId>;
    /// Returns a tree with some paths as another tree has them, or with the text given.
    fn restore_paths(
        &self,
        tree: &ObjectId,
        from: &ObjectId,
        paths: &[RestoredFile],
    ) -> Result<ObjectId> {
        let edits: Result<Vec<TreeWrite>> = paths
            .iter()
            .map(|(path, text)| match text {
                Some(text) => Ok((path.clone(), Some(text.as_bytes().into()))),
                None => Ok((path.clone(), self.file_at(from, path)?.map(Arc::from))),
            })
            .collect();
        self.edit_tree(tree, &edits?)
    }
    /// Merges two trees that come from a common one.
    fn merge(&self, base: &ObjectId, ours: &ObjectId, theirs: &ObjectId) -> Result<MergeOutcome>;
    /// Returns every pinned attempt.
    fn pins(&self) -> Result<Vec<Pin>>;
    /// Pins a tree with a message under a ref, replacing what the ref held.
    fn pin(&self, name: &str, commit: &CommitRequest<'_>) -> Result<()>;
    /// Pins a tree like [`History::pin`], at the latest with the next landing: for what is worth nothing without it.
    fn pin_with_landing(&self, name: &str, commit: &CommitRequest<'_>) -> Result<()> {
        self.pin(name, commit)
    }
    /// Removes a pin that was moved elsewhere.
    fn unpin(&self, name: &str) -> Result<()>;
    /// Writes a commit by the user's identity, moves the branch if it still is at the commit's parent
    /// (the only commit point there is), and updates the user's checkout, except where they edited.
    /// Returns nothing when the branch had moved.
    fn land(
        &self,
        branch: &str,
        commit: &CommitRequest<'_>,
    ) -> Result<Option<(ObjectId, CheckoutUpdate)>>;
    /// Replaces files of the checkout that are still what a tree has there by what a commit has; returns those that are not.
    fn replace_captured(
        &self,
        kept: Vec<String>,
        _captured: &ObjectId,
        _landed: &ObjectId,
    ) -> Result<Vec<String>> {
        Ok(kept)
    }
    /// Updates the user's checkout where a crash left it behind.
    fn finish_checkout_update(&self) -> Result<CheckoutUpdate>;
}
