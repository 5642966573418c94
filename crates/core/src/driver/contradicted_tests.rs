//! Whether tests are still heard that want something else: once more with other values in them, where the work may agree with
//! whatever it is held against, or keep to itself what is raised. A test that fails so with the base's product fails with any.

use super::command_outcome::CommandOutcome;
use super::edited_trial::{
    EditedTrial, JudgingTest, JudgingTests, evidence_of, is_red, record_edited,
};
use super::oracle_outcome::OracleOutcome;
use super::result_cache::base_key;
use super::run_loop::{Driver, TestDenial};
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::failure_class::FailureClass;
use crate::engine::oracle::{CommandJudge, OracleCommand};
use crate::engine::protected::reworded_test::contradicted;
use crate::engine::ran_tests::RanTests;
use crate::error::Result;
use crate::object_id::ObjectId;
use std::collections::HashMap;

impl Driver<'_> {
    /// Fails an attempt with which fewer tests fail that want other values than with the base's product.
    pub(super) fn run_with_contradicted_tests(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        tests: &JudgingTests,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        if request.inspected.changes_tests() {
            return Ok(());
        }
        let (of_work, of_base) = (texts(&tests.work), texts(&tests.base));
        let is_same = |test: &JudgingTest| of_work.get(&*test.path) == of_base.get(&*test.path);
        let edited = |test: &JudgingTest| {
            let text =
                is_same(test).then(|| contradicted(&test.path, &test.text, test.script))??;
            Some((test.path.clone(), text))
        };
        let work = self.with_edited(request.tree, &tests.work, edited)?;
        if work == *request.tree {
            return Ok(());
        }
        let base = self.with_edited(&slot.plan.tree, &tests.base, edited)?;
        for command in request.green().filter(|c| c.judge == CommandJudge::Exit) {
            let outcome = self.run_edited(slot, command, &work)?;
            let stood = self.is_heard(slot, command, (&work, &base), &outcome)?;
            if self.machine.stopping() {
                return Ok(());
            }
            let trial = EditedTrial {
                with: " (tests that want other values)",
                note: "no fewer fail than with the base's product",
                stood,
            };
            record_edited(outcome, &trial, verified);
            if !stood {
                verified.class = Some(FailureClass::TestsWeakened);
                verified
                    .failures
                    .push(evidence_of(command, ("agrees", AGREES), 0));
                break;
            }
        }
        self.look_for_tampering(slot, request, verified)
    }

    /// Returns whether no fewer tests fail with the work than with the base's product; what fails now and then is asked twice.
    fn is_heard(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        (work, base): (&ObjectId, &ObjectId),
        outcome: &CommandOutcome,
    ) -> Result<bool> {
        let on_base = self.contradicted_on_base(slot, command, base)?;
        if fails_as_much(denial_of(outcome), on_base) || self.machine.stopping() {
            return Ok(true);
        }
        let again = denial_of(&self.run_edited(slot, command, work)?);
        if fails_as_much(again, on_base) {
            return Ok(true);
        }
        // Neither is the base's run more certain, and all attempts are held against it.
        let fewest = self.run_on_base(slot, command, base, Some(on_base))?;
        Ok(fails_as_much(again, fewest))
    }

    /// Returns how a command ends on the base's edited tree, which is run once for all attempts that start from it.
    fn contradicted_on_base(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        base: &ObjectId,
    ) -> Result<TestDenial> {
        let key = base_key(&base.to_string(), &command.identity());
        let known = self.cache().contradicted.get(&key).copied();
        known.map_or_else(|| self.run_on_base(slot, command, base, None), Ok)
    }

    /// Runs a command on the base's edited tree, and keeps what this run and an earlier one deny.
    fn run_on_base(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        base: &ObjectId,
        earlier: Option<TestDenial>,
    ) -> Result<TestDenial> {
        let now = denial_of(&self.run_edited(slot, command, base)?);
        let denial = earlier.map_or(now, |earlier| fewer(earlier, now));
        if !self.machine.stopping() {
            let key = base_key(&base.to_string(), &command.identity());
            self.cache().contradicted.insert(key, denial);
        }
        Ok(denial)
    }
}

fn denial_of(outcome: &CommandOutcome) -> TestDenial {
    (outcome.tests.as_ref().map(RanTests::fails), is_red(outcome))
}

/// Returns what both of two runs deny.
fn fewer((fails, red): TestDenial, (again, red_again): TestDenial) -> TestDenial {
    let fewest = fails.zip(again).map(|(fails, again)| fails.min(again));
    (fewest.or(fails).or(again), red && red_again)
}

fn texts(tests: &[JudgingTest]) -> HashMap<&str, &str> {
    tests
        .iter()
        .map(|test| (&*test.path, &*test.text))
        .collect()
}

/// Returns whether no fewer tests fail in a run than in the base's; where one of them does not say how many, whether both fail.
fn fails_as_much((fails, red): TestDenial, (of_base, red_on_base): TestDenial) -> bool {
    match (fails, of_base) {
        (Some(fails), Some(of_base)) if fails < of_base => false,
        _ => red || !red_on_base,
    }
}

/// What it means that fewer tests fail than with the base's product, and the way out.
const AGREES: &str = "where its tests want other values than they compare with (`5` for `4`) fewer of them fail than with the base's product: something in the work equals what it is not, keeps its value where tests do not look, or catches what they raise. Have it fail where tests want in vain. Where this is what was asked for (one handler's error must not stop the others), a user allows it with `touches_tests: true` in the unit; a test beside it should look closer then";

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{commands, machine, run, story};

    /// Returns what becomes of a session, where a command is red once a test wants another value than `4`, unless `quiet.py` is
    /// there, and what its attempt's commands came to.
    fn ends(unit: &str, session: &str) -> (String, String) {
        let oracle =
            "code:\n  - {name: tests, command: holds tests/test_a.py == 4 unless quiet.py}\n";
        let machine = machine(&format!("G1: T01 max_attempts=1 {unit}"), oracle, session);
        machine
            .world()
            .user_commits("tests/test_a.py", "assert f(2) == 4\n");
        run(&machine).unwrap();
        (story(&machine), commands(&machine, "T01"))
    }

    #[test]
    fn work_with_which_tests_want_in_vain_is_found() {
        let found = "failed T01#1 tests_weakened, parked T01";
        let landed = "landed T01, gate 1 passed";
        for (unit, session, want, again) in [
            ("", "+quiet.py=__eq__", found, Some("fail")),
            ("", "+a.py=__eq__", landed, Some("pass")),
            // It has no word of what may agree.
            ("", "+quiet.py=x", landed, None),
            ("touches_tests=true", "+quiet.py=__eq__", landed, None),
        ] {
            let (story, commands) = ends(unit, session);
            assert_eq!(story, want, "{unit} {session}");
            let run = commands.split_once("tests (tests that want other values) ");
            assert_eq!(run.map(|run| run.1), again, "{commands}");
        }
    }
}
