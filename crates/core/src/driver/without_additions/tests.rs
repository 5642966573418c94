use crate::driver::test_run::{driver, machine, run, story};

/// Two units of which the second may break what the first one's new test hides.
const TWO: &str = "G1: T01; T02 after=T01 max_attempts=1";
const HIDDEN: &str = "code:\n  - {name: work, command: lacks broken unless tests/test_new.py}\n";

fn ends(situation: &str, oracle: &str, sessions: &str) -> String {
    let machine = machine(situation, oracle, sessions);
    run(&machine).unwrap();
    story(&machine)
}

#[test]
fn a_test_that_only_joined_hides_no_later_fault() {
    for (sessions, want) in [
        // Beside its own product, and beside a later one.
        (
            "+broken +tests/test_new.py; +broken; +broken",
            "failed T01#1 tests_weakened",
        ),
        (
            "+a.txt +tests/test_new.py; +broken",
            "landed T01, failed T02#1 tests_weakened, parked T02",
        ),
        (
            "+a.txt +tests/test_new.py; +broken +tests/test_b.py",
            "landed T01, failed T02#1 tests_weakened, parked T02",
        ),
        (
            "+a.txt +tests/test_new.py; +b.txt",
            "landed T01, landed T02, gate 1 passed",
        ),
        (
            "+a.txt +tests/test_new.py; +b.txt +tests/test_b.py",
            "landed T01, landed T02, gate 1 passed",
        ),
    ] {
        let story = ends(TWO, HIDDEN, sessions);
        assert!(story.starts_with(want), "{sessions}: {story}");
    }
}

#[test]
fn what_a_unit_declares_judges_the_others() {
    let declared = "G1: T01 touches=[a.txt,tests/test_new.py]; T02 after=T01 max_attempts=1";
    let story = ends(declared, HIDDEN, "+a.txt +tests/test_new.py; +broken");
    assert_eq!(story, "landed T01, landed T02, gate 1 passed");
    let later = "G1: T01; T02 after=T01 max_attempts=1 touches=[broken,tests/test_new.py]";
    let story = ends(later, HIDDEN, "+a.txt +tests/test_new.py; +broken");
    assert_eq!(story, "landed T01, landed T02, gate 1 passed");
}

#[test]
fn a_base_that_needs_what_joined_is_not_held_against_the_attempt() {
    // The project's first test: without it the command finds none.
    let needs = "code:\n  - {name: work, command: has tests/test_new.py}\n";
    let first = "G1: T01 expects_red=[work]; T02 after=T01 max_attempts=1";
    for second in ["+b.txt", "+b.txt +tests/test_b.py"] {
        let story = ends(
            first,
            needs,
            &format!("+a.txt +tests/test_new.py; {second}"),
        );
        assert_eq!(story, "landed T01, landed T02, gate 1 passed", "{second}");
    }
}

#[test]
fn an_earlier_test_that_joined_finds_fault_by_what_judged_with_it() {
    let oracle =
        "code:\n  - {name: work, command: lacks-one broken data/sums.txt tests/test_new.py}\n";
    for (second, want) in [
        (
            "-data/sums.txt +broken",
            "landed T01, failed T02#1 tests_weakened, parked T02",
        ),
        (
            "-data/sums.txt +b.txt",
            "landed T01, landed T02, gate 1 passed",
        ),
    ] {
        let sessions = format!("+a.txt +tests/test_new.py; {second}");
        let machine = machine(TWO, oracle, &sessions);
        let test =
            "import unittest\nclass A(unittest.TestCase):\n    sums = open('data/sums.txt')\n";
        for (path, text) in [("data/sums.txt", "1 2 3\n"), ("tests/test_a.py", test)] {
            machine.world().user_commits(path, text);
        }
        run(&machine).unwrap();
        assert_eq!(story(&machine), want, "{second}");
    }
}

#[test]
fn without_earlier_tests_that_joined_nothing_runs_twice() {
    for (sessions, runs) in [
        ("+a.txt; +b.txt", 3),
        // The base, the attempt, the attempt without its test; then the second likewise, its base being known.
        ("+a.txt +tests/test_new.py; +b.txt", 5),
        ("+a.txt +tests/test_new.py; +b.txt +tests/test_b.py", 5),
    ] {
        let machine = machine(
            TWO,
            "code:\n  - {name: work, command: lacks broken}\n",
            sessions,
        );
        driver(&machine, 1).run().unwrap();
        assert_eq!(machine.world().ran.len(), runs, "{sessions}");
    }
}
