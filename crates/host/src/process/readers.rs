//! Who takes the bytes of a run: lines for a sink, or head and tail for evidence.

use super::output::{HeadTail, LineSplitter};
use super::{ByteSink, Flow, Sink};
use std::time::Duration;

/// Where output came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Out,
    Err,
}

/// Takes output as it is read, in pieces of any size.
pub(super) trait Reader {
    fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> Flow;
    fn tick(&mut self, elapsed: Duration) -> Flow;
    fn activity(&mut self) -> u64;
    /// Is told that the silent tree uses the processor.
    fn at_work(&mut self) {}

    /// Returns whether what the program leaves in a session of its own goes on.
    fn spares_daemons(&self) -> bool {
        false
    }
}

/// Cuts stdout into lines for a sink.
pub(super) struct LineReader<'a> {
    lines: LineSplitter,
    sink: &'a mut dyn Sink,
}

impl<'a> LineReader<'a> {
    pub(super) fn new(sink: &'a mut dyn Sink) -> Self {
        LineReader {
            lines: LineSplitter::default(),
            sink,
        }
    }

    pub(super) fn finish(self) {
        // The run is over, so there is nothing left to stop.
        self.lines.finish(|line, truncated| {
            let _over = self.sink.stdout_line(line, truncated);
        });
    }
}

impl Reader for LineReader<'_> {
    fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> Flow {
        let mut flow = Flow::Continue;
        if stream == Stream::Err {
            self.sink.stderr(bytes);
        } else {
            let sink = &mut *self.sink;
            self.lines.push(bytes, |line, truncated| {
                let answer = sink.stdout_line(line, truncated);
                if flow == Flow::Continue {
                    flow = answer;
                }
            });
        }
        flow
    }

    fn tick(&mut self, elapsed: Duration) -> Flow {
        self.sink.tick(elapsed)
    }

    fn activity(&mut self) -> u64 {
        self.sink.activity()
    }

    fn at_work(&mut self) {
        self.sink.at_work();
    }
}

/// Keeps head and tail.
pub(super) struct Capture<'a> {
    pub(super) stdout: HeadTail,
    pub(super) stderr: HeadTail,
    /// Is called with the time that has passed.
    pub(super) running: &'a mut dyn FnMut(Duration),
}

impl Reader for Capture<'_> {
    fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> Flow {
        match stream {
            Stream::Out => self.stdout.push(bytes),
            Stream::Err => self.stderr.push(bytes),
        }
        Flow::Continue
    }

    fn tick(&mut self, elapsed: Duration) -> Flow {
        (self.running)(elapsed);
        Flow::Continue
    }

    fn activity(&mut self) -> u64 {
        0
    }
}

/// Hands on standard output as it is.
pub(super) struct RawBytes<'a>(pub(super) &'a mut dyn ByteSink);

impl Reader for RawBytes<'_> {
    fn bytes(&mut self, stream: Stream, bytes: &[u8]) -> Flow {
        match stream {
            Stream::Out => self.0.stdout(bytes),
            Stream::Err => Flow::Continue,
        }
    }

    fn tick(&mut self, _: Duration) -> Flow {
        self.0.tick()
    }

    fn activity(&mut self) -> u64 {
        0
    }

    fn spares_daemons(&self) -> bool {
        self.0.has_all()
    }
}
