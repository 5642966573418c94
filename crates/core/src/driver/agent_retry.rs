//! What to do when an agent could not work, for reasons outside the work: wait, or try the next of
//! the chain. Nothing here costs an attempt, and every wait is bounded.

use super::driver_event::DriverEvent;
use super::ports::AgentEnd;
use super::run_loop::Driver;
use crate::agents::{self, AgentWord, Outcome, Reset, class_of_error};
use crate::engine::attempt_record::AttemptRecord;
use crate::engine::oracle;
use crate::engine::secrets;
use crate::engine::snapshot::{AgentTrouble, Snapshot};
use crate::error::Result;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::{Unit, UnitType};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// Unexplained ends of one agent in a row before the next of the chain is tried.
const UNEXPLAINED_LIMIT: u32 = 3;
/// Faults that pass by themselves, in a row, before one is taken to last.
const PASSING_LIMIT: u32 = 12;
/// The first wait after an overload; doubled each time.
const FIRST_BACKOFF: SignedDuration = SignedDuration::from_secs(15);
/// The longest wait without a stated reset.
const LONGEST_BACKOFF: SignedDuration = SignedDuration::from_mins(30);
/// The longest wait for a stated reset: beyond it a user decides.
const LONGEST_RESET: SignedDuration = SignedDuration::from_hours(24);

/// When to look again whether somebody else's try went well.
const SOON: SignedDuration = SignedDuration::from_secs(1);

/// An agent's place in the chain of a unit's agents.
#[derive(Clone, Copy)]
pub(super) struct ChainPlace {
    /// Which of them, from 0.
    pub(super) agent: usize,
    /// How many there are.
    pub(super) agents: usize,
}

/// What the sessions of a run found out about agents, whichever feature they worked on.
#[derive(Debug, Default)]
pub(super) struct AgentStates {
    /// Agents that no unit can work with in this run, and why.
    pub(super) unusable: BTreeMap<String, String>,
    /// Agents whose usage limit one session has met: nobody else needs to meet it.
    pub(super) limited: BTreeMap<String, UsageLimit>,
}

/// A usage limit that a session has met.
#[derive(Debug)]
pub(super) struct UsageLimit {
    /// When it ends, as stated or guessed.
    pub(super) until: Timestamp,
    /// Whether the agent said so itself.
    stated: bool,
    why: String,
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
        let agents: BTreeSet<String> = units
            .filter(|unit| unit.unit_type() != UnitType::Human)
            .flat_map(|unit| oracle::agent_chain(&snapshot, unit))
            .collect();
        let by_user = self.options.agent.is_some();
        for agent in agents {
            if let Some(why) = self.machine.missing_agent(&agent, by_user) {
                self.agents().unusable.insert(agent, why);
            }
        }
        Ok(())
    }

    /// Notes that the agent at a place of its chain could not work.
    pub(super) fn note_trouble(&self, record: &AttemptRecord, end: &AgentEnd, place: ChainPlace) {
        let agent = place.agent;
        let now = self.machine.now();
        let mut cache = self.cache();
        let before = cache.trouble.get(&record.unit).filter(|t| t.next == agent);
        let tries = before.map_or(0, |t| t.tries) + 1;
        // A request that was refused is refused again.
        let tries = if is_refused(end) {
            UNEXPLAINED_LIMIT.max(tries)
        } else {
            tries
        };
        let after = after(&end.outcome, tries, place, now);
        let trouble = AgentTrouble {
            why: why(&record.agent, end),
            // The next of the chain starts with a clean slate.
            tries: if after.next == agent { tries } else { 0 },
            explained_crash: is_explained(end),
            ..after
        };
        // An account or a program is missing for every unit alike, and so is one that never begins.
        let never_begins = trouble.next > agent && is_dead(end);
        let lacking = matches!(
            end.outcome,
            Outcome::Auth | Outcome::Quota | Outcome::Missing
        );
        // A recording is each unit's own: what one lacks another has.
        let is_shared = !matches!(AgentWord::parse(&record.agent), AgentWord::Script(_));
        if (lacking || never_begins) && is_shared {
            self.agents()
                .unusable
                .insert(record.agent.clone(), trouble.why.clone());
        }
        let limit = limited(&end.outcome, &trouble, now);
        if let Some(limited) = limit.filter(|_| is_shared) {
            self.agents().limited.insert(record.agent.clone(), limited);
        }
        let falls =
            (trouble.next > agent && trouble.next < place.agents).then(|| trouble.why.clone());
        cache.trouble.insert(record.unit.clone(), trouble);
        drop(cache);
        if let Some(why) = falls {
            let local = record.unit.rsplit('/').next().unwrap_or(&record.unit);
            self.report(DriverEvent::Note {
                text: format!("{local}  {why}; the next of its chain takes over"),
            });
        }
    }
}

