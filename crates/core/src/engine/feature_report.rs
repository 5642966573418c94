//! What a feature was, for people who were not there: gates, units, attempts, the evidence behind each landing, and how
//! long it waited for somebody. Everything is read from the plan and its log.

use super::feature_stats::{self, Stats};
use super::inherited_cases;
use super::log_reader::{Log, LoggedAttempt, LoggedEvent};
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::layout;
use crate::model::requirements::{self, Requirement};
use crate::model::status_machine::{UnitStatus, Word};
use crate::object_id::ObjectId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A feature as it is reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureReport {
    /// Full id of the feature.
    pub feature: String,
    /// What it is called.
    pub title: String,
    /// The sums over all of its units.
    pub figures: Stats,
    /// The gates in order.
    pub gates: Vec<ReportedGate>,
    /// Requirements, and the units that name them.
    pub requirements: Vec<ReportedRequirement>,
    /// Every attempt in the order of the log.
    pub attempts: Vec<ReportedAttempt>,
    /// Spans of time in which nothing went on before a user acted.
    pub waits: Vec<ReportedWait>,
}

/// A gate with its units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportedGate {
    /// The gate's number in the plan, which counts from 1.
    pub number: u32,
    /// `open`, `awaiting_review` or `passed`.
    pub status: String,
    /// Its units in list order.
    pub units: Vec<ReportedUnit>,
}

/// A unit, and what its landing rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportedUnit {
    /// The id as the plan writes it.
    pub id: String,
    /// Its heading, or its file's name.
    pub title: String,
    /// The status as its file has it.
    pub status: String,
    /// How many attempts are in the log.
    pub attempts: usize,
    /// US dollars of all attempts; none when not all are known.
    pub cost_usd: Option<f64>,
    /// The commit that landed it; none where its history does not have it.
    pub commit: Option<String>,
    /// The commands of the attempt that passed.
    pub evidence: Vec<ReportedCommand>,
    /// What was unusual about that attempt.
    pub notices: Vec<String>,
}

/// One command and what it came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportedCommand {
    /// Its own name, without that of its set.
    pub name: String,
    /// `pass`, `fail`, `skipped` …
    pub verdict: String,
    /// Seconds of wall clock, when known.
    pub seconds: Option<f64>,
    /// Cases that failed as they did before the work.
    pub inherited: Vec<String>,
}

/// A requirement and the units that name it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportedRequirement {
    /// The id as the plan writes it.
    pub id: String,
    /// What follows the id in the plan.
    pub text: String,
    /// `landed` when every unit that names it has, else `not_landed`, `no_unit` or `deferred`.
    pub state: String,
    /// Units and checks that cover it.
    pub units: Vec<String>,
}

/// One attempt in time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportedAttempt {
    /// Full id of the unit.
    pub unit: String,
    /// Which attempt since the unit was armed.
    pub number: u64,
    /// When it began, in seconds since 1970; none when the log does not say.
    pub began: Option<f64>,
    /// How long it took, where the log says it.
    pub seconds: Option<f64>,
    /// Whether its work landed.
    pub passed: bool,
    /// What it failed by, where it did not pass.
    pub cause: Option<String>,
    /// US dollars, when known.
    pub cost_usd: Option<f64>,
}

/// A span that ended when a user acted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportedWait {
    /// What waited: a unit, or the feature at a gate.
    pub of: String,
    /// `gate_reached`, or why the unit was parked.
    pub cause: String,
    /// When it began, in seconds since 1970.
    pub began: f64,
    /// How long it lasted, in seconds.
    pub seconds: f64,
}

/// Returns the report of a feature; `landings` has the commits that landed attempts, by the attempts' names.
pub fn of_feature(feature: &Feature, landings: &BTreeMap<String, ObjectId>) -> FeatureReport {
    let log = feature.others.get(layout::EVENTS);
    let log = log.map_or_else(Log::default, |bytes| Log::parse(bytes));
    let attempts = log.attempts();
    let gates = (0..feature.plan.gates.len()).map(|gate| ReportedGate {
        number: feature.gate_number(gate),
        status: feature.gate_status(gate).word().to_owned(),
        units: feature
            .members_of(gate)
            .map(|member| reported_unit(&member, (&log, landings), &attempts))
            .collect(),
    });
    FeatureReport {
        feature: feature.name(),
        title: feature.plan.title().unwrap_or_else(|| feature.name()),
        figures: feature_stats::of_feature(feature),
        gates: gates.collect(),
        requirements: requirements::of(&feature.plan)
            .iter()
            .map(|r| reported_requirement(feature, r))
            .collect(),
        attempts: attempts.iter().map(reported_attempt).collect(),
        waits: waits(&log.events),
    }
}

