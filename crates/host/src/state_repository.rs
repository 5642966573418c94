//! A repository and its state directory: finding both, reading plans, committing what a user edited.

use super::git::{Adopted, BranchUses, CommitTime, Git, GitPath, Head, Operation};
pub use super::selected_feature::{SAME_ID, Selected};
use crate::state_dir_reader::find_root;
use gatewalk_core::driver::ports::Pin;
use gatewalk_core::engine::oracle::shell_quote;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout::Layout;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A repository with a state directory.
#[derive(Debug)]
pub struct Repository {
    /// Git, ready for every later call.
    pub git: Git,
    /// Where `HEAD` was when the repository was opened.
    pub head: Head,
    /// The commit `HEAD` is at.
    pub commit: ObjectId,
    /// Which kind of state directory it has.
    pub layout: Layout,
    /// The id of the state directory as it lies in the checkout, once it was read.
    on_disk: OnceLock<Option<ObjectId>>,
    /// The plans of `commit`, once they were read for work on one feature.
    pub(crate) plans: OnceLock<Arc<Workspace>>,
}

/// What keeps branches from moving, as of one look.
#[derive(Debug, Clone, Default)]
pub struct BranchHolds {
    uses: BranchUses,
    /// The checked-out branch, where the user is in the middle of a merge or the like there.
    under_way: Option<(String, Operation)>,
}

impl BranchHolds {
    /// Refuses to move a branch (without `refs/heads/`) that is held.
    pub fn refuse_busy(&self, branch: &str) -> Result<()> {
        let untouched = |e: Error| e.hint("nothing was started and nothing was touched");
        let name = full(branch);
        self.uses.refuse_if_checked_out_elsewhere(&name)?;
        self.uses.refuse_if_rebased(&name).map_err(untouched)?;
        let Some((_, operation)) = self.under_way.as_ref().filter(|(on, _)| *on == name) else {
            return Ok(());
        };
        let command = operation.command();
        let error = Error::environment(format!(
            "a `{command}` is under way on `{branch}`, where the work would land"
        ))
        .hint(format!(
            "finish it with `{command} --continue`, or undo it with `{command} --abort`"
        ));
        Err(untouched(error))
    }
}

/// Returns the branch's full ref name.
pub fn full(branch: &str) -> String {
    format!("refs/heads/{branch}")
}

/// Returns the error for a checkout on a branch that has no commit: a new repository, or a branch begun anew.
fn without_commit(git: &Git, head: &Head) -> Error {
    let others = git.list_pins("refs/heads").unwrap_or_default();
    let mut others = others
        .iter()
        .filter_map(|r| r.name.strip_prefix("refs/heads/"));
    let Some(other) = others.next() else {
        return Error::environment("the repository has no commit yet")
            .hint("commit what is there first: `git add -A && git commit -m start`");
    };
    let branch = head.branch.as_deref().unwrap_or_default();
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    Error::environment(format!(
        "you are on `{branch}`, a branch that has no commit yet"
    ))
    .hint(format!(
        "go to one that has: git switch {}",
        shell_quote(other)
    ))
}

impl Repository {
    /// Finds the repository around a directory.
    pub fn open(cwd: &Path) -> Result<Repository> {
        let git = Git::discover(cwd)?;
        let head = git.head()?;
        let Some(commit) = head.commit else {
            if let Some(branch) = &head.branch
                && git.common_dir().join(branch).is_file()
            {
                // Git answers for a ref whose commit is missing as for none at all.
                return Err(Error::integrity(format!(
                    "`{branch}` names a commit that is not there: the repository is damaged"
                ))
                .hint("`git fsck` shows what is missing; a clone or a backup may have it")
                .hint("nothing was started and nothing was touched"));
            }
            return Err(without_commit(&git, &head));
        };
        let on_disk = |l: &Layout| git.work_tree().join(l.dir()).is_dir();
        let in_commit = |l: &Layout| {
            let path = GitPath::new(l.dir().as_bytes());
            git.subtree(commit, &path).is_ok_and(|t| t.is_some())
        };
        let found = Layout::ALL
            .into_iter()
            .find(on_disk)
            .or_else(|| Layout::ALL.into_iter().find(in_commit));
        let Some(layout) = found else {
            return Err(no_state_dir(&git, cwd));
        };
        Ok(Repository {
            git,
            head,
            commit,
            layout,
            on_disk: OnceLock::new(),
            plans: OnceLock::new(),
        })
    }

    /// Returns the id of the state directory as it lies in the checkout, `None` where it cannot be known; what is read
    /// for it need not be asked of git.
    pub(crate) fn on_disk(&self) -> Option<ObjectId> {
        *self
            .on_disk
            .get_or_init(|| self.git.take_from_disk(self.layout.dir()))
    }

