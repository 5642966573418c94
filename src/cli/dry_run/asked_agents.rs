//! Who works on a unit at which attempt, and what each is asked for: model and effort.

use super::text;
use gatewalk_core::agents::{self, CommandAgent};
use gatewalk_core::engine::model_selection::{self, ChainLink};
use gatewalk_core::engine::snapshot::Snapshot;
use gatewalk_core::model::status_machine::Word as _;
use gatewalk_core::model::unit::Unit;
use serde_json::{Value, json};

/// The agents of a unit at an attempt, as the run would ask them.
pub(super) fn chain(
    s: &Snapshot,
    unit: &Unit,
    profiles: &[CommandAgent],
    nth: u32,
) -> Vec<ChainLink> {
    let mut links = model_selection::chain(s, unit, nth);
    links.iter_mut().for_each(|link| of_profile(profiles, link));
    links
}

/// A profile's own model wins, whatever the plan names; an effort that the agent's program is not told is not asked for.
fn of_profile(profiles: &[CommandAgent], link: &mut ChainLink) {
    let own = profiles.iter().find(|own| own.name == link.agent);
    let adapter = agents::by_name(own.map_or(&*link.agent, |own| own.adapter));
    if adapter.is_some_and(|agent| !agent.takes_effort()) {
        link.effort = None;
    }
    if let Some(model) = own.and_then(|own| own.model.clone()) {
        link.model = Some(model);
        link.model_of = None;
    }
}

/// Returns the later attempts at which another model or effort is asked for, each with its chain.
pub(super) fn retries(
    s: &Snapshot,
    unit: &Unit,
    profiles: &[CommandAgent],
    nth: u32,
) -> Vec<Value> {
    let mut before = chain(s, unit, profiles, nth);
    let mut rows = Vec::new();
    // Behind its last step the ladder changes nothing.
    let steps = unit.front.ladder.as_ref().map_or(0, |l| l.value.len());
    let last = u32::try_from(steps + 1).unwrap_or(u32::MAX);
    for later in nth + 1..=unit.max_attempts().min(last) {
        let links = chain(s, unit, profiles, later);
        if links != before {
            rows.push(json!({"attempt": later, "chain": rows_of(&links)}));
            before = links;
        }
    }
    rows
}

/// Returns the rows of a chain.
pub(super) fn rows_of(links: &[ChainLink]) -> Vec<Value> {
    let row = |link: &ChainLink| {
        json!({
            "agent": link.agent,
            "model": link.model.as_deref().filter(|_| link.model_of.is_none()),
            "effort": link.effort.map(|effort| effort.word()),
        })
    };
    links.iter().map(row).collect()
}

/// Returns a unit's agents as a line says them.
pub(super) fn shown(chain: &Value) -> String {
    let links = chain.as_array().map_or(&[][..], Vec::as_slice);
    let alike = links.windows(2).all(|two| asked(&two[0]) == asked(&two[1]));
    if let (true, [first, ..]) = (alike, links) {
        let names: Vec<&str> = links.iter().map(|link| text(&link["agent"])).collect();
        return format!("{}, {}", names.join(", then "), asked(first));
    }
    let each = links
        .iter()
        .map(|link| format!("{} ({})", text(&link["agent"]), asked(link)));
    each.collect::<Vec<_>>().join(", then ")
}

/// Returns what an agent is asked for, in words.
fn asked(link: &Value) -> String {
    let model = match link["model"].as_str() {
        Some(model) => format!("model {model}"),
        None => "its own model".to_owned(),
    };
    match link["effort"].as_str() {
        Some(effort) => format!("{model}, effort {effort}"),
        None => model,
    }
}
