//! Whether the work is right, too, where no runner runs its tests: once more, where it may know who runs it. How it knows is never
//! asked.

use super::edited_tests::{JudgingTest, JudgingTests};
use super::oracle_outcome::OracleOutcome;
use super::run_loop::Driver;
use super::test_edition::TestEdition;
use super::verification_request::{VerificationRequest, VerificationSlot};
use crate::engine::protected::another_hand::{Hand, NAMES_TESTS_BY, by_another_hand};
use crate::error::Result;

impl Driver<'_> {
    /// Fails an attempt whose commands are red as soon as a plain process of its own runs what the tests say.
    pub(super) fn run_by_another_hand(
        &self,
        slot: &VerificationSlot<'_>,
        request: &VerificationRequest<'_>,
        tests: &JudgingTests,
        verified: &mut OracleOutcome,
    ) -> Result<()> {
        let edition = TestEdition {
            with: " (tests by another hand)",
            red_anyway: "red, but not for who runs them",
            green: "green, as by its own runner",
            names_tests_by: NAMES_TESTS_BY,
            fingerprint: "minds its runner",
            means: "where a plain program runs what its tests say, without their runner, it gives other answers: something in the work asks whether it is being tested. Give everyone the same answers; where that difference is what was asked for, a user may allow it with `touches_tests: true` in the unit",
            edited: |test| run_by(test, Hand::Plain),
            controls: &[
                |test| run_by(test, Hand::Within),
                |test| run_by(test, Hand::Mute),
            ],
        };
        self.run_edition(slot, request, tests, &edition, verified)
    }
}

fn run_by(test: &JudgingTest, hand: Hand) -> Option<(String, String)> {
    let text = by_another_hand(&test.path, &test.text, hand)?;
    Some((test.path.clone(), text))
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{commands, machine, run, story};

    /// Returns what becomes of a session, where a command is red once a test is not as it was, unless `plain.py` is there, and what its
    /// attempt's commands came to.
    fn ends(unit: &str, session: &str) -> (String, String) {
        let oracle =
            "code:\n  - {name: tests, command: 'holds tests/test_a.py == \"x\" unless plain.py'}\n";
        let machine = machine(&format!("G1: T01 max_attempts=1 {unit}"), oracle, session);
        for (path, text) in [
            (
                "tests/test_a.py",
                "def test_a():\n    assert f(2) == \"x\"\n",
            ),
            ("plain.py", "x = 1\n"),
        ] {
            machine.world().user_commits(path, text);
        }
        run(&machine).unwrap();
        (story(&machine), commands(&machine, "T01"))
    }

    #[test]
    fn work_that_is_right_only_by_its_runner_is_found() {
        let found = "failed T01#1 tests_weakened, parked T01";
        let landed = "landed T01, gate 1 passed";
        for (unit, session, want, again) in [
            ("", "-plain.py +a.py=import·sys", found, Some("fail")),
            // It is right whoever runs it.
            ("", "+a.py=import·sys", landed, Some("pass")),
            // It cannot know.
            ("", "-plain.py +a.py=x", landed, None),
            (
                "touches_tests=true",
                "-plain.py +a.py=import·sys",
                landed,
                None,
            ),
        ] {
            let (story, commands) = ends(unit, session);
            assert_eq!(story, want, "{unit} {session}");
            let run = commands.split_once("tests (tests by another hand) ");
            assert_eq!(run.map(|run| run.1), again, "{commands}");
        }
    }
}
