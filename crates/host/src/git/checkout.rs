//! The user's checkout: looking at it, and putting `HEAD` on the feature's branch when that disturbs nothing.
//!
//! Deliberately absent: everything that could discard an edit. Following a landing is in `checkout_update`.

use super::git_command::{CommandScope, GitCommand};
use super::{Git, GitPath, Operation};
use crate::crash;
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;

/// One path that differs in the user's checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusEntry {
    /// Index against `HEAD`: `.` same, `M`, `T`, `A`, `D`, `R`, `C`, `U`; `?` for an untracked path.
    pub(crate) staged: char,
    /// Work tree against index, in the same letters.
    pub(crate) unstaged: char,
    pub path: GitPath,
}

/// What differs in the user's checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserStatus {
    /// The paths that differ, untracked files included, ignored ones not.
    pub entries: Vec<StatusEntry>,
}

/// What became of the wish to have a branch checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adopted {
    /// It was checked out already.
    Already,
    /// It is checked out now.
    Switched(CheckoutUpdate),
    /// `HEAD` stays where it is, for this reason.
    Left(String),
}

impl Git {
    /// Returns what differs below `path` (empty for everything) in the user's checkout.
    pub fn status(&self, path: &GitPath) -> Result<UserStatus> {
        let call = GitCommand::new(self, CommandScope::User(None), "status");
        let mut call = call.args([
            "--porcelain=v2",
            "-z",
            "--untracked-files=all",
            "--ignore-submodules=dirty",
        ]);
        call = call.args(["--no-renames", "--no-ahead-behind"]);
        if !path.as_bytes().is_empty() {
            call = call.arg("--").arg(path.as_path());
        }
        let output = call.run()?;
        Ok(UserStatus {
            entries: output
                .stdout
                .split(|byte| *byte == 0)
                .filter_map(status_entry)
                .collect(),
        })
    }

    /// Creates a branch (a full ref name) at `start` if there is none; returns where it is, and whether it is new.
    pub fn ensure_branch(&self, branch: &str, start: ObjectId) -> Result<(ObjectId, bool)> {
        if let Some(tip) = self.resolve(branch)? {
            return Ok((tip, false));
        }
        if self.cas_ref(branch, start, None)? {
            return Ok((start, true));
        }
        match self.resolve(branch)? {
            Some(tip) => Ok((tip, false)),
            None => Err(Error::integrity(format!(
                "`{branch}` exists and is not a commit"
            ))),
        }
    }

    /// Puts the user's `HEAD` on a branch (a full ref name), with its files, when no edit of theirs is in the way.
    pub fn adopt(&self, branch: &str) -> Result<Adopted> {
        let head = self.head()?;
        if head.branch.as_deref() == Some(branch) {
            return Ok(Adopted::Already);
        }
        let _lock = self.lock_checkout();
        let left = |reason: String| Ok(Adopted::Left(reason));
        if let Some(operation) = self.operation() {
            return left(format!(
                "a `{}` is under way",
                Operation::command(operation)
            ));
        }
        if head.branch.is_none() {
            return left("`HEAD` is detached".to_owned());
        }
        let Some(tip) = self.resolve(branch)? else {
            return left(format!("`{branch}` does not exist"));
        };
        let Some(from) = head.commit else {
            return left("the current branch has no commit yet".to_owned());
        };
        if let Some(other) = self.branch_uses()?.work_trees_on(branch).next() {
            return left(format!(
                "the branch is checked out in `{}`",
                other.display()
            ));
        }
        if !self.can_follow(from, tip)? {
            return left("edits in the checkout are in the way".to_owned());
        }
        self.switch_head(branch, from, tip).map(Adopted::Switched)
    }

    /// Makes a file of the checkout and its index entry what a commit has. What was there is lost: verify first that
    /// nothing is.
    pub(crate) fn restore_file(&self, commit: ObjectId, path: &GitPath) -> Result<()> {
        let _lock = self.lock_checkout();
        GitCommand::new(self, CommandScope::User(None), "restore")
            .args(["--staged", "--worktree"])
            .arg(format!("--source={commit}"))
            .arg("--")
            .arg(path.as_path())
            .run()?;
        Ok(())
    }

    /// Moves `HEAD` first and the files after it, so that a crash in between is a move to follow, like any other.
    fn switch_head(&self, branch: &str, from: ObjectId, tip: ObjectId) -> Result<CheckoutUpdate> {
        let intent = self.intend_switch(branch, from, tip)?;
        let ahead = self.lock_index_ahead();
        let call = GitCommand::new(self, CommandScope::Repository, "symbolic-ref");
        crash::point("move HEAD");
        call.args([
            "-m",
            "gatewalk: check out the feature's branch",
            "HEAD",
            branch,
        ])
        .run()?;
        crash::point("move HEAD");
        Ok(self.finish_follow(&intent, ahead, tip))
    }
}

fn status_entry(record: &[u8]) -> Option<StatusEntry> {
    // Fields before the path: `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`.
    let fields = match record.first()? {
        b'1' => 8,
        b'u' => 10,
        b'?' => 1,
        _ => return None,
    };
    let mut parts = record.splitn(fields + 1, |byte| *byte == b' ');
    let letters = if fields == 1 {
        [b'?', b'?']
    } else {
        parts.nth(1)?.try_into().ok()?
    };
    let path = GitPath::new(parts.last()?);
    Some(StatusEntry {
        staged: char::from(letters[0]),
        unstaged: char::from(letters[1]),
        path,
    })
}
