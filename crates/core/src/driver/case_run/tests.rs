use crate::driver::test_machine::MemoryMachine;
use crate::driver::test_run::{machine, run, story};
use crate::engine::test_snapshot::DIR;

const ONE: &str = "G1: T01 max_attempts=1";
/// A runner whose report is a file of the tree.
const CASES: &str = "code:\n  - {name: tests, command: prints out, judge: no_new_failures, report: {format: tap}}\n  - {name: work, command: lacks broken}\n";
const BASE: &str = "1..2\nok 1 - a\nnot ok 2 - b\n";

fn world(situation: &str, oracle: &str, session: &str) -> MemoryMachine {
    let machine = machine(situation, oracle, session);
    machine.world().user_commits("out", BASE);
    machine
}

fn ran(machine: &MemoryMachine) -> usize {
    let world = machine.world();
    world.ran.iter().filter(|(_, s)| s == "prints out").count()
}

#[test]
fn a_unit_may_fail_what_its_base_fails_and_nothing_else() {
    for (session, want) in [
        ("+a.txt", "landed T01, gate 1 passed"),
        (
            "+a.txt +out=1..2¶ok·1·-·a¶ok·2·-·b¶",
            "landed T01, gate 1 passed",
        ),
        (
            "+a.txt +out=1..2¶not·ok·1·-·a¶not·ok·2·-·b¶",
            "failed T01#1 verification, parked T01",
        ),
        (
            "+a.txt +out=1..1¶not·ok·1·-·b¶",
            "failed T01#1 verification, parked T01",
        ),
        (
            "+a.txt +out=1..2¶ok·1·-·a¶",
            "failed T01#1 unproven, parked T01",
        ),
        ("+a.txt +out=1..0¶", "failed T01#1 unproven, parked T01"),
        ("+broken", "failed T01#1 verification, parked T01"),
    ] {
        let machine = world(ONE, CASES, session);
        run(&machine).unwrap();
        assert_eq!(story(&machine), want, "{session}");
    }
}

#[test]
fn what_was_inherited_is_in_the_log_and_a_case_may_go_where_that_is_declared() {
    let kept = world(ONE, CASES, "+a.txt");
    run(&kept).unwrap();
    let tip = *kept.world().tip();
    let log = kept.world().files(&tip).unwrap()[&format!("{DIR}/events.jsonl")].to_vec();
    let log = String::from_utf8(log).unwrap();
    assert!(log.contains("\"inherited\":[\"b\"]"), "{log}");
    assert!(log.contains("`tests`: 1 fail as on the base: b"), "{log}");
    let gone = world(
        "G1: T01 max_attempts=1 touches_tests=true",
        CASES,
        "+a.txt +out=1..1¶not·ok·1·-·b¶",
    );
    run(&gone).unwrap();
    assert_eq!(story(&gone), "landed T01, gate 1 passed");
}

#[test]
fn a_base_that_shows_nothing_stops_before_a_session_is_spent() {
    for (oracle, base) in [
        (CASES.to_owned(), "1..9\nok 1 - a\n"),
        (CASES.to_owned(), "1..0\n"),
        (
            CASES.replace("{format: tap}}", "{format: tap}, known_failures: [a]}"),
            BASE,
        ),
    ] {
        let machine = machine(ONE, &oracle, "+a.txt");
        machine.world().user_commits("out", base);
        run(&machine).unwrap();
        assert_eq!(story(&machine), "", "{oracle}");
        assert_eq!(machine.world().sessions.len(), 1, "{oracle}");
    }
}

#[test]
fn what_a_unit_turns_green_needs_no_base_that_shows_anything() {
    let known = CASES.replace("{format: tap}}", "{format: tap}, known_failures: [b]}");
    for (oracle, work, want) in [
        (CASES, "1..1¶ok·1·-·a¶", "landed T01, gate 1 passed"),
        (
            CASES,
            "1..1¶not·ok·1·-·a¶",
            "failed T01#1 verification, parked T01",
        ),
        (CASES, "1..2¶ok·1·-·a¶", "failed T01#1 unproven, parked T01"),
        (CASES, "1..0¶", "failed T01#1 unproven, parked T01"),
        (
            &known,
            "1..2¶ok·1·-·a¶not·ok·2·-·b¶",
            "landed T01, gate 1 passed",
        ),
        (
            &known,
            "1..1¶not·ok·1·-·a¶",
            "failed T01#1 verification, parked T01",
        ),
    ] {
        let session = format!("+a.txt +out={work}");
        let machine = machine(
            "G1: T01 max_attempts=1 expects_red=[tests]",
            oracle,
            &session,
        );
        machine
            .world()
            .user_commits("out", "error: could not compile\n");
        run(&machine).unwrap();
        assert_eq!(story(&machine), want, "{work}");
    }
}

#[test]
fn a_list_names_all_that_may_fail() {
    let listed = CASES.replace("{format: tap}}", "{format: tap}, known_failures: [b]}");
    let machine = world(ONE, &listed, "+a.txt");
    run(&machine).unwrap();
    assert_eq!(story(&machine), "landed T01, gate 1 passed");
}

#[test]
fn what_passed_is_the_next_unit_s_base_for_free() {
    let machine = world(
        "G1: T01 max_attempts=1; T02 max_attempts=1",
        CASES,
        "+a.txt;+b.txt",
    );
    run(&machine).unwrap();
    assert_eq!(story(&machine), "landed T01, landed T02, gate 1 passed");
    // The base twice, as some of it fails; then each unit once.
    assert_eq!(ran(&machine), 4);
}

#[test]
fn what_fails_once_on_the_base_is_not_inherited() {
    // The second run of the command passes b.
    let flaky = CASES.replace("prints out", "prints-flaky out");
    let machine = world(ONE, &flaky, "+a.txt +out=1..2¶ok·1·-·a¶not·ok·2·-·b¶");
    run(&machine).unwrap();
    assert_eq!(story(&machine), "failed T01#1 verification, parked T01");
}

#[test]
fn a_lazy_base_is_asked_for_its_cases_all_the_same() {
    for (session, want) in [
        ("+a.txt", "landed T01, gate 1 passed"),
        (
            "+out=1..2¶not·ok·1·-·a¶not·ok·2·-·b¶",
            "failed T01#1 verification, parked T01",
        ),
    ] {
        let machine = world("G1: T01 max_attempts=1 | base_check=lazy", CASES, session);
        run(&machine).unwrap();
        assert_eq!(story(&machine), want, "{session}");
    }
}

/// Only a command that its exit decides is run once more without the unit's own tests. Three runs decide this one; a fourth
/// would be that.
#[test]
fn what_is_judged_by_cases_is_not_asked_again_without_the_units_own_tests() {
    let machine = world(
        "G1: T01 expects_red=[tests] max_attempts=1",
        CASES,
        "+a.txt +tests/test_new.py +out=1..2¶ok·1·-·a¶ok·2·-·b¶",
    );
    run(&machine).unwrap();
    assert_eq!(story(&machine), "landed T01, gate 1 passed");
    assert_eq!(ran(&machine), 3);
}
