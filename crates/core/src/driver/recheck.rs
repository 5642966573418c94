//! The recorded oracle once more, on the recorded tree: what anyone can run to see that `done` was earned.

use super::inspect::UnitDiff;
use super::ports::SlotId;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::attempt_record::{CommandResult, Judgement};
use crate::engine::failure_class::CommandVerdict;
use crate::engine::guards::Report;
use crate::engine::oracle;
use crate::error::Result;
use crate::model::recorded_word::RecordedWord;
use crate::object_id::ObjectId;
use serde::Serialize;

/// What is to be checked again.
#[derive(Debug, Clone)]
pub struct RecheckSubject<'a> {
    /// Full id of the unit.
    pub unit: &'a str,
    /// The commit whose oracle judged.
    pub base: ObjectId,
    /// The tree that was judged.
    pub tree: ObjectId,
    /// The hash of the oracle that is on record.
    pub oracle: String,
    /// Whether it is on record as passed.
    pub passed: bool,
    /// What the driver found, where that is still known.
    pub judgement: Option<&'a Judgement>,
}

/// One command, then and now.
#[derive(Debug, Clone, Serialize)]
pub struct CommandComparison {
    /// What it says now.
    pub now: CommandResult,
    /// What it said, where that is known.
    pub then: Option<RecordedWord<CommandVerdict>>,
    /// Whether it says the same.
    pub same: bool,
}

/// What a re-check found.
#[derive(Debug, Clone, Serialize)]
pub struct Recheck {
    /// Whether the base's oracle is the one on record.
    pub oracle_same: bool,
    /// Each command, then and now.
    pub commands: Vec<CommandComparison>,
    /// What a user should see.
    pub notices: Vec<String>,
    /// Whether everything is as it is on record.
    pub same: bool,
}

/// Holds what a command came to now against what is on record.
fn compared(now: CommandResult, recorded: &RecheckSubject<'_>) -> CommandComparison {
    let green = |c: &CommandResult| c.passed() || c.verdict == CommandVerdict::Skipped;
    let known = recorded.judgement.map_or(&[][..], |j| &j.commands);
    let then = known.iter().find(|c| c.name == now.name);
    CommandComparison {
        same: then.map_or(recorded.passed, green) == green(&now),
        then: then.map(|t| t.verdict.clone()),
        now,
    }
}

impl Driver<'_> {
    /// Runs the oracle of the recorded base on the recorded tree. Nothing of the repository is changed.
    ///
    /// Fails where the recorded commit or tree is gone, or its unit proves nothing.
    pub fn recheck(&self, recorded: &RecheckSubject<'_>) -> Result<Recheck> {
        let id = recorded.unit;
        let plan = self.plan_at(&recorded.base)?;
        // What was ahead of it is no part of its diff.
        let onto = recorded.judgement.and_then(|judgement| judgement.onto);
        let plan = plan.on_tree(onto.unwrap_or(plan.tree));
        let commands = self.oracle_of(&plan, id)?;
        let oracle_same = oracle::hash(&commands) == recorded.oracle;
        let changes = self.machine.diff(&plan.tree, &recorded.tree)?;
        let mut report = Report::default();
        let unit = plan.unit(id)?.1;
        let diff = UnitDiff::new((&plan, unit), &recorded.tree, &changes);
        let inspected = self.inspect(&diff, &mut report)?;
        let slot = VerificationSlot {
            id: SlotId::Recheck,
            unit: id,
            number: 0,
            plan: &plan,
        };
        let verified = self.verify(
            &slot,
            &VerificationRequest {
                tree: &recorded.tree,
                commands: &commands,
                changes: &changes,
                inspected: &inspected,
                feature: plan.feature(),
            },
        )?;
        let commands = verified.commands.into_iter();
        let commands: Vec<CommandComparison> =
            commands.map(|now| compared(now, recorded)).collect();
        let passed = verified.failures.is_empty();
        Ok(Recheck {
            same: oracle_same && passed == recorded.passed && commands.iter().all(|c| c.same),
            oracle_same,
            commands,
            notices: verified.notices,
        })
    }
}
