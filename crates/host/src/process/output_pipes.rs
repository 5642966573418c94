//! The output of a run on its way from the leader's pipes to everything that takes it.

use super::output::{CappedLog, HeadTail};
use super::readers::{Reader, Stream};
use super::{Flow, SinkStop};
use std::os::fd::OwnedFd;

/// One of the leader's output pipes.
pub(super) struct Pipe {
    pub(super) stream: Stream,
    pub(super) fd: Option<OwnedFd>,
    pub(super) total: u64,
}

/// Everything that takes the bytes of a run.
pub(super) struct Taps<'a> {
    pub(super) reader: &'a mut dyn Reader,
    pub(super) log: Option<CappedLog>,
    pub(super) stderr_tail: HeadTail,
    pub(super) buffer: Vec<u8>,
    pub(super) stop: Option<SinkStop>,
}

impl Taps<'_> {
    /// Keeps the first request to stop.
    pub(super) fn apply_flow(&mut self, flow: Flow) {
        if let (Flow::Stop(reason), None) = (flow, &self.stop) {
            self.stop = Some(reason);
        }
    }

    /// Reads what there is, at most so many chunks; returns whether there was anything.
    pub(super) fn drain(&mut self, pipe: &mut Pipe, chunks: usize) -> bool {
        let before = pipe.total;
        for _ in 0..chunks {
            let Some(fd) = &pipe.fd else { break };
            match rustix::io::read(fd, &mut self.buffer) {
                Ok(0) => pipe.fd = None,
                Ok(n) => {
                    pipe.total += n as u64;
                    self.take(pipe.stream, n);
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                Err(_) => pipe.fd = None,
            }
        }
        pipe.total > before
    }

    fn take(&mut self, stream: Stream, n: usize) {
        let bytes = &self.buffer[..n];
        if let Some(log) = &mut self.log {
            log.push(bytes);
        }
        if stream == Stream::Err {
            self.stderr_tail.push(bytes);
        }
        let flow = self.reader.bytes(stream, bytes);
        self.apply_flow(flow);
    }
}
