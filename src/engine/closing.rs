//! What a closing session finds prepared, must leave, and may not touch.
//!
//! The same questions are asked by the driver after the session, by `lint --closing` inside it, and
//! are listed in its prompt: one list, so that a session can know beforehand what it is judged by.
//! All of it is a function of the feature before and after; deliberately absent: reading trees.

use super::bookkeeping::{Edits, contract_hash};
use super::guards::Violation;
use super::retrospective;
use crate::model::document::Document;
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::status::{GateStatus, UnitStatus};
use crate::model::unit::{PLACEHOLDER_OPEN, Unit, UnitType, Verdict};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One thing that must be so at the end of a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    /// A requirement's id, or `G1.2`.
    pub id: String,
    /// What must be so.
    pub text: String,
}

/// What a session found about a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Not looked at yet.
    Open,
    /// Shown to be so.
    Met,
    /// Not so, or not shown.
    NotMet,
}

/// A criterion's entry in `GATE-NN-CRITERIA.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The criterion's id.
    pub id: String,
    /// What the session found.
    pub state: State,
    /// The command or file that shows it.
    pub shown_by: String,
    /// What has to be done when it is not met.
    pub follow_up: String,
}

/// Returns the file name of a gate's criteria: `GATE-01-CRITERIA.md`.
pub fn criteria_file(number: u32) -> String {
    format!("GATE-{number:02}-CRITERIA.md")
}

/// Returns what must be so at the end of a gate: its definition of done, and at the terminal gate
/// every requirement that is not deferred.
pub fn criteria(feature: &Feature, gate: usize) -> Vec<Criterion> {
    let number = feature.gate_number(gate);
    let mut all = Vec::new();
    if let Some(file) = feature.gate(gate) {
        let points = file.doc.bullets_under("Definition of done");
        let points = points.into_iter().filter(|b| b.depth == 1);
        all.extend(points.enumerate().map(|(i, b)| Criterion {
            id: format!("G{number}.{}", i + 1),
            text: b.text.trim().to_owned(),
        }));
    }
    if feature.terminal_gate() == Some(gate) {
        all.extend(requirements(feature).into_iter().map(|r| Criterion {
            id: r.id,
            text: r.text,
        }));
    }
    all
}

/// Returns the plan's requirements that are not deferred.
pub fn requirements(feature: &Feature) -> Vec<Criterion> {
    let bullets = feature.plan.doc.bullets_under("Requirements");
    bullets
        .into_iter()
        .filter_map(|b| {
            let text = b.text.trim();
            let (id, rest) = text.split_once([':', ' '])?;
            let id = id.trim_matches(['*', '`', ':']);
            let deferred = rest.to_lowercase().contains("(deferred");
            (id.starts_with("REQ-") && !deferred).then(|| Criterion {
                id: id.to_owned(),
                text: rest.trim_start_matches([':', ' ']).to_owned(),
            })
        })
        .collect()
}

/// Returns the files a closing session finds prepared, those that are not there yet.
pub fn skeletons(feature: &Feature, gate: usize, unit: &Unit) -> Edits {
    let number = feature.gate_number(gate);
    let mut edits = Vec::new();
    match unit.unit_type() {
        UnitType::Close | UnitType::CloseIntermediate => {
            let old = feature.others.get(layout::RETROSPECTIVE);
            if !old.is_some_and(|b| has_section(b, number)) {
                let section = retrospective::of_gate(feature, gate, None);
                let text = retrospective::with_section(old.map(|b| &**b), &section);
                edits.push((feature.path(layout::RETROSPECTIVE), text));
            }
            let name = criteria_file(number);
            let criteria = criteria(feature, gate);
            if !criteria.is_empty() && !feature.others.contains_key(&name) {
                edits.push((feature.path(&name), criteria_page(number, &criteria)));
            }
        }
        UnitType::PlanNext => {
            let next = number + 1;
            let name = layout::review_file(next);
            if !feature.others.contains_key(&name) {
                edits.push((feature.path(&name), review_page(feature, next)));
            }
        }
        _ => {}
    }
    edits
}

