//! Whether a green command can still fail: once more with tests that must fail, where the work may say how a run ends.

use super::oracle_outcome::OracleOutcome;
use super::oracle_run::{VerificationRequest, VerificationSlot, applies};
use super::run_loop::Driver;
use crate::engine::command_end::CommandEnd;
use crate::engine::evidence::Evidence;
use crate::engine::failure_class::{CommandVerdict, FailureClass};
use crate::engine::oracle::{CommandJudge, OracleCommand};
use crate::engine::protected::failing_test::{FailingKind, with_failing_test};
use crate::error::Result;
use crate::model::unit::ExpectBase;
use crate::object_id::ObjectId;

/// How many tests are given one that fails: more change nothing where one is run.
const MOST_TESTS: usize = 1000;

/// The largest test that is read for it.
const LARGEST_TEST: usize = 1024 * 1024;

/// A test or a script that judges.
pub(super) struct JudgingTest {
    pub(super) path: String,
    pub(super) text: String,
    /// Whether it is run for how it ends.
    script: bool,
}

impl Driver<'_> {
    /// Fails an attempt whose commands stay green with tests that must fail, although those of the base do not.
    pub(super) fn run_with_failing_tests(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        if !request.inspected.may_end_runs || slot.number == 0 {
            return Ok(());
        }
        let judges = self.judges_of_base(slot, request)?;
        let work = self.read_tests(&judges, request.tree)?;
        let base = self.read_tests(&judges, &slot.plan.tree)?;
        for kind in FailingKind::ALL {
            let tree = self.with_failing(request.tree, kind, &work)?;
            if tree == *request.tree {
                continue;
            }
            let base = self.with_failing(&slot.plan.tree, kind, &base)?;
            if let Some(command) = self.still_green(slot, request, (&tree, &base))? {
                verified.class = Some(FailureClass::TestsWeakened);
                verified.failures.push(evidence_of(command));
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
    ) -> Result<Option<&'r OracleCommand>> {
        let asked = |c: &&OracleCommand| {
            (c.expect_base() == ExpectBase::Green || c.judge == CommandJudge::Exit)
                && applies(c, request.changes)
        };
        for command in request.commands.iter().filter(asked) {
            let fails = self.fails_on(slot, command, tree)?;
            if self.machine.stopping() {
                return Ok(None);
            }
            if !fails && self.runs_them(slot, command, base)? && !self.machine.stopping() {
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

    /// Returns the paths of the tests and scripts of the base that judge, and whether each is run for how it ends.
    pub(super) fn judges_of_base(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
    ) -> Result<Vec<(String, bool)>> {
        let paths = self.machine.paths(&slot.plan.tree)?;
        let state = format!("{}/", self.layout.dir());
        let mut judges = request.inspected.judges_among(&paths, &state);
        judges.truncate(MOST_TESTS);
        Ok(judges)
    }

    /// Returns those of them that a tree has as text.
    pub(super) fn read_tests(
        &self,
        judges: &[(String, bool)],
        tree: &ObjectId,
    ) -> Result<Vec<JudgingTest>> {
        let paths: Vec<String> = judges.iter().map(|(path, _)| path.clone()).collect();
        let texts = self.machine.contents(tree, &paths, LARGEST_TEST)?;
        let read = judges
            .iter()
            .zip(texts)
            .filter_map(|((path, script), bytes)| {
                Some(JudgingTest {
                    path: path.clone(),
                    text: String::from_utf8(bytes?).ok()?,
                    script: *script,
                })
            });
        Ok(read.collect())
    }

    /// Returns a tree whose tests of a kind end with one that fails.
    fn with_failing(
        &self,
        tree: &ObjectId,
        kind: FailingKind,
        tests: &[JudgingTest],
    ) -> Result<ObjectId> {
        let edit = |test: &JudgingTest| {
            let more = with_failing_test(kind, &test.path, &test.text, test.script)?;
            Some((test.path.clone(), Some(more.into_bytes())))
        };
        let edits: Vec<_> = tests.iter().filter_map(edit).collect();
        self.machine.edit_tree(tree, &edits)
    }

    pub(super) fn fails_on(
        &self,
        slot: &VerificationSlot<'_>,
        command: &OracleCommand,
        tree: &ObjectId,
    ) -> Result<bool> {
        self.hold(slot, tree)?;
        let outcome = self.run_command(slot, command)?;
        Ok(outcome.result.verdict == CommandVerdict::Fail)
    }
}

fn evidence_of(command: &OracleCommand) -> Evidence {
    Evidence {
        command: command.shell.clone(),
        head: String::new(),
        tail: String::new(),
        fingerprint: format!("cannot fail:{}", command.name),
        error_lines: vec![
            "with tests added that must fail it still ends with 0, which it does not on the base: something in the work ends the run, or says how it ends. Leave that to the runner; a user may allow it with `touches_tests: true` in the unit"
                .to_owned(),
        ],
        ended: CommandEnd::Exited(0),
    }
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{machine, run, story};

    /// Returns what becomes of a session, where a command is red that finds a failing test.
    fn ends(session: &str) -> String {
        let oracle = "code:\n  - {name: tests, command: prints tests/test_a.py unless mute.py}\n";
        let machine = machine("G1: T01 max_attempts=1", oracle, session);
        machine.world().user_commits("tests/test_a.py", "x = 1\n");
        run(&machine).unwrap();
        story(&machine)
    }

    #[test]
    fn a_command_that_cannot_fail_any_more_proves_nothing() {
        for (session, want) in [
            (
                "+mute.py=getattr(os,name)(0)",
                "failed T01#1 tests_weakened, parked T01",
            ),
            ("+mute.py=x", "landed T01, gate 1 passed"),
            ("+other.py=getattr(os,name)(0)", "landed T01, gate 1 passed"),
        ] {
            assert_eq!(ends(session), want, "{session}");
        }
    }
}
