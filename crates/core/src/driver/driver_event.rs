//! What the driver tells whoever watches: one value a happening, rendered elsewhere.

use crate::agents::SessionClass;
use crate::engine::failure_class::{CommandVerdict, FailureClass};
use crate::model::recorded_word::RecordedWord;
use crate::object_id::ObjectId;
use serde::Serialize;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum DriverEvent {
    /// The walk begins.
    Started {
        /// The feature.
        feature: String,
        /// Its branch.
        branch: String,
        /// The tip it starts from.
        tip: ObjectId,
    },
    /// Something an earlier run left was put in order.
    Recovered {
        /// What.
        what: String,
    },
    /// A unit's oracle is tried on the base.
    BaseCheck {
        /// The unit.
        unit: String,
    },
    /// The commands of the broad tier run on the tip.
    BroadCheck {
        /// The feature.
        feature: String,
        /// The gate's number.
        gate: u32,
    },
    /// A session starts.
    Dispatched {
        /// The unit.
        unit: String,
        /// Which attempt since it was armed.
        attempt: u32,
        /// The most it gets.
        of: u32,
        /// The agent.
        agent: String,
        /// The model, when named.
        model: Option<String>,
    },
    /// What a session is doing now.
    Doing {
        /// The unit.
        unit: String,
        /// The tool and what it works on; empty while the model thinks.
        what: String,
        /// Since it was started.
        seconds: f64,
        /// US dollars so far, when known.
        cost_usd: Option<f64>,
        /// Tokens written so far, when known.
        output_tokens: Option<u64>,
    },
    /// A session has not given a sign for a while.
    Silent {
        /// The unit.
        unit: String,
        /// For how long.
        seconds: f64,
        /// When it is ended if it stays so.
        limit_seconds: f64,
        /// What it was doing.
        what: String,
    },
    /// A session ended.
    SessionEnded {
        /// The unit.
        unit: String,
        /// What it came to.
        class: RecordedWord<SessionClass>,
        /// Wall clock.
        seconds: f64,
        /// US dollars, when known.
        cost_usd: Option<f64>,
        /// Tokens written, when known.
        output_tokens: Option<u64>,
        /// Anything a user should know.
        notes: Vec<String>,
    },
    /// A command of the oracle ended.
    Command {
        /// The unit.
        unit: String,
        /// Its name.
        name: String,
        /// What it came to.
        verdict: RecordedWord<CommandVerdict>,
        /// Wall clock.
        seconds: f64,
    },
    /// An attempt did not pass.
    Failed {
        /// The unit.
        unit: String,
        /// Which attempt.
        attempt: u32,
        /// What it did not pass by.
        class: RecordedWord<FailureClass>,
        /// Its first line.
        why: String,
        /// Where the rejected work is.
        kept_at: String,
    },
    /// A unit landed.
    Landed {
        /// The unit.
        unit: String,
        /// The commit.
        commit: ObjectId,
        /// Paths that kept the user's version.
        kept: Vec<String>,
        /// Anything a user should see at the gate.
        notices: Vec<String>,
    },
    /// A unit waits for a user.
    Parked {
        /// The unit.
        unit: String,
        /// Why, as a sentence.
        why: String,
    },
    /// A closing unit was closed without a session.
    AutoClosed {
        /// The unit.
        unit: String,
    },
    /// A gate was reached, or the feature finished.
    Gate {
        /// The feature.
        feature: String,
        /// Its number.
        gate: u32,
        /// `awaiting_review` or `passed`.
        status: String,
    },
    /// Most of a budget is used; the run goes on.
    BudgetNear {
        /// The feature.
        feature: String,
        /// Whose budget: `gate 1`, `the feature`.
        whose: String,
        /// US dollars so far.
        spent_usd: f64,
        /// US dollars allowed.
        budget_usd: f64,
    },
    /// The driver waits for an agent.
    Waiting {
        /// RFC 3339, UTC.
        until: String,
        /// What for.
        why: String,
    },
    /// Lines of a unit's work are taken back, to see whether a check misses them.
    Witness {
        /// The unit.
        unit: String,
        /// How often something was taken back so far.
        asked: u32,
        /// What waits to be taken back.
        left: u32,
        /// Places that nobody missed so far.
        unwitnessed: u32,
    },
    /// Anything else worth a line.
    Note {
        /// The line.
        text: String,
    },
}

/// Whoever watches. Reporting never fails and never blocks for long.
pub trait Watcher: Sync {
    /// Takes one event.
    fn report(&self, event: &DriverEvent);

    /// Returns whether running sessions should be reported anew every second, for a view that moves.
    fn is_live(&self) -> bool {
        false
    }
}
