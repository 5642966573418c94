//! The section of RETROSPECTIVE.md that needs no session: what the log records of a gate.

use super::close_decision::Decision;
use super::evidence::one_line;
use super::inbox_items;
use super::log_reader::{Log, LoggedAttempt};
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::layout;
use crate::model::money::{KnownCost, usd};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Returns a gate's section: what ran, attempts, cost against plan, failure classes, time; and why
/// no session was needed, when none was.
///
/// It is made from the feature's files alone, so that whoever has them can make it again.
pub(crate) fn of_gate(feature: &Feature, gate: usize, decision: Option<&Decision>) -> String {
    let number = feature.gate_number(gate);
    let log = feature.others.get(layout::EVENTS);
    let attempts = log.map_or_else(Vec::new, |bytes| Log::parse(bytes).attempts());
    let mut text = format!("# Gate {number}\n\n## Cost analysis\n\n");
    text.push_str(
        "| Unit | Status | Attempts | Cost | Planned | Seconds |\n|---|---|---|---|---|---|\n",
    );
    let mut classes: BTreeMap<&str, u32> = BTreeMap::new();
    for member in feature
        .members_of(gate)
        .filter(|m| !m.unit_type().is_closing())
    {
        let tried: Vec<&LoggedAttempt> =
            attempts.iter().filter(|a| a.unit == member.id()).collect();
        for class in tried.iter().filter_map(|a| a.cause.as_deref()) {
            *classes.entry(class).or_default() += 1;
        }
        text.push_str(&unit_row(&member, &tried));
    }
    if !classes.is_empty() {
        text.push_str("\n### Failure-class breakdown\n\n");
        for (class, count) in classes {
            writeln!(text, "- {class}: {count}").expect("writing to a string");
        }
    }
    text.push_str(&noticed(feature, gate));
    text.push_str(&decision.map_or_else(String::new, unneeded_session));
    text
}

fn unit_row(member: &PlannedUnit<'_>, tried: &[&LoggedAttempt]) -> String {
    let planned = member.unit.and_then(|u| u.front.planned_cost_usd.as_ref());
    let planned = planned.map_or_else(|| "–".to_owned(), |p| usd(p.value));
    format!(
        "| {} | {} | {} | {} | {planned} | {} |\n",
        member.id(),
        member.status(),
        tried.len(),
        KnownCost::sum(tried.iter().map(|a| a.cost_usd)),
        known(tried.iter().filter_map(|a| a.seconds), |s| format!(
            "{s:.0}"
        )),
    )
}

fn unneeded_session(decision: &Decision) -> String {
    let mut text = "\n## Why no session was needed\n\n".to_owned();
    for condition in &decision.conditions {
        let remedy = condition
            .remedy
            .map_or_else(String::new, |r| format!("; {r}"));
        writeln!(text, "- {}: {}{remedy}", condition.name, condition.detail)
            .expect("writing to a string");
    }
    text
}

/// Returns what is open of a gate's units, as a list; empty for nothing.
fn noticed(feature: &Feature, gate: usize) -> String {
    let here = |item: &inbox_items::InboxItem| {
        let from = item.from.as_deref().and_then(|id| feature.member(id));
        from.is_some_and(|m| m.gate == gate)
    };
    let lines: String = inbox_items::open(feature)
        .iter()
        .filter(|item| here(item))
        .map(|item| {
            let from = item.from.as_deref().unwrap_or_default();
            format!("- {from}: {}\n", one_line(&item.text))
        })
        .collect();
    match lines.is_empty() {
        true => lines,
        false => format!("\n## What was noticed, and is open in the inbox\n\n{lines}"),
    }
}

/// Sums what is known; nothing known is unknown.
fn known(values: impl Iterator<Item = f64>, show: impl Fn(f64) -> String) -> String {
    values
        .reduce(|a, b| a + b)
        .map_or_else(|| "unknown".to_owned(), show)
}

/// Returns a text with a section behind it, one blank line between.
pub(crate) fn with_section(old: Option<&[u8]>, section: &str) -> String {
    let mut text = old
        .map(|b| String::from_utf8_lossy(b).into_owned())
        .unwrap_or_default();
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
    }
    text.push_str(section);
    text
}
