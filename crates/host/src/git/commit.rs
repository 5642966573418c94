//! Making commits, and landing one: the compare-and-swap that is the only commit point.

use super::Git;
use super::refs::RefUpdate;
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;

/// A name and an address for commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameAndEmail {
    pub name: String,
    pub email: String,
}

/// Who commits are by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Who wrote the work: `user.name`, unless `author.name` is set.
    pub(crate) author: NameAndEmail,
    /// Who commits it: `user.name`, unless `committer.name` is set.
    pub committer: NameAndEmail,
}

/// A moment and the offset from UTC to show it with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommitTime {
    /// Seconds since 1970, UTC.
    pub(crate) seconds: i64,
    /// Minutes east of UTC.
    pub(crate) offset_minutes: i32,
}

/// A commit to write on one parent, with the user's signature where they sign.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewCommit<'a> {
    pub(crate) tree: ObjectId,
    pub(crate) parent: ObjectId,
    pub(crate) message: &'a str,
    pub(crate) when: CommitTime,
}

/// A commit to place on a branch.
#[derive(Debug, Clone)]
pub(crate) struct Landing<'a> {
    /// The branch's full ref name.
    pub(crate) branch: &'a str,
    /// Where the branch must be: the commit's parent.
    pub(crate) tip: ObjectId,
    pub(crate) tree: ObjectId,
    pub(crate) message: &'a str,
    pub(crate) when: CommitTime,
    /// What is pinned in the same transaction.
    pub(crate) pins: &'a [PinWrite],
}

/// A tree to keep reachable: the ref is set to a commit of it, whatever it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PinWrite {
    /// The full ref name.
    pub(crate) name: String,
    pub(crate) tree: ObjectId,
    pub(crate) parent: ObjectId,
    pub(crate) message: String,
}

/// What a landing came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Landed {
    /// The branch is at the new commit.
    Done {
        /// The commit that the branch is at now.
        commit: ObjectId,
        /// What became of the user's checkout.
        followed: CheckoutUpdate,
        /// The commits of the pins.
        pinned: Vec<ObjectId>,
    },
    /// The branch was not at `tip` any more, and is untouched.
    Moved {
        /// Where it is now; `None` if it is gone.
        now: Option<ObjectId>,
    },
}

impl Git {
    /// Returns who commits are by, from where git takes it: the environment, then the user's configuration.
    ///
    /// Never a guess from the host's name: without a name and an address it is an error with git's own remedy.
    pub fn identity(&self) -> Result<Identity> {
        let settings = self.settings();
        let user = |role: &str| {
            let own = |field: &str| {
                let variable = format!("GIT_{role}_{field}").to_uppercase();
                let specific = || settings.get(&format!("{role}.{field}"));
                let general = || settings.get(&format!("user.{field}"));
                let value = std::env::var(variable).ok();
                let value = value.or_else(|| specific().or_else(general).map(str::to_owned));
                value
                    .map(|text| clean(&text))
                    .filter(|text| !text.is_empty())
            };
            match (own("name"), own("email")) {
                (Some(name), Some(email)) => Ok(NameAndEmail { name, email }),
                _ => Err(Error::environment(
                    "git does not know who you are, and a commit names its author",
                )
                .hint("git config --global user.name \"Your Name\"")
                .hint("git config --global user.email you@example.com")
                .hint("without `--global` for this repository only; nothing was started")),
            }
        };
        Ok(Identity {
            author: user("author")?,
            committer: user("committer")?,
        })
    }

