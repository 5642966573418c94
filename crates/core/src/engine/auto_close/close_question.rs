//! What is asked of a gate before it may close: each question with its name in the log, what a no stops, and the remedy.

use super::Stops;

/// What is asked of a gate, in the order it is recorded.
#[derive(Clone, Copy)]
pub(super) enum CloseQuestion {
    Enabled,
    NoBlockedUnit,
    NoReplan,
    UnitCost,
    TotalCost,
    FinalAttempts,
    Deliverables,
    Requirements,
    NothingUnusual,
    BroadTier,
}

impl CloseQuestion {
    /// Returns its stable name, what a no stops, and the one thing to do about that.
    pub(super) fn terms(self) -> (&'static str, Stops, &'static str) {
        const READ: &str = "see `gatewalk review`, then `gatewalk arm`";
        match self {
            CloseQuestion::Enabled => (
                "enabled",
                Stops::MechanicalClose,
                "take `auto_close_disabled` or `--force-full-close` away",
            ),
            CloseQuestion::NoBlockedUnit => (
                "no_blocked_unit",
                Stops::MechanicalClose,
                "the closing session says what that leaves undone",
            ),
            CloseQuestion::NoReplan => ("no_replan", Stops::Gate, READ),
            CloseQuestion::UnitCost => ("unit_cost_within_plan", Stops::Gate, READ),
            CloseQuestion::TotalCost => ("total_cost_within_plan", Stops::Gate, READ),
            CloseQuestion::FinalAttempts => ("final_attempts_passed", Stops::Gate, READ),
            CloseQuestion::Deliverables => (
                "deliverables_present",
                Stops::MechanicalClose,
                "commit the file, or take it out of `produces`",
            ),
            CloseQuestion::Requirements => (
                "requirements_covered",
                Stops::MechanicalClose,
                "mend what its check asks for, or write `(deferred: why)` behind it",
            ),
            CloseQuestion::NothingUnusual => (
                "nothing_unusual",
                Stops::Gate,
                "look at it, then `gatewalk arm --accept`",
            ),
            CloseQuestion::BroadTier => (
                "broad_tier_passed",
                Stops::Gate,
                "mend what the command asks for",
            ),
        }
    }
}
