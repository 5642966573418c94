//! How a session ended, and what that means.
//!
//! Structured signals decide: exit status first, typed errors second. Words in the transcript never
//! do: an agent that works on a rate limiter writes about rate limits.

use super::error_text;
use super::fault_kind::FaultKind;
use super::reset::Reset;
use super::result::ResultBlock;
use super::session::{ApiError, Session};
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

/// The word for an end at the program's own limit of turns: what it left is judged like any work.
pub(super) const OWN_LIMIT: &str = "max_turns";
/// The word for an end at the budget that the program was given.
pub(super) const OWN_BUDGET: &str = "budget_exhausted";

/// Returns the class of an error that the program reported as such.
pub(crate) fn class_of_error(error: &ApiError) -> Outcome {
    let word = error.kind.as_deref().unwrap_or_default();
    let kind = FaultKind::of_word(word);
    let limit = || Outcome::Limit {
        reset: error.reset.clone(),
    };
    match (kind, error.status) {
        (Some(FaultKind::Limit), Some(402)) if error.reset.is_some() => limit(),
        // Some gateways forbid what is only too much for now.
        (Some(FaultKind::Limit), Some(403)) => limit(),
        (Some(FaultKind::NoCredit), _) | (_, Some(402)) => Outcome::Quota,
        // It may say 429 like a limit, and no wait helps.
        (Some(FaultKind::TooLarge | FaultKind::Content), _) => Outcome::Protocol,
        (_, Some(429)) => limit(),
        (_, Some(500..=599)) => Outcome::Overloaded,
        (Some(FaultKind::NoModel), _) => Outcome::Protocol,
        (_, Some(401 | 403)) => Outcome::Auth,
        // The last two are a proxy's, and a server's that the client did not wait for.
        (_, Some(408 | 407 | 499)) => Outcome::Network,
        // What was wrong with the request may be whose it was, or how many came before.
        (Some(FaultKind::NoAccess), _) => Outcome::Auth,
        (Some(FaultKind::Limit), _) => limit(),
        (_, Some(400..=499)) | (Some(FaultKind::Request), _) => Outcome::Protocol,
        (Some(FaultKind::Server), _) => Outcome::Overloaded,
        // A status was received, so there is a network.
        (Some(FaultKind::Network), None) => Outcome::Network,
        // A retry of a program that does not know why.
        (None, None) if word == "unknown" => Outcome::Network,
        _ => Outcome::Crashed,
    }
}

/// Returns the outcome that follows from the exit and from what was reported, for programs with no
/// rules of their own.
///
/// A session that had finished when the driver stopped it counts as finished: some programs print
/// their last event and then hang.
pub(crate) fn fallback_outcome(exit: &ProcessExit, seen: &Session) -> Outcome {
    match exit {
        ProcessExit::Missing => return Outcome::Missing,
        ProcessExit::Cancelled => return Outcome::Cancelled,
        ProcessExit::Budget => return Outcome::Budget,
        _ => {}
    }
    let ended_by = seen.terminal_reason.as_deref();
    if ended_by == Some(OWN_BUDGET) {
        return Outcome::Budget;
    }
    if seen.is_error == Some(true) && ended_by != Some(OWN_LIMIT) {
        let class = seen.errors.back().map_or(Outcome::Crashed, class_of_error);
        return match exit {
            // That it was stopped is no explanation: we stopped it.
            ProcessExit::WallLimit | ProcessExit::IdleLimit if class == Outcome::Crashed => {
                stopped(exit, seen)
            }
            _ => class,
        };
    }
    let text = seen.closing_text();
    let blocked = || super::result::blocked_reason(text).map(Outcome::Blocked);
    match exit {
        _ if seen.finished || ended_by == Some(OWN_LIMIT) => {}
        ProcessExit::WallLimit | ProcessExit::IdleLimit => return stopped(exit, seen),
        // Its last event is missing: it was cut short, unless it had said its last word.
        ProcessExit::Code(0) if seen.structured && ResultBlock::last_in(text).0.is_none() => {
            let fault = seen.retrying.as_ref().or(seen.errors.back());
            return fault.map_or(Outcome::Protocol, class_of_error);
        }
        ProcessExit::Code(0) => {}
        // What a shell says of a program that is not there, or may not be run.
        ProcessExit::Code(126 | 127) if !seen.structured => return Outcome::Missing,
        _ => {
            let error = seen.errors.back().or(seen.retrying.as_ref());
            if let Some(class) = error.map(class_of_error).or_else(blocked) {
                return class;
            }
            // No typed signal: the end of standard error is the second source, and the last.
            let reported = error_text::in_stderr(seen.stderr.as_str());
            return reported.map_or(Outcome::Crashed, |error| class_of_error(&error));
        }
    }
    match blocked() {
        Some(blocked) => blocked,
        None if seen.is_empty() => Outcome::Empty,
        None => Outcome::Worked,
    }
}

/// Returns the fault that stopped a session: the last it typed, else what the end of standard error tells, else what a
/// program printed in place of a session.
pub(crate) fn fault_of(seen: &Session) -> Option<ApiError> {
    let printed = || (!seen.structured).then(|| error_text::in_stderr(seen.plain.as_str()));
    let typed = seen.errors.back().cloned();
    typed
        .or_else(|| error_text::in_stderr(seen.stderr.as_str()))
        .or_else(|| printed().flatten())
}

/// Returns why a session that was stopped at a limit was slow: its own retries, if it was in them; a
/// server that never answered, if the model has not said or done anything at all.
fn stopped(exit: &ProcessExit, seen: &Session) -> Outcome {
    match seen.retrying.as_ref().map(class_of_error) {
        // A retry that does not say why it is one explains nothing.
        Some(class) if class != Outcome::Crashed => class,
        _ if seen.structured && seen.is_untouched() => Outcome::Network,
        _ if *exit == ProcessExit::IdleLimit => Outcome::Idle,
        _ => Outcome::TimedOut,
    }
}

#[cfg(test)]
mod tests;
