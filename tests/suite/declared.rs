//! What verification.yml declares does run, on what lands: or the run stops before a token is spent.

use super::world::{Unit, World, ended, good, text, two_units};
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

const BROAD: &str = "code:\n  - {name: check, command: sh check.sh}\n  - {name: all, command: sh all.sh, tier: broad, when: [nothing/**]}\n";

/// A unit and the closing unit after it, with a broad command beside the usual one.
fn gate_with_closing() -> World {
    let world = World::with_units(&[
        Unit::with("T01", &[&good("T01")]),
        Unit {
            id: "G1-CLOSE",
            after: &["T01"],
            ..Unit::default()
        },
    ]);
    let path = ".gatewalk/features/FEAT-2026-0001-greetings/WU-G1-CLOSE.md";
    let text = world.read(path);
    world.write(path, text.replace("type: implementation", "type: close"));
    let doc = "doc:\n  - {name: plan, command: 'test -d .gatewalk'}\n";
    commit(
        &world,
        &[
            (".gatewalk/verification.yml", &format!("{BROAD}{doc}")),
            ("all.sh", "! test -e T01.txt || test -e mended\n"),
        ],
    );
    world
}

#[test]
fn a_broad_command_runs_once_on_the_tip_before_a_gate_ends() {
    let world = gate_with_closing();
    expect(
        &world
            .driver(&world.root.join("sessions"))
            .arg("--dry-run")
            .output()
            .unwrap(),
        0,
        &["before the gate ends, on the tip: all"],
    );
    let branch = super::world::BRANCH;
    expect(
        &world.walk(),
        11,
        &["sh all.sh", "did not pass: all", "next: ", "loop --feature"],
    );
    let log = || {
        let log = world.git(&[
            "show",
            &format!("{branch}:.gatewalk/features/FEAT-2026-0001-greetings/events.jsonl"),
        ]);
        log.lines()
            .filter(|l| l.contains("broad_tier_checked"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(log().len(), 1);
    assert!(log()[0].contains("\"passed\":false"), "{:?}", log());
    // The same again says the same, and writes nothing.
    let tip = world.git(&["rev-parse", branch]);
    expect(&world.walk(), 11, &["did not pass: all"]);
    assert_eq!(world.git(&["rev-parse", branch]), tip);
    world.git(&["switch", "-q", branch]);
    commit(&world, &[("mended", "")]);
    expect(&world.walk(), 0, &["pass all", "is done"]);
    assert_eq!(log().len(), 2);
    assert!(log()[1].contains("\"passed\":true"), "{:?}", log());
}

#[test]
fn done_without_a_log_that_says_so_stops_every_run() {
    let feature = ".gatewalk/features/FEAT-2026-0001-greetings";
    let world = World::with_units(&[
        Unit::with("T01", &[&good("T01")]),
        Unit::with("T02", &[&good("T02")]),
    ]);
    let path = format!("{feature}/WU-T02.md");
    let honest = world.read(&path);
    let forged = honest.replace("status: pending", "status: done");
    commit(&world, &[(&path, &forged)]);
    expect(&world.run(&["lint"]), 1, &["GW410"]);
    expect(&world.walk(), 3, &["GW410"]);
    expect(
        &world.run(&["why", "T02"]),
        0,
        &[
            "its file says done, and no run takes its word",
            "next: gatewalk lint",
        ],
    );
    commit(&world, &[(&path, &honest)]);
    expect(&world.walk(), 0, &["is done"]);
    // What was finished, and lost its log, is not done any more.
    world.git(&["switch", "-q", super::world::BRANCH]);
    let log = world.read(&format!("{feature}/events.jsonl"));
    let cut: String = log
        .lines()
        .take(1)
        .map(|line| format!("{line}\n"))
        .collect();
    for left in [None, Some(cut)] {
        let file = world.repo().join(feature).join("events.jsonl");
        match left {
            None => std::fs::remove_file(file).unwrap(),
            Some(text) => std::fs::write(file, text).unwrap(),
        }
        world.git(&["commit", "-qam", "lost"]);
        expect(&world.run(&["lint", "--fail-on", "warning"]), 1, &["GW41"]);
        let plan = format!("{feature}/PLAN.md");
        let active = world.read(&plan).replace("status: done", "status: active");
        commit(&world, &[(&plan, &active)]);
        expect(&world.run(&["lint"]), 1, &["GW41"]);
        expect(&world.walk(), 3, &["GW41"]);
        world.git(&["reset", "-q", "--hard", "HEAD~2"]);
    }
}

#[test]
fn a_lazy_base_is_asked_whose_failure_it_is() {
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "max_attempts: 2\n",
        sessions: &[
            &good("T01"),
            &good("T01").replace("whole", "half"),
            &good("T01"),
        ],
        ..Unit::default()
    }]);
    let old =
        "code:\n  - {name: check, command: sh check.sh}\n  - {name: old, command: test -e old}\n";
    commit(
        &world,
        &[
            (".gatewalk/verification.yml", old),
            (".gatewalk/config.yml", "base_check: lazy\n"),
        ],
    );
    let says = [
        "old fails on the base, too",
        "attempts show FEAT-2026-0001/T01 --uncharged 1",
        "test -e old",
        "next: ",
    ];
    expect(&world.walk(), 11, &says);
    let refs = || world.git(&["for-each-ref", "--format=%(refname)", "refs/gatewalk"]);
    assert_eq!(refs(), "refs/gatewalk/uncharged/FEAT-2026-0001/T01/1\n");
    // The same base again costs no session, and its failure is shown again.
    expect(&world.walk(), 11, &["test -e old"]);
    assert_eq!(refs(), "refs/gatewalk/uncharged/FEAT-2026-0001/T01/1\n");
    expect(
        &world.run(&["attempts", "show", "T01", "--uncharged", "1"]),
        0,
        &["T01.txt"],
    );
    world.git(&["switch", "-q", super::world::BRANCH]);
    commit(&world, &[("old", "")]);
    let sessions = world.root.join("sessions");
    std::fs::copy(sessions.join("T01.2.yml"), sessions.join("T01.1.yml")).unwrap();
    std::fs::copy(sessions.join("T01.3.yml"), sessions.join("T01.2.yml")).unwrap();
    // What is the attempt's own is charged.
    expect(&world.walk(), 0, &["failed", "is done"]);
    let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    assert!(unit.contains("attempts: 2\n"), "{unit}");
}

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

