//! The closed sets of words that a unit's frontmatter is written with.

use crate::model::frontmatter::word_from_yaml;
use crate::model::status_machine::Word as _;
use crate::model::status_machine::words;

/// What a unit was parked for, as `escalation_reason` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParkCause {
    /// Its last allowed attempt failed.
    AttemptsUsed,
    /// Attempts failed in the same way.
    SameFailure,
    /// The session said it cannot go on.
    AgentBlocked,
    /// The session needs more than its `touches` allow.
    WideningAsked,
    /// A red-first check is green on the base.
    Vacuous,
    /// It cost what it may cost.
    Budget,
}

words!(ParkCause {
    "attempts_exhausted" => ParkCause::AttemptsUsed,
    "spinning_detected" => ParkCause::SameFailure,
    "agent_blocked" => ParkCause::AgentBlocked,
    "widening_asked" => ParkCause::WideningAsked,
    "vacuous_check" => ParkCause::Vacuous,
    "budget_reached" => ParkCause::Budget,
});

impl ParkCause {
    /// Returns what `escalation_reason` means; a word that is no cause is said as it is.
    pub fn meaning_of(word: &str) -> &str {
        match ParkCause::from_word(word) {
            Some(ParkCause::AttemptsUsed) => "every attempt failed verification",
            Some(ParkCause::SameFailure) => {
                "attempts failed in the same way, and another would too"
            }
            Some(ParkCause::AgentBlocked) => "the session cannot go on without you",
            Some(ParkCause::WideningAsked) => "the session needs more than its `touches` allow",
            Some(ParkCause::Vacuous) => "a check that must be red is already green on the base",
            Some(ParkCause::Budget) => "its budget is used up",
            None => word,
        }
    }
}

/// What kind of work a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnitType {
    /// Work on the product.
    Implementation,
    /// Work only a user can do; never dispatched.
    Human,
    /// Closes a gate that is not the last.
    CloseIntermediate,
    /// Drafts the next gate.
    PlanNext,
    /// Closes the terminal gate.
    Close,
    /// Legacy closing unit.
    Retrospective,
    /// Legacy closing unit.
    Lessons,
    /// Legacy closing unit.
    Docs,
}

words!(UnitType {
    "implementation" => UnitType::Implementation,
    "human" => UnitType::Human,
    "close-intermediate" => UnitType::CloseIntermediate,
    "plan-next" => UnitType::PlanNext,
    "close" => UnitType::Close,
    "retrospective" => UnitType::Retrospective,
    "lessons" => UnitType::Lessons,
    "docs" => UnitType::Docs,
});

impl UnitType {
    /// Returns true for the units that close a gate, legacy ones included.
    pub fn is_closing(self) -> bool {
        !matches!(self, UnitType::Implementation | UnitType::Human)
    }

    /// Returns true for the closing forms of older plans.
    pub(crate) fn is_legacy(self) -> bool {
        matches!(
            self,
            UnitType::Retrospective | UnitType::Lessons | UnitType::Docs
        )
    }

    /// Returns the verification set that judges it.
    pub(crate) fn verification_set(self) -> &'static str {
        match self {
            UnitType::Implementation | UnitType::Human => "code",
            UnitType::PlanNext => "plannext",
            _ => "doc",
        }
    }
}

/// What happens to the tree of a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// The next attempt starts from the base again.
    Restart,
    /// The next attempt starts from what the failed one left.
    Continue,
}

words!(OnFailure { "restart" => OnFailure::Restart, "continue" => OnFailure::Continue });

/// What a closing unit found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Every criterion was verified.
    Met,
    /// At least one was not; also what hedged older verdicts mean.
    NotMet,
}

words!(Verdict {
    "met" => Verdict::Met,
    "not_met" => Verdict::NotMet,
    "met_locally" => Verdict::NotMet,
    "partially_met" => Verdict::NotMet,
    "met_with_followups" => Verdict::NotMet,
    "unmet" => Verdict::NotMet,
});

/// What a check must say on the base, before the agent starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExpectBase {
    /// It must fail: the work is what turns it green.
    Red,
    /// It must pass, before and after.
    Green,
    /// Not asked: red and green are both fine.
    Any,
}

words!(ExpectBase { "red" => ExpectBase::Red, "green" => ExpectBase::Green, "any" => ExpectBase::Any });

word_from_yaml!(UnitType, OnFailure, Verdict, ExpectBase);
