//! Branches of the world in memory: how they relate, and what joins them.

use super::super::machine::{Files, World};
use super::super::scenario::dir;
use gatewalk_core::engine::feature_lease::{BranchRelation, join_logs, landed_twice};
use gatewalk_core::model::layout::Layout;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) fn chain(world: &World, tip: ObjectId) -> Vec<ObjectId> {
    let mut commits = vec![tip];
    while let Some(parent) = world.commits[commits.last().expect("one")].parent {
        commits.push(parent);
    }
    commits
}

pub(super) fn chain_base(world: &World, tip: ObjectId, other: &BTreeSet<ObjectId>) -> ObjectId {
    let mut commits = chain(world, tip).into_iter();
    commits.find(|c| other.contains(c)).expect("one start")
}

pub(super) fn relation(world: &World, here: ObjectId, there: ObjectId) -> BranchRelation {
    BranchRelation::of(
        chain(world, here).contains(&there),
        chain(world, there).contains(&here),
    )
}

pub(super) fn files(world: &World, commit: ObjectId) -> Arc<Files> {
    world.files(&commit).expect("its tree is whole")
}

pub(super) fn twice(before: &Files, left: &Files, right: &Files) -> Vec<String> {
    let parse = |files: &Files| {
        let inside = files
            .iter()
            .filter(|(path, _)| path.starts_with(".gatewalk/"));
        let files = inside.map(|(p, b)| (p.clone(), b.clone())).collect();
        Workspace::parse(Layout::Gatewalk, &files)
    };
    let (before, left, right) = (parse(before), parse(left), parse(right));
    let dir = dir(0);
    match (left.feature_in(&dir), right.feature_in(&dir)) {
        (Some(left), Some(right)) => landed_twice(before.feature_in(&dir), left, right),
        _ => vec![],
    }
}

/// Merges file by file, logs by line; nothing where both changed one.
pub(super) fn merge(before: &Files, left: &Files, right: &Files) -> Option<Files> {
    let paths: BTreeSet<&String> = before
        .keys()
        .chain(left.keys())
        .chain(right.keys())
        .collect();
    let mut merged = Files::new();
    for path in paths {
        let [b, l, r] = [before, left, right].map(|files| files.get(path));
        let text = |bytes: Option<&Arc<[u8]>>| {
            String::from_utf8_lossy(bytes.map_or(&[][..], |b| &b[..])).into_owned()
        };
        let content = if l == r || r == b {
            l.cloned()
        } else if l == b {
            r.cloned()
        } else if path.ends_with("events.jsonl") {
            Some(join_logs(&text(b), &text(l), &text(r))?.into_bytes().into())
        } else {
            return None;
        };
        merged.extend(content.map(|bytes| (path.clone(), bytes)));
    }
    Some(merged)
}