    /// Returns the plans of a commit.
    pub fn workspace_at(&self, commit: ObjectId) -> Result<Workspace> {
        self.on_disk();
        let files = self.git.files_under(commit, self.layout.dir())?;
        Ok(Workspace::parse(self.layout, &files))
    }

    /// Returns what stands for the product's files of a commit: everything but what runs read of the state directory.
    pub fn product_key(&self, commit: ObjectId) -> Result<String> {
        self.git.product_key(commit, self.layout.dir())
    }

    /// Returns the paths of a directory of plans that differ from what is committed, as of when the plans were read.
    pub fn uncommitted(&self, dir: &str) -> Result<Vec<GitPath>> {
        let state = GitPath::new(self.layout.dir().as_bytes());
        let committed = self.git.subtree(self.commit, &state)?;
        // Without an index everything counts as removed.
        let indexed = self.git.git_dir().join("index").exists();
        if indexed && committed.is_some() && committed == self.on_disk() {
            return Ok(Vec::new());
        }
        self.uncommitted_now(dir)
    }

    pub(crate) fn uncommitted_now(&self, dir: &str) -> Result<Vec<GitPath>> {
        let status = self.git.status(&GitPath::new(dir.as_bytes()))?;
        Ok(status.entries.into_iter().map(|e| e.path).collect())
    }

    /// Refuses to move a branch under the user's unfinished merge, rebase or the like, or under another worktree that has
    /// it checked out: going on there would undo what landed.
    pub fn refuse_busy_branch(&self, branch: &str) -> Result<()> {
        self.branch_holds()?.refuse_busy(branch)
    }

    /// Looks once at what keeps branches from moving.
    pub fn branch_holds(&self) -> Result<BranchHolds> {
        // A bisection moves `HEAD` alone.
        let operation = self.git.operation().filter(|o| *o != Operation::Bisect);
        let here = self.head.branch.clone();
        Ok(BranchHolds {
            uses: self.git.branch_uses()?,
            under_way: here.zip(operation),
        })
    }

    /// Refuses to start a branch anew that only a remote has: its work would be done and paid for again, and diverge.
    pub fn refuse_remote_only(&self, selected: &Selected) -> Result<()> {
        let branch = &selected.branch;
        if self.git.resolve(&full(branch))?.is_some() {
            return Ok(());
        }
        self.refuse_fetched_only(selected, &self.remote_branches()?)
    }

    /// Returns the branches of the remotes, as last fetched.
    pub fn remote_branches(&self) -> Result<Vec<Pin>> {
        self.git.list_pins("refs/remotes")
    }

    /// Refuses to start a branch that is not here, where one of these branches of remotes is it, with commits that are not here.
    pub fn refuse_fetched_only(&self, selected: &Selected, fetched: &[Pin]) -> Result<()> {
        let branch = &selected.branch;
        let suffix = format!("/{branch}");
        for known in fetched {
            let Some(remote) = known
                .name
                .strip_prefix("refs/remotes/")
                .and_then(|name| name.strip_suffix(&suffix))
            else {
                continue;
            };
            if !self.git.is_ancestor(known.commit, selected.commit)? {
                return Err(Error::plan(format!(
                    "`{branch}` is not here, and `{remote}` has it with commits that are not here either"
                ))
                .hint(format!("fetch it: git fetch {remote} {branch}:{branch}"))
                .hint(format!("or as last fetched: git branch {branch} {remote}/{branch}"))
                .hint("nothing was started and nothing was touched"));
            }
        }
        Ok(())
    }

    /// Creates the feature's branch where it starts, and checks it out when that disturbs nothing.
    ///
    /// Returns why the checkout stays where it is, when it does.
    pub fn enter_branch(&self, selected: &mut Selected) -> Result<Option<String>> {
        let name = full(&selected.branch);
        self.refuse_remote_only(selected)?;
        self.create_branch(selected)?;
        Ok(match self.git.adopt(&name)? {
            Adopted::Left(why) => Some(why),
            Adopted::Already | Adopted::Switched(_) => None,
        })
    }
}

/// Returns the moment for a commit.
pub(crate) fn stamp_now() -> CommitTime {
    let now = jiff::Zoned::now();
    CommitTime {
        seconds: now.timestamp().as_second(),
        offset_minutes: now.offset().seconds() / 60,
    }
}

/// Returns why no run can find a plan, and where one is that no run reads.
fn no_state_dir(git: &Git, cwd: &Path) -> Error {
    let top = git.work_tree();
    let error = Error::plan(format!("there is no `.gatewalk/` in `{}`", top.display()));
    match find_root(cwd) {
        Some((nested, layout)) => error.hint(format!(
            "`{}/{}` is not at the top of the repository, where runs look: move it there",
            nested.display(),
            layout.dir()
        )),
        None => error.hint("`gatewalk init` writes one"),
    }
}
