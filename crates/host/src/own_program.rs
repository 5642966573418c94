//! This program as a process of its own. Who shows pages gets what a terminal gets, and no second way to the files exists.

use super::user_tool::FOREIGN_REPOSITORY;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel::locked;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
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
    /// What it printed on standard output.
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

/// How long a command that was asked to end may take for it.
const PATIENCE: Duration = Duration::from_secs(5);

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
        self.prepare(cwd, words, terms).run()
    }

    /// Prepares a command that another thread can end early.
    pub fn prepare(&self, cwd: &Path, words: &[String], terms: OwnRunTerms) -> PreparedRun {
        let mut command = self.command(cwd, words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let (signal, signals) = channel();
        PreparedRun {
            program: self.path.clone(),
            command,
            terms,
            signal,
            signals,
        }
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
        child.map_err(|e| not_started(&self.path, Some(cwd), e))
    }
}

/// The directory is looked at first: without one the system names the program as what is missing.
fn not_started(program: &Path, cwd: Option<&Path>, e: std::io::Error) -> Error {
    if let Some(cwd) = cwd.filter(|cwd| !cwd.is_dir()) {
        return Error::environment(format!("`{}` is gone", cwd.display()))
            .hint("start the pages again without it, or put it back");
    }
    Error::environment(format!("`{}` could not be run", program.display())).with_source(e)
}

/// What the thread beside a run waits for.
#[derive(Debug, Clone, Copy)]
enum RunSignal {
    Stop,
    Ended,
}

/// Ends a run early, from any thread; one that has ended is left alone.
#[derive(Debug, Clone)]
pub struct RunStop(Sender<RunSignal>);

impl RunStop {
    /// Asks the command to end, and ends it where it does not listen.
    pub fn stop(&self) {
        // The run is over where nobody listens.
        let _nobody_listens = self.0.send(RunSignal::Stop);
    }
}

/// A command of this program that has not started.
#[derive(Debug)]
pub struct PreparedRun {
    program: PathBuf,
    command: Command,
    terms: OwnRunTerms,
    signal: Sender<RunSignal>,
    signals: Receiver<RunSignal>,
}

impl PreparedRun {
    /// Returns what ends it early; before it starts, too.
    pub fn stopper(&self) -> RunStop {
        RunStop(self.signal.clone())
    }

    /// Runs it to its end, which comes after the limit at the latest.
    pub fn run(mut self) -> Result<OwnOutput> {
        let program = self.program;
        let child = self.command.spawn();
        let cwd = self.command.get_current_dir();
        let mut child = child.map_err(|e| not_started(&program, cwd, e))?;
        if self.terms.yields {
            yield_processors(&child);
        }
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        let child = Arc::new(Mutex::new(child));
        let (limit, signals) = (self.terms.limit, self.signals);
        std::thread::scope(|scope| {
            let watched = Arc::clone(&child);
            scope.spawn(move || end_early(&watched, limit, &signals));
            let errors = scope.spawn(move || read_some(stderr, STDERR_LIMIT));
            let stdout = read_some(stdout, STDOUT_LIMIT);
            let stderr = errors.join().unwrap_or_default();
            let ended = locked(&child).wait();
            let _nobody_listens = self.signal.send(RunSignal::Ended);
            Ok(OwnOutput {
                code: ended.map_err(|e| not_started(&program, None, e))?.code(),
                stdout,
                stderr: String::from_utf8_lossy(&stderr).into_owned(),
            })
        })
    }
}

/// Ends a command at its limit, or when it is to stop: then it is asked first.
fn end_early(child: &Mutex<Child>, limit: Duration, signals: &Receiver<RunSignal>) {
    match signals.recv_timeout(limit) {
        Ok(RunSignal::Ended) | Err(RecvTimeoutError::Disconnected) => return,
        Ok(RunSignal::Stop) => {
            ask_to_end(&locked(child));
            if let Ok(RunSignal::Ended) = signals.recv_timeout(PATIENCE) {
                return;
            }
        }
        Err(RecvTimeoutError::Timeout) => {}
    }
    // One that has ended needs no signal.
    drop(locked(child).kill());
}

fn ask_to_end(child: &Child) {
    let pid = i32::try_from(child.id()).ok();
    if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
        let _has_ended = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
}

/// Gives a child and what it starts a smaller share of the processors. Where that is refused, it runs as it is.
fn yield_processors(child: &Child) {
    let pid = i32::try_from(child.id()).ok();
    if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
        let _refused = rustix::process::setpriority_process(Some(pid), YIELDING);
    }
}

/// Gives this thread, and what it starts, a smaller share of the processors. Elsewhere than on Linux a thread has no share of
/// its own.
pub fn yield_thread() {
    #[cfg(target_os = "linux")]
    let _refused = rustix::process::setpriority_process(None, YIELDING);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn shell(script: &str, seconds: u64) -> PreparedRun {
        let program = OwnProgram {
            path: PathBuf::from("/bin/sh"),
            env: vec![],
        };
        let terms = OwnRunTerms {
            limit: Duration::from_secs(seconds),
            yields: false,
        };
        let words = ["-c".to_owned(), script.to_owned()];
        program.prepare(Path::new("/"), &words, terms)
    }

    #[test]
    fn a_directory_that_is_gone_is_what_is_missing() {
        let dir = tempfile::tempdir().unwrap();
        let program = |path: &str| OwnProgram {
            path: PathBuf::from(path),
            env: vec![],
        };
        let terms = OwnRunTerms {
            limit: Duration::from_secs(60),
            yields: false,
        };
        let error = |path: &str, cwd: &Path| program(path).run(cwd, &[], terms).unwrap_err();
        let gone = dir.path().join("gone");
        let what = error("/bin/true", &gone).to_string();
        assert_eq!(what, format!("`{}` is gone", gone.display()));
        let what = error("/nowhere", dir.path()).to_string();
        assert!(what.starts_with("`/nowhere` could not be run"), "{what}");
    }

    #[test]
    fn a_run_ends_by_itself_at_its_limit_or_when_it_is_stopped() {
        let output = shell("echo out; echo err >&2; exit 3", 60).run().unwrap();
        assert_eq!(output.code, Some(3));
        assert_eq!((&*output.stdout, &*output.stderr), (&b"out\n"[..], "err\n"));
        let began = Instant::now();
        assert_eq!(shell("exec sleep 60", 0).run().unwrap().code, None);
        let stopped = shell("exec sleep 60", 60);
        stopped.stopper().stop();
        assert_eq!(stopped.run().unwrap().code, None);
        // It is asked, so it can put its things in order.
        let dir = tempfile::tempdir().unwrap();
        let ready = dir.path().join("ready");
        let script = format!(
            "trap 'exit 7' TERM; : > '{}'; while :; do sleep 0.01; done",
            ready.display()
        );
        let asked = shell(&script, 60);
        let stopper = asked.stopper();
        let running = std::thread::spawn(move || asked.run().unwrap());
        while !ready.exists() {
            std::thread::yield_now();
        }
        stopper.stop();
        assert_eq!(running.join().unwrap().code, Some(7));
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}
