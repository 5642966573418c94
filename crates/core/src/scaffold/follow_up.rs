//! The text of a unit that follows up work which landed: what is wanted are the comments below it, so nothing is left to be
//! filled in, and the unit can be armed as it is.

use crate::model::unit::PLACEHOLDER_OPEN;

/// What stands in a section where a template has a place to be filled in.
fn sentence(section: &str, landed: &str) -> Option<String> {
    let text = match section {
        "Objective" => format!("What the review comments below ask of the work of {landed} is done."),
        "Context" => format!("What {landed} landed was looked at again; the comments are below."),
        "Acceptance criteria" => {
            "1. Each comment under \"Review comments\" is met, or the session is blocked by it and says why.".to_owned()
        }
        "Do not touch" => "- What no comment is about.".to_owned(),
        "Escalation triggers" => "- A comment contradicts the plan, or another comment.".to_owned(),
        _ => return None,
    };
    Some(text)
}

/// Returns a new unit's text, as its template has it, as that of one which follows up a unit.
pub fn follow_up(template: &str, landed: &str) -> String {
    let mut section = String::new();
    let mut said = false;
    let mut lines = Vec::new();
    for line in template.split_inclusive('\n') {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.trim().to_owned();
            said = false;
        }
        if !line.contains(PLACEHOLDER_OPEN) {
            lines.push(line.to_owned());
            continue;
        }
        // Once a section; what the oracle runs stands in its section anyway.
        match sentence(&section, landed) {
            Some(text) if !said => lines.push(format!("{text}\n")),
            None if section != "Verification" => lines.push(line.to_owned()),
            _ => {}
        }
        said = true;
    }
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_filled_in_once_and_the_rest_stays() {
        let template = "# T\n\n## Context\n\n<fill in: a>\n<fill in: b>\n\n## Verification\n\n- <fill in: c>\n- The driver's.\n\n## Do not touch\n\n- Mine.\n- <fill in: d>\n";
        assert_eq!(
            follow_up(template, "F/T01"),
            "# T\n\n## Context\n\nWhat F/T01 landed was looked at again; the comments are below.\n\n## Verification\n\n- The driver's.\n\n## Do not touch\n\n- Mine.\n- What no comment is about.\n"
        );
    }

    #[test]
    fn a_section_of_the_user_s_own_template_stays_to_be_filled_in() {
        let own = "## Risks\n\n<fill in: which>\n";
        assert_eq!(follow_up(own, "F/T01"), own);
    }

    #[test]
    fn of_the_template_that_is_shipped_nothing_is_left() {
        let template = include_str!("../../assets/templates/WU.md");
        assert!(template.contains(PLACEHOLDER_OPEN));
        let text = follow_up(template, "F/T01");
        assert!(!text.contains(PLACEHOLDER_OPEN), "{text}");
        for section in ["Objective", "Acceptance criteria", "Escalation triggers"] {
            assert!(
                text.contains(&sentence(section, "F/T01").unwrap()),
                "{text}"
            );
        }
    }
}
