//! What a closing session writes about its gate: the reflection, each criterion, the verdict. Binary all
//! through; a criterion is met by what shows it, and a requirement only by how its checks end.

use super::skeletons::{has_section, skeletons};
use super::{ClosingFindings, ClosingReview, violation};
use crate::engine::failure_class::FailureClass;
use crate::engine::gate_criteria::{criteria, criteria_file};
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::unit::{Unit, UnitType, Verdict};

/// What a session found about a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CriterionState {
    /// Not looked at yet.
    Open,
    /// Shown to be so.
    Met,
    /// Not so, or not shown.
    NotMet,
}

/// A criterion's entry in `GATE-NN-CRITERIA.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriterionEntry {
    /// The id that the gate file gives the criterion.
    pub id: String,
    /// What the session found.
    pub state: CriterionState,
    /// The command or file that shows it.
    pub(crate) shown_by: String,
    /// What has to be done when it is not met.
    pub follow_up: String,
}

/// Reads a criteria file: `### ID` and bullets `- state: …`, `- shown by: …`, `- follow-up: …`.
pub fn entries(text: &str) -> Vec<CriterionEntry> {
    let mut all: Vec<CriterionEntry> = Vec::new();
    for line in text.lines() {
        if let Some(id) = line.strip_prefix("### ") {
            all.push(CriterionEntry {
                id: id.trim().to_owned(),
                state: CriterionState::Open,
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
fn state(word: &str) -> CriterionState {
    match word.split_whitespace().next().unwrap_or_default() {
        "" | "open" | "unverified" => CriterionState::Open,
        "met" | "pass" => CriterionState::Met,
        _ => CriterionState::NotMet,
    }
}

pub(super) fn reflection(asked: &ClosingReview<'_>, after: &Feature, looked: &mut ClosingFindings) {
    let ClosingReview {
        before, gate, unit, ..
    } = *asked;
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
    let written =
        new.is_some_and(|new| has_section(new, number) && new.trim_ascii() != old.trim_ascii());
    if !written {
        looked.violations.push(violation(
            FailureClass::MissingRetrospective,
            format!("the section of gate {number} holds nothing beyond what was prepared"),
            vec![path],
        ));
    }
}

fn contradiction(verdict: Option<Verdict>, failed: &[&CriterionEntry]) -> Option<String> {
    match verdict {
        Some(Verdict::Met) if !failed.is_empty() => Some(format!(
            "`verdict: met` although these are not met: {}",
            ids(failed)
        )),
        Some(Verdict::NotMet) if failed.is_empty() => {
            Some("`verdict: not_met` although no criterion is `not_met`".to_owned())
        }
        _ => None,
    }
}

/// Looks at the verdict and at the criteria it rests on; all that is wrong is reported at once.
pub(super) fn verdict(
    asked: &ClosingReview<'_>,
    after: &Feature,
    own_text: &str,
    looked: &mut ClosingFindings,
) {
    let ClosingReview {
        before, gate, unit, ..
    } = *asked;
    let written = Unit::parse(unit.path().clone(), own_text.as_bytes());
    let verdict = written.front.verdict.map(|v| v.value);
    let own = vec![unit.path().to_string()];
    if verdict.is_none() && unit.unit_type() == UnitType::Close {
        looked.violations.push(violation(
            FailureClass::MissingVerdict,
            "a closing unit writes `verdict: met` or `verdict: not_met` into its frontmatter",
            own.clone(),
        ));
    }
    let name = criteria_file(before.gate_number(gate));
    let text = after.others.get(&name);
    let text = text.map_or_else(String::new, |b| String::from_utf8_lossy(b).into_owned());
    let found = entries(&text);
    refuse_unshown(asked, verdict, &found, looked);
    let wanted = prepared_ids(before, gate);
    if wanted.is_empty() {
        return;
    }
    look_at_entries(&found, &wanted, &before.path(&name), looked);
    let failed: Vec<&CriterionEntry> = found
        .iter()
        .filter(|e| e.state == CriterionState::NotMet)
        .collect();
    if let Some(message) = contradiction(verdict, &failed) {
        looked
            .violations
            .push(violation(FailureClass::VerdictContradicts, message, own));
    }
    for entry in failed {
        looked.notices.push(format!(
            "{} is not met; follow-up: {}",
            entry.id, entry.follow_up
        ));
    }
}

/// A requirement is met by how its checks end on the files that are judged, not by what is written.
fn refuse_unshown(
    asked: &ClosingReview<'_>,
    verdict: Option<Verdict>,
    found: &[CriterionEntry],
    looked: &mut ClosingFindings,
) {
    let is_met = |id: &str| {
        verdict == Some(Verdict::Met)
            || found
                .iter()
                .any(|e| e.id == id && e.state == CriterionState::Met)
    };
    let claimed: Vec<String> = asked
        .gaps
        .iter()
        .filter(|gap| is_met(&gap.requirement))
        .map(|gap| format!("{}: {}", gap.requirement, gap.why))
        .collect();
    if !claimed.is_empty() {
        let name = criteria_file(asked.before.gate_number(asked.gate));
        looked.violations.push(violation(
            FailureClass::RequirementNotCovered,
            format!(
                "`met` although nothing shows it on these files; such a requirement is `not_met` with a follow-up, and so is the verdict: {}",
                claimed.join("; ")
            ),
            vec![asked.unit.path().to_string(), asked.before.path(&name)],
        ));
    }
}

fn ids(entries: &[&CriterionEntry]) -> String {
    let ids: Vec<&str> = entries.iter().map(|e| e.id.as_str()).collect();
    ids.join(", ")
}

/// Looks at the criteria by themselves: none added, none removed, each with what it needs.
fn look_at_entries(
    found: &[CriterionEntry],
    wanted: &[String],
    path: &str,
    looked: &mut ClosingFindings,
) {
    let there: Vec<&str> = found.iter().map(|e| e.id.as_str()).collect();
    if there != wanted {
        looked.violations.push(violation(
            FailureClass::CriteriaChanged,
            format!("the criteria must stay as prepared: {}", wanted.join(", ")),
            vec![path.to_owned()],
        ));
    }
    let mut complain = |class: FailureClass, what: &str, test: &dyn Fn(&CriterionEntry) -> bool| {
        let those: Vec<&CriterionEntry> = found.iter().filter(|e| test(e)).collect();
        if !those.is_empty() {
            let message = format!("{what}: {}", ids(&those));
            looked
                .violations
                .push(violation(class, message, vec![path.to_owned()]));
        }
    };
    complain(
        FailureClass::CriteriaOpen,
        "`state` must be `met` or `not_met`",
        &|e| e.state == CriterionState::Open,
    );
    complain(
        FailureClass::CriteriaUnproven,
        "`shown by` must name what shows it",
        &|e| e.state == CriterionState::Met && e.shown_by.is_empty(),
    );
    complain(
        FailureClass::MissingFollowUp,
        "one that is not met needs a `follow-up`",
        &|e| e.state == CriterionState::NotMet && e.follow_up.is_empty(),
    );
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
