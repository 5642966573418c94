//! task-master's `tasks.json`: tasks with subtasks, in one list or in one list a tag.

use super::checklist::{but_open, title_of};
use super::{ImportedPlan, SourceFile, is_over, present};
use crate::error::{Error, Result};
use crate::scaffold::plan_outline::UnitOutline;
use serde_json::Value;

pub(super) fn read(files: &[SourceFile]) -> Result<ImportedPlan> {
    let mut plan = ImportedPlan::default();
    for file in files {
        if !file.path.ends_with(".json") {
            plan.quote(file, &file.text);
            continue;
        }
        let whole: Value = serde_json::from_str(&file.text)
            .map_err(|e| Error::plan(format!("`{}` is not JSON", file.path)).with_source(e))?;
        let Some((tag, tasks)) = list_of(&whole) else {
            // Its settings and reports stand beside the list.
            if files.len() > 1 {
                let why = "it has no list of tasks, so it is quoted in the plan";
                plan.leave_out(file.path.as_str(), "the whole file", why);
                plan.quote(file, &file.text);
                continue;
            }
            return Err(Error::plan(format!("`{}` has no list of tasks", file.path)));
        };
        for other in other_tags(&whole, tag) {
            let why = "one tag is imported: copy the other into a file of its own";
            plan.leave_out(file.path.as_str(), &format!("the tag `{other}`"), why);
        }
        take(&mut plan, file, tasks);
        plan.quote(file, &around(&whole, tag));
    }
    Ok(plan)
}

/// The list of tasks, and its tag: `master`, or the first.
fn list_of(whole: &Value) -> Option<(&str, &[Value])> {
    let lists = |value: &Value| value.get("tasks").is_some_and(Value::is_array);
    if let Some(list) = whole.get("tasks").and_then(Value::as_array) {
        return Some(("", list));
    }
    let tags = whole.as_object()?;
    let named = tags.get_key_value("master").filter(|(_, v)| lists(v));
    let first = || tags.iter().find(|(_, v)| lists(v));
    let (tag, value) = named.or_else(first)?;
    Some((tag, value.get("tasks")?.as_array()?))
}

/// What stands beside the list: its metadata, and that of the whole.
fn around(whole: &Value, tag: &str) -> String {
    let of_tag = whole.get(tag).and_then(Value::as_object);
    let all = whole.as_object().into_iter().chain(of_tag).flatten();
    let own = all.filter(|(_, value)| value.get("tasks").is_none());
    let lines = own
        .filter(|(key, _)| *key != "tasks")
        .map(|(key, value)| match value {
            Value::String(text) => format!("{key}: {text}"),
            other => format!("{key}: {other}"),
        });
    lines.collect::<Vec<_>>().join("\n")
}

fn other_tags<'v>(whole: &'v Value, tag: &str) -> Vec<&'v str> {
    let tags = whole.as_object().into_iter().flatten();
    tags.filter(|(name, value)| *name != tag && value.get("tasks").is_some())
        .map(|(name, _)| name.as_str())
        .collect()
}

fn id_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn take(plan: &mut ImportedPlan, file: &SourceFile, tasks: &[Value]) {
    let ids: Vec<String> = tasks.iter().map(|task| id_of(&task["id"])).collect();
    let mut places: Vec<Option<usize>> = vec![None; tasks.len()];
    let done: Vec<bool> = tasks
        .iter()
        .map(|task| is_over(word(task, "status")))
        .collect();
    for at in sorted(tasks, &ids) {
        let task = &tasks[at];
        let (id, title, status) = (&ids[at], word(task, "title"), word(task, "status"));
        if done[at] {
            let why = format!("its status is `{status}`{}", open_parts(task));
            plan.leave_out(format!("{}: task {id}", file.path), title, &why);
            continue;
        }
        let mut after = Vec::new();
        for needed in dependencies(task) {
            match place_of(&needed, &ids) {
                Some(other) if other == at => {}
                Some(other) if places[other].is_none() && !done[other] => plan.leave_out(
                    format!("{}: task {id}", file.path),
                    &format!("it waits for {needed}"),
                    "the tasks wait for each other in a circle",
                ),
                Some(other) => after.push(other),
                None => plan.leave_out(
                    format!("{}: task {id}", file.path),
                    &format!("it waits for {needed}"),
                    "there is no such task in the list",
                ),
            }
        }
        let after = present(&after, &places);
        places[at] = Some(plan.outline.units.len());
        plan.outline.units.push(UnitOutline {
            title: match title.trim() {
                "" => format!("Task {id}"),
                title => title_of(title),
            },
            text: told(task),
            criteria: criteria(task),
            after,
            ..UnitOutline::default()
        });
    }
}

/// The place of a task by its id; `5.2` is a part of task 5.
fn place_of(id: &str, ids: &[String]) -> Option<usize> {
    let whole = id.split_once('.').map_or(id, |(whole, _)| whole);
    let at = |wanted: &str| ids.iter().position(|id| id == wanted);
    at(id).or_else(|| at(whole))
}

fn dependencies(task: &Value) -> Vec<String> {
    match task.get("dependencies") {
        Some(Value::Array(list)) => list.iter().map(id_of).collect(),
        Some(one @ (Value::String(_) | Value::Number(_))) => vec![id_of(one)],
        _ => vec![],
    }
}

/// The tasks so that each comes behind those it waits for.
fn sorted(tasks: &[Value], ids: &[String]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..tasks.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let waits = |at: usize| {
            let needed = dependencies(&tasks[at]);
            let needed: Vec<usize> = needed.iter().filter_map(|id| place_of(id, ids)).collect();
            left.iter()
                .any(|other| *other != at && needed.contains(other))
        };
        let next = left.iter().position(|at| !waits(*at)).unwrap_or(0);
        order.push(left.remove(next));
    }
    order
}

/// Everything a task says, key by key.
fn told(task: &Value) -> String {
    let mut lines = Vec::new();
    for (key, value) in task.as_object().into_iter().flatten() {
        match (key.as_str(), value) {
            ("subtasks", Value::Array(subtasks)) => {
                for subtask in subtasks {
                    let told = told(subtask).replace('\n', "\n  ");
                    lines.push(format!("subtask:\n  {told}"));
                }
            }
            (_, Value::String(text)) if text.is_empty() => {}
            (key, Value::String(text)) => lines.push(format!("{key}: {text}")),
            (_, Value::Null) => {}
            (key, other) => lines.push(format!("{key}: {other}")),
        }
    }
    lines.join("\n")
}

/// The titles of its subtasks that are not over.
fn open_subtasks(task: &Value) -> impl Iterator<Item = &str> {
    let subtasks = task.get("subtasks").and_then(Value::as_array);
    let open = subtasks.into_iter().flatten();
    open.filter(|subtask| !is_over(word(subtask, "status")))
        .map(|subtask| word(subtask, "title"))
}

/// What is to be said of the open subtasks of a task that is over.
fn open_parts(task: &Value) -> String {
    let titles: Vec<&str> = open_subtasks(task).collect();
    match titles.as_slice() {
        [] => String::new(),
        titles => format!("{}: {}", but_open(titles.len()), titles.join(", ")),
    }
}

fn criteria(task: &Value) -> Vec<String> {
    let mut criteria: Vec<String> = open_subtasks(task).map(str::to_owned).collect();
    let tested = word(task, "testStrategy");
    if !tested.is_empty() {
        criteria.push(tested.to_owned());
    }
    criteria.retain(|text| !text.trim().is_empty());
    criteria
}
