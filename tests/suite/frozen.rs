//! What was armed stays as it was armed, and an id stands for one unit for good.

use super::world::{BRANCH, Unit, World, good, text};
use std::process::Output;

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";
const FRONT: &str = "covers: [REQ-A-1]\ntouches: [T01.txt]\nchecks:\n  - name: there\n    run: test -s T01.txt\n    covers: [REQ-A-1]\n";

#[track_caller]
fn expect(output: &Output, exit: i32, says: &[&str]) -> String {
    let said = text(output);
    assert_eq!(output.status.code(), Some(exit), "{said}");
    for part in says {
        assert!(said.contains(part), "`{part}` is not in:\n{said}");
    }
    said
}

fn edit(world: &World, file: &str, from: &str, to: &str) {
    let path = format!("{FEATURE}/{file}");
    let before = world.read(&path);
    assert!(before.contains(from), "{before}");
    world.write(&path, before.replacen(from, to, 1));
}

fn commit(world: &World, message: &str) {
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", message]);
}

/// A planned feature of two drafts, whose first unit covers a requirement.
fn drafts() -> World {
    let world = World::with_units(&[
        Unit {
            id: "T01",
            front: FRONT,
            sessions: &[&good("T01")],
            ..Unit::default()
        },
        Unit::with("T02", &[&good("T02")]),
    ]);
    for file in ["WU-T01.md", "WU-T02.md"] {
        edit(&world, file, "status: pending", "status: draft");
    }
    edit(&world, "PLAN.md", "status: active", "status: planned");
    edit(
        &world,
        "PLAN.md",
        "# Files\n",
        "# Files\n\n## Requirements\n\n- REQ-A-1: the first file is whole\n",
    );
    let roadmap = world.read(".gatewalk/roadmap.md");
    world.write(".gatewalk/roadmap.md", roadmap.replace("active", "planned"));
    commit(&world, "drafts");
    world
}

#[test]
#[ignore = "long"]
fn what_was_armed_is_refused_once_it_changed_and_runs_when_it_is_armed_again() {
    let armed = drafts();
    expect(
        &armed.run(&["arm", "FEAT-2026-0001"]),
        0,
        &["2 units pending"],
    );
    for (file, from, to, gone, came) in [
        (
            "WU-T01.md",
            "finds every file whole",
            "finds most files whole",
            "- 1. `sh check.sh` finds every file whole",
            "+ 1. `sh check.sh` finds most files whole",
        ),
        (
            "WU-T01.md",
            "touches: [T01.txt]",
            "touches: [T01.txt, other]",
            "- touches: [T01.txt]",
            "+ touches: [T01.txt, other]",
        ),
        (
            "PLAN.md",
            "file: WU-T01.md\n        depends_on: []",
            "file: WU-T01.md\n        depends_on: [FEAT-2026-0001/T02]",
            "",
            "+ depends_on: FEAT-2026-0001/T02",
        ),
        (
            "PLAN.md",
            "the first file is whole",
            "the first file is there",
            "- REQ-A-1: the first file is whole",
            "+ REQ-A-1: the first file is there",
        ),
    ] {
        let world = armed.fork();
        let walk = |args: &[&str]| {
            let mut driver = world.driver(&armed.root.join("sessions"));
            driver.args(args).output().unwrap()
        };
        edit(&world, file, from, to);
        // Not committed, it is refused before it is committed, and armed with its own commit.
        let refused = expect(&walk(&["--commit-plan"]), 3, &["GW408", gone, came]);
        let again = "gatewalk arm FEAT-2026-0001/T01 --commit-plan";
        assert!(refused.contains(again), "{refused}");
        expect(&world.run(&["status"]), 0, &[again]);
        assert!(world.git(&["status", "--porcelain"]).contains(file));
        let uncommitted = world.fork();
        commit(&world, "weaker");
        expect(&world.run(&["lint"]), 1, &["GW408"]);
        for args in [&[][..], &["--dry-run"], &["--commit-plan"]] {
            let says = ["GW408", gone, came, "`gatewalk arm FEAT-2026-0001/T01`"];
            expect(&walk(args), 3, &says);
        }
        assert_eq!(world.git(&["for-each-ref", "refs/gatewalk"]), "");
        expect(
            &world.run(&["status"]),
            0,
            &["next: gatewalk arm FEAT-2026-0001/T01"],
        );
        expect(
            &world.run(&["why", "T01"]),
            0,
            &["gatewalk arm FEAT-2026-0001/T01"],
        );
        let says = ["T01 is not what was armed", gone, came];
        expect(&world.run(&["review"]), 0, &says);
        expect(&world.run(&["arm"]), 0, &[gone, came]);
        expect(&world.run(&["lint"]), 0, &[]);
        expect(&walk(&[]), 0, &["is done"]);
        let args = ["arm", "FEAT-2026-0001/T01", "--commit-plan"];
        expect(&uncommitted.run(&args), 0, &[gone, came]);
        let mut driver = uncommitted.driver(&armed.root.join("sessions"));
        expect(&driver.output().unwrap(), 0, &["is done"]);
    }
}

