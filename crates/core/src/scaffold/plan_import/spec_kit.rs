//! spec-kit's `tasks.md`: numbered tasks in phases, those marked `[P]` side by side, and a section on what comes before what.

use super::checklist::{ReadList, items, title_of};
use super::{ImportedPlan, SourceFile, heading, present};
use crate::pattern::TextPattern;
use crate::scaffold::plan_outline::UnitOutline;
use std::collections::BTreeMap;

static TASK: TextPattern = TextPattern::new(
    r"^((?:\[[^\]]+\]\s*)*)\**T-?(\d{2,})([a-z]?)\**[:.)]?\**\s+(?:[-–—]\s+)?((?:\[[^\]]+\]\s*)*)(.*)$",
);
static IDS: TextPattern =
    TextPattern::new(r"\bT-?(\d{2,})([a-z]?)(?:\s*(?:-|–|to|through)\s*T-?(\d{2,})([a-z]?))?");
/// What a task's own line says it waits for.
static WAITS: TextPattern =
    TextPattern::new(r"(?i)\((?:depends? on|after|requires?|needs|blocked by):?\s+([^)]*)\)");
static EDGE: TextPattern = TextPattern::new(
    r"(?i)^(.*?)\s+(before|blocks?|must complete before|depends? on|after|requires?)\s+(.*)$",
);

/// Why an order that a file states is not the plan's.
const LATER_FIRST: &str =
    "tasks run in the order of the list, and this names a later one first; its words are kept";

pub(super) fn is_one(text: &str) -> bool {
    items(text)
        .items
        .iter()
        .any(|item| TASK.is_match(&item.text))
}

pub(super) fn read(files: &[SourceFile]) -> ImportedPlan {
    let mut plan = ImportedPlan::default();
    for file in files {
        let list = items(&file.text);
        match list.items.iter().any(|item| TASK.is_match(&item.text)) {
            true => take(&mut plan, file, &list),
            // The specification and the plan that the tasks came from.
            false => plan.quote(file, &file.text),
        }
    }
    plan
}

fn take(plan: &mut ImportedPlan, file: &SourceFile, list: &ReadList) {
    let title = heading(&file.text).unwrap_or_default();
    plan.outline.title = title.trim_start_matches("Tasks:").trim().to_owned();
    let offset = plan.outline.units.len();
    let mut order = PhaseOrder::default();
    let mut places: Vec<Option<usize>> = Vec::new();
    let mut numbers: BTreeMap<TaskNumber, usize> = BTreeMap::new();
    let mut after: Vec<Vec<usize>> = Vec::new();
    let mut rest = list.rest.clone();
    for (at, item) in list.items.iter().enumerate() {
        let found = TASK.captures(&item.text);
        // Its legend explains the mark in a list of its own: `- [P] tasks = different files`.
        let parallel = item.mark == "P";
        if parallel && found.is_none() {
            rest.push_str(&format!("- [P] {}\n", item.words()));
            after.push(Vec::new());
            places.push(None);
            continue;
        }
        let (marks, text) = match &found {
            Some(found) => (format!("{}{}", &found[1], &found[4]), found[5].to_owned()),
            None => (String::new(), item.text.clone()),
        };
        if let Some(number) = found.and_then(|f| task_number(&f[2], &f[3])) {
            numbers.insert(number, at);
        }
        after.push(order.next(at, &item.section, parallel || marks.contains("[P]")));
        if let Some(why) = item.why_over() {
            places.push(None);
            let place = format!("{}:{}", file.path, item.line);
            plan.leave_out(place, &item.words(), &why);
            continue;
        }
        places.push(Some(plan.outline.units.len()));
        plan.outline.units.push(UnitOutline {
            title: title_of(&text),
            text: item.quote(),
            criteria: item.open.clone(),
            ..UnitOutline::default()
        });
    }
    stated_edges(plan, (file, list), &numbers, &mut after);
    join(plan, offset, &after, &places);
    plan.quote(file, &rest);
}

/// Gives the units from `offset` on what they wait for.
fn join(plan: &mut ImportedPlan, offset: usize, after: &[Vec<usize>], places: &[Option<usize>]) {
    // What is done is waited for by nobody: those that waited for it wait for what it waited for.
    let after = through_done(after, places);
    for (at, place) in places.iter().enumerate() {
        if let Some(unit) = place {
            let all = present(&after[at], places);
            // A unit waits for earlier ones only.
            let earlier = all
                .into_iter()
                .filter(|other| *other >= offset && other < unit);
            plan.outline.units[*unit].after = earlier.collect();
        }
    }
}

