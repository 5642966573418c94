//! Finding the repository, and what state it is in.

use super::complaint::ComplaintKind;
use super::git_command::{CommandScope, DEADLINE, GitCommand};
use super::pipes::{self, Exchange, Output};
use super::{Git, KnownState, Shared, git_environment, work_tree_list};
use crate::crash;
use gatewalk_core::engine::oracle::shell_quote;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// How a repository stores its refs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefFormat {
    /// One file a ref, and `packed-refs`.
    Files,
    /// Binary tables; files in the git directory show nothing of refs.
    Reftable,
}

/// The branch and the commit that `HEAD` is at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The branch's full ref name; `None` when detached.
    pub branch: Option<String>,
    /// The commit; `None` on a branch without commits.
    pub commit: Option<ObjectId>,
}

/// A multi-step git command the user is in the middle of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `git merge` with conflicts or `--no-commit`.
    Merge,
    Rebase,
    ApplyMailbox,
    CherryPick,
    Revert,
    Bisect,
}

impl Operation {
    /// Returns the git command the user is in.
    pub const fn command(self) -> &'static str {
        match self {
            Operation::Merge => "git merge",
            Operation::Rebase => "git rebase",
            Operation::ApplyMailbox => "git am",
            Operation::CherryPick => "git cherry-pick",
            Operation::Revert => "git revert",
            Operation::Bisect => "git bisect",
        }
    }
}

impl Git {
    /// Finds the repository that contains `start`.
    ///
    /// Honours git's ownership check: a repository of another user is refused with git's own advice.
    pub fn discover(start: &Path) -> Result<Git> {
        let program = git_environment::find_program()?;
        let environment = git_environment::inherited_environment();
        let deadline = crash::git_deadline(DEADLINE);
        let command = || git_environment::base_command(&program, &environment, true);
        let output = locate(command(), start, deadline)?;
        let text = output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout);
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        if output.code != 0 {
            let bare = lines.first() == Some(&b"true".as_slice());
            let checkouts = || checkouts_around(command(), start, deadline);
            return Err(not_usable(start, &output, bare, checkouts));
        }
        let [_, shallow, format, git_dir, common_dir, work_tree] = lines[..] else {
            return Err(Error::environment(format!(
                "the path of the repository at `{}` has a newline",
                start.display()
            ))
            .hint("move the repository to a path without one"));
        };
        let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
        let common_dir = path(common_dir);
        Ok(Git {
            shared: Arc::new(Shared {
                program,
                environment,
                work_tree: path(work_tree),
                state: path(git_dir).join("gatewalk"),
                git_dir: path(git_dir),
                ref_format: ref_format(&common_dir),
                common_dir,
                object_format: object_format(format)?,
                shallow: shallow == b"true",
                deadline,
                known: KnownState::default(),
            }),
        })
    }

    /// Returns git's version, as `git --version` prints it after the words.
    pub fn version(&self) -> Result<String> {
        let output = GitCommand::new(self, CommandScope::Repository, "version").run()?;
        Ok(version_told(&output))
    }

    /// Returns where `HEAD` points, without a process for ordinary repositories.
    pub fn head(&self) -> Result<Head> {
        let branch = self.head_branch()?;
        let name = branch.clone().unwrap_or_else(|| "HEAD".to_owned());
        Ok(Head {
            commit: self.resolve(&name)?,
            branch,
        })
    }

    /// Returns the full name of the branch that is checked out; `None` when none is.
    pub(super) fn head_branch(&self) -> Result<Option<String>> {
        if self.ref_format() == RefFormat::Files {
            let path = self.git_dir().join("HEAD");
            let text = std::fs::read_to_string(&path).map_err(|e| Error::io("read", &path, &e))?;
            return Ok(text.strip_prefix("ref:").map(|name| name.trim().to_owned()));
        }
        let output = GitCommand::new(self, CommandScope::Repository, "symbolic-ref")
            .args(["-q", "HEAD"])
            .accept(&[0, 1])
            .run()?;
        let name = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok((output.code == 0).then_some(name))
    }

    /// Returns the multi-step command the user is in the middle of, if any.
    pub fn operation(&self) -> Option<Operation> {
        let there = |name: &str| self.git_dir().join(name).exists();
        if there("rebase-merge") {
            Some(Operation::Rebase)
        } else if there("rebase-apply/applying") {
            Some(Operation::ApplyMailbox)
        } else if there("rebase-apply") {
            Some(Operation::Rebase)
        } else if there("MERGE_HEAD") {
            Some(Operation::Merge)
        } else if there("CHERRY_PICK_HEAD") {
            Some(Operation::CherryPick)
        } else if there("REVERT_HEAD") {
            Some(Operation::Revert)
        } else {
            there("BISECT_LOG").then_some(Operation::Bisect)
        }
    }

    /// Returns whether this is a work tree made by `git worktree add`.
    pub(crate) fn is_linked_work_tree(&self) -> bool {
        self.git_dir() != self.common_dir()
    }
}

