//! Merging trees without a work tree and without the repository's merge drivers.

use super::Git;
use super::git_command::{CommandScope, GitCommand};
use gatewalk_core::driver::ports::MergeOutcome;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;

impl Git {
    /// Merges what `theirs` changed since `base` into `ours`; all three are commits.
    pub(crate) fn merge_trees(
        &self,
        base: ObjectId,
        ours: ObjectId,
        theirs: ObjectId,
    ) -> Result<MergeOutcome> {
        let (base_tree, our_tree, their_tree) = (
            self.tree_of(base)?,
            self.tree_of(ours)?,
            self.tree_of(theirs)?,
        );
        if our_tree == base_tree || our_tree == their_tree {
            return Ok(MergeOutcome::Clean(their_tree));
        }
        if their_tree == base_tree {
            return Ok(MergeOutcome::Clean(our_tree));
        }
        self.ensure_trusted_git_dir()?;
        let call = GitCommand::new(self, CommandScope::Bare, "merge-tree").args([
            "--write-tree",
            "-z",
            "--name-only",
        ]);
        let call = call
            .args(["--no-messages", &format!("--merge-base={base}")])
            .args([ours.hex(), theirs.hex()]);
        let output = call.accept(&[0, 1]).flushed().run()?;
        let mut fields = output.stdout.split(|byte| *byte == 0);
        let tree = fields.next().and_then(ObjectId::parse);
        match (output.code, tree) {
            (0, Some(tree)) => Ok(MergeOutcome::Clean(tree)),
            (1, Some(_)) => {
                let text = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
                let mut paths: Vec<String> =
                    fields.filter(|path| !path.is_empty()).map(text).collect();
                paths.dedup();
                Ok(MergeOutcome::Conflict(paths))
            }
            (1, None) => Err(output.to_error("merge-tree")),
            _ => Err(Error::internal("git merge-tree answered without a tree")),
        }
    }
}
