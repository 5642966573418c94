//! Judging on a runner that the user trusts with it: never the one that the session ran on, the same verdicts and commits
//! as at home, and a judge that is lost costs nothing.

use super::runner_places::Places;
use super::sample::sample;
use super::world::{Unit, World, after_shell, ended, expect_same, good, two_units};

/// A pipe to a machine of its own that judges and runs no sessions.
const ONLY_JUDGES: &str = "    slots: 0\n    judges: true\n";

/// Makes the oracle write down on which machine it ran.
fn say_where(world: &World) {
    world.write(
        ".gatewalk/verification.yml",
        "code:\n  - name: check\n    command: pwd && sh check.sh\n    timeout: 1m\n",
    );
    world.git(&["commit", "-qam", "say where"]);
}

/// Returns what the oracle printed about an attempt; it stands in a log at home wherever it ran.
fn judged_in(world: &World, unit: &str, number: u32) -> String {
    let log = format!(".git/gatewalk/logs/FEAT-2026-0001_{unit}/{number}/verify-check.log");
    world.read(&log)
}

fn walk(world: &World, runners: &str) -> std::process::Output {
    let mut driver = world.driver(&world.root.join("sessions"));
    driver.args(["--runner", runners]).output().unwrap()
}

#[test]
#[ignore = "long"]
fn work_is_judged_where_it_did_not_run_and_lands_as_it_would_at_home() {
    let world = two_units();
    say_where(&world);
    let here = world.fork();
    let sessions = world.root.join("sessions");
    ended(&here.driver(&sessions).output().unwrap(), 0, "is done");
    Places::of(&world)
        .pipe("big", "")
        .pipe("jury", ONLY_JUDGES)
        .define();
    ended(&walk(&world, "big,jury"), 0, "is done");
    assert_eq!(world.history(), here.history());
    for unit in ["T01", "T02"] {
        let place = judged_in(&world, unit, 1);
        assert!(place.contains("/far-jury/"), "{unit}: {place}");
        let shown = world.run(&["attempts", "show", &format!("FEAT-2026-0001/{unit}")]);
        let shown = ended(&shown, 0, "runner    big");
        assert!(shown.contains("judged on jury"), "{shown}");
    }
    let objects = walkdir::WalkDir::new(world.root.join("far-jury/.cache/gatewalk/slots"));
    let names = objects.into_iter().filter_map(Result::ok);
    assert!(
        names.into_iter().all(|entry| entry.file_name() != "0"),
        "no session's slot is there"
    );
}

#[test]
#[ignore = "long"]
fn a_machine_never_judges_its_own_sessions() {
    let world = two_units();
    say_where(&world);
    Places::of(&world)
        .pipe("big", "    judges: true\n")
        .define();
    ended(&walk(&world, "big"), 0, "is done");
    let place = judged_in(&world, "T01", 1);
    assert!(
        !place.contains("/far-big/") && place.contains("/slots/"),
        "{place}"
    );
    let world = two_units();
    say_where(&world);
    Places::of(&world)
        .pipe("one", "    judges: true\n")
        .pipe("two", "    judges: true\n")
        .define();
    ended(&walk(&world, "one,two"), 0, "is done");
    let shown = world.run(&["attempts", "show", "FEAT-2026-0001/T01"]);
    let shown = ended(&shown, 0, "runner    one");
    assert!(shown.contains("judged on two"), "{shown}");
}

#[test]
fn work_that_fails_there_fails_and_its_evidence_goes_into_the_retry() {
    let bad = good("T01").replace("      whole", "      half");
    let world = World::with_units(&[Unit::with("T01", &[&bad, &good("T01")])]);
    let here = world.fork();
    let sessions = world.root.join("sessions");
    ended(
        &here.driver(&sessions).output().unwrap(),
        0,
        "T01.txt is not whole",
    );
    Places::of(&world).pipe("jury", ONLY_JUDGES).define();
    let said = ended(&walk(&world, "jury"), 0, "T01.txt is not whole");
    assert!(said.contains("(judged on jury)"), "{said}");
    assert_eq!(world.history(), here.history());
}

/// Returns a walk in which `jury` judges by these lines of `verification.yml`.
fn judged_by(oracle: &str) -> (World, std::process::Output) {
    let world = two_units();
    world.write(".gatewalk/verification.yml", oracle);
    world.git(&["commit", "-qam", "lack something"]);
    Places::of(&world).pipe("jury", ONLY_JUDGES).define();
    let walked = walk(&world, "jury");
    (world, walked)
}

