//! The section of RETROSPECTIVE.md that needs no session: what the records say of a gate.

use super::auto_close::Decision;
use super::record::AttemptRecord;
use crate::model::feature::Feature;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Returns a gate's section: what ran, attempts, cost against plan, failure classes, time.
pub fn of_gate(
    feature: &Feature,
    gate: usize,
    attempts: &BTreeMap<String, Vec<AttemptRecord>>,
    decision: &Decision,
) -> String {
    let number = feature.gate_number(gate);
    let mut text = format!(
        "# Gate {number}\n\nWritten from the records; the gate closed without a session.\n\n"
    );
    text.push_str("## Cost analysis\n\n| Unit | Status | Attempts | Cost | Planned | Seconds |\n|---|---|---|---|---|---|\n");
    let mut classes: BTreeMap<&str, u32> = BTreeMap::new();
    for member in feature
        .members_of(gate)
        .filter(|m| !m.unit_type().is_closing())
    {
        let records = attempts.get(member.id()).map_or(&[][..], Vec::as_slice);
        for class in records
            .iter()
            .filter_map(|a| a.judgement.as_ref()?.failure_class.as_deref())
        {
            *classes.entry(class).or_default() += 1;
        }
        let known: Vec<f64> = records.iter().filter_map(|a| a.figures.cost_usd).collect();
        let cost = if known.is_empty() {
            "unknown".to_owned()
        } else {
            format!("${:.2}", known.iter().sum::<f64>())
        };
        let planned = member.unit.and_then(|u| u.front.planned_cost_usd.as_ref());
        let planned = planned.map_or_else(|| "–".to_owned(), |p| format!("${:.2}", p.value));
        let seconds: f64 = records.iter().map(|a| a.figures.duration_seconds).sum();
        writeln!(
            text,
            "| {} | {} | {} | {cost} | {planned} | {seconds:.0} |",
            member.id(),
            member.status(),
            records.len(),
        )
        .expect("writing to a string");
    }
    if !classes.is_empty() {
        text.push_str("\n### Failure-class breakdown\n\n");
        for (class, count) in classes {
            writeln!(text, "- {class}: {count}").expect("writing to a string");
        }
    }
    text.push_str("\n## Why no session was needed\n\n");
    for condition in &decision.conditions {
        writeln!(text, "- {}: {}", condition.name, condition.detail).expect("writing to a string");
    }
    text
}
