//! What was decided about the end of a gate, and why.

use serde::Serialize;

/// What does not happen while a condition does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stops {
    /// The gate is closed by a session: one was asked for, or no record shows what was left.
    MechanicalClose,
    /// The gate is closed from its records, and waits for you.
    Gate,
}

/// One condition of the predicate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Condition {
    /// Its name in the log, which never changes.
    pub name: &'static str,
    /// What it stops where it does not hold.
    pub(crate) stops: Stops,
    /// The one thing to do about it, where it does not hold.
    pub remedy: Option<&'static str>,
    /// Whether the gate meets it.
    pub holds: bool,
    /// What was found, for the log and the user.
    pub detail: String,
}

/// What the predicate says of a gate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// The [version](super::auto_close::VERSION) of the predicate that decided.
    pub(crate) version: u32,
    /// Whether the gate's closing unit needs no session.
    pub(crate) mechanical: bool,
    /// Whether the gate may pass without you, too.
    pub(crate) clean: bool,
    /// Every condition, in order.
    pub conditions: Vec<Condition>,
}
