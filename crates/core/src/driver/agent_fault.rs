//! What it means that an agent could not work, for reasons outside the work: who is next, after how long, and what
//! every other unit would meet too. Every wait is bounded.

use super::ports::AgentEnd;
use super::shared_trouble::{LONGEST_RESET, SharedTrouble, UsageLimit};
use crate::agents::{AnswersShow, Outcome, ResultBlock, class_of_error, fault_of};
use crate::engine::secrets;
use crate::engine::snapshot::AgentTrouble;
use jiff::{SignedDuration, Timestamp};

/// Unexplained ends of one agent in a row before the next of the chain is tried.
pub(super) const UNEXPLAINED_LIMIT: u32 = 3;
/// Faults that pass by themselves, in a row, before one is taken to last.
const PASSING_LIMIT: u32 = 12;
/// The same for sessions that hung: each of them waited for its timeout already.
const HANG_LIMIT: u32 = 3;
/// The first wait after an overload; doubled each time.
const FIRST_BACKOFF: SignedDuration = SignedDuration::from_secs(15);
/// The longest wait without a stated reset.
const LONGEST_BACKOFF: SignedDuration = SignedDuration::from_mins(30);
/// What standard error says of a program that does not understand how it was started, or lacks something on this
/// machine: it will not understand it better the next time.
const CANNOT_START: &[&str] = &[
    "unknown option",
    "unknown argument",
    "unknown command",
    "unexpected argument",
    "unrecognized option",
    "unrecognized argument",
    "unrecognized subcommand",
    "invalid option",
    "no such option",
    "cannot find module",
    "no module named",
    "error while loading shared libraries",
    "unsupported engine",
    "requires node",
    "not running in a trusted directory",
    "not inside a trusted directory",
    "with root/sudo privileges",
    "no input provided via stdin",
    "node.js version",
    "unknown variant",
    "configuration is invalid",
    "settings file",
    "error loading config",
    "failed to load config",
    "allowed choices",
];

/// An agent's place in the chain of a unit's agents, and what it was asked for.
#[derive(Debug, Clone)]
pub(super) struct ChainPlace {
    /// Which of them, from 0.
    pub(super) agent: usize,
    /// How many there are.
    pub(super) agents: usize,
    /// The model the session was asked for.
    pub(super) model: Option<String>,
}

/// A session that met a fault, and what follows for its unit.
pub(super) struct MetFault<'a> {
    pub(super) agent: &'a str,
    pub(super) end: &'a AgentEnd,
    pub(super) place: &'a ChainPlace,
    pub(super) trouble: &'a AgentTrouble,
    pub(super) now: Timestamp,
}

/// A fault outside the work.
pub(super) struct Fault<'a> {
    pub(super) outcome: &'a Outcome,
    /// How often in a row.
    pub(super) tries: u32,
    /// How long a limit lasts, as stated.
    pub(super) stated: Option<SignedDuration>,
    /// Whether the session hung until it was ended.
    pub(super) hung: bool,
}

/// Whether an agent ended by itself and printed why: there is something to fix that another agent may meet too.
pub(super) fn is_explained(end: &AgentEnd) -> bool {
    matches!(end.outcome, Outcome::Crashed | Outcome::Protocol) && !end.session.errors.is_empty()
}

/// Returns whether the program or its server refused the request itself: the same request meets the same.
pub(super) fn is_refused(end: &AgentEnd) -> bool {
    let class = || fault_of(&end.session).map(|fault| class_of_error(&fault));
    end.outcome == Outcome::Protocol && class() == Some(Outcome::Protocol)
}

/// Returns whether the server has no model of the name it was asked for.
fn lacks_model(end: &AgentEnd) -> bool {
    is_refused(end) && fault_of(&end.session).is_some_and(|fault| fault.is_unknown_model())
}

/// Returns whether the model said nothing, for a reason that is none of the unit's.
fn is_silent(end: &AgentEnd) -> bool {
    let unknown = matches!(
        end.outcome,
        Outcome::Crashed | Outcome::Protocol | Outcome::Empty
    );
    let too_large = || fault_of(&end.session).is_some_and(|fault| fault.is_too_large());
    unknown && end.session.is_untouched() && !too_large()
}

/// Returns whether the program ended without the model having been asked, for no reason it types.
fn is_dead(end: &AgentEnd) -> bool {
    is_silent(end) && end.session.errors.is_empty()
}

/// Returns whether a program stopped at once at how it was started, or at what this machine lacks.
pub(super) fn cannot_start(end: &AgentEnd) -> bool {
    let stderr = end.session.stderr.as_str().to_lowercase();
    is_dead(end) && CANNOT_START.iter().any(|words| stderr.contains(words))
}

/// Returns what it means that nothing of the model's came from a known program, and nothing changed: the unit is not at
/// fault for a server that never answered, nor for what the program or a wrapper of it says in place of a session.
pub(super) fn without_a_trace(end: &AgentEnd) -> Option<Outcome> {
    let printed = end.session.closing_text().trim();
    let silent = end.session.is_untouched()
        && match end.answers_show {
            AnswersShow::Unknown => false,
            AnswersShow::ByOutput => printed.is_empty(),
            AnswersShow::ByEvents => ResultBlock::last_in(printed).0.is_none(),
        };
    match end.outcome {
        Outcome::Idle | Outcome::TimedOut if silent => Some(Outcome::Network),
        Outcome::Worked if silent => Some(Outcome::Empty),
        _ => None,
    }
}

