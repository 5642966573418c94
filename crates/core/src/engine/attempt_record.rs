//! What is known of an attempt. It is kept as the message of the commit that pins the attempt's
//! tree at `refs/gatewalk/attempts/<unit>/<n>`, so that deleting the runtime directory loses nothing.

use super::collision::Collision;
use super::failure_class::{CommandVerdict, FailureClass};
use super::plan_revision::PlanRevision;
use super::secrets;
use super::witness::witness_record::WitnessReport;
use crate::agents::{ResultBlock, SessionClass};
use crate::model::recorded_word::RecordedWord;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The format of the record; readers refuse newer ones.
pub(crate) const FORMAT: u32 = 1;

/// How a session ended, in the words of the event log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionEnd {
    /// What it came to.
    pub class: RecordedWord<SessionClass>,
    /// Why it says it is blocked.
    pub blocked_reason: Option<String>,
    /// What it says it did; advice only.
    pub summary: Option<String>,
    /// What it said at its end in place of a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_words: Option<String>,
    /// How it says each criterion was checked; advice only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<String>,
    /// What it leaves to others; advice only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follow_ups: Vec<String>,
    /// Paths outside the unit's `touches` that it asks for; a user grants them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub widen_touches: Vec<String>,
    /// Anything a user should know of it.
    pub notes: Vec<SessionNote>,
}

impl SessionEnd {
    /// Returns the end of a session that reported nothing.
    pub(crate) fn without_report(class: SessionClass) -> SessionEnd {
        SessionEnd {
            class: class.into(),
            blocked_reason: None,
            summary: None,
            last_words: None,
            criteria: vec![],
            follow_ups: vec![],
            widen_touches: vec![],
            notes: vec![],
        }
    }
}

/// Something a user should know of a session; its text in the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum SessionNote {
    /// Its result block is missing or malformed. Nothing odd: a plain program prints none.
    ResultBlock(String),
    /// Anything else: processes it left behind, a log cut short, odd files.
    Odd(String),
}

impl SessionNote {
    /// Returns what it says.
    pub fn text(&self) -> &str {
        match self {
            SessionNote::ResultBlock(text) | SessionNote::Odd(text) => text,
        }
    }
}

impl From<String> for SessionNote {
    fn from(text: String) -> Self {
        match ResultBlock::is_note(&text) {
            true => SessionNote::ResultBlock(text),
            false => SessionNote::Odd(text),
        }
    }
}

impl From<SessionNote> for String {
    fn from(note: SessionNote) -> String {
        match note {
            SessionNote::ResultBlock(text) | SessionNote::Odd(text) => text,
        }
    }
}

/// Figures of a session; unknown is null, never zero.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionFigures {
    /// Seconds of wall clock.
    pub duration_seconds: f64,
    /// In US dollars; none where nobody said it.
    pub cost_usd: Option<f64>,
    /// Whether the cost is by a list of prices, not by the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cost_estimated: bool,
    /// Tokens read, without the cached ones.
    pub input_tokens: Option<u64>,
    /// Tokens written.
    pub output_tokens: Option<u64>,
    /// Tokens read from the cache.
    pub cache_read_input_tokens: Option<u64>,
    /// Tokens written to the cache.
    pub cache_creation_input_tokens: Option<u64>,
}

/// What stands behind the name of a command that ran without the attempt's own tests.
pub(crate) const WITH_BASE_TESTS: &str = " (base's tests)";

/// What one oracle command said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommandResult {
    /// Its name in its set.
    pub name: String,
    /// The set, or `feature_oracle`, or `check`.
    pub source: String,
    /// What `sh -c` was given.
    pub command: String,
    /// Its exit code; none when it was ended.
    pub exit: Option<i32>,
    /// Seconds of wall clock.
    pub seconds: f64,
    /// What it came to.
    pub verdict: RecordedWord<CommandVerdict>,
    /// Why, when it is not plain.
    pub note: Option<String>,
    /// Its cases that fail as they do on the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inherited: Vec<String>,
    /// The only cases that were allowed to, where there is such a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_failures: Option<Vec<String>>,
}

impl CommandResult {
    /// Returns whether it is the result of the command of this name, also where that ran with the base's tests.
    pub(crate) fn is_of(&self, name: &str) -> bool {
        let rest = self.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest == WITH_BASE_TESTS)
    }

    /// Returns whether it counts as passed.
    pub fn passed(&self) -> bool {
        matches!(
            self.verdict.known(),
            Some(CommandVerdict::Pass | CommandVerdict::Flaky | CommandVerdict::Reused)
        )
    }
}

/// What the driver found after the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Whether the work may land.
    pub passed: bool,
    /// What it did not pass by.
    pub failure_class: Option<RecordedWord<FailureClass>>,
    /// The failure made comparable.
    pub(crate) failure_signature: Option<String>,
    /// What to show of it.
    pub failure_excerpt: Option<String>,
    /// What the next session is shown.
    pub evidence: Option<String>,
    /// Every command that ran.
    pub commands: Vec<CommandResult>,
    /// Paths the attempt changed.
    pub files_touched: Vec<String>,
    /// What a user should see at the gate although it passed.
    pub notices: Vec<String>,
    /// Those of them about the work and its judging: they hold the gate until the user accepts them.
    #[serde(default)]
    pub unusual: Vec<String>,
    /// Tests that only joined, without a declaration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) joined: Vec<String>,
    /// What judges and changed as the unit declares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared: Vec<String>,
    /// Those of them about what a planner did to what had been planned before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub revisions: Vec<PlanRevision>,
    /// What no check sees, where the project requires that this is known before a landing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<WitnessReport>,
    /// The runner that its commands ran on, if not the user's machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_on: Option<String>,
    /// Hash of the oracle that judged.
    pub oracle: String,
    /// Stands for the product's files that the commands ran on; absent where none ran, and in older records.
    #[serde(default)]
    pub product_tree: Option<String>,
    /// The tree that was judged: the captured one, with the agent's edits of plan files put back.
    pub tree: ObjectId,
    /// The commit the judged tree stands on.
    pub base: ObjectId,
    /// The tree it was compared with, where work was ahead of it that had not landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) onto: Option<ObjectId>,
    /// When it was judged.
    pub at: String,
}

