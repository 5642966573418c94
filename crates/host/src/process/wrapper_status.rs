//! Whether a program that confines another ever started it. Its own failure ends with an exit code too, which is not
//! the command's.

use super::standby::{Standby, StandbyReport, report_to};
use gatewalk_core::parallel::locked;
use serde::Deserialize;
use std::ffi::OsString;
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::FileExt;
use std::panic::RefUnwindSafe;
use std::sync::Mutex;

/// How often a confining program is started that fails before its command. Bubblewrap reads the list of mounts and then
/// goes through it, and fails where one has gone meanwhile, as those of a container that ends do: beside six mounts that
/// come and go without a pause, 45 of 2,168 starts failed.
pub(crate) const CONFINED_STARTS: usize = 5;

/// Most bytes of a report that are read; bubblewrap writes two short lines.
const MOST: usize = 4096;

/// The file bubblewrap reports to (`--json-status-fd`). It writes how the command ended only where it started one.
#[derive(Debug)]
pub struct WrapperStatus {
    report: File,
    /// What was started ahead for the command, until it is taken.
    standby: Mutex<Option<StandbyCommand>>,
    /// What the one that runs reports to, where it was started ahead.
    other_report: Mutex<Option<StandbyReport>>,
    /// What is held for it while it may run.
    _held: Option<Box<dyn HeldWhileRunning>>,
}

/// What waits to become a command, and the words of it.
#[derive(Debug)]
pub(crate) struct StandbyCommand {
    pub(crate) standby: Standby,
    pub(crate) words: Vec<OsString>,
}

/// What somebody holds for a program for as long as it may run.
pub(crate) trait HeldWhileRunning: Debug + Send + Sync + RefUnwindSafe {}

impl<T: Debug + Send + Sync + RefUnwindSafe> HeldWhileRunning for T {}

/// A line of the report.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "child-pid")]
    child: Option<u32>,
    #[serde(rename = "exit-code")]
    exit_code: Option<i32>,
}

impl WrapperStatus {
    /// Makes an empty report, in a file without a name.
    pub(crate) fn new() -> io::Result<WrapperStatus> {
        nameless_file().map(|report| WrapperStatus {
            report,
            standby: Mutex::default(),
            other_report: Mutex::default(),
            _held: None,
        })
    }

    /// Returns the same with what was started ahead for the command.
    pub(crate) fn with_standby(self, standby: Option<StandbyCommand>) -> WrapperStatus {
        WrapperStatus {
            standby: Mutex::new(standby),
            ..self
        }
    }

    /// Returns what was started ahead, once.
    pub(super) fn take_standby(&self) -> Option<StandbyCommand> {
        locked(&self.standby).take()
    }

    /// Notes which report is that of the program that runs now; none is its own.
    pub(super) fn use_report(&self, report: Option<StandbyReport>) {
        *locked(&self.other_report) = report;
    }

    /// Returns the same, which holds something until it is gone.
    pub(crate) fn keeping(self, held: impl HeldWhileRunning + 'static) -> WrapperStatus {
        WrapperStatus {
            _held: Some(Box::new(held)),
            ..self
        }
    }

    /// Returns the descriptor to report to.
    pub(crate) fn descriptor(&self) -> RawFd {
        self.report.as_raw_fd()
    }

    /// Returns the arguments that have bubblewrap report to it.
    pub(crate) fn arguments(&self) -> [OsString; 2] {
        report_to(&self.report)
    }

    /// Returns whether the command was started, once the wrapper has ended by itself. A report that cannot be read
    /// leaves the exit code as it is.
    pub(super) fn started_its_command(&self) -> bool {
        let other = locked(&self.other_report);
        if other.as_ref().is_some_and(StandbyReport::says_failed) {
            return false;
        }
        let lines = lines(other.as_ref().map_or(&self.report, |other| &other.wrapper));
        lines.map_or(true, |lines| {
            lines.iter().any(|line| line.exit_code.is_some())
        })
    }
}

/// Returns the process that a report says was started.
pub(super) fn child_of(report: &File) -> Option<u32> {
    lines(report).ok()?.iter().find_map(|line| line.child)
}

fn lines(report: &File) -> io::Result<Vec<Line>> {
    let mut text = vec![0; MOST];
    let read = report.read_at(&mut text, 0)?;
    let lines = serde_json::Deserializer::from_slice(&text[..read]).into_iter::<Line>();
    Ok(lines.map_while(Result::ok).collect())
}

/// Makes a file in memory, where the system lets us: a disk takes its time to find room for a new one, and longer where others
/// have just gone.
pub(super) fn nameless_file() -> io::Result<File> {
    #[cfg(target_os = "linux")]
    if let Ok(file) = rustix::fs::memfd_create(c"gatewalk", rustix::fs::MemfdFlags::CLOEXEC) {
        return Ok(file.into());
    }
    tempfile::tempfile()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn only_the_end_of_a_command_shows_that_it_started() {
        for (report, started) in [
            ("", false),
            ("{\"child-pid\": 3}\n", false),
            ("{\"child-pid\": 3}\n{\"exit-code\": 1}\n", true),
            ("{\"child-pid\": 3, \"net\": {\"exit-code\": 1}}", false),
            ("exit-code", false),
        ] {
            let status = WrapperStatus::new().unwrap();
            (&status.report).write_all(report.as_bytes()).unwrap();
            assert_eq!(status.started_its_command(), started, "{report}");
        }
    }
}
