//! What earlier commits had of the plans, where there is a repository that knows: what lists of cases that may fail allowed so
//! far, and armings that the log lost.

use super::git::Git;
use super::{earlier_lists, lost_armings};
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::known_failures::KnownFailures;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_core::model::workspace::Workspace;
use std::path::Path;
use std::sync::Arc;

/// Notes it in plans as they lie in a directory. Git is asked only where something hangs on it.
pub fn note(root: &Path, workspace: &mut Workspace) {
    let features = workspace.features.iter().map(Arc::as_ref);
    let active = features.filter(|f: &&Feature| f.plan.status() == FeatureStatus::Active);
    let unsure = lost_armings::unsure(active);
    let has_list = KnownFailures::of(&workspace.verification) != KnownFailures::default();
    let asked = has_list || !unsure.is_empty();
    let git = asked.then(|| Git::discover(root).ok()).flatten();
    let commit = git.and_then(|git| Some((git.head().ok()?.commit?, git)));
    let (lost, known) = match commit {
        Some((head, git)) => (
            lost_armings::of_features(&git, head, &unsure),
            earlier_lists::read(&git, workspace, head).unwrap_or_default(),
        ),
        None => Default::default(),
    };
    workspace.lost_armings = lost;
    workspace.earlier_known = known;
}
