//! A state directory as a value: everything lint, driver and commands know of the plans.

use super::config::Config;
use super::feature::Feature;
use super::feature_list::FeatureList;
use super::gate::Gate;
use super::known_failures::KnownFailures;
use super::layout::{self, Layout};
use super::misnamed::{self, MisnamedFile};
use super::plan::Plan;
use super::unit::Unit;
use super::unit_files::UnitFiles;
use super::unread_entry::UnreadEntry;
use super::verification::Verification;
use crate::parallel;
use crate::path_names::{file_name, is_below};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files by path relative to the repository root: what a directory or a commit holds.
pub type FileSet = BTreeMap<String, Arc<[u8]>>;

/// A log as an earlier commit has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierLog {
    /// The commit, as messages name it.
    pub commit: String,
    /// The log's path there.
    pub path: String,
}

/// The state directory as it stands in a directory or in a commit.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    /// Which of the two layouts it is.
    pub layout: Layout,
    /// What `verification.yml` says.
    pub verification: Verification,
    /// What `config.yml` says.
    pub config: Config,
    /// `roadmap.md`, when there is one.
    pub roadmap: Option<Arc<[u8]>>,
    /// `LEARNINGS.md`, when there is one.
    pub learnings: Option<Arc<[u8]>>,
    /// The rules every session is given, by path, shipped ones first.
    pub(crate) rules: Vec<(String, Arc<[u8]>)>,
    /// What lists of cases that may fail allowed before, as far as somebody read it from the history.
    pub earlier_known: KnownFailures,
    /// Units that an earlier commit's log says were armed and the log of now does not, as far as somebody looked.
    pub lost_armings: BTreeMap<String, EarlierLog>,
    /// What a feature's `root` names and the checkout has no directory for, each with the directory that was meant, as
    /// far as somebody looked.
    pub absent_roots: BTreeMap<String, Option<String>>,
    /// What `when`, `inputs`, `link` and the guards' settings name and the checkout has nothing for, each with what was
    /// meant, as far as somebody looked.
    pub absent_paths: BTreeMap<String, Option<String>>,
    /// Links and the like where a file or a directory would be read, by path from the root, as far as somebody looked.
    pub unread: BTreeMap<String, UnreadEntry>,
    /// Files and directories that nobody reads for their names.
    pub(crate) misnamed: Vec<MisnamedFile>,
    /// The features, by directory name; shared with the workspaces of other commits that have them alike.
    pub features: FeatureList,
}

impl Workspace {
    /// Reads a state directory from files; never fails.
    pub fn parse(layout: Layout, files: &FileSet) -> Workspace {
        Workspace::parse_as(layout, files, FeatureDepth::Whole)
    }

    /// Reads a state directory for work on features that are not over. Of one that is over, only what others are held
    /// against is read: its plan, its log and the units that add verification sets.
    pub fn parse_open(layout: Layout, files: &FileSet) -> Workspace {
        Workspace::parse_as(layout, files, FeatureDepth::OpenOnly)
    }

