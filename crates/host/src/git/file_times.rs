//! The times of files: now by their clock, and kept where a file is written anew.

use super::touched_files::Time;
use gatewalk_core::error::{Error, Result};
use rustix::fs::{Timespec, Timestamps, UTIME_NOW};
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

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

pub(super) fn set_modified(path: &Path, modified: SystemTime) -> Result<()> {
    let file = fs::File::options().write(true).open(path);
    file.and_then(|file| file.set_modified(modified))
        .map_err(|e| Error::io("touch", path, &e))
}
