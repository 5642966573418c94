//! Turns the bytes a session prints into lines for its adapter, bounded whatever is printed.

use super::{Agent, Session};

/// The longest line handed to an adapter. Longer ones are tool output of no use here.
const LINE_CAP: usize = 8 * 1024 * 1024;

/// Feeds one session's output to its adapter.
pub struct Listener {
    agent: &'static dyn Agent,
    session: Session,
    line: Vec<u8>,
    /// Bytes of the present line beyond the cap.
    over: u64,
    stderr: Vec<u8>,
}

impl Listener {
    /// Returns a listener for a fresh session of `agent`.
    pub fn new(agent: &'static dyn Agent) -> Self {
        Listener {
            agent,
            session: Session::default(),
            line: Vec::new(),
            over: 0,
            stderr: Vec::new(),
        }
    }

    /// Takes bytes of standard output, cut anywhere.
    pub fn stdout(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.extend(&bytes[..end]);
            self.finish_line();
            bytes = &bytes[end + 1..];
        }
        self.extend(bytes);
    }

    /// Takes bytes of standard error, cut anywhere.
    pub fn stderr(&mut self, bytes: &[u8]) {
        self.stderr.extend_from_slice(bytes);
        // A character cut at the end waits for its other half, at most three bytes.
        let whole = match std::str::from_utf8(&self.stderr) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.stderr.len(),
        };
        let text = String::from_utf8_lossy(&self.stderr[..whole]);
        self.session.stderr.push(&text);
        self.stderr.drain(..whole);
    }

    /// Returns what is known so far.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Ends the output and returns what is known.
    pub fn end(mut self) -> Session {
        if !self.line.is_empty() || self.over > 0 {
            self.finish_line();
        }
        let rest = String::from_utf8_lossy(&self.stderr).into_owned();
        self.session.stderr.push(&rest);
        self.agent.end(&mut self.session);
        self.session
    }

    fn extend(&mut self, bytes: &[u8]) {
        let room = (LINE_CAP - self.line.len()).min(bytes.len());
        self.line.extend_from_slice(&bytes[..room]);
        self.over += (bytes.len() - room) as u64;
    }

    fn finish_line(&mut self) {
        if self.over > 0 {
            self.session.skipped_bytes += self.over + self.line.len() as u64;
            self.over = 0;
        } else {
            let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
            self.agent.read(line, &mut self.session);
        }
        self.line.clear();
        // One long line must not hold its memory for the rest of the session.
        self.line.shrink_to(64 * 1024);
    }
}
