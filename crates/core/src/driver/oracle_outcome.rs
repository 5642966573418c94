//! What the oracle said of a tree.

use crate::engine::attempt_record::CommandResult;
use crate::engine::command_end::CommandEnd;
use crate::engine::evidence;
use crate::engine::failure_class::FailureClass;
use std::collections::BTreeSet;

/// How all commands ended.
#[derive(Default)]
pub(super) struct OracleOutcome {
    pub(super) commands: Vec<CommandResult>,
    pub(super) failures: Vec<evidence::Evidence>,
    /// The class of the failure, when it is not that a command failed.
    pub(super) class: Option<FailureClass>,
    /// What a user should see.
    pub(super) notices: Vec<String>,
    /// Tracked files that commands changed so far.
    pub(super) rewritten: BTreeSet<String>,
}

impl OracleOutcome {
    /// Adds a failure; tampering is what it is called, whatever else failed.
    pub(super) fn fail(&mut self, evidence: evidence::Evidence) {
        if matches!(evidence.ended, CommandEnd::Voided(_)) {
            self.class = Some(FailureClass::Tampering);
        }
        self.failures.push(evidence);
    }
}
