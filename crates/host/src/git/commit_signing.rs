//! Commits signed by the user's own program, where git is configured to.

use super::Git;
use super::commit::{CommitTime, NewCommit};
use super::git_command::{CommandScope, GitCommand};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::time::Duration;

/// How long signing may take before a run starts: a key that asks for its passphrase never answers.
const SIGNING_TRIAL: Duration = Duration::from_secs(15);

impl Git {
    /// Tries out the user's signing, so that no session is spent on what could not land.
    pub(crate) fn try_signing(&self, tip: ObjectId, when: CommitTime) -> Result<()> {
        if !self.signs() {
            return Ok(());
        }
        let bounded = self.with_deadline(SIGNING_TRIAL);
        let tried = bounded.signed(NewCommit {
            tree: self.tree_of(tip)?,
            parent: tip,
            message: "Try signing",
            when,
        });
        tried.map(drop).map_err(|error| {
            Error::environment(
                "commits are to be signed (`commit.gpgSign`) and signing does not work",
            )
            .with_source(error)
            .hint("unlock the key or start its agent, then run again")
            .hint("or switch it off for this repository: git config commit.gpgSign false")
            .hint("nothing was started")
        })
    }

    /// Writes a commit, with the user's signature where they sign; no ref moves.
    pub(crate) fn commit_as_configured(&self, new: NewCommit<'_>) -> Result<ObjectId> {
        match self.signs() {
            true => self.signed(new),
            false => self.commit(new),
        }
    }

    /// Writes a commit with the user's signature; no ref moves.
    fn signed(&self, new: NewCommit<'_>) -> Result<ObjectId> {
        let NewCommit {
            tree,
            parent,
            message,
            when,
        } = new;
        let identity = self.identity()?;
        let sign = if when.offset_minutes < 0 { '-' } else { '+' };
        let offset = when.offset_minutes.unsigned_abs();
        let date = format!(
            "@{} {sign}{:02}{:02}",
            when.seconds.max(0),
            offset / 60,
            offset % 60
        );
        let mut call = GitCommand::new(self, CommandScope::User(None), "commit-tree")
            .args(["-S", "-p", &parent.hex(), "-F", "-", &tree.hex()])
            .input(message.as_bytes())
            .env("GIT_AUTHOR_NAME", &identity.author.name)
            .env("GIT_AUTHOR_EMAIL", &identity.author.email)
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_NAME", &identity.committer.name)
            .env("GIT_COMMITTER_EMAIL", &identity.committer.email)
            .env("GIT_COMMITTER_DATE", &date);
        for name in ["SSH_AUTH_SOCK", "GNUPGHOME", "GPG_TTY", "XDG_RUNTIME_DIR"] {
            if let Some(value) = std::env::var_os(name) {
                call = call.env(name, value);
            }
        }
        let output = call.run()?;
        ObjectId::parse(output.stdout.trim_ascii())
            .ok_or_else(|| Error::internal("commit-tree printed no object id"))
    }
}
