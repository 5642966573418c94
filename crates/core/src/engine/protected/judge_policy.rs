//! What judges beside the conventions, and what of it a unit may change.

use super::included_makefiles::{self, IncludingMakefile};
use super::{ChangedFile, judge_paths, makefiles, manifests};
use crate::model::unit::TOUCHES_ANY;
use globset::GlobSet;
use std::collections::BTreeSet;

/// What a unit declares, and what a project protects.
#[derive(Debug)]
pub struct Policy {
    more: GlobSet,
    declared: GlobSet,
    /// What `touches` names: it declares files that only judge, never a part of a file.
    touched: GlobSet,
    all_declared: bool,
    /// Words of the oracle's own commands, and paths of the scripts they reach.
    pub(super) words: BTreeSet<String>,
    /// Scripts among those that name tests.
    runners: BTreeSet<String>,
    /// Targets of `make` that the oracle asks for.
    targets: BTreeSet<String>,
    /// Makefiles of the base by which the oracle makes them.
    makefiles: Vec<IncludingMakefile>,
}

/// What a unit declares.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Declared<'a> {
    /// Globs of `produces` and its like.
    pub(crate) globs: &'a [&'a str],
    /// What the unit's `touches` names.
    pub(crate) touches: &'a [&'a str],
    /// Whether all tests may change.
    pub(crate) all: bool,
}

impl Policy {
    /// Returns the policy of a unit. `more` are the project's globs; `oracle` the shell texts of the user's sets.
    pub(crate) fn new(more: &[&str], declared: Declared<'_>, oracle: &[&str]) -> Policy {
        let words = oracle
            .iter()
            .flat_map(|shell| shell.split(|c: char| c.is_whitespace() || "\"';&|()".contains(c)))
            .map(|word| word.trim_start_matches("./").to_owned())
            .filter(|word| !word.is_empty())
            .collect();
        // `src/**` is about the product even where tests live in it.
        let pointed = declared.touches.iter().copied().filter(|pattern| {
            *pattern != TOUCHES_ANY && !pattern.contains(['*', '?', '[', '{'])
                || judge_paths::is_test(pattern)
        });
        Policy {
            more: super::super::guards::set(more),
            declared: super::super::guards::set(declared.globs),
            touched: super::super::guards::set(&pointed.collect::<Vec<_>>()),
            all_declared: declared.all,
            words,
            runners: BTreeSet::new(),
            targets: BTreeSet::new(),
            makefiles: vec![],
        }
    }

    /// Adds a script that names tests: what runs them judges, whatever it is called.
    pub(crate) fn runs_tests(&mut self, path: &str) {
        if manifests::is_manifest(path) {
            // The rest of it is the product's.
            return;
        }
        self.runners.insert(path.to_owned());
    }

    /// Adds what the oracle has `make` make, as a Makefile of the base has it: a file of that name would be taken for it.
    pub(crate) fn makes(&mut self, makefile: &str) {
        let targets = makefiles::asked_targets(makefile, &self.words);
        if !targets.is_empty() {
            self.runners.extend(included_makefiles::included(makefile));
            self.makefiles.push(IncludingMakefile::of(makefile));
        }
        self.targets.extend(targets);
    }

    /// Returns whether a new file of this path would be taken for what the oracle has made.
    pub(super) fn is_target(&self, path: &str) -> bool {
        self.targets
            .contains(path.split('/').next().unwrap_or(path))
    }

    /// Returns whether a Makefile of the base reads a file, and judges otherwise by it than before.
    pub(super) fn steers_make(&self, pair: &ChangedFile<'_>) -> bool {
        let mut makefiles = self.makefiles.iter();
        makefiles.any(|makefile| makefile.is_steered_by(pair, &self.words))
    }

    /// Adds scripts that the oracle's commands reach.
    pub(crate) fn reach(&mut self, paths: impl IntoIterator<Item = String>) {
        self.words.extend(paths);
    }

    /// Returns whether a path is a test, a runner's setting, or a script of the oracle itself.
    pub(crate) fn covers(&self, path: &str) -> bool {
        self.is_test(path) || judge_paths::is_steering(path) || self.is_oracle_script(path)
    }

    pub(super) fn is_test(&self, path: &str) -> bool {
        judge_paths::is_test(path) || self.more.is_match(path)
    }

    /// Returns whether the oracle reaches a file by this path that is there to judge.
    pub(super) fn is_oracle_script(&self, path: &str) -> bool {
        self.runners.contains(path)
            || self.words.contains(path) && judge_paths::is_judging_script(path)
    }

    /// Returns whether the unit declares that all tests may change.
    pub(crate) fn declares_all(&self) -> bool {
        self.all_declared
    }

    /// Returns whether the unit declares a change of a file that only judges.
    pub(crate) fn declares(&self, path: &str) -> bool {
        self.declares_part(path) || self.touched.is_match(path)
    }

    /// Returns whether the unit declares a change of the part of a file that judges.
    pub(super) fn declares_part(&self, path: &str) -> bool {
        self.all_declared || self.declared.is_match(path)
    }
}
