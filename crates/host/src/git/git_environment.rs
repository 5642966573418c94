//! What a call of git sees: settings that stop everything a repository could make it run, a scrubbed environment, and the
//! directories of its scope.

use super::Git;
use gatewalk_core::error::{Error, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Settings that stop everything a repository could make git run.
const QUIET: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "core.pager=cat",
    "core.warnAmbiguousRefs=false",
    "core.filesRefLockTimeout=2000",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "submodule.recurse=false",
    "diff.external=",
    "advice.addEmbeddedRepo=false",
];

/// Settings of the trusted git directory, where agent-written files are read.
const TRUSTED_SETTINGS: &[&str] = &[
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.autocrlf=false",
    "core.safecrlf=false",
    "core.splitIndex=false",
    "core.sparseCheckout=false",
    "index.version=2",
    "index.skipHash=true",
    "diff.ignoreSubmodules=all",
];

/// Settings of a git process that flushes what it writes by itself: objects, and refs before they take their name.
pub(super) const FLUSHED: [(&str, &str); 3] = [
    ("GIT_CONFIG_COUNT", "1"),
    ("GIT_CONFIG_KEY_0", "core.fsync"),
    ("GIT_CONFIG_VALUE_0", "committed,reference"),
];

/// Whose view of the repository a call has.
#[derive(Debug, Clone, Copy)]
pub(super) enum CommandScope<'a> {
    /// The repository's git directory, no work tree, no configuration but the repository's own.
    Repository,
    /// The user's checkout with the user's configuration, and another index file if given.
    User(Option<&'a Path>),
    /// The trusted git directory over a work tree an agent may have written.
    Slot(&'a Path, &'a Path),
    /// The trusted git directory, no work tree.
    Bare,
}

/// Returns a command with a scrubbed environment and everything that could run turned off.
pub(super) fn base_command(
    program: &Path,
    environment: &[(OsString, OsString)],
    user: bool,
) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    for (key, value) in environment {
        let git_config = key.as_encoded_bytes().starts_with(b"GIT_CONFIG_");
        if user || !git_config {
            command.env(key, value);
        }
    }
    command
        .env("LC_ALL", "C")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_OPTIONAL_LOCKS", "0");
    command
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_EDITOR", "false");
    command.env("GIT_LITERAL_PATHSPECS", "1");
    if !user {
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_ATTR_NOSYSTEM", "1");
    }
    for setting in QUIET {
        command.arg("-c").arg(setting);
    }
    command
}

/// Returns the part of the process environment that git needs to find itself and the user's configuration.
pub(super) fn inherited_environment() -> Vec<(OsString, OsString)> {
    const KEPT: [&str; 9] = [
        "PATH",
        "HOME",
        "XDG_CONFIG_HOME",
        "TMPDIR",
        "USER",
        "LOGNAME",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
    ];
    KEPT.iter()
        .filter_map(|key| Some((OsString::from(key), std::env::var_os(key)?)))
        .collect()
}

/// Returns the git program on `PATH`.
pub(super) fn find_program() -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|dir| dir.join("git"))
        .find(|candidate| candidate.is_file())
        .ok_or_else(|| Error::environment("git is not on PATH").hint("install git 2.38 or newer"))
}

impl Git {
    /// Points a command at the git directory, index and work tree of a scope.
    pub(super) fn apply(&self, command: &mut Command, scope: CommandScope<'_>) {
        let shared = &self.shared;
        match scope {
            CommandScope::Repository => {
                command
                    .env("GIT_DIR", &shared.git_dir)
                    .current_dir(&shared.git_dir);
                // A submodule's repository names its work tree, and git insists on it though it needs none.
                if !shared.work_tree.is_dir() {
                    command.env("GIT_WORK_TREE", &shared.git_dir);
                }
            }
            CommandScope::User(index) => {
                command
                    .env("GIT_DIR", &shared.git_dir)
                    .env("GIT_WORK_TREE", &shared.work_tree);
                command.current_dir(&shared.work_tree);
                if index.is_some() || self.keeps_sent_files() {
                    self.apply_lfs_to_checkout(command);
                }
                if let Some(index) = index {
                    command.env("GIT_INDEX_FILE", index);
                }
            }
            CommandScope::Slot(work_tree, index) => {
                self.apply_trusted_git_dir(command);
                self.apply_lfs(command);
                command
                    .env("GIT_WORK_TREE", work_tree)
                    .env("GIT_INDEX_FILE", index)
                    .current_dir(work_tree);
            }
            CommandScope::Bare => {
                self.apply_trusted_git_dir(command);
                command.current_dir(self.trusted_git_dir());
            }
        }
    }

    fn apply_trusted_git_dir(&self, command: &mut Command) {
        command.env("GIT_DIR", self.trusted_git_dir());
        command.env(
            "GIT_OBJECT_DIRECTORY",
            self.shared.common_dir.join("objects"),
        );
        for setting in TRUSTED_SETTINGS {
            command.arg("-c").arg(setting);
        }
        for setting in self.file_system_settings() {
            command.arg("-c").arg(setting);
        }
    }
}
