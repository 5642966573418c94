//! Why a unit is parked.

use crate::model::money::usd_of_limit;
use crate::model::unit::ParkCause;

/// Why a unit goes to a user.
#[derive(Debug, Clone, PartialEq)]
pub enum ParkReason {
    /// Its last allowed attempt failed.
    AttemptsUsed {
        /// How many there were.
        attempts: u32,
    },
    /// Two attempts failed in the same way.
    SameFailure {
        /// How many there were.
        attempts: u32,
    },
    /// The session said it cannot go on.
    AgentBlocked(String),
    /// Its diff lies outside `touches`, or cannot be made inside, and the session asks for more.
    WideningAsked {
        /// The paths it asks for.
        paths: Vec<String>,
    },
    /// A red-first check is green on the base: nothing to do, or too weak a check.
    Vacuous {
        /// Names of the checks.
        checks: Vec<String>,
    },
    /// It cost what it may cost.
    Budget {
        /// US dollars so far.
        spent: f64,
        /// What may be spent, in US dollars.
        budget: f64,
    },
}

impl ParkReason {
    /// Returns what goes into the unit's file and the event.
    pub(crate) fn cause(&self) -> ParkCause {
        match self {
            ParkReason::AttemptsUsed { .. } => ParkCause::AttemptsUsed,
            ParkReason::SameFailure { .. } => ParkCause::SameFailure,
            ParkReason::AgentBlocked(_) => ParkCause::AgentBlocked,
            ParkReason::WideningAsked { .. } => ParkCause::WideningAsked,
            ParkReason::Vacuous { .. } => ParkCause::Vacuous,
            ParkReason::Budget { .. } => ParkCause::Budget,
        }
    }

    /// Returns it as a sentence.
    pub(crate) fn sentence(&self) -> String {
        match self {
            ParkReason::AttemptsUsed { attempts: 1 } => {
                "the only attempt failed verification".to_owned()
            }
            ParkReason::AttemptsUsed { attempts } => {
                format!("all {attempts} attempts failed verification")
            }
            ParkReason::SameFailure { attempts } => {
                format!("{attempts} attempts failed in the same way; another would too")
            }
            ParkReason::AgentBlocked(reason) => format!("the session says it is blocked: {reason}"),
            ParkReason::WideningAsked { paths } => format!(
                "the session asks for more than the unit's `touches`: {}",
                paths.join(", ")
            ),
            ParkReason::Vacuous { checks } => format!(
                "already green on the base, so the work is done or the check too weak: {}",
                checks.join(", ")
            ),
            ParkReason::Budget { spent, budget } => {
                let (spent, budget) = usd_of_limit(*spent, *budget);
                format!("it has used {spent} of its {budget} budget")
            }
        }
    }
}
