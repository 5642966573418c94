//! The machine's facts, read into a snapshot.

use super::machine::Oid;
use super::plan::PlanAt;
use super::run::Driver;
use super::trouble;
use crate::engine::guards;
use crate::engine::snapshot::Snapshot;
use crate::error::Result;
use crate::model::status::UnitStatus;
use crate::model::unit::Unit;
use std::collections::BTreeSet;

impl Driver<'_> {
    /// Reads everything `step` looks at.
    pub(super) fn observe(&self, running: &BTreeSet<String>) -> Result<Snapshot> {
        self.observe_at(self.tip()?, running)
    }

    /// Reads everything `step` looks at, as it would be with the branch at a commit.
    pub(super) fn observe_at(&self, tip: Oid, running: &BTreeSet<String>) -> Result<Snapshot> {
        let plan = self.plan_at(&tip)?;
        let missing_deliverables = self.missing_deliverables(&plan)?;
        let requirements = self.requirements_at_the_end(&plan)?;
        let memory = self.memory();
        let base = memory.base.iter().filter(|((commit, _), _)| *commit == tip);
        let mut uncharged_cost = memory.attempts.uncharged_cost.clone();
        // Running sessions spend: what they have spent already is not there for others.
        for (unit, cost) in self.purse.unsettled() {
            *uncharged_cost.entry(unit).or_default() += cost;
        }
        let mut snapshot = Snapshot {
            feature: plan.feature().clone(),
            verification: plan.workspace.verification.clone(),
            config: plan.workspace.config.clone(),
            attempts: memory.attempts.charged.clone(),
            uncharged_cost,
            running: running.clone(),
            base: base
                .map(|((_, unit), report)| (unit.clone(), report.clone()))
                .collect(),
            trouble: memory.trouble.clone(),
            missing_deliverables,
            requirements,
            options: self.options.clone(),
            now: self.machine.now(),
            tip,
        };
        trouble::share(&mut snapshot, &memory.unusable);
        trouble::share_limits(&mut snapshot, &memory.limited);
        Ok(snapshot)
    }

    /// Returns what the current gate's done units promised and the tip does not have. Only asked
    /// for once the substantive work is settled: nothing else looks at it.
    fn missing_deliverables(&self, plan: &PlanAt) -> Result<Vec<String>> {
        let feature = plan.feature();
        let Some(gate) = feature.current_gate() else {
            return Ok(vec![]);
        };
        let settled = feature
            .members_of(gate)
            .filter(|m| !m.unit_type().is_closing())
            .all(|m| m.status().is_settled());
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
        if !settled || promised.is_empty() {
            return Ok(vec![]);
        }
        let paths = self.machine.paths(&plan.tree)?;
        Ok(promised
            .into_iter()
            .filter(|(_, pattern)| !paths.iter().any(|p| guards::matches(pattern, p)))
            .map(|(id, pattern)| format!("{id} promised {pattern}"))
            .collect())
    }
}
