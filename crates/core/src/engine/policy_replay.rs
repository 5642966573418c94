//! What the recorded work would have come to under another policy: the log, replayed attempt by attempt.
//!
//! It assumes that what a session came to does not depend on the policy, that the units of a feature run one after the
//! other, and that you take as long for each stop as you did.

use super::log_reader::{Log, LoggedAttempt};
use super::model_rates::ModelRates;
use super::waiting_time::{self, LoggedStop};
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::unit::UnitType;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What would have been done otherwise; nothing where absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReplayPolicy {
    /// The most attempts of a unit since it was armed.
    pub attempts: Option<u32>,
    /// The model of each attempt of a unit, from the first on: there is none beyond them. As recorded where empty.
    pub ladder: Vec<String>,
    /// Whether gates in which nothing went wrong close without a session.
    pub mechanical_close: bool,
    /// How many features are worked at once; one after the other where absent.
    pub wip: Option<u32>,
    /// Slots for all of them.
    pub jobs: Option<u32>,
}

/// What the work comes to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ReplayTotals {
    /// Attempts that are made.
    pub attempts: u32,
    /// How many units land under it.
    pub landed: u32,
    /// US dollars, of the attempts whose cost is known.
    pub cost_usd: f64,
    /// Attempts of which no cost is known.
    pub unknown_cost: u32,
    /// Seconds in which agents work.
    pub agent_seconds: f64,
    /// Stops that wait for a user.
    pub(crate) stops: u32,
    /// Seconds in which nothing runs because all of it waits for a user.
    pub waiting_seconds: f64,
}

/// A stretch of a feature's life: work, then a stop.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Stretch {
    work: f64,
    wait: f64,
}

impl ReplayTotals {
    fn add(&mut self, attempt: &LoggedAttempt, cost_usd: Option<f64>) {
        self.attempts += 1;
        self.landed += u32::from(attempt.passed);
        self.unknown_cost += u32::from(cost_usd.is_none());
        self.cost_usd += cost_usd.unwrap_or(0.0);
        self.agent_seconds += attempt.seconds.unwrap_or(0.0);
    }

    /// Adds a feature's, as the recorded figures are added: sums of fractions depend on the order.
    fn join(&mut self, other: &ReplayTotals) {
        self.attempts += other.attempts;
        self.landed += other.landed;
        self.unknown_cost += other.unknown_cost;
        self.cost_usd += other.cost_usd;
        self.agent_seconds += other.agent_seconds;
        self.stops += other.stops;
        self.waiting_seconds += other.waiting_seconds;
    }
}

/// Returns what the sessions of each model cost that the logs of features name.
pub fn recorded_models<'f>(features: impl Iterator<Item = &'f Feature>) -> ModelRates {
    let attempts: Vec<LoggedAttempt> = features.flat_map(|f| log_of(f).attempts()).collect();
    ModelRates::of(attempts.iter())
}

fn log_of(feature: &Feature) -> Log {
    let log = feature.others.get(layout::EVENTS);
    log.map_or_else(Log::default, |bytes| Log::parse(bytes))
}

/// Replays the logs of features, in the order given; `models` says what an attempt costs on another one.
pub fn replay<'f>(
    features: impl Iterator<Item = &'f Feature>,
    policy: &ReplayPolicy,
    models: &ModelRates,
) -> ReplayTotals {
    let mut totals = ReplayTotals::default();
    let mut lives = Vec::new();
    for feature in features {
        let log = log_of(feature);
        let attempts = log.attempts();
        let stops = waiting_time::stops(&log, &attempts);
        let made = made(feature, &attempts, policy);
        let mut own = ReplayTotals::default();
        for (attempt, nth) in &made {
            let model = policy.ladder.get(*nth as usize - 1);
            let cost = match model {
                Some(model) => models.cost_on(attempt, model),
                None => attempt.cost_usd,
            };
            own.add(attempt, cost);
        }
        own.landed += closed_by_themselves(feature, &attempts, policy);
        own.stops = stops.len() as u32;
        stops
            .iter()
            .for_each(|stop| own.waiting_seconds += stop.seconds());
        totals.join(&own);
        lives.push(stretches(&made, &stops));
    }
    if policy.wip.is_some() || policy.jobs.is_some() {
        totals.waiting_seconds = standstill(&lives, policy);
    }
    totals
}

/// Returns the attempts that are made under a policy, each with how many its unit has had since it was armed.
fn made<'a>(
    feature: &Feature,
    attempts: &'a [LoggedAttempt],
    policy: &ReplayPolicy,
) -> Vec<(&'a LoggedAttempt, u32)> {
    let rungs = (!policy.ladder.is_empty()).then_some(policy.ladder.len() as u32);
    let most = policy.attempts.into_iter().chain(rungs).min();
    let closing = self_closing(feature, attempts, policy);
    let mut used: BTreeMap<&str, u32> = BTreeMap::new();
    let mut kept = Vec::new();
    for attempt in attempts {
        // A number that does not rise belongs to another arming.
        let count = used.entry(&attempt.unit).or_default();
        *count = if attempt.attempt == 1 { 1 } else { *count + 1 };
        let over = most.is_some_and(|most| *count > most);
        if over || closing.contains(attempt.unit.as_str()) {
            continue;
        }
        kept.push((attempt, *count));
    }
    kept
}

