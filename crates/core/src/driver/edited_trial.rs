//! A command run with edited tests: on which tree, and how it goes on record.

use super::command_outcome::CommandOutcome;
use super::oracle_outcome::OracleOutcome;
use super::run_loop::Driver;
use super::verification_request::VerificationSlot;
use crate::engine::command_end::CommandEnd;
use crate::engine::evidence::Evidence;
use crate::engine::failure_class::CommandVerdict;
use crate::engine::oracle::OracleCommand;
use crate::error::Result;
use crate::object_id::ObjectId;

/// A test or a script that judges.
pub(super) struct JudgingTest {
    pub(super) path: String,
    pub(super) text: String,
    /// Whether it is run for how it ends.
    pub(super) script: bool,
}

/// The tests and scripts of the base that judge.
pub(super) struct JudgingTests {
    /// As the work has them.
    pub(super) work: Vec<JudgingTest>,
    /// As the base has them.
    pub(super) base: Vec<JudgingTest>,
}

/// What a command with edited tests was run for.
pub(super) struct EditedTrial {
    /// What stands behind the command's name.
    pub(super) with: &'static str,
    /// What is noted where the work stood it.
    pub(super) note: &'static str,
    /// Whether it did.
    pub(super) stood: bool,
}

/// Returns what is shown of a command that the work does not stand with edited tests: what tells it from others, what it means,
/// and the code that it ended with.
pub(super) fn evidence_of(
    command: &OracleCommand,
    (fingerprint, means): (&str, &str),
    code: i32,
) -> Evidence {
    Evidence {
        command: command.shell.clone(),
        head: String::new(),
        tail: String::new(),
        fingerprint: format!("{fingerprint}:{}", command.name),
        error_lines: vec![means.to_owned()],
        ended: CommandEnd::Exited(code),
    }
}

/// Returns whether a command failed.
pub(super) fn is_red(outcome: &CommandOutcome) -> bool {
    outcome.result.verdict == CommandVerdict::Fail
}

/// Records what a command came to with edited tests: whether the work stood that. It is not told while it runs: it says
/// nothing that the command itself has not said.
pub(super) fn record_edited(
    outcome: CommandOutcome,
    trial: &EditedTrial,
    verified: &mut OracleOutcome,
) {
    let mut result = outcome.result;
    result.name.push_str(trial.with);
    result.note = Some(trial.note.to_owned()).filter(|_| trial.stood);
    result.verdict = match trial.stood {
        true => CommandVerdict::Pass.into(),
        false => CommandVerdict::Fail.into(),
    };
    verified.commands.push(result);
}

impl Driver<'_> {
    /// Returns a tree with some of its tests edited.
    pub(super) fn with_edited(
        &self,
        tree: &ObjectId,
        tests: &[JudgingTest],
        edit: impl Fn(&JudgingTest) -> Option<(String, String)>,
    ) -> Result<ObjectId> {
        let edits = tests.iter().filter_map(|test| {
            let (path, text) = edit(test)?;
            Some((path, Some(text.into_bytes().into())))
        });
        self.machine.edit_tree(tree, &edits.collect::<Vec<_>>())
    }

    /// Runs a command on a tree with edited tests, or on the base's.
    pub(super) fn run_edited(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        tree: &ObjectId,
    ) -> Result<CommandOutcome> {
        self.hold(slot, tree)?;
        self.run_command(slot, command)
    }

    pub(super) fn fails_on(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        tree: &ObjectId,
    ) -> Result<bool> {
        Ok(is_red(&self.run_edited(slot, command, tree)?))
    }
}
