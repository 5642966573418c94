//! The declared commands on the checkout or any commit, as the loop would run them.

use crate::world::{BRANCH, Unit, World, ended, good, text};

fn world() -> World {
    let front = "touches: [T01.txt]\nchecks:\n  - name: there\n    run: test -s T01.txt\n";
    let world = World::with_units(&[Unit {
        id: "T01",
        front,
        sessions: &[&good("T01")],
        ..Unit::default()
    }]);
    world.git(&["switch", "-q", "-c", BRANCH]);
    world
}

/// Every ref, and what the checkout has: nothing of it may change.
fn all_of(world: &World) -> String {
    world.git(&["for-each-ref"]) + &world.status() + &world.git(&["ls-files", "-s"])
}

#[test]
fn the_checkout_is_checked_with_what_is_not_committed_and_nothing_changes() {
    let world = world();
    ended(&world.run(&["check"]), 0, "your checkout passes");
    world.write("T02.txt", "half\n");
    let before = all_of(&world);
    let all = ended(&world.run(&["check"]), 1, "T02.txt is not whole");
    assert!(all.contains("your checkout does not pass"), "{all}");
    assert_eq!(all_of(&world), before);
    // What is committed is another matter.
    ended(&world.run(&["check", "--rev", "HEAD"]), 0, "passes");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "half"]);
    ended(&world.run(&["check", "--rev", "HEAD"]), 1, "is not whole");
    ended(&world.run(&["check", "--rev", "HEAD~1"]), 0, "passes");
    ended(
        &world.run(&["check", "--rev", "nothing"]),
        3,
        "is no commit",
    );
}

#[test]
fn a_repository_without_a_feature_is_checked_by_its_commands() {
    let world = world();
    let lint = "plannext:\n  - name: plan\n    command: gatewalk lint \"$GATEWALK_FEATURE_DIR\"\n";
    let oracle = world.read(".gatewalk/verification.yml") + lint;
    world.write(".gatewalk/verification.yml", oracle);
    world.git(&["rm", "-rq", ".gatewalk/features"]);
    world.git(&["commit", "-qam", "none"]);
    let all = ended(&world.run(&["check"]), 0, "your checkout passes");
    assert!(all.contains("there is none"), "{all}");
    world.write("T02.txt", "half\n");
    ended(&world.run(&["check"]), 1, "T02.txt is not whole");
    let named = world.run(&["check", "--feature", "FEAT-2026-0001"]);
    ended(&named, 3, "there is no feature `FEAT-2026-0001`");
    let all = ended(
        &world.run(&["check", "--rev", "HEAD", "--json"]),
        0,
        "skipped",
    );
    assert!(all.contains("\"passed\":true"), "{all}");
}

#[test]
fn check_judges_a_units_work_as_the_loop_would() {
    let world = world();
    world.write("T01.txt", "whole\n");
    let before = all_of(&world);
    let all = ended(
        &world.run(&["check", "T01"]),
        0,
        "passes as FEAT-2026-0001/T01",
    );
    assert!(all.contains("there") && all.contains("check"), "{all}");
    world.write("README.md", "mine\n");
    ended(&world.run(&["check", "T01"]), 1, "out_of_scope");
    world.git(&["checkout", "-q", "README.md"]);
    assert_eq!(all_of(&world), before);
    // The loop comes to the same.
    std::fs::remove_file(world.repo().join("T01.txt")).unwrap();
    ended(&world.walk(), 0, "landed");
    ended(&world.run(&["check", "T09"]), 3, "has no unit `T09`");
}

#[test]
fn check_reports_as_json_and_junit() {
    let world = world();
    world.write("T02.txt", "half\n");
    let out = world.run(&["check", "--json", "--junit", "../made/results.xml"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out));
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(report["passed"], false);
    assert_eq!(report["checkout"], true);
    assert_eq!(report["commands"][0]["name"], "check");
    assert_eq!(report["commands"][0]["verdict"], "fail");
    let xml = std::fs::read_to_string(world.root.join("made/results.xml")).unwrap();
    for part in [
        "tests=\"1\" failures=\"1\"",
        "classname=\"code\" name=\"check\"",
        "<failure ",
    ] {
        assert!(xml.contains(part), "{xml}");
    }
}

#[test]
fn check_does_not_pass_on_commands_that_prove_nothing() {
    let world = world();
    for (oracle, exit, what) in [
        (
            "code:\n  - {name: idle, command: \"true\"}\n",
            3,
            "cannot fail",
        ),
        ("code: []\n", 3, "no command in the set"),
        (
            "code:\n  - {name: a, command: sh check.sh, when: [docs/**]}\n",
            0,
            "passes",
        ),
        (
            "code:\n  - {name: a, command: sh check.sh}\ndoc:\n  - {name: b, command: test -s no, tier: broad}\n",
            1,
            "does not pass",
        ),
    ] {
        world.write(".gatewalk/verification.yml", oracle);
        ended(
            &world.run(&["check"]),
            0,
            "not committed; they are not in effect",
        );
        world.git(&["commit", "-qam", "oracle"]);
        ended(&world.run(&["check"]), exit, what);
        world.git(&["reset", "-q", "--hard", "HEAD~1"]);
    }
}
