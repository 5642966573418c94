//! What is known of an attempt. It is kept as the message of the commit that pins the attempt's
//! tree at `refs/gatewalk/attempts/<unit>/<n>`, so that deleting the runtime directory loses nothing.

mod command_result;
mod judgement;
pub mod witness_report;

pub use self::command_result::CommandResult;
pub(crate) use self::command_result::WITH_BASE_TESTS;
pub use self::judgement::Judgement;
pub(crate) use self::judgement::{AttemptVerdict, WorkRefusal};
use crate::agents::prices::Estimate;
use crate::agents::{ResultBlock, SessionClass};
use crate::model::recorded_word::RecordedWord;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The format of the record; readers refuse newer ones.
pub(crate) const FORMAT: u32 = 1;

/// With what an attempt's work does not fit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collision {
    /// The paths that both changed in the same places.
    pub(crate) paths: Vec<String>,
    /// The units whose landed work changed them too; empty where that is not known, such as for a commit of the user's.
    pub(crate) units: Vec<String>,
}

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
    /// Where a figure of it comes from. Nothing odd either: some programs never say what they cost.
    Figure(String),
    /// Anything else: processes it left behind, a log cut short, odd files.
    Odd(String),
}

impl SessionNote {
    /// Returns what it says.
    pub fn text(&self) -> &str {
        match self {
            SessionNote::ResultBlock(text) | SessionNote::Figure(text) | SessionNote::Odd(text) => {
                text
            }
        }
    }
}

impl From<String> for SessionNote {
    fn from(text: String) -> Self {
        if ResultBlock::is_note(&text) {
            SessionNote::ResultBlock(text)
        } else if Estimate::is_note(&text) {
            SessionNote::Figure(text)
        } else {
            SessionNote::Odd(text)
        }
    }
}

impl From<SessionNote> for String {
    fn from(note: SessionNote) -> String {
        match note {
            SessionNote::ResultBlock(text) | SessionNote::Figure(text) | SessionNote::Odd(text) => {
                text
            }
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
    /// Tokens that the model wrote.
    pub output_tokens: Option<u64>,
    /// Tokens read from the cache.
    pub cache_read_input_tokens: Option<u64>,
    /// Tokens written to the cache.
    pub cache_creation_input_tokens: Option<u64>,
}

/// Charged attempts by unit, in order; shared, for every look at them is a copy.
pub(crate) type ChargedAttempts = BTreeMap<Arc<str>, Arc<Vec<AttemptRecord>>>;

/// What is kept of an attempt: who worked, on what, and how it was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// The format of the record; readers refuse newer ones.
    pub(crate) format: u32,
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
    pub(crate) armed: Option<String>,
    /// The commit it started from.
    pub base: ObjectId,
    /// The tree of what the session left.
    pub tree: ObjectId,
    /// Whether the slot's history still descended from the base.
    pub(crate) history_ok: bool,
    /// Its name, as the plan or the user writes it.
    pub agent: String,
    /// The model, when named.
    pub model: Option<String>,
    /// The effort, when named.
    pub(crate) effort: Option<String>,
    /// What confined it: `bubblewrap`, `landlock` or `none`; empty where that is not known.
    #[serde(default)]
    pub(crate) isolation: String,
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
    pub(crate) by_hand: bool,
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
    pub(crate) fn passed(&self) -> bool {
        self.judgement.as_ref().is_some_and(|j| j.passed())
    }
}
