//! Feeds what a session prints to its adapter. Lines are split, and cut at a cap, where they are
//! read: in `gatewalk_host::process`.

use super::{Agent, Session};

/// Listens to one session.
pub struct Listener {
    agent: &'static dyn Agent,
    session: Session,
    /// The first bytes of a character whose rest has not come.
    partial: Vec<u8>,
}

impl Listener {
    /// Returns a listener for a fresh session of `agent`.
    pub fn new(agent: &'static dyn Agent) -> Self {
        Listener {
            agent,
            session: Session::default(),
            partial: Vec::new(),
        }
    }

    /// Takes a line of standard output without its line feed; `truncated` if its end is missing.
    pub fn line(&mut self, line: &[u8], truncated: bool) {
        if truncated {
            // Half an event is none, and so long a line is tool output, not what the session says.
            self.session.truncated_lines += 1;
        } else {
            self.agent
                .read(line.strip_suffix(b"\r").unwrap_or(line), &mut self.session);
        }
    }

    /// Takes bytes of standard error, cut anywhere.
    pub fn stderr(&mut self, bytes: &[u8]) {
        self.partial.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.partial) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.partial.len(),
        };
        let text = String::from_utf8_lossy(&self.partial[..whole]);
        self.session.stderr.push(&text);
        self.partial.drain(..whole);
    }

    /// Returns what is known so far.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Ends the output and returns what is known.
    pub fn end(mut self) -> Session {
        let rest = String::from_utf8_lossy(&self.partial);
        self.session.stderr.push(&rest);
        self.agent.end(&mut self.session);
        self.session
    }
}