/// Returns the closing units that need no session under a policy: of gates in which no attempt failed.
fn self_closing<'a>(
    feature: &Feature,
    attempts: &'a [LoggedAttempt],
    policy: &ReplayPolicy,
) -> BTreeSet<&'a str> {
    if !policy.mechanical_close {
        return BTreeSet::new();
    }
    let troubled: BTreeSet<usize> = attempts
        .iter()
        .filter(|a| !a.passed)
        .filter_map(|a| feature.member(&a.unit))
        .filter(|m| !m.unit_type().is_closing())
        .map(|m| m.gate)
        .collect();
    let closes_itself = |unit: &&str| {
        feature.member(unit).is_some_and(|m| {
            let kind = m.unit_type();
            kind.is_closing() && kind != UnitType::PlanNext && !troubled.contains(&m.gate)
        })
    };
    let units = attempts.iter().map(|a| a.unit.as_str());
    units.filter(closes_itself).collect()
}

/// Counts those of them that landed with a session: they land without one.
fn closed_by_themselves(
    feature: &Feature,
    attempts: &[LoggedAttempt],
    policy: &ReplayPolicy,
) -> u32 {
    let closing = self_closing(feature, attempts, policy);
    let landed = attempts
        .iter()
        .filter(|a| a.passed && closing.contains(a.unit.as_str()));
    landed.count() as u32
}

/// Returns a feature's life: what was worked up to each stop, and how long it stood still then.
fn stretches(attempts: &[(&LoggedAttempt, u32)], stops: &[LoggedStop]) -> Vec<Stretch> {
    let mut life = vec![Stretch::default(); stops.len() + 1];
    for (attempt, _) in attempts {
        let at: Option<jiff::Timestamp> = attempt.at.parse().ok();
        let index = stops
            .iter()
            .filter(|s| at.is_some_and(|at| at > s.at))
            .count();
        life[index].work += attempt.seconds.unwrap_or(0.0);
    }
    for (stretch, stop) in life.iter_mut().zip(stops) {
        stretch.wait = stop.seconds();
    }
    life
}