fn criteria_page(number: u32, criteria: &[Criterion]) -> String {
    let mut text = format!(
        "# Gate {number}: criteria\n\nEach one is looked at: `state` becomes `met` or `not_met`, `shown by` names the \
         command or file that shows it, and one that is not met gets a `follow-up`. There is nothing in between.\n"
    );
    for c in criteria {
        text.push_str(&format!(
            "\n### {}\n\n- criterion: {}\n- state: open\n- shown by:\n- follow-up:\n",
            c.id, c.text
        ));
    }
    text
}

/// Returns the review that a planner of a gate fills in.
pub fn review_page(feature: &Feature, next: u32) -> String {
    let fill = PLACEHOLDER_OPEN;
    let goal = feature.plan.front.roadmap_goal.as_ref();
    let goal = goal.map_or("", |g| g.value.trim());
    format!(
        "# Review of gate {next}\n\nThe goal: {goal}\n\n\
         ## Does what was learned still support this gate?\n\n{fill} yes or no, and by what>\n\n\
         ## What changed against the earlier plan\n\n{fill} what, and why; gates not yet reached included>\n\n\
         ## What to doubt\n\n{fill} assumptions, risks, what no check shows>\n\n\
         ## Open questions\n\n{fill} `- [ ] blocking: …` for each that must be answered first, or none>\n"
    )
}