    fn parse_as(layout: Layout, files: &FileSet, depth: FeatureDepth) -> Workspace {
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
            earlier_known: KnownFailures::default(),
            lost_armings: BTreeMap::new(),
            absent_roots: BTreeMap::new(),
            absent_paths: BTreeMap::new(),
            unread: BTreeMap::new(),
            misnamed: misnamed::find(layout, files),
            features: parse_features(layout, files, depth),
        }
    }

    /// Returns the globs of the oracle's commands and of what is protected, and what slots take along, as they are written.
    pub fn path_settings(&self) -> impl Iterator<Item = &str> {
        let commands = self.verification.sets.iter().flat_map(|set| &set.commands);
        let of_commands = commands.flat_map(|c| [&c.value.when, &c.value.inputs]);
        let config = &self.config.front;
        let all = of_commands.chain([&config.protect, &config.protected_tests]);
        let lists = all.flatten().flat_map(|list| &list.value.0);
        lists
            .chain(&self.verification.link)
            .map(|path| &*path.value)
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
            self.misnamed = misnamed::find(self.layout, files);
            return None;
        };
        let dir = format!("{prefix}{directory}");
        if let Some(bytes) = files.get(path)
            && let Some(feature) = self.features.in_directory_mut(&dir)
        {
            let whole: Arc<str> = path.into();
            if feature.units.contains_key(name) {
                let unit = Unit::parse(whole, bytes).of_plan(&feature.plan);
                feature.units.insert(name, unit);
                return Some(dir.into());
            }
            if let Some(gate) = feature.gates.get_mut(name) {
                *gate = Gate::parse(whole, bytes);
                return Some(dir.into());
            }
            // A log grows with every landing, and says nothing of the other files.
            if let Some(other) = feature.others.get_mut(name) {
                *other = bytes.clone();
                return Some(dir.into());
            }
            if name == layout::PLAN {
                let plan = Plan::parse(whole, bytes);
                if feature.same_files(&plan) && feature.plan.root() == plan.root() {
                    feature.plan = plan;
                    return Some(dir.into());
                }
            }
        }
        self.replace_feature(files, &dir);
        Some(dir.into())
    }

    /// Takes up a feature's directory as some files have it, all of it.
    pub fn replace_feature(&mut self, files: &FileSet, dir: &str) {
        let inside = format!("{dir}/");
        let found: Vec<(&str, &Arc<[u8]>)> = files
            .range(inside.clone()..)
            .take_while(|(path, _)| path.starts_with(&inside))
            .map(|(path, bytes)| (&path[inside.len()..], bytes))
            .collect();
        let feature = parse_feature(dir, &found, FeatureDepth::Whole);
        self.features.replace(dir, feature.map(Arc::new));
    }

    /// Returns the features, by directory name.
    pub fn features(&self) -> impl Iterator<Item = &Feature> {
        self.features.iter().map(|feature| &**feature)
    }

    /// Returns the feature in a directory.
    pub fn feature_in(&self, dir: &str) -> Option<&Feature> {
        self.features.in_directory(dir).map(|feature| &**feature)
    }

    /// Returns the features a user may mean by an id, a directory name, a path or a slug.
    pub fn find_features(&self, name: &str) -> Vec<&Feature> {
        self.features().filter(|f| f.is_called(name)).collect()
    }
}

/// Drops the files of every feature but the one in a directory.
pub(crate) fn keep_one_feature(files: &mut FileSet, layout: Layout, feature_dir: &str) {
    let features = layout.path(layout::FEATURES);
    files.retain(|path, _| !is_below(path, &features) || is_below(path, feature_dir));
}

/// Below this many directories a second thread costs more than it saves.
const DIRECTORIES_PER_THREAD: usize = 8;

/// Below this many units of a feature likewise.
const UNITS_PER_THREAD: usize = 200;

/// The files of one feature's directory: name in the directory, content.
type DirectoryFiles<'a> = Vec<(&'a str, &'a Arc<[u8]>)>;

/// How much of a feature is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FeatureDepth {
    /// Every file, also of a feature that is over.
    Whole,
    /// Everything of one that is not over.
    OpenOnly,
}

impl Feature {
    /// Returns whether a user may mean it by an id, a directory name, a path or a slug, in whatever letters.
    pub fn is_called(&self, name: &str) -> bool {
        let name = name.trim_end_matches('/');
        let directory = file_name(name);
        let is = |own: &str, name: &str| own.eq_ignore_ascii_case(name);
        let id = self.plan.id.as_ref();
        id.is_some_and(|id| is(id.as_str(), name))
            || &*self.dir == name
            || is(file_name(&self.dir), directory)
            || self.slug().is_some_and(|slug| is(slug, name))
    }

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

fn parse_features(layout: Layout, files: &FileSet, depth: FeatureDepth) -> FeatureList {
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
        parse_feature(&format!("{prefix}{directory}"), files, depth).map(Arc::new)
    };
    // Features do not know each other, so each core reads a share.
    let shares = parallel::share(&directories, DIRECTORIES_PER_THREAD, |part| {
        part.iter().filter_map(parse).collect::<Vec<_>>()
    });
    shares.into_iter().flatten().collect()
}

/// The key by which a unit adds verification sets, which have to be used by some unit.
const ADDED_SETS: &[u8] = b"extra_gates";

