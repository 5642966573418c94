//! Running one git command: what it sees of the environment, how long it may take, how much it may print.
//!
//! Invariants: no hook, fsmonitor, pager, editor, prompt, replacement object or background task runs; no `GIT_*` variable
//! of the caller reaches git; every call ends within its deadline, with everything it started; output is bounded.
//!
//! Deliberately absent: the user's system and global configuration, except in `Scope::User`, where their own
//! line-ending and filter settings decide what belongs in their files.

use super::Git;
pub(super) use super::git_environment::CommandScope;
use super::git_environment::{FLUSHED, base_command};
use super::pipes::{Exchange, Output, run_command, spawn};
use crate::crash;
use gatewalk_core::error::Result;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How long any call of git may take.
pub(crate) const DEADLINE: Duration = Duration::from_secs(120);

/// Subcommands that write nothing, so that being killed around them is no case of its own.
const READS: &[&str] = &[
    "cat-file",
    "check-attr",
    "check-ignore",
    "check-ref-format",
    "config",
    "diff-tree",
    "for-each-ref",
    "ls-files",
    "merge-base",
    "rev-list",
    "status",
    "symbolic-ref",
    "version",
    "worktree",
];

/// One call of git, ready to run.
pub(super) struct GitCommand<'a> {
    git: &'a Git,
    command: Command,
    name: String,
    input: &'a [u8],
    accepted: &'a [i32],
    cut: Option<usize>,
}

impl<'a> GitCommand<'a> {
    /// Returns a call of the given subcommand.
    pub(super) fn new(git: &'a Git, scope: CommandScope<'_>, subcommand: &str) -> Self {
        let mut command = base_command(
            &git.shared.program,
            &git.shared.environment,
            matches!(scope, CommandScope::User(_)),
        );
        git.apply(&mut command, scope);
        command.arg(subcommand);
        GitCommand {
            git,
            command,
            name: subcommand.to_owned(),
            input: b"",
            accepted: &[0],
            cut: None,
        }
    }

    pub(super) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    pub(super) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Sets what git reads from standard input.
    pub(super) fn input(mut self, input: &'a [u8]) -> Self {
        self.input = input;
        self
    }

    /// Sets an environment variable.
    pub(super) fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    /// Sets environment variables.
    pub(super) fn envs(
        mut self,
        all: impl IntoIterator<Item = (&'static str, &'static str)>,
    ) -> Self {
        self.command.envs(all);
        self
    }

    /// Makes git flush what it writes before it answers.
    pub(super) fn flushed(self) -> Self {
        self.envs(FLUSHED)
    }

    /// Runs in another directory than the scope's.
    pub(super) fn in_dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Accepts these exit codes too; without this anything but 0 is an error.
    pub(super) fn accept(mut self, codes: &'a [i32]) -> Self {
        self.accepted = codes;
        self
    }

    /// Stops the command once it printed this much, and takes that as its answer.
    pub(super) fn cut(mut self, bytes: usize) -> Self {
        self.cut = Some(bytes);
        self
    }

    /// Starts the command with pipes, for a conversation.
    pub(super) fn spawn(mut self) -> Result<Child> {
        self.command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        spawn(&mut self.command, &self.name)
    }

    /// Runs the command to its end.
    pub(super) fn run(mut self) -> Result<Output> {
        let exchange = Exchange {
            input: self.input,
            deadline: self.git.shared.deadline,
            cut: self.cut,
        };
        let mut run = || run_command(&mut self.command, &self.name, &exchange);
        let output = if READS.contains(&self.name.as_str()) {
            run()?
        } else {
            crash::around(&self.name, run)?
        };
        if self.accepted.contains(&output.code) {
            return Ok(output);
        }
        Err(output.to_error(&self.name))
    }
}
