//! The times of files: now by their clock, and kept where a file is written anew.

use super::touched_files::{Time, ctime};
use gatewalk_core::error::{Error, Result};
use rustix::fs::{Timespec, Timestamps, UTIME_NOW};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// Returns the time as others have it; before 1970 nothing was written.
pub(super) fn as_system_time((seconds, nanoseconds): Time) -> SystemTime {
    let seconds = u64::try_from(seconds).unwrap_or_default();
    let nanoseconds = u32::try_from(nanoseconds).unwrap_or_default();
    SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds)
}

/// Touches a file, made where there is none, and returns what it is then: its times are now, by the clock of its file system.
pub(super) fn touched_now(path: &Path) -> io::Result<Metadata> {
    let mut options = fs::File::options();
    let file = options.create(true).append(true).open(path)?;
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    let times = Timestamps {
        last_access: now,
        last_modification: now,
    };
    rustix::fs::futimens(&file, &times)?;
    file.metadata()
}

/// Copies an index file with its modification time, which git compares with the files' to know which may be stale.
pub(super) fn copy_keeping_time(from: &Path, to: &Path) -> Result<()> {
    // Before the copy: what is written meanwhile must not look older than it is.
    let modified = modified(from)?;
    crate::crash::around("copy", || fs::copy(from, to)).map_err(|e| Error::io("copy", from, &e))?;
    set_modified(to, modified)
}

fn modified(path: &Path) -> Result<SystemTime> {
    let modified = fs::metadata(path).and_then(|meta| meta.modified());
    modified.map_err(|e| Error::io("read", path, &e))
}

/// Sets when a file was modified; returns what it is then, if no later change of it leaves the same time of change: on file
/// systems whose clock goes on between two looks (Linux 6.13, `Documentation/filesystems/multigrain-ts.rst`).
pub(super) fn set_modified_apart(
    file: &File,
    modified: SystemTime,
) -> io::Result<Option<Metadata>> {
    /// Other clocks stand still for a millisecond at least (`CONFIG_HZ`): meanwhile they show two times at most.
    const MEANWHILE: Duration = Duration::from_millis(1);
    const LOOKS: usize = 4;
    let begun = Instant::now();
    let mut looks = Vec::with_capacity(LOOKS);
    for _ in 0..LOOKS {
        file.set_modified(modified)?;
        looks.push(file.metadata()?);
    }
    let are_apart = looks.is_sorted_by(|one, next| ctime(one) < ctime(next));
    Ok(looks
        .pop()
        .filter(|_| are_apart && begun.elapsed() < MEANWHILE))
}

pub(super) fn set_modified(path: &Path, modified: SystemTime) -> Result<()> {
    let file = fs::File::options().write(true).open(path);
    file.and_then(|file| file.set_modified(modified))
        .map_err(|e| Error::io("touch", path, &e))
}
