//! Tests and runner settings an attempt must not weaken.
//!
//! New tests are welcome. A changed or deleted one, and anything that steers how tests run, must be
//! declared by the unit (`touches_tests: true`, or named in `produces`); otherwise `look` says how
//! to put the base's versions back, and the oracle runs once more on that. What it cannot put back
//! it tells. Deliberately absent: judging whether a changed test is better or worse.

use super::guards::ChangedPath;
use super::guards::ChangedPathKind;
use globset::GlobSet;
use std::collections::BTreeSet;
use std::sync::LazyLock;

mod judging;
mod rust;
mod test_markers;

/// Tests, by the conventions of the common stacks.
pub const TESTS: &[&str] = &[
    "{test,tests,spec,specs,e2e,cypress}/**",
    "**/{test,tests,spec,specs,__tests__,__snapshots__,testdata}/**",
    "**/test_*.{py,sh,rb}",
    "**/*_test.{py,go,sh,rb,exs,dart,cc,cpp,c}",
    "**/*_{spec,tests}.{rb,lua,rs}",
    "**/*.{test,spec,cy}.{js,jsx,mjs,cjs,ts,tsx,mts,cts,vue}",
    "**/*{Test,Tests,IT,Spec}.{java,kt,kts,groovy,scala,cs,fs,vb,php,swift}",
    "**/tests.{py,rs}",
    "**/*.{bats,snap}",
];

/// What steers how tests are found and run. Tests and product work without it, or with the base's.
pub const STEERING: &[&str] = &[
    "**/conftest.py",
    "**/{sitecustomize,usercustomize,pytest,_pytest,unittest,doctest}.py",
    "**/{pytest,_pytest,unittest,pluggy}/__init__.py",
    "**/*.pth",
    "**/{pytest.ini,.pytest.ini,.coveragerc,noxfile.py,.noserc}",
    "**/{jest,vitest,playwright,cypress,karma,ava,wdio,web-test-runner}.config.*",
    "**/{jest,vitest}.{setup,workspace,global}*.*",
    "**/setupTests.*",
    "**/{karma.conf,.mocharc,.nycrc,.taprc,.jasmine}*",
    "**/{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,bunfig.toml}",
    "**/.config/nextest.toml",
    "**/.cargo/{config,config.toml}",
    "**/{phpunit.xml,phpunit.xml.dist,phpunit.dist.xml,.rspec,spec_helper.rb,.runsettings}",
    "**/{CTestTestfile.cmake,CTestCustom.cmake,.bats}",
];

/// Programs that verification starts by name: a file called so is a shim.
const PROGRAMS: &[&str] = &[
    "cargo", "rustc", "pytest", "python", "python3", "node", "npm", "npx", "pnpm", "yarn", "bun",
    "deno", "go", "git", "sh", "bash", "env", "make", "cmake", "ctest", "jest", "vitest", "mocha",
    "mvn", "gradle", "java", "dotnet", "ruby", "rspec", "bundle", "php", "phpunit", "composer",
    "bats", "tox", "nox", "ruff", "mypy", "eslint", "tsc", "test", "true", "grep", "diff",
];

/// Files that run while the product is built or installed: reported when they appear or change.
const BUILDING: &[&str] = &[
    "**/build.rs",
    "**/setup.py",
    "**/binding.gyp",
    "**/{rust-toolchain,rust-toolchain.toml,.tool-versions,mise.toml,.nvmrc}",
    "**/Directory.Build.{props,targets}",
    "**/{.env,.env.local,.env.test}",
];

static TESTS_SET: LazyLock<GlobSet> = LazyLock::new(|| super::guards::set(TESTS));
static STEERING_SET: LazyLock<GlobSet> = LazyLock::new(|| super::guards::set(STEERING));
static BUILDING_SET: LazyLock<GlobSet> = LazyLock::new(|| super::guards::set(BUILDING));

/// What a unit declares, and what a project protects.
#[derive(Debug)]
pub struct Policy {
    more: GlobSet,
    declared: GlobSet,
    all_declared: bool,
    /// Words of the oracle's own commands.
    words: BTreeSet<String>,
}

impl Policy {
    /// Returns the policy of a unit. `more` are the project's globs; `declared` the unit's; `oracle`
    /// the shell texts of the user's sets.
    pub fn new(more: &[&str], declared: &[&str], all_declared: bool, oracle: &[&str]) -> Policy {
        let words = oracle
            .iter()
            .flat_map(|shell| shell.split(|c: char| c.is_whitespace() || "\"';&|()".contains(c)))
            .map(|word| word.trim_start_matches("./").to_owned())
            .filter(|word| !word.is_empty())
            .collect();
        Policy {
            more: super::guards::set(more),
            declared: super::guards::set(declared),
            all_declared,
            words,
        }
    }

    /// Returns whether a path is a test, a runner's setting, or a script of the oracle itself.
    pub(crate) fn covers(&self, path: &str) -> bool {
        self.is_test(path) || is_steering(path) || self.is_oracle_script(path)
    }

    fn is_test(&self, path: &str) -> bool {
        TESTS_SET.is_match(path) || self.more.is_match(path)
    }

    /// Returns whether the oracle runs a file by this path whose name marks it as a check.
    fn is_oracle_script(&self, path: &str) -> bool {
        let lower = path.to_ascii_lowercase();
        self.words.contains(path)
            && lower.split(['/', '.', '-', '_']).any(|part| {
                matches!(
                    part,
                    "test"
                        | "tests"
                        | "check"
                        | "checks"
                        | "verify"
                        | "ci"
                        | "lint"
                        | "scripts"
                        | "hack"
                )
            })
    }

