//! Whether a green command can still fail: once more with tests that must fail, where the work may say how a run ends.

use super::edited_trial::{
    EditedTrial, JudgingTest, JudgingTests, evidence_of, is_red, record_edited,
};
use super::oracle_outcome::OracleOutcome;
use super::run_loop::Driver;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::failure_class::FailureClass;
use crate::engine::oracle::{CommandJudge, OracleCommand};
use crate::engine::protected::failing_test::{FailingKind, with_failing_test};
use crate::error::Result;
use crate::model::unit::ExpectBase;
use crate::object_id::ObjectId;

impl Driver<'_> {
    /// Fails an attempt whose commands stay green with tests that must fail, although those of the base do not.
    pub(super) fn run_with_failing_tests(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        tests: &JudgingTests,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        for kind in FailingKind::ALL {
            let tree = self.with_failing(request.tree, kind, &tests.work)?;
            if tree == *request.tree {
                continue;
            }
            let base = self.with_failing(&slot.plan.tree, kind, &tests.base)?;
            if let Some(command) = self.still_green(slot, request, (&tree, &base), verified)? {
                verified.class = Some(FailureClass::TestsWeakened);
                verified
                    .failures
                    .push(evidence_of(command, ("cannot fail", CANNOT_FAIL), 0));
                break;
            }
        }
        self.look_for_tampering(slot, request, verified)
    }

    /// Returns the first command that stays green on a tree with failing tests, although it does not on the base with such.
    fn still_green<'r>(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'r>,
        (tree, base): (&ObjectId, &ObjectId),
        verified: &mut OracleOutcome,
    ) -> Result<Option<&'r OracleCommand>> {
        let asked = |c: &&OracleCommand| {
            (c.expect_base() == ExpectBase::Green || c.judge == CommandJudge::Exit)
                && request.asks(c)
        };
        for command in request.commands.iter().filter(asked) {
            let outcome = self.run_edited(slot, command, tree)?;
            if self.machine.stopping() {
                return Ok(None);
            }
            let stood = is_red(&outcome) || !self.runs_them(slot, command, base)?;
            if self.machine.stopping() {
                return Ok(None);
            }
            let trial = EditedTrial {
                with: " (tests that must fail)",
                note: match is_red(&outcome) {
                    true => "red, as it must be",
                    false => "it runs none of them on the base either",
                },
                stood,
            };
            record_edited(outcome, &trial, verified);
            if !stood {
                return Ok(Some(command));
            }
        }
        Ok(None)
    }

    /// Returns whether a command runs the failing tests of a tree of the base's: it fails, or, where it does so anyway, says
    /// that it ran more tests.
    fn runs_them(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        base: &ObjectId,
    ) -> Result<bool> {
        if command.expect_base() == ExpectBase::Green {
            return self.fails_on(slot, command, base);
        }
        self.hold(slot, base)?;
        let tests = self.run_command(slot, command)?.tests.unwrap_or_default();
        let without = self.to_turn_green(slot, command)?;
        Ok(without.is_some_and(|without| tests.to_turn_green() > without))
    }

    /// Returns a tree whose tests of a kind end with one that fails.
    fn with_failing(
        &self,
        tree: &ObjectId,
        kind: FailingKind,
        tests: &[JudgingTest],
    ) -> Result<ObjectId> {
        self.with_edited(tree, tests, |test| {
            let more = with_failing_test(kind, &test.path, &test.text, test.script)?;
            Some((test.path.clone(), more))
        })
    }
}

/// What it means that a command is green with tests that must fail, and the way out.
const CANNOT_FAIL: &str = "with tests added that must fail it still ends with 0, which it does not on the base: something in the work ends the run, or says how it ends. Leave that to the runner; a user may allow it with `touches_tests: true` in the unit";

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{commands, machine, run, story};

    /// Returns what becomes of a session, where a command is red that finds a failing test, and what its attempt's commands came to.
    fn ends(session: &str) -> (String, String) {
        let oracle = "code:\n  - {name: tests, command: prints tests/test_a.py unless mute.py}\n";
        let machine = machine("G1: T01 max_attempts=1", oracle, session);
        machine.world().user_commits("tests/test_a.py", "x = 1\n");
        run(&machine).unwrap();
        (story(&machine), commands(&machine, "T01"))
    }

    #[test]
    fn a_command_that_cannot_fail_any_more_proves_nothing() {
        let failed = "failed T01#1 tests_weakened, parked T01";
        let landed = "landed T01, gate 1 passed";
        for (session, want, commands) in [
            (
                "+mute.py=getattr(os,name)(0)",
                failed,
                "tests pass, tests (tests that must fail) fail",
            ),
            ("+mute.py=x", landed, "tests pass"),
            (
                "+other.py=getattr(os,name)(0)",
                landed,
                "tests pass, tests (tests that must fail) pass",
            ),
        ] {
            let (story, recorded) = ends(session);
            assert_eq!((&*story, &*recorded), (want, commands), "{session}");
        }
    }
}
