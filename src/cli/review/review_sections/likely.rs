//! What the units of a gate will likely take, from the repository's own log.

use super::ReviewSection;
use gatewalk_core::engine::forecast::{self, FinishedUnit, Forecast, LEAST_HISTORY, LikelyRange};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::money::usd;
use gatewalk_core::model::unit::{Unit, UnitType};

/// Returns each open unit with what it will likely take, and all of them together.
pub(in crate::cli::review) fn forecast(
    feature: &Feature,
    gate: usize,
    history: &[FinishedUnit],
) -> ReviewSection {
    let open = feature
        .members_of(gate)
        .filter(|m| !m.status().is_settled());
    let units: Vec<(&str, &Unit)> = open
        .filter(|m| m.unit_type() != UnitType::Human)
        .filter_map(|m| Some((m.node.id.value.as_str(), m.unit?)))
        .collect();
    let (mut lines, mut costs, mut thin) = (vec![], vec![], vec![]);
    for (id, unit) in &units {
        match forecast::of_unit(unit, history) {
            Some(found) => {
                costs.extend(found.cost_usd);
                lines.push(format!("{id}: {}", in_words(&found)));
            }
            None => thin.push(format!("{id} ({})", forecast::of_type(unit, history))),
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
    ReviewSection {
        title: "Likely, by finished units of the same type that are about as long".to_owned(),
        lines,
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
