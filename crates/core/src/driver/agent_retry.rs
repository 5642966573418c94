//! What to do when an agent could not work, for reasons outside the work: wait, or try the next of
//! the chain. Nothing here costs an attempt, and every wait is bounded.

use super::driver_event::DriverEvent;
use super::ports::AgentEnd;
use super::run_loop::Driver;
use super::shared_trouble::{LONGEST_RESET, SharedTrouble, UsageLimit};
use crate::agents::{AgentWord, ApiError, Outcome, ProcessExit, class_of_error};
use crate::engine::attempt_record::AttemptRecord;
use crate::engine::model_selection;
use crate::engine::secrets;
use crate::engine::snapshot::{AgentTrouble, Snapshot};
use crate::error::Result;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::UnitType;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeSet;

/// Unexplained ends of one agent in a row before the next of the chain is tried.
const UNEXPLAINED_LIMIT: u32 = 3;
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
    "error while loading shared libraries",
    "unsupported engine",
    "requires node",
    "node.js version",
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

/// A fault outside the work.
struct Fault<'a> {
    outcome: &'a Outcome,
    /// How often in a row.
    tries: u32,
    /// How long a limit lasts, as stated.
    stated: Option<SignedDuration>,
    /// Whether the session hung until it was ended.
    hung: bool,
}

impl Driver<'_> {
    /// Looks for the agents of the units that could start: one that is not there is known before anything runs for it.
    pub(super) fn note_missing_agents(&self) -> Result<()> {
        let snapshot = self.observe(&BTreeSet::new())?;
        let Some(gate) = snapshot.feature.current_gate() else {
            return Ok(());
        };
        let members = snapshot.feature.members_of(gate);
        let open = members.filter(|m| m.status() == UnitStatus::Pending);
        let units = open.filter_map(|m| m.unit);
        let units = units.filter(|unit| unit.unit_type() != UnitType::Human);
        let links = units.flat_map(|unit| model_selection::chain(&snapshot, unit, 1));
        let agents: BTreeSet<String> = links.map(|link| link.agent).collect();
        let by_user = self.options.agent.is_some();
        for agent in agents {
            if let Some(why) = self.machine.missing_agent(&agent, by_user) {
                self.agents().unusable.insert(agent, why);
            }
        }
        Ok(())
    }

    /// Notes that an agent of a chain could not work, for its unit and for every other.
    pub(super) fn note_trouble(&self, record: &AttemptRecord, end: &AgentEnd, place: &ChainPlace) {
        let now = self.machine.now();
        let stated = self.stated_wait(end);
        let mut cache = self.cache();
        let before = cache.trouble.get(&record.unit);
        let before = before.filter(|t| t.next == place.agent);
        let tries = before.map_or(0, |t| t.tries) + 1;
        let lasts = is_refused(end) || cannot_start(end);
        let fault = Fault {
            outcome: &end.outcome,
            tries: if lasts { tries.max(UNEXPLAINED_LIMIT) } else { tries },
            stated,
            hung: matches!(end.exit, ProcessExit::IdleLimit | ProcessExit::WallLimit),
        };
        let after = fault.after(place, now);
        let trouble = AgentTrouble {
            why: why(&record.agent, end),
            // The next of the chain starts with a clean slate.
            tries: if after.next == place.agent {
                fault.tries
            } else {
                0
            },
            explained_crash: is_explained(end),
            ..after
        };
        // A recording is each unit's own: what one lacks another has.
        if !matches!(AgentWord::parse(&record.agent), AgentWord::Script(_)) {
            fault.share(
                &mut self.agents(),
                (&record.agent, end),
                place,
                (&trouble, now),
            );
        }
        let falls = place.agent + 1 == trouble.next && trouble.next < place.agents;
        let falls = falls.then(|| trouble.why.clone());
        cache.trouble.insert(record.unit.clone(), trouble);
        drop(cache);
        if let Some(why) = falls {
            let local = record.unit.rsplit('/').next().unwrap_or(&record.unit);
            self.report(DriverEvent::Note {
                text: format!("{local}  {why}; the next of its chain takes over"),
            });
        }
    }

    /// Returns how long from now an agent's limit lasts, where the agent states it.
    fn stated_wait(&self, end: &AgentEnd) -> Option<SignedDuration> {
        let Outcome::Limit { reset: Some(reset) } = &end.outcome else {
            return None;
        };
        let zone = |name: Option<&str>| self.machine.zone(name);
        reset.wait(self.machine.now(), &zone)
    }
}

/// Returns when the first of the units that wait may go on.
pub(super) fn next_wait(snapshot: &Snapshot) -> Option<Timestamp> {
    let waits = snapshot.trouble.iter();
    waits
        .filter(|(unit, _)| !snapshot.running.contains(*unit))
        .filter_map(|(_, trouble)| trouble.wait_until)
        .filter(|until| *until > snapshot.now)
        .min()
}

/// Whether an agent ended by itself and printed why: there is something to fix that another agent may meet too.
fn is_explained(end: &AgentEnd) -> bool {
    matches!(end.outcome, Outcome::Crashed | Outcome::Protocol) && !end.session.errors.is_empty()
}

/// Returns whether the program or its server refused the request itself: the same request meets the same.
fn is_refused(end: &AgentEnd) -> bool {
    let error = end.session.errors.back();
    end.outcome == Outcome::Protocol
        && error.is_some_and(|error| class_of_error(error) == Outcome::Protocol)
}

/// Returns whether the server has no model of the name it was asked for.
fn lacks_model(end: &AgentEnd) -> bool {
    let error = end.session.errors.back();
    is_refused(end) && error.is_some_and(ApiError::is_unknown_model)
}

/// Returns whether the program ended without the model having been asked, for no reason it types.
fn is_dead(end: &AgentEnd) -> bool {
    matches!(
        end.outcome,
        Outcome::Crashed | Outcome::Protocol | Outcome::Empty
    ) && end.session.is_untouched()
        && end.session.errors.is_empty()
}

/// Returns whether a program stopped at once at how it was started, or at what this machine lacks.
fn cannot_start(end: &AgentEnd) -> bool {
    let stderr = end.session.stderr.as_str().to_lowercase();
    is_dead(end) && CANNOT_START.iter().any(|words| stderr.contains(words))
}

/// Returns what it means that a known program printed nothing and changed nothing: the unit is not at
/// fault for a server that never answered.
pub(super) fn without_a_trace(end: &AgentEnd) -> Option<Outcome> {
    let silent = end.session.is_untouched() && end.session.closing_text().trim().is_empty();
    match end.outcome {
        Outcome::Idle | Outcome::TimedOut if end.known_program && silent => Some(Outcome::Network),
        Outcome::Worked if end.known_program && silent => Some(Outcome::Empty),
        _ => None,
    }
}

fn why(agent: &str, end: &AgentEnd) -> String {
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
    fn after(&self, place: &ChainPlace, now: Timestamp) -> AgentTrouble {
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
    fn share(
        &self,
        shared: &mut SharedTrouble,
        (agent, end): (&str, &AgentEnd),
        place: &ChainPlace,
        (trouble, now): (&AgentTrouble, Timestamp),
    ) {
        let agent = agent.to_owned();
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
        if lacks_model(end) {
            shared.refused.insert(asked(), why);
        } else if lacking || trouble.next > place.agent && is_dead(end) {
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
