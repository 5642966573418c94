//! What a feature cost and where it went: attempts, money, waste by cause, from its log.
//!
//! Unknown cost is counted as unknown, never as nothing.

use super::log_reader::{Log, LoggedAttempt};
use super::waiting_time::{self, WaitingTime};
use super::witness::witness_record;
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::money::KnownCost;
use crate::model::status_machine::{UnitStatus, Word};
use crate::model::unit::Unit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Attempts, money and time of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sum {
    /// How many attempts are added up.
    pub attempts: u32,
    /// US dollars, of those that are known; none where no attempt's is.
    pub cost_usd: Option<f64>,
    /// How many attempts have no known cost.
    pub unknown_cost: u32,
    /// Of how many the cost is by a list of prices, not by the program.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub estimated_cost: u32,
    /// Seconds, of those that are known.
    pub seconds: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Default for Sum {
    fn default() -> Sum {
        Sum {
            attempts: 0,
            cost_usd: Some(0.0),
            unknown_cost: 0,
            estimated_cost: 0,
            seconds: 0.0,
        }
    }
}

impl Sum {
    fn add(&mut self, tried: &LoggedAttempt) {
        self.attempts += 1;
        self.unknown_cost += u32::from(tried.cost_usd.is_none());
        self.estimated_cost += u32::from(tried.cost_estimated);
        self.add_cost(tried.cost_usd);
        self.seconds += tried.seconds.unwrap_or(0.0);
    }

    fn join(&mut self, other: &Sum) {
        self.attempts += other.attempts;
        self.unknown_cost += other.unknown_cost;
        self.estimated_cost += other.estimated_cost;
        self.add_cost(other.cost_usd);
        self.seconds += other.seconds;
    }

    fn add_cost(&mut self, cost: Option<f64>) {
        let any_known = self.attempts == 0 || self.attempts > self.unknown_cost;
        let sum = self.cost_usd.unwrap_or(0.0) + cost.unwrap_or(0.0);
        self.cost_usd = any_known.then_some(sum);
    }
}

/// The figures of a feature, or of several.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// The feature's id, or `total`.
    pub feature: String,
    /// The status as its file has it.
    pub status: String,
    /// Units of the graph.
    pub units: u32,
    /// Units that are done.
    pub done: u32,
    /// The sum over every attempt, failed ones included.
    pub all: Sum,
    /// How many of them passed.
    pub passed: u32,
    /// What failed attempts cost.
    pub wasted: Sum,
    /// The same by cause.
    pub waste: BTreeMap<String, Sum>,
    /// What closing and planning sessions cost, passed or not.
    pub ceremony: Sum,
    /// Planned cost of the units that name one, in US dollars.
    pub planned_usd: f64,
    /// How often a unit was parked for the user.
    pub escalations: u32,
    /// How often one was sent back to work.
    pub(crate) unblocked: u32,
    /// How long work stood still for the user.
    pub waiting: WaitingTime,
    /// Lines of the log that could not be read.
    pub unreadable: u32,
    /// Units of which is known what no check sees.
    pub witnessed: u32,
    /// Places in them that no check sees.
    pub unwitnessed: u32,
}

/// Returns the figures of one feature.
pub fn of_feature(feature: &Feature) -> Stats {
    let log = feature.others.get(layout::EVENTS);
    let log = log.map_or_else(Log::default, |bytes| Log::parse(bytes));
    let mut stats = Stats {
        feature: feature.name(),
        status: feature.plan.status().word().to_owned(),
        unreadable: log.unreadable as u32,
        escalations: log.count("human_escalation") as u32,
        unblocked: log.count("re_arm_dispatched") as u32,
        ..Stats::default()
    };
    for member in feature.members() {
        stats.units += 1;
        stats.done += u32::from(member.status() == UnitStatus::Done);
        let planned = member.unit.and_then(|u| u.front.planned_cost_usd.as_ref());
        stats.planned_usd += planned.map_or(0.0, |p| p.value);
    }
    for report in witness_record::of_feature(feature).into_values() {
        stats.witnessed += 1;
        stats.unwitnessed += report.unwitnessed.len() as u32;
    }
    let attempts = log.attempts();
    stats.waiting = waiting_time::of_log(&log, &attempts);
    for tried in attempts {
        stats.all.add(&tried);
        let closing = feature
            .member(&tried.unit)
            .is_some_and(|m| m.unit_type().is_closing());
        if closing {
            stats.ceremony.add(&tried);
        }
        if tried.passed {
            stats.passed += 1;
        } else {
            stats.wasted.add(&tried);
            let cause = tried.cause.clone().unwrap_or_else(|| "unknown".to_owned());
            stats.waste.entry(cause).or_default().add(&tried);
        }
    }
    stats
}

/// Returns what a gate's units cost: their attempts in the log, or else what their files say.
pub fn gate_cost(feature: &Feature, gate: usize) -> KnownCost {
    let log = feature.others.get(layout::EVENTS);
    let attempts = log.map_or_else(Vec::new, |bytes| Log::parse(bytes).attempts());
    KnownCost::sum(feature.members_of(gate).flat_map(|m| {
        let logged: Vec<Option<f64>> = attempts
            .iter()
            .filter(|a| a.unit == m.id())
            .map(|a| a.cost_usd)
            .collect();
        let filed = m.unit.and_then(Unit::lifetime_cost_usd);
        match logged.iter().all(Option::is_none) && filed.is_some() {
            true => vec![filed],
            false => logged,
        }
    }))
}

/// Returns the figures of several features together.
pub fn total(all: &[Stats]) -> Stats {
    let mut total = Stats {
        feature: "total".to_owned(),
        ..Stats::default()
    };
    for s in all {
        total.units += s.units;
        total.done += s.done;
        total.all.join(&s.all);
        total.passed += s.passed;
        total.wasted.join(&s.wasted);
        for (cause, sum) in &s.waste {
            total.waste.entry(cause.clone()).or_default().join(sum);
        }
        total.ceremony.join(&s.ceremony);
        total.planned_usd += s.planned_usd;
        total.escalations += s.escalations;
        total.unblocked += s.unblocked;
        total.waiting.join(&s.waiting);
        total.unreadable += s.unreadable;
        total.witnessed += s.witnessed;
        total.unwitnessed += s.unwitnessed;
    }
    total
}
