//! A process that is started before it is known which program it becomes, in the surroundings that the program is to have.
//!
//! A sandbox takes milliseconds to set up, most of which the kernel waits. Started ahead, it is there when a command is. The
//! process waits at a socket that is its standard input; over it come the program's words and descriptors. Where the socket
//! closes before, it ends. Absent on purpose: when what it was started in is still right (`isolation::standbys`).

use super::process_tree::ProcessTree;
use super::standby_message::StandbyMessage;
use super::wrapper_status::{child_of, nameless_file};
use super::{MARKER_VARIABLE, Marker, Resources};
use crate::stop_flag::timespec;
use crate::sys::{Detach, Program};
use rustix::event::{PollFd, PollFlags, poll};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// What the process says once it waits: of another version it would not understand what it is told.
const GREETING: &[u8] = env!("CARGO_PKG_VERSION").as_bytes();
/// How long it may take until it waits.
const START: Duration = Duration::from_secs(5);
/// How long one that is not needed may take to end by itself.
const END: Duration = Duration::from_millis(200);

/// How a process is started that waits.
#[derive(Debug)]
pub(crate) struct StandbyStart<'a> {
    /// What confines it.
    pub(crate) wrapper: &'a OsStr,
    /// Its arguments, after those that say where it reports to.
    pub(crate) args: &'a [OsString],
    pub(crate) cwd: &'a Path,
    /// The name of the runs that it waits for.
    pub(crate) marker: Marker,
    /// The limits that it and the program have.
    pub(crate) resources: Resources,
}

/// A process that waits for its program.
#[derive(Debug)]
pub(crate) struct Standby {
    /// Where it is told. Closed before the tree is ended.
    socket: UnixStream,
    tree: ProcessTree,
    /// Where what confines it reports to.
    report: File,
    resources: Resources,
}

impl Standby {
    /// Starts one, and returns once it waits.
    ///
    /// # Errors
    ///
    /// Where it cannot be started, or ends before it waits.
    pub(crate) fn start(start: &StandbyStart<'_>) -> io::Result<Standby> {
        let report = nameless_file()?;
        let args: Vec<OsString> = report_to(&report)
            .into_iter()
            .chain(start.args.iter().cloned())
            .collect();
        let (mut socket, theirs) = UnixStream::pair()?;
        let marker = start.marker.value();
        let env = BTreeMap::from([(OsStr::new(MARKER_VARIABLE), OsStr::new(&marker))]);
        let null = File::options().read(true).write(true).open("/dev/null")?;
        let tree = ProcessTree::start_waiting(
            &Program {
                name: start.wrapper,
                args: &args,
                directory: start.cwd,
                env: &env,
                streams: [theirs.as_fd(), null.as_fd(), null.as_fd()],
                detach: Detach {
                    keep: [Some(report.as_raw_fd()), None],
                    // It can be set once: for the program.
                    tag: None,
                    outlives: false,
                    bounds: start.resources,
                },
            },
            &start.marker,
        )?;
        drop(theirs);
        socket.set_read_timeout(Some(START))?;
        let mut greeting = [0; GREETING.len()];
        socket.read_exact(&mut greeting)?;
        if greeting != GREETING {
            return Err(io::Error::other("it is of another version"));
        }
        Ok(Standby {
            socket,
            tree,
            report,
            resources: start.resources,
        })
    }

    /// Returns the list of the mounts that it has, where what confines it says which process it is.
    pub(crate) fn mounts(&self) -> Option<Vec<u8>> {
        let child = child_of(&self.report)?;
        std::fs::read(format!("/proc/{child}/mountinfo")).ok()
    }

    /// Returns whether it still waits, and has these limits.
    pub(super) fn waits_with(&self, resources: Resources) -> bool {
        self.resources == resources && !self.tree.leader_exited()
    }

    /// Has it become the program of these words, in this environment and with these descriptors: the three streams, and what is kept
    /// open. Returns the tree, and what tells of it.
    pub(super) fn become_program(
        self,
        marker: &Marker,
        message: &StandbyMessage,
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<(ProcessTree, StandbyReport)> {
        let mut tree = self.tree;
        tree.claim(marker);
        message.send(self.socket.as_fd(), descriptors)?;
        let report = StandbyReport {
            wrapper: self.report,
            socket: self.socket,
        };
        Ok((tree, report))
    }

    /// Returns the process that was started.
    #[cfg(test)]
    pub(crate) fn pid(&self) -> i32 {
        self.tree.leader().as_raw_pid()
    }

    /// Has it end without being asked.
    #[cfg(test)]
    pub(super) fn kill(&self) {
        while !self.tree.leader_exited() {
            self.tree.kill();
        }
    }

    /// Ends it.
    pub(crate) fn discard(self) {
        drop(self.socket);
        if let Some(handle) = self.tree.leader_handle() {
            let mut fds = [PollFd::new(&handle, PollFlags::IN)];
            // Interrupted or failed: what is left is killed.
            let _ = poll(&mut fds, Some(&timespec(END)));
        }
    }
}

/// What tells whether a program was started that something waited for.
#[derive(Debug)]
pub(super) struct StandbyReport {
    /// What confines it reports here.
    pub(super) wrapper: File,
    /// What waited says here that it could not become the program.
    socket: UnixStream,
}

impl StandbyReport {
    /// Returns whether what waited could not become the program.
    pub(super) fn says_failed(&self) -> bool {
        let mut byte = [0];
        let is_read = self.socket.set_nonblocking(true).is_ok();
        is_read && matches!((&self.socket).read(&mut byte), Ok(1))
    }
}

/// Returns the arguments that have bubblewrap report to a file.
pub(crate) fn report_to(report: &File) -> [OsString; 2] {
    let descriptor = report.as_raw_fd().to_string();
    ["--json-status-fd".into(), descriptor.into()]
}

/// Waits at standard input, as the process that was started ahead, and becomes the program it is told.
///
/// # Errors
///
/// Where nobody wants a program any more, or it cannot be started.
pub fn await_program() -> io::Result<Infallible> {
    let input = rustix::stdio::stdin();
    let mut socket = UnixStream::from(input.try_clone_to_owned()?);
    socket.write_all(GREETING)?;
    let (message, descriptors) = StandbyMessage::receive(socket.as_fd())?;
    let [input, output, errors, ..] = &*descriptors else {
        return Err(io::Error::other("descriptors are missing"));
    };
    rustix::stdio::dup2_stdin(input)?;
    rustix::stdio::dup2_stdout(output)?;
    rustix::stdio::dup2_stderr(errors)?;
    let mut descriptors = descriptors.into_iter();
    descriptors.by_ref().take(3).for_each(drop);
    // What is left, the program keeps open.
    descriptors.for_each(std::mem::forget);
    let error = message.execute();
    // It is started without anything that waits, then.
    socket.write_all(b"!")?;
    Err(error)
}
