//! What the units of a gate will likely take, from the repository's own log.

use super::ReviewSection;
use gatewalk_core::engine::forecast::{
    self, FinishedUnit, Forecast, LEAST_HISTORY, LikelyRange, WorkDriver,
};
use gatewalk_core::engine::limit_windows::MetLimits;
use gatewalk_core::engine::model_selection::DEFAULT_AGENT;
use gatewalk_core::model::config::Config;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::money::usd;
use gatewalk_core::model::unit::{Unit, UnitType};
use std::collections::BTreeMap;

/// What is known of earlier work.
pub(in crate::cli::review) struct KnownWork {
    pub(in crate::cli::review) units: Vec<FinishedUnit>,
    /// The usage limits that agents have met.
    pub(in crate::cli::review) limits: Vec<MetLimits>,
}

/// Returns each open unit with what it will likely take, all of them together, and which usage limits they will meet.
pub(in crate::cli::review) fn forecast(
    (feature, config): (&Feature, &Config),
    gate: usize,
    known: &KnownWork,
) -> ReviewSection {
    let open = feature
        .members_of(gate)
        .filter(|m| !m.status().is_settled() && m.unit_type() != UnitType::Human);
    let units: Vec<(&str, &Unit)> = open
        .filter_map(|m| Some((m.node.id.value.as_str(), m.unit?)))
        .collect();
    let (mut each, mut all, mut thin) = (vec![], vec![], vec![]);
    let mut by_agent: BTreeMap<&str, f64> = BTreeMap::new();
    let mut kinds: Vec<UnitType> = Vec::new();
    for (id, unit) in &units {
        let seconds = by_agent.entry(first_agent(feature, config, unit));
        let seconds = seconds.or_default();
        let (kind, model) = (unit.unit_type(), first_model(feature, gate, config, unit));
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
        match forecast::of_unit(unit, model, &known.units) {
            Some(found) => {
                *seconds += found.seconds.middle;
                each.push(format!("{id}: {}", in_words(&found, model)));
                all.push(found);
            }
            None => thin.push(format!("{id} ({})", forecast::of_type(unit, &known.units))),
        }
    }
    // A long gate is shown cut short: what is true of all of it comes first.
    let mut lines: Vec<String> = together(&all).into_iter().collect();
    for limit in &known.limits {
        let seconds = by_agent.get(limit.agent.as_str());
        lines.extend(seconds.map(|seconds| limit_in_words(limit, *seconds)));
    }
    if !thin.is_empty() {
        lines.push(format!(
            "the log is too thin to say it of {}: {LEAST_HISTORY} finished units of the same type are needed",
            thin.join(", ")
        ));
    }
    let driven = kinds.into_iter();
    lines.extend(driven.filter_map(|kind| driven_by(kind, &known.units)));
    lines.extend(each);
    ReviewSection {
        title: "Likely, by finished units of the same type that are about as long and have about as many criteria".to_owned(),
        lines,
    }
}

/// Returns the agent that a unit asks for first.
fn first_agent<'a>(feature: &'a Feature, config: &'a Config, unit: &'a Unit) -> &'a str {
    let levels = [
        &unit.front.agent,
        &feature.plan.front.agent,
        &config.front.agent,
    ];
    let named = levels
        .into_iter()
        .flatten()
        .find_map(|list| list.value.0.first());
    named.map_or(DEFAULT_AGENT, |entry| &entry.value.agent)
}

/// Returns whether work of so many seconds will likely meet a limit; only what was met where nothing is known of the work.
fn limit_in_words(limit: &MetLimits, seconds: f64) -> String {
    let hours = |seconds: f64| format!("{:.1} h", seconds / 3600.0);
    let times = match limit.times {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    };
    let met = format!(
        "{} met its usage limit {times}, the last time on {}, after {} of sessions",
        limit.agent,
        limit.last.strftime("%Y-%m-%d"),
        hours(limit.seconds)
    );
    match seconds {
        0.0 => met,
        _ if seconds >= limit.seconds => {
            format!("{met}: these {} will likely meet it", hours(seconds))
        }
        _ => format!("{met}: these {} will likely not", hours(seconds)),
    }
}

fn in_words(found: &Forecast, model: Option<&str>) -> String {
    let on = model.filter(|_| found.same_model);
    let on = on.map_or(String::new(), |model| format!(" on {model}"));
    format!("{}; by {} units{on}", amounts(found), found.units)
}

/// Returns what several units will take together; nothing for one.
fn together(all: &[Forecast]) -> Option<String> {
    let [first, _, ..] = all else { return None };
    let sum = |of: &dyn Fn(&Forecast) -> Option<LikelyRange>| {
        let each: Vec<LikelyRange> = all.iter().filter_map(of).collect();
        (each.len() == all.len())
            .then(|| forecast::together(&each))
            .flatten()
    };
    let whole = Forecast {
        attempts: sum(&|f| Some(f.attempts))?,
        cost_usd: sum(&|f| f.cost_usd),
        seconds: sum(&|f| Some(f.seconds))?,
        ..*first
    };
    Some(format!("together: {}", amounts(&whole)))
}

fn amounts(found: &Forecast) -> String {
    let whole = |value: f64| format!("{value:.0}");
    let attempts = match whole(found.attempts.low) == whole(found.attempts.high) {
        true => whole(found.attempts.middle),
        false => format!(
            "{} to {}",
            whole(found.attempts.low),
            whole(found.attempts.high)
        ),
    };
    let minutes = |value: f64| format!("{:.0}", (value / 60.0).ceil());
    let cost = found
        .cost_usd
        .as_ref()
        .map_or("cost unknown".to_owned(), money);
    format!(
        "attempts {attempts}; {cost}; {} min ({} to {})",
        minutes(found.seconds.middle),
        minutes(found.seconds.low),
        minutes(found.seconds.high),
    )
}

/// Returns what the work of a type depends on, by the finished units; nothing where they are too few.
fn driven_by(kind: UnitType, history: &[FinishedUnit]) -> Option<String> {
    let effects = forecast::drivers(kind, history);
    let each = effects.iter().map(|effect| {
        let what = match &effect.driver {
            WorkDriver::Length => "the longer half".to_owned(),
            WorkDriver::Criteria => "those with more criteria".to_owned(),
            WorkDriver::Model(model) => format!("those on {model}"),
        };
        let cost = effect
            .cost_usd
            .map(|times| format!(", {times:.1} times the money"));
        format!(
            "{what} took {:.1} times the attempts{}",
            effect.attempts,
            cost.unwrap_or_default()
        )
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| format!("of finished units of type {kind}, {}", each.join("; ")))
}

/// Returns the model that a unit's first attempt asks for, where one is named.
fn first_model<'a>(
    feature: &'a Feature,
    gate: usize,
    config: &'a Config,
    unit: &'a Unit,
) -> Option<&'a str> {
    let of_gate = feature
        .gate(gate)
        .and_then(|gate| gate.front.model.as_ref());
    let of_plan = feature.plan.front.model.as_ref();
    let levels = [
        unit.front.model.as_ref(),
        of_gate,
        of_plan,
        config.front.model.as_ref(),
    ];
    levels
        .into_iter()
        .flatten()
        .next()
        .map(|model| &*model.value)
}

fn money(range: &LikelyRange) -> String {
    format!(
        "{} ({} to {})",
        usd(range.middle),
        usd(range.low),
        usd(range.high)
    )
}
