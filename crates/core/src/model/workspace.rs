//! A state directory as a value: everything lint, driver and commands know of the plans.

use super::config::Config;
use super::feature::Feature;
use super::gate::Gate;
use super::layout::{self, Layout};
use super::plan::Plan;
use super::unit::Unit;
use super::verification::Verification;
use crate::parallel;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files by path relative to the repository root: what a directory or a commit holds.
pub type FileSet = BTreeMap<String, Arc<[u8]>>;

/// The state directory as it stands in a directory or in a commit.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    /// Which of the two layouts it is.
    pub layout: Layout,
    /// The oracle.
    pub verification: Verification,
    /// Project settings.
    pub config: Config,
    /// `roadmap.md`, when there is one.
    pub roadmap: Option<Arc<[u8]>>,
    /// `LEARNINGS.md`, when there is one.
    pub learnings: Option<Arc<[u8]>>,
    /// The rules every session is given, by path, shipped ones first.
    pub(crate) rules: Vec<(String, Arc<[u8]>)>,
    /// The features, by directory name; shared with the workspaces of other commits that have them alike.
    pub features: Vec<Arc<Feature>>,
}

impl Workspace {
    /// Reads a state directory from files; never fails.
    pub fn parse(layout: Layout, files: &FileSet) -> Workspace {
        let file = |name: &str| files.get(&layout.path(name));
        let parse_path = |name: &str| -> Arc<str> { layout.path(name).into() };
        let mut rules = Vec::new();
        for directory in [layout::RULES, layout::RULES_LOCAL] {
            let prefix = format!("{}/", layout.path(directory));
            rules.extend(
                files
                    .range(prefix.clone()..)
                    .take_while(|(path, _)| path.starts_with(&prefix))
                    .filter(|(path, _)| path.ends_with(".md"))
                    .map(|(path, bytes)| (path.clone(), bytes.clone())),
            );
        }
        Workspace {
            layout,
            verification: Verification::parse(
                parse_path(layout::VERIFICATION),
                file(layout::VERIFICATION).map(|b| &**b),
            ),
            config: Config::parse(
                parse_path(layout::CONFIG),
                file(layout::CONFIG).map(|b| &**b),
            ),
            roadmap: file(layout::ROADMAP).cloned(),
            learnings: file(layout::LEARNINGS).cloned(),
            rules,
            features: parse_features(layout, files),
        }
    }

    /// Takes up the new content of one file, parsing no more than it concerns; returns the directory
    /// of the feature it belongs to, or none when it belongs to the whole.
    ///
    /// `files` already holds the new content, or no content for a file that is gone.
    pub fn replace_file(&mut self, files: &FileSet, path: &str) -> Option<Arc<str>> {
        let prefix = format!("{}/", self.layout.path(layout::FEATURES));
        let place = path
            .strip_prefix(&prefix)
            .and_then(|rest| rest.split_once('/'));
        let Some((directory, name)) = place else {
            let features = std::mem::take(&mut self.features);
            let outside = |(path, _): &(&String, &Arc<[u8]>)| !path.starts_with(&prefix);
            let rest = files.iter().filter(outside);
            let rest = rest.map(|(path, bytes)| (path.clone(), bytes.clone()));
            *self = Workspace::parse(self.layout, &rest.collect());
            self.features = features;
            return None;
        };
        let dir = format!("{prefix}{directory}");
        let at = self.features.binary_search_by(|f| (*f.dir).cmp(&*dir)).ok();
        if let (Some(at), Some(bytes)) = (at, files.get(path)) {
            let feature = Arc::make_mut(&mut self.features[at]);
            let whole: Arc<str> = path.into();
            if let Some(unit) = feature.units.get_mut(name) {
                *unit = Unit::parse(whole, bytes);
                return Some(dir.into());
            }
            if let Some(gate) = feature.gates.get_mut(name) {
                *gate = Gate::parse(whole, bytes);
                return Some(dir.into());
            }
            if name == layout::PLAN {
                let plan = Plan::parse(whole, bytes);
                if feature.same_files(&plan) {
                    feature.plan = plan;
                    return Some(dir.into());
                }
            }
        }
        let inside = format!("{dir}/");
        let found: Vec<(&str, &Arc<[u8]>)> = files
            .range(inside.clone()..)
            .take_while(|(path, _)| path.starts_with(&inside))
            .map(|(path, bytes)| (&path[inside.len()..], bytes))
            .collect();
        let feature = parse_feature(&dir, &found).map(Arc::new);
        match (at, feature) {
            (Some(at), Some(feature)) => self.features[at] = feature,
            (Some(at), None) => drop(self.features.remove(at)),
            (None, Some(feature)) => {
                let at = self.features.partition_point(|f| *f.dir < *dir);
                self.features.insert(at, feature);
            }
            (None, None) => {}
        }
        Some(dir.into())
    }

