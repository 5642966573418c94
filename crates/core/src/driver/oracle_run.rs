//! Running the oracle on a tree: what passed, what failed, what proves nothing, what is flaky.
//!
//! Verification runs in slots no session ever works in, on exactly the judged tree. A pass without
//! a test, and a pass that needs the attempt's own version of a protected test, are no passes.

use super::command_outcome::{CommandOutcome, outcome_of};
use super::command_report::distil;
use super::committed_plan::CommittedPlan;
use super::driver_event::DriverEvent;
use super::oracle_outcome::OracleOutcome;
use super::ports::{ShellEnd, ShellJob, SlotContent, SlotId};
use super::result_cache::base_key;
use super::run_loop::{Driver, PreparedTree};
use super::slot_setup;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::command_end::CommandEnd;
use crate::engine::command_order::CommandCosts;
use crate::engine::evidence::Evidence;
use crate::engine::failure_class::{CommandVerdict, FailureClass};
use crate::engine::network_need;
use crate::engine::oracle::{CommandJudge, OracleCommand};
use crate::error::{Error, Result};
use crate::model::config::NetworkPolicy;
use crate::model::layout;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;
use std::time::Duration;

impl Driver<'_> {
    /// Looks for a fault in what some commands do with work that declares no changes of tests. The first one that is found
    /// fails the attempt.
    pub(super) fn hold_commands<'c>(
        &self,
        (slot, request): (&VerificationSlot<'_>, &VerificationRequest<'_>),
        commands: impl Iterator<Item = &'c OracleCommand>,
        verified: &mut OracleOutcome,
        fault: impl Fn(&OracleCommand) -> Result<Option<Evidence>>,
    ) -> Result<()> {
        if slot.number == 0 || request.inspected.changes_tests() {
            return Ok(());
        }
        for command in commands {
            let found = fault(command)?;
            if self.machine.stopping() {
                return Ok(());
            }
            if let Some(evidence) = found {
                verified.class = Some(FailureClass::TestsWeakened);
                verified.failures.push(evidence);
                break;
            }
        }
        self.look_for_tampering(slot, request, verified)
    }

    /// Makes verification's slot hold a tree, set up as the plan says.
    pub(super) fn prepare_verification(
        &self,
        plan: &CommittedPlan,
        slot: SlotId,
        tree: &ObjectId,
    ) -> Result<()> {
        match self.try_prepare(plan, slot, tree)? {
            Some(failed) => Err(slot_setup::setup_error(plan, &failed)),
            None => Ok(()),
        }
    }

    /// Likewise; returns how a set-up ended that did not succeed. Whatever else goes wrong is the machine's fault.
    fn try_prepare(
        &self,
        plan: &CommittedPlan,
        slot: SlotId,
        tree: &ObjectId,
    ) -> Result<Option<ShellEnd>> {
        let cache = Unit::list(&plan.workspace.config.front.cache);
        let kept: Vec<String> = cache.into_iter().map(str::to_owned).collect();
        self.machine.keep_caches(&kept);
        self.machine.prepare_slot(&SlotContent {
            slot,
            commit: plan.commit,
            tree: *tree,
            branch: &self.branch,
        })?;
        let held = PreparedTree {
            tree: *tree,
            used: false,
            changed: None,
        };
        self.cache().prepared.insert(slot, held);
        self.try_set_up(plan, slot, tree)
    }

    /// Brings the exact tree back, tracked files and others, where something ran in a slot since it was prepared; returns
    /// the tracked files that were not as they had been.
    pub(super) fn restore_if_used(&self, slot: &VerificationSlot<'_>) -> Result<Vec<String>> {
        let used = self.cache().prepared.get_mut(&slot.id).and_then(|held| {
            let used = std::mem::replace(&mut held.used, true);
            held.changed = None;
            used.then_some(held.tree)
        });
        let Some(tree) = used else {
            return Ok(vec![]);
        };
        let restored = self.machine.restore_slot(slot.id)?;
        // What set-up made may have been changed, and is then made again.
        self.set_up(slot.plan, slot.id, &tree)?;
        Ok(restored)
    }

    /// Returns the tracked files of a slot that are not as its tree has them. They are looked for once after a command: in
    /// a large repository a look is what a unit costs most by.
    pub(super) fn changed_by_commands(&self, slot: SlotId) -> Result<Vec<String>> {
        let known = self
            .cache()
            .prepared
            .get(&slot)
            .and_then(|held| held.changed.clone());
        if let Some(changed) = known {
            return Ok(changed);
        }
        let changed = self.machine.changed_in_slot(slot)?;
        if let Some(held) = self.cache().prepared.get_mut(&slot) {
            held.changed = Some(changed.clone());
        }
        Ok(changed)
    }

    /// Runs everything that judges a tree: the oracle, the user's hooks, and, where there are new tests, the oracle again
    /// without them.
    pub(super) fn verify(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
    ) -> Result<OracleOutcome> {
        let mut verified = OracleOutcome::default();
        if let Some(failed) = self.try_prepare(slot.plan, slot.id, request.tree)? {
            if !slot_setup::fails_the_attempt(&failed.ended, request.changes) {
                return Err(slot_setup::setup_error(slot.plan, &failed));
            }
            let evidence = distil(slot_setup::setup_command(slot.plan), &failed);
            verified.fail(evidence);
            return Ok(verified);
        }
        self.run_all(slot, request, &mut verified)?;
        if self.machine.stopping() {
            return Ok(verified);
        }
        // A commit of no unit has no message that hooks could be shown.
        if slot.plan.feature().member(slot.unit).is_some() {
            self.run_hooks(slot, &mut verified)?;
        }
        self.look_for_tampering(slot, request, &mut verified)?;
        if verified.failures.is_empty() {
            self.run_without_additions(slot, request, &mut verified)?;
        }
        if verified.failures.is_empty() && !self.machine.stopping() {
            self.hold_turned_green(slot, request, &mut verified)?;
        }
        if verified.failures.is_empty() && !self.machine.stopping() {
            self.hold_piped(slot, request, &mut verified)?;
        }
        if verified.failures.is_empty() && !self.machine.stopping() {
            self.run_without_aids(slot, request, &mut verified)?;
        }
        if verified.failures.is_empty() && !self.machine.stopping() {
            self.run_with_edited_tests(slot, request, &mut verified)?;
        }
        Ok(verified)
    }

    pub(super) fn take(
        &self,
        slot: &VerificationSlot<'_>,
        outcome: CommandOutcome,
        verified: &mut OracleOutcome,
    ) {
        self.report(DriverEvent::Command {
            unit: slot.unit.to_owned(),
            name: outcome.result.name.clone(),
            verdict: outcome.result.verdict.clone(),
            seconds: outcome.result.seconds,
        });
        if outcome.result.verdict == CommandVerdict::Flaky {
            verified.notices.push(format!(
                "`{}` is flaky: it failed, then passed on the same tree",
                outcome.result.name
            ));
        }
        if outcome.result.verdict == CommandVerdict::Unproven && verified.failures.is_empty() {
            verified.class = Some(match outcome.base_unfit {
                true => FailureClass::BaseUnproven,
                false => FailureClass::Unproven,
            });
        }
        if outcome.weakened {
            verified.class = Some(FailureClass::TestsWeakened);
        }
        verified.rewritten.extend(outcome.rewritten);
        verified.commands.push(outcome.result);
        outcome.evidence.into_iter().for_each(|e| verified.fail(e));
    }

    /// Runs one command of the oracle in a prepared slot, on exactly the tree that was prepared.
    pub(super) fn run_command(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
    ) -> Result<CommandOutcome> {
        if let CommandJudge::NewFailures(rules) = &command.judge {
            return self.run_by_cases(slot, command, rules);
        }
        // What the command before left or changed does not judge.
        let rewritten = self.restore_if_used(slot)?;
        let end = self.run_shell(slot, command)?;
        Ok(outcome_of(command, &end, rewritten))
    }

    /// Runs the text of a command in a slot as it is.
    pub(super) fn run_shell(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
    ) -> Result<ShellEnd> {
        let network = match slot.plan.workspace.config.network() {
            NetworkPolicy::On => true,
            NetworkPolicy::Off => false,
            NetworkPolicy::Auto => network_need::may_fetch(&command.shell),
        };
        let log = slot.plan.feature().others.get(layout::EVENTS);
        if let Some(held) = self.cache().prepared.get_mut(&slot.id) {
            held.changed = None;
        }
        let end = self.machine.run_command(&ShellJob {
            slot: slot.id,
            unit: slot.unit.to_owned(),
            number: slot.number,
            name: command.name.clone(),
            shell: command.shell.clone(),
            feature_dir: slot.plan.feature().dir.to_string(),
            timeout: command.timeout,
            network,
            usual: log
                .and_then(|log| CommandCosts::of(log).of_command(command))
                .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        })?;
        if let CommandEnd::NotStarted(why) = &end.ended {
            return Err(Error::environment(format!(
                "`{}` was not started: {why}",
                command.name
            )));
        }
        Ok(end)
    }

    /// What passed on this tree is the next unit's base for free.
    pub(super) fn cache_verified(
        &self,
        tree: &ObjectId,
        verified: &OracleOutcome,
    ) -> Result<String> {
        let key = self.machine.tree_key(tree, self.layout.dir())?;
        for command in verified
            .commands
            .iter()
            .filter(|c| c.verdict == CommandVerdict::Pass && c.exit == Some(0))
        {
            self.cache_exit(base_key(&key, &command.command), 0);
        }
        Ok(key)
    }
}
