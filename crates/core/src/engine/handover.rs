//! What a session reports beside its work, and who reads it: a unit that depends on another gets its
//! summary, a closing unit the follow-ups and reflection notes of its gate. All of it is advice.

use super::evidence::{one_line, plain};
use super::log_reader::Log;
use super::secrets;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::layout;
use crate::model::unit::Unit;
use serde_json::Value;
use std::collections::BTreeMap;

/// Most characters of one reported text.
const TEXT_CHARS: usize = 1_000;
/// Most texts of one list.
const LIST_ITEMS: usize = 20;
/// The section of a gate's file that its planner reads.
const REFLECTION: &str = "Reflection notes";
/// What the template has there.
const TEMPLATE_NOTE: &str =
    "For the user who reviews the gate: what surprised you, what the next gate should know.";

/// Returns a session's text as it is kept for good: no secrets, no terminal sequences, bounded.
pub(crate) fn kept(text: &str) -> String {
    let text = secrets::redact(&plain(text));
    match text.char_indices().nth(TEXT_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns a session's list as it is kept for good.
pub(crate) fn kept_list(items: Option<&Vec<String>>) -> Vec<String> {
    let items = items.map_or(&[][..], Vec::as_slice);
    items.iter().take(LIST_ITEMS).map(|i| kept(i)).collect()
}

/// What the session of a unit's last passed attempt reported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionReport {
    /// What it says it did.
    pub(crate) summary: Option<String>,
    /// How it says each criterion was checked.
    pub(crate) criteria: Vec<String>,
    /// What it leaves to others.
    pub follow_ups: Vec<String>,
}

/// Returns the reports of a feature's landed units, by unit.
pub fn reports(feature: &Feature) -> BTreeMap<String, SessionReport> {
    reports_of(feature, None)
}

/// Returns the reports of some units, or of all; of a long log, the lines of others are not parsed.
fn reports_of(feature: &Feature, units: Option<&[&str]>) -> BTreeMap<String, SessionReport> {
    let Some(log) = feature.others.get(layout::EVENTS) else {
        return BTreeMap::new();
    };
    let outcomes = Log::select_about(log, &["attempt_outcome"], units);
    let passed = outcomes
        .into_iter()
        .filter(|e| e.payload.get("outcome") == Some(&"passed".into()));
    passed.map(|e| (e.id, report(&e.payload))).collect()
}

fn report(payload: &Value) -> SessionReport {
    let list = |key: &str| -> Vec<String> {
        let items = payload.get(key).and_then(Value::as_array);
        let texts = items.into_iter().flatten().filter_map(Value::as_str);
        texts.map(kept).collect()
    };
    let summary = payload.get("agent_summary").and_then(Value::as_str);
    SessionReport {
        summary: summary.map(kept),
        criteria: list("agent_criteria"),
        follow_ups: list("agent_follow_ups"),
    }
}

/// Returns what earlier sessions and the user leave to a unit's session; empty for nothing.
pub(crate) fn section(feature: &Feature, gate: usize, unit: &Unit) -> String {
    let own = feature
        .members_of(gate)
        .find(|m| m.unit.is_some_and(|u| u.path() == unit.path()));
    let Some(own) = own else {
        return String::new();
    };
    let closing = unit.unit_type().is_closing();
    if own.node.depends_on.is_empty() && !closing {
        return String::new();
    }
    let read: Vec<PlannedUnit<'_>> = match closing {
        true => feature.members_of(gate).collect(),
        false => feature
            .members()
            .filter(|m| own.node.depends_on.iter().any(|d| d.value == m.id()))
            .collect(),
    };
    let units: Vec<&str> = read.iter().map(PlannedUnit::id).collect();
    let reports = reports_of(feature, Some(&units));
    let lines: String = read
        .iter()
        .filter_map(|m| Some(lines(m, reports.get(m.id())?)))
        .collect();
    let mut text = String::new();
    if !lines.is_empty() {
        text.push_str(
            "# What earlier sessions report\n\nTheir own words, not verified; the files are what counts.\n\n",
        );
        text.push_str(&lines);
    }
    if closing && let Some(notes) = reflection(feature, gate) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str("# The gate's reflection notes\n\n");
        text.push_str(&notes);
    }
    text
}

/// Returns what the user wrote for a unit when arming it.
pub(crate) fn arming_notes(feature: &Feature, unit: &Unit) -> Vec<String> {
    let Some(id) = unit.id.as_ref().map(ToString::to_string) else {
        return vec![];
    };
    let log = feature.others.get(layout::EVENTS);
    // Most logs have no note, and a prompt is built for every unit of a dry run.
    let log = log.filter(|bytes| contains(bytes, b"\"note\":\""));
    let armed = log.map_or_else(Vec::new, |bytes| Log::parse(bytes).events);
    let notes = armed.iter().filter_map(|event| {
        let units = event.payload.get("units")?.as_array()?;
        let named = units.iter().any(|u| u.as_str() == Some(id.as_str()));
        let note = event.payload.get("note")?.as_str()?;
        (named && event.event_type == "gate_armed").then(|| one_line(note))
    });
    notes.collect()
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    memchr::memmem::find(bytes, wanted).is_some()
}

fn lines(member: &PlannedUnit<'_>, report: &SessionReport) -> String {
    let mut text = String::new();
    if let Some(summary) = &report.summary {
        text.push_str(&format!("- {}: {}\n", member.id(), one_line(summary)));
    }
    for follow_up in &report.follow_ups {
        text.push_str(&format!(
            "- {} leaves to others: {}\n",
            member.id(),
            one_line(follow_up)
        ));
    }
    text
}

/// Returns what the user wrote below a gate's reflection notes; the template's own line is no note.
fn reflection(feature: &Feature, gate: usize) -> Option<String> {
    let doc = &feature.gate(gate)?.doc;
    let sections = doc.sections();
    let found = sections
        .iter()
        .find(|s| s.name.eq_ignore_ascii_case(REFLECTION))?;
    let text = doc.text.get(found.content.clone())?;
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.trim() != TEMPLATE_NOTE)
        .collect();
    let text = lines.join("\n");
    (!text.trim().is_empty()).then(|| format!("{}\n", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_snapshot::snapshot_with;

    #[test]
    fn the_templates_own_line_is_no_note() {
        let template = include_str!("../../assets/templates/GATE.md");
        assert!(template.contains(&format!("\n{TEMPLATE_NOTE}\n")));
        for (note, wanted) in [
            (TEMPLATE_NOTE, None),
            ("Slow tests.", Some("Slow tests.\n")),
        ] {
            let mut s = snapshot_with("active | G1 open: T01 done", "");
            let path = s.feature.gate(0).unwrap().doc.path.clone();
            let text = format!(
                "---\ngate: 1\nstatus: open\n---\n\n# Gate 1\n\n## Reflection notes\n\n{note}\n"
            );
            let gate = crate::model::gate::Gate::parse(path, text.as_bytes());
            std::sync::Arc::make_mut(&mut s.feature)
                .gates
                .values_mut()
                .for_each(|g| *g = gate.clone());
            assert_eq!(reflection(&s.feature, 0).as_deref(), wanted, "{note}");
        }
    }
}
