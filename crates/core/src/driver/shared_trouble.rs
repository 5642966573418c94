//! What one session finds out about an agent holds for every unit of the run: an account or a program that is
//! missing, a model that is refused, a usage limit.

use super::runner_retry::RunnerRest;
use crate::engine::model_selection::{self, ChainLink};
use crate::engine::snapshot::{AgentTrouble, Snapshot};
use crate::model::status_machine::UnitStatus;
use crate::model::unit::{Unit, UnitType};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// The longest wait for a stated reset: beyond it a user decides.
pub(super) const LONGEST_RESET: SignedDuration = SignedDuration::from_hours(24);
/// When to look again whether somebody else's try went well.
const SOON: SignedDuration = SignedDuration::from_secs(1);

/// An agent with the model its session is asked for: a limit, and a refusal, may be the model's alone.
pub(super) type AskedModel = (String, Option<String>);

/// What the sessions of a run found out about agents, whichever feature they worked on; each with the reason.
#[derive(Debug, Default)]
pub(super) struct SharedTrouble {
    /// Agents that no unit can work with in this run.
    pub(super) unusable: BTreeMap<String, String>,
    /// Models that an agent does not have.
    pub(super) refused: BTreeMap<AskedModel, String>,
    /// How many sessions in a row the model was asked for and said nothing in, for no reason that passes: whichever
    /// units they were of.
    pub(super) silent: BTreeMap<AskedModel, u32>,
    /// Usage limits that one session has met: nobody else needs to meet them.
    pub(super) limited: BTreeMap<AskedModel, UsageLimit>,
    /// Runners that lost a session.
    pub(super) runners: BTreeMap<String, RunnerRest>,
}

/// A usage limit that a session has met.
#[derive(Debug)]
pub(super) struct UsageLimit {
    /// When it ends, as stated or guessed.
    pub(super) until: Timestamp,
    /// Whether the agent said so itself.
    pub(super) stated: bool,
    pub(super) why: String,
}

/// Returns the model that a link's session is asked for.
pub(super) type AskedModelOf<'a> = &'a dyn Fn(&ChainLink) -> Option<String>;

impl SharedTrouble {
    /// Forgets what a session that went well shows to be over.
    pub(super) fn worked(&mut self, agent: &str, now: Timestamp) {
        self.silent.retain(|(silent, _), _| silent != agent);
        // A session that began before the limit was met says nothing of it.
        self.limited
            .retain(|(limited, _), limit| limited != agent || limit.until > now);
    }

    /// Spares the units of a snapshot from finding it out themselves.
    pub(super) fn share(&self, snapshot: &mut Snapshot, model_of: AskedModelOf<'_>) {
        if !self.unusable.is_empty() || !self.refused.is_empty() {
            self.share_unusable(snapshot, model_of);
        }
        if !self.limited.is_empty() {
            self.share_limits(snapshot, model_of);
        }
    }

    fn why_unusable(&self, asked: &AskedModel) -> Option<&String> {
        let agent = self.unusable.get(&asked.0);
        agent.or_else(|| self.refused.get(asked))
    }

    fn share_unusable(&self, snapshot: &mut Snapshot, model_of: AskedModelOf<'_>) {
        let mut shared = Vec::new();
        for member in snapshot.feature.members() {
            let pending = member.status() == UnitStatus::Pending;
            let Some(unit) = member.unit.filter(|_| pending) else {
                continue;
            };
            let chain = asked(snapshot, unit, model_of);
            let trouble = snapshot.trouble.get(member.id());
            let mut trouble = trouble.cloned().unwrap_or_default();
            let why = |next: usize| chain.get(next).and_then(|asked| self.why_unusable(asked));
            while let Some(why) = why(trouble.next) {
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

    /// Lets the units beside one that met a usage limit wait for the same moment, or ask the next of their chain
    /// meanwhile. When the limit's end was a guess, one of them tries it.
    fn share_limits(&self, snapshot: &mut Snapshot, model_of: AskedModelOf<'_>) {
        let Some(gate) = snapshot.feature.current_gate() else {
            return;
        };
        let now = snapshot.now;
        let mut shared = Vec::new();
        // Those that run already are the ones that try.
        let mut members = snapshot.feature.frontier(gate);
        members.sort_by_key(|member| !snapshot.running.contains(member.id()));
        let mut trying: BTreeSet<&AskedModel> = BTreeSet::new();
        for member in &members {
            let human = |unit: &&Unit| unit.unit_type() == UnitType::Human;
            let Some(unit) = member.unit.filter(|unit| !human(unit)) else {
                continue;
            };
            let own = snapshot.trouble.get(member.id());
            let own = own.cloned().unwrap_or_default();
            let chain = asked(snapshot, unit, model_of);
            let met = chain.get(own.next);
            let Some((asked, limit)) = met.and_then(|asked| self.limited.get_key_value(asked))
            else {
                continue;
            };
            let over = limit.until <= now;
            // One that cannot start itself must not keep the others waiting.
            let may_try = own.wait_until.is_none_or(|until| until <= now)
                && snapshot
                    .base
                    .get(member.id())
                    .is_none_or(|base| base.red.is_empty());
            let tries = over && (limit.stated || !may_try || trying.insert(asked));
            if tries || snapshot.running.contains(member.id()) {
                continue;
            }
            shared.push((member.id().to_owned(), limit.beside(own, chain.len(), now)));
        }
        snapshot.trouble.extend(shared);
    }
}

impl UsageLimit {
    /// Returns what the limit means for a unit beside the one that met it.
    fn beside(&self, own: AgentTrouble, chain: usize, now: Timestamp) -> AgentTrouble {
        let lasts = self.until.duration_since(now) > LONGEST_RESET;
        let (next, wait_until) = match own.next + 1 < chain || lasts {
            true => (own.next + 1, None),
            false => {
                let until = self.until.max(now.saturating_add(SOON).unwrap_or(now));
                (own.next, own.wait_until.max(Some(until)))
            }
        };
        AgentTrouble {
            next,
            wait_until,
            why: self.why.clone(),
            ..own
        }
    }
}

/// Returns the chain of a unit's next attempt, an agent and its model each.
fn asked(snapshot: &Snapshot, unit: &Unit, model_of: AskedModelOf<'_>) -> Vec<AskedModel> {
    let id = unit
        .id
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    let used = snapshot.attempts_of(&id, unit).len();
    let nth = u32::try_from(used).unwrap_or(u32::MAX).saturating_add(1);
    let links = model_selection::chain(snapshot, unit, nth);
    let asked = links.into_iter().map(|link| {
        let model = model_of(&link);
        (link.agent, model)
    });
    asked.collect()
}
