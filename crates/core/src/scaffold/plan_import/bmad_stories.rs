//! Stories of BMAD: one Markdown file each, with a status, acceptance criteria and tasks; they are worked off in the order of
//! their numbers.

use super::checklist::title_of;
use super::{ImportedPlan, SourceFile, heading};
use crate::scaffold::plan_outline::UnitOutline;
use regex::Regex;
use std::sync::LazyLock;

static STORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^Story\s+([\d.]+)\s*[:.–-]?\s*(.*)$").expect("a constant pattern")
});
static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(?:\d+[.)]|[-*])\s+(.*)$").expect("a constant pattern"));

pub(super) fn is_one(text: &str) -> bool {
    heading(text).is_some_and(|title| STORY.is_match(title))
}

/// Returns the lines of a section of level two.
fn section<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let mut lines = text.lines().skip_while(|line| {
        let title = line
            .strip_prefix("## ")
            .map(|t| t.trim().trim_end_matches(':'));
        !title.is_some_and(|title| title.eq_ignore_ascii_case(name))
    });
    lines.next();
    lines.take_while(|line| !line.starts_with("## ")).collect()
}

/// The status: in a section of its own, or in a line.
fn status(text: &str) -> String {
    let own = section(text, "Status");
    let own = own
        .iter()
        .map(|line| line.trim())
        .find(|line| !line.is_empty());
    let line = || {
        text.lines()
            .find_map(|line| line.trim().strip_prefix("Status:"))
    };
    let word = own.or_else(line).unwrap_or_default();
    word.trim_matches(['*', ' ', '_']).to_owned()
}

fn criteria(text: &str) -> Vec<String> {
    let lines = section(text, "Acceptance Criteria");
    let mut criteria: Vec<String> = Vec::new();
    for line in lines {
        match NUMBERED.captures(line).filter(|_| !line.starts_with("  ")) {
            Some(found) => criteria.push(found[1].trim().to_owned()),
            // A criterion goes on in the next line.
            None => {
                if let Some(last) = criteria.last_mut().filter(|_| !line.trim().is_empty()) {
                    last.push(' ');
                    last.push_str(line.trim());
                }
            }
        }
    }
    criteria
}

pub(super) fn read(files: &[SourceFile]) -> ImportedPlan {
    let mut plan = ImportedPlan::default();
    let mut stories: Vec<(Vec<u32>, String, &SourceFile)> = Vec::new();
    for file in files {
        let found = heading(&file.text).and_then(|title| STORY.captures(title));
        let Some(found) = found else {
            plan.quote(file, &file.text);
            continue;
        };
        let number = found[1].split('.').filter_map(|part| part.parse().ok());
        stories.push((number.collect(), found[2].to_owned(), file));
    }
    stories.sort_by(|a, b| a.0.cmp(&b.0));
    for (_, title, file) in stories {
        let status = status(&file.text);
        if status.eq_ignore_ascii_case("done") || status.eq_ignore_ascii_case("completed") {
            let why = format!("its status is `{status}`");
            plan.leave_out(file.path.as_str(), &title, &why);
            continue;
        }
        let after = plan.outline.units.len().checked_sub(1);
        plan.outline.units.push(UnitOutline {
            title: title_of(&title),
            text: file.text.clone(),
            criteria: criteria(&file.text),
            after: after.into_iter().collect(),
            ..UnitOutline::default()
        });
    }
    plan
}
