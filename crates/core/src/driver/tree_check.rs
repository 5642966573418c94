//! The declared commands on any tree, whatever unit it may be for: what a user runs before a push.

use super::command_report::record_commands;
use super::inspect::InspectedChanges;
use super::oracle_run::{VerificationRequest, VerificationSlot};
use super::ports::SlotId;
use super::run_loop::Driver;
use crate::engine::attempt_record::Judgement;
use crate::engine::oracle;
use crate::error::{Error, Result};
use crate::object_id::ObjectId;

impl Driver<'_> {
    /// Runs every declared command of a commit's verification.yml on a tree, `when` or not; nothing where that was cut short.
    ///
    /// A red command is no error; a verification.yml whose commands prove nothing is one, of the plan.
    pub fn check_tree(
        &self,
        commit: &ObjectId,
        tree: &ObjectId,
        slot: SlotId,
    ) -> Result<Option<Judgement>> {
        let plan = self.plan_at(commit)?;
        let verification = &plan.workspace.verification;
        let commands = oracle::every_command(verification).map_err(|why| {
            Error::plan(why.to_string()).hint(format!("see `{}`", verification.path))
        })?;
        let name = plan.feature().name();
        let slot = VerificationSlot {
            id: slot.verification(),
            unit: &name,
            number: 0,
            plan: &plan,
        };
        let changes = self.machine.diff(&plan.tree, tree)?;
        let inspected = InspectedChanges::of_no_unit();
        let request = VerificationRequest {
            tree,
            commands: &commands,
            changes: &changes,
            inspected: &inspected,
        };
        let verified = self.verify(&slot, &request)?;
        if self.machine.stopping() {
            return Ok(None);
        }
        let mut judgement = Judgement::unproven(*tree, *commit, oracle::hash(&commands));
        judgement.files_touched = changes.into_iter().map(|c| c.path).collect();
        record_commands(&mut judgement, verified);
        judgement.redact();
        judgement.at = self.machine.now().to_string();
        Ok(Some(judgement))
    }
}
