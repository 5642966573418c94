//! The task files of Backlog.md: one Markdown file each, with frontmatter.

use super::checklist::{items, title_of};
use super::{ImportedPlan, SourceFile, is_over, present};
use crate::model::yaml::{self, Kind, Node};
use crate::scaffold::plan_outline::UnitOutline;

/// What is read of a task's frontmatter.
struct BacklogTask<'f> {
    file: &'f SourceFile,
    id: String,
    title: String,
    status: String,
    after: Vec<String>,
    body: &'f str,
}

/// Returns frontmatter and body.
fn split(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches('\u{feff}').strip_prefix("---")?;
    let rest = rest.trim_start_matches('\r').strip_prefix('\n')?;
    let end = rest.find("\n---")?;
    Some((&rest[..=end], &rest[end + 4..]))
}

fn task(file: &SourceFile) -> Option<BacklogTask<'_>> {
    let (front, body) = split(&file.text)?;
    let (node, _) = yaml::parse(front, 0);
    let node = node?;
    let text = |key: &str| node.get(key).and_then(|e| scalar(&e.value));
    let after = ["dependencies", "depends_on"].into_iter();
    let after = after
        .filter_map(|key| node.get(key))
        .flat_map(|e| all(&e.value));
    Some(BacklogTask {
        file,
        id: text("id")?,
        title: text("title").unwrap_or_default(),
        status: text("status")?,
        after: after.collect(),
        body,
    })
}

fn scalar(node: &Node) -> Option<String> {
    match &node.kind {
        Kind::Scalar { text, .. } if !node.is_null() => Some(text.to_string()),
        _ => None,
    }
}

fn all(node: &Node) -> Vec<String> {
    match &node.kind {
        Kind::Sequence(list) => list.iter().filter_map(scalar).collect(),
        _ => scalar(node).into_iter().collect(),
    }
}

pub(super) fn is_one(text: &str) -> bool {
    let file = SourceFile {
        path: String::new(),
        text: text.to_owned(),
    };
    task(&file).is_some()
}

/// The number in `task-12`, or `TASK-12.3`.
fn number(id: &str) -> Vec<u32> {
    let digits = id.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect()
}

pub(super) fn read(files: &[SourceFile]) -> ImportedPlan {
    let mut plan = ImportedPlan::default();
    let mut tasks: Vec<BacklogTask<'_>> = Vec::new();
    for file in files {
        match task(file) {
            Some(task) => tasks.push(task),
            None => {
                if split(&file.text).is_some() {
                    let why = "its frontmatter has no id and status, so it is quoted in the plan and no unit";
                    plan.leave_out(file.path.as_str(), "the whole file", why);
                }
                plan.quote(file, &file.text);
            }
        }
    }
    tasks.sort_by_key(|task| number(&task.id));
    sort_by_edges(&mut tasks);
    plan_units(&tasks, &mut plan);
    plan
}

/// Plans a unit for each task that is open, in their order.
fn plan_units(tasks: &[BacklogTask<'_>], plan: &mut ImportedPlan) {
    let mut places = Vec::new();
    for task in tasks {
        let over = is_over(&task.status);
        places.push((!over).then_some(plan.outline.units.len()));
        if over {
            let why = format!("its status is `{}`", task.status);
            plan.leave_out(task.file.path.as_str(), &task.title, &why);
            continue;
        }
        let known = |id: &String| tasks.iter().position(|t| t.id.eq_ignore_ascii_case(id));
        for id in task.after.iter().filter(|id| known(id).is_none()) {
            let text = format!("{} waits for {id}", task.id);
            let why = "no such task was among the files";
            plan.leave_out(task.file.path.as_str(), &text, why);
        }
        let after: Vec<usize> = task.after.iter().filter_map(known).collect();
        for at in after.iter().filter(|at| **at >= places.len() - 1) {
            let text = format!("{} waits for {}", task.id, tasks[*at].id);
            plan.leave_out(
                task.file.path.as_str(),
                &text,
                "the tasks wait for each other in a circle",
            );
        }
        let after = present(&after, &places);
        let criteria = items(task.body)
            .items
            .into_iter()
            .filter(|item| item.over.is_none());
        plan.outline.units.push(UnitOutline {
            title: title_of(&task.title),
            text: task.file.text.clone(),
            criteria: criteria.map(|item| numbered(&item.text)).collect(),
            after,
            ..UnitOutline::default()
        });
    }
}

/// A criterion without the number that the tool gives it.
fn numbered(text: &str) -> String {
    let rest = text.trim_start_matches('#');
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    match text.starts_with('#') {
        true => rest.trim().to_owned(),
        false => text.to_owned(),
    }
}

/// Brings each task behind those it waits for; a circle stays as it is, and its edges back are lost to the linter.
fn sort_by_edges(tasks: &mut Vec<BacklogTask<'_>>) {
    let mut left = std::mem::take(tasks);
    while !left.is_empty() {
        let waits = |task: &BacklogTask<'_>| {
            let mut others = left.iter().filter(|other| other.id != task.id);
            others.any(|other| {
                task.after
                    .iter()
                    .any(|id| id.eq_ignore_ascii_case(&other.id))
            })
        };
        let next = left.iter().position(|task| !waits(task)).unwrap_or(0);
        tasks.push(left.remove(next));
    }
}