    /// Returns the features, by directory name.
    pub fn features(&self) -> impl Iterator<Item = &Feature> {
        self.features.iter().map(|feature| &**feature)
    }

    /// Returns the feature in a directory.
    pub fn feature_in(&self, dir: &str) -> Option<&Feature> {
        let at = self.features.binary_search_by(|f| (*f.dir).cmp(dir));
        at.ok().map(|at| &*self.features[at])
    }

    /// Returns the features a user may mean by an id, a directory name, a path or a slug.
    pub fn find_features(&self, name: &str) -> Vec<&Feature> {
        let name = name.trim_end_matches('/');
        let directory = name.rsplit('/').next().unwrap_or(name);
        self.features
            .iter()
            .map(|f| &**f)
            .filter(|f| {
                f.plan.id.as_ref().is_some_and(|id| id.as_str() == name)
                    || &*f.dir == name
                    || f.dir.rsplit('/').next() == Some(directory)
                    || f.slug() == Some(name)
            })
            .collect()
    }
}

/// Drops the files of every feature but the one in a directory.
pub(crate) fn keep_one_feature(files: &mut FileSet, layout: Layout, feature_dir: &str) {
    let features = format!("{}/", layout.path(layout::FEATURES));
    let own = format!("{feature_dir}/");
    files.retain(|path, _| !path.starts_with(&features) || path.starts_with(&own));
}

/// Below this many directories a second thread costs more than it saves.
const DIRECTORIES_PER_THREAD: usize = 8;

/// The files of one feature's directory: name in the directory, content.
type DirectoryFiles<'a> = Vec<(&'a str, &'a Arc<[u8]>)>;

impl Feature {
    /// Returns whether a plan lists the files that this one's plan lists.
    fn same_files(&self, plan: &Plan) -> bool {
        let files = |plan: &Plan| -> Vec<String> {
            let gates = plan.gates.iter().filter_map(|g| g.file.clone());
            let units = plan.gates.iter().flat_map(|g| &g.units);
            let units = units.map(|u| u.file.clone());
            gates.chain(units).map(|f| f.value).collect()
        };
        files(&self.plan) == files(plan)
    }
}

fn parse_features(layout: Layout, files: &FileSet) -> Vec<Arc<Feature>> {
    let prefix = format!("{}/", layout.path(layout::FEATURES));
    let mut directories: BTreeMap<&str, DirectoryFiles<'_>> = BTreeMap::new();
    for (path, bytes) in files
        .range(prefix.clone()..)
        .take_while(|(p, _)| p.starts_with(&prefix))
    {
        if let Some((directory, name)) = path[prefix.len()..].split_once('/') {
            directories
                .entry(directory)
                .or_default()
                .push((name, bytes));
        }
    }
    let directories: Vec<_> = directories.into_iter().collect();
    let parse = |(directory, files): &(&str, DirectoryFiles<'_>)| {
        parse_feature(&format!("{prefix}{directory}"), files).map(Arc::new)
    };
    // Features do not know each other, so each core reads a share.
    let shares = parallel::share(&directories, DIRECTORIES_PER_THREAD, |part| {
        part.iter().filter_map(parse).collect::<Vec<_>>()
    });
    shares.into_iter().flatten().collect()
}

/// Reads one directory; a directory without a plan and without units is not a feature.
fn parse_feature(dir: &str, files: &[(&str, &Arc<[u8]>)]) -> Option<Feature> {
    let path = |name: &str| -> Arc<str> { format!("{dir}/{name}").into() };
    let plan = files.iter().find(|(name, _)| *name == layout::PLAN);
    if plan.is_none() && !files.iter().any(|(name, _)| layout::is_unit_file(name)) {
        return None;
    }
    let plan = Plan::parse(path(layout::PLAN), plan.map_or(&[][..], |(_, bytes)| bytes));
    let mut feature = Feature {
        dir: dir.into(),
        plan,
        gates: BTreeMap::new(),
        units: BTreeMap::new(),
        others: BTreeMap::new(),
    };
    for (name, bytes) in files {
        let listed_gate = || {
            feature
                .plan
                .gates
                .iter()
                .any(|g| g.file.as_ref().is_some_and(|f| f.value == *name))
        };
        let listed_unit = || {
            feature
                .plan
                .gates
                .iter()
                .flat_map(|g| &g.units)
                .any(|u| u.file.value == *name)
        };
        if *name == layout::PLAN {
            continue;
        } else if layout::gate_number(name).is_some() || listed_gate() {
            feature
                .gates
                .insert((*name).to_owned(), Gate::parse(path(name), bytes));
        } else if layout::is_unit_file(name) || listed_unit() {
            feature
                .units
                .insert((*name).to_owned(), Unit::parse(path(name), bytes));
        } else {
            feature.others.insert((*name).to_owned(), (*bytes).clone());
        }
    }
    Some(feature)
}
