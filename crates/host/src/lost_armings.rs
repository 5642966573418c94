//! Armings that an earlier commit's log has and the log of now does not: who removes the log, or its end, and the marks in the
//! units' files would leave nothing else to hold the units against.

use crate::git::{Git, GitPath};
use gatewalk_core::engine::contract;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::layout;
use gatewalk_core::model::workspace::{EarlierLog, Workspace};
use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;

/// How many changes of a log are looked through for lines that went.
const LOOKED_THROUGH: usize = 200;

/// Notes in a workspace what logs up to a commit say that units of a feature were armed as, where its own log does not say
/// so. A feature all of whose armed units are in its log is not looked at.
pub fn note(git: &Git, commit: ObjectId, workspace: &mut Workspace, feature: &Feature) {
    let found = of_feature(git, commit, feature);
    workspace.lost_armings.extend(found);
}

/// Returns the units that wait for a session and were armed by earlier logs alone, each with the newest such log.
pub fn of_feature(git: &Git, commit: ObjectId, feature: &Feature) -> BTreeMap<String, EarlierLog> {
    let mut lost = BTreeMap::new();
    let unknown = contract::without_record(feature);
    if unknown.is_empty() {
        return lost;
    }
    for (commit, path) in earlier_logs(git, commit, feature) {
        let log = git.file_at(commit, &GitPath::from(&*path)).ok().flatten();
        let armed = contract::logged_in(&log.unwrap_or_default());
        for unit in unknown.iter().filter(|unit| armed.contains_key(*unit)) {
            let earlier = || EarlierLog {
                commit: commit.short(),
                path: path.clone(),
            };
            lost.entry(unit.clone()).or_insert_with(earlier);
        }
    }
    lost
}

/// Returns the logs of a feature that may say more than that of now: the commit's own, and those that lost lines afterwards,
/// newest first, under whatever name its directory had. What cannot be read, as in a clone without old files, says nothing.
fn earlier_logs(git: &Git, commit: ObjectId, feature: &Feature) -> Vec<(ObjectId, String)> {
    let own = format!("{}/{}", feature.dir, layout::EVENTS);
    let mut logs = vec![(commit, own.clone())];
    let mut patterns = vec![format!(":(literal){own}")];
    if let (Some(id), Some((features, _))) = (&feature.plan.id, feature.dir.rsplit_once('/')) {
        let prefix = format!("{features}/{}", id.as_str().replace('/', "-"));
        patterns.push(format!(":(glob){prefix}*/{}", layout::EVENTS));
        let entries = git.entries(commit, &GitPath::from(features));
        let dirs = entries.unwrap_or_default().into_iter().filter_map(|entry| {
            let dir = format!("{features}/{}", entry.path.as_str()?);
            let is_other = dir.starts_with(&prefix) && *dir != *feature.dir;
            is_other.then(|| format!("{dir}/{}", layout::EVENTS))
        });
        logs.extend(dirs.map(|log| (commit, log)));
    }
    let cut = git.versions_cut(commit, &patterns, LOOKED_THROUGH);
    logs.extend(cut.unwrap_or_default());
    logs
}