pub(super) fn why(agent: &str, end: &AgentEnd) -> String {
    let printed = end.session.errors.back().map(|error| error.message.trim());
    // Some programs put their faults into the assistant's mouth: a user may make sense of them.
    let last = || end.session.closing_text().trim_end().lines().next_back();
    let printed = printed.or_else(|| last().filter(|_| end.outcome == Outcome::Empty));
    let unexplained = matches!(end.outcome, Outcome::Crashed | Outcome::Protocol);
    let stderr = secrets::redact(end.session.stderr.as_str());
    let written = stderr.lines().rev().map(str::trim);
    let mut written = written.filter(|line| !line.is_empty() && !line.starts_with("at "));
    let printed = printed.or_else(|| written.next().filter(|_| unexplained));
    let printed = printed
        .filter(|printed| !printed.is_empty())
        .map(|printed| {
            format!(
                " (it said: {})",
                printed.chars().take(200).collect::<String>()
            )
        });
    let printed = printed.unwrap_or_default();
    let remedy = match &end.remedy {
        _ if lacks_model(end) => {
            "; name a model that it has with `model:` in the unit, the plan or the settings"
                .to_owned()
        }
        Some(remedy) => format!("; {remedy}"),
        None => String::new(),
    };
    format!("{agent}: {}{printed}{remedy}", end.outcome)
}

impl Fault<'_> {
    /// Returns who is next and when.
    pub(super) fn after(&self, place: &ChainPlace, now: Timestamp) -> AgentTrouble {
        let trouble = |next: usize, wait: Option<SignedDuration>| AgentTrouble {
            next,
            wait_until: wait.map(|wait| now.saturating_add(wait).unwrap_or(Timestamp::MAX)),
            ..AgentTrouble::default()
        };
        let next = trouble(place.agent + 1, None);
        let has_other = place.agent + 1 < place.agents;
        let most = if self.hung { HANG_LIMIT } else { PASSING_LIMIT };
        match self.outcome {
            Outcome::Limit { .. } if has_other => next,
            // A hang has waited already.
            outcome if outcome.passes_by_itself() && self.tries > most => next,
            Outcome::Limit { .. } if self.stated.is_some_and(|stated| stated > LONGEST_RESET) => {
                next
            }
            outcome if outcome.passes_by_itself() => {
                let backoff = backoff(self.tries);
                // A few seconds later than stated: clocks differ, and others wait for the same moment.
                let wait = match self.stated {
                    Some(stated) => stated + jitter(SignedDuration::from_secs(5), now),
                    None => backoff + jitter(backoff / 5, now),
                };
                trouble(place.agent, Some(wait))
            }
            Outcome::Crashed | Outcome::Protocol | Outcome::Empty
                if self.tries < UNEXPLAINED_LIMIT =>
            {
                trouble(place.agent, None)
            }
            _ => next,
        }
    }

    /// Notes what every other unit would meet too.
    pub(super) fn share(&self, shared: &mut SharedTrouble, met: &MetFault<'_>) {
        let MetFault {
            end,
            place,
            trouble,
            now,
            ..
        } = *met;
        let agent = met.agent.to_owned();
        let why = trouble.why.clone();
        let asked = || (agent.clone(), place.model.clone());
        if let Outcome::Limit { .. } = self.outcome {
            let wait = self.stated.unwrap_or(FIRST_BACKOFF);
            let end = now.saturating_add(wait).unwrap_or(Timestamp::MAX);
            let limit = UsageLimit {
                until: trouble.wait_until.unwrap_or(end),
                stated: self.stated.is_some(),
                why: why.clone(),
            };
            shared.limited.insert(asked(), limit);
        }
        // An account or a program is missing for every unit alike, and so is one that never begins.
        let lacking = matches!(
            self.outcome,
            Outcome::Auth | Outcome::Quota | Outcome::Missing
        );
        // Three that never began are enough, whichever units they were of.
        let silent = shared.silent.entry(asked()).or_default();
        *silent = if is_silent(end) { *silent + 1 } else { 0 };
        let silent = *silent >= UNEXPLAINED_LIMIT;
        if lacks_model(end) || silent && is_refused(end) {
            shared.refused.insert(asked(), why);
        } else if lacking || silent || trouble.next > place.agent && is_dead(end) {
            shared.unusable.insert(agent, why);
        }
    }
}

pub(super) fn backoff(tries: u32) -> SignedDuration {
    LONGEST_BACKOFF.min(FIRST_BACKOFF * 2i32.pow(tries.saturating_sub(1).min(8)))
}

/// Returns up to `most`, so that several drivers do not come back at the same moment. The clock's
/// last digits are chance enough.
fn jitter(most: SignedDuration, now: Timestamp) -> SignedDuration {
    let chance = i64::from(now.subsec_nanosecond().unsigned_abs() / 1000 % 1000);
    let millis = i64::try_from(most.as_millis()).unwrap_or(0);
    SignedDuration::from_millis(millis.saturating_mul(chance) / 1000)
}

#[cfg(test)]
mod tests;
