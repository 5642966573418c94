//! What to do when an agent could not work, for reasons outside the work: wait, or try the next of
//! the chain. Nothing here costs an attempt.

use super::agent_fault::{
    ChainPlace, Fault, MetFault, UNEXPLAINED_LIMIT, cannot_start, is_explained, is_refused, why,
};
use super::driver_event::DriverEvent;
use super::ports::AgentEnd;
use super::run_loop::Driver;
use crate::agents::{AgentWord, Outcome, ProcessExit};
use crate::engine::attempt_record::AttemptRecord;
use crate::engine::model_selection;
use crate::engine::snapshot::{AgentTrouble, Snapshot};
use crate::error::Result;
use crate::model::id::short_id;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::UnitType;
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

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
        // Each agent, and whether another takes its place where it is first.
        let mut agents: BTreeMap<String, bool> = BTreeMap::new();
        for unit in units {
            let mut chain = model_selection::chain(&snapshot, unit, 1)
                .into_iter()
                .peekable();
            while let Some(link) = chain.next() {
                *agents.entry(link.agent).or_default() |= chain.peek().is_some();
            }
        }
        let by_user = self.options.agent.is_some();
        for (agent, is_followed) in agents {
            let Some(why) = self.machine.missing_agent(&agent, by_user) else {
                continue;
            };
            let known = self.agents().unusable.insert(agent, why.clone());
            // Where nobody follows, the stop says it.
            if is_followed && known.is_none() {
                self.report(DriverEvent::Note {
                    text: format!("the next of the chain works instead: {why}"),
                });
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
            tries: if lasts {
                tries.max(UNEXPLAINED_LIMIT)
            } else {
                tries
            },
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
            let met = MetFault {
                agent: &record.agent,
                end,
                place,
                trouble: &trouble,
                now,
            };
            fault.share(&mut self.agents(), &met);
        }
        let falls = place.agent + 1 == trouble.next && trouble.next < place.agents;
        let falls = falls.then(|| trouble.why.clone());
        cache.trouble.insert(record.unit.clone(), trouble);
        drop(cache);
        if let Some(why) = falls {
            self.report_successor(&record.unit, &why);
        }
    }

    fn report_successor(&self, unit: &str, why: &str) {
        let local = short_id(unit);
        self.report(DriverEvent::Note {
            text: format!("{local}  {why}; the next of its chain takes over"),
        });
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
