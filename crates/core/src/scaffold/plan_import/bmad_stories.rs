//! Stories of BMAD: one Markdown file each, with a status, acceptance criteria and tasks; they are worked off in the order of
//! their numbers.

use super::checklist::title_of;
use super::{ImportedPlan, SourceFile, heading, is_over};
use crate::pattern::TextPattern;
use crate::scaffold::plan_outline::UnitOutline;

static STORY: TextPattern = TextPattern::new(
    r"(?i)^(?:user\s+)?story:?\s+(?:[A-Z]+-?)?(\d[\d.]*[a-z]?)\s*[:.–—-]?\s*(.*)$",
);
static NUMBERED: TextPattern = TextPattern::new(r"^\s*(?:\d+[.)]|[-*])\s+(?:\[.?\]\s+)?(.*)$");

pub(super) fn is_one(text: &str) -> bool {
    heading(text).is_some_and(|title| STORY.is_match(title))
}

/// The level and the title of a heading below the first.
fn heading_of(line: &str) -> Option<(usize, &str)> {
    let level = line.len() - line.trim_start_matches('#').len();
    let title = line[level..].strip_prefix(' ')?;
    (2..=6).contains(&level).then(|| (level, title.trim()))
}

/// Returns the lines of a section, whatever its level.
fn section<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let mut found = None;
    let mut lines = text.lines();
    for line in lines.by_ref() {
        let is_it = |(level, title): (usize, &str)| {
            let title = title.trim_matches(['*', ':', ' ']);
            let whole = title
                .get(..name.len())
                .filter(|t| t.eq_ignore_ascii_case(name));
            let rest = &title[whole?.len()..];
            (!rest.starts_with(char::is_alphanumeric) && !rest.contains(':')).then_some(level)
        };
        found = heading_of(line).and_then(is_it);
        if found.is_some() {
            break;
        }
    }
    let Some(level) = found else { return vec![] };
    let over = |line: &&str| heading_of(line).is_some_and(|(other, _)| other <= level);
    lines.take_while(|line| !over(line)).collect()
}

/// The status: in a section of its own, or in a line.
fn status(text: &str) -> String {
    let own = section(text, "Status");
    let own = own
        .iter()
        .map(|line| line.trim())
        .find(|line| !line.is_empty());
    // Also as a heading, a list item, or in bold.
    let line = || {
        text.lines().find_map(|line| {
            let line = line.trim_start_matches(['#', '-', '*', ' ', '_']);
            let (key, value) = line.split_once(':')?;
            let key = key.trim_matches(['*', '_', ' ']);
            key.eq_ignore_ascii_case("status").then_some(value)
        })
    };
    let word = own.or_else(line).unwrap_or_default();
    word.trim().trim_matches(['*', ' ', '_', '`']).to_owned()
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
        let digits = |part: &str| part.trim_end_matches(char::is_alphabetic).parse().ok();
        let number = found[1].split('.').filter_map(digits);
        let title = match found[2].trim() {
            "" => format!("Story {}", &found[1]),
            title => title.to_owned(),
        };
        stories.push((number.collect(), title, file));
    }
    stories.sort_by(|a, b| a.0.cmp(&b.0));
    for (_, title, file) in stories {
        let status = status(&file.text);
        if is_over(&status) {
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