/// Asks git where the repository around `start` is, and what kind it is.
fn locate(mut command: Command, start: &Path, deadline: Duration) -> Result<Output> {
    command.current_dir(start).arg("rev-parse").args([
        "--is-bare-repository",
        "--is-shallow-repository",
        "--show-object-format",
        "--path-format=absolute",
        "--git-dir",
        "--git-common-dir",
        "--show-toplevel",
    ]);
    pipes::run_command(&mut command, "rev-parse", &Exchange::output_only(deadline))
}

/// Returns the work trees of the repository around a directory, as far as git tells.
fn checkouts_around(mut command: Command, start: &Path, deadline: Duration) -> Vec<PathBuf> {
    command.current_dir(start).arg("worktree");
    command.args(work_tree_list::LIST);
    let output = pipes::run_command(&mut command, "worktree", &Exchange::output_only(deadline));
    let stdout = output.map_or(Vec::new(), |output| output.stdout);
    let listed = work_tree_list::read(&stdout).into_iter();
    let paths = listed.map(|work_tree| work_tree.path);
    paths.filter(|path| path.join(".git").is_file()).collect()
}

/// The oldest version that merges trees without a work tree.
pub const OLDEST: (u32, u32) = (2, 38);

/// Returns whether a version of git is older than the oldest that will do.
pub fn is_old(version: &str) -> bool {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit());
    let mut next = || {
        numbers
            .next()
            .and_then(|n| n.parse::<u32>().ok())
            .unwrap_or(0)
    };
    (next(), next()) < OLDEST
}

/// Returns the version of the git on this machine.
pub(crate) fn installed_version() -> Result<String> {
    let program = git_environment::find_program()?;
    let environment = git_environment::inherited_environment();
    let mut command = git_environment::base_command(&program, &environment, false);
    command.arg("version");
    let output = pipes::run_command(&mut command, "version", &Exchange::output_only(DEADLINE))?;
    Ok(version_told(&output))
}

fn version_told(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().trim_start_matches("git version ").to_owned()
}

fn object_format(name: &[u8]) -> Result<ObjectFormat> {
    match name {
        b"sha1" => Ok(ObjectFormat::Sha1),
        b"sha256" => Ok(ObjectFormat::Sha256),
        other => {
            let name = String::from_utf8_lossy(other);
            Err(Error::environment(format!(
                "the repository uses the object format `{name}`, which is not known here"
            )))
        }
    }
}

/// Recognises the ref format by the directory the format keeps; git before 2.45 has no option to ask.
pub(super) fn ref_format(common_dir: &Path) -> RefFormat {
    if common_dir.join("reftable").is_dir() {
        RefFormat::Reftable
    } else {
        RefFormat::Files
    }
}

/// Returns the directory that git asks to be trusted: the top of what it found around another.
fn top_of(start: &Path) -> PathBuf {
    let real = start.canonicalize().unwrap_or_else(|_| start.to_owned());
    let is_top = |directory: &&Path| directory.join(".git").exists();
    let top = real.ancestors().find(is_top).map(Path::to_owned);
    top.unwrap_or(real)
}

fn not_usable(
    start: &Path,
    output: &Output,
    bare: bool,
    checkouts: impl Fn() -> Vec<PathBuf>,
) -> Error {
    let place = start.display();
    match output.complaint.kind() {
        Some(ComplaintKind::NotARepository) => no_repository(start),
        Some(ComplaintKind::ForeignOwner) => Error::environment(format!(
            "the repository at `{place}` belongs to another user; git refuses it"
        ))
        .hint(format!(
            "if you trust it: `git config --global --add safe.directory {}`",
            shell_quote(&top_of(start).display().to_string())
        )),
        kind if bare || kind == Some(ComplaintKind::NoWorkTree) => Error::environment(format!(
            "`{place}` is in a bare repository or a git directory, without a work tree"
        ))
        .hint(match checkouts().first() {
            Some(checkout) => format!(
                "run in a checkout of it: `cd {}`, or another that `git worktree list` names",
                shell_quote(&checkout.display().to_string())
            ),
            None => "run in a checkout: `git worktree add <path>` makes one".to_owned(),
        }),
        _ => output.to_error("rev-parse"),
    }
}

/// Returns the error for a directory around which git finds no repository: none is there, or it is damaged.
fn no_repository(start: &Path) -> Error {
    let dot_git = start
        .ancestors()
        .map(|dir| dir.join(".git"))
        .find(|path| path.exists());
    match dot_git {
        Some(dot_git) => Error::integrity(format!(
            "`{}` is damaged: git does not take it for a repository",
            dot_git.display()
        ))
        .hint("its `HEAD` must name a branch or a commit, and `objects` and `refs` must be there")
        .hint("nothing was started and nothing was touched"),
        None => Error::environment(format!("`{}` is not in a git repository", start.display()))
            .hint("run `git init` and commit something, or change into a repository"),
    }
}
