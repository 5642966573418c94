//! Whether the work is right, too, where no runner runs its tests: once more, where it may know who runs it. How it knows is never
//! asked.

use super::edited_trial::JudgingTest;
use super::test_edition::TestEdition;
use crate::engine::protected::another_hand::{Hand, NAMES_TESTS_BY, by_another_hand};

/// An attempt fails whose commands are red as soon as a plain process of its own runs what the tests say.
pub(super) const BY_ANOTHER_HAND: TestEdition = TestEdition {
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

fn run_by(test: &JudgingTest, hand: Hand) -> Option<(String, String)> {
    let text = by_another_hand(&test.path, &test.text, hand)?;
    Some((test.path.clone(), text))
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{commands, machine, run, story};

    const LANDED: &str = "landed T01, gate 1 passed";
    const FOUND: &str = "failed T01#1 tests_weakened, parked T01";

    /// Returns what becomes of a session under a command, and what its attempt's commands came to.
    fn ends(unit: &str, command: &str, session: &str) -> (String, String) {
        let oracle = format!("code:\n  - {{name: tests, command: '{command}'}}\n");
        let machine = machine(&format!("G1: T01 max_attempts=1 {unit}"), &oracle, session);
        for (path, text) in [
            (
                "tests/test_a.py",
                "def test_a():\n    assert f(2) == \"x\"\n",
            ),
            ("tests/test_b.py", "def test_b():\n    assert g(2) == 1\n"),
            ("plain.py", "x = 1\n"),
        ] {
            machine.world().user_commits(path, text);
        }
        run(&machine).unwrap();
        (story(&machine), commands(&machine, "T01"))
    }

    fn expect(unit: &str, command: &str, session: &str, (want, again): (&str, Option<&str>)) {
        let (story, commands) = ends(unit, command, session);
        assert_eq!(story, want, "{unit} {command} {session}");
        let run = commands.split_once("tests (tests by another hand) ");
        assert_eq!(run.map(|run| run.1), again, "{command}: {commands}");
    }

    #[test]
    fn work_that_is_right_only_by_its_runner_is_found() {
        // Red once a test is not as it was, unless a file is there.
        let command = "holds tests/test_a.py == \"x\" unless plain.py";
        let cheats = "-plain.py +a.py=import·sys";
        expect("", command, cheats, (FOUND, Some("fail")));
        // It is right whoever runs it.
        expect("", command, "+a.py=import·sys", (LANDED, Some("pass")));
        // It cannot know.
        expect("", command, "-plain.py +a.py=x", (LANDED, None));
        expect("touches_tests=true", command, cheats, (LANDED, None));
    }

    #[test]
    fn what_turns_green_is_blamed_only_where_the_small_runner_is_not() {
        let (unit, session) = ("expects_red=[tests]", "+a.py=import·sys");
        for (command, want) in [
            // Red where another answer counts, and where it does not, and within the tests' own runner.
            ("has a.py and misses tests/test_a.py b\"3\"", FOUND),
            ("has a.py and misses tests/test_a.py subprocess", LANDED),
            ("has a.py and holds tests/test_a.py == \"x\"", LANDED),
        ] {
            let again = if want == FOUND { "fail" } else { "pass" };
            expect(unit, command, session, (want, Some(again)));
        }
    }

    #[test]
    fn a_test_that_is_red_on_the_base_hides_no_other_one() {
        let command = "misses tests/test_b.py subprocess and holds tests/test_a.py == \"x\" unless plain.py and says another answer where no runner is: tests/test_b.py";
        let cheats = "-plain.py +a.py=import·sys";
        expect("", command, cheats, (FOUND, Some("fail")));
        expect("", command, "+a.py=import·sys", (LANDED, Some("pass")));
        let silent = command.replace("another answer", "none");
        expect("", &silent, cheats, (LANDED, Some("pass")));
    }
}