    fn declares(&self, path: &str) -> bool {
        self.all_declared || self.declared.is_match(path)
    }
}

fn is_steering(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let directory = path.strip_suffix(name).unwrap_or("");
    STEERING_SET.is_match(path)
        || (PROGRAMS.contains(&name)
            && !directory.ends_with("cmd/")
            && !directory.ends_with("src/"))
        || directory.ends_with(".bin/")
}

/// A changed file with both of its contents; none where there is none, or it is too large to read.
#[derive(Debug, Clone, Copy)]
pub struct ChangedFile<'a> {
    pub(crate) change: &'a ChangedPath,
    /// Content on the base.
    pub(crate) old: Option<&'a [u8]>,
    /// Content the attempt left.
    pub new: Option<&'a [u8]>,
}

/// How one path is put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restoration {
    /// As it is on the base, which may mean that it is not there.
    Base,
    /// With this content: what the attempt left, but with the base's tests or settings in it.
    Text(String),
}

/// What the diff does to tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestChanges {
    /// Undeclared changes, and how to undo them for the second run; empty when there are none.
    pub(crate) put_back: Vec<(String, Restoration)>,
    /// What the user should see.
    pub notices: Vec<String>,
}

/// Looks at a diff.
pub fn look(policy: &Policy, pairs: &[ChangedFile<'_>]) -> TestChanges {
    let mut looked = TestChanges::default();
    let (mut changed, mut steering, mut building, mut declared) = (vec![], vec![], vec![], vec![]);
    let mut ending = vec![];
    for pair in pairs {
        let path = pair.change.path.as_str();
        let added = pair.change.kind == ChangedPathKind::Added;
        let steers = is_steering(path);
        if BUILDING_SET.is_match(path) {
            building.push(path);
        }
        if !added && policy.covers(path) || added && steers {
            if policy.declares(path) {
                declared.push(path);
            } else {
                if steers {
                    steering.push(path)
                } else {
                    changed.push(path)
                };
                looked.put_back.push((path.to_owned(), Restoration::Base));
            }
        } else if policy.is_test(path) && test_markers::ends_runs(pair) {
            // A new test that ends the run keeps the others from being asked.
            if policy.declares(path) {
                declared.push(path);
            } else {
                ending.push(path);
                looked.put_back.push((path.to_owned(), Restoration::Base));
            }
        } else if let Some(back) = judging::put_back(path, pair, &policy.words) {
            if policy.declares(path) {
                declared.push(path);
            } else {
                if path.ends_with(".rs") {
                    changed.push(path)
                } else {
                    steering.push(path)
                };
                looked.put_back.push((path.to_owned(), back));
            }
        } else if !added && policy.words.contains(path) && !policy.declares(path) {
            looked.notices.push(format!(
                "a command of the oracle names {path}, which changed"
            ));
        }
    }
    new_tests_of_new_settings(policy, pairs, &mut looked);
    moved_tests(pairs, &mut looked);
    let mut notice = |what: &str, paths: &[&str]| {
        if !paths.is_empty() {
            looked.notices.push(format!("{what}: {}", list(paths)));
        }
    };
    notice(
        "tests changed without a declaration (`touches_tests: true` in the unit declares it)",
        &changed,
    );
    notice(
        "settings that steer tests changed without a declaration (`touches_tests: true` in the unit declares it)",
        &steering,
    );
    notice(
        "new tests that end the run they are part of (`touches_tests: true` in the unit declares it)",
        &ending,
    );
    notice("declared changes of tests", &declared);
    notice("runs while the product is built", &building);
    notice(
        "dependencies now come from a path or an address",
        &judging::rerouted(pairs),
    );
    looked.notices.extend(test_markers::notices(pairs));
    looked.notices.extend(test_markers::odd_texts(pairs));
    looked
}

/// A new test may need the new settings beside it: without them it is not asked either.
fn new_tests_of_new_settings(policy: &Policy, pairs: &[ChangedFile<'_>], looked: &mut TestChanges) {
    let is_new = |path: &str| {
        pairs
            .iter()
            .any(|p| p.change.path == path && p.change.kind == ChangedPathKind::Added)
    };
    if !looked.put_back.iter().any(|(path, _)| is_new(path)) {
        return;
    }
    for pair in pairs
        .iter()
        .filter(|p| p.change.kind == ChangedPathKind::Added)
    {
        let path = &pair.change.path;
        let test = policy.is_test(path);
        if test && !looked.put_back.iter().any(|(p, _)| p == path) {
            looked.put_back.push((path.clone(), Restoration::Base));
        }
    }
}

/// A test that only moved is not in the tree twice when its old place is filled again.
fn moved_tests(pairs: &[ChangedFile<'_>], looked: &mut TestChanges) {
    let restored: Vec<&[u8]> = pairs
        .iter()
        .filter(|p| p.change.kind == ChangedPathKind::Deleted)
        .filter(|p| {
            looked
                .put_back
                .iter()
                .any(|(path, _)| *path == p.change.path)
        })
        .filter_map(|p| p.old)
        .collect();
    for pair in pairs
        .iter()
        .filter(|p| p.change.kind == ChangedPathKind::Added)
    {
        let path = &pair.change.path;
        let moved = pair
            .new
            .is_some_and(|new| !new.is_empty() && restored.contains(&new));
        if moved && !looked.put_back.iter().any(|(p, _)| p == path) {
            looked.put_back.push((path.clone(), Restoration::Base));
        }
    }
}

fn list(paths: &[&str]) -> String {
    const SHOWN: usize = 8;
    let mut text = paths[..paths.len().min(SHOWN)].join(", ");
    if paths.len() > SHOWN {
        text.push_str(&format!(" and {} more", paths.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests;
