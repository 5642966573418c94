//! A second run of a command that failed, where the project asks for one.

use super::command_outcome::CommandOutcome;
use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use crate::engine::failure_class::CommandVerdict;
use crate::engine::oracle::OracleCommand;
use crate::error::Result;
use crate::model::config::FlakyPolicy;
use crate::object_id::ObjectId;

impl Driver<'_> {
    /// Runs a command, and once more, from a clean slot with the same tree, when it fails: what passes then is flaky.
    pub(super) fn run_twice(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        rerun: Option<&ObjectId>,
    ) -> Result<CommandOutcome> {
        let first = self.run_command(slot, command)?;
        match rerun {
            Some(tree) => self.second_look(slot, (command, tree), first),
            None => Ok(first),
        }
    }

    /// Runs a command on a tree once more where it failed.
    pub(super) fn second_look(
        &self,
        slot: &VerificationSlot<'_>,
        (command, tree): (&OracleCommand, &ObjectId),
        first: CommandOutcome,
    ) -> Result<CommandOutcome> {
        if first.result.verdict != CommandVerdict::Fail
            || first.result.exit.is_none()
            || self.machine.stopping()
        {
            return Ok(first);
        }
        let mut first = first;
        let changed = self.changed_by_commands(slot.id)?;
        first.rewritten.extend(changed);
        self.prepare_verification(slot.plan, slot.id, tree)?;
        let mut second = self.run_command(slot, command)?;
        if second.result.verdict != CommandVerdict::Pass {
            // The first failure is the evidence; a second one that differs is no more true.
            return Ok(first);
        }
        second.rewritten.append(&mut first.rewritten);
        second.result.verdict = CommandVerdict::Flaky.into();
        second.result.note = Some(format!(
            "exit {} first, exit 0 on the same tree",
            first.result.exit.unwrap_or(-1)
        ));
        second.result.seconds += first.result.seconds;
        Ok(second)
    }
}

/// Returns the tree that a second run starts from, where the project has one.
pub(super) fn rerun_on<'t>(
    slot: &VerificationSlot<'_>,
    tree: &'t ObjectId,
) -> Option<&'t ObjectId> {
    (slot.plan.workspace.config.flaky() == FlakyPolicy::Rerun).then_some(tree)
}
