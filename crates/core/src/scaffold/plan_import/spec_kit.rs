//! spec-kit's `tasks.md`: numbered tasks in phases, those marked `[P]` side by side, and a section on what comes before what.

use super::checklist::{ReadList, items, title_of};
use super::{ImportedPlan, SourceFile, heading, present};
use crate::scaffold::plan_outline::UnitOutline;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static TASK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\**(T\d{2,})\**:?\s+((?:\[[^\]]+\]\s*)*)(.*)$").expect("a constant pattern")
});
static IDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"T(\d{2,})(?:\s*(?:-|–|to|through)\s*T(\d{2,}))?").expect("a constant pattern")
});
static EDGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^(.*?)\s+(before|blocks?|must complete before|depends? on|after|requires?)\s+(.*)$",
    )
    .expect("a constant pattern")
});

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
    let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
    let mut after: Vec<Vec<usize>> = Vec::new();
    for (at, item) in list.items.iter().enumerate() {
        let found = TASK.captures(&item.text);
        let (marks, text) = match &found {
            Some(found) => (found[2].to_owned(), found[3].to_owned()),
            None => (String::new(), item.text.clone()),
        };
        if let Some(number) = found.and_then(|f| f[1][1..].parse().ok()) {
            numbers.insert(number, at);
        }
        after.push(order.next(at, &item.section, marks.contains("[P]")));
        if let Some(why) = item.over {
            places.push(None);
            let place = format!("{}:{}", file.path, item.line);
            plan.leave_out(place, &item.quote(), why);
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
    // What is done is waited for by nobody: those that waited for it wait for what it waited for.
    let after = through_done(&after, &places);
    for (at, place) in places.iter().enumerate() {
        if let Some(unit) = place {
            let all = present(&after[at], &places);
            // A unit waits for earlier ones only.
            let earlier = all
                .into_iter()
                .filter(|other| *other >= offset && other < unit);
            plan.outline.units[*unit].after = earlier.collect();
        }
    }
    plan.quote(file, &list.rest);
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

/// Adds the edges of the section on dependencies; a line of it that is not understood is listed.
fn stated_edges(
    plan: &mut ImportedPlan,
    (file, list): (&SourceFile, &ReadList),
    numbers: &BTreeMap<u32, usize>,
    after: &mut [Vec<usize>],
) {
    let mut within = false;
    for line in list.rest.lines() {
        if line.starts_with('#') {
            within = line.to_lowercase().contains("dependenc");
            continue;
        }
        let text = line.trim().trim_start_matches(['-', '*', ' ']);
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
                    let why = "tasks run in the order of the list, and this names a later one first; it is quoted in the plan";
                    plan.leave_out(file.path.as_str(), text, why);
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

fn places_of(text: &str, numbers: &BTreeMap<u32, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for ids in IDS.captures_iter(text) {
        let first: u32 = ids[1].parse().unwrap_or(u32::MAX);
        let last = ids
            .get(2)
            .map_or(Some(first), |id| id.as_str().parse().ok());
        let last = last.unwrap_or(first);
        if first <= last {
            found.extend(numbers.range(first..=last).map(|(_, at)| *at));
        }
    }
    found
}
