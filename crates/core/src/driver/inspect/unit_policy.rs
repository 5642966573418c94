//! What judges a unit, beside the conventions: what the project and the unit name, and what its commands reach.

use super::{LOOK_LIMIT, UnitDiff};
use crate::driver::committed_plan::CommittedPlan;
use crate::driver::run_loop::Driver;
use crate::engine::changed_file::ChangedFile;
use crate::engine::changed_file::ChangedPathKind;
use crate::engine::protected::{
    self, Declared, MANIFESTS, Policy, RUNNER_SETTINGS, build_scripts, npm_settings, self_loaded,
};
use crate::error::Result;
use crate::model::unit::Unit;
use crate::path_names::{MAKEFILES, is_below, parent};
use std::collections::BTreeSet;

/// Names under which tests usually stand: one may be a link.
const TEST_DIRECTORIES: &[&str] = &["tests", "test", "t", "spec", "checks"];

/// How many directories above the changed files are looked into.
const DIRECTORIES: usize = 64;

impl Driver<'_> {
    /// Returns what judges, beside the conventions: what the project and the unit name, and what the oracle reaches.
    pub(super) fn policy(&self, diff: &UnitDiff<'_>, pairs: &[ChangedFile<'_>]) -> Result<Policy> {
        let plan = diff.plan;
        let mut policy = declared_policy(plan, diff.unit);
        self.read_settings(plan, pairs, &mut policy)?;
        let there = pairs
            .iter()
            .filter(|p| p.change.kind != ChangedPathKind::Added);
        let changed: BTreeSet<&str> = there.map(|p| p.change.path.as_str()).collect();
        // A script that is as it was needs no place in the policy.
        if !changed.is_empty() {
            self.follow_scripts(plan, &changed, &mut policy)?;
        }
        self.follow_references(diff, pairs, &mut policy)?;
        let mut new = pairs
            .iter()
            .filter(|p| p.change.kind == ChangedPathKind::Added);
        if new.any(|pair| policy.may_hide(&pair.change.path)) {
            policy.keeps_out_hiding(pairs, self.base_paths(diff)?);
        }
        self.let_join(diff, pairs, &mut policy)?;
        Ok(policy)
    }

    /// Adds what steers nothing of others although it is where such files are: build scripts that only make sources, settings of
    /// npm that are about packages alone, and what steers only tests that join with it, those of a directory in which the base
    /// has nothing or that ask for what it gives.
    fn let_join(
        &self,
        diff: &UnitDiff<'_>,
        pairs: &[ChangedFile<'_>],
        policy: &mut Policy,
    ) -> Result<()> {
        for pair in pairs
            .iter()
            .filter(|pair| build_scripts::only_generates(pair) || npm_settings::steer_nothing(pair))
        {
            policy.lets_join(&pair.change.path);
        }
        let below = pairs
            .iter()
            .filter(|pair| self_loaded::steers_below(&pair.change.path));
        let (giving, others): (Vec<&ChangedFile<'_>>, Vec<_>) =
            below.partition(|pair| self_loaded::only_gives(pair));
        for pair in giving {
            policy.lets_join(&pair.change.path);
        }
        let new = others
            .iter()
            .filter(|pair| pair.change.kind == ChangedPathKind::Added);
        let found: Vec<&str> = new.map(|pair| pair.change.path.as_str()).collect();
        if found.is_empty() {
            return Ok(());
        }
        let paths = self.base_paths(diff)?;
        for path in found {
            let directory = parent(path);
            if !paths.iter().any(|there| is_below(there, directory)) {
                policy.lets_join(path);
            }
        }
        Ok(())
    }

    /// Reads, at the root and above each changed file, what says where tests are and what runners load.
    fn read_settings(
        &self,
        plan: &CommittedPlan,
        pairs: &[ChangedFile<'_>],
        policy: &mut Policy,
    ) -> Result<()> {
        let directories = directories_above(pairs.iter().map(|p| p.change.path.as_str()));
        let names: Vec<&str> = MAKEFILES
            .iter()
            .chain(&["src/lib.rs"])
            .chain(RUNNER_SETTINGS)
            .chain(TEST_DIRECTORIES)
            .copied()
            .collect();
        let mut places = Vec::new();
        for directory in &directories {
            places.extend(names.iter().map(|name| (directory.as_str(), *name)));
        }
        let paths: Vec<String> = places
            .iter()
            .map(|(directory, name)| match directory.is_empty() {
                true => (*name).to_owned(),
                false => format!("{directory}/{name}"),
            })
            .collect();
        let texts = self.machine.contents(&plan.tree, &paths, LOOK_LIMIT)?;
        for ((directory, name), text) in places.into_iter().zip(texts) {
            let Some(text) = text else { continue };
            let text = String::from_utf8_lossy(&text);
            match TEST_DIRECTORIES.contains(&name) {
                true => policy.links(directory, &text),
                false => policy.reads((directory, name), &text),
            }
        }
        Ok(())
    }

    /// Adds the changed scripts that the oracle's commands reach.
    fn follow_scripts(
        &self,
        plan: &CommittedPlan,
        changed: &BTreeSet<&str>,
        policy: &mut Policy,
    ) -> Result<()> {
        let mut next: Vec<String> = MANIFESTS.iter().map(|&name| name.to_owned()).collect();
        let shells = oracle_shells(plan).into_iter();
        next.extend(shells.flat_map(protected::named_paths));
        next.extend(policy.chain_starts().0.iter().cloned());
        let mut seen = BTreeSet::new();
        // A command, what it runs, and what that runs: further than that nobody reads either.
        for _ in 0..3 {
            next.retain(|path| seen.insert(path.clone()));
            let texts = self.machine.contents(&plan.tree, &next, LOOK_LIMIT)?;
            let mut further = Vec::new();
            for (path, text) in next.iter().zip(&texts) {
                let text = text.as_deref().map(String::from_utf8_lossy);
                let text = text.unwrap_or_default();
                let named = protected::named_paths(&text);
                let decides = policy.is_run_for_its_end(path) && protected::decides(&text);
                let judges = decides || protected::runs_tests(&text, &named);
                // Tests that are named to a runner grow as others do.
                let is_test = protected::is_test_of_runner(path, &text);
                if changed.contains(path.as_str()) && judges && !is_test {
                    policy.runs_tests(path);
                }
                further.extend(named);
            }
            next = further;
        }
        seen.extend(next);
        seen.retain(|path| !MANIFESTS.contains(&path.as_str()) && changed.contains(path.as_str()));
        policy.reach(seen);
        Ok(())
    }
}

/// Returns the root and the directories above some paths, those near the root first.
fn directories_above<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<String> {
    let mut all = BTreeSet::from([(0, String::new())]);
    for path in paths {
        let ends = path.match_indices('/').map(|(end, _)| end).enumerate();
        all.extend(ends.map(|(depth, end)| (depth + 1, path[..end].to_owned())));
    }
    let near = all.into_iter().take(DIRECTORIES);
    near.map(|(_, directory)| directory).collect()
}

/// Returns the standing commands of the oracle.
pub(super) fn shells_of_sets(plan: &CommittedPlan) -> Vec<&str> {
    let sets = plan.workspace.verification.sets.iter();
    let commands = sets.flat_map(|set| &set.commands);
    commands.map(|command| command.value.shell()).collect()
}

/// Returns every command that may judge a unit of the feature, this one or a later one.
pub(super) fn oracle_shells(plan: &CommittedPlan) -> Vec<&str> {
    let mut shells = shells_of_sets(plan);
    let feature = plan.feature();
    let checks = feature
        .units
        .values()
        .filter_map(|unit| unit.front.checks.as_ref());
    let checks = checks.flat_map(|checks| &checks.value);
    shells.extend(checks.filter_map(|check| Some(&*check.value.run.as_ref()?.value)));
    shells.extend(setup_of(plan));
    let gates = feature.gates.values();
    shells.extend(gates.filter_map(|gate| Some(&*gate.front.feature_oracle.as_ref()?.value)));
    shells
}

fn setup_of(plan: &CommittedPlan) -> Option<&str> {
    let setup = plan.workspace.verification.setup.as_ref();
    setup.map(|setup| setup.value.as_str())
}

fn declared_policy(plan: &CommittedPlan, unit: &Unit) -> Policy {
    let front = &unit.front;
    let mut globs = Unit::list(&front.produces);
    globs.extend(Unit::list(&front.touches_control_plane));
    globs.extend(Unit::list(&front.generated_surfaces));
    let declared = Declared {
        globs: &globs,
        touches: &Unit::list(&front.touches),
        all: front.touches_tests.as_ref().is_some_and(|t| t.value),
    };
    let mut policy = Policy::new(
        &Unit::list(&plan.workspace.config.front.protected_tests),
        declared,
        &oracle_shells(plan),
    );
    if let Some(setup) = setup_of(plan) {
        policy.sets_up(setup);
    }
    for shell in shells_of_sets(plan) {
        policy.decides_by(shell);
    }
    policy
}

#[cfg(test)]
mod tests {
    use super::directories_above;
    use crate::driver::test_run::{machine, run, story};

    #[test]
    fn settings_are_looked_for_above_each_changed_file() {
        let paths = ["a/b/c.py", "a/d.py", "e.py"];
        assert_eq!(directories_above(paths.into_iter()), ["", "a", "a/b"]);
        let many: Vec<String> = (0..99).map(|n| format!("d{n}/x")).collect();
        assert_eq!(directories_above(many.iter().map(String::as_str)).len(), 64);
    }

    /// Returns what becomes of a session whose base has these files, with more lines of the oracle.
    fn ends(oracle: &str, base: &[(&str, &str)], session: &str) -> String {
        let oracle = format!("{oracle}\ncode:\n  - {{name: work, command: lacks broken}}\n");
        let machine = machine("G1: T01 max_attempts=1", &oracle, session);
        for (path, text) in base {
            machine.world().user_commits(path, text);
        }
        run(&machine).unwrap();
        story(&machine)
    }

    #[test]
    fn what_settings_links_and_set_up_name_judges() {
        let judges = "failed T01#1 tests_weakened, parked T01";
        let landed = "landed T01, gate 1 passed";
        let (it, script) = (("a/it.py", "1"), ("a/make.sh", "1"));
        for (oracle, base, session, want) in [
            ("", &[it][..], "+a/it.py=2", landed),
            (
                "",
                &[it, ("pytest.ini", "python_files = it.py")],
                "+a/it.py=2",
                judges,
            ),
            (
                "",
                &[it, ("a/pytest.ini", "python_files = it.py")],
                "+a/it.py=2",
                judges,
            ),
            (
                "",
                &[it, ("b/pytest.ini", "python_files = it.py")],
                "+a/it.py=2",
                landed,
            ),
            ("", &[it, ("tests", "a")], "+a/it.py=2", judges),
            (
                "",
                &[it, ("tests", "a file of text\n")],
                "+a/it.py=2",
                landed,
            ),
            ("", &[script], "+a/make.sh=2", landed),
            (
                "setup: read a/it.txt",
                &[("a/it.txt", "1")],
                "+a/it.txt=2",
                landed,
            ),
            ("setup: sh a/make.sh", &[script], "+a/make.sh=2", judges),
        ] {
            assert_eq!(ends(oracle, base, session), want, "{oracle} {base:?}");
        }
    }
}