    /// Writes a commit; no ref moves.
    pub(crate) fn commit(&self, new: NewCommit<'_>) -> Result<ObjectId> {
        if new.message.contains('\0') {
            return Err(Error::internal("a commit message with a NUL"));
        }
        let identity = self.identity()?;
        let mut text = format!("tree {}\nparent {}\n", new.tree, new.parent);
        for (role, user) in [
            ("author", &identity.author),
            ("committer", &identity.committer),
        ] {
            let sign = if new.when.offset_minutes < 0 {
                '-'
            } else {
                '+'
            };
            let offset = new.when.offset_minutes.unsigned_abs();
            let zone = format!("{sign}{:02}{:02}", offset / 60, offset % 60);
            let seconds = new.when.seconds.max(0);
            text.push_str(&format!(
                "{role} {} <{}> {seconds} {zone}\n",
                user.name, user.email
            ));
        }
        text.push('\n');
        text.push_str(new.message.trim_end_matches('\n'));
        text.push('\n');
        let commit = self.write_raw_commit(text.as_bytes())?;
        // The next questions are about what was just made.
        self.note_tree(commit, new.tree);
        Ok(commit)
    }

    /// Writes the commits of a landing's pins; returns what moves their refs, and the commits.
    fn commit_pins(&self, landing: &Landing<'_>) -> Result<(Vec<RefUpdate>, Vec<ObjectId>)> {
        let (mut updates, mut pinned) = (Vec::new(), Vec::new());
        for pin in landing.pins {
            let commit = self.commit(NewCommit {
                tree: pin.tree,
                parent: pin.parent,
                message: &pin.message,
                when: landing.when,
            })?;
            pinned.push(commit);
            updates.push(RefUpdate {
                name: pin.name.clone(),
                new: Some(commit),
                expected: None,
            });
        }
        Ok((updates, pinned))
    }

    /// Commits a tree on the tip of a branch, moves the branch by compare-and-swap, and lets the user's checkout follow.
    ///
    /// Landings of one handle take turns. A failure of the follow-up is in the answer, never an error: the commit stands.
    pub(crate) fn land(&self, landing: &Landing<'_>) -> Result<Landed> {
        let _turn = locked(&self.shared.known.landing);
        let _lock = self.lock_checkout();
        let uses = self.branch_uses()?;
        uses.refuse_if_checked_out_elsewhere(landing.branch)?;
        uses.refuse_if_rebased(landing.branch)?;
        let commit = self.commit_as_configured(NewCommit {
            tree: landing.tree,
            parent: landing.tip,
            message: landing.message,
            when: landing.when,
        })?;
        let (mut updates, pinned) = self.commit_pins(landing)?;
        updates.push(RefUpdate {
            name: landing.branch.to_owned(),
            new: Some(commit),
            expected: Some(landing.tip),
        });
        let intended = self.intend_follow(landing.branch, landing.tip, commit)?;
        let ahead = intended.as_ref().and_then(|_| self.lock_index_ahead());
        if !self.update_refs(&updates)? && !self.has_landed(landing.branch, commit)? {
            // Only while the record is there does a later run know the lock for ours.
            drop(ahead);
            if let Some(intended) = intended {
                self.withdraw_intent(&intended)?;
            }
            return Ok(Landed::Moved {
                now: self.ref_value(landing.branch)?,
            });
        }
        let followed = match intended {
            Some(intent) => self.finish_follow(&intent, ahead, commit),
            None => CheckoutUpdate::default(),
        };
        Ok(Landed::Done {
            commit,
            followed,
            pinned,
        })
    }
}

impl Git {
    /// Returns whether a branch has a commit after all: git may have moved it and died before it answered.
    fn has_landed(&self, branch: &str, commit: ObjectId) -> Result<bool> {
        match self.ref_value(branch)? {
            Some(tip) => Ok(tip == commit || self.is_ancestor(commit, tip)?),
            None => Ok(false),
        }
    }
}

/// Removes what git would refuse or misread in a name or address.
fn clean(text: &str) -> String {
    let kept: String = text
        .chars()
        .filter(|c| !matches!(c, '<' | '>' | '\n' | '\r' | '\0'))
        .collect();
    kept.trim_matches(|c: char| c.is_whitespace() || ".,:;\"\\'".contains(c))
        .to_owned()
}
