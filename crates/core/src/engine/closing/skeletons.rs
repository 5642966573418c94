//! The files a closing session finds prepared: the retrospective's section begun from the records, the
//! criteria with their states open, the review with its questions.

use super::ends_the_plan;
use crate::engine::gate_criteria::{Criterion, criteria, criteria_file};
use crate::engine::retrospective;
use crate::model::document::Document;
use crate::model::edit::FileEdits;
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::unit::{PLACEHOLDER_OPEN, Unit, UnitType};
use std::sync::Arc;

/// Returns the files a closing session finds prepared, those that are not there yet.
pub(crate) fn skeletons(feature: &Feature, gate: usize, unit: &Unit) -> FileEdits {
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
        UnitType::PlanNext if ends_the_plan(feature, gate) => {}
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
pub(super) fn has_section(bytes: &[u8], number: u32) -> bool {
    let doc = Document::parse(Arc::from(layout::RETROSPECTIVE), bytes);
    let wanted = format!("gate {number}");
    doc.sections().iter().any(|s| {
        let name = s.name.to_lowercase();
        let rest = name.strip_prefix(&wanted);
        rest.is_some_and(|r| !r.starts_with(|c: char| c.is_ascii_digit()))
    })
}
