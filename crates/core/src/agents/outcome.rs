//! How a session ended, and what that means.
//!
//! Structured signals decide: exit status first, typed errors second. Words in the transcript never
//! do: an agent that works on a rate limiter writes about rate limits.

use super::reset::Reset;
use crate::model::status_machine::words;
use std::fmt;

/// How the process ended, as the driver saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessExit {
    /// By itself, with this status.
    Code(i32),
    /// By a signal that the driver did not send.
    Signal(i32),
    /// Stopped: it ran longer than the unit's `timeout`.
    WallLimit,
    /// Stopped: no sign of life for the unit's `idle_timeout`.
    IdleLimit,
    /// Stopped: its budget was used up.
    Budget,
    /// Stopped: the user or the system asked the driver to stop.
    Cancelled,
    /// Never started: no such program.
    Missing,
}

/// What a session's end means for the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It ended its work; the oracle decides whether the work is good.
    Worked,
    /// It says that it cannot go on, and why.
    Blocked(String),
    /// It ended without the model having produced a token.
    Empty,
    /// Stopped at the wall limit.
    TimedOut,
    /// Stopped: no sign of life for the idle timeout.
    Idle,
    /// A usage limit that ends by itself.
    Limit {
        /// When, if the program says so.
        reset: Option<Reset>,
    },
    /// No credit left: a user must act.
    Quota,
    /// Not logged in, or not allowed.
    Auth,
    /// The model's server is busy or broken.
    Overloaded,
    /// The model's server cannot be reached.
    Network,
    /// The program is not there.
    Missing,
    /// It died without an explanation.
    Crashed,
    /// It said something that is not understood, or refused the request as malformed.
    Protocol,
    /// Its budget is used up.
    Budget,
    /// The driver was asked to stop.
    Cancelled,
    /// The runner it was on was lost, did not start it, or could not hand over what it left.
    RunnerLost,
}

/// What a session came to, in one word: for records, logs and events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionClass {
    /// It ended its work.
    Worked,
    /// It says that it cannot go on.
    Blocked,
    /// The model produced nothing.
    Empty,
    /// Stopped at the wall limit.
    TimedOut,
    /// Stopped: no sign of life for the idle timeout.
    Idle,
    /// A usage limit that ends by itself.
    Limit,
    /// The account has no credit left.
    Quota,
    /// Not logged in, or not allowed.
    Auth,
    /// The model's server is busy or broken.
    Overloaded,
    /// The model's server cannot be reached.
    Network,
    /// The program is not there.
    Missing,
    /// It died without an explanation.
    Crashed,
    /// It was not understood.
    Protocol,
    /// Its budget is used up.
    Budget,
    /// The driver was asked to stop.
    Cancelled,
    /// Its runner was lost.
    RunnerLost,
    /// The driver died under it.
    Interrupted,
}

words!(SessionClass {
    "worked" => SessionClass::Worked,
    "blocked" => SessionClass::Blocked,
    "empty" => SessionClass::Empty,
    "timed_out" => SessionClass::TimedOut,
    "idle" => SessionClass::Idle,
    "limit" => SessionClass::Limit,
    "quota" => SessionClass::Quota,
    "auth" => SessionClass::Auth,
    "overloaded" => SessionClass::Overloaded,
    "network" => SessionClass::Network,
    "missing" => SessionClass::Missing,
    "crashed" => SessionClass::Crashed,
    "protocol" => SessionClass::Protocol,
    "budget" => SessionClass::Budget,
    "cancelled" => SessionClass::Cancelled,
    "runner_lost" => SessionClass::RunnerLost,
    "interrupted" => SessionClass::Interrupted,
});

impl Outcome {
    /// Returns what it came to, without the details.
    pub(crate) fn class(&self) -> SessionClass {
        match self {
            Outcome::Worked => SessionClass::Worked,
            Outcome::Blocked(_) => SessionClass::Blocked,
            Outcome::Empty => SessionClass::Empty,
            Outcome::TimedOut => SessionClass::TimedOut,
            Outcome::Idle => SessionClass::Idle,
            Outcome::Limit { .. } => SessionClass::Limit,
            Outcome::Quota => SessionClass::Quota,
            Outcome::Auth => SessionClass::Auth,
            Outcome::Overloaded => SessionClass::Overloaded,
            Outcome::Network => SessionClass::Network,
            Outcome::Missing => SessionClass::Missing,
            Outcome::Crashed => SessionClass::Crashed,
            Outcome::Protocol => SessionClass::Protocol,
            Outcome::Budget => SessionClass::Budget,
            Outcome::Cancelled => SessionClass::Cancelled,
            Outcome::RunnerLost => SessionClass::RunnerLost,
        }
    }

    /// Returns whether the machine, the account or the program failed rather than the work: such an
    /// end costs no attempt.
    pub fn is_infra(&self) -> bool {
        match self {
            Outcome::Worked
            | Outcome::Blocked(_)
            | Outcome::TimedOut
            | Outcome::Idle
            | Outcome::Budget => false,
            Outcome::Empty
            | Outcome::Limit { .. }
            | Outcome::Quota
            | Outcome::Auth
            | Outcome::Overloaded
            | Outcome::Network
            | Outcome::Missing
            | Outcome::Crashed
            | Outcome::Protocol
            | Outcome::Cancelled
            | Outcome::RunnerLost => true,
        }
    }

    /// Returns whether waiting can help; the others need a user or another agent.
    pub(crate) fn passes_by_itself(&self) -> bool {
        matches!(
            self,
            Outcome::Limit { .. } | Outcome::Overloaded | Outcome::Network
        )
    }
}

impl SessionClass {
    /// Returns what happened, as a clause.
    pub(crate) fn said(self) -> &'static str {
        match self {
            SessionClass::Worked => "the session ended",
            SessionClass::Blocked => "the session says it is blocked",
            SessionClass::Empty => "the session ended without producing anything",
            SessionClass::TimedOut => "the session was stopped at its time limit",
            SessionClass::Idle => "the session was stopped after a long silence",
            SessionClass::Limit => "the usage limit is reached",
            SessionClass::Quota => "the account has no credit left",
            SessionClass::Auth => "the agent is not logged in or not allowed",
            SessionClass::Overloaded => "the model's server is overloaded or failing",
            SessionClass::Network => "the model's server cannot be reached or does not answer",
            SessionClass::Missing => "the agent's program is missing",
            SessionClass::Crashed => "the agent's program failed without an explanation",
            SessionClass::Protocol => {
                "the agent's program refused the request or was not understood"
            }
            SessionClass::Budget => "the session was stopped when its budget was used up",
            SessionClass::Cancelled => "the session was cancelled",
            SessionClass::RunnerLost => "the runner could not run it to its end",
            SessionClass::Interrupted => "the driver died while the session ran",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.class().said())?;
        match self {
            Outcome::Blocked(reason) => write!(f, ": {reason}"),
            _ => Ok(()),
        }
    }
}
