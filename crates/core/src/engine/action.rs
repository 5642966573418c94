//! Everything the driver can do, and every reason to stop.

use super::broad_report::BroadReport;
use super::close_decision::Decision;
use super::coverage::Gap;
use super::park_reason::ParkReason;
use super::red_command::RedCommand;
use serde::Serialize;
use std::fmt;

/// One thing to do. Each is performed at most once for the same snapshot.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Flip a planned feature to `active`.
    Activate,
    /// Run a unit's oracle on the base, before a session is spent.
    CheckBase {
        /// Full id of the unit.
        unit: String,
    },
    /// Start a fresh session and capture what it leaves.
    Dispatch {
        /// Full id of the unit.
        unit: String,
        /// The attempt's number over the unit's life.
        number: u32,
        /// Which of the unit's attempts since it was armed this is, from 1.
        nth: u32,
        /// Index in the unit's agent chain.
        agent: usize,
    },
    /// Guards, then the oracle, on what an attempt left.
    Judge {
        /// Full id of the unit.
        unit: String,
        /// The attempt's number over the unit's life.
        number: u32,
    },
    /// Land a passed attempt.
    Land {
        /// Full id of the unit.
        unit: String,
        /// The attempt's number over the unit's life.
        number: u32,
    },
    /// Park a unit for a user.
    Park {
        /// Full id of the unit.
        unit: String,
        /// Why it is set aside, for the record and the user.
        reason: ParkReason,
    },
    /// Close a closing unit without a session.
    AutoClose {
        /// Full id of the unit.
        unit: String,
        /// Every condition that was looked at, and what was found.
        decision: Decision,
    },
    /// Run the requirements' checks that were not asked on the tip yet: the end depends on them.
    AskRequirements,
    /// Run the broad tier on the tip, before the gate goes on to its end.
    CheckBroad {
        /// Index in the plan.
        gate: usize,
    },
    /// Every unit is settled: flip the gate.
    CloseGate {
        /// Index in the plan.
        gate: usize,
        /// Whether a user must look, or the feature is finished.
        finish: bool,
    },
    /// Wait until an agent can work again.
    Wait {
        /// When it ends, in UTC.
        until: jiff::Timestamp,
        /// What is waited for, for the user to read.
        why: String,
    },
}

impl Action {
    /// Returns the word that names the kind of action, as `--json` has it.
    pub fn word(&self) -> &'static str {
        match self {
            Action::Activate => "activate",
            Action::CheckBase { .. } => "check_base",
            Action::Dispatch { .. } => "dispatch",
            Action::Judge { .. } => "judge",
            Action::Land { .. } => "land",
            Action::Park { .. } => "park",
            Action::AutoClose { .. } => "auto_close",
            Action::AskRequirements => "ask_requirements",
            Action::CheckBroad { .. } => "check_broad",
            Action::CloseGate { .. } => "close_gate",
            Action::Wait { .. } => "wait",
        }
    }

    /// Returns the unit an action works on.
    pub fn unit(&self) -> Option<&str> {
        match self {
            Action::CheckBase { unit }
            | Action::Dispatch { unit, .. }
            | Action::Judge { unit, .. }
            | Action::Land { unit, .. }
            | Action::Park { unit, .. }
            | Action::AutoClose { unit, .. } => Some(unit),
            _ => None,
        }
    }

    /// Returns true for the actions that occupy a slot for long; the others are done at once.
    pub(crate) fn needs_slot(&self) -> bool {
        matches!(
            self,
            Action::CheckBase { .. } | Action::Dispatch { .. } | Action::Judge { .. }
        )
    }

    /// Returns true for the actions that run commands, which takes a slot.
    pub(crate) fn runs_commands(&self) -> bool {
        self.needs_slot() || self.is_exclusive()
    }

    /// Returns true for the actions that run commands on the tip, while nothing else of their feature may move.
    pub(crate) fn is_exclusive(&self) -> bool {
        matches!(
            self,
            Action::AskRequirements | Action::CheckBroad { .. } | Action::CloseGate { .. }
        )
    }
}

/// What a budget is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetScope {
    /// The gate with this number.
    Gate(u32),
    /// The feature, over its life.
    Feature,
    /// What one run may spend on all of its features.
    Run,
}

impl fmt::Display for BudgetScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BudgetScope::Gate(number) => write!(f, "gate {number}"),
            BudgetScope::Feature => f.write_str("the feature"),
            BudgetScope::Run => f.write_str("this run"),
        }
    }
}

impl Serialize for BudgetScope {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Why the run ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// The feature is done.
    FeatureDone,
    /// A user reviews the gate and arms the next one.
    AtGate {
        /// The gate's number in the plan, which counts from 1.
        gate: u32,
        /// Drafts that wait to be armed.
        drafts: Vec<String>,
        /// Requirements that nothing shows, at the terminal gate.
        uncovered: Vec<Gap>,
    },
    /// Units need a user.
    NeedsHuman {
        /// Units that are parked, by full id.
        blocked: Vec<String>,
        /// Units only a user can do.
        human: Vec<String>,
        /// Units whose oracle is red on the base, each with what is red.
        red_base: Vec<(String, Vec<RedCommand>)>,
    },
    /// The broad tier did not pass on the tip.
    RedTip {
        /// The gate's number in the plan, which counts from 1.
        gate: u32,
        /// What did not pass, and what it said.
        report: BroadReport,
    },
    /// A budget is used up.
    Budget {
        /// Whose: `gate 1`, `feature`.
        whose: BudgetScope,
        /// US dollars so far.
        spent: f64,
        /// What may be spent, in US dollars.
        budget: f64,
    },
    /// No agent can work: missing, not logged in, out of quota.
    NoAgent {
        /// The unit that wanted one.
        unit: String,
        /// What happened last, for the user to read.
        why: String,
        /// Whether another agent may fare better: this one did not end for a reason of the project that it printed.
        replaceable: bool,
        /// The runner that lost its last session, where that is why.
        runner: Option<String>,
    },
    /// Nothing can move although not all is done.
    Stuck(Vec<String>),
    /// The plan is `supervised`, and units landed in this run: a user looks at them before anything else starts.
    Supervised {
        /// What landed, in order.
        landed: Vec<String>,
    },
    /// The feature is not one that may be walked.
    NotWalkable(String),
}

/// What the driver does next, as `step` decides it.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub enum Step {
    /// Start these now; more may follow when one ends.
    Do(Vec<Action>),
    /// Everything that can run is running.
    Busy,
    /// The run ends, and this is why.
    Stop(Stop),
}
