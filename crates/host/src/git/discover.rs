//! Finding the repository, what state it is in, and the few settings of the user that matter here.

use super::git_command::DEADLINE;
use super::git_command::{self, CommandScope, GitCommand};
use super::helper_pool::Helpers;
use super::pipes::{self, Exchange};
use super::{Git, Shared};
use crate::crash;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};

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

/// The user's configuration, as far as it matters here: pairs of lower-case key and value, later ones winning.
#[derive(Debug, Default)]
pub(super) struct Settings {
    values: Vec<(String, String)>,
}

impl Settings {
    /// Returns the last value of a key that every call of ours sets itself: ours comes last.
    pub(super) fn overridden(&self, key: &str) -> Option<&str> {
        self.values
            .iter()
            .rev()
            .filter(|(name, _)| name == key)
            .nth(1)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the last value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.values
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }
}

/// Settings that record what the file system can do, or how the object store is shared: facts, which the trusted git directory needs too.
const FACTS: [&str; 5] = [
    "core.filemode",
    "core.symlinks",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.sharedrepository",
];

impl Git {
    /// Finds the repository that contains `start`.
    ///
    /// Honours git's ownership check: a repository of another user is refused with git's own advice.
    pub fn discover(start: &Path) -> Result<Git> {
        let program = git_command::find_program()?;
        let environment = git_command::inherited_environment();
        let mut command = git_command::base_command(&program, &environment, true);
        command.current_dir(start).arg("rev-parse").args([
            "--is-bare-repository",
            "--is-shallow-repository",
            "--show-object-format",
            "--path-format=absolute",
            "--git-dir",
            "--git-common-dir",
            "--show-toplevel",
        ]);
        let output = pipes::run_command(
            &mut command,
            "rev-parse",
            &Exchange {
                input: b"",
                deadline: crash::git_deadline(DEADLINE),
                cut: None,
            },
        )?;
        let text = output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout);
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        if output.code != 0 {
            return Err(not_usable(
                start,
                &output,
                lines.first() == Some(&b"true".as_slice()),
            ));
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
                git_dir: path(git_dir),
                ref_format: ref_format(&common_dir),
                common_dir,
                object_format: object_format(format)?,
                shallow: shallow == b"true",
                unflushed: Mutex::default(),
                cache: Mutex::default(),
                index: Mutex::default(),
                ignored: Mutex::default(),
                replaced: AtomicU64::default(),
                deadline: crash::git_deadline(DEADLINE),
                settings: OnceLock::new(),
                trusted_git_dir_ready: Mutex::new(false),
                landing: Mutex::new(()),
                helpers: Helpers::default(),
            }),
        })
    }

    /// Returns git's version, as `git --version` prints it after the words.
    pub fn version(&self) -> Result<String> {
        let output = GitCommand::new(self, CommandScope::Repository, "version").run()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.trim().trim_start_matches("git version ").to_owned())
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

    fn head_branch(&self) -> Result<Option<String>> {
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

    /// Returns the user's settings, read once; without readable ones, none are set.
    pub(super) fn settings(&self) -> &Settings {
        self.shared.settings.get_or_init(|| {
            let wanted = "^((user|author|committer)\\.(name|email)\
                |commit\\.gpgsign|core\\.(hookspath|sharedrepository|filemode|symlinks|ignorecase|precomposeunicode|excludesfile|sparsecheckout))$";
            let call = GitCommand::new(self, CommandScope::User(None), "config").args(["-z", "--get-regexp", wanted]);
            let Ok(output) = call.accept(&[0, 1]).run() else { return Settings::default() };
            let text = String::from_utf8_lossy(&output.stdout);
            let pairs = text.split('\0').filter_map(|pair| pair.split_once('\n'));
            Settings { values: pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect() }
        })
    }

    /// Returns the user's own hook of a name, if there is one that git would run.
    pub fn hook(&self, name: &str) -> Option<PathBuf> {
        use std::os::unix::fs::PermissionsExt;
        let directory = match self.settings().overridden("core.hookspath") {
            None | Some("") => self.common_dir().join("hooks"),
            Some(path) => match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
                (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
                _ => self.work_tree().join(path),
            },
        };
        let hook = directory.join(name);
        let runs = std::fs::metadata(&hook)
            .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
        runs.then_some(hook)
    }

    /// Returns whether the user signs their commits.
    pub(crate) fn signs(&self) -> bool {
        let asked = self.settings().overridden("commit.gpgsign");
        asked.is_some_and(|v| matches!(&*v.to_lowercase(), "true" | "yes" | "on" | "1" | ""))
    }

    /// Returns the settings that describe the file system, for `-c`.
    pub(super) fn file_system_settings(&self) -> Vec<String> {
        let settings = self.settings();
        FACTS
            .iter()
            .filter_map(|key| Some(format!("{key}={}", settings.get(key)?)))
            .collect()
    }

    /// Returns the patterns of the user's own exclude files: the global one, then the repository's.
    pub(super) fn user_excludes(&self) -> Vec<u8> {
        let mut rules = Vec::new();
        let files = [
            self.global_excludes(),
            Some(self.common_dir().join("info/exclude")),
        ];
        for file in files.into_iter().flatten() {
            // Git too treats an unreadable exclude file as an empty one.
            if let Ok(bytes) = std::fs::read(&file) {
                rules.extend_from_slice(&bytes);
                rules.push(b'\n');
            }
        }
        rules
    }

    fn global_excludes(&self) -> Option<PathBuf> {
        let variable = |name: &str| {
            self.shared
                .environment
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, v)| v)
        };
        let home = variable("HOME").map(PathBuf::from);
        if let Some(configured) = self.settings().get("core.excludesfile") {
            return match (configured.strip_prefix("~/"), home) {
                (Some(rest), Some(home)) => Some(home.join(rest)),
                _ => Some(self.work_tree().join(configured)),
            };
        }
        let config = variable("XDG_CONFIG_HOME")
            .filter(|value: &&OsString| !value.is_empty())
            .map(PathBuf::from);
        Some(
            config
                .or_else(|| Some(home?.join(".config")))?
                .join("git/ignore"),
        )
    }
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
fn ref_format(common_dir: &Path) -> RefFormat {
    if common_dir.join("reftable").is_dir() {
        RefFormat::Reftable
    } else {
        RefFormat::Files
    }
}

fn not_usable(start: &Path, output: &git_command::Output, bare: bool) -> Error {
    let place = start.display();
    let stderr = &output.stderr;
    let dot_git = start
        .ancestors()
        .map(|dir| dir.join(".git"))
        .find(|p| p.exists());
    if let (Some(dot_git), true) = (&dot_git, stderr.contains("not a git repository")) {
        let dot_git = dot_git.display();
        return Error::integrity(format!(
            "`{dot_git}` is damaged: git does not take it for a repository"
        ))
        .hint("its `HEAD` must name a branch or a commit, and `objects` and `refs` must be there")
        .hint("nothing was started and nothing was touched");
    }
    if stderr.contains("not a git repository") {
        return Error::environment(format!("`{place}` is not in a git repository"))
            .hint("run `git init` and commit something, or change into a repository");
    }
    if stderr.contains("dubious ownership") {
        return Error::environment(format!(
            "the repository at `{place}` belongs to another user; git refuses it"
        ))
        .hint("if you trust it: `git config --global --add safe.directory <path>`");
    }
    if bare || stderr.contains("must be run in a work tree") {
        return Error::environment(format!(
            "`{place}` is in a bare repository or a git directory, without a work tree"
        ))
        .hint("run in a checkout: `git worktree add <path>` makes one");
    }
    git_command::failure("rev-parse", output)
}
