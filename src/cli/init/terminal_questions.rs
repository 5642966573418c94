//! Questions on a terminal; elsewhere none is asked, and each has the answer "no".

use crate::cli::Context;
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::error::{Error, Result};
use gatewalk_host::signals;
use std::cell::Cell;
use std::io::{BufRead, IsTerminal};

/// Asks, if somebody is there to answer.
pub(super) struct Questions<'a> {
    context: &'a Context,
    asks: bool,
    /// Whether the input ended where an answer was wanted.
    are_left: Cell<bool>,
}

impl<'a> Questions<'a> {
    /// Returns the questions of a run; `quiet` is the user's wish that nothing be asked.
    pub(super) fn new(context: &'a Context, quiet: bool) -> Self {
        let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        Questions {
            context,
            asks: terminal && !quiet,
            are_left: Cell::default(),
        }
    }

    /// Returns the command that asks.
    pub(super) fn context(&self) -> &'a Context {
        self.context
    }

    /// Returns whether anything is asked.
    pub(super) fn asks(&self) -> bool {
        self.asks && !self.are_left()
    }

    /// Returns whether the user left a question without an answer, as `^D` does: what was not agreed must not be written.
    pub(super) fn are_left(&self) -> bool {
        self.are_left.get()
    }

    /// Returns the line that the user typed; nothing where nobody is asked, or the input ended.
    pub(super) fn line(&self, question: &str) -> Result<Option<String>> {
        if !self.asks() {
            return Ok(None);
        }
        self.context.out.note(question);
        // A trial of the commands has the signals by now.
        signals::wait_for_input();
        let mut line = String::new();
        let read = std::io::stdin()
            .lock()
            .read_line(&mut line)
            .map_err(|e| Error::environment("cannot read the answer").with_source(e))?;
        if read == 0 {
            self.are_left.set(true);
            return Ok(None);
        }
        Ok(Some(line.trim().to_owned()))
    }

    /// Returns whether the user agreed; an empty line is `default`, and what is neither yes nor no is asked again.
    pub(super) fn yes(&self, question: &str, default: bool) -> Result<bool> {
        let hint = if default { "[Y/n]" } else { "[y/N]" };
        loop {
            let Some(answer) = self.line(&format!("{question} {hint}"))? else {
                return Ok(false);
            };
            match (answer.is_empty(), yes_or_no(&answer)) {
                (true, _) => return Ok(default),
                (false, Some(agreed)) => return Ok(agreed),
                (false, None) => {
                    let shown = one_line(&answer);
                    self.context
                        .out
                        .note(format!("`{shown}` is neither yes nor no"));
                }
            }
        }
    }
}

/// Reads a yes or a no.
pub(super) fn yes_or_no(answer: &str) -> Option<bool> {
    match answer.to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}