/// Returns true when a retrospective has a section of a gate.
fn has_section(bytes: &[u8], number: u32) -> bool {
    let doc = Document::parse(Arc::from(layout::RETROSPECTIVE), bytes);
    let wanted = format!("gate {number}");
    doc.sections().iter().any(|s| {
        let name = s.name.to_lowercase();
        let rest = name.strip_prefix(&wanted);
        rest.is_some_and(|r| !r.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Reads a criteria file: `### ID` and bullets `- state: …`, `- shown by: …`, `- follow-up: …`.
pub fn entries(text: &str) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    for line in text.lines() {
        if let Some(id) = line.strip_prefix("### ") {
            all.push(Entry {
                id: id.trim().to_owned(),
                state: State::Open,
                shown_by: String::new(),
                follow_up: String::new(),
            });
            continue;
        }
        let (Some(entry), Some(rest)) = (all.last_mut(), line.trim_start().strip_prefix("- "))
        else {
            continue;
        };
        let Some((key, value)) = rest.split_once(':') else {
            continue;
        };
        let key = key.trim_matches(['*', ' ']).to_lowercase();
        let value = value.trim_matches(['*', '`', ' ']).to_owned();
        match key.as_str() {
            "state" => entry.state = state(&value),
            "shown by" | "oracle" => entry.shown_by = value,
            "follow-up" | "follow up" => entry.follow_up = value,
            _ => {}
        }
    }
    all
}

/// Only one word means met; every hedge means not met.
fn state(word: &str) -> State {
    match word.split_whitespace().next().unwrap_or_default() {
        "" | "open" | "unverified" => State::Open,
        "met" | "pass" => State::Met,
        _ => State::NotMet,
    }
}

/// Returns what a closing session must leave, for its prompt.
pub fn must_leave(feature: &Feature, gate: usize, unit: &Unit) -> Vec<String> {
    let number = feature.gate_number(gate);
    let path = |name: &str| format!("`{}`", feature.path(name));
    let mut all = Vec::new();
    match unit.unit_type() {
        UnitType::Close | UnitType::CloseIntermediate => {
            all.push(format!(
                "{}: the section `# Gate {number}` is begun from the records; below its tables you have written what they mean",
                path(layout::RETROSPECTIVE)
            ));
            if !criteria(feature, gate).is_empty() {
                all.push(format!(
                    "{}: every criterion is `met` with what shows it, or `not_met` with a follow-up; none is open, none is added or removed",
                    path(&criteria_file(number))
                ));
            }
        }
        UnitType::PlanNext => {
            let next = number + 1;
            all.push(format!(
                "{}: nothing that begins with `{PLACEHOLDER_OPEN}` is left",
                path(&layout::review_file(next))
            ));
            all.push(format!(
                "gate {next} has units, each `status: draft`; the plan has no lint error; gates up to {number}, their units and edges are as they were"
            ));
        }
        _ => {}
    }
    if unit.unit_type() == UnitType::Close {
        all.push(format!(
            "`{}`: its frontmatter has `verdict: met` when every criterion is met, else `verdict: not_met`",
            unit.path()
        ));
    }
    all
}

fn violation(class: &'static str, message: impl Into<String>, paths: Vec<String>) -> Violation {
    Violation {
        class,
        message: message.into(),
        paths,
    }
}

/// What a closing session left, looked at against what was there before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looked {
    /// What fails the attempt: everything at once.
    pub violations: Vec<Violation>,
    /// What a person should see at the gate.
    pub notices: Vec<String>,
}

/// Looks at what a closing session left. `own_text` is its unit's file as the session left it.
pub fn look(before: &Feature, after: &Feature, gate: usize, unit: &Unit, own_text: &str) -> Looked {
    let mut looked = Looked::default();
    match unit.unit_type() {
        UnitType::Close | UnitType::CloseIntermediate => {
            reflection(before, after, gate, unit, &mut looked);
            verdict(before, after, gate, unit, own_text, &mut looked);
        }
        UnitType::PlanNext => plan_next(before, after, gate, &mut looked),
        _ => {}
    }
    looked
}

fn reflection(before: &Feature, after: &Feature, gate: usize, unit: &Unit, looked: &mut Looked) {
    let number = before.gate_number(gate);
    let path = before.path(layout::RETROSPECTIVE);
    let begun = skeletons(before, gate, unit);
    let begun = begun.iter().find(|(p, _)| *p == path);
    let old = before.others.get(layout::RETROSPECTIVE);
    let old = begun
        .map(|(_, text)| text.as_bytes())
        .or(old.map(|b| &**b))
        .unwrap_or_default();
    let new = after.others.get(layout::RETROSPECTIVE).map(|b| &**b);
    let told =
        new.is_some_and(|new| has_section(new, number) && new.trim_ascii() != old.trim_ascii());
    if !told {
        looked.violations.push(violation(
            "missing_retrospective",
            format!("the section of gate {number} says nothing beyond what was prepared"),
            vec![path],
        ));
    }
}

fn verdict(
    before: &Feature,
    after: &Feature,
    gate: usize,
    unit: &Unit,
    own_text: &str,
    looked: &mut Looked,
) {
    let written = Unit::parse(unit.path().clone(), own_text.as_bytes());
    let verdict = written.front.verdict.map(|v| v.value);
    let own = vec![unit.path().to_string()];
    if verdict.is_none() && unit.unit_type() == UnitType::Close {
        looked.violations.push(violation(
            "missing_verdict",
            "a closing unit writes `verdict: met` or `verdict: not_met` into its frontmatter",
            own.clone(),
        ));
    }
    let wanted = prepared_ids(before, gate);
    if wanted.is_empty() {
        return;
    }
    let name = criteria_file(before.gate_number(gate));
    let path = vec![before.path(&name)];
    let text = after.others.get(&name);
    let text = text.map_or_else(String::new, |b| String::from_utf8_lossy(b).into_owned());
    let found = entries(&text);
    let ids: Vec<&str> = found.iter().map(|e| e.id.as_str()).collect();
    if ids != wanted {
        looked.violations.push(violation(
            "criteria_changed",
            format!("the criteria must stay as prepared: {}", wanted.join(", ")),
            path.clone(),
        ));
    }
    let those = |test: &dyn Fn(&Entry) -> bool| -> Vec<&str> {
        let matching = found.iter().filter(|e| test(e));
        matching.map(|e| e.id.as_str()).collect()
    };
    let mut complain = |class: &'static str, what: &str, ids: Vec<&str>| {
        if !ids.is_empty() {
            let message = format!("{what}: {}", ids.join(", "));
            looked
                .violations
                .push(violation(class, message, path.clone()));
        }
    };
    complain(
        "criteria_open",
        "`state` must be `met` or `not_met`",
        those(&|e| e.state == State::Open),
    );
    complain(
        "criteria_unproven",
        "`shown by` must name what shows it",
        those(&|e| e.state == State::Met && e.shown_by.is_empty()),
    );
    complain(
        "missing_follow_up",
        "one that is not met needs a `follow-up`",
        those(&|e| e.state == State::NotMet && e.follow_up.is_empty()),
    );
    let failed = those(&|e| e.state == State::NotMet);
    let contradiction = match verdict {
        Some(Verdict::Met) if !failed.is_empty() => Some(format!(
            "`verdict: met` although these are not met: {}",
            failed.join(", ")
        )),
        Some(Verdict::NotMet) if failed.is_empty() => {
            Some("`verdict: not_met` although no criterion is `not_met`".to_owned())
        }
        _ => None,
    };
    if let Some(message) = contradiction {
        looked
            .violations
            .push(violation("verdict_contradicts", message, own));
    }
    for entry in found.iter().filter(|e| e.state == State::NotMet) {
        looked.notices.push(format!(
            "{} is not met; follow-up: {}",
            entry.id, entry.follow_up
        ));
    }
}

/// Returns the ids the criteria file begins with: of the prepared one, or of the one that was there.
fn prepared_ids(before: &Feature, gate: usize) -> Vec<String> {
    match before.others.get(&criteria_file(before.gate_number(gate))) {
        Some(old) => {
            let entries = entries(&String::from_utf8_lossy(old));
            entries.into_iter().map(|e| e.id).collect()
        }
        None => criteria(before, gate).into_iter().map(|c| c.id).collect(),
    }
}

/// A planner may shape what is not reached yet, and nothing else.
fn plan_next(before: &Feature, after: &Feature, gate: usize, looked: &mut Looked) {
    let number = before.gate_number(gate);
    let plan = after.path(layout::PLAN);
    let mut refuse = |class: &'static str, message: String, paths: Vec<String>| {
        looked.violations.push(violation(class, message, paths));
    };
    if shape(before, ..=gate) != shape(after, ..=gate) {
        let message =
            format!("gates up to {number}, their units, files and edges stay as they are");
        refuse("passed_gate_changed", message, vec![plan.clone()]);
    }
    if front_without_costs(before) != front_without_costs(after) {
        let message =
            "the plan's frontmatter is the person's: goal, branch, status and budgets stay";
        refuse("plan_changed", message.to_owned(), vec![plan.clone()]);
    }
    let removed = lost_requirements(before, after);
    if !removed.is_empty() {
        let message = format!(
            "requirements are the person's; these are gone or reworded: {}",
            removed.join(", ")
        );
        refuse("requirements_changed", message, vec![plan.clone()]);
    }
    let armed: Vec<String> = after
        .members()
        .filter(|m| m.gate > gate && m.unit.is_some())
        .filter(|m| {
            let earlier = before.member(m.id()).map(|b| b.status());
            m.status() != UnitStatus::Draft && earlier != Some(m.status())
        })
        .map(|m| m.unit.map_or_else(String::new, |u| u.path().to_string()))
        .collect();
    if !armed.is_empty() {
        refuse(
            "armed_by_session",
            "units of later gates are drafts; only a person arms them".to_owned(),
            armed,
        );
    }
    let opened: Vec<String> = (gate + 1..after.plan.gates.len())
        .filter(|g| after.gate_status(*g) != GateStatus::Open)
        .filter_map(|g| after.gate(g).map(|f| f.doc.path.to_string()))
        .collect();
    if !opened.is_empty() {
        refuse(
            "gate_moved_by_session",
            "the status of a gate is the driver's and the person's".to_owned(),
            opened,
        );
    }
    let next = number + 1;
    if after.members_of(gate + 1).next().is_none() {
        refuse(
            "nothing_drafted",
            format!("gate {next} has no units"),
            vec![plan],
        );
    }
    let review = layout::review_file(next);
    let text = after.others.get(&review);
    let text = text.map_or_else(String::new, |b| String::from_utf8_lossy(b).into_owned());
    if text.trim().is_empty() || text.contains(PLACEHOLDER_OPEN) {
        let message = format!(
            "the review must say what to doubt; nothing that begins with `{PLACEHOLDER_OPEN}` stays"
        );
        refuse("missing_review", message, vec![after.path(&review)]);
    }
    looked.notices.extend(reshaped(before, after, gate + 1));
}

