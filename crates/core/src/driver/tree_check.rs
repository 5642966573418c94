//! The declared commands on any tree, whatever unit it may be for: what a user runs before a push.

use super::command_report::{record_commands, skipped_because};
use super::inspect::InspectedChanges;
use super::ports::SlotId;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::attempt_record::Judgement;
use crate::engine::oracle::{self, OracleCommand};
use crate::error::{Error, Result};
use crate::model::feature::Feature;
use crate::object_id::ObjectId;

/// Returns the commands that can run beside a feature, and those that need one where there is none.
fn apart(
    feature: &Feature,
    commands: Vec<OracleCommand>,
) -> (Vec<OracleCommand>, Vec<OracleCommand>) {
    let asks =
        |shell: &str| shell.contains("{feature_dir}") || shell.contains("GATEWALK_FEATURE_DIR");
    commands
        .into_iter()
        .partition(|command| !feature.is_nowhere() || !asks(&command.shell))
}

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
        let (commands, about_features) = apart(plan.feature(), commands);
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
            feature: plan.feature(),
        };
        let mut verified = self.verify(&slot, &request)?;
        if self.machine.stopping() {
            return Ok(None);
        }
        let skipped = about_features.iter();
        verified.commands.extend(skipped.map(|command| {
            skipped_because(
                command,
                "it is about a feature, and there is none".to_owned(),
            )
        }));
        let mut judgement = Judgement::unproven(*tree, *commit, oracle::hash(&commands));
        judgement.files_touched = changes.into_iter().map(|c| c.path).collect();
        record_commands(&mut judgement, verified);
        judgement.redact();
        judgement.at = self.machine.now().to_string();
        Ok(Some(judgement))
    }
}
