//! A change of OpenSpec: the proposal and the changed specifications say what is wanted, each section of `tasks.md` is a unit.

use super::checklist::{ListItem, items, title_of};
use super::{ImportedPlan, SourceFile, heading};
use crate::error::{Error, Result};
use crate::path_names::file_name;
use crate::pattern::TextPattern;
use crate::scaffold::plan_outline::UnitOutline;

/// An item of a list without boxes: behind the mark of a list, or a number with points in it.
static ITEM: TextPattern =
    TextPattern::new(r"^(\s*)(?:[-*+]\s+(\S.*)|(\d+(?:[.)]|(?:\.\d+)+\.?)\s+\S.*))$");

/// A section's title without its number: `2. 3D views` is `3D views`.
fn without_number(section: &str) -> &str {
    let rest = section.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let numbered = rest.len() < section.len() && rest.starts_with([' ', ')', ':']);
    match numbered {
        true => rest.trim_start_matches([' ', ')', ':']),
        false => section,
    }
}

/// The first few of many.
fn shown(all: &[&str]) -> String {
    let more = match all.len() > 5 {
        true => ", …",
        false => "",
    };
    format!("{}{more}", all[..all.len().min(5)].join(", "))
}

/// Refuses several changes at once: each is a feature of its own.
fn one_change(files: &[SourceFile]) -> Result<()> {
    let lists = files
        .iter()
        .filter(|f| f.path.rsplit('/').next() == Some("tasks.md"));
    let directories: Vec<&str> = lists
        .map(|f| {
            f.path
                .rsplit_once('/')
                .map_or(".", |(directory, _)| directory)
        })
        .collect();
    match directories.as_slice() {
        [] | [_] => Ok(()),
        many => Err(Error::plan(format!(
            "these are {} changes, and each is a feature",
            many.len()
        ))
        .hint(format!("import one at a time: {}", shown(many)))
        .hint("nothing was written")),
    }
}

pub(super) fn read(files: &[SourceFile]) -> Result<ImportedPlan> {
    one_change(files)?;
    let mut plan = ImportedPlan::default();
    for file in files {
        let name = file_name(&file.path);
        if name == "proposal.md" {
            let title = heading(&file.text).unwrap_or_default();
            let title = title
                .trim_start_matches("Change:")
                .trim_start_matches("Proposal:");
            let directory = file.path.rsplit('/').nth(1).unwrap_or_default();
            plan.outline.title = match title.trim() {
                "" | "Why" => directory.replace('-', " "),
                title => title.to_owned(),
            };
        }
        match name {
            "tasks.md" => sections(&mut plan, file),
            _ => plan.quote(file, &file.text),
        }
    }
    Ok(plan)
}

/// Returns a list none of whose items has a box with an empty one for each of the outermost.
fn boxed(text: &str) -> String {
    let mut fence = false;
    let mut lines: Vec<(&str, bool)> = Vec::new();
    for line in text.lines() {
        let start = line.trim_start();
        fence ^= start.starts_with("```") || start.starts_with("~~~");
        lines.push((line, !fence && ITEM.is_match(line)));
    }
    let depth = |line: &str| line.len() - line.trim_start().len();
    let items = lines.iter().filter(|(_, is_item)| *is_item);
    let outermost = items.map(|(line, _)| depth(line)).min();
    let boxed = lines.iter().map(|(line, is_item)| {
        let found = ITEM
            .captures(line)
            .filter(|_| *is_item && Some(depth(line)) == outermost);
        found.map_or_else(
            || (*line).to_owned(),
            |found| {
                let text = found
                    .get(2)
                    .or(found.get(3))
                    .map_or("", |text| text.as_str());
                format!("{}- [ ] {text}", &found[1])
            },
        )
    });
    boxed.collect::<Vec<_>>().join("\n")
}

fn sections(plan: &mut ImportedPlan, file: &SourceFile) {
    let mut list = items(&file.text);
    if list.items.is_empty() {
        list = items(&boxed(&file.text));
        if !list.items.is_empty() {
            let why = "its tasks have none, and all are taken as open";
            plan.leave_out(file.path.as_str(), "boxes to tick", why);
        }
    }
    let mut at = 0;
    while at < list.items.len() {
        let section = &list.items[at].section;
        let of_section = list.items[at..]
            .iter()
            .take_while(|i| i.section == *section);
        // A task under no heading is a piece of work by itself.
        let together = if section.is_empty() { 1 } else { usize::MAX };
        let tasks: Vec<&ListItem> = of_section.take(together).collect();
        at += tasks.len();
        for (task, why) in tasks
            .iter()
            .filter_map(|task| Some((task, task.why_over()?)))
        {
            let place = format!("{}:{}", file.path, task.line);
            plan.leave_out(place, &task.words(), &why);
        }
        let open = tasks.into_iter().filter(|task| task.over.is_none());
        let open: Vec<&ListItem> = open.collect();
        let Some(first) = open.first() else { continue };
        let title = match section.as_str() {
            "" => first.text.as_str(),
            section => without_number(section),
        };
        let text: Vec<String> = open
            .iter()
            .map(|task| format!("- {}", task.words()))
            .collect();
        // The sections are worked off in their order.
        let after = plan.outline.units.len().checked_sub(1);
        plan.outline.units.push(UnitOutline {
            title: title_of(title),
            text: format!("{section}\n\n{}", text.join("\n")),
            criteria: open.iter().map(|task| task.text.clone()).collect(),
            after: after.into_iter().collect(),
            ..UnitOutline::default()
        });
    }
    plan.quote(file, &list.rest);
}
