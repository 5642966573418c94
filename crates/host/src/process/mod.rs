//! Child processes: own session, limits, the whole process tree ended, output in bounded memory.
//!
//! Invariants: after `run` returns nothing the program started is alive, whatever it did to hide;
//! no wait is unbounded; output is read until the process tree is gone, not until end of file, so a
//! forgotten background process cannot hold us. One thread and one poll loop a run, no fixed
//! sleeps. Absent on purpose: what output means (a `Sink` knows), git (short calls of our own).

mod descendants;
pub mod env;
mod huge_pages;
pub(crate) mod kept_verdicts;
mod liveness;
mod long_json;
pub mod orphans;
mod output;
mod output_pipes;
mod poll_loop;
mod process_tree;
mod readers;
mod run_marker;
pub mod session_ancestry;
mod sink;
pub(crate) mod standby;
mod standby_message;
mod start;
mod supervise;
mod supervised_run;
pub mod watchdog;
mod wrapper_status;

pub use huge_pages::{leave_out_huge_pages, take_huge_pages};
pub use run_marker::Marker;
pub use standby::await_program;
pub use standby_message::become_program;
pub(crate) use wrapper_status::CONFINED_STARTS;
pub(crate) use wrapper_status::StandbyCommand;
pub use wrapper_status::WrapperStatus;

pub use output::{HeadTail, LINE_CAP};
pub(crate) use process_tree::{pause_all, resume_all};
pub(crate) use sink::ByteSink;
pub use sink::{Flow, Sink, SinkStop};

pub use crate::sys::{Resources, keep_inherited_descriptors};

use crate::stop_flag::StopFlag;
use gatewalk_core::error::Result;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The variable that every process of an attempt carries.
pub(crate) const MARKER_VARIABLE: &str = "GATEWALK_RUN";

/// Bytes of each stream's head and tail that [`run_capture`] keeps.
const CAPTURE: usize = 64 * 1024;

/// What the program reads.
#[derive(Debug, Clone, Default)]
pub enum Stdin {
    /// `/dev/null`: nothing to read.
    #[default]
    Null,
    /// The content of this file.
    File(PathBuf),
    /// The reading end of a pipe; whoever holds the other end must never wait for the program.
    Pipe(Arc<File>),
    /// These bytes, through a file without a name: a program that does not read cannot block us.
    Bytes(Vec<u8>),
}

/// A program to run.
#[derive(Debug, Clone)]
pub struct CommandSpec {
    /// The program; looked up in the `PATH` of `env`.
    pub program: OsString,
    /// The arguments after the program's name.
    pub args: Vec<OsString>,
    /// The working directory it starts in.
    pub cwd: PathBuf,
    /// Its whole environment, the marker variable excepted.
    pub env: Vec<(OsString, OsString)>,
    /// What it reads from standard input.
    pub stdin: Stdin,
    /// The name of the run.
    pub marker: Marker,
    /// A file that every process of the tree keeps open: the [`ProcessTreeLock`](crate::lock::ProcessTreeLock).
    pub inherit: Option<Arc<File>>,
    /// Where the program that confines it, if one does, reports whether it ever started.
    pub wrapper: Option<Arc<WrapperStatus>>,
}

/// What a run may use.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Time from start to end.
    pub wall: Option<Duration>,
    /// Time without a sign of life.
    pub idle: Option<Duration>,
    /// Using this much of one core, in percent, is a sign of life; none: only output and the sink are.
    pub busy_percent: Option<u8>,
    /// Time between asking to end and killing.
    pub grace: Duration,
    /// Bytes of output the log keeps from the beginning.
    pub log_head: usize,
    /// Bytes of output the log keeps from the end; held in memory.
    pub log_tail: usize,
    /// What each process may use.
    pub resources: Resources,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            wall: None,
            idle: None,
            busy_percent: Some(10),
            grace: Duration::from_secs(5),
            log_head: 8 * 1024 * 1024,
            log_tail: 2 * 1024 * 1024,
            resources: Resources::GENEROUS,
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessEnd {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal that was not ours.
    Signaled(i32),
    /// It took too long.
    WallLimit,
    /// It gave no sign of life for too long.
    IdleLimit,
    /// The user asked to stop.
    Cancelled,
    /// The sink asked to stop.
    LimitHit(SinkStop),
    /// It could not be started.
    SpawnFailed {
        /// Whether the program does not exist.
        missing: bool,
        /// Why, as a sentence fragment.
        message: String,
    },
}

