//! What a session is asked for: agent, model and effort, and what is left to spend.
//!
//! The nearest word counts: the ladder on a retry, then the unit, its gate, its plan, its type in
//! the project's settings, the project. A model belongs to the program it was named beside: no other of
//! the chain is asked for it.

use super::snapshot::Snapshot;
use crate::agents::chain_of_word;
use crate::model::agent_entry::{AgentEntry, Effort, ModelName};
use crate::model::frontmatter::{OneOrMany, Spanned};
use crate::model::unit::{RetryOverride, Unit};

/// The agent of a plan that names none.
pub const DEFAULT_AGENT: &str = "claude";

/// One agent of a unit's chain, with what its session is asked for; the agent's own defaults where absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChainLink {
    /// The agent, in the user's or the plan's words.
    pub agent: String,
    /// The model, in the agent's own words.
    pub model: Option<String>,
    /// The agent that the model was named for, where that is another one.
    pub model_of: Option<String>,
    /// How much thought is asked for, in the words of this program.
    pub effort: Option<Effort>,
}

/// Returns the agents a unit may run with, the first preferred, and what each is asked for at the `nth`
/// attempt, counted from 1.
pub fn chain(s: &Snapshot, unit: &Unit, nth: u32) -> Vec<ChainLink> {
    let words = AgentWords::of(s, unit, nth);
    if let Some(word) = &s.options.agent {
        let named = chain_of_word(word).into_iter();
        return named.map(|named| words.named_link(named)).collect();
    }
    if words.planned.is_empty() {
        return vec![words.link(DEFAULT_AGENT, None)];
    }
    let entries = words.planned.iter().map(|entry| &entry.value);
    entries
        .map(|entry| words.link(&entry.agent, Some(entry)))
        .collect()
}

/// Returns how many agents that chain has, at any attempt. It is asked of every unit that is ready, at every step.
pub(crate) fn chain_length(s: &Snapshot, unit: &Unit) -> usize {
    if let Some(word) = &s.options.agent {
        return chain_of_word(word).len();
    }
    let lists = [
        &unit.front.agent,
        &s.feature.plan.front.agent,
        &s.config.front.agent,
    ];
    let named = lists.into_iter().flatten();
    let mut lengths = named.map(|list| list.value.0.len());
    lengths.find(|length| *length > 0).unwrap_or(1)
}

/// Everything that is said about a unit's agents.
struct AgentWords<'a> {
    /// The parts of the ladder that the attempt has reached, the latest first.
    overrides: Vec<&'a RetryOverride>,
    /// What each level asks for, the nearest to the unit first.
    levels: [AskLevel<'a>; 5],
    /// The chain that counts, and its level.
    planned: &'a [Spanned<AgentEntry>],
    place: usize,
}

/// A place that names agents, models and efforts.
struct AskLevel<'a> {
    chain: &'a [Spanned<AgentEntry>],
    model: Option<&'a str>,
    effort: Option<Effort>,
}

type AgentList = Option<Spanned<OneOrMany<AgentEntry>>>;

impl<'a> AskLevel<'a> {
    fn new(
        chain: Option<&'a AgentList>,
        model: Option<&'a Spanned<ModelName>>,
        effort: Option<&'a Spanned<Effort>>,
    ) -> AskLevel<'a> {
        let chain = chain.and_then(|chain| chain.as_ref());
        AskLevel {
            chain: chain.map_or(&[][..], |list| &list.value.0),
            model: model.map(|m| &*m.value),
            effort: effort.map(|e| e.value),
        }
    }
}

