//! Who hears of a session that runs elsewhere.

use super::contact_messages::{LeftTree, SessionEnded};
use super::engine_end::EngineWord;
use super::lost_contact::Lost;
use crate::process::Flow;
use gatewalk_core::error::Result;
use std::time::Duration;

/// Hears a session that runs elsewhere.
pub(crate) trait SessionListener {
    /// Takes a line of its standard output.
    fn line(&mut self, line: &[u8], truncated: bool) -> Flow;
    /// Takes a sign of life that is no output.
    fn sign(&mut self);
    /// Takes that it runs now, after so long a wait.
    fn begun(&mut self, waited: Duration);
    /// Called about twice a second once it runs, with the time since.
    fn tick(&mut self, elapsed: Duration) -> Flow;
    /// Takes what a user should know.
    fn note(&mut self, text: &str);
    /// Takes what it left, whose objects are here; returns once that is safe.
    fn left(&mut self, left: &LeftTree) -> Result<()>;
}

/// What came of a session elsewhere.
#[derive(Debug, Default)]
pub(crate) struct FarRun {
    /// How its process ended, if that is known.
    pub(crate) ended: Option<SessionEnded>,
    /// Why it is not.
    pub(crate) lost: Option<Lost>,
    /// What its engine said about ending it.
    pub(crate) engine: Option<EngineWord>,
    /// How long it waited before it ran.
    pub(crate) waited: Duration,
    /// How long it was heard of from then on.
    pub(crate) ran: Duration,
}