/// Returns how long nothing runs: with so many features open at once, each slot working for one of them at a time.
fn standstill(lives: &[Vec<Stretch>], policy: &ReplayPolicy) -> f64 {
    let wip = policy.wip.unwrap_or(1).max(1) as usize;
    let jobs = policy.jobs.unwrap_or(1).max(1) as usize;
    let mut waiting = lives.iter();
    // The time at which each open feature goes on, and what is left of it.
    let mut open: Vec<(f64, &[Stretch])> = Vec::new();
    let mut slots = vec![0.0_f64; jobs];
    let (mut busy_until, mut still) = (0.0_f64, 0.0_f64);
    loop {
        while open.len() < wip {
            let Some(life) = waiting.next() else { break };
            let from = slots.iter().copied().fold(f64::INFINITY, f64::min);
            open.push((from, life));
        }
        let next = (0..open.len()).min_by(|a, b| open[*a].0.total_cmp(&open[*b].0));
        let Some(index) = next else { return still };
        let (ready, life) = open[index];
        let Some((stretch, rest)) = life.split_first() else {
            open.remove(index);
            continue;
        };
        let slot = (0..jobs).min_by(|a, b| slots[*a].total_cmp(&slots[*b]));
        let slot = slot.unwrap_or_default();
        let begin = ready.max(slots[slot]);
        let end = begin + stretch.work;
        if stretch.work > 0.0 {
            still += (begin - busy_until).max(0.0);
            busy_until = busy_until.max(end);
            slots[slot] = end;
        }
        open[index] = (end + stretch.wait, rest);
        if rest.is_empty() {
            open.remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::feature_stats;
    use crate::engine::test_snapshot::{FEATURE, snapshot};
    use serde_json::json;

    /// A feature of four units and a close whose log has these attempts: unit, number, outcome, hour of its end.
    fn feature(attempts: &[(&str, u32, &str, u32)], gates: &[u32]) -> Feature {
        let plan = "G1: T01 done; T02 done; T90 done close | G2: T03 done; T91 done close";
        let mut feature = (*snapshot(plan).feature).clone();
        let mut lines: Vec<(u32, String)> = Vec::new();
        for (unit, number, outcome, hour) in attempts {
            let line = json!({
                "timestamp": format!("2026-11-01T{hour:02}:00:00Z"), "correlation_id": format!("{FEATURE}/{unit}"),
                "event_type": "attempt_outcome",
                "payload": {
                    "outcome": outcome, "attempt": number, "cost_usd": 2.0, "duration_seconds": 3600,
                    "output_tokens": if *number == 1 { 100 } else { 50 },
                    "model": if *number == 1 { "small" } else { "big" },
                },
            });
            lines.push((*hour, format!("{line}\n")));
        }
        for hour in gates {
            let line = json!({
                "timestamp": format!("2026-11-01T{hour:02}:00:00Z"), "correlation_id": FEATURE,
                "event_type": "gate_reached", "payload": {},
            });
            lines.push((*hour, format!("{line}\n")));
        }
        lines.sort_by_key(|(hour, _)| *hour);
        let text: String = lines.into_iter().map(|(_, line)| line).collect();
        feature
            .others
            .insert(layout::EVENTS.to_owned(), text.into_bytes().into());
        feature
    }

    const ATTEMPTS: [(&str, u32, &str, u32); 7] = [
        ("T01", 1, "passed", 1),
        ("T02", 1, "failed", 2),
        ("T02", 2, "failed", 3),
        ("T02", 3, "passed", 4),
        ("T90", 1, "passed", 5),
        ("T03", 1, "passed", 10),
        ("T91", 1, "passed", 11),
    ];

    #[test]
    fn the_recorded_policy_gives_what_is_recorded() {
        let feature = feature(&ATTEMPTS, &[5]);
        let recorded = feature_stats::of_feature(&feature);
        let replayed = replay(
            [&feature].into_iter(),
            &ReplayPolicy::default(),
            &ModelRates::default(),
        );
        assert_eq!(replayed.attempts, recorded.all.attempts);
        assert_eq!(Some(replayed.cost_usd), recorded.all.cost_usd);
        assert_eq!(replayed.unknown_cost, recorded.all.unknown_cost);
        assert_eq!(replayed.landed, recorded.passed);
        assert_eq!(replayed.agent_seconds, recorded.all.seconds);
        assert_eq!(replayed.waiting_seconds, recorded.waiting.all.seconds);
        assert_eq!(
            (replayed.stops, replayed.waiting_seconds),
            (1, 4.0 * 3600.0)
        );
    }

    #[test]
    fn fewer_attempts_cost_less_and_land_less() {
        let feature = feature(&ATTEMPTS, &[5]);
        for (attempts, want) in [(3, (7, 5)), (2, (6, 4)), (1, (5, 4))] {
            let policy = ReplayPolicy {
                attempts: Some(attempts),
                ..ReplayPolicy::default()
            };
            let got = replay([&feature].into_iter(), &policy, &ModelRates::default());
            assert_eq!((got.attempts, got.landed), want, "{attempts}");
        }
    }

    #[test]
    fn a_ladder_names_the_model_of_each_attempt_and_there_is_none_beyond_it() {
        let feature = feature(&ATTEMPTS, &[5]);
        // A token costs twice as much on the bigger one; five first attempts, a second and a third.
        let models = recorded_models([&feature].into_iter());
        for (ladder, attempts, want) in [
            (&["small", "big"][..], None, (6, 4, 12.0)),
            (&["small", "big", "big"], None, (7, 5, 14.0)),
            (&["small", "big", "big"], Some(1), (5, 4, 10.0)),
            (&["big"], None, (5, 4, 20.0)),
            (&["small", "small", "small"], None, (7, 5, 12.0)),
        ] {
            let policy = ReplayPolicy {
                ladder: ladder.iter().map(|model| (*model).to_owned()).collect(),
                attempts,
                ..ReplayPolicy::default()
            };
            let got = replay([&feature].into_iter(), &policy, &models);
            assert_eq!((got.attempts, got.landed, got.cost_usd), want, "{ladder:?}");
        }
    }

    #[test]
    fn only_a_gate_without_a_failure_closes_itself() {
        let feature = feature(&ATTEMPTS, &[5]);
        let policy = ReplayPolicy {
            mechanical_close: true,
            ..ReplayPolicy::default()
        };
        let got = replay([&feature].into_iter(), &policy, &ModelRates::default());
        assert_eq!((got.attempts, got.cost_usd), (6, 12.0), "T91 is not needed");
        assert_eq!(got.landed, 5, "and lands all the same");
    }

    #[test]
    fn features_beside_each_other_fill_each_others_waits() {
        let one = feature(&[("T01", 1, "passed", 1), ("T03", 1, "passed", 4)], &[1]);
        let all = [&one, &one, &one];
        for (wip, jobs, want) in [
            (None, None, 6.0),
            (Some(2), None, 3.0),
            (Some(3), None, 0.0),
            (Some(3), Some(3), 2.0),
        ] {
            let policy = ReplayPolicy {
                wip,
                jobs,
                ..ReplayPolicy::default()
            };
            let got = replay(all.into_iter(), &policy, &ModelRates::default());
            assert_eq!(got.waiting_seconds / 3600.0, want, "{wip:?} {jobs:?}");
            assert_eq!(got.agent_seconds, 6.0 * 3600.0);
        }
    }
}