/// Spares the units that have not asked an unusable agent yet from asking it.
pub(super) fn share(snapshot: &mut Snapshot, unusable: &BTreeMap<String, String>) {
    if unusable.is_empty() {
        return;
    }
    let mut shared = Vec::new();
    for member in snapshot.feature.members() {
        let Some(unit) = member
            .unit
            .filter(|_| member.status() == UnitStatus::Pending)
        else {
            continue;
        };
        let chain = oracle::agent_chain(snapshot, unit);
        let mut trouble = snapshot
            .trouble
            .get(member.id())
            .cloned()
            .unwrap_or_default();
        while let Some(why) = chain
            .get(trouble.next)
            .and_then(|agent| unusable.get(agent))
        {
            trouble = AgentTrouble {
                next: trouble.next + 1,
                why: why.clone(),
                ..AgentTrouble::default()
            };
            shared.push((member.id().to_owned(), trouble.clone()));
        }
    }
    snapshot.trouble.extend(shared);
}

/// Returns what others need to know of a limit that a session has met.
fn limited(outcome: &Outcome, trouble: &AgentTrouble, now: Timestamp) -> Option<UsageLimit> {
    let Outcome::Limit { reset } = outcome else {
        return None;
    };
    let wait = reset.map_or(FIRST_BACKOFF, |reset| until(reset, now));
    let end = now.saturating_add(wait).unwrap_or(Timestamp::MAX);
    Some(UsageLimit {
        until: trouble.wait_until.unwrap_or(end),
        stated: reset.is_some(),
        why: trouble.why.clone(),
    })
}