/// The number of a task, and the letter of one that was put in later.
type TaskNumber = (u32, char);

fn task_number(digits: &str, letter: &str) -> Option<TaskNumber> {
    Some((digits.parse().ok()?, letter.chars().next().unwrap_or('\0')))
}

/// The order that the list itself gives: one after another, but for those marked as parallel, and phase by phase.
#[derive(Default)]
struct PhaseOrder {
    phase: String,
    /// What everything that comes next waits for.
    barrier: Vec<usize>,
    /// The parallel tasks since.
    group: Vec<usize>,
}

impl PhaseOrder {
    /// Returns what a task waits for.
    fn next(&mut self, at: usize, phase: &str, parallel: bool) -> Vec<usize> {
        if phase != self.phase && !self.group.is_empty() {
            self.barrier = std::mem::take(&mut self.group);
        }
        self.phase = phase.to_owned();
        if parallel {
            self.group.push(at);
            return self.barrier.clone();
        }
        let after = match self.group.is_empty() {
            true => self.barrier.clone(),
            false => std::mem::take(&mut self.group),
        };
        self.barrier = vec![at];
        after
    }
}

fn through_done(after: &[Vec<usize>], places: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut whole: Vec<Vec<usize>> = Vec::new();
    for waits in after {
        let mut all = Vec::new();
        for at in waits {
            match places.get(*at).copied().flatten() {
                Some(_) => all.push(*at),
                None => all.extend(whole.get(*at).cloned().unwrap_or_default()),
            }
        }
        whole.push(all);
    }
    whole
}

/// Adds the edges that tasks state themselves, and those of the section on dependencies; a line of it that is not understood is
/// listed.
fn stated_edges(
    plan: &mut ImportedPlan,
    (file, list): (&SourceFile, &ReadList),
    numbers: &BTreeMap<TaskNumber, usize>,
    after: &mut [Vec<usize>],
) {
    for (at, item) in list.items.iter().enumerate() {
        let waits = WAITS.captures_iter(&item.text);
        let first: Vec<usize> = waits.flat_map(|w| places_of(&w[1], numbers)).collect();
        if first.iter().any(|other| *other >= at) {
            let place = format!("{}:{}", file.path, item.line);
            plan.leave_out(place, item.text.as_str(), LATER_FIRST);
        }
        after[at].extend(first.into_iter().filter(|other| *other < at));
    }
    listed_edges(plan, (file, list), numbers, after);
}

/// Adds the edges of the section on dependencies.
fn listed_edges(
    plan: &mut ImportedPlan,
    (file, list): (&SourceFile, &ReadList),
    numbers: &BTreeMap<TaskNumber, usize>,
    after: &mut [Vec<usize>],
) {
    let mut within = false;
    for line in list.rest.lines() {
        if line.starts_with('#') {
            within = line.to_lowercase().contains("dependenc");
            continue;
        }
        let text = line.replace("**", "");
        let text = text.trim().trim_start_matches(['-', '*', ' ']);
        if !within || text.is_empty() {
            continue;
        }
        let ids = |text: &str| places_of(text, numbers);
        let edge = EDGE.captures(text).map(|found| {
            let (left, right) = (ids(&found[1]), ids(&found[3]));
            match found[2].to_lowercase().as_str() {
                "before" | "block" | "blocks" | "must complete before" => (left, right),
                _ => (right, left),
            }
        });
        match edge {
            Some((first, then)) if !first.is_empty() && !then.is_empty() => {
                let backwards = then.iter().any(|at| first.iter().any(|other| other >= at));
                if backwards {
                    plan.leave_out(file.path.as_str(), text, LATER_FIRST);
                }
                for at in then {
                    after[at].extend(first.iter().filter(|other| **other < at));
                }
            }
            _ => plan.leave_out(
                file.path.as_str(),
                text,
                "it names no tasks by number, so no edge was made of it; it is quoted in the plan",
            ),
        }
    }
}

fn places_of(text: &str, numbers: &BTreeMap<TaskNumber, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for ids in IDS.captures_iter(text) {
        let Some(first) = task_number(&ids[1], &ids[2]) else {
            continue;
        };
        // A range ends behind what was put in after its last task.
        let last = ids.get(3).and_then(|digits| {
            let letter = ids.get(4).map_or("", |letter| letter.as_str());
            let (number, letter) = task_number(digits.as_str(), letter)?;
            Some((number, if letter == '\0' { 'z' } else { letter }))
        });
        let last = last.unwrap_or(first);
        if first <= last {
            found.extend(numbers.range(first..=last).map(|(_, at)| *at));
        }
    }
    found
}
