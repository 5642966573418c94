//! Ids that git knows of: in branches, in the plans of their commits, and in the refs that keep attempts.

use super::super::missing_state_dir;
use gatewalk_core::model::layout::{self, Layout};
use gatewalk_host::git::{Git, GitPath};
use std::path::Path;

/// The most local branches whose plans are looked at.
const BRANCHES_LOOKED_AT: usize = 200;
/// How long an id such as `FEAT-2026-0042` is.
const ID_LENGTH: usize = 14;

/// Returns the ids of features that a commit or a ref has and the checkout may not: plans of other branches, and what a
/// sparse checkout leaves out.
pub(super) fn of_features(git: &Git, layout: Layout) -> Vec<String> {
    let mut taken = Vec::new();
    let branches = git.list_pins("refs/heads").unwrap_or_default();
    let head = git.head().ok().and_then(|head| head.commit);
    let tips = branches.iter().map(|branch| branch.commit);
    let features = GitPath::from(&*layout.path(layout::FEATURES));
    for commit in tips.take(BRANCHES_LOOKED_AT).chain(head) {
        let entries = git.entries(commit, &features).unwrap_or_default();
        let names = entries.iter().filter_map(|entry| entry.path.as_str());
        taken.extend(names.map(id_in));
    }
    for branch in &branches {
        let at = branch.name.find("FEAT-");
        taken.extend(at.map(|at| id_in(&branch.name[at..])));
    }
    let units = units_with_refs(git);
    let features = units.iter().filter_map(|id| id.rsplit_once('/'));
    taken.extend(features.map(|(feature, _)| feature.to_owned()));
    taken
}

fn id_in(name: &str) -> String {
    name.chars().take(ID_LENGTH).collect()
}

/// Returns how to get a feature that is committed and that the checkout leaves out.
pub(super) fn left_out(root: &Path, layout: Layout, name: &str) -> Option<String> {
    let git = Git::discover(root).ok()?;
    let commit = git.head().ok()?.commit?;
    let features = layout.path(layout::FEATURES);
    let entries = git.entries(commit, &GitPath::from(&*features)).ok()?;
    let mut names = entries.iter().filter_map(|entry| entry.path.as_str());
    let found = names.find(|directory| *directory == name || id_in(directory) == name)?;
    let command = missing_state_dir::command_for(&git, &format!("{features}/{found}"));
    Some(format!(
        "it is committed, and your checkout leaves it out; {command}"
    ))
}

/// Returns the units whose attempts are kept by a ref.
pub(super) fn units_with_refs(git: &Git) -> Vec<String> {
    let kinds = [
        layout::ATTEMPT_REFS,
        layout::UNCHARGED_REFS,
        layout::SUPERSEDED_REFS,
    ];
    let pins = git.list_pins(layout::REFS).unwrap_or_default();
    let unit = |name: &str| {
        let rest = kinds.iter().find_map(|kind| name.strip_prefix(kind))?;
        Some(rest.rsplit_once('/')?.0.to_owned())
    };
    pins.iter().filter_map(|pin| unit(&pin.name)).collect()
}