/// Reads one directory; a directory without a plan and without units is not a feature.
fn parse_feature(dir: &str, files: &[(&str, &Arc<[u8]>)], depth: FeatureDepth) -> Option<Feature> {
    let path = |name: &str| -> Arc<str> { format!("{dir}/{name}").into() };
    let plan = files.iter().find(|(name, _)| *name == layout::PLAN);
    if plan.is_none() && !files.iter().any(|(name, _)| layout::is_unit_file(name)) {
        return None;
    }
    let mut plan = Plan::parse_front(path(layout::PLAN), plan.map_or(&[][..], |(_, b)| b));
    let whole = depth == FeatureDepth::Whole || !plan.status().is_over();
    let is_read = |bytes: &[u8]| whole || memchr::memmem::find(bytes, ADDED_SETS).is_some();
    let others = || files.iter().filter(|(name, _)| *name != layout::PLAN);
    let named = others().filter(|(name, bytes)| layout::is_unit_file(name) && is_read(bytes));
    let mut units = read_graph_and_units(dir, &mut plan, &named.collect::<Vec<_>>());
    let mut feature = Feature {
        dir: dir.into(),
        plan,
        gates: BTreeMap::new(),
        units: UnitFiles::default(),
        others: BTreeMap::new(),
    };
    for &(name, bytes) in others() {
        let gates = &feature.plan.gates;
        let listed_gate = || {
            let mut files = gates.iter().filter_map(|g| g.file.as_ref());
            files.any(|file| file.value == *name)
        };
        let listed_unit = || {
            let mut units = gates.iter().flat_map(|g| &g.units);
            units.any(|u| u.file.value == *name)
        };
        if layout::gate_number(name).is_some() || listed_gate() {
            units.remove(name);
            if whole {
                let gate = Gate::parse(path(name), bytes);
                feature.gates.insert(name.to_owned(), gate);
            }
        } else if layout::is_unit_file(name) {
            // Read above, or not at all.
        } else if listed_unit() {
            if is_read(bytes) {
                units.extend(read_units(dir, &[&(name, bytes)]));
            }
        } else {
            feature.others.insert(name.to_owned(), bytes.clone());
        }
    }
    let of_plan = |(name, unit): (String, Unit)| (name, unit.of_plan(&feature.plan));
    feature.units = units.into_iter().map(of_plan).collect();
    Some(feature)
}

/// Reads the graph of a plan, and unit files beside it.
fn read_graph_and_units(
    dir: &str,
    plan: &mut Plan,
    named: &[&(&str, &Arc<[u8]>)],
) -> BTreeMap<String, Unit> {
    let read = || read_units(dir, named);
    match named.len() > UNITS_PER_THREAD {
        true => parallel::beside(read, || plan.read_graph()).0,
        false => {
            plan.read_graph();
            read()
        }
    }
}

