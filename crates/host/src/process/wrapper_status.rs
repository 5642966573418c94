//! Whether a program that confines another ever started it. Its own failure ends with an exit code too, which is not
//! the command's.

use serde::Deserialize;
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::FileExt;
use std::panic::RefUnwindSafe;

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
    /// What is held for it while it may run.
    _held: Option<Box<dyn HeldWhileRunning>>,
}

/// What somebody holds for a program for as long as it may run.
pub(crate) trait HeldWhileRunning: Debug + Send + Sync + RefUnwindSafe {}

impl<T: Debug + Send + Sync + RefUnwindSafe> HeldWhileRunning for T {}

/// A line of the report.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "exit-code")]
    exit_code: Option<i32>,
}

impl WrapperStatus {
    /// Makes an empty report, in a file without a name.
    pub(crate) fn new() -> io::Result<WrapperStatus> {
        nameless_file().map(|report| WrapperStatus {
            report,
            _held: None,
        })
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

    /// Returns whether the command was started, once the wrapper has ended by itself. A report that cannot be read
    /// leaves the exit code as it is.
    pub(super) fn started_its_command(&self) -> bool {
        let mut report = vec![0; MOST];
        let Ok(read) = self.report.read_at(&mut report, 0) else {
            return true;
        };
        serde_json::Deserializer::from_slice(&report[..read])
            .into_iter::<Line>()
            .map_while(Result::ok)
            .any(|line| line.exit_code.is_some())
    }
}

/// Makes a file in memory, where the system lets us: a disk takes its time to find room for a new one, and longer where others
/// have just gone.
fn nameless_file() -> io::Result<File> {
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
