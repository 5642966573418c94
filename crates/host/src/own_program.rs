//! This program as a process of its own. Who shows pages gets what a terminal gets, and no second way to the files exists.

use super::user_tool::FOREIGN_REPOSITORY;
use gatewalk_core::error::{Error, Result};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The most of a result that is taken.
const STDOUT_LIMIT: u64 = 32 << 20;
/// The most of what goes with it that is taken.
const STDERR_LIMIT: u64 = 64 << 10;

/// What a command of this program printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnOutput {
    /// Its exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// Its result.
    pub stdout: Vec<u8>,
    /// Its progress and errors.
    pub stderr: String,
}

/// How a command of this program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnRunTerms {
    /// How long it may take.
    pub limit: Duration,
    /// Whether what else runs on the machine gets more of it.
    pub yields: bool,
}

/// The niceness of what yields: half a share beside others, so that who waits for a page does not wait long.
const YIELDING: i32 = 3;

/// This program, with the environment it was started with.
#[derive(Debug, Clone)]
pub struct OwnProgram {
    path: PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl OwnProgram {
    /// Finds the program that runs now.
    pub fn find() -> Result<OwnProgram> {
        let path = std::env::current_exe().map_err(|e| {
            Error::environment("this program's file cannot be found").with_source(e)
        })?;
        let foreign = |name: &OsString| FOREIGN_REPOSITORY.iter().any(|f| name == f);
        let env = std::env::vars_os().filter(|(name, _)| !foreign(name));
        Ok(OwnProgram {
            path,
            env: env.collect(),
        })
    }

    fn command(&self, cwd: &Path, words: &[String]) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(words)
            .current_dir(cwd)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    /// Runs a command to its end, which comes after the limit at the latest.
    pub fn run(&self, cwd: &Path, words: &[String], terms: OwnRunTerms) -> Result<OwnOutput> {
        let mut command = self.command(cwd, words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| self.not_started(e))?;
        if terms.yields {
            yield_processors(&child);
        }
        let limit = terms.limit;
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        let child = Arc::new(Mutex::new(child));
        let (over, waits) = channel::<()>();
        std::thread::scope(|scope| {
            let late = Arc::clone(&child);
            scope.spawn(move || {
                if waits.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                    // One that has ended needs no signal.
                    drop(late.lock().unwrap_or_else(PoisonError::into_inner).kill());
                }
            });
            let errors = scope.spawn(move || read_some(stderr, STDERR_LIMIT));
            let stdout = read_some(stdout, STDOUT_LIMIT);
            let stderr = errors.join().unwrap_or_default();
            let ended = child
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .wait()
                .map_err(|e| self.not_started(e))?;
            drop(over);
            Ok(OwnOutput {
                code: ended.code(),
                stdout,
                stderr: String::from_utf8_lossy(&stderr).into_owned(),
            })
        })
    }

    /// Starts a command that goes on when this process ends; what it prints goes to `log`.
    pub fn start(&self, cwd: &Path, words: &[String], log: &Path) -> Result<Child> {
        let open = || {
            if let Some(parent) = log.parent() {
                std::fs::create_dir_all(parent)?;
            }
            let out = File::create(log)?;
            Ok((out.try_clone()?, out))
        };
        let (out, err) = open().map_err(|e: std::io::Error| Error::io("write", log, &e))?;
        let mut command = self.command(cwd, words);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.stdout(out).stderr(err).spawn();
        child.map_err(|e| self.not_started(e))
    }

    fn not_started(&self, e: std::io::Error) -> Error {
        Error::environment(format!("`{}` could not be run", self.path.display())).with_source(e)
    }
}

/// Gives a child and what it starts a smaller share of the processors. Where that is refused, it runs as it is.
fn yield_processors(child: &Child) {
    let pid = i32::try_from(child.id()).ok();
    if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
        let _refused = rustix::process::setpriority_process(Some(pid), YIELDING);
    }
}

/// Reads a pipe to its end and keeps so much of it.
fn read_some(pipe: Option<impl Read>, limit: u64) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(mut pipe) = pipe else { return kept };
    // A pipe that breaks has ended.
    drop(pipe.by_ref().take(limit).read_to_end(&mut kept));
    drop(std::io::copy(&mut pipe, &mut std::io::sink()));
    kept
}
