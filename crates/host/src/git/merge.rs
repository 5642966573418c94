//! Merging trees without a work tree and without the repository's merge drivers.

use super::git_command::{CommandScope, GitCommand};
use super::pipes::Output;
use super::{CommitTime, Git, NewCommit};
use gatewalk_core::driver::ports::MergeOutcome;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;

/// How git ends where it does not know an option.
const USAGE: i32 = 129;

impl Git {
    /// Merges what `theirs` changed since `base` into `ours`: commits, or trees.
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
        let mut output = self.merge_tree(Some(base), (ours, theirs))?;
        if output.code == USAGE {
            let sides = self.sides_begun_at(base_tree, [our_tree, their_tree])?;
            output = self.merge_tree(None, sides)?;
        }
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
            (0, None) => Err(Error::internal("git merge-tree answered without a tree")),
            _ => Err(output.to_error("merge-tree")),
        }
    }

    /// Returns commits of two trees that begin at one of a third. Git before 2.40 takes no base, and before 2.45 no trees: it
    /// finds the commit that both sides begin at.
    fn sides_begun_at(
        &self,
        base: ObjectId,
        [ours, theirs]: [ObjectId; 2],
    ) -> Result<(ObjectId, ObjectId)> {
        let begun_at = |parent, tree| {
            self.commit(NewCommit {
                tree,
                parent,
                message: "A side of a merge\n",
                when: CommitTime {
                    seconds: 0,
                    offset_minutes: 0,
                },
            })
        };
        let head = self.head()?.commit;
        let head = head.ok_or_else(|| Error::environment("there is no commit yet"))?;
        let begin = begun_at(head, base)?;
        Ok((begun_at(begin, ours)?, begun_at(begin, theirs)?))
    }

    /// Merges two commits, from a base where it is named.
    fn merge_tree(
        &self,
        base: Option<ObjectId>,
        (ours, theirs): (ObjectId, ObjectId),
    ) -> Result<Output> {
        let call = GitCommand::new(self, CommandScope::Bare, "merge-tree").args([
            "--write-tree",
            "-z",
            "--name-only",
            "--no-messages",
        ]);
        let call = call.args(base.map(|base| format!("--merge-base={base}")));
        let call = call.args([ours.hex(), theirs.hex()]);
        call.accept(&[0, 1, USAGE]).flushed().run()
    }
}
