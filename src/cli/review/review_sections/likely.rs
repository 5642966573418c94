//! What the units of a gate will likely take, from the repository's own log.

use super::ReviewSection;
use gatewalk_core::engine::forecast::{self, FinishedUnit, Forecast, LEAST_HISTORY, LikelyRange};
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
        .filter(|m| !m.status().is_settled());
    let units: Vec<(&str, &Unit)> = open
        .filter(|m| m.unit_type() != UnitType::Human)
        .filter_map(|m| Some((m.node.id.value.as_str(), m.unit?)))
        .collect();
    let (mut lines, mut costs, mut thin) = (vec![], vec![], vec![]);
    let mut by_agent: BTreeMap<&str, f64> = BTreeMap::new();
    for (id, unit) in &units {
        let seconds = by_agent.entry(first_agent(feature, config, unit));
        let seconds = seconds.or_default();
        match forecast::of_unit(unit, &known.units) {
            Some(found) => {
                costs.extend(found.cost_usd);
                *seconds += found.seconds.middle;
                lines.push(format!("{id}: {}", in_words(&found)));
            }
            None => thin.push(format!("{id} ({})", forecast::of_type(unit, &known.units))),
        }
    }
    if lines.len() > 1
        && let Some(all) = forecast::together(&costs)
    {
        lines.push(format!("together: {}", money(&all)));
    }
    if !thin.is_empty() {
        lines.push(format!(
            "the log is too thin to say it of {}: {LEAST_HISTORY} finished units of the same type are needed",
            thin.join(", ")
        ));
    }
    for limit in &known.limits {
        let seconds = by_agent.get(limit.agent.as_str());
        lines.extend(seconds.map(|seconds| limit_in_words(limit, *seconds)));
    }
    ReviewSection {
        title: "Likely, by finished units of the same type that are about as long".to_owned(),
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

fn in_words(found: &Forecast) -> String {
    let whole = |value: f64| format!("{value:.0}");
    let attempts = match found.attempts.low == found.attempts.high {
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
        "attempts {attempts}; {cost}; {} min ({} to {}); by {} units",
        minutes(found.seconds.middle),
        minutes(found.seconds.low),
        minutes(found.seconds.high),
        found.units
    )
}

fn money(range: &LikelyRange) -> String {
    format!(
        "{} ({} to {})",
        usd(range.middle),
        usd(range.low),
        usd(range.high)
    )
}
