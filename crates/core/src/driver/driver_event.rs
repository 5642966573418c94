//! What the driver tells whoever watches: one value a happening, rendered elsewhere.

use crate::agents::SessionClass;
use crate::engine::action::BudgetScope;
use crate::engine::failure_class::{CommandVerdict, FailureClass};
use crate::model::recorded_word::RecordedWord;
use crate::object_id::ObjectId;
use serde::Serialize;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum DriverEvent {
    /// A run of a feature has begun.
    Started {
        /// Full id of the feature.
        feature: String,
        /// The feature's branch, without `refs/heads/`.
        branch: String,
        /// The tip it starts from.
        tip: ObjectId,
    },
    /// Something an earlier run left was put in order.
    Recovered {
        /// What was put in order, for the user to read.
        what: String,
    },
    /// A unit's oracle is tried on the base.
    BaseCheck {
        /// Full id of the unit.
        unit: String,
    },
    /// A command was tried on the base, and took its time.
    BaseCommand {
        /// Full id of the unit.
        unit: String,
        /// What the command is called.
        name: String,
        /// How long it took.
        seconds: f64,
    },
    /// A command has run for a while and is not over.
    CommandRunning {
        /// Full id of the unit; empty for the set-up of a slot.
        unit: String,
        /// What the command is called.
        name: String,
        /// Since it was started.
        seconds: f64,
        /// What it usually took before, when the log has it.
        usual_seconds: Option<f64>,
        /// When it is ended if it is not over.
        limit_seconds: f64,
    },
    /// The commands of the broad tier run on the tip.
    BroadCheck {
        /// Full id of the feature.
        feature: String,
        /// The gate's number in the plan, which counts from 1.
        gate: u32,
    },
    /// A session is about to start in a slot.
    Dispatched {
        /// Full id of the unit.
        unit: String,
        /// Which attempt since it was armed.
        attempt: u32,
        /// The most it gets.
        of: u32,
        /// Its name, as the plan or the user writes it.
        agent: String,
        /// The model, when named.
        model: Option<String>,
        /// The runner it goes to, if not the user's machine.
        #[serde(skip_serializing_if = "Option::is_none")]
        runner: Option<String>,
    },
    /// What a session is doing now.
    Doing {
        /// Full id of the unit.
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
        /// Full id of the unit.
        unit: String,
        /// How long nothing was heard of it.
        seconds: f64,
        /// When it is ended if it stays so.
        limit_seconds: f64,
        /// What it was doing.
        what: String,
    },
    /// A session ended, and what it left is not judged yet.
    SessionEnded {
        /// Full id of the unit.
        unit: String,
        /// What it came to.
        class: RecordedWord<SessionClass>,
        /// Wall-clock time from start to end.
        seconds: f64,
        /// The runner it ran on, if not the user's machine.
        #[serde(skip_serializing_if = "Option::is_none")]
        runner: Option<String>,
        /// How long it waited there before it ran.
        #[serde(skip_serializing_if = "Option::is_none")]
        queued_seconds: Option<f64>,
        /// US dollars, when known.
        cost_usd: Option<f64>,
        /// Tokens written, when known.
        output_tokens: Option<u64>,
        /// Anything a user should know.
        notes: Vec<String>,
    },
    /// A command of the oracle ended.
    Command {
        /// Full id of the unit.
        unit: String,
        /// Its own name, without that of its set.
        name: String,
        /// What it came to.
        verdict: RecordedWord<CommandVerdict>,
        /// Wall-clock time from start to end.
        seconds: f64,
    },
    /// An attempt did not pass.
    Failed {
        /// Full id of the unit.
        unit: String,
        /// The attempt's number over the unit's life.
        attempt: u32,
        /// What it did not pass by.
        class: RecordedWord<FailureClass>,
        /// The first line of what failed.
        why: String,
        /// Where the rejected work is.
        kept_at: String,
    },
    /// A unit is done: its work is on the branch.
    Landed {
        /// Full id of the unit.
        unit: String,
        /// The commit that landed it.
        commit: ObjectId,
        /// Paths that kept the user's version.
        kept: Vec<String>,
        /// Anything a user should see at the gate.
        notices: Vec<String>,
    },
    /// A unit waits for a user.
    Parked {
        /// Full id of the unit.
        unit: String,
        /// Why, as a sentence.
        why: String,
    },
    /// A closing unit was closed without a session.
    AutoClosed {
        /// Full id of the unit.
        unit: String,
    },
    /// A gate was reached, or the feature finished.
    Gate {
        /// Full id of the feature.
        feature: String,
        /// The gate's number in the plan, which counts from 1.
        gate: u32,
        /// What the gate came to: `awaiting_review` or `passed`.
        status: String,
    },
    /// Most of a budget is used; the run goes on.
    BudgetNear {
        /// Full id of the feature.
        feature: String,
        /// What it is for: `gate 1`, `the feature`, `this run`.
        whose: BudgetScope,
        /// US dollars so far.
        spent_usd: f64,
        /// What may be spent, in US dollars.
        budget_usd: f64,
    },
    /// Two units that were worked side by side changed the same places: the later one will start again.
    Collision {
        /// Full id of the unit whose session ended now.
        unit: String,
        /// Full id of the one whose work is there already.
        with: String,
        /// Paths that both units changed in the same place.
        paths: Vec<String>,
    },
    /// The driver waits for an agent.
    Waiting {
        /// When it ends, in UTC.
        until: String,
        /// What is waited for, for the user to read.
        why: String,
    },
    /// Lines of a unit's work are taken back, to see whether a check misses them.
    Witness {
        /// Full id of the unit.
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
        /// One line, for the user to read.
        text: String,
    },
}

/// Whoever watches. Reporting never fails and never blocks for long.
pub trait Watcher: Sync {
    /// Takes one event, at once and from any thread.
    fn report(&self, event: &DriverEvent);

    /// Returns whether running sessions should be reported anew every second, for a view that moves.
    fn is_live(&self) -> bool {
        false
    }
}