#[test]
fn taking_the_armed_word_away_or_forging_it_does_not_thaw_a_unit() {
    let world = drafts();
    expect(&world.run(&["arm", "FEAT-2026-0001"]), 0, &[]);
    let unit = world.read(&format!("{FEATURE}/WU-T01.md"));
    let armed = unit.lines().find(|l| l.starts_with("armed: ")).unwrap();
    let weaker = unit.replace("every file whole", "something");
    for (forged, exit) in [
        (unit.replace(&format!("{armed}\n"), ""), 0),
        (weaker.replace(&format!("{armed}\n"), ""), 1),
        (weaker.replace(armed, "armed: 0123456789abcdef"), 1),
    ] {
        world.write(&format!("{FEATURE}/WU-T01.md"), forged);
        let says: &[&str] = if exit == 0 { &[] } else { &["GW408"] };
        expect(&world.run(&["lint"]), exit, says);
    }
    // A log whose first line is there twice was not written by the driver.
    let log = format!("{FEATURE}/events.jsonl");
    let written = world.read(&log);
    world.write(&format!("{FEATURE}/WU-T01.md"), &unit);
    world.write(&log, written.repeat(2));
    expect(&world.run(&["lint"]), 1, &["GW412", "events.jsonl:2:1"]);
    world.write(&log, written);
    // Arming accepts it as it is now.
    world.write(
        &format!("{FEATURE}/WU-T01.md"),
        weaker.replace(armed, "armed: 0123456789abcdef"),
    );
    commit(&world, "forged");
    expect(&world.run(&["arm"]), 0, &["- 1. "]);
    expect(&world.walk(), 0, &["is done"]);
}

/// The log as it is, as far as its first `lines` go.
fn cut_log(world: &World, lines: usize) {
    let log = format!("{FEATURE}/events.jsonl");
    let kept: String = world.read(&log).split_inclusive('\n').take(lines).collect();
    world.write(&log, kept);
}

/// Takes the marks of arming out of the units' files and weakens the first.
fn unmark(world: &World) {
    for file in ["WU-T01.md", "WU-T02.md"] {
        let path = format!("{FEATURE}/{file}");
        let unit = world.read(&path);
        let lines = unit.lines().filter(|line| !line.starts_with("armed: "));
        let kept: String = lines.map(|line| format!("{line}\n")).collect();
        world.write(&path, kept.replace("every file whole", "something"));
    }
}

#[test]
#[ignore = "long"]
fn taking_the_log_or_its_end_and_every_mark_away_together_does_not_thaw_a_unit() {
    let lost = "the log no longer records that FEAT-2026-0001/T01 was armed";
    let world = drafts();
    // The one unit is armed after the other, so that the log's end alone says so.
    expect(&world.run(&["arm", "FEAT-2026-0001/T02"]), 0, &[]);
    expect(&world.run(&["arm", "FEAT-2026-0001/T01"]), 0, &[]);
    let moved = "FEAT-2026-0001-elsewhere";
    for (name, attack) in [
        ("log", "git rm -q $D/events.jsonl"),
        ("empty log", "> $D/events.jsonl"),
        ("end", "sed -i '$d' $D/events.jsonl"),
        (
            "directory",
            "git rm -q $D/events.jsonl; git mv $D .gatewalk/features/FEAT-2026-0001-elsewhere",
        ),
        (
            "merge",
            "git switch -qc side; git rm -q $D/events.jsonl; git commit -qm side; git switch -q -; \
             git commit -q --allow-empty -m main; git merge -q side",
        ),
    ] {
        let world = world.fork();
        unmark(&world);
        commit(&world, "weaker");
        world.sh(&format!("D={FEATURE}; {attack}"));
        let lint = expect(&world.run(&["lint"]), 1, &["GW412", lost]);
        world.sh("git add -A; git commit -qm gone --allow-empty");
        expect(&world.run(&["lint"]), 1, &["GW412", lost]);
        // `status` does not read the history: what it names looks, and says what is wrong.
        expect(&world.walk(), 3, &[lost]);
        expect(&world.run(&["arm"]), 3, &[lost]);
        // Once the log is back as it says, the units are held against it.
        let way = lint.split('`').find(|part| part.starts_with("git show"));
        let dir = match name {
            "directory" => FEATURE.replace("FEAT-2026-0001-greetings", moved),
            _ => FEATURE.to_owned(),
        };
        world.sh(way.unwrap_or_else(|| panic!("{name}: {lint}")));
        assert!(
            world
                .read(&format!("{dir}/events.jsonl"))
                .contains("gate_armed")
        );
        commit(&world, "back");
        let said = expect(&world.run(&["lint"]), 1, &["GW408"]);
        assert!(!said.contains("GW412"), "{name}: {said}");
    }
    // A draft again, it is armed anew.
    cut_log(&world, 0);
    unmark(&world);
    for file in ["WU-T01.md", "WU-T02.md"] {
        edit(&world, file, "status: pending", "status: draft");
    }
    commit(&world, "drafts again");
    expect(&world.run(&["lint"]), 0, &[]);
    expect(&world.run(&["arm"]), 0, &[]);
    expect(&world.walk(), 0, &["is done"]);
}

