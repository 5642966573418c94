//! What judges a unit, beside the conventions: what the project and the unit name, and what its commands reach.

use super::{LOOK_LIMIT, UnitDiff};
use crate::driver::committed_plan::CommittedPlan;
use crate::driver::run_loop::Driver;
use crate::engine::guards::ChangedPathKind;
use crate::engine::protected::{self, ChangedFile, Declared, MANIFESTS, Policy};
use crate::error::Result;
use crate::model::unit::Unit;
use std::collections::BTreeSet;

impl Driver<'_> {
    /// Returns what judges, beside the conventions: what the project and the unit name, and what the oracle reaches.
    pub(super) fn policy(&self, diff: &UnitDiff<'_>, pairs: &[ChangedFile<'_>]) -> Result<Policy> {
        let plan = diff.plan;
        let mut policy = declared_policy(plan, diff.unit);
        // A script that is as it was needs no place in the policy.
        let changed = |path: &String| {
            let there = |p: &&ChangedFile<'_>| p.change.kind != ChangedPathKind::Added;
            pairs.iter().filter(there).any(|p| p.change.path == *path)
        };
        let makefiles = ["Makefile".to_owned(), "makefile".to_owned()];
        for makefile in self
            .machine
            .contents(&plan.tree, &makefiles, LOOK_LIMIT)?
            .iter()
            .flatten()
        {
            policy.makes(&String::from_utf8_lossy(makefile));
        }
        if !pairs
            .iter()
            .any(|p| p.change.kind != ChangedPathKind::Added)
        {
            return Ok(policy);
        }
        let mut next: Vec<String> = MANIFESTS.iter().map(|&name| name.to_owned()).collect();
        let shells = oracle_shells(plan).into_iter();
        next.extend(shells.flat_map(protected::named_paths));
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
                if changed(path) && protected::runs_tests(&text, &named) {
                    policy.runs_tests(path);
                }
                further.extend(named);
            }
            next = further;
        }
        seen.extend(next);
        seen.retain(|path| !MANIFESTS.contains(&path.as_str()) && changed(path));
        policy.reach(seen);
        Ok(policy)
    }
}

/// Returns every command that may judge a unit of the feature, this one or a later one.
fn oracle_shells(plan: &CommittedPlan) -> Vec<&str> {
    let sets = plan.workspace.verification.sets.iter();
    let commands = sets.flat_map(|set| &set.commands);
    let mut shells: Vec<&str> = commands.map(|command| command.value.shell()).collect();
    let feature = plan.feature();
    let checks = feature
        .units
        .values()
        .filter_map(|unit| unit.front.checks.as_ref());
    let checks = checks.flat_map(|checks| &checks.value);
    shells.extend(checks.filter_map(|check| Some(&*check.value.run.as_ref()?.value)));
    let gates = feature.gates.values();
    shells.extend(gates.filter_map(|gate| Some(&*gate.front.feature_oracle.as_ref()?.value)));
    shells
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
    Policy::new(
        &Unit::list(&plan.workspace.config.front.protected_tests),
        declared,
        &oracle_shells(plan),
    )
}
