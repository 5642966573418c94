//! A feature of `loop --all` that cannot run keeps none of the others from their work, and is in the list with what to do.

use crate::many_features::{add_feature, all, landed, list};
use crate::world::{BRANCH, PROGRAM, Unit, World, after_shell, good, text};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

const SECOND: &str = "feat/FEAT-2026-0002-more2";

/// Two features of one unit each; the first one's session runs a shell line.
fn two_features(shell: &str) -> World {
    let first = after_shell("T01", shell);
    let world = World::with_units(&[Unit::with("T01", &[&first])]);
    add_feature(&world, 2, &[Unit::with("T21", &[&good("T21")])]);
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "two features"]);
    world
}

fn row<'a>(wanted: &'a [Value], feature: &str) -> &'a Value {
    let of = |row: &&Value| row["feature"] == feature;
    wanted.iter().find(of).expect("it is in the list")
}

/// Runs all of them: the second one lands, the first one is in the list with these words. Returns its row.
#[track_caller]
fn only_the_first_waits(world: &World, exit: i32, what: &str) -> Value {
    let night = all(world, "sessions", &["--json", "--sandbox", "off"]);
    assert_eq!(night.status.code(), Some(exit), "{}", text(&night));
    assert!(landed(world, SECOND, "FEAT-2026-0002/T21"), "{what}");
    let wanted = list(&night);
    let row = row(&wanted, "FEAT-2026-0001").clone();
    assert!(row["what"].as_str().unwrap().contains(what), "{row}");
    for next in row["next"].as_array().unwrap() {
        assert!(next.as_str().unwrap().starts_with("gatewalk "), "{row}");
    }
    row
}

#[test]
fn a_branch_that_is_held_keeps_only_its_own_feature_from_running() {
    let world = two_features("true");
    world.git(&["branch", BRANCH]);
    world.git(&["worktree", "add", "-q", "../there", BRANCH]);
    let row = only_the_first_waits(&world, 5, "is checked out in the worktree");
    let why = row["why"].to_string();
    assert!(why.contains("switch --detach"), "{row}");
}

#[test]
fn a_branch_that_is_taken_during_a_session_ends_only_its_own_feature() {
    let world = two_features("true");
    let shell = format!(
        "git -C '{}' worktree add -q ../there {BRANCH}",
        world.repo().display()
    );
    std::fs::write(
        world.root.join("sessions/T01.1.yml"),
        after_shell("T01", &shell),
    )
    .unwrap();
    only_the_first_waits(&world, 5, "is checked out in the worktree");
}

#[test]
fn a_feature_that_another_driver_walks_is_left_to_it() {
    let world = two_features("true");
    world.git(&["worktree", "add", "-q", "-b", "aside", "../there"]);
    let (begun, go) = (world.root.join("begun"), world.root.join("go"));
    let agent = world.root.join("agent.sh");
    let script = format!(
        "cat >/dev/null; : > {}; until [ -e {} ]; do sleep 0.02; done; echo whole > T01.txt",
        begun.display(),
        go.display()
    );
    std::fs::write(&agent, script).unwrap();
    let mut other = world
        .command(PROGRAM)
        .current_dir(world.root.join("there"))
        .args(["loop", "--feature", "FEAT-2026-0001", "--sandbox", "off"])
        .arg("--agent")
        .arg(format!("command:sh {}", agent.display()))
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(world.root.join("said")).unwrap())
        .spawn()
        .unwrap();
    while !begun.exists() && other.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let row = only_the_first_waits(&world, 4, "another driver is at work: pid");
    std::fs::write(&go, "").unwrap();
    let ended = other.wait().unwrap();
    let said = std::fs::read_to_string(world.root.join("said")).unwrap();
    assert!(ended.success(), "{said}");
    assert_eq!(row["next"][0], "gatewalk status FEAT-2026-0001");
    assert!(landed(&world, BRANCH, "FEAT-2026-0001/T01"));
}

#[test]
fn of_two_features_with_one_branch_the_second_waits_for_the_first() {
    let world = two_features("true");
    let plan = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
    world.write(plan, world.read(plan).replace(BRANCH, SECOND));
    world.git(&["commit", "-qam", "one branch"]);
    let night = all(&world, "sessions", &["--json"]);
    assert_eq!(night.status.code(), Some(3), "{}", text(&night));
    let wanted = list(&night);
    let second = row(&wanted, "FEAT-2026-0002");
    let what = second["what"].as_str().unwrap();
    assert!(what.contains("and so has FEAT-2026-0001"), "{second}");
    assert_eq!(second["next"][0], "gatewalk loop --feature FEAT-2026-0002");
    let again = all(&world, "sessions", &[]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again));
    assert!(landed(&world, SECOND, "FEAT-2026-0001/T01"));
    assert!(landed(&world, SECOND, "FEAT-2026-0002/T21"));
}

/// Starts of git that a command takes, counted by a program of that name before the real one on `PATH`.
fn git_starts(world: &World, verb: &[&str]) -> usize {
    let bin = world.root.join("bin");
    let counted = world.root.join("git-starts");
    let path = std::env::var("PATH").unwrap();
    std::fs::create_dir_all(&bin).unwrap();
    let script = format!(
        "#!/bin/sh\necho >>'{}'\nPATH='{path}' exec git \"$@\"\n",
        counted.display()
    );
    std::fs::write(bin.join("git"), script).unwrap();
    std::fs::set_permissions(bin.join("git"), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(&counted, "").unwrap();
    let mut command = world.command(PROGRAM);
    command.env("PATH", format!("{}:{path}", bin.display()));
    let output = command.args(verb).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{verb:?}: {}", text(&output));
    std::fs::read(&counted).unwrap().len()
}

#[test]
fn a_list_of_features_asks_git_no_more_often_for_more_of_them() {
    let world = two_features("true");
    world.git(&["branch", BRANCH]);
    world.git(&["worktree", "add", "-q", "../there", BRANCH]);
    let verbs = [
        &["status"][..],
        &["status", "--json"],
        &["board"],
        &["inbox"],
        &["stats"],
        &["lint"],
        &["why", "FEAT-2026-0001/T01"],
        &["review", "FEAT-2026-0001"],
    ];
    let of_two = verbs.map(|verb| git_starts(&world, verb));
    for number in 3..=9 {
        let unit = format!("T{number}1");
        add_feature(&world, number, &[Unit::with(&unit, &[&good(&unit)])]);
    }
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "nine features"]);
    assert_eq!(verbs.map(|verb| git_starts(&world, verb)), of_two);
    let held = text(&world.run(&["status", "FEAT-2026-0001"]));
    assert!(held.contains("is checked out in the worktree"), "{held}");
}