fn replace(world: &World, file: &str, from: &str, to: &str) {
    let path = format!("{FEATURE}/{file}");
    let text = world.read(&path);
    assert!(text.contains(from), "{text}");
    world.write(&path, text.replacen(from, to, 1));
}

#[test]
#[ignore = "long"]
fn what_no_attempt_and_no_log_supports_stops_lint_and_every_run() {
    let walk = |world: &World| world.run(&["loop", "--feature", "greetings", "--agent", "claude"]);
    let refused = |world: &World, code: &str, name: &str| {
        commit(world, &[]);
        let tip = world.git(&["rev-parse", "HEAD"]);
        let found = text(&world.run(&["lint"]));
        assert!(found.contains(&format!("error[{code}]")), "{name}: {found}");
        expect(&walk(world), 3, &[code]);
        assert_eq!(world.git(&["rev-parse", "HEAD"]), tip, "{name}");
    };
    let fresh = || one_unit("", "code:\n  - {name: check, command: sh check.sh}\n");
    type Forge = fn(&World);
    let forged: [(&str, Forge); 3] = [
        ("GW410", |world| {
            replace(world, "WU-T01.md", "status: pending", "status: done");
        }),
        ("GW410", |world| {
            replace(
                world,
                "WU-T01.md",
                "status: pending",
                "status: done\nattempts: 1",
            );
            replace(world, "GATE-01.md", "status: open", "status: passed");
            replace(world, "PLAN.md", "status: active", "status: done");
        }),
        ("GW402", |world| {
            replace(world, "PLAN.md", "status: active", "status: done");
        }),
    ];
    for (at, (code, forge)) in forged.iter().enumerate() {
        let world = fresh();
        forge(&world);
        refused(&world, code, &format!("forged {at}"));
    }
    // What was really done, and lost its record, in whole or in part.
    let done = fresh();
    expect(&done.walk(), 0, &["is done"]);
    done.git(&["switch", "-q", super::world::BRANCH]);
    let parked = fresh();
    let half = good("T01").replace("whole", "half");
    for n in 1..=3 {
        std::fs::write(parked.root.join(format!("sessions/T01.{n}.yml")), &half).unwrap();
    }
    expect(&parked.walk(), 11, &["T01"]);
    parked.git(&["switch", "-q", super::world::BRANCH]);
    for (world, name) in [(&done, "done"), (&parked, "parked")] {
        expect(&world.run(&["lint"]), 0, &[]);
        let log = world.read(&format!("{FEATURE}/events.jsonl"));
        for (kept, code) in [
            (None, if name == "done" { "GW410" } else { "GW412" }),
            (Some(0), if name == "done" { "GW410" } else { "GW412" }),
            (Some(1), "GW412"),
        ] {
            let world = world.fork();
            let file = world.repo().join(FEATURE).join("events.jsonl");
            match kept {
                None => std::fs::remove_file(file).unwrap(),
                Some(lines) => {
                    let cut: String = log.split_inclusive('\n').take(lines).collect();
                    std::fs::write(file, cut).unwrap();
                }
            }
            refused(&world, code, &format!("{name}, {kept:?} lines left"));
        }
    }
}

