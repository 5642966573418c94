//! What is written here must please the program's own linter.

use super::create::{self, FeatureDirectory, FeatureFile, NewFeature, NewUnit, ScaffoldTarget};
use super::initial_files::{self, InitInput};
use super::{Write, WriteMode, example, stack, template};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint;
use crate::model::layout::Layout;
use crate::model::workspace::{FileSet, Workspace};
use crate::path_names::below;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A state directory in memory.
#[derive(Default)]
struct Repository {
    files: BTreeMap<String, String>,
}

const PLACE: ScaffoldTarget<'static> = ScaffoldTarget {
    state_dir: ".gatewalk",
    templates: template::SHIPPED,
};
const DIR: &str = ".gatewalk/features/FEAT-2026-0001-export";

impl Repository {
    fn initialised(listing: &[&str]) -> Self {
        let listing: Vec<String> = listing.iter().map(|name| (*name).to_owned()).collect();
        let stack = stack::tests::of_files(&|_| Some(String::new()), &listing, false);
        let inputs = InitInput {
            stack: &stack,
            gitignore: None,
            version: "0",
            agent: None,
        };
        let mut this = Repository::default();
        this.apply(initial_files::plan(&inputs));
        this
    }

    fn apply(&mut self, writes: Vec<Write>) {
        for write in writes {
            match write.mode {
                WriteMode::Remove => drop(self.files.remove(&write.path)),
                _ => drop(self.files.insert(write.path, write.content)),
            }
        }
    }

    fn feature(&mut self) {
        let new = NewFeature {
            title: "Export",
            slug: None,
            goal: None,
            unit: None,
            year: 2026,
            taken: &[],
            roadmap: self.files.get(".gatewalk/roadmap.md").map(String::as_str),
        };
        let writes = create::new_feature(&PLACE, &new).expect("a feature");
        self.apply(writes);
    }

    fn with_feature(&mut self, act: impl FnOnce(&FeatureDirectory<'_>) -> Vec<Write>) {
        let files = self.files.iter().filter_map(|(path, text)| {
            let name = below(path, DIR)?.to_owned();
            Some(FeatureFile {
                name,
                text: text.clone(),
            })
        });
        let files: Vec<FeatureFile> = files.collect();
        let writes = act(&FeatureDirectory {
            dir: DIR,
            feature_id: "FEAT-2026-0001",
            files: &files,
            spent: &[],
        });
        self.apply(writes);
    }

    fn unit(&mut self, kind: &str, gate: Option<u32>) {
        let new = NewUnit {
            title: kind,
            kind,
            gate,
            depends_on: &["T01".to_owned()],
        };
        self.with_feature(|feature| create::new_unit(&PLACE, feature, &new).expect("a unit"));
    }

    fn gate(&mut self) {
        self.with_feature(|feature| create::new_gate(&PLACE, feature, "More").expect("a gate"));
    }

    fn lint(&self) -> Vec<Diagnostic> {
        let files: FileSet = self
            .files
            .iter()
            .map(|(path, text)| (path.clone(), Arc::from(text.as_bytes())))
            .collect();
        lint::run(
            &Workspace::parse(Layout::Gatewalk, &files),
            &lint::Options::default(),
        )
    }

    /// Returns the warnings and errors that are not about placeholders.
    fn complaints(&self) -> Vec<String> {
        let other = |d: &&Diagnostic| d.code != "GW111" && d.severity > Severity::Info;
        let show = |d: &Diagnostic| {
            format!(
                "{} {:?} {}: {}",
                d.code, d.severity, d.primary.path, d.message
            )
        };
        self.lint().iter().filter(other).map(show).collect()
    }
}

#[test]
fn a_fresh_state_directory_has_no_findings() {
    for listing in [
        &["Cargo.toml", "Cargo.lock"] as &[&str],
        &["go.mod"],
        &["pom.xml"],
        &["uv.lock"],
    ] {
        let complaints = Repository::initialised(listing).complaints();
        assert!(complaints.is_empty(), "{listing:?}: {complaints:#?}");
    }
}

#[test]
fn without_a_test_command_lint_reports_it() {
    let found = Repository::initialised(&[]).lint();
    let at: Vec<_> = found
        .iter()
        .map(|d| (&*d.primary.path, d.severity))
        .collect();
    assert!(
        at.contains(&(".gatewalk/verification.yml", Severity::Error)),
        "{found:#?}"
    );
}

#[test]
fn new_files_have_no_findings_but_their_placeholders() {
    let mut repository = Repository::initialised(&["go.mod"]);
    type Step = (&'static str, fn(&mut Repository));
    let steps: &[Step] = &[
        ("feature", Repository::feature),
        ("unit", |r| r.unit("implementation", None)),
        ("human unit", |r| r.unit("human", None)),
        ("gate", Repository::gate),
        ("unit in the first gate", |r| {
            r.unit("implementation", Some(1))
        }),
        ("third gate", Repository::gate),
    ];
    for (name, step) in steps {
        step(&mut repository);
        let complaints = repository.complaints();
        assert!(complaints.is_empty(), "after {name}: {complaints:#?}");
    }
    let found = repository.lint();
    assert!(found.iter().any(|d| d.code == "GW111"));
    assert!(
        found.iter().all(|d| d.severity < Severity::Error),
        "drafts may be unfinished"
    );
}

#[test]
fn the_example_has_no_findings() {
    let mut repository = Repository::default();
    for (path, text) in example::FILES {
        repository
            .files
            .insert((*path).to_owned(), (*text).to_owned());
    }
    let found = repository.lint();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn what_is_left_to_fill_in_is_one_finding_a_file_and_nothing_else_is_found() {
    let mut repository = Repository::initialised(&["Cargo.toml"]);
    repository.feature();
    repository.unit("implementation", None);
    repository.unit("implementation", None);
    repository.gate();
    let found = repository.lint();
    let mut files: Vec<&str> = found.iter().map(|d| &*d.primary.path).collect();
    let count = files.len();
    files.dedup();
    assert_eq!(files.len(), count, "{found:#?}");
    assert!(found.iter().all(|d| d.code == "GW111"), "{found:#?}");
    let plan = found.iter().find(|d| d.primary.path.ends_with("PLAN.md"));
    let message = &plan.expect("the plan has something to fill in").message;
    assert_eq!(
        message,
        "4 places were left to be filled in, in lines 6, 13, 17, 21"
    );
}
