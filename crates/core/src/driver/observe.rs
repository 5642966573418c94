//! The machine's facts, read into a snapshot.

use super::committed_plan::CommittedPlan;
use super::run_loop::Driver;
use crate::diagnostic::Diagnostic;
use crate::engine::evidence::sanitize;
use crate::engine::guards;
use crate::engine::model_selection::ChainLink;
use crate::engine::snapshot::Snapshot;
use crate::error::{Error, Result};
use crate::model::status_machine::UnitStatus;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;
use std::collections::BTreeSet;

/// Errors of a plan that are shown one by one.
const MOST_SHOWN: usize = 3;

impl Driver<'_> {
    /// Refuses to go on with a plan that somebody committed meanwhile and that has errors: what cannot be read could
    /// look as if nothing were left to do.
    pub(super) fn verify_plan_change(&self, tip: &ObjectId) -> Result<()> {
        let Some(sound) = self.cache().sound.filter(|sound| sound != tip) else {
            return Ok(());
        };
        let errors_at = |commit: &ObjectId| -> Result<Vec<Diagnostic>> {
            let plan = self.plan_at(commit)?;
            Ok(crate::lint::feature_errors(&plan.workspace, plan.feature()))
        };
        let mut errors = errors_at(tip)?;
        if !errors.is_empty() {
            // What came with the work itself, such as a gate that nobody will fill, has an end of its own.
            let before = errors_at(&sound)?;
            let same = |a: &Diagnostic, b: &Diagnostic| {
                (a.code, &a.primary.path, &a.message) == (b.code, &b.primary.path, &b.message)
            };
            errors.retain(|e| !before.iter().any(|b| same(e, b)));
        }
        if errors.is_empty() {
            self.cache().sound = Some(*tip);
            return Ok(());
        }
        let error = Error::plan(format!(
            "the plan was changed while this run was at work and has {} error{} as of {} on `{}`",
            errors.len(),
            if errors.len() == 1 { "" } else { "s" },
            tip.short(),
            self.branch,
        ));
        let shown = errors.iter().take(MOST_SHOWN);
        let error = shown.fold(error, |error, d| {
            let text = format!("{}: error[{}]: {}", d.primary.path, d.code, d.message);
            error.hint(sanitize(&text))
        });
        Err(error
            .hint("what landed is on the branch, and what sessions left is kept under `refs/gatewalk/`")
            .hint("mend the plan (`gatewalk lint` shows where), commit it, and run again"))
    }

    /// Takes a commit of our own on top of a plan that was looked over for as good.
    pub(super) fn trust(&self, parent: &ObjectId, commit: &ObjectId) {
        let mut cache = self.cache();
        if cache.sound.as_ref() == Some(parent) {
            cache.sound = Some(*commit);
        }
    }

    /// Reads everything `step` looks at.
    pub(super) fn observe(&self, running: &BTreeSet<String>) -> Result<Snapshot> {
        self.observe_at(self.tip()?, running)
    }

    /// Reads everything `step` looks at, as it would be with the branch at a commit.
    pub(super) fn observe_at(&self, tip: ObjectId, running: &BTreeSet<String>) -> Result<Snapshot> {
        let plan = self.plan_at(&tip)?;
        let missing_deliverables = self.missing_deliverables(&plan)?;
        let requirements = self.requirements_at_the_end(&plan)?;
        let broad = self.broad_at(&plan)?;
        let cache = self.cache();
        let base = cache.base.iter().filter(|(_, (commit, _))| *commit == tip);
        let mut uncharged_cost = cache.attempts.uncharged_cost.clone();
        // Running sessions spend: what they have spent already is not there for others.
        for (unit, cost) in self.budget.unsettled() {
            *uncharged_cost.entry(unit).or_default() += cost;
        }
        let mut snapshot = Snapshot {
            feature: plan.shared_feature(),
            verification: plan.workspace.verification.clone(),
            config: plan.workspace.config.clone(),
            attempts: cache.attempts.charged.clone(),
            uncharged_cost,
            run_cost_usd: self.budget.run_total(),
            landed: cache.landed.clone(),
            stands_on: cache.stands_on.clone(),
            inherited: cache.attempts.inherited.clone(),
            running: running.clone(),
            base: base
                .map(|(unit, (_, report))| (unit.clone(), report.clone()))
                .collect(),
            trouble: cache.trouble.clone(),
            missing_deliverables,
            broad,
            requirements,
            options: self.options.clone(),
            now: self.machine.now(),
            tip,
        };
        drop(cache);
        let by_user = self.options.agent.is_some();
        let model_of = |link: &ChainLink| self.machine.asked_model(link, by_user);
        self.agents().share(&mut snapshot, &model_of);
        Ok(snapshot)
    }

    /// Returns what the current gate's done units promised and the tip does not have. Only asked
    /// for once the substantive work is settled: nothing else looks at it.
    fn missing_deliverables(&self, plan: &CommittedPlan) -> Result<Vec<String>> {
        let feature = plan.feature();
        let Some(gate) = feature.current_gate() else {
            return Ok(vec![]);
        };
        if !feature.has_settled_substance(gate) {
            return Ok(vec![]);
        }
        let promised: Vec<(&str, &str)> = feature
            .members_of(gate)
            .filter(|m| m.status() == UnitStatus::Done)
            .filter_map(|m| Some((m.node.id.value.as_str(), m.unit?)))
            .flat_map(|(id, unit)| {
                Unit::list(&unit.front.produces)
                    .into_iter()
                    .map(move |p| (id, p))
            })
            .collect();
        if promised.is_empty() {
            return Ok(vec![]);
        }
        let paths = self.machine.paths(&plan.tree)?;
        Ok(promised
            .into_iter()
            .filter(|(_, pattern)| {
                let pattern = guards::PathPattern::new(pattern);
                !paths.iter().any(|path| pattern.covers(path))
            })
            .map(|(id, pattern)| format!("{id} promised {pattern}"))
            .collect())
    }
}
