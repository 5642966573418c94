//! How a command ended: one value from the process to the record, written as text only where somebody reads it.

use crate::model::frontmatter::show_duration;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CommandEnd {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal that the driver did not send.
    Signalled(i32),
    /// Stopped by the driver at this limit.
    TimedOut(Duration),
    /// Stopped because the driver was asked to stop.
    Cancelled,
    /// Never started, for this reason, which is the machine's.
    NotStarted(String),
    /// It tampered with what it must leave alone: whatever it exited with proves nothing.
    Voided(Tampering),
}

/// What a command did outside its slot, or to what judges it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tampering {
    /// What changed, and while what ran, as a sentence fragment.
    pub what: String,
    /// What became of it: what was put back, where it is kept.
    pub aftermath: Vec<String>,
}

/// What shells and loaders say, in lower case, where the system gave them no process or no memory.
const SHORTAGES: [&str; 4] = [
    ": cannot fork",
    "fork: resource temporarily unavailable",
    "fork: retry: resource temporarily unavailable",
    "fork: cannot allocate memory",
];

impl CommandEnd {
    /// Returns how a command ended that left an exit code and printed this. Where all that was printed is that a shell could not
    /// start a process, nothing ran that could judge.
    pub fn of_exit(code: i32, stdout: &[u8], stderr: &[u8]) -> CommandEnd {
        let said = String::from_utf8_lossy(stderr).to_lowercase();
        let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
        let is_shortage = |line: &str| SHORTAGES.iter().any(|words| line.ends_with(words));
        let unforked = code != 0 && stdout.is_empty() && lines().all(is_shortage);
        match lines().next_back().filter(|_| unforked) {
            Some(line) => CommandEnd::NotStarted(line.to_owned()),
            None => CommandEnd::Exited(code),
        }
    }

    /// Returns the exit code of a command that ended by itself and counts.
    pub(crate) fn exit_code(&self) -> Option<i32> {
        match self {
            CommandEnd::Exited(code) => Some(*code),
            _ => None,
        }
    }

    /// Returns whether it proves what it checks.
    pub fn is_success(&self) -> bool {
        *self == CommandEnd::Exited(0)
    }

    /// Returns what a record notes of an end without an exit code.
    pub(crate) fn note(&self) -> Option<String> {
        self.exit_code().is_none().then(|| self.to_string())
    }

    /// Returns the end as a verb phrase: `ended with exit 1`, `was cancelled`.
    pub(crate) fn verb_phrase(&self) -> String {
        match self {
            CommandEnd::Exited(_) | CommandEnd::Signalled(_) => format!("ended with {self}"),
            CommandEnd::TimedOut(_) => self.to_string(),
            CommandEnd::Cancelled | CommandEnd::NotStarted(_) | CommandEnd::Voided(_) => {
                format!("was {self}")
            }
        }
    }
}

impl fmt::Display for CommandEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandEnd::Exited(code) => write!(f, "exit {code}"),
            CommandEnd::Signalled(signal) => write!(f, "signal {signal}"),
            CommandEnd::TimedOut(limit) => write!(f, "timed out after {}", show_duration(*limit)),
            CommandEnd::Cancelled => f.write_str("cancelled"),
            CommandEnd::NotStarted(why) => write!(f, "not started: {why}"),
            CommandEnd::Voided(tampering) => write!(f, "voided by tampering: {}", tampering.what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_has_true_words_and_only_an_exit_has_a_code() {
        let tampering = Tampering {
            what: "refs changed".to_owned(),
            aftermath: vec![],
        };
        let hour = Duration::from_secs(3600);
        for (end, words, phrase, code) in [
            (
                CommandEnd::Exited(0),
                "exit 0",
                "ended with exit 0",
                Some(0),
            ),
            (
                CommandEnd::Exited(3),
                "exit 3",
                "ended with exit 3",
                Some(3),
            ),
            (
                CommandEnd::Signalled(9),
                "signal 9",
                "ended with signal 9",
                None,
            ),
            (
                CommandEnd::TimedOut(hour),
                "timed out after 1h",
                "timed out after 1h",
                None,
            ),
            (CommandEnd::Cancelled, "cancelled", "was cancelled", None),
            (
                CommandEnd::NotStarted("no `sh`".to_owned()),
                "not started: no `sh`",
                "was not started: no `sh`",
                None,
            ),
            (
                CommandEnd::Voided(tampering),
                "voided by tampering: refs changed",
                "was voided by tampering: refs changed",
                None,
            ),
        ] {
            assert_eq!(end.to_string(), words);
            assert_eq!(end.verb_phrase(), phrase);
            assert_eq!(end.exit_code(), code);
            assert_eq!(end.note(), code.is_none().then(|| words.to_owned()));
            assert_eq!(end.is_success(), code == Some(0));
        }
    }

    #[test]
    fn a_shell_that_got_no_process_judged_nothing() {
        for (code, stdout, stderr, judged) in [
            (2, "", "sh: 1: Cannot fork\n", false),
            (2, "", "check.sh: 14: Cannot fork\n", false),
            (
                254,
                "",
                "sh: fork: retry: Resource temporarily unavailable\nsh: fork: Resource temporarily unavailable\n",
                false,
            ),
            (
                1,
                "",
                "sh: can't fork: Resource temporarily unavailable\n",
                false,
            ),
            (254, "", "sh: fork: Cannot allocate memory\n", false),
            (0, "", "sh: 1: Cannot fork\n", true),
            (2, "1 failed", "sh: 1: Cannot fork\n", true),
            (2, "", "assertion failed\nsh: 1: Cannot fork\n", true),
            (2, "", "", true),
            (1, "", "test_fork: expected 1\n", true),
        ] {
            let end = CommandEnd::of_exit(code, stdout.as_bytes(), stderr.as_bytes());
            assert_eq!(end == CommandEnd::Exited(code), judged, "{stderr}: {end}");
        }
    }
}
