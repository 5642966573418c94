//! Ctrl-C, SIGTERM, SIGHUP and Ctrl-Z, as a flag that wakes whoever waits.
//!
//! The first stop request lets the current step finish and ends the agent in order; the second kills
//! at once; one that follows within a moment is the first again, sent by whoever passes signals on. The flag only ever rises. Absent on purpose: what a stop means for the loop, and
//! SIGPIPE, which the runtime ignores, so a closed stdout is an error value and not a death.

use crate::process;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A request that follows another within this time is the same wish delivered twice: a closing terminal, a service manager or
/// `timeout` signals a whole group, and a launcher in that group (`npx`, `uvx`) hands its copy on.
const ECHO: Duration = Duration::from_millis(200);

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

/// The flag of this process, once the handlers are installed.
static FLAG: OnceLock<StopFlag> = OnceLock::new();

/// Waits until standard input has something to read, or has ended. Who is asked to stop meanwhile ends, as `end_if_stopped` says.
pub fn wait_for_input() {
    let Some(flag) = FLAG.get() else { return };
    let stdin = io::stdin();
    while !flag.is_raised() {
        let wake = PollFd::new(&flag.0.wake[0].0, PollFlags::IN);
        let mut fds = [wake, PollFd::new(&stdin, PollFlags::IN)];
        // An interrupted or failed poll only means another look.
        let ready = poll(&mut fds, None).is_ok_and(|n| n > 0);
        if ready && !fds[1].revents().is_empty() {
            break;
        }
    }
    end_if_stopped();
}

/// Ends the process, as the signal would have without handlers, where it was asked to stop: for a command that has nothing to
/// save.
pub fn end_if_stopped() {
    if let Some(signal) = FLAG.get().and_then(StopFlag::signal) {
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
}

/// Installs the handlers, once a process, and returns the flag they raise.
///
/// SIGHUP and SIGTSTP stay ignored when the parent ignored them (`nohup`).
pub fn install() -> Result<StopFlag> {
    if let Some(flag) = FLAG.get() {
        return Ok(flag.clone());
    }
    let flag = StopFlag::new()?;
    if FLAG.set(flag.clone()).is_err() {
        return install();
    }
    let failed = |e: io::Error| Error::environment("cannot listen for signals").with_source(e);
    let ignored = process::ignored_signals();
    let wanted = [SIGINT, SIGTERM, SIGHUP, SIGTSTP]
        .into_iter()
        .filter(|&signal| {
            !matches!(signal, SIGHUP | SIGTSTP) || ignored & (1 << (signal - 1)) == 0
        });
    let mut signals = signal_hook::iterator::Signals::new(wanted).map_err(failed)?;
    let raised = flag.clone();
    std::thread::Builder::new()
        .name("signals".into())
        .stack_size(256 * 1024)
        .spawn(move || {
            let mut wishes = StopWishes::default();
            for signal in signals.forever() {
                match signal {
                    SIGTSTP => pause(),
                    _ if wishes.is_new(Instant::now()) => raised.request(signal),
                    _ => {}
                }
            }
        })
        .map_err(failed)?;
    Ok(flag)
}

/// Tells a new wish to stop from the echo of the last one.
#[derive(Default)]
struct StopWishes {
    last: Option<Instant>,
}

impl StopWishes {
    fn is_new(&mut self, at: Instant) -> bool {
        let since = |last| at.saturating_duration_since(last);
        let is_new = self.last.is_none_or(|last| since(last) >= ECHO);
        if is_new {
            self.last = Some(at);
        }
        is_new
    }
}

/// Ctrl-Z: the process trees stop with us and resume with us.
///
/// They live in sessions of their own, so the terminal's signal does not reach them. Their timers
/// do not count the pause: a loop that wakes much later than it asked discards the difference.
fn pause() {
    process::pause_all();
    let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
    process::resume_all();
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn an_echo_is_no_second_wish_however_many_come() {
        let (mut wishes, began) = (StopWishes::default(), Instant::now());
        let heard = [0, 1, 150, 199, 200, 201, 399, 1_000].map(|ms| {
            let at = began + Duration::from_millis(ms);
            (ms, wishes.is_new(at))
        });
        let new: Vec<u64> = heard.iter().filter(|h| h.1).map(|h| h.0).collect();
        assert_eq!(new, [0, 200, 1_000]);
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
