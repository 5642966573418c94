//! Feeds what a session prints to its adapter. Lines are split, and cut at a cap, where they are
//! read: in `gatewalk_host::process`.

use super::terminal_codes::{open_code, without_codes};
use super::{Agent, Session};
use serde_json::Value;

/// A sequence for the terminal whose end is further away is none.
const LONGEST_CODE: usize = 64;

/// What some programs write before everything else.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

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
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
            if line.contains(&0x1b) {
                let plain = without_codes(&String::from_utf8_lossy(line));
                return self.agent.read(plain.as_bytes(), &mut self.session);
            }
            self.agent.read(line, &mut self.session);
        }
    }

    /// Takes bytes of standard error, cut anywhere.
    pub fn stderr(&mut self, bytes: &[u8]) {
        self.partial.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.partial) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.partial.len(),
        };
        let text = String::from_utf8_lossy(&self.partial[..whole]).into_owned();
        let open = open_code(&text)
            .filter(|at| text.len() - at < LONGEST_CODE && !text[..*at].contains('\u{fffd}'));
        let whole = open.unwrap_or(whole);
        self.session
            .stderr
            .push(&without_codes(open.map_or(&text, |at| &text[..at])));
        self.partial.drain(..whole);
    }

    /// Returns what is known so far.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Ends the output and returns what is known.
    pub fn end(mut self) -> Session {
        let rest = String::from_utf8_lossy(&self.partial);
        self.session.stderr.push(&without_codes(&rest));
        self.read_printed_wide();
        self.agent.end(&mut self.session);
        self.session
    }

    /// Reads events that were printed over several lines each, where no line was one.
    fn read_printed_wide(&mut self) {
        if self.session.structured || !self.agent.prints_events() {
            return;
        }
        let plain = self.session.plain.as_str();
        let starts = |line: &str| line.starts_with(['{', '[']);
        let Some(first) = plain.lines().find(|line| starts(line)) else {
            return;
        };
        let from = plain.find(first).unwrap_or_default();
        let values = serde_json::Deserializer::from_str(&plain[from..]).into_iter::<Value>();
        let mut read = self.session.clone();
        for value in values.map_while(Result::ok) {
            self.agent.read(value.to_string().as_bytes(), &mut read);
        }
        if read.structured {
            self.session = read;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::by_name;

    fn heard(agent: &str, stdout: &str, stderr: &[&str]) -> Session {
        let mut listener = Listener::new(by_name(agent).unwrap());
        stdout
            .lines()
            .for_each(|line| listener.line(line.as_bytes(), false));
        stderr
            .iter()
            .for_each(|part| listener.stderr(part.as_bytes()));
        listener.end()
    }

    #[test]
    fn events_in_colour_and_over_several_lines_are_read() {
        let wide = "starting\n{\n  \"type\": \"turn.started\"\n}\n{\n  \"type\": \"turn.completed\",\n  \"usage\": {\n    \"output_tokens\": 7\n  }\n}";
        let coloured =
            "\u{1b}[2K{\"type\":\"turn.completed\",\"usage\":{\"output_tokens\":7}}\u{1b}[0m";
        for printed in [wide, coloured] {
            let seen = heard("codex", printed, &[]);
            assert!(seen.finished, "{printed}");
            assert_eq!(seen.usage.output_tokens, Some(7), "{printed}");
        }
        // Words of the model's that look like one are none.
        let seen = heard("codex", "{\n  \"name\": \"shop\"\n}", &[]);
        assert!(!seen.structured);
        // A program without events is read as it prints.
        assert!(!heard("kiro", wide, &[]).structured);
    }

    #[test]
    fn a_colour_that_is_cut_in_two_is_left_out() {
        let seen = heard("codex", "", &["\u{1b}[3", "1mred\u{1b}", "[0m é", " end"]);
        assert_eq!(seen.stderr.as_str(), "red é end");
    }
}