impl<'a> AgentWords<'a> {
    fn of(s: &'a Snapshot, unit: &'a Unit, nth: u32) -> AgentWords<'a> {
        let levels = levels(s, unit);
        let place = levels.iter().position(|level| !level.chain.is_empty());
        AgentWords {
            overrides: overrides_until(unit, nth),
            planned: place.map_or(&[][..], |place| levels[place].chain),
            place: place.unwrap_or(0),
            levels,
        }
    }

    /// Returns the link of an agent that the user named for this run; a model that they named with it counts.
    fn named_link(&self, (agent, model): (&str, Option<&str>)) -> ChainLink {
        let mut planned = self.planned.iter().map(|entry| &entry.value);
        let link = self.link(agent, planned.find(|entry| entry.agent == agent));
        match model {
            None => link,
            Some(model) => ChainLink {
                model: Some(model.to_owned()),
                model_of: None,
                ..link
            },
        }
    }

    fn link(&self, agent: &str, entry: Option<&AgentEntry>) -> ChainLink {
        let first = self.planned.first().map(|first| &first.value);
        // A model beside a chain is its first agent's; where no agent is named, whoever works is asked for it.
        let owner = first.filter(|first| first.agent != agent);
        let of_entry = entry.and_then(|entry| entry.model.as_deref());
        let (model, model_of) = match owner {
            None => (self.model(of_entry), None),
            Some(_) if of_entry.is_some() => (of_entry, None),
            Some(owner) => {
                let model = self.model(owner.model.as_deref());
                (model, model.map(|_| owner.agent.clone()))
            }
        };
        let retried = self.overrides.iter().find_map(|step| step.effort.as_ref());
        let retried = retried.map(|effort| effort.value);
        let of_entry = entry.and_then(|entry| entry.effort);
        ChainLink {
            agent: agent.to_owned(),
            model: model.map(str::to_owned),
            model_of,
            effort: retried.or_else(|| self.nearest(of_entry, |level| level.effort)),
        }
    }

    /// Returns the model that the chain's first agent is asked for.
    fn model(&self, of_entry: Option<&'a str>) -> Option<&'a str> {
        let retried = self.overrides.iter().find_map(|step| step.model.as_ref());
        let retried = retried.map(|model| &*model.value);
        retried.or_else(|| self.nearest(of_entry, |level| level.model))
    }

    /// Returns what the nearest level names; what the chain's entry says stands at the level of the chain.
    fn nearest<T>(
        &self,
        of_entry: Option<T>,
        of: impl Fn(&AskLevel<'a>) -> Option<T>,
    ) -> Option<T> {
        let (nearer, further) = self.levels.split_at(self.place);
        let nearer = nearer.iter().find_map(&of);
        nearer.or(of_entry).or_else(|| further.iter().find_map(&of))
    }
}

fn levels<'a>(s: &'a Snapshot, unit: &'a Unit) -> [AskLevel<'a>; 5] {
    let gate = unit.id.as_ref().and_then(|id| {
        let member = s.feature.member(&id.to_string())?;
        s.feature.gate(member.gate)
    });
    let gate = gate.map(|gate| &gate.front);
    let by_type = s.config.front.by_type.as_ref().map(|list| &list.value);
    let typed = by_type
        .into_iter()
        .flatten()
        .map(|defaults| &defaults.value)
        .find(|defaults| defaults.unit_type.as_ref().map(|t| t.value) == Some(unit.unit_type()));
    let (own, plan, config) = (&unit.front, &s.feature.plan.front, &s.config.front);
    [
        AskLevel::new(Some(&own.agent), own.model.as_ref(), own.effort.as_ref()),
        AskLevel::new(
            None,
            gate.and_then(|g| g.model.as_ref()),
            gate.and_then(|g| g.effort.as_ref()),
        ),
        AskLevel::new(Some(&plan.agent), plan.model.as_ref(), plan.effort.as_ref()),
        AskLevel::new(
            None,
            typed.and_then(|t| t.model.as_ref()),
            typed.and_then(|t| t.effort.as_ref()),
        ),
        AskLevel::new(
            Some(&config.agent),
            config.model.as_ref(),
            config.effort.as_ref(),
        ),
    ]
}

/// Returns the overrides of the ladder that an attempt has reached, the latest first: what one does
/// not set stays as it was.
fn overrides_until(unit: &Unit, nth: u32) -> Vec<&RetryOverride> {
    let ladder = unit.front.ladder.as_ref().map_or(&[][..], |l| &l.value);
    let reached = ladder.len().min(nth.saturating_sub(1) as usize);
    ladder[..reached].iter().rev().map(|r| &r.value).collect()
}

/// Returns what a session of a unit may cost: the least that its own budget, its gate's, its
/// feature's and the run's leave. `None` where none is set.
pub(crate) fn budget_left(s: &Snapshot, id: &str, unit: &Unit) -> Option<f64> {
    let of_unit = unit.front.budget_usd.as_ref();
    least([
        of_unit.map(|b| (b.value - s.unit_cost(id)).max(0.0)),
        shared_budget_left(s, id),
        s.options
            .budget_usd
            .map(|budget| (budget - s.run_cost_usd).max(0.0)),
    ])
}

/// Returns what the budgets leave that a unit shares with others: its gate's and its feature's.
pub(crate) fn shared_budget_left(s: &Snapshot, id: &str) -> Option<f64> {
    let gate = s.feature.member(id).map(|member| member.gate);
    let of_gate = gate
        .and_then(|gate| s.feature.gate(gate))
        .and_then(|gate| gate.front.cost_budget_usd.as_ref())
        .or(s.config.front.gate_budget_usd.as_ref());
    let of_feature = s.feature.plan.front.budget_usd.as_ref();
    least([
        of_gate.map(|b| (b.value - s.cost(gate)).max(0.0)),
        of_feature.map(|b| (b.value - s.cost(None)).max(0.0)),
    ])
}

fn least<const N: usize>(budgets: [Option<f64>; N]) -> Option<f64> {
    budgets.into_iter().flatten().min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests;
