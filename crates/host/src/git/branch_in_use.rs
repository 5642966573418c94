//! Where a branch is in use: checked out in another work tree, or being rebased in any. Moving it there would be undone.

use super::git_command::{CommandScope, GitCommand};
use super::{Git, work_tree_list};
use gatewalk_core::error::{Error, ErrorCause, Result};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Below a git directory, what says which branch a `git rebase` there will put back or move.
const REBASED_BRANCH: [&str; 2] = ["rebase-merge/head-name", "rebase-apply/head-name"];
/// Below a git directory, the branches that a `git rebase --update-refs` moves along.
const BRANCHES_MOVED_ALONG: &str = "rebase-merge/update-refs";

/// Which branches are in use, as of one look at the work trees and at the rebases in them: a list of many features asks
/// about the branch of each.
#[derive(Debug, Clone, Default)]
pub(crate) struct BranchUses {
    /// Other work trees that have files, each with the branch (a full ref name) that it has checked out.
    checked_out: Vec<(PathBuf, String)>,
    /// Rebases that are under way.
    rebases: Vec<BranchRebase>,
}

/// A rebase, and what it holds.
#[derive(Debug, Clone)]
struct BranchRebase {
    /// The work tree it is in; none for the one that was asked.
    elsewhere: Option<PathBuf>,
    branches: Vec<String>,
}

impl Git {
    /// Looks at which branches are in use.
    pub(crate) fn branch_uses(&self) -> Result<BranchUses> {
        Ok(BranchUses {
            checked_out: self.other_work_trees()?,
            rebases: self.rebases(),
        })
    }

    /// Returns the other work trees of this repository, each with the branch it has checked out. One whose directory is gone
    /// has no files that could fall behind.
    fn other_work_trees(&self) -> Result<Vec<(PathBuf, String)>> {
        let linked = self.common_dir().join("worktrees");
        if !self.is_linked_work_tree() && !linked.exists() {
            return Ok(Vec::new());
        }
        let output = GitCommand::new(self, CommandScope::Repository, "worktree")
            .args(work_tree_list::LIST)
            .run()?;
        let listed = work_tree_list::read(&output.stdout).into_iter();
        let others = listed.filter(|listed| listed.path != self.work_tree());
        let on_branches = others.filter_map(|other| Some((other.path, other.branch?)));
        Ok(on_branches.filter(|(path, _)| path.exists()).collect())
    }

    fn rebases(&self) -> Vec<BranchRebase> {
        let linked = self.common_dir().join("worktrees");
        let linked = std::fs::read_dir(linked).into_iter().flatten();
        let mut git_dirs = vec![
            self.git_dir().to_path_buf(),
            self.common_dir().to_path_buf(),
        ];
        git_dirs.extend(linked.filter_map(|entry| Some(entry.ok()?.path())));
        let rebase = |dir: PathBuf| {
            let branches = rebased_branches(&dir);
            (!branches.is_empty()).then(|| BranchRebase {
                elsewhere: (dir != self.git_dir()).then(|| work_tree_of(&dir)),
                branches,
            })
        };
        git_dirs.into_iter().filter_map(rebase).collect()
    }
}

impl BranchUses {
    /// Returns the other work trees that have the branch (a full ref name) checked out.
    pub(crate) fn work_trees_on(&self, branch: &str) -> impl Iterator<Item = &Path> {
        let on = self.checked_out.iter().filter(move |(_, b)| b == branch);
        on.map(|(path, _)| path.as_path())
    }

    /// Refuses to move a branch that another work tree has checked out, as git does: its files would stay behind, and the
    /// next commit there would undo the move.
    pub(crate) fn refuse_if_checked_out_elsewhere(&self, branch: &str) -> Result<()> {
        let Some(other) = self.work_trees_on(branch).next() else {
            return Ok(());
        };
        let (name, other) = (branch.trim_start_matches("refs/heads/"), other.display());
        Err(Error::environment(format!(
            "`{name}` is checked out in the worktree `{other}`, and a commit made here would be undone by the next one there"
        ))
        .because(ErrorCause::HeldBranch)
        .hint(format!("run the same command there: cd {other}"))
        .hint(format!("or give the branch free: git -C {other} switch --detach"))
        .hint("the branch did not move"))
    }

    /// Refuses to move a branch that a `git rebase` holds, in this work tree or in another one: whether that ends or is
    /// undone, the branch goes where the rebase puts it, and what landed meanwhile is off it.
    pub(crate) fn refuse_if_rebased(&self, branch: &str) -> Result<()> {
        let holds = |rebase: &&BranchRebase| rebase.branches.iter().any(|b| b == branch);
        let Some(rebase) = self.rebases.iter().find(holds) else {
            return Ok(());
        };
        let name = branch.trim_start_matches("refs/heads/");
        let (place, git) = match &rebase.elsewhere {
            None => (String::new(), "git".to_owned()),
            Some(other) => {
                let other = other.display();
                (
                    format!(" in the worktree `{other}`"),
                    format!("git -C {other}"),
                )
            }
        };
        Err(Error::environment(format!(
            "a `git rebase` is under way on `{name}`{place}, where the work would land"
        ))
        .because(ErrorCause::HeldBranch)
        .hint(format!(
            "finish it with `{git} rebase --continue`, or undo it with `{git} rebase --abort`"
        )))
    }
}

/// Returns the branches that a rebase holds whose state is in this git directory.
fn rebased_branches(git_dir: &Path) -> Vec<String> {
    let read = |file: &str| std::fs::read_to_string(git_dir.join(file)).unwrap_or_default();
    let heads = REBASED_BRANCH.map(|file| read(file).trim_end().to_owned());
    let along = read(BRANCHES_MOVED_ALONG);
    let branches = heads.into_iter().chain(along.lines().map(str::to_owned));
    branches.filter(|name| !name.is_empty()).collect()
}

/// Returns the work tree of a git directory: what `git worktree add` noted there, else the directory around it.
fn work_tree_of(git_dir: &Path) -> PathBuf {
    let noted = std::fs::read(git_dir.join("gitdir")).unwrap_or_default();
    let dot_git = match noted.trim_ascii_end() {
        b"" => git_dir.to_path_buf(),
        noted => git_dir.join(OsStr::from_bytes(noted)),
    };
    dot_git.parent().unwrap_or(&dot_git).to_path_buf()
}
