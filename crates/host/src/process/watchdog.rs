//! A small process of our own that ends an attempt's process tree when the driver
//! dies without a chance to (kill -9, out of memory).
//!
//! It waits for the end of a pipe whose other end only the driver holds, so it cannot miss the death
//! and needs no polling. Invariants: it does nothing while the driver lives; it carries the owner's
//! mark, so the next driver's sweep ends it before anything new is started and the two never meet.
//! Absent on purpose: everything but ending processes; what they left is for the next start.

use super::{MARKER_VARIABLE, Marker, descendants, orphans, start};
use crate::sys::{self, Detach};
use gatewalk_core::error::{Error, Result};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, WaitOptions, waitpid};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, PipeWriter, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

/// The hidden subcommand that watches.
pub(crate) const SUBCOMMAND: &str = "watch-driver";

/// The byte the driver sends when it ends in order.
const ALL_IS_WELL: u8 = b'.';
/// How long a process tree may take to end by itself once its driver is dead.
const GRACE: Duration = Duration::from_secs(2);

/// A watchdog at work, for as long as this lives.
#[derive(Debug)]
pub struct Watchdog {
    process: Pid,
    handle: Option<OwnedFd>,
    pipe: PipeWriter,
}

impl Watchdog {
    /// Starts the watchdog of this process. Without one a killed driver's process trees live until the
    /// next start, so a failure is the caller's to report, not to stop for.
    pub fn start(program: &Path, owner: &str, lock: &Path) -> Result<Watchdog> {
        let failed = |e| Error::environment("cannot start the watchdog").with_source(e);
        let lineage = start::lineage(&Marker::new(owner, "watchdog").value());
        let nowhere = File::options().write(true).open("/dev/null");
        let nowhere = nowhere.map_err(failed)?;
        let (end, pipe) = io::pipe().map_err(failed)?;
        let process = sys::spawn(&sys::Program {
            name: program.as_os_str(),
            args: &[SUBCOMMAND.into(), owner.into(), lock.into()],
            directory: Path::new("/"),
            env: &BTreeMap::from([(OsStr::new(MARKER_VARIABLE), &*lineage)]),
            streams: [end.as_fd(), nowhere.as_fd(), nowhere.as_fd()],
            detach: Detach {
                outlives: true,
                ..Detach::default()
            },
        });
        let process = process.map_err(failed)?;
        Ok(Watchdog {
            process,
            handle: descendants::pidfd(process),
            pipe,
        })
    }
}

impl Drop for Watchdog {
    /// Dismisses it. It may be gone already, which is as well.
    fn drop(&mut self) {
        let _ = self.pipe.write_all(&[ALL_IS_WELL]);
        if let Some(handle) = &self.handle {
            descendants::send(handle, Signal::KILL);
        }
        let _ = retry_on_intr(|| waitpid(Some(self.process), WaitOptions::empty()));
    }
}

/// Watches: returns when the driver behind the pipe has ended, and none of its process trees is alive.
pub fn watch(pipe: &mut dyn Read, owner: &OsStr, lock: &Path) {
    let mut byte = [0];
    let dead = loop {
        match pipe.read(&mut byte) {
            Ok(0) => break true,
            Ok(_) if byte[0] == ALL_IS_WELL => break false,
            Err(e) if e.kind() != io::ErrorKind::Interrupted => break true,
            _ => {}
        }
    };
    if dead {
        orphans::end(&owner.to_string_lossy(), Some(lock), GRACE);
    }
}