/// Ids, files and edges of some gates.
fn shape(feature: &Feature, range: std::ops::RangeToInclusive<usize>) -> Vec<(u32, Vec<Node>)> {
    let end = range.end.min(feature.plan.gates.len().saturating_sub(1));
    (0..=end)
        .map(|g| {
            (
                feature.gate_number(g),
                feature.members_of(g).map(|m| node(&m)).collect(),
            )
        })
        .collect()
}

type Node = (String, String, Vec<String>);

fn node(member: &crate::model::feature::Member<'_>) -> Node {
    let edges = member.node.depends_on.iter().map(|d| d.value.clone());
    (
        member.id().to_owned(),
        member.node.file.value.clone(),
        edges.collect(),
    )
}

/// The plan's frontmatter without what a planner may put right: the expected cost.
fn front_without_costs(feature: &Feature) -> BTreeMap<String, String> {
    let front = feature.plan.doc.front.iter();
    front
        .flat_map(|f| f.root.entries())
        .filter(|e| e.key != "planned_cost_usd")
        .map(|e| {
            let text = feature.plan.doc.text.get(e.value.span.clone());
            (e.key.clone(), text.unwrap_or_default().to_owned())
        })
        .collect()
}

fn lost_requirements(before: &Feature, after: &Feature) -> Vec<String> {
    let now = requirements(after);
    let lost = requirements(before)
        .into_iter()
        .filter(|r| !now.contains(r));
    lost.map(|r| r.id).collect()
}

/// Says what changed in units that had been planned before: loud, because nobody asked for it.
fn reshaped(before: &Feature, after: &Feature, from: usize) -> Vec<String> {
    let mut said = Vec::new();
    for old in before.members().filter(|m| m.gate >= from) {
        match after.member(old.id()) {
            None => said.push(format!("reshaped: {} is no longer in the plan", old.id())),
            Some(new) if new.gate != old.gate => said.push(format!(
                "reshaped: {} moved from gate {} to gate {}",
                old.id(),
                before.gate_number(old.gate),
                after.gate_number(new.gate)
            )),
            Some(new) => {
                let hash = |u: Option<&Unit>| u.map(contract_hash);
                if hash(old.unit) != hash(new.unit) || node(&old) != node(&new) {
                    said.push(format!(
                        "reshaped: {} was planned before and is different now",
                        old.id()
                    ));
                }
            }
        }
    }
    let known: Vec<u32> = (0..before.plan.gates.len())
        .map(|g| before.gate_number(g))
        .collect();
    for g in from..after.plan.gates.len() {
        let number = after.gate_number(g);
        if !known.contains(&number) {
            said.push(format!("reshaped: gate {number} is new"));
        }
    }
    said
}

#[cfg(test)]
mod tests;
