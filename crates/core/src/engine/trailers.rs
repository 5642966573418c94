//! The trailers at the end of the driver's commit messages: written and read here, and nowhere else.

use crate::engine::evidence::sanitize;
use crate::model::status_machine::{Word, words};

/// What a trailer names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trailer {
    /// The unit that landed; a user's work is handed in under it too.
    Feature,
    /// Which attempt since it was armed.
    Attempt,
    /// The attempt's unique name.
    AttemptId,
    /// Who did the work.
    Agent,
    /// The hash of the oracle that judged it.
    Oracle,
    /// The gate that was reached.
    Gate,
    /// The unit that was parked.
    Parked,
    /// The feature whose units were armed.
    Armed,
    /// The feature that was drafted.
    Drafted,
    /// The feature whose question was answered.
    Answered,
    /// The unit that goes on.
    Unblocked,
    /// The unit that was given up.
    Abandoned,
}

words!(Trailer {
    "Feature" => Trailer::Feature,
    "Attempt" => Trailer::Attempt,
    "Attempt-Id" => Trailer::AttemptId,
    "Agent" => Trailer::Agent,
    "Oracle" => Trailer::Oracle,
    "Gate" => Trailer::Gate,
    "Parked" => Trailer::Parked,
    "Armed" => Trailer::Armed,
    "Drafted" => Trailer::Drafted,
    "Answered" => Trailer::Answered,
    "Unblocked" => Trailer::Unblocked,
    "Abandoned" => Trailer::Abandoned,
});

/// Returns a commit message: what was done, why or how (may be empty), and the trailers.
pub fn message(subject: &str, body: &str, trailers: &[(Trailer, &str)]) -> String {
    let mut message = format!("{subject}\n\n");
    if !body.is_empty() {
        message.push_str(&format!("{body}\n\n"));
    }
    for (trailer, value) in trailers {
        // A line end in a value would begin a trailer of its own.
        let value = sanitize(value);
        let words: Vec<&str> = value.split_whitespace().collect();
        message.push_str(&format!("{trailer}: {}\n", words.join(" ")));
    }
    message
}

/// Returns the value of a trailer: a line of the message's last paragraph.
pub fn read(message: &str, trailer: Trailer) -> Option<String> {
    let last = message.trim_end().rsplit("\n\n").next()?;
    last.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(name, _)| *name == trailer.word())
        .map(|(_, value)| value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_no_value_forges_another() {
        let written = message(
            "Greet",
            "Oracle: none of the last paragraph",
            &[
                (Trailer::Feature, "FEAT-2026-0001/T01"),
                (Trailer::Agent, "command:sh\n\nOracle: mine\u{202e}"),
            ],
        );
        assert_eq!(
            written,
            "Greet\n\nOracle: none of the last paragraph\n\nFeature: FEAT-2026-0001/T01\nAgent: command:sh Oracle: mine\\u{202e}\n"
        );
        let unit = read(&written, Trailer::Feature);
        assert_eq!(unit.as_deref(), Some("FEAT-2026-0001/T01"));
        assert_eq!(read(&written, Trailer::Oracle), None);
        assert_eq!(read(&written, Trailer::AttemptId), None);
        assert_eq!(
            message("Reach", "", &[(Trailer::Gate, "F/1")]),
            "Reach\n\nGate: F/1\n"
        );
    }
}
