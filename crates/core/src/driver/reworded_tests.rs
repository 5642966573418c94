//! Whether the work is right, too, where its tests say what they expect in other words: once more, where it may read files. How it
//! comes by the text of a test is never asked.

use super::edited_trial::JudgingTest;
use super::test_edition::TestEdition;
use crate::engine::protected::reworded_test::{beside, reworded};

/// An attempt fails whose commands are red as soon as tests say the same in other words.
pub(super) const IN_OTHER_WORDS: TestEdition = TestEdition {
    with: " (tests in other words)",
    red_anyway: "red, but not for their words",
    green: "green, as with their own",
    names_tests_by: "",
    fingerprint: "minds words",
    means: "where its tests say what they expect in other words (`0 + 4` for `4`) it fails: something in the work reads the tests and takes its answers from them. Work the answers out; where what reads tests is what was asked for, a user may allow it with `touches_tests: true` in the unit",
    edited: otherwise,
    // What is red with this, too, minds how tests are written.
    controls: &[|test| beside(&test.path, &test.text)],
};

/// Returns a test in other words.
fn otherwise(test: &JudgingTest) -> Option<(String, String)> {
    Some((test.path.clone(), reworded(&test.path, &test.text)?))
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{commands, machine, run, story};

    /// Returns what becomes of a session, where a command is red once a test says `4` otherwise, unless `plain.py` is there, and what
    /// its attempt's commands came to.
    fn ends(unit: &str, session: &str) -> (String, String) {
        let oracle =
            "code:\n  - {name: tests, command: holds tests/test_a.py == 4 unless plain.py}\n";
        let machine = machine(&format!("G1: T01 max_attempts=1 {unit}"), oracle, session);
        machine
            .world()
            .user_commits("tests/test_a.py", "assert f(2) == 4\n");
        machine.world().user_commits("plain.py", "x = 1\n");
        run(&machine).unwrap();
        (story(&machine), commands(&machine, "T01"))
    }

    #[test]
    fn work_that_is_right_only_by_the_words_of_its_tests_is_found() {
        let found = "failed T01#1 tests_weakened, parked T01";
        let landed = "landed T01, gate 1 passed";
        for (unit, session, want, reworded) in [
            ("", "-plain.py +a.py=open(at)", found, Some("fail")),
            // It is right by what it works out.
            ("", "+a.py=open(at)", landed, Some("pass")),
            // It reads nothing.
            ("", "-plain.py +a.py=x", landed, None),
            (
                "touches_tests=true",
                "-plain.py +a.py=open(at)",
                landed,
                None,
            ),
        ] {
            let (story, commands) = ends(unit, session);
            assert_eq!(story, want, "{unit} {session}");
            let again = commands.split_once("tests (tests in other words) ");
            assert_eq!(again.map(|again| again.1), reworded, "{commands}");
        }
    }
}
