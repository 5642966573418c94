//! What tells whether a file or directory is as it was when it was looked at.

use rustix::fs::Stat;
use std::time::{SystemTime, UNIX_EPOCH};

/// The seconds for which a change may not show in its times: no file system is coarser.
const COARSEST_TIME: i64 = 2;

/// What changes when a file is written, when an entry of a directory comes or goes, or when something takes its place.
///
/// The change time is set by the kernel alone: a program cannot put it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InodeState {
    device: u64,
    inode: u64,
    /// Seconds and nanoseconds.
    changed: (i64, u64),
}

impl InodeState {
    #[allow(
        clippy::unnecessary_cast,
        clippy::cast_sign_loss,
        reason = "the fields differ in type from system to system"
    )]
    pub(crate) fn of(stat: &Stat) -> InodeState {
        InodeState {
            device: stat.st_dev as u64,
            inode: stat.st_ino,
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as u64),
        }
    }

    /// Returns whether it tells this state from every later one.
    pub(crate) fn is_settled(self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.is_ok_and(|now| self.changed.0 + COARSEST_TIME < now.as_secs().cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_a_moment_ago_may_change_unseen() {
        let old = InodeState {
            device: 1,
            inode: 1,
            changed: (1_000_000_000, 0),
        };
        let root = tempfile::tempdir().unwrap();
        let now = InodeState::of(&rustix::fs::stat(root.path()).unwrap());
        assert!(old.is_settled());
        assert!(
            !now.is_settled(),
            "a change in the same tick would not show"
        );
    }
}
