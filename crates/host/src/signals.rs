//! Ctrl-C, SIGTERM, SIGHUP and Ctrl-Z: they raise the flag of this process.
//!
//! The first stop request lets the current step finish and ends the agent in order; the second kills
//! at once; one that follows within a moment is the first again, sent by whoever passes signals on. Absent on purpose:
//! what a stop means for the loop, and SIGPIPE, which the runtime ignores, so a closed stdout is an error value and not a
//! death.

use crate::stop_flag::{StopFlag, StopLevel};
use crate::{process, procfs};
use gatewalk_core::error::{Error, Result};
use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use std::io;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A request that follows another within this time is the same wish delivered twice: a closing terminal, a service manager or
/// `timeout` signals a whole group, and a launcher in that group (`npx`, `uvx`) hands its copy on.
const ECHO: Duration = Duration::from_millis(200);

/// The flag of this process, once the handlers are installed.
static FLAG: OnceLock<StopFlag> = OnceLock::new();

/// Waits until standard input has something to read, or has ended. Who is asked to stop meanwhile ends, as `end_if_stopped` says.
pub fn wait_for_input() {
    let Some(flag) = FLAG.get() else { return };
    let stdin = io::stdin();
    while !flag.is_raised() {
        let wake = flag.wake_above(StopLevel::Go);
        let mut fds = vec![PollFd::new(&stdin, PollFlags::IN)];
        fds.extend(wake.map(|wake| PollFd::from_borrowed_fd(wake, PollFlags::IN)));
        // An interrupted or failed poll only means another look.
        let ready = poll(&mut fds, None).is_ok_and(|n| n > 0);
        if ready && !fds[0].revents().is_empty() {
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
    let ignored = procfs::ignored_signals();
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
    fn an_echo_is_no_second_wish_however_many_come() {
        let (mut wishes, began) = (StopWishes::default(), Instant::now());
        let heard = [0, 1, 150, 199, 200, 201, 399, 1_000].map(|ms| {
            let at = began + Duration::from_millis(ms);
            (ms, wishes.is_new(at))
        });
        let new: Vec<u64> = heard.iter().filter(|h| h.1).map(|h| h.0).collect();
        assert_eq!(new, [0, 200, 1_000]);
    }
}
