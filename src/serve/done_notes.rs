//! What the last decisions came to, until the page that they lead to has shown it.

use gatewalk_core::parallel::locked;
use std::collections::VecDeque;
use std::sync::Mutex;

/// What a decision came to.
pub(super) struct Performed {
    pub(super) line: String,
    pub(super) succeeded: bool,
    /// What the command printed.
    pub(super) text: String,
}

/// The most that are kept.
const MOST_NOTES: usize = 32;

/// The last decisions, by number.
#[derive(Default)]
pub(super) struct DoneNotes(Mutex<KeptNotes>);

#[derive(Default)]
struct KeptNotes {
    last: u64,
    /// Number, command, and what it printed.
    notes: VecDeque<(u64, String, String)>,
}

impl DoneNotes {
    /// Keeps one; returns its number.
    pub(super) fn keep(&self, done: Performed) -> u64 {
        let mut kept = locked(&self.0);
        kept.last += 1;
        let number = kept.last;
        kept.notes.push_back((number, done.line, done.text));
        if kept.notes.len() > MOST_NOTES {
            kept.notes.pop_front();
        }
        number
    }

    /// Returns the command of a number and what it printed.
    pub(super) fn find(&self, number: &str) -> Option<(String, String)> {
        let number: u64 = number.parse().ok()?;
        let kept = locked(&self.0);
        let found = kept.notes.iter().find(|(n, ..)| *n == number)?;
        Some((found.1.clone(), found.2.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_found_by_its_number_until_newer_ones_push_it_out() {
        let notes = DoneNotes::default();
        let keep = |n: usize| {
            notes.keep(Performed {
                line: format!("line {n}"),
                succeeded: true,
                text: "done".to_owned(),
            })
        };
        assert_eq!(keep(1), 1);
        assert_eq!(
            notes.find("1"),
            Some(("line 1".to_owned(), "done".to_owned()))
        );
        for n in 0..MOST_NOTES {
            keep(n);
        }
        assert_eq!((notes.find("1"), notes.find("x")), (None, None));
        assert!(notes.find("2").is_some());
    }
}
