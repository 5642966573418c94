//! Whether to stop, and how urgently: a flag that only ever rises, and that wakes whoever waits.

use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::SIGINT;
use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// How urgently to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum StopLevel {
    /// No stop was requested.
    #[default]
    Go,
    /// Finish the current step, end the agent in order, save.
    Finish,
    /// Kill the agent at once and stop.
    Now,
}

/// A stop request that any number of threads can look at or sleep on.
#[derive(Debug, Clone)]
pub struct StopFlag(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    count: AtomicU8,
    signal: AtomicI32,
    /// One pipe for each level, written once and never read: level-triggered for every listener.
    wake: [(PipeReader, PipeWriter); 2],
}

impl StopFlag {
    /// Returns a flag nobody has raised.
    pub fn new() -> Result<Self> {
        let failed = |e: io::Error| Error::environment("cannot make a pipe").with_source(e);
        let wake = [io::pipe().map_err(failed)?, io::pipe().map_err(failed)?];
        Ok(StopFlag(Arc::new(Inner {
            count: AtomicU8::new(0),
            signal: AtomicI32::new(0),
            wake,
        })))
    }

    /// Raises the flag by one level, as the given signal would.
    pub(crate) fn request(&self, signal: i32) {
        let inner = &*self.0;
        let _ = inner
            .signal
            .compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
        let before = inner
            .count
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| {
                Some(n.saturating_add(1))
            });
        if let Some((_, write)) = inner.wake.get(usize::from(before.unwrap_or(u8::MAX))) {
            // The pipe is empty and its reader is open, so one byte always fits.
            let _ = (&*write).write(b"!");
        }
    }

    /// Returns how urgently to stop.
    pub(crate) fn level(&self) -> StopLevel {
        match self.0.count.load(Ordering::SeqCst) {
            0 => StopLevel::Go,
            1 => StopLevel::Finish,
            _ => StopLevel::Now,
        }
    }

    /// Returns whether anyone asked to stop.
    pub(crate) fn is_raised(&self) -> bool {
        self.level() > StopLevel::Go
    }

    /// Returns the signal that asked first.
    pub(crate) fn signal(&self) -> Option<i32> {
        Some(self.0.signal.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// Returns the exit code the stop leads to.
    pub fn exit(&self) -> Option<Exit> {
        self.signal().map(|signal| {
            if signal == SIGINT {
                Exit::Interrupted
            } else {
                Exit::Terminated
            }
        })
    }

    /// Sleeps; returns early, and true, when the flag is or gets raised.
    pub fn sleep(&self, duration: Duration) -> bool {
        let deadline = Instant::now() + duration;
        while !self.is_raised() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let mut fds = [PollFd::new(&self.0.wake[0].0, PollFlags::IN)];
            // An interrupted or failed poll only means another look at flag and clock.
            let _ = poll(&mut fds, Some(&timespec(left)));
        }
        true
    }

    /// Returns the descriptor that is readable once the level is above the given one.
    pub(crate) fn wake_above(&self, level: StopLevel) -> Option<BorrowedFd<'_>> {
        let (read, _) = self.0.wake.get(level as usize)?;
        Some(read.as_fd())
    }
}

/// Returns the duration as poll wants it; more than fits is a day.
pub(crate) fn timespec(duration: Duration) -> Timespec {
    Timespec::try_from(duration.min(Duration::from_secs(86_400))).unwrap_or(Timespec {
        tv_sec: 1,
        tv_nsec: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use signal_hook::consts::SIGTERM;

    #[test]
    fn the_flag_rises_and_keeps_the_first_request() {
        let flag = StopFlag::new().unwrap();
        assert_eq!(
            (flag.level(), flag.signal(), flag.exit()),
            (StopLevel::Go, None, None)
        );
        assert!(!flag.sleep(Duration::from_millis(1)));
        flag.request(SIGTERM);
        assert_eq!(
            (flag.level(), flag.exit()),
            (StopLevel::Finish, Some(Exit::Terminated))
        );
        assert!(flag.wake_above(StopLevel::Finish).is_some());
        flag.request(SIGINT);
        assert_eq!(
            (flag.level(), flag.signal()),
            (StopLevel::Now, Some(SIGTERM))
        );
        assert!(flag.wake_above(StopLevel::Now).is_none());
        for _ in 0..300 {
            flag.request(SIGINT);
        }
        assert_eq!(flag.level(), StopLevel::Now);
    }

    #[test]
    fn a_sleeper_wakes_when_the_flag_is_raised() {
        let flag = StopFlag::new().unwrap();
        let clone = flag.clone();
        let sleeper = std::thread::spawn(move || clone.sleep(Duration::from_secs(600)));
        flag.request(SIGINT);
        assert!(sleeper.join().unwrap());
        assert_eq!(flag.exit(), Some(Exit::Interrupted));
    }
}
