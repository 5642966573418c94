//! What a session came to, by its exit and by what its program reported, where the program has no rules of its own.

use super::error_text;
use super::fault_kind::FaultKind;
use super::outcome::{Outcome, ProcessExit};
use super::result::{ResultBlock, blocked_reason};
use super::session::{ApiError, Session};

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
    let blocked = || blocked_reason(text).map(Outcome::Blocked);
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