/// Two units of which the second was tried, parked and given up, and is out of the plan again.
fn with_a_spent_id() -> World {
    let bad = good("T02").replace("whole", "half");
    let world = World::with_units(&[
        Unit::with("T01", &[&good("T01")]),
        Unit {
            id: "T02",
            front: "max_attempts: 1\n",
            sessions: &[&bad],
            ..Unit::default()
        },
    ]);
    expect(&world.walk(), 11, &["T02"]);
    world.git(&["switch", "-q", BRANCH]);
    let unit = world.read(&format!("{FEATURE}/WU-T02.md"));
    std::fs::write(world.root.join("WU-T02.md"), unit).unwrap();
    expect(&world.run(&["abandon", "T02", "--reason", "so"]), 0, &[]);
    let node = "      - id: FEAT-2026-0001/T02\n        file: WU-T02.md\n        depends_on: []\n";
    edit(&world, "PLAN.md", node, "");
    std::fs::remove_file(world.repo().join(FEATURE).join("WU-T02.md")).unwrap();
    commit(&world, "removed");
    world
}

#[test]
#[ignore = "long"]
fn an_id_that_was_used_is_not_given_again() {
    let world = with_a_spent_id();
    expect(&world.run(&["new", "unit", "Another"]), 0, &["WU-03"]);
    let plan = world.read(&format!("{FEATURE}/PLAN.md"));
    assert!(
        plan.contains("FEAT-2026-0001/T03") && !plan.contains("T02"),
        "{plan}"
    );

    // By the refs alone, where the log is that of another branch.
    let world = with_a_spent_id();
    world.git(&["switch", "-q", "main"]);
    edit(
        &world,
        "PLAN.md",
        "      - id: FEAT-2026-0001/T02\n        file: WU-T02.md\n        depends_on: []\n",
        "",
    );
    std::fs::remove_file(world.repo().join(FEATURE).join("WU-T02.md")).unwrap();
    commit(&world, "removed");
    world.git(&["branch", "-qD", BRANCH]);
    expect(&world.run(&["new", "unit", "Another"]), 0, &["WU-03"]);

    // A whole feature that is gone keeps its number, too.
    std::fs::remove_dir_all(world.repo().join(FEATURE)).unwrap();
    let roadmap = world.read(".gatewalk/roadmap.md");
    world.write(
        ".gatewalk/roadmap.md",
        roadmap
            .lines()
            .filter(|l| !l.contains("2026-0001"))
            .collect::<Vec<_>>()
            .join("\n"),
    );
    commit(&world, "no feature");
    let made = expect(&world.run(&["new", "feature", "Another"]), 0, &[]);
    assert!(!made.contains("-0001"), "{made}");
}

#[test]
fn an_id_that_is_used_again_by_hand_is_an_error_that_names_a_free_one() {
    let world = with_a_spent_id();
    let fresh = world
        .git(&["show", &format!("main:{FEATURE}/WU-T02.md")])
        .replace("T02.txt", "another.txt");
    world.write(&format!("{FEATURE}/WU-T02.md"), fresh);
    edit(
        &world,
        "PLAN.md",
        "        file: WU-T01.md\n        depends_on: []\n",
        "        file: WU-T01.md\n        depends_on: []\n      - id: FEAT-2026-0001/T02\n        file: WU-T02.md\n        depends_on: []\n",
    );
    commit(&world, "again");
    let says = ["GW213", "`FEAT-2026-0001/T03` is free"];
    expect(&world.run(&["lint"]), 1, &says);
    expect(&world.walk(), 3, &["GW213"]);
}
