//! The three status machines. A move that is not here is refused, with the legal ones named.

mod verb_command;

use crate::error::Error;
use std::fmt;
use verb_command::VerbCommand;

/// The state of a unit, as its file says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnitStatus {
    /// Being written; never dispatched.
    Draft,
    /// Armed: the driver may dispatch it.
    Pending,
    /// Landed: verified by the driver.
    Done,
    /// Parked: waits for a user.
    BlockedHuman,
    /// Given up by a user.
    Abandoned,
}

/// The state of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GateStatus {
    /// Its units are worked on.
    Open,
    /// Every unit is done; a user reviews.
    AwaitingReview,
    /// Reviewed, or closed `met` at the end of a feature.
    Passed,
}

/// The state of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeatureStatus {
    /// Nothing has been armed yet.
    Planned,
    /// A run may work on it.
    Active,
    /// Stopped by the user.
    Blocked,
    /// Put off by the user.
    Deferred,
    /// Its terminal gate closed `met`.
    Done,
    /// Given up by the user.
    Abandoned,
}

/// What moves a unit from one status to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnitVerb {
    /// A user arms a draft.
    Arm,
    /// The driver lands it, or a user hands in a human unit.
    Complete,
    /// The driver parks it.
    Park,
    /// A user sends it back to work, with a reason.
    Unblock,
    /// A user gives it up.
    Abandon,
}

/// What moves a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GateVerb {
    /// The driver: every unit is done or abandoned.
    Reach,
    /// A user arms the next gate, or the driver closes a terminal gate `met`.
    Pass,
}

/// What moves a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeatureVerb {
    /// The work of a planned feature starts.
    Activate,
    /// The driver: the terminal gate closed `met`.
    Finish,
    /// The user stops it.
    Block,
    /// The user puts it off.
    Defer,
    /// The user gives it up.
    Abandon,
    /// The user takes it up again.
    Reopen,
}

/// A move the machine does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalMove {
    pub(crate) from: &'static str,
    pub(crate) verb: &'static str,
    /// The commands that lead on from here, each once.
    pub(crate) legal: Vec<&'static str>,
}

impl IllegalMove {
    /// Returns the refusal to move a unit, with where to read what does move it.
    pub(crate) fn of_unit(&self, id: &str) -> Error {
        Error::plan(id)
            .with_source(self.clone())
            .hint(format!("`gatewalk why {id}` shows what moves it"))
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} what is `{}`", self.verb, self.from)?;
        if self.legal.is_empty() {
            write!(f, "; nothing moves it from there")
        } else {
            write!(f, "; what moves it from there: {}", self.legal.join(", "))
        }
    }
}

impl std::error::Error for IllegalMove {}

/// A closed set of words, as written in files.
pub trait Word: Copy + PartialEq + Sized + 'static {
    /// Every value with its word; the first word of a value is the one written.
    const WORDS: &'static [(&'static str, Self)];

    /// Returns the value a word stands for.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS
            .iter()
            .find(|(w, _)| *w == word)
            .map(|(_, v)| *v)
    }

    /// Returns the word that is written for it.
    fn word(self) -> &'static str {
        Self::WORDS
            .iter()
            .find(|(_, v)| *v == self)
            .map_or("", |(w, _)| w)
    }

    /// Returns every word that is understood.
    fn words() -> Vec<&'static str> {
        Self::WORDS.iter().map(|(w, _)| *w).collect()
    }
}

/// Declares the words of an enum; words after the canonical ones are read, never written.
macro_rules! words {
    ($type:ty { $($word:literal => $value:expr),+ $(,)? }) => {
        impl $crate::model::status_machine::Word for $type {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, $value)),+];
        }
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::model::status_machine::Word::word(*self))
            }
        }
    };
}
pub(crate) use words;

words!(UnitStatus {
    "draft" => UnitStatus::Draft,
    "pending" => UnitStatus::Pending,
    "done" => UnitStatus::Done,
    "blocked_human" => UnitStatus::BlockedHuman,
    "abandoned" => UnitStatus::Abandoned,
    // Read, never written: what is running is a fact of the live driver.
    "ready" => UnitStatus::Pending,
    "in_progress" => UnitStatus::Pending,
    "in_review" => UnitStatus::Pending,
});
words!(GateStatus {
    "open" => GateStatus::Open,
    "awaiting_review" => GateStatus::AwaitingReview,
    "passed" => GateStatus::Passed,
});
words!(FeatureStatus {
    "planned" => FeatureStatus::Planned,
    "active" => FeatureStatus::Active,
    "blocked" => FeatureStatus::Blocked,
    "deferred" => FeatureStatus::Deferred,
    "done" => FeatureStatus::Done,
    "abandoned" => FeatureStatus::Abandoned,
});
words!(UnitVerb {
    "arm" => UnitVerb::Arm,
    "complete" => UnitVerb::Complete,
    "park" => UnitVerb::Park,
    "unblock" => UnitVerb::Unblock,
    "abandon" => UnitVerb::Abandon,
});
words!(GateVerb { "reach" => GateVerb::Reach, "pass" => GateVerb::Pass });
words!(FeatureVerb {
    "activate" => FeatureVerb::Activate,
    "finish" => FeatureVerb::Finish,
    "block" => FeatureVerb::Block,
    "defer" => FeatureVerb::Defer,
    "abandon" => FeatureVerb::Abandon,
    "reopen" => FeatureVerb::Reopen,
});