impl ProcessEnd {
    /// Returns whether it exited by itself with code 0.
    pub(crate) fn is_success(&self) -> bool {
        *self == ProcessEnd::Exited(0)
    }
}

/// What a run did.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessOutcome {
    /// How the program, or the run of it, ended.
    pub ended: ProcessEnd,
    /// Time that counted: without suspends and pauses.
    pub(crate) duration: Duration,
    /// Bytes read from stdout.
    pub(crate) stdout_bytes: u64,
    /// Bytes read from stderr.
    pub(crate) stderr_bytes: u64,
    /// The last bytes of stderr, at most 8 KiB.
    pub stderr_tail: Vec<u8>,
    /// Processes it left behind, ended by us.
    pub(crate) strays: usize,
    /// Processes stuck in the kernel that not even a kill ended.
    pub(crate) survivors: usize,
    /// Why the log is incomplete; never a reason to fail a run.
    pub(crate) log_error: Option<String>,
}

/// What a command printed, head and tail of each stream.
#[derive(Debug, Clone)]
pub(crate) struct CapturedOutput {
    /// How the program, or the run of it, ended.
    pub(crate) outcome: ProcessOutcome,
    /// Head and tail of standard output.
    pub(crate) stdout: HeadTail,
    /// Head and tail of standard error.
    pub(crate) stderr: HeadTail,
}

/// A program to run, and what ends it.
#[derive(Clone, Copy)]
pub struct ProgramRun<'a> {
    /// What is started, and in which surroundings.
    pub spec: &'a CommandSpec,
    /// Its timeouts, and what of its output is kept.
    pub limits: &'a Limits,
    /// Where its output is logged.
    pub log: Option<&'a Path>,
    /// Ends it when raised.
    pub stop: &'a StopFlag,
}

/// Runs a program until it and all its descendants have ended.
pub fn run(program: &ProgramRun<'_>, sink: &mut dyn Sink) -> ProcessOutcome {
    let mut reader = readers::LineReader::new(sink);
    let outcome = supervised_run::supervise(program, &mut reader);
    reader.finish();
    outcome
}

/// Runs a program whose standard output is no text until it and all its descendants have ended.
pub(crate) fn run_bytes(program: &ProgramRun<'_>, sink: &mut dyn ByteSink) -> ProcessOutcome {
    supervised_run::supervise(program, &mut readers::RawBytes(sink))
}

/// Runs a small program of the user's own within a time, and keeps what it prints.
pub(crate) fn run_within(wall: Duration, spec: &CommandSpec) -> Result<CapturedOutput> {
    let limits = Limits {
        wall: Some(wall),
        ..Limits::default()
    };
    Ok(run_capture(&ProgramRun {
        spec,
        limits: &limits,
        log: None,
        stop: &StopFlag::new()?,
    }))
}

/// Runs a program and keeps head and tail of what it prints.
pub(crate) fn run_capture(program: &ProgramRun<'_>) -> CapturedOutput {
    run_capture_watched(program, &mut |_| ())
}

/// Runs a program as [`run_capture`] does, and says again and again for how long it has run.
pub(crate) fn run_capture_watched(
    program: &ProgramRun<'_>,
    running: &mut dyn FnMut(Duration),
) -> CapturedOutput {
    let new = || HeadTail::new(CAPTURE, CAPTURE);
    let mut reader = readers::Capture {
        stdout: new(),
        stderr: new(),
        running,
    };
    let outcome = supervised_run::supervise(program, &mut reader);
    let readers::Capture { stdout, stderr, .. } = reader;
    CapturedOutput {
        outcome,
        stdout,
        stderr,
    }
}

#[cfg(test)]
mod tests;