impl Judgement {
    /// Returns the judgement of work that nothing was asked about yet.
    pub(crate) fn unproven(tree: ObjectId, base: ObjectId, oracle: String) -> Judgement {
        Judgement {
            passed: false,
            failure_class: None,
            failure_signature: None,
            failure_excerpt: None,
            evidence: None,
            commands: vec![],
            files_touched: vec![],
            notices: vec![],
            unusual: vec![],
            joined: vec![],
            declared: vec![],
            revisions: vec![],
            witness: None,
            judged_on: None,
            oracle,
            product_tree: None,
            tree,
            base,
            onto: None,
            at: String::new(),
        }
    }

    /// Takes what looks like a secret out of what is kept.
    pub(crate) fn redact(&mut self) {
        let kept = [&mut self.evidence, &mut self.failure_excerpt];
        for text in kept.into_iter().flatten() {
            *text = secrets::redact(text);
        }
    }
}

/// Charged attempts by unit, in order; shared, for every look at them is a copy.
pub type ChargedAttempts = BTreeMap<String, Arc<Vec<AttemptRecord>>>;

/// What is kept of an attempt: who worked, on what, and how it was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// The format of the record; readers refuse newer ones.
    pub format: u32,
    /// Full id of the unit.
    pub unit: String,
    /// Its number over the unit's life, from 1.
    pub number: u32,
    /// Unique name, also in the trailers.
    pub attempt_id: String,
    /// How often the unit had been unblocked when it started.
    pub(crate) re_arm: u32,
    /// What its unit was armed as when it started; empty where it was never armed, absent in older records.
    #[serde(default)]
    pub armed: Option<String>,
    /// The commit it started from.
    pub base: ObjectId,
    /// The tree of what the session left.
    pub tree: ObjectId,
    /// Whether the slot's history still descended from the base.
    pub history_ok: bool,
    /// Its name, as the plan or the user writes it.
    pub agent: String,
    /// The model, when named.
    pub model: Option<String>,
    /// The effort, when named.
    pub effort: Option<String>,
    /// What confined it: `bubblewrap`, `landlock` or `none`; empty where that is not known.
    #[serde(default)]
    pub isolation: String,
    /// The runner its session ran on, if not the user's machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    /// How long it waited there before it ran, in seconds: no part of its own time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queued_seconds: Option<f64>,
    /// When it started: RFC 3339, in UTC.
    pub started_at: String,
    /// What it took, in time, tokens and money.
    pub figures: SessionFigures,
    /// How the session ended.
    pub session: SessionEnd,
    /// What the driver found; none until it looked.
    pub judgement: Option<Judgement>,
    /// Whether it is a user's own work: it costs nothing and counts as no attempt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// With what its work does not fit, where that set it aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) collision: Option<Collision>,
}

/// The name of who did what no session did, in records and trailers.
pub(crate) const BY_HAND: &str = "human";

impl AttemptRecord {
    /// Returns the record of a user's own work on a unit: not judged, and without a number.
    pub(crate) fn by_hand(
        (id, unit): (&str, &Unit),
        (base, tree): (ObjectId, ObjectId),
        (attempt_id, now): (String, String),
    ) -> AttemptRecord {
        AttemptRecord {
            format: FORMAT,
            unit: id.to_owned(),
            number: 0,
            attempt_id,
            re_arm: unit.re_arm_count(),
            armed: Some(unit.armed().to_owned()),
            base,
            tree,
            history_ok: true,
            agent: BY_HAND.to_owned(),
            model: None,
            effort: None,
            isolation: String::new(),
            runner: None,
            queued_seconds: None,
            started_at: now,
            figures: SessionFigures {
                cost_usd: Some(0.0),
                ..SessionFigures::default()
            },
            session: SessionEnd::without_report(SessionClass::Worked),
            judgement: None,
            by_hand: true,
            collision: None,
        }
    }

    /// Returns the record as the body of a commit message.
    pub(crate) fn to_message(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("plain data");
        format!(
            "gatewalk attempt {} of {}\n\n{json}\n",
            self.number, self.unit
        )
    }

    /// Reads the record from a commit message.
    pub fn from_message(message: &str) -> Option<AttemptRecord> {
        let json = &message[message.find("\n{")? + 1..];
        let record: AttemptRecord = serde_json::from_str(json).ok()?;
        (record.format <= FORMAT).then_some(record)
    }

    /// Returns whether it was made since a unit was armed last: an attempt belongs to what was armed.
    pub(crate) fn belongs_to(&self, unit: &Unit) -> bool {
        let armed = self.armed.as_deref();
        self.re_arm == unit.re_arm_count() && armed.is_none_or(|armed| armed == unit.armed())
    }

    /// Returns true when the driver looked and found the work good.
    pub fn passed(&self) -> bool {
        self.judgement.as_ref().is_some_and(|j| j.passed)
    }
}
