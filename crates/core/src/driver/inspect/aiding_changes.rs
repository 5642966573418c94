//! Changes of source code that only tests use: found where one changed, by reading who imports it.

use super::{LOOK_LIMIT, UnitDiff};
use crate::driver::run_loop::Driver;
use crate::engine::changed_file::ChangedFile;
use crate::engine::changed_file::ChangedPathKind;
use crate::engine::protected::Policy;
use crate::engine::protected::code_paths::is_code;
use crate::engine::protected::judge_references::referrers;
use crate::engine::protected::test_aids::{TestAid, crates_of_tests};
use crate::error::Result;
use crate::model::unit::Unit;
use crate::path_names::extension;
use crate::path_names::is_below;
use std::collections::BTreeSet;

/// How many manifests of crates are read.
const CRATES: usize = 1024;

impl Driver<'_> {
    /// Returns the changed sources that only tests use and that the unit's scope does not name.
    pub(super) fn changed_aids(
        &self,
        diff: &UnitDiff<'_>,
        pairs: &[ChangedFile<'_>],
        policy: &Policy,
    ) -> Result<Vec<String>> {
        let touches = Unit::list(&diff.unit.front.touches);
        let open = |pair: &&ChangedFile<'_>| {
            let path = &pair.change.path;
            pair.change.kind != ChangedPathKind::Added
                && !policy.vouches(path, &touches)
                && !policy.covers(path)
        };
        let open: Vec<&ChangedFile<'_>> = pairs.iter().filter(open).collect();
        let asked = open.iter().filter_map(|pair| TestAid::of(policy, pair));
        let asked: Vec<TestAid> = asked.collect();
        let in_crates = open.iter().map(|pair| pair.change.path.as_str());
        let in_crates: Vec<&str> = in_crates
            .filter(|path| path.contains('/') && (extension(path) == "rs" || !is_code(path)))
            .collect();
        if asked.is_empty() && in_crates.is_empty() {
            return Ok(vec![]);
        }
        let paths = self.base_paths(diff)?;
        let mut found = self.in_crates_of_tests(diff, paths, &in_crates)?;
        found.extend(self.imported_by_tests(diff, (paths, policy), asked)?);
        let instead = added_instead(pairs, &found);
        found.extend(instead);
        Ok(found)
    }

    /// Returns those that nothing but tests imports, and none of these alone.
    fn imported_by_tests(
        &self,
        diff: &UnitDiff<'_>,
        (paths, policy): (&[String], &Policy),
        mut asked: Vec<TestAid>,
    ) -> Result<Vec<String>> {
        if asked.is_empty() {
            return Ok(vec![]);
        }
        let tree = &diff.plan.tree;
        let who = referrers(policy, paths, &format!("{}/", self.layout.dir()));
        let others: Vec<BTreeSet<&str>> =
            asked.iter().map(|aid| aid.others(&who.product)).collect();
        self.read_all(tree, &who.judges, |path, text| {
            for (aid, others) in asked.iter_mut().zip(&others) {
                aid.hears_judge(path, text, others);
            }
            asked.iter().any(TestAid::may_aid)
        })?;
        if asked.iter().any(TestAid::aids) {
            self.read_product(diff, policy, &who, |path, text| {
                for (aid, others) in asked.iter_mut().zip(&others) {
                    aid.hears_product(path, text, others);
                }
                asked.iter().any(TestAid::aids)
            })?;
        }
        let aids = asked.into_iter().filter(TestAid::aids);
        Ok(aids.map(|aid| aid.path).collect())
    }

    /// Returns those that are in a crate on which only tests of others depend.
    fn in_crates_of_tests(
        &self,
        diff: &UnitDiff<'_>,
        paths: &[String],
        asked: &[&str],
    ) -> Result<Vec<String>> {
        let below = |path: &&String| {
            let directory = path.strip_suffix("/Cargo.toml");
            directory.is_some_and(|at| asked.iter().any(|path| is_below(path, at)))
        };
        if !paths.iter().any(|path| below(&path)) {
            return Ok(vec![]);
        }
        let manifests = paths
            .iter()
            .filter(|path| *path == "Cargo.toml" || path.ends_with("/Cargo.toml"));
        let manifests: Vec<String> = manifests.take(CRATES).cloned().collect();
        let texts = self
            .machine
            .contents(&diff.plan.tree, &manifests, LOOK_LIMIT)?;
        let texts = texts.into_iter().map(Option::unwrap_or_default);
        let texts = texts.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let crates = crates_of_tests(&manifests.into_iter().zip(texts).collect::<Vec<_>>());
        let aids = asked
            .iter()
            .filter(|path| crates.iter().any(|at| is_below(path, at)));
        Ok(aids.map(|&path| path.to_owned()).collect())
    }
}

/// Returns the new files that are found in the place of one of some sources, which may be gone.
fn added_instead(pairs: &[ChangedFile<'_>], found: &[String]) -> Vec<String> {
    let added = pairs
        .iter()
        .filter(|pair| pair.change.kind == ChangedPathKind::Added);
    let paths = added.map(|pair| pair.change.path.as_str());
    let instead = paths.filter(|path| {
        found.iter().any(|aid| {
            let whole = aid.rsplit_once('.').map_or(aid.as_str(), |(stem, _)| stem);
            let rest = path.strip_prefix(whole);
            rest.is_some_and(|rest| rest.starts_with(['.', '/']))
        })
    });
    instead.map(str::to_owned).collect()
}
