//! What verification.yml declares does run, on what lands: or the run stops before a token is spent.

use super::world::{Unit, World, good, text};
use std::process::Output;

fn one_unit(front: &'static str, verification: &str) -> World {
    let world = World::with_units(&[Unit {
        id: "T01",
        front,
        sessions: &[&good("T01"), &good("T01")],
        ..Unit::default()
    }]);
    commit(&world, &[(".gatewalk/verification.yml", verification)]);
    world
}

fn commit(world: &World, files: &[(&str, &str)]) {
    for (path, text) in files {
        world.write(path, text);
    }
    world.git(&["add", "-A"]);
    world.git(&["commit", "-q", "--allow-empty", "-m", "mine"]);
}

#[track_caller]
fn expect(output: &Output, exit: i32, says: &[&str]) {
    let said = text(output);
    assert_eq!(output.status.code(), Some(exit), "{said}");
    for part in says {
        assert!(said.contains(part), "`{part}` is not in:\n{said}");
    }
}

const CHECK: &str = "checks: [{name: there, run: test -s T01.txt}]\n";

#[test]
fn a_set_that_nothing_uses_stops_lint_and_the_loop() {
    for (front, verification, says) in [
        (
            CHECK,
            "codes:\n  - {name: check, command: sh check.sh}\n",
            "did you mean `code`?",
        ),
        (
            CHECK,
            "doc:\n  - {name: check, command: sh check.sh}\n",
            "the set `code` has no command",
        ),
        (
            CHECK,
            "code:\n  - {name: check, command: sh check.sh}\nspeed:\n  - {name: fast, command: sh check.sh}\n",
            "extra_gates: [speed]",
        ),
    ] {
        let world = one_unit(front, verification);
        expect(&world.run(&["lint"]), 1, &[says]);
        expect(&world.walk(), 3, &["lint"]);
        assert_eq!(
            world.try_git(&["rev-parse", "-q", "--verify", "refs/gatewalk/attempts"]),
            None
        );
    }
}

#[test]
fn settings_of_older_drivers_are_no_sets() {
    let world = one_unit(
        "extra_gates: [speed]\n",
        "cost_tracking: true\nbaseline_probe: {enabled: true}\ndefaults: {timeout_seconds: 60}\n\
         code:\n  - {name: check, command: sh check.sh}\nspeed:\n  - {name: fast, command: sh -n check.sh}\n",
    );
    expect(&world.run(&["lint"]), 0, &[]);
    expect(&world.walk(), 0, &["fast"]);
}

#[test]
fn a_base_on_which_no_test_ran_stops_before_a_session() {
    let tests =
        "code:\n  - {name: check, command: sh check.sh}\n  - {name: tests, command: sh tests.sh}\n";
    let world = one_unit("", tests);
    commit(
        &world,
        &[(
            "tests.sh",
            "echo 'running 0 tests'\necho\necho 'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out'\n",
        )],
    );
    let says = ["tests (exit 0, but no test ran)", "expects_red"];
    for _ in 0..2 {
        expect(&world.walk(), 11, &says);
    }
    assert_eq!(world.git(&["for-each-ref", "refs/gatewalk"]), "");
}
