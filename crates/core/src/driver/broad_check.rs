//! The broad tier on the tip: once a gate, after its work and before its end.

use super::command_report::evidence_text;
use super::committed_plan::CommittedPlan;
use super::driver_event::DriverEvent;
use super::oracle_outcome::OracleOutcome;
use super::ports::SlotId;
use super::result_cache::base_key;
use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use super::{land, plan_commit};
use crate::engine::attempt_record::CommandResult;
use crate::engine::broad_report::BroadReport;
use crate::engine::broad_tier::{self, BroadRecord, BroadSubject};
use crate::engine::failure_class::CommandVerdict;
use crate::engine::oracle::{self, OracleCommand};
use crate::engine::{events, secrets};
use crate::error::{Error, Result};
use crate::model::config::FlakyPolicy;

impl Driver<'_> {
    /// Returns what is known of the broad tier of the current gate on a plan's files. Runs nothing.
    pub(super) fn broad_at(&self, plan: &CommittedPlan) -> Result<Option<BroadReport>> {
        let feature = plan.feature();
        let is_due = |gate: &usize| feature.has_settled_substance(*gate);
        let Some(gate) = feature.current_gate().filter(is_due) else {
            return Ok(None);
        };
        let verification = &plan.workspace.verification;
        let commands = broad_tier::commands(verification, feature, gate).unwrap_or_default();
        if commands.is_empty() {
            return Ok(None);
        }
        let subject = self.broad_subject(plan, gate, &commands)?;
        if let Some((known, report)) = &self.cache().broad
            && *known == subject
        {
            return Ok(Some(report.clone()));
        }
        // One that did not pass is asked again by every run: a user has to see what it says.
        let recorded = BroadRecord::last(feature, subject.gate);
        let passed = recorded.is_some_and(|r| r.passed && r.subject == subject);
        Ok(passed.then(BroadReport::default))
    }

    /// Runs the broad tier of a gate on the tip, and writes down what it came to.
    pub(super) fn check_broad(&self, gate: usize, slot: SlotId) -> Result<()> {
        let tip = self.tip()?;
        let plan = self.plan_at(&tip)?;
        let feature = plan.feature();
        let commands = broad_tier::commands(&plan.workspace.verification, feature, gate)
            .map_err(|why| Error::plan(format!("gate {}: {why}", feature.gate_number(gate))))?;
        let subject = self.broad_subject(&plan, gate, &commands)?;
        self.report(DriverEvent::BroadCheck {
            feature: feature.name(),
            gate: subject.gate,
        });
        let name = format!("{}/G{}", feature.name(), subject.gate);
        let slot = VerificationSlot {
            id: slot.verification(),
            unit: &name,
            number: 0,
            plan: &plan,
        };
        let outcome = self.run_broad(&slot, &subject, &commands)?;
        if self.machine.stopping() {
            return Ok(());
        }
        let report = report_of(&outcome);
        if !report.evidence.is_empty() {
            self.machine
                .keep_log((&name, 0), "broad.md", &report.evidence);
        }
        self.record_broad(&plan, &subject, &outcome.commands)?;
        self.cache().broad = Some((subject, report));
        Ok(())
    }

    fn broad_subject(
        &self,
        plan: &CommittedPlan,
        gate: usize,
        commands: &[OracleCommand],
    ) -> Result<BroadSubject> {
        Ok(BroadSubject {
            gate: plan.feature().gate_number(gate),
            product: self.machine.tree_key(&plan.tree, self.layout.dir())?,
            oracle: oracle::hash(commands),
        })
    }

    /// Runs what this run did not see pass on these files already.
    fn run_broad(
        &self,
        slot: &VerificationSlot<'_>,
        subject: &BroadSubject,
        commands: &[OracleCommand],
    ) -> Result<OracleOutcome> {
        let flaky = slot.plan.workspace.config.flaky();
        let rerun = (flaky == FlakyPolicy::Rerun).then_some(&slot.plan.tree);
        let keys: Vec<String> = commands
            .iter()
            .map(|c| base_key(&subject.product, &c.shell))
            .collect();
        let mut outcome = OracleOutcome::default();
        let known = |key: &String| self.witnessed(key) == Some(0);
        if !keys.iter().all(known) {
            self.prepare_verification(slot.plan, slot.id, &slot.plan.tree)?;
        }
        for (command, key) in commands.iter().zip(keys) {
            if known(&key) {
                outcome.commands.push(seen_before(command));
                continue;
            }
            let mut ended = self.run_twice(slot, command, rerun)?;
            if self.machine.stopping() {
                return Ok(outcome);
            }
            self.refuse_rewriting(slot, &mut ended)?;
            if ended.result.verdict == CommandVerdict::Pass {
                self.cache_exit(key, 0);
            }
            self.take(slot, ended, &mut outcome);
        }
        Ok(outcome)
    }

    /// Writes a check down, unless the log's last line about the gate is the same.
    fn record_broad(
        &self,
        plan: &CommittedPlan,
        subject: &BroadSubject,
        results: &[CommandResult],
    ) -> Result<()> {
        let recorded = BroadRecord::last(plan.feature(), subject.gate);
        if recorded.is_some_and(|last| last.matches(subject, results)) {
            return Ok(());
        }
        let now = self.machine.now().to_string();
        let name = plan.feature().name();
        let payload = broad_tier::payload(&plan.commit.hex(), subject, results);
        let event = events::verb(&name, &now, broad_tier::EVENT, payload);
        let edits = land::books(self, plan, &now).note(event);
        let passed = results.iter().all(CommandResult::passed);
        let message = format!(
            "Check the broad tier of gate {} of {name}: {}\n",
            subject.gate,
            if passed { "passed" } else { "not passed" }
        );
        plan_commit::place_edit(self, plan, edits, &message)?;
        Ok(())
    }
}

fn report_of(outcome: &OracleOutcome) -> BroadReport {
    let red = outcome.commands.iter().filter(|c| !c.passed());
    let name = |c: &CommandResult| match c.verdict == CommandVerdict::Unproven {
        true => format!("{} (exit 0, but no test ran)", c.name),
        false => c.name.clone(),
    };
    let evidence: Vec<String> = outcome.failures.iter().map(evidence_text).collect();
    BroadReport {
        red: red.map(name).collect(),
        evidence: secrets::redact(&evidence.join("\n")),
    }
}

fn seen_before(command: &OracleCommand) -> CommandResult {
    let note = "it passed on the same files when the last unit was judged".to_owned();
    CommandResult {
        exit: Some(0),
        ..CommandResult::not_run(command, CommandVerdict::Pass, note)
    }
}
