//! What a run writes down beside the repository's history.

use super::SlotId;
use crate::error::Result;
use crate::object_id::ObjectId;

/// What the driver wrote down before it started a session in a slot.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct InFlight {
    /// Which slot, by its kind and number.
    pub slot: SlotId,
    /// Full id of the unit.
    pub unit: String,
    /// The attempt's number over the unit's life.
    pub number: u32,
    /// The commit it started from.
    pub(crate) base: ObjectId,
    /// What was in the slot when the session started.
    pub tree: ObjectId,
    /// Its name, as the plan or the user writes it.
    pub agent: String,
    /// When it started: RFC 3339, in UTC.
    pub started_at: String,
    /// The runner it runs on, if not this machine: then nothing of it is in the slot here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
}

/// The runtime state of a repository on this machine.
pub trait RunNotes: Sync {
    /// Writes down that a session is about to run in a slot.
    fn note_in_flight(&self, note: &InFlight) -> Result<()>;
    /// Returns the sessions that were running when the last driver ended.
    fn in_flight(&self) -> Result<Vec<InFlight>>;
    /// Removes the note of a session whose tree is pinned.
    fn clear_in_flight(&self, slot: SlotId) -> Result<()>;
    /// Returns the exit code a command had on a tree before.
    fn cached_result(&self, key: &str) -> Option<i32>;
    /// Caches the exit code of a command on a tree. Losing it costs time only.
    fn cache_result(&self, key: &str, exit: i32);
    /// Keeps a text beside the log of an attempt, of a unit and a number. Losing it costs nothing but the text.
    fn keep_log(&self, attempt: (&str, u32), name: &str, text: &str);
    /// Returns a random name for an attempt.
    fn attempt_id(&self) -> String;
}
