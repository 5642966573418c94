//! Armings that an earlier commit's log has and the log of now does not: who removes the log, or its end, and the marks in the
//! units' files would leave nothing else to hold the units against.

use crate::git::{Git, GitPath};
use gatewalk_core::engine::contract;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::layout;
use gatewalk_core::model::workspace::EarlierLog;
use gatewalk_core::object_id::ObjectId;
use std::collections::{BTreeMap, BTreeSet};

/// How many commits are looked through for lines of logs that went.
const LOOKED_THROUGH: usize = 1_000;

/// How many features are looked for by name; more are looked for among all.
const MOST_NAMED: usize = 100;

/// A feature, and its units that wait for a session and of which its log does not say as what they were armed.
pub type UnsureFeature<'f> = (&'f Feature, Vec<String>);

/// Returns the features with such units.
pub fn unsure<'f>(features: impl Iterator<Item = &'f Feature>) -> Vec<UnsureFeature<'f>> {
    let features = features.map(|feature| (feature, contract::without_record(feature)));
    features.filter(|(_, units)| !units.is_empty()).collect()
}

/// Returns the units that earlier logs alone say were armed, each with the newest such log. Asks git as often for many
/// features as for one, and not at all for none.
pub fn of_features(
    git: &Git,
    commit: ObjectId,
    unsure: &[UnsureFeature<'_>],
) -> BTreeMap<String, EarlierLog> {
    let mut lost = BTreeMap::new();
    if unsure.is_empty() {
        return lost;
    }
    let features: Vec<&Feature> = unsure.iter().map(|(feature, _)| *feature).collect();
    for (commit, path) in earlier_logs(git, commit, &features) {
        let mut log = None;
        for (_, units) in unsure.iter().filter(|(f, _)| is_log_of(f, &path)) {
            let armed = log.get_or_insert_with(|| {
                let log = git.file_at(commit, &GitPath::from(&*path)).ok().flatten();
                contract::logged_in(&log.unwrap_or_default())
            });
            for unit in units.iter().filter(|unit| armed.contains_key(*unit)) {
                let earlier = || EarlierLog {
                    commit: commit.short(),
                    path: path.clone(),
                };
                lost.entry(unit.clone()).or_insert_with(earlier);
            }
        }
    }
    lost
}

/// Returns the logs of features that may say more than those of now: the commit's own, and those that lost lines afterwards,
/// newest first, under whatever names their directories had. What cannot be read, as in a clone without old files, says
/// nothing.
fn earlier_logs(git: &Git, commit: ObjectId, features: &[&Feature]) -> Vec<(ObjectId, String)> {
    let above = |feature: &Feature| Some(feature.dir.rsplit_once('/')?.0.to_owned());
    let above: BTreeSet<String> = features.iter().filter_map(|f| above(f)).collect();
    let patterns = match features.len() {
        ..=MOST_NAMED => features.iter().flat_map(|f| patterns_of(f)).collect(),
        _ => {
            let logs = above
                .iter()
                .map(|at| format!(":(glob){at}/*/{}", layout::EVENTS));
            logs.collect::<Vec<String>>()
        }
    };
    let mut logs = Vec::new();
    for features_dir in &above {
        let entries = git.entries(commit, &GitPath::from(features_dir.as_str()));
        let dirs = entries.unwrap_or_default().into_iter();
        logs.extend(dirs.filter_map(|entry| {
            let log = format!("{features_dir}/{}/{}", entry.path.as_str()?, layout::EVENTS);
            let mut features = features.iter();
            features
                .any(|f| is_log_of(f, &log))
                .then_some((commit, log))
        }));
    }
    let cut = git.versions_cut(commit, &patterns, LOOKED_THROUGH);
    logs.extend(cut.unwrap_or_default());
    logs
}

/// Returns what git finds a feature's log by, and those of directories that begin with its id.
fn patterns_of(feature: &Feature) -> Vec<String> {
    let own = format!(":(literal){}/{}", feature.dir, layout::EVENTS);
    let others = by_id(feature).map(|prefix| format!(":(glob){prefix}*/{}", layout::EVENTS));
    std::iter::once(own).chain(others).collect()
}

/// Returns whether a log is one of this feature, now or under another name of its directory.
fn is_log_of(feature: &Feature, log: &str) -> bool {
    let at = log
        .strip_suffix(layout::EVENTS)
        .and_then(|at| at.strip_suffix('/'));
    at.is_some_and(|at| {
        at == &*feature.dir || by_id(feature).is_some_and(|id| at.starts_with(&*id))
    })
}

/// Returns what the names of directories begin with that are named by a feature's id.
fn by_id(feature: &Feature) -> Option<String> {
    let (above, _) = feature.dir.rsplit_once('/')?;
    let id = feature.plan.id.as_ref()?;
    Some(format!("{above}/{}", id.as_str().replace('/', "-")))
}
