//! The user's own programs (`gh`, and `git push`): with their environment, in their repository,
//! for a bounded time, with nothing typed in between.

use super::process::{self, CommandSpec, Marker, ProcessEnd, Stdin};
use gatewalk_core::error::{Error, Result};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// How long one call may take: a push of a large branch over a slow line included.
const TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// What names another repository than the one that is meant.
pub(crate) const FOREIGN_REPOSITORY: [&str; 5] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY",
];

/// What a program answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutput {
    /// The exit code; a program that a signal ended is an error instead.
    pub(crate) code: i32,
    /// Standard output, with what is not UTF-8 replaced.
    pub(crate) stdout: String,
    /// Standard error, with what is not UTF-8 replaced.
    pub(crate) stderr: String,
}

impl ToolOutput {
    /// Returns the output of a call that succeeded, else its complaint as an error.
    pub fn ok(self, what: &str) -> Result<String> {
        if self.code == 0 {
            return Ok(self.stdout);
        }
        let complaint = if self.stderr.trim().is_empty() {
            &self.stdout
        } else {
            &self.stderr
        };
        let complaint = gatewalk_core::engine::evidence::sanitize(complaint.trim());
        let error = Error::environment(format!("{what} failed (exit {})", self.code));
        Err(match complaint.is_empty() {
            true => error.hint("it says nothing about why"),
            false => error.hint(complaint),
        })
    }
}

/// One call of a program.
#[derive(Debug, Clone, Copy)]
pub struct ToolCommand<'a> {
    /// The program, looked up in the user's `PATH`.
    pub program: &'a str,
    /// The arguments after the program's name.
    pub args: &'a [&'a str],
    /// What it reads from standard input.
    pub input: &'a str,
    /// The working directory it starts in.
    pub cwd: &'a Path,
    /// The user's environment; what names another repository is left out.
    pub env: &'a [(OsString, OsString)],
}

/// Returns the user's environment, in which nothing asks and no variable names another repository.
fn environment(call: &ToolCommand<'_>) -> Vec<(OsString, OsString)> {
    let mut env: Vec<(OsString, OsString)> = call.env.to_vec();
    env.retain(|(name, _)| !FOREIGN_REPOSITORY.iter().any(|f| name == f));
    env.push(("GIT_TERMINAL_PROMPT".into(), "0".into()));
    env.push(("GH_PROMPT_DISABLED".into(), "1".into()));
    env
}

/// Runs a program to its end.
pub fn run(call: &ToolCommand<'_>) -> Result<ToolOutput> {
    let spec = CommandSpec {
        program: call.program.into(),
        args: call.args.iter().map(OsString::from).collect(),
        cwd: call.cwd.to_path_buf(),
        env: environment(call),
        stdin: Stdin::Bytes(call.input.as_bytes().to_vec()),
        marker: Marker::new("tool", call.program),
        inherit: None,
        wrapper: None,
    };
    let ran = process::run_within(TIMEOUT, &spec)?;
    let (stdout, stderr) = (ran.stdout.to_text(), ran.stderr.to_text());
    match ran.outcome.ended {
        ProcessEnd::Exited(code) => Ok(ToolOutput {
            code,
            stdout,
            stderr,
        }),
        ProcessEnd::SpawnFailed { missing: true, .. } => {
            let error = Error::environment(format!("`{}` is not installed", call.program));
            Err(if call.program == "gh" {
                error.hint("install it from https://cli.github.com and log in: gh auth login")
            } else {
                error
            })
        }
        other => Err(Error::environment(format!(
            "`{}` {}",
            call.program,
            abnormal_end(&other)
        ))),
    }
}

/// Returns how a program ended that did not exit by itself, as the rest of a sentence about it.
fn abnormal_end(end: &ProcessEnd) -> String {
    match end {
        ProcessEnd::Exited(code) => format!("exited with {code}"),
        ProcessEnd::Signaled(signal) => format!("was ended by signal {signal}"),
        ProcessEnd::WallLimit => {
            format!(
                "was ended: it took longer than {} minutes",
                TIMEOUT.as_secs() / 60
            )
        }
        ProcessEnd::IdleLimit => "was ended: it gave no sign of life".to_owned(),
        ProcessEnd::Cancelled => "was ended, as you asked".to_owned(),
        ProcessEnd::LimitHit(_) => "was ended before its own end".to_owned(),
        ProcessEnd::SpawnFailed { message, .. } => format!("could not be started: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_did_not_exit_is_described_in_words() {
        for (end, words) in [
            (ProcessEnd::Signaled(9), "was ended by signal 9"),
            (
                ProcessEnd::WallLimit,
                "was ended: it took longer than 10 minutes",
            ),
            (ProcessEnd::Cancelled, "was ended, as you asked"),
            (
                ProcessEnd::SpawnFailed {
                    missing: false,
                    message: "no permission".to_owned(),
                },
                "could not be started: no permission",
            ),
        ] {
            assert_eq!(abnormal_end(&end), words);
        }
    }
}