/// Reads unit files of a directory, by name; of many, each core reads a share.
fn read_units(dir: &str, files: &[&(&str, &Arc<[u8]>)]) -> BTreeMap<String, Unit> {
    let read = |(name, bytes): &&(&str, &Arc<[u8]>)| {
        let path = format!("{dir}/{name}").into();
        ((*name).to_owned(), Unit::parse(path, bytes))
    };
    let shares = parallel::share(files, UNITS_PER_THREAD, |part| {
        part.iter().map(read).collect::<Vec<_>>()
    });
    shares.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> FileSet {
        let mut files = FileSet::new();
        let mut put =
            |path: String, text: &str| drop(files.insert(path, text.as_bytes().to_vec().into()));
        for (id, status) in [(1, "done"), (2, "active"), (3, "abandoned")] {
            let dir = format!(".gatewalk/features/FEAT-2026-{id:04}-x");
            put(
                format!("{dir}/PLAN.md"),
                &format!(
                    "---\nfeature_id: FEAT-2026-{id:04}\nslug: s{id}\nstatus: {status}\n---\n"
                ),
            );
            put(format!("{dir}/GATE-01.md"), "---\ngate: 1\n---\n");
            put(format!("{dir}/WU-01-a.md"), "---\nstatus: done\n---\n");
            let added = "---\nstatus: done\nextra_gates: [fast]\n---\n";
            put(format!("{dir}/WU-02-b.md"), added);
            put(format!("{dir}/events.jsonl"), "{}\n");
        }
        files
    }

    fn counts(workspace: &Workspace) -> Vec<(usize, usize, usize)> {
        let count = |f: &Feature| (f.gates.len(), f.units.len(), f.others.len());
        workspace.features().map(count).collect()
    }

    #[test]
    fn of_what_is_over_only_what_others_need_is_read() {
        let files = files();
        let whole = Workspace::parse(Layout::Gatewalk, &files);
        assert_eq!(counts(&whole), [(1, 2, 1); 3]);
        let mut open = Workspace::parse_open(Layout::Gatewalk, &files);
        assert_eq!(counts(&open), [(0, 1, 1), (1, 2, 1), (0, 1, 1)]);
        assert!(open.features[0].units.contains_key("WU-02-b.md"));
        open.replace_feature(&files, ".gatewalk/features/FEAT-2026-0001-x");
        open.replace_feature(&files, ".gatewalk/features/FEAT-2026-0003-x");
        assert_eq!(open, whole);
        open.replace_feature(&FileSet::new(), ".gatewalk/features/FEAT-2026-0001-x");
        assert_eq!(counts(&open), [(1, 2, 1); 2]);
        open.replace_feature(&files, ".gatewalk/features/FEAT-2026-0001-x");
        assert_eq!(open, whole);
    }

    #[test]
    fn the_graph_says_what_a_file_is_where_its_name_says_otherwise_however_many_there_are() {
        for count in [1, UNITS_PER_THREAD + 1] {
            let dir = ".gatewalk/features/FEAT-2026-0001-x";
            let mut files = FileSet::new();
            let mut put = |name: &str, text: &str| {
                drop(files.insert(format!("{dir}/{name}"), text.as_bytes().to_vec().into()));
            };
            put(
                "PLAN.md",
                "---\nfeature_id: FEAT-2026-0001\nroot: app\n---\n\n```yaml\ngates:\n  - gate: 1\n    file: WU-00-gate.md\n    work_units:\n      - {id: FEAT-2026-0001/T01, file: notes.md}\n```\n",
            );
            put("WU-00-gate.md", "---\ngate: 1\n---\n");
            put("notes.md", "---\nid: FEAT-2026-0001/T01\n---\n");
            put("other.md", "");
            for n in 1..=count {
                put(
                    &format!("WU-{n}-a.md"),
                    &format!("---\nid: FEAT-2026-0001/U{n}\n---\n"),
                );
            }
            let workspace = Workspace::parse(Layout::Gatewalk, &files);
            let feature = &workspace.features[0];
            assert_eq!(feature.plan.gates.len(), 1);
            assert_eq!(Vec::from_iter(feature.gates.keys()), ["WU-00-gate.md"]);
            assert_eq!(Vec::from_iter(feature.others.keys()), ["other.md"]);
            assert_eq!(feature.units.len(), count + 1);
            for (name, unit) in feature.units.iter() {
                assert_eq!(unit.path().to_string(), format!("{dir}/{name}"));
                assert_eq!(unit.root(), Some("app"), "{name}");
            }
        }
    }

    #[test]
    fn a_log_that_grew_is_taken_up_without_reading_the_other_files_again() {
        let mut files = files();
        let mut workspace = Workspace::parse(Layout::Gatewalk, &files);
        let before = workspace.features[1].clone();
        let dir = ".gatewalk/features/FEAT-2026-0002-x";
        for name in ["events.jsonl", "PLAN.md", "WU-02-b.md"] {
            files.insert(format!("{dir}/{name}"), (*b"changed").into());
        }
        workspace.replace_file(&files, &format!("{dir}/events.jsonl"));
        let after = &workspace.features[1];
        assert_eq!(&*after.others["events.jsonl"], b"changed");
        assert_eq!((&after.plan, &after.units), (&before.plan, &before.units));
        // One that is gone, or new, is.
        files.remove(&format!("{dir}/events.jsonl"));
        workspace.replace_file(&files, &format!("{dir}/events.jsonl"));
        assert!(
            workspace
                .feature_in(dir)
                .is_none_or(|f| f.others.is_empty())
        );
    }

    #[test]
    fn a_feature_goes_by_its_id_its_directory_and_its_slug() {
        let workspace = Workspace::parse(Layout::Gatewalk, &files());
        for name in [
            "FEAT-2026-0002",
            "FEAT-2026-0002-x",
            ".gatewalk/features/FEAT-2026-0002-x/",
            "s2",
        ] {
            let found = workspace.find_features(name);
            assert_eq!(found.len(), 1, "{name}");
            assert_eq!(found[0].name(), "FEAT-2026-0002", "{name}");
        }
        assert!(workspace.find_features("FEAT-2026").is_empty());
    }
}
