//! An edition of the tests that says what they say: work that is right is right by it, too.

use super::edited_trial::{
    EditedTrial, JudgingTest, JudgingTests, evidence_of, is_red, record_edited,
};
use super::oracle_outcome::OracleOutcome;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
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
        let work = self.edition(request.tree, &tests.work, edition.edited, &[])?;
        if work == *request.tree {
            return Ok(());
        }
        let asked = request.commands.iter();
        for command in asked.filter(|command| request.asks(command)) {
            let outcome = self.run_edited(slot, command, &work)?;
            let known = (tests, edition);
            let stood = !is_red(&outcome)
                || match command.expect_base() {
                    ExpectBase::Green => self.stands_on_base(slot, request, known, command)?,
                    _ => self.stands_by_controls(slot, request, known, command)?,
                }
                // A command that fails now and then is no proof.
                || !self.fails_on(slot, command, &work)?;
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

    /// Returns a tree with its tests edited, but for those that are left out.
    fn edition(
        &self,
        tree: &ObjectId,
        tests: &[JudgingTest],
        edit: TestEdit,
        left_out: &[&str],
    ) -> Result<ObjectId> {
        self.with_edited(tree, tests, |test| {
            let is_left_out = left_out.contains(&&*test.path);
            if is_left_out { None } else { edit(test) }
        })
    }

    /// Returns whether a command that is red with an edition is no worse than on the base. Tests that the base says are red there,
    /// too, prove nothing: it runs again without them.
    fn stands_on_base(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        (tests, edition): (&JudgingTests, &TestEdition),
        command: &OracleCommand,
    ) -> Result<bool> {
        let base = self.edition(&slot.plan.tree, &tests.base, edition.edited, &[])?;
        let on_base = self.run_edited(slot, command, &base)?;
        if !is_red(&on_base) {
            return Ok(false);
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
        let work = self.edition(request.tree, &tests.work, edition.edited, &named)?;
        if work == *request.tree || !self.fails_on(slot, command, &work)? {
            return Ok(true);
        }
        let base = self.edition(&slot.plan.tree, &tests.base, edition.edited, &named)?;
        Ok(self.fails_on(slot, command, &base)? || !self.fails_on(slot, command, &work)?)
    }

    /// Returns whether a command that is red with an edition is so with one of the controls, too.
    fn stands_by_controls(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        (tests, edition): (&JudgingTests, &TestEdition),
        command: &OracleCommand,
    ) -> Result<bool> {
        for control in edition.controls {
            let tree = self.edition(request.tree, &tests.work, *control, &[])?;
            if self.fails_on(slot, command, &tree)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
