//! What to do when an agent could not work, for reasons outside the work: wait, or try the next of
//! the chain. Nothing here costs an attempt, and every wait is bounded.

use super::driver_event::DriverEvent;
use super::ports::AgentEnd;
use super::run_loop::Driver;
use crate::agents::{Outcome, Reset};
use crate::engine::attempt_record::AttemptRecord;
use crate::engine::oracle;
use crate::engine::snapshot::{AgentTrouble, Snapshot};
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

/// A usage limit that a session has met.
pub(super) struct UsageLimit {
    /// When it ends, as stated or guessed.
    pub(super) until: Timestamp,
    /// Whether the agent said so itself.
    stated: bool,
    why: String,
}

impl Driver<'_> {
    /// Remembers that the chain's agent number `agent` could not work.
    pub(super) fn note_trouble(
        &self,
        record: &AttemptRecord,
        end: &AgentEnd,
        chain: usize,
        agent: usize,
    ) {
        let now = self.machine.now();
        let mut memory = self.memory();
        let before = memory.trouble.get(&record.unit).filter(|t| t.next == agent);
        let tries = before.map_or(0, |t| t.tries) + 1;
        let after = after(&end.outcome, tries, agent, chain, now);
        let trouble = AgentTrouble {
            why: why(&record.agent, end),
            // The next of the chain starts with a clean slate.
            tries: if after.next == agent { tries } else { 0 },
            explained_crash: is_explained(end),
            ..after
        };
        // An account or a program is missing for every unit alike.
        if matches!(
            end.outcome,
            Outcome::Auth | Outcome::Quota | Outcome::Missing
        ) && !record.agent.starts_with("script")
        {
            memory
                .unusable
                .insert(record.agent.clone(), trouble.why.clone());
        }
        let limit = limited(&end.outcome, &trouble, now);
        if let Some(limited) = limit.filter(|_| !record.agent.starts_with("script")) {
            memory.limited.insert(record.agent.clone(), limited);
        }
        let falls = (trouble.next > agent && trouble.next < chain).then(|| trouble.why.clone());
        memory.trouble.insert(record.unit.clone(), trouble);
        drop(memory);
        if let Some(why) = falls {
            let local = record.unit.rsplit('/').next().unwrap_or(&record.unit);
            self.tell(DriverEvent::Note {
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

fn why(agent: &str, end: &AgentEnd) -> String {
    let said = end.session.errors.back().map(|error| error.message.trim());
    // Some programs put their faults into the assistant's mouth: a user may make sense of them.
    let last = || end.session.closing_text().trim_end().lines().next_back();
    let said = said.or_else(|| last().filter(|_| end.outcome == Outcome::Empty));
    let said = said
        .filter(|said| !said.is_empty())
        .map(|said| format!(" (it said: {})", said.chars().take(200).collect::<String>()));
    let said = said.unwrap_or_default();
    let remedy = end.remedy.as_ref().map(|remedy| format!("; {remedy}"));
    let remedy = remedy.unwrap_or_default();
    format!("{agent}: {}{said}{remedy}", end.outcome)
}

/// Returns who is next and when, after the `tries`th fault in a row.
fn after(
    outcome: &Outcome,
    tries: u32,
    agent: usize,
    chain: usize,
    now: Timestamp,
) -> AgentTrouble {
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
    let has_other = agent + 1 < chain;
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
mod tests {
    use super::*;

    const NOW: &str = "2026-11-21T10:00:00.000999Z";

    /// `next` in the chain, and the seconds until then; `None` for at once.
    fn check(outcome: Outcome, tries: u32, chain: usize, want: (usize, Option<(i64, i64)>)) {
        let now: Timestamp = NOW.parse().unwrap();
        let got = after(&outcome, tries, 0, chain, now);
        let wait = got.wait_until.map(|at| at.duration_since(now).as_secs());
        assert_eq!(got.next, want.0, "{outcome:?} {tries} {chain}");
        match (wait, want.1) {
            (Some(wait), Some((least, most))) => {
                assert!(
                    (least..=most).contains(&wait),
                    "{outcome:?} {tries}: {wait}"
                );
            }
            (wait, want) => assert_eq!(wait.is_some(), want.is_some(), "{outcome:?} {tries}"),
        }
    }

    #[test]
    fn what_passes_is_waited_for_and_what_lasts_falls_along_the_chain() {
        let limit = |reset| Outcome::Limit { reset };
        let at = |seconds: i64| {
            let now: Timestamp = NOW.parse().unwrap();
            Some(Reset::At(now.as_second() + seconds))
        };
        for (outcome, tries, chain, want) in [
            // A limit: the next agent works meanwhile; alone, wait for the stated moment.
            (limit(at(3600)), 1, 2, (1, None)),
            (limit(at(3600)), 1, 1, (0, Some((3600, 3606)))),
            (limit(Some(Reset::After(90))), 1, 1, (0, Some((90, 96)))),
            (limit(at(-50)), 1, 1, (0, Some((1, 7)))),
            (limit(at(30 * 3600)), 1, 1, (1, None)),
            (limit(Some(Reset::After(u64::MAX))), 1, 1, (1, None)),
            (limit(None), 1, 1, (0, Some((15, 18)))),
            (limit(None), 3, 1, (0, Some((60, 72)))),
            // Back off, bounded in length and in number.
            (Outcome::Overloaded, 1, 2, (0, Some((15, 18)))),
            (Outcome::Network, 2, 1, (0, Some((30, 36)))),
            (Outcome::Network, 12, 1, (0, Some((1800, 2160)))),
            (Outcome::Network, 13, 1, (1, None)),
            (limit(Some(Reset::After(1))), 13, 1, (1, None)),
            // A user or another agent must act: at once.
            (Outcome::Auth, 1, 1, (1, None)),
            (Outcome::Quota, 1, 3, (1, None)),
            (Outcome::Missing, 1, 3, (1, None)),
            // Unexplained: again, a few times.
            (Outcome::Crashed, 1, 2, (0, None)),
            (Outcome::Empty, 2, 2, (0, None)),
            (Outcome::Protocol, 3, 2, (1, None)),
        ] {
            check(outcome, tries, chain, want);
        }
    }
}
