//! `GW318`. See `unreachable_unit.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::feature::PlannedUnit;
use crate::model::status_machine::UnitStatus;
use std::collections::{BTreeSet, HashMap};

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let roots: BTreeSet<&str> = dead_ends(cx);
    if roots.is_empty() || cx.is_settled() {
        return;
    }
    let stuck = stuck_behind(cx, &roots);
    let waiting = |m: &&PlannedUnit<'_>| !m.status().is_settled() && !roots.contains(m.id());
    for member in cx.members.iter().filter(waiting) {
        let edges = || member.node.depends_on.iter().map(|e| e.value.as_str());
        let behind = edges().filter_map(|edge| stuck.get(edge));
        if let Some(root) = behind.into_iter().find(|root| edges().all(|e| e != **root)) {
            out.at(
                cx.plan_path(),
                member.node.id.span.clone(),
                format!(
                    "`{}` can never start: through others it waits for `{root}`",
                    member.id()
                ),
            )
            .help("mend the edge that leads there");
        }
    }
}

/// Every unit behind a dead end, with the first one it is behind.
fn stuck_behind<'a>(cx: &'a FeatureCx<'_>, roots: &BTreeSet<&'a str>) -> HashMap<&'a str, &'a str> {
    let mut behind: HashMap<&str, Vec<&str>> = HashMap::new();
    for member in &cx.members {
        for edge in &member.node.depends_on {
            behind.entry(&edge.value).or_default().push(member.id());
        }
    }
    let mut stuck = HashMap::new();
    for root in roots {
        let mut todo = vec![*root];
        while let Some(id) = todo.pop() {
            for next in behind.get(id).into_iter().flatten() {
                if !stuck.contains_key(next) {
                    stuck.insert(*next, *root);
                    todo.push(next);
                }
            }
        }
    }
    stuck
}

/// Units nothing can be built on: abandoned ones, unknown ones, and those in a circle.
fn dead_ends<'a>(cx: &'a FeatureCx<'_>) -> BTreeSet<&'a str> {
    let edges = cx
        .members
        .iter()
        .filter(|m| !m.status().is_settled())
        .flat_map(|m| &m.node.depends_on);
    let dead = edges.map(|e| e.value.as_str()).filter(|id| {
        cx.member(id)
            .is_none_or(|m| m.status() == UnitStatus::Abandoned)
    });
    dead.collect()
}