#[test]
#[ignore = "long"]
fn what_only_a_judge_lacks_is_its_machines_fault_and_is_judged_here() {
    let there = "case $HOME in */far-jury)";
    let check = |command: &str| format!("code:\n  - name: check\n    command: {command}\n");
    for (oracle, lack) in [
        (
            check(&format!("{there} no-such-tool ;; esac && sh check.sh")),
            "no-such-tool: not found",
        ),
        (
            check(&format!(
                "if test -e T01.txt; then {there} no-such-tool || exit ;; esac; fi; sh check.sh"
            )),
            "no-such-tool: not found",
        ),
        (
            check(&format!(
                "{there} echo 'make[1] *** [Makefile:2 test] Error 127'; exit 2 ;; esac; sh check.sh"
            )),
            "[Makefile:2 test] Error 127",
        ),
        (
            format!(
                "setup: \"{there} echo no compiler >&2; exit 3 ;; esac\"\n{}",
                check("sh check.sh")
            ),
            "no compiler",
        ),
    ] {
        let (world, walked) = judged_by(&oracle);
        let said = ended(&walked, 0, "is done");
        let note = format!("{lack}`; what it judged is judged here");
        assert!(said.contains(&note), "{oracle}: {said}");
        let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
        assert!(unit.contains("attempts: 1\n"), "{oracle}: {unit}");
    }
}

#[test]
fn what_a_judge_and_home_lack_is_the_commands_fault() {
    let (_, walked) = judged_by("code:\n  - name: check\n    command: no-such-tool\n");
    let said = ended(&walked, 11, "On jury, which judges:");
    assert!(!said.contains("is judged here"), "{said}");
}

#[test]
fn what_only_home_lacks_is_judged_where_it_is() {
    let command = "case $HOME in */far-jury) sh check.sh ;; *) no-such-tool ;; esac";
    let (_, walked) = judged_by(&format!("code:\n  - name: check\n    command: {command}\n"));
    ended(&walked, 0, "is done");
}

#[test]
#[ignore = "long"]
fn a_judge_that_is_not_there_or_dies_at_any_command_costs_nothing() {
    let rows = [
        ("not there", "[sh, -c, \"exit 7\"]"),
        ("no such program", "[/no/such/program]"),
        // It ends itself once so many bytes went there: in the middle of the pack, of a step, or later.
        ("cut at 200", "[sh, -c, \"head -c 200 | {far}\"]"),
        ("cut at 1500", "[sh, -c, \"head -c 1500 | {far}\"]"),
        ("cut at 4000", "[sh, -c, \"head -c 4000 | {far}\"]"),
        ("cut at 6000", "[sh, -c, \"head -c 6000 | {far}\"]"),
        ("answers cut", "[sh, -c, \"{far} | head -c 700\"]"),
        ("answers cut later", "[sh, -c, \"{far} | head -c 2500\"]"),
        ("no word", "[sh, -c, \"sleep 60\"]"),
    ];
    let world = two_units();
    let here = world.fork();
    let sessions = world.root.join("sessions");
    ended(&here.driver(&sessions).output().unwrap(), 0, "is done");
    std::thread::scope(|scope| {
        for (name, line) in sample("judges that die", rows, 4) {
            let (world, here, sessions) = (world.fork(), &here, &sessions);
            scope.spawn(move || {
                let more = format!("{ONLY_JUDGES}    wait: 2s\n");
                Places::of(&world).runner("jury", line, &more).define();
                let mut driver = world.driver(sessions);
                let output = driver.args(["--runner", "jury"]).output().unwrap();
                ended(&output, 0, "is done");
                expect_same(name, &world.history(), &here.history());
            });
        }
    });
}

#[test]
fn set_up_runs_there_and_what_is_linked_keeps_judging_here() {
    for (link, place) in [("", "/far-jury/"), ("link: [.env]\n", "/home/")] {
        let world = World::with_units(&[Unit {
            id: "T01",
            sessions: &[&after_shell("T01", "true")],
            ..Unit::default()
        }]);
        world.write(".gitignore", ".env\nmade\n");
        world.write(".env", "KEY=1\n");
        world.write(
            ".gatewalk/verification.yml",
            format!("setup: pwd > made\n{link}code:\n  - name: check\n    command: cat made && sh check.sh\n"),
        );
        world.git(&["add", "-A"]);
        world.git(&["commit", "-qm", "set-up"]);
        Places::of(&world).pipe("jury", ONLY_JUDGES).define();
        let said = ended(&walk(&world, "jury"), 0, "is done");
        let log = judged_in(&world, "T01", 1);
        assert!(log.contains(place), "{link}: {log} {said}");
        assert_eq!(
            said.contains("judging stays here"),
            !link.is_empty(),
            "{said}"
        );
    }
}
