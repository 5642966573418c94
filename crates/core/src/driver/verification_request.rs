//! What is verified, and where.

use super::committed_plan::CommittedPlan;
use super::inspect::InspectedChanges;
use super::ports::SlotId;
use crate::engine::changed_file::ChangedPath;
use crate::engine::guards;
use crate::engine::oracle::{CommandJudge, OracleCommand};
use crate::model::feature::Feature;
use crate::model::unit::ExpectBase;
use crate::object_id::ObjectId;

/// Where and for whom a command of the oracle runs.
pub(super) struct VerificationSlot<'a> {
    /// The slot, already prepared.
    pub(super) id: SlotId,
    /// Full id of the unit.
    pub(super) unit: &'a str,
    /// The attempt's number; 0 on the base.
    pub(super) number: u32,
    /// The plan whose oracle it is.
    pub(super) plan: &'a CommittedPlan,
}

/// What is asked of a tree.
pub(super) struct VerificationRequest<'a> {
    pub(super) tree: &'a ObjectId,
    pub(super) commands: &'a [OracleCommand],
    pub(super) changes: &'a [ChangedPath],
    pub(super) inspected: &'a InspectedChanges,
    /// The feature, as it is on the base.
    pub(super) feature: &'a Feature,
}

impl<'a> VerificationRequest<'a> {
    /// Returns the commands that are asked about the diff and are there to stay green.
    pub(super) fn green(&self) -> impl Iterator<Item = &'a OracleCommand> {
        let commands = self.commands.iter();
        commands.filter(|c| c.expect_base() == ExpectBase::Green && self.asks(c))
    }

    /// Returns likewise those that exit decides and the work turns green.
    pub(super) fn turned_by_exit(&self) -> impl Iterator<Item = &'a OracleCommand> {
        let commands = self.commands.iter();
        let turned = commands.filter(|c| c.expect_base() != ExpectBase::Green);
        turned.filter(|c| c.judge == CommandJudge::Exit && self.asks(c))
    }

    /// Returns whether a command is asked about the diff, or about what code in it may have come from.
    pub(super) fn asks(&self, command: &OracleCommand) -> bool {
        applies(command, self.changes) || self.comes_from(&command.when)
    }

    /// Returns whether code of the diff landed in one work with what some globs name: it may have moved out of their reach, or be
    /// what is used there now.
    pub(super) fn comes_from(&self, globs: &[String]) -> bool {
        if globs.is_empty() {
            return false;
        }
        let globs = guards::set(&globs.iter().map(String::as_str).collect::<Vec<_>>());
        let mut beside = self.inspected.landed_beside(self.feature).iter();
        beside.any(|path| globs.is_match(path))
    }
}

/// Returns whether a command is asked about a diff.
pub(super) fn applies(command: &OracleCommand, changes: &[ChangedPath]) -> bool {
    let set = guards::set(&command.when.iter().map(String::as_str).collect::<Vec<_>>());
    command.when.is_empty() || changes.iter().any(|c| set.is_match(&c.path))
}