fn reported_unit(
    member: &PlannedUnit<'_>,
    (log, landings): (&Log, &BTreeMap<String, ObjectId>),
    attempts: &[LoggedAttempt],
) -> ReportedUnit {
    let own: Vec<_> = attempts.iter().filter(|a| a.unit == member.id()).collect();
    let costs: Option<Vec<f64>> = own.iter().map(|a| a.cost_usd).collect();
    let landed = log.events.iter().rev().find(|e| {
        e.id == member.id() && e.event_type == "attempt_outcome" && e.payload["outcome"] == "passed"
    });
    let list = |key: &str| {
        landed
            .and_then(|e| e.payload[key].as_array())
            .cloned()
            .unwrap_or_default()
    };
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let attempt = landed.and_then(|e| e.payload["attempt_id"].as_str());
    ReportedUnit {
        id: member.id().to_owned(),
        title: member
            .unit
            .map_or_else(|| member.node.file.value.clone(), |unit| unit.title()),
        status: member.status().word().to_owned(),
        attempts: own.len(),
        cost_usd: costs.map(|all| all.iter().sum()),
        commit: attempt
            .and_then(|id| landings.get(id))
            .map(ToString::to_string),
        evidence: list("commands")
            .iter()
            .map(|c| ReportedCommand {
                name: text(&c["name"]),
                verdict: text(&c["verdict"]),
                seconds: c["seconds"].as_f64(),
                inherited: inherited_cases::of_row(c),
            })
            .collect(),
        notices: list("notices").iter().map(text).collect(),
    }
}

fn reported_requirement(feature: &Feature, requirement: &Requirement) -> ReportedRequirement {
    let names = |member: &PlannedUnit<'_>| {
        member
            .unit
            .is_some_and(|unit| requirements::covers(unit, &requirement.id))
    };
    let units: Vec<PlannedUnit<'_>> = feature.members().filter(names).collect();
    let state = match units.is_empty() {
        _ if requirement.deferred => "deferred",
        true => "no_unit",
        false if units.iter().all(|m| m.status() == UnitStatus::Done) => "landed",
        false => "not_landed",
    };
    ReportedRequirement {
        id: requirement.id.clone(),
        text: requirement.text.clone(),
        state: state.to_owned(),
        units: units.iter().map(|m| m.id().to_owned()).collect(),
    }
}

fn reported_attempt(tried: &LoggedAttempt) -> ReportedAttempt {
    let ended = seconds_of(&tried.at);
    ReportedAttempt {
        unit: tried.unit.clone(),
        number: tried.attempt,
        began: ended.map(|ended| ended - tried.seconds.unwrap_or(0.0)),
        seconds: tried.seconds,
        passed: tried.passed,
        cause: tried.cause.clone(),
        cost_usd: tried.cost_usd,
    }
}

/// A stop lasts until the next event of the feature: before it, nothing was done.
fn waits(events: &[LoggedEvent]) -> Vec<ReportedWait> {
    let next = |pair: &[LoggedEvent]| {
        let [stop, next] = pair else { return None };
        let cause = match stop.event_type.as_str() {
            "gate_reached" => "gate_reached",
            "human_escalation" => stop.payload["reason"]
                .as_str()
                .unwrap_or("human_escalation"),
            _ => return None,
        };
        let (began, ended) = (seconds_of(&stop.timestamp)?, seconds_of(&next.timestamp)?);
        (ended > began).then(|| ReportedWait {
            of: stop.id.clone(),
            cause: cause.to_owned(),
            began,
            seconds: ended - began,
        })
    };
    events.windows(2).filter_map(next).collect()
}

fn seconds_of(timestamp: &str) -> Option<f64> {
    let at: Timestamp = timestamp.parse().ok()?;
    Some(at.as_millisecond() as f64 / 1000.0)
}
