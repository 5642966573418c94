//! What a feature cost and where it went: attempts, money, waste by cause, from its log.
//!
//! Unknown cost is counted as unknown, never as nothing.

use super::log_reader::{Log, LoggedAttempt};
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::status_machine::{UnitStatus, Word};
use serde::Serialize;
use std::collections::BTreeMap;

/// Attempts, money and time of one kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sum {
    /// How many attempts are added up.
    pub attempts: u32,
    /// US dollars, of those that are known.
    pub cost_usd: f64,
    /// How many attempts have no known cost.
    pub unknown_cost: u32,
    /// Seconds, of those that are known.
    pub seconds: f64,
}

impl Sum {
    fn add(&mut self, tried: &LoggedAttempt) {
        self.attempts += 1;
        match tried.cost_usd {
            Some(cost) => self.cost_usd += cost,
            None => self.unknown_cost += 1,
        }
        self.seconds += tried.seconds.unwrap_or(0.0);
    }

    fn join(&mut self, other: &Sum) {
        self.attempts += other.attempts;
        self.cost_usd += other.cost_usd;
        self.unknown_cost += other.unknown_cost;
        self.seconds += other.seconds;
    }
}

/// The figures of a feature, or of several.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Stats {
    /// The feature's id, or `total`.
    pub feature: String,
    /// Its status.
    pub status: String,
    /// Units of the graph.
    pub units: u32,
    /// Units that are done.
    pub done: u32,
    /// Every attempt.
    pub all: Sum,
    /// Attempts that passed.
    pub passed: u32,
    /// What failed attempts cost.
    pub wasted: Sum,
    /// The same by cause.
    pub waste: BTreeMap<String, Sum>,
    /// What closing and planning sessions cost, passed or not.
    pub ceremony: Sum,
    /// Planned cost of the units that name one, in US dollars.
    pub(crate) planned_usd: f64,
    /// How often a unit was parked for the user.
    pub escalations: u32,
    /// How often one was sent back to work.
    pub(crate) unblocked: u32,
    /// Lines of the log that could not be read.
    pub unreadable: u32,
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
    for tried in log.attempts() {
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
        total.unreadable += s.unreadable;
    }
    total
}