/// Spares the units beside one that met a usage limit from meeting it too: they wait for the same
/// moment, or ask the next of their chain meanwhile. When the limit's end was a guess, one of them
/// tries it.
pub(super) fn share_limits(snapshot: &mut Snapshot, limited: &BTreeMap<String, UsageLimit>) {
    let Some(gate) = snapshot.feature.current_gate() else {
        return;
    };
    let now = snapshot.now;
    let mut shared = Vec::new();
    // Those that run already are the ones that try.
    let mut members = snapshot.feature.frontier(gate);
    members.sort_by_key(|member| !snapshot.running.contains(member.id()));
    let mut trying: BTreeSet<&str> = BTreeSet::new();
    for member in &members {
        let human = |unit: &&Unit| unit.unit_type() == UnitType::Human;
        let Some(unit) = member.unit.filter(|unit| !human(unit)) else {
            continue;
        };
        let own = snapshot.trouble.get(member.id());
        let own = own.cloned().unwrap_or_default();
        let chain = oracle::agent_chain(snapshot, unit);
        let met = chain.get(own.next).and_then(|a| limited.get_key_value(a));
        let Some((agent, limit)) = met else {
            continue;
        };
        let over = limit.until <= now;
        // One that cannot start itself must not keep the others waiting.
        let may_try = own.wait_until.is_none_or(|until| until <= now)
            && snapshot
                .base
                .get(member.id())
                .is_none_or(|base| base.red.is_empty());
        let tries = over && (limit.stated || !may_try || trying.insert(agent));
        if tries || snapshot.running.contains(member.id()) {
            continue;
        }
        let lasts = limit.until.duration_since(now) > LONGEST_RESET;
        let (next, wait_until) = match own.next + 1 < chain.len() || lasts {
            true => (own.next + 1, None),
            false => {
                let until = limit.until.max(now.saturating_add(SOON).unwrap_or(now));
                (own.next, own.wait_until.max(Some(until)))
            }
        };
        let why = limit.why.clone();
        let trouble = AgentTrouble {
            next,
            wait_until,
            why,
            ..own
        };
        shared.push((member.id().to_owned(), trouble));
    }
    snapshot.trouble.extend(shared);
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

/// Returns whether the program ended without the model having been asked, for no reason it types.
fn is_dead(end: &AgentEnd) -> bool {
    matches!(
        end.outcome,
        Outcome::Crashed | Outcome::Protocol | Outcome::Empty
    ) && end.session.is_untouched()
        && end.session.errors.is_empty()
}

/// Returns what it means that a program of ours printed nothing and changed nothing: the unit is not at
/// fault for a server that never answered.
pub(super) fn without_a_trace(agent: &str, end: &AgentEnd) -> Option<Outcome> {
    let known = agents::by_name(agent).is_some_and(|agent| agent.probe().is_some());
    let silent = end.session.is_untouched() && end.session.closing_text().trim().is_empty();
    match end.outcome {
        Outcome::Idle | Outcome::TimedOut if known && silent => Some(Outcome::Network),
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
    let remedy = end.remedy.as_ref().map(|remedy| format!("; {remedy}"));
    let remedy = remedy.unwrap_or_default();
    format!("{agent}: {}{printed}{remedy}", end.outcome)
}

/// Returns who is next and when, after the `tries`th fault in a row.
fn after(outcome: &Outcome, tries: u32, place: ChainPlace, now: Timestamp) -> AgentTrouble {
    let agent = place.agent;
    let wait = |wait: SignedDuration| AgentTrouble {
        next: agent,
        wait_until: Some(now.saturating_add(wait).unwrap_or(Timestamp::MAX)),
        ..AgentTrouble::default()
    };
    let next = AgentTrouble {
        next: agent + 1,
        ..AgentTrouble::default()
    };
    let again = AgentTrouble {
        next: agent,
        ..AgentTrouble::default()
    };
    let has_other = agent + 1 < place.agents;
    match outcome {
        Outcome::Limit { .. } if has_other => next,
        outcome if outcome.passes_by_itself() && tries > PASSING_LIMIT => next,
        Outcome::Limit { reset: Some(reset) } => {
            let stated = until(*reset, now);
            if stated > LONGEST_RESET {
                return next;
            }
            // A few seconds later than stated: clocks differ, and others wait for the same moment.
            wait(stated + jitter(SignedDuration::from_secs(5), now))
        }
        outcome if outcome.passes_by_itself() => {
            let backoff = backoff(tries);
            wait(backoff + jitter(backoff / 5, now))
        }
        Outcome::Crashed | Outcome::Protocol | Outcome::Empty if tries < UNEXPLAINED_LIMIT => again,
        _ => next,
    }
}

fn backoff(tries: u32) -> SignedDuration {
    LONGEST_BACKOFF.min(FIRST_BACKOFF * 2i32.pow(tries.saturating_sub(1).min(8)))
}

/// Returns up to `most`, so that several drivers do not come back at the same moment. The clock's
/// last digits are chance enough.
fn jitter(most: SignedDuration, now: Timestamp) -> SignedDuration {
    let chance = i64::from(now.subsec_nanosecond().unsigned_abs() / 1000 % 1000);
    let millis = i64::try_from(most.as_millis()).unwrap_or(0);
    SignedDuration::from_millis(millis.saturating_mul(chance) / 1000)
}

/// Returns how long it is until a limit ends.
fn until(reset: Reset, now: Timestamp) -> SignedDuration {
    match reset {
        Reset::After(seconds) => {
            SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX).min(1 << 40))
        }
        Reset::At(at) => SignedDuration::from_secs(at.saturating_sub(now.as_second()).max(1)),
    }
}

#[cfg(test)]
mod tests;
