//! Everything `step` looks at: plain data, read afresh before every decision.

use super::attempt_record::{AttemptRecord, ChargedAttempts};
use super::broad_report::BroadReport;
use super::coverage::{self, Gap, RequirementCoverage};
use super::red_command::RedCommand;
use crate::model::config::Config;
use crate::model::feature::Feature;
use crate::model::unit::Unit;
use crate::model::verification::Verification;
use crate::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the base said to a unit's oracle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BaseReport {
    /// Commands that are red although they should be green.
    pub(crate) red: Vec<RedCommand>,
    /// Red-first checks that are green already.
    pub(crate) vacuous: Vec<String>,
    /// What the red ones said.
    pub evidence: String,
}

/// What the user asked of this run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunOptions {
    /// How many slots work at once, those of runners included, at least 1.
    pub jobs: usize,
    /// Those of runners: the first ones.
    pub runners: Vec<super::runner_slots::RunnerSlots>,
    /// Which of the slots this feature's sessions may have.
    pub places: super::runner_slots::SessionPlaces,
    /// Overrides the agent of every unit.
    pub agent: Option<String>,
    /// Never close a gate without a session.
    pub force_full_close: bool,
    /// Start units side by side although their `touches` overlap.
    pub optimistic: bool,
    /// The most that the sessions of this run may cost together, in US dollars.
    pub budget_usd: Option<f64>,
}

/// How a unit's agents fared in this run for reasons outside the work.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct AgentTrouble {
    /// Index in the chain to use next; past its end when none is left.
    pub(crate) next: usize,
    /// How often in a row that one could not work; also what tells one try from the next.
    pub(crate) tries: u32,
    /// When the next try may start.
    pub(crate) wait_until: Option<jiff::Timestamp>,
    /// What happened last, for the user to read.
    pub(crate) why: String,
    /// Whether it ended by itself, and printed why.
    pub(crate) explained_crash: bool,
    /// The runner whose fault it was, where it was one's.
    pub(crate) runner: Option<String>,
    /// How often something happened.
    pub(crate) times: u32,
}

/// Everything `step` looks at.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The feature at the tip of its branch.
    pub feature: Arc<Feature>,
    /// The oracle at the tip.
    pub verification: Verification,
    /// The settings at the tip.
    pub(crate) config: Config,
    /// The tip of the branch.
    pub tip: ObjectId,
    /// Charged attempts by unit, in order.
    pub attempts: Arc<ChargedAttempts>,
    /// What attempts cost that were not charged, by unit, in US dollars.
    pub(crate) uncharged_cost: BTreeMap<String, f64>,
    /// What the sessions of this run have cost so far, whichever feature they worked for, in US dollars.
    pub(crate) run_cost_usd: f64,
    /// Units of which an attempt failed by what was red on its base already: the base is asked first from then on.
    pub inherited: BTreeSet<String>,
    /// Units that landed in this run, in order.
    pub(crate) landed: Arc<Vec<Arc<str>>>,
    /// On which attempt, by unit and number, a unit's is judged, or waits to be.
    pub(crate) stands_on: BTreeMap<String, (String, u32)>,
    /// Units an action is working on.
    pub(crate) running: BTreeSet<String>,
    /// What the tip said to units' oracles; absent where not asked yet.
    pub base: BTreeMap<String, BaseReport>,
    /// Agents that could not work.
    pub(crate) trouble: BTreeMap<String, AgentTrouble>,
    /// Deliverables of the current gate's done units that are not in the tip's tree.
    pub(crate) missing_deliverables: Vec<String>,
    /// What the tip's files said to the broad tier of the current gate; absent where not asked yet.
    pub(crate) broad: Option<BroadReport>,
    /// What the requirements' checks say on the tip; only read where it decides: at the end.
    pub(crate) requirements: Vec<RequirementCoverage>,
    /// What the user asked.
    pub(crate) options: RunOptions,
    /// The time of the look, so that the step needs no clock.
    pub(crate) now: jiff::Timestamp,
}

impl Snapshot {
    /// Returns a unit's attempts since it was armed last.
    pub fn attempts_of(&self, id: &str, unit: &Unit) -> Vec<&AttemptRecord> {
        let all = self.attempts.get(id).map_or(&[][..], |all| all.as_slice());
        all.iter().filter(|a| a.belongs_to(unit)).collect()
    }

    /// Returns whether what a unit's last attempt stands on has still to be judged or to land.
    pub(crate) fn stands_on_open(&self, id: &str) -> bool {
        let Some((unit, number)) = self.stands_on.get(id) else {
            return false;
        };
        let settled = self
            .feature
            .member(unit)
            .is_none_or(|m| m.status().is_settled());
        let last = self.attempts.get(unit.as_str()).and_then(|all| all.last());
        let may_land = |a: &AttemptRecord| {
            a.number == *number && a.judgement.as_ref().is_none_or(|j| j.passed())
        };
        !settled && last.is_some_and(may_land)
    }

    /// Returns what a unit cost over its life, landed or not, as far as is known.
    pub(crate) fn unit_cost(&self, unit: &str) -> f64 {
        let charged = self
            .attempts
            .get(unit)
            .map_or(&[][..], |all| all.as_slice());
        let pinned = charged
            .iter()
            .filter_map(|a| a.figures.cost_usd)
            .sum::<f64>()
            + self.uncharged_cost.get(unit).copied().unwrap_or(0.0);
        let filed = self
            .feature
            .member(unit)
            .and_then(|m| m.unit)
            .and_then(Unit::lifetime_cost_usd)
            .unwrap_or(0.0);
        pinned.max(filed)
    }

    /// Returns the requirements whose own checks do not show them on the tip. What was not read counts as not shown.
    pub(crate) fn gaps(&self) -> Vec<Gap> {
        let known = |id: &str| self.requirements.iter().any(|r| r.requirement == id);
        let all = coverage::of_feature(&self.feature, |_| coverage::CheckResult::NotRun);
        let asked = |row: &RequirementCoverage| !row.proofs.is_empty();
        let unread = all.iter().filter(|row| !known(&row.requirement));
        let unread = unread
            .filter(|row| asked(row) || coverage::is_forgotten(row, &all))
            .map(|row| Gap {
                requirement: row.requirement.clone(),
                why: match asked(row) {
                    true => "its checks are asked once the units are done".to_owned(),
                    false => row.summary(),
                },
            });
        let mut gaps = coverage::gaps(&self.requirements);
        gaps.extend(unread);
        gaps
    }

    /// Returns what the units of a gate cost, or of the whole feature.
    pub(crate) fn cost(&self, gate: Option<usize>) -> f64 {
        self.feature
            .members()
            .filter(|m| gate.is_none_or(|g| m.gate == g))
            .map(|m| self.unit_cost(m.id()))
            .sum()
    }
}