#[test]
fn a_unit_written_by_hand_may_count_no_attempts() {
    let world = two_units();
    for file in ["WU-T01.md", "WU-T02.md"] {
        replace(
            &world,
            file,
            "status: pending",
            "status: pending\nattempts: 0",
        );
    }
    commit(&world, &[]);
    expect(&world.run(&["lint"]), 0, &[]);
    expect(&world.walk(), 0, &["is done"]);
}

#[test]
fn a_declared_command_that_did_not_run_on_the_tip_is_named_at_every_stop() {
    let world = two_units();
    let verification = "code:\n  - {name: check, command: sh check.sh}\n  - {name: first, command: test -s T01.txt, when: [T01.txt]}\n  - {name: late, command: sh -n check.sh, tier: broad}\n";
    commit(&world, &[(".gatewalk/verification.yml", verification)]);
    replace(
        &world,
        "WU-T01.md",
        "status: pending",
        "status: pending\nexpects_red: first",
    );
    replace(&world, "WU-T02.md", "type: implementation", "type: human");
    commit(&world, &[]);
    let (check, first, late) = ("check (code)", "first (code)", "late (code)");
    let unrun = |output: &Output| {
        let said = text(output);
        [check, first, late].map(|name| said.contains(&format!("not run on the tip: {name}")))
    };
    assert_eq!(unrun(&world.run(&["status"])), [false; 3]);
    let stopped = world.walk();
    expect(&stopped, 11, &["late (code): it runs before the gate ends"]);
    assert_eq!(unrun(&stopped), [false, false, true]);
    assert_eq!(unrun(&world.run(&["status"])), [false, false, true]);
    // What a user commits on top is not what the commands ran on.
    world.git(&["switch", "-q", super::world::BRANCH]);
    commit(&world, &[("other.txt", "mine")]);
    assert_eq!(unrun(&world.run(&["status"])), [true, true, true]);
    let rows: serde_json::Value =
        serde_json::from_slice(&world.run(&["status", "--json"]).stdout).unwrap();
    let of = &rows["features"][0]["not_run"];
    assert_eq!(of.as_array().map(Vec::len), Some(3), "{of}");
    assert_eq!(of[1]["why"], "it ran last for T01");
    replace(&world, "WU-T02.md", "type: human", "type: implementation");
    replace(
        &world,
        "PLAN.md",
        "status: active",
        "status: active\nautonomy_default: supervised",
    );
    commit(&world, &[]);
    // The second unit skips what the first one needed, and the gate's end runs the rest.
    let stopped = world
        .driver(&world.root.join("sessions"))
        .arg("--json")
        .output()
        .unwrap();
    expect(&stopped, 10, &[]);
    let last = String::from_utf8_lossy(&stopped.stdout);
    let last: serde_json::Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    let names = last["not_run"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| &c["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["first"], "{last}");
    expect(
        &world.run(&["review"]),
        0,
        &[
            "Declared commands that did not run on the tip",
            "first (code): T02 touches nothing it is about",
        ],
    );
}

#[test]
fn a_set_up_that_fails_shows_what_it_printed() {
    for setup in [
        "echo 'no matching version of left-pad'; false",
        "echo 'no matching version of left-pad' >&2; false",
        "seq 5000; echo 'no matching version of left-pad' >&2; false",
    ] {
        let world = two_units();
        let oracle =
            format!("setup: {setup:?}\ncode:\n  - {{name: check, command: sh check.sh}}\n");
        world.write(".gatewalk/verification.yml", oracle);
        world.git(&["commit", "-qam", "a set-up"]);
        ended(&world.walk(), 5, "help: no matching version of left-pad");
    }
}