impl FeatureStatus {
    /// Returns true for `done` and `abandoned`: nothing of it will run any more.
    pub fn is_over(self) -> bool {
        matches!(self, FeatureStatus::Done | FeatureStatus::Abandoned)
    }
}

impl UnitStatus {
    /// Returns true for `done` and `abandoned`: nothing more will happen to it.
    pub fn is_settled(self) -> bool {
        matches!(self, UnitStatus::Done | UnitStatus::Abandoned)
    }

    /// Returns true for the statuses whose file must be a complete prompt.
    pub(crate) fn is_dispatchable(self) -> bool {
        matches!(self, UnitStatus::Draft | UnitStatus::Pending)
    }
}

const UNIT_MOVES: &[(UnitStatus, UnitVerb, UnitStatus)] = &[
    (UnitStatus::Draft, UnitVerb::Arm, UnitStatus::Pending),
    (UnitStatus::Pending, UnitVerb::Complete, UnitStatus::Done),
    (
        UnitStatus::Pending,
        UnitVerb::Park,
        UnitStatus::BlockedHuman,
    ),
    (
        UnitStatus::BlockedHuman,
        UnitVerb::Unblock,
        UnitStatus::Pending,
    ),
    (UnitStatus::Draft, UnitVerb::Abandon, UnitStatus::Abandoned),
    (
        UnitStatus::Pending,
        UnitVerb::Abandon,
        UnitStatus::Abandoned,
    ),
    (
        UnitStatus::BlockedHuman,
        UnitVerb::Abandon,
        UnitStatus::Abandoned,
    ),
    (UnitStatus::Done, UnitVerb::Abandon, UnitStatus::Abandoned),
];

const GATE_MOVES: &[(GateStatus, GateVerb, GateStatus)] = &[
    (
        GateStatus::Open,
        GateVerb::Reach,
        GateStatus::AwaitingReview,
    ),
    (
        GateStatus::AwaitingReview,
        GateVerb::Pass,
        GateStatus::Passed,
    ),
];

const FEATURE_MOVES: &[(FeatureStatus, FeatureVerb, FeatureStatus)] = &[
    (
        FeatureStatus::Planned,
        FeatureVerb::Activate,
        FeatureStatus::Active,
    ),
    (
        FeatureStatus::Active,
        FeatureVerb::Finish,
        FeatureStatus::Done,
    ),
    (
        FeatureStatus::Planned,
        FeatureVerb::Block,
        FeatureStatus::Blocked,
    ),
    (
        FeatureStatus::Active,
        FeatureVerb::Block,
        FeatureStatus::Blocked,
    ),
    (
        FeatureStatus::Planned,
        FeatureVerb::Defer,
        FeatureStatus::Deferred,
    ),
    (
        FeatureStatus::Active,
        FeatureVerb::Defer,
        FeatureStatus::Deferred,
    ),
    (
        FeatureStatus::Blocked,
        FeatureVerb::Defer,
        FeatureStatus::Deferred,
    ),
    (
        FeatureStatus::Planned,
        FeatureVerb::Abandon,
        FeatureStatus::Abandoned,
    ),
    (
        FeatureStatus::Active,
        FeatureVerb::Abandon,
        FeatureStatus::Abandoned,
    ),
    (
        FeatureStatus::Blocked,
        FeatureVerb::Abandon,
        FeatureStatus::Abandoned,
    ),
    (
        FeatureStatus::Deferred,
        FeatureVerb::Abandon,
        FeatureStatus::Abandoned,
    ),
    (
        FeatureStatus::Blocked,
        FeatureVerb::Reopen,
        FeatureStatus::Active,
    ),
    (
        FeatureStatus::Deferred,
        FeatureVerb::Reopen,
        FeatureStatus::Active,
    ),
    (
        FeatureStatus::Abandoned,
        FeatureVerb::Reopen,
        FeatureStatus::Active,
    ),
];

fn step<S: Word, V: VerbCommand>(moves: &[(S, V, S)], from: S, verb: V) -> Result<S, IllegalMove> {
    moves
        .iter()
        .find(|(f, v, _)| *f == from && *v == verb)
        .map(|(_, _, to)| *to)
        .ok_or_else(|| IllegalMove {
            from: from.word(),
            verb: verb.word(),
            legal: moves
                .iter()
                .filter(|(f, _, _)| *f == from)
                .filter_map(|(_, v, _)| v.command())
                .collect(),
        })
}

/// Returns where a verb takes a unit, or the legal moves.
pub(crate) fn move_unit(from: UnitStatus, verb: UnitVerb) -> Result<UnitStatus, IllegalMove> {
    step(UNIT_MOVES, from, verb)
}

/// Returns where a verb takes a gate, or the legal moves.
pub fn move_gate(from: GateStatus, verb: GateVerb) -> Result<GateStatus, IllegalMove> {
    step(GATE_MOVES, from, verb)
}

/// Returns where a verb takes a feature, or the legal moves.
pub fn move_feature(from: FeatureStatus, verb: FeatureVerb) -> Result<FeatureStatus, IllegalMove> {
    step(FEATURE_MOVES, from, verb)
}

/// Says of what stands in place of a status that it is none.
pub fn no_status(word: &str) -> String {
    match word {
        "" => "it has no `status` that can be read".to_owned(),
        word => format!("`{word}` is no status"),
    }
}

#[cfg(test)]
mod tests;
