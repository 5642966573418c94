//! An edition of the tests that says what they say: work that is right is right by it, too.

use super::edited_tests::{
    EditedTrial, JudgingTest, JudgingTests, evidence_of, is_red, record_edited,
};
use super::oracle_outcome::OracleOutcome;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot, applies};
use crate::engine::failure_class::FailureClass;
use crate::engine::oracle::OracleCommand;
use crate::error::Result;
use crate::model::unit::ExpectBase;
use crate::object_id::ObjectId;

/// How tests are edited, and what it means that the work does not stand that.
pub(super) struct TestEdition {
    /// What stands behind the command's name.
    pub(super) with: &'static str,
    /// What is noted where a command is red, but with the control, too.
    pub(super) red_anyway: &'static str,
    /// What is noted where it is green.
    pub(super) green: &'static str,
    /// What stands before the path of a test in what it says when it is red by the edition; nothing where it does not say so.
    pub(super) names_tests_by: &'static str,
    /// What tells such a failure from others.
    pub(super) fingerprint: &'static str,
    /// What a failure means, and the way out.
    pub(super) means: &'static str,
    /// Returns a path with its new text; nothing where a test stays as it is.
    pub(super) edited: TestEdit,
    /// Likewise for what a command that the work turns green must stay green with, or nothing is known: the base's product cannot be
    /// asked.
    pub(super) controls: &'static [TestEdit],
}

/// How a test is edited.
type TestEdit = fn(&JudgingTest) -> Option<(String, String)>;

/// What commands run on, with edited tests.
struct EditedTrees {
    work: ObjectId,
    base: ObjectId,
    controls: Vec<ObjectId>,
}

impl Driver<'_> {
    /// Fails an attempt whose commands are red with an edition, although the base's product is not, or the controls.
    pub(super) fn run_edition(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        tests: &JudgingTests,
        edition: &TestEdition,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        let Some(trees) = self.edited_trees(slot, request, tests, edition, &[])? else {
            return Ok(());
        };
        let asked = request.commands.iter();
        for command in asked.filter(|command| applies(command, request.changes)) {
            let outcome = self.run_edited(slot, command, &trees.work)?;
            let stood = !is_red(&outcome)
                || match command.expect_base() {
                    ExpectBase::Green => {
                        self.stands_on_base(slot, request, (tests, edition), command, &trees)?
                    }
                    _ => {
                        !self.are_green(slot, command, &trees.controls)?
                            || !self.fails_on(slot, command, &trees.work)?
                    }
                };
            if self.machine.stopping() {
                break;
            }
            let trial = EditedTrial {
                with: edition.with,
                note: match is_red(&outcome) {
                    true => edition.red_anyway,
                    false => edition.green,
                },
                stood,
            };
            record_edited(outcome, &trial, verified);
            if !stood {
                verified.class = Some(FailureClass::TestsWeakened);
                verified.failures.push(evidence_of(
                    command,
                    (edition.fingerprint, edition.means),
                    1,
                ));
                break;
            }
        }
        self.look_for_tampering(slot, request, verified)
    }

    /// Returns the trees with an edition of the tests that are not left out; nothing where that leaves all as it is.
    fn edited_trees(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        tests: &JudgingTests,
        edition: &TestEdition,
        left_out: &[&str],
    ) -> Result<Option<EditedTrees>> {
        let edited = |tree: &ObjectId, tests: &[JudgingTest], edit: TestEdit| {
            self.with_edited(tree, tests, |test| {
                let is_left_out = left_out.contains(&&*test.path);
                if is_left_out { None } else { edit(test) }
            })
        };
        let work = edited(request.tree, &tests.work, edition.edited)?;
        if work == *request.tree {
            return Ok(None);
        }
        let controls = edition.controls.iter();
        Ok(Some(EditedTrees {
            work,
            base: edited(&slot.plan.tree, &tests.base, edition.edited)?,
            controls: controls
                .map(|edit| edited(request.tree, &tests.work, *edit))
                .collect::<Result<_>>()?,
        }))
    }

    /// Returns whether a command that is red with an edition is no worse than on the base. Tests that the base says are red there,
    /// too, prove nothing: it runs again without them.
    fn stands_on_base(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        (tests, edition): (&JudgingTests, &TestEdition),
        command: &OracleCommand,
        trees: &EditedTrees,
    ) -> Result<bool> {
        let on_base = self.run_edited(slot, command, &trees.base)?;
        // A command that fails now and then is no proof.
        if !is_red(&on_base) {
            return Ok(!self.fails_on(slot, command, &trees.work)?);
        }
        let said = on_base.evidence.map_or_else(String::new, |evidence| {
            [
                evidence.head,
                evidence.tail,
                evidence.error_lines.join("\n"),
            ]
            .concat()
        });
        let names = |path: &&str| said.contains(&format!("{}{path}", edition.names_tests_by));
        let named = tests.base.iter().map(|test| &*test.path);
        let named: Vec<&str> = named.filter(names).collect();
        if edition.names_tests_by.is_empty() || named.is_empty() {
            return Ok(true);
        }
        let Some(fewer) = self.edited_trees(slot, request, tests, edition, &named)? else {
            return Ok(true);
        };
        Ok(!self.fails_on(slot, command, &fewer.work)?
            || self.fails_on(slot, command, &fewer.base)?
            || !self.fails_on(slot, command, &fewer.work)?)
    }

    /// Returns whether a command is green on every one of some trees.
    fn are_green(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        trees: &[ObjectId],
    ) -> Result<bool> {
        for tree in trees {
            if self.fails_on(slot, command, tree)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
