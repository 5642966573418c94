//! What takes the output of a running program, and may end it.

use std::time::Duration;

/// Whether a program may keep running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flow {
    /// Keep the program running.
    Continue,
    /// End the process tree, for this reason.
    Stop(SinkStop),
}

/// Why a sink ends a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SinkStop {
    /// Its budget is used up.
    Budget,
    /// It reported its end, and does not exit.
    Done,
    /// It waits for what will not come in time.
    Waiting,
    /// It repeats what cannot succeed.
    Futile,
}

/// Takes the output of a program while it runs, and may end it.
pub trait Sink {
    /// Takes a line of stdout without its newline; `truncated` when longer than [`LINE_CAP`](super::LINE_CAP).
    fn stdout_line(&mut self, line: &[u8], truncated: bool) -> Flow;

    /// Takes bytes of stderr, cut anywhere.
    fn stderr(&mut self, _bytes: &[u8]) {}

    /// Called about twice a second, with the time that counted.
    fn tick(&mut self, elapsed: Duration) -> Flow {
        let _ = elapsed;
        Flow::Continue
    }

    /// Returns a number whose change is a sign of life; asked a few times in an idle period.
    fn activity(&mut self) -> u64 {
        0
    }

    /// Called when the silent process tree was seen to use the processor, or to wait for one.
    fn at_work(&mut self) {}
}

/// A sink that wants nothing.
impl Sink for () {
    fn stdout_line(&mut self, _: &[u8], _: bool) -> Flow {
        Flow::Continue
    }
}

/// Takes the standard output of a running program as it is read, in pieces of any size, and may end it.
pub(crate) trait ByteSink {
    /// Takes the next bytes of standard output, cut anywhere.
    fn stdout(&mut self, bytes: &[u8]) -> Flow;

    /// Called about twice a second.
    fn tick(&mut self) -> Flow;

    /// Returns whether all was said: what the program then leaves in a session of its own serves others as well, as a shared
    /// connection does, and is not ended.
    fn has_all(&self) -> bool;
}
