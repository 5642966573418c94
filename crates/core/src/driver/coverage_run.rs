//! What the tip says to the checks that requirements name. A check is asked on the product's files
//! as they are, not when its unit landed: what a later unit broke is not covered any more.

use super::committed_plan::CommittedPlan;
use super::ports::SlotId;
use super::result_cache::base_key;
use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use crate::engine::coverage::{self, CheckResult, RequirementCoverage};
use crate::engine::oracle::{CommandJudge, CommandSource, OracleCommand};
use crate::error::Result;
use crate::model::requirements;
use crate::model::unit::{ExpectBase, UnitType};
use crate::model::verification::DEFAULT_COMMAND_TIMEOUT;
use crate::object_id::ObjectId;

impl Driver<'_> {
    /// Returns what is known of every requirement on a commit's files. Runs nothing.
    ///
    /// Fails where the commit or its plan cannot be read.
    pub fn coverage_at(&self, commit: &ObjectId) -> Result<Vec<RequirementCoverage>> {
        let plan = self.plan_at(commit)?;
        self.coverage_of(&plan, &plan.tree)
    }

    /// Returns what is known of every requirement of a plan on some files. Runs nothing.
    pub(super) fn coverage_of(
        &self,
        plan: &CommittedPlan,
        tree: &ObjectId,
    ) -> Result<Vec<RequirementCoverage>> {
        let key = self.machine.tree_key(tree, self.layout.dir())?;
        let mut rows = coverage::of_feature(plan.feature(), |shell| {
            match self.witnessed(&base_key(&key, shell)) {
                Some(0) => CheckResult::Passes,
                Some(_) => CheckResult::Fails,
                None => CheckResult::NotRun,
            }
        });
        let cache = self.cache();
        for proof in rows.iter_mut().flat_map(|r| &mut r.proofs) {
            let charged = cache.attempts.charged.get(&*proof.unit);
            let judged = charged.into_iter().flat_map(|all| all.iter()).rev();
            proof.last = judged
                .filter_map(|a| Some((a, a.judgement.as_ref()?)))
                .find_map(|(a, j)| {
                    let outcome = j.commands.iter().find(|c| c.name == proof.check)?;
                    Some(coverage::Last {
                        verdict: outcome.verdict.clone(),
                        attempt: a.number,
                        attempt_id: a.attempt_id.clone(),
                    })
                });
        }
        Ok(rows)
    }

    /// Runs the checks of requirements that were not asked on a commit's files yet.
    ///
    /// A check that is red is no error.
    pub fn run_coverage(&self, commit: &ObjectId, slot: SlotId) -> Result<()> {
        let plan = self.plan_at(commit)?;
        self.check_requirements(&plan, &plan.tree, slot)
    }

    /// Runs the checks of a plan's requirements that were not asked on some files yet.
    pub(super) fn check_requirements(
        &self,
        plan: &CommittedPlan,
        tree: &ObjectId,
        slot: SlotId,
    ) -> Result<()> {
        let key = self.machine.tree_key(tree, self.layout.dir())?;
        let mut prepared = false;
        for row in self.coverage_of(plan, tree)? {
            for proof in row
                .proofs
                .iter()
                .filter(|p| p.result == CheckResult::NotRun)
            {
                let key = base_key(&key, &proof.run);
                if self.witnessed(&key).is_some() {
                    continue;
                }
                let slot = VerificationSlot {
                    id: slot.verification(),
                    unit: &proof.unit,
                    number: 0,
                    plan,
                };
                if !prepared {
                    self.prepare_verification(plan, slot.id, tree)?;
                    prepared = true;
                }
                let command = command_of(plan, &proof.unit, &proof.check, &proof.run);
                let mut outcome = self.run_twice(&slot, &command, Some(tree))?;
                if self.machine.stopping() {
                    return Ok(());
                }
                self.refuse_rewriting(&slot, &mut outcome)?;
                let failed = outcome.result.exit.filter(|exit| *exit != 0).unwrap_or(-1);
                let exit = if outcome.result.passed() { 0 } else { failed };
                self.cache_exit(key, exit);
            }
        }
        Ok(())
    }

    /// Returns what is known of every requirement on the tip's files, once that decides something: at
    /// the terminal gate, when its substantive units are settled, or when no gate is left.
    pub(super) fn requirements_at_the_end(
        &self,
        plan: &CommittedPlan,
    ) -> Result<Vec<RequirementCoverage>> {
        let feature = plan.feature();
        let at_the_end = match feature.current_gate() {
            None => true,
            Some(gate) => {
                feature.terminal_gate() == Some(gate) && feature.has_settled_substance(gate)
            }
        };
        if !at_the_end || requirements::due(&feature.plan).is_empty() {
            return Ok(vec![]);
        }
        self.coverage_of(plan, &plan.tree)
    }

    /// Runs the requirements' checks before a session that has to judge or plan by them, and
    /// returns what its prompt holds of them; nothing where the plan has no requirements.
    pub(super) fn requirements_section(
        &self,
        plan: &CommittedPlan,
        unit_type: UnitType,
        slot: Option<SlotId>,
    ) -> Result<String> {
        let asks = matches!(unit_type, UnitType::Close | UnitType::PlanNext);
        if !asks || requirements::due(&plan.feature().plan).is_empty() {
            return Ok(String::new());
        }
        if let Some(slot) = slot {
            self.run_coverage(&plan.commit, slot)?;
        }
        Ok(coverage::section(&self.coverage_at(&plan.commit)?))
    }
}

fn command_of(plan: &CommittedPlan, unit: &str, name: &str, shell: &str) -> OracleCommand {
    let member = plan.feature().member(unit);
    let checks = member
        .and_then(|m| m.unit)
        .and_then(|u| u.front.checks.as_ref());
    let check = checks
        .into_iter()
        .flat_map(|c| &c.value)
        .find(|c| c.value.name.as_ref().is_some_and(|n| n.value == name));
    OracleCommand {
        name: name.to_owned(),
        shell: shell.to_owned(),
        timeout: check
            .and_then(|c| c.value.timeout.as_ref())
            .map_or(DEFAULT_COMMAND_TIMEOUT, |t| t.value),
        when: vec![],
        source: CommandSource::Check(ExpectBase::Any),
        expects_red: false,
        judge: CommandJudge::Exit,
        needs: vec![],
        parallel: false,
        inputs: vec![],
    }
}
