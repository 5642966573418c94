//! Reading commits, and asking how they relate.

use super::Git;
use super::git_command::{CommandScope, GitCommand};
use super::read::{READ_LIMIT, damaged};
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;

/// The content of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitInfo {
    pub oid: ObjectId,
    pub(crate) tree: ObjectId,
    /// Its parents, in order.
    pub parents: Vec<ObjectId>,
    /// When it was committed, in seconds since 1970.
    pub(crate) committed: i64,
    /// Its message, with what is not UTF-8 replaced.
    pub message: String,
}

impl Git {
    /// Reads commits, in the order asked.
    pub fn read_commits(&self, oids: &[ObjectId]) -> Result<Vec<CommitInfo>> {
        let names: Vec<String> = oids.iter().map(ObjectId::hex).collect();
        let found = self.read_objects(&names, READ_LIMIT)?;
        oids.iter()
            .zip(found)
            .map(|(oid, object)| {
                let content = object
                    .and_then(|object| object.content)
                    .ok_or_else(|| self.missing(*oid))?;
                parse_commit(*oid, &content).ok_or_else(|| damaged(*oid, "commit"))
            })
            .collect()
    }

    /// Returns whether `ancestor` is `descendant` or in its history.
    pub(crate) fn is_ancestor(&self, ancestor: ObjectId, descendant: ObjectId) -> Result<bool> {
        if ancestor == descendant {
            return Ok(true);
        }
        let call =
            GitCommand::new(self, CommandScope::Repository, "merge-base").arg("--is-ancestor");
        let output = call
            .args([ancestor.hex(), descendant.hex()])
            .accept(&[0, 1])
            .run()?;
        Ok(output.code == 0)
    }

    /// Returns the newest commit that both have in their histories; none where they have nothing in common.
    pub fn merge_base(&self, one: ObjectId, other: ObjectId) -> Result<Option<ObjectId>> {
        let call = GitCommand::new(self, CommandScope::Repository, "merge-base");
        let output = call.args([one.hex(), other.hex()]).accept(&[0, 1]).run()?;
        let first = output.stdout.split(|byte| *byte == b'\n').next();
        Ok(first.and_then(ObjectId::parse))
    }

    /// Returns the commits reachable from `to` and not from `from`, newest first, at most `limit`, first parents only.
    pub fn log(
        &self,
        from: Option<ObjectId>,
        to: ObjectId,
        limit: usize,
    ) -> Result<Vec<CommitInfo>> {
        let mut call =
            GitCommand::new(self, CommandScope::Repository, "rev-list").arg("--first-parent");
        call = call.arg(format!("--max-count={limit}")).arg(to.hex());
        if let Some(from) = from {
            call = call.arg(format!("^{from}"));
        }
        let output = call.run()?;
        let oids: Vec<ObjectId> = output
            .stdout
            .split(|byte| *byte == b'\n')
            .filter_map(ObjectId::parse)
            .collect();
        self.read_commits(&oids)
    }
}

fn parse_commit(oid: ObjectId, content: &[u8]) -> Option<CommitInfo> {
    let text = String::from_utf8_lossy(content);
    let (head, message) = text.split_once("\n\n").unwrap_or((&text, ""));
    let (mut tree, mut parents, mut committed) = (None, Vec::new(), 0);
    for line in head.lines() {
        match line.split_once(' ') {
            Some(("tree", id)) if tree.is_none() => tree = ObjectId::parse(id.as_bytes()),
            Some(("parent", id)) => parents.push(ObjectId::parse(id.as_bytes())?),
            Some(("committer", user)) => {
                committed = user
                    .rsplit(' ')
                    .nth(1)
                    .and_then(|seconds| seconds.parse().ok())
                    .unwrap_or(0);
            }
            _ => {}
        }
    }
    Some(CommitInfo {
        oid,
        tree: tree?,
        parents,
        committed,
        message: message.to_owned(),
    })
}
