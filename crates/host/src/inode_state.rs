//! What tells whether a file or directory is as it was when it was looked at.

use rustix::fs::Stat;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a change may not show in its times: no file system is coarser.
const COARSEST_TIME: Duration = Duration::from_secs(3);

/// The same where times are finer than a millisecond: they are the kernel's clock then, which moves in steps of at most
/// ten; the rest is for servers of files whose clocks are not quite this machine's.
const FINE_TIME: Duration = Duration::from_millis(200);

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
        now.is_ok_and(|now| self.is_settled_at(now))
    }

    fn is_settled_at(self, now: Duration) -> bool {
        let (seconds, nanoseconds) = self.changed;
        let step = match nanoseconds % 1_000_000 {
            0 => COARSEST_TIME,
            _ => FINE_TIME,
        };
        // What is older than all clocks is old.
        let changed = Duration::from_secs(seconds.max(0).unsigned_abs());
        changed + Duration::from_nanos(nanoseconds) + step < now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_a_moment_ago_may_change_unseen() {
        for (what, nanoseconds, age, want) in [
            ("whole seconds, as long as the coarsest", 0, 2_900, false),
            ("whole seconds, older", 0, 3_100, true),
            ("milliseconds", 7_000_000, 2_900, false),
            ("finer, within some steps", 7_000_001, 190, false),
            ("finer, older", 7_000_001, 210, true),
            ("in the future", 7_000_001, -500, false),
        ] {
            let (device, inode) = (1, 1);
            let state = InodeState {
                device,
                inode,
                changed: (1_000_000_000, nanoseconds),
            };
            let millis = 1_000_000_000_000_u64.saturating_add_signed(age);
            let now = Duration::from_millis(millis) + Duration::from_nanos(nanoseconds);
            assert_eq!(state.is_settled_at(now), want, "{what}");
        }
        let root = tempfile::tempdir().unwrap();
        let now = InodeState::of(&rustix::fs::stat(root.path()).unwrap());
        assert!(
            !now.is_settled(),
            "a change in the same tick would not show"
        );
    }
}
