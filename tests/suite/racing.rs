//! Two processes that move one branch at the same moment: one refuses or follows, and neither's work is lost.

use super::world::{BRANCH, Unit, World, after_shell, good, text};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const UNITS: [&str; 6] = ["T01", "T02", "T03", "T04", "T05", "T06"];

/// A feature of independent units, each with the session that `session` gives it.
fn units(session: impl Fn(&str) -> String) -> World {
    let sessions = UNITS.map(|id| [session(id)]);
    let sessions: Vec<[&str; 1]> = sessions.iter().map(|s| [s[0].as_str()]).collect();
    let units: Vec<Unit<'_>> = UNITS
        .iter()
        .zip(&sessions)
        .map(|(id, sessions)| Unit::with(id, sessions))
        .collect();
    World::with_units(&units)
}

/// Starts a run that stands in the given directory.
fn start(world: &World, directory: &std::path::Path) -> Child {
    let mut command: Command = world.unconfined(&world.root.join("sessions"));
    let command = command.current_dir(directory);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits until one of two has ended; returns how, and the other.
fn first_to_end(mut two: [Child; 2]) -> (Output, Child) {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        for at in 0..2 {
            if two[at].try_wait().unwrap().is_some() {
                let [one, other] = two;
                let (ended, left) = if at == 0 { (one, other) } else { (other, one) };
                return (ended.wait_with_output().unwrap(), left);
            }
        }
        assert!(Instant::now() < patience, "both runs go on");
        std::thread::yield_now();
    }
}

/// Asserts that each unit landed by exactly one commit, and that its file is there at the tip.
fn landed_once_each(world: &World) {
    let log = world.git(&["log", "--format=%(trailers:key=Feature,valueonly)", BRANCH]);
    for id in UNITS {
        let name = format!("FEAT-2026-0001/{id}");
        let times = log.lines().filter(|l| *l == name).count();
        let all = || {
            world.git(&[
                "log",
                "--reverse",
                "--stat",
                "--format=%h %p %ct %s",
                BRANCH,
            ])
        };
        assert_eq!(times, 1, "{id}: {}", all());
        let file = world.git(&["show", &format!("{BRANCH}:{id}.txt")]);
        assert_eq!(file.trim(), "whole", "{id}");
    }
}

#[test]
fn of_two_runs_of_one_feature_that_start_together_one_refuses() {
    let gate = tempfile::tempdir().unwrap();
    let go = gate.path().join("go");
    let wait = format!("until [ -e '{}' ]; do sleep 0.02; done", go.display());
    let world = units(|id| after_shell(id, &wait));
    let elsewhere = world.root.join("elsewhere");
    let place = elsewhere.to_string_lossy();
    world.git(&["worktree", "add", "-q", "--detach", &place]);
    let (refused, at_work) =
        first_to_end([start(&world, &world.repo()), start(&world, &elsewhere)]);
    // Nothing lands before this: whichever ended had met the other.
    std::fs::write(&go, "").unwrap();
    let finished = at_work.wait_with_output().unwrap();
    assert_eq!(refused.status.code(), Some(4), "{}", text(&refused));
    assert_eq!(finished.status.code(), Some(0), "{}", text(&finished));
    landed_once_each(&world);
    let charged = world.git(&[
        "for-each-ref",
        "--format=%(refname)",
        "refs/gatewalk/attempts/",
    ]);
    assert_eq!(charged.lines().count(), UNITS.len(), "{charged}");
}

#[test]
fn a_user_who_commits_while_units_land_loses_no_commit_and_reverses_none() {
    let world = units(good);
    world.git(&["checkout", "-q", "-b", BRANCH]);
    let mut driver = start(&world, &world.repo());
    let tip = || world.git(&["rev-parse", BRANCH]);
    let (mut mine, mut seen) = (Vec::new(), String::new());
    while driver.try_wait().unwrap().is_none() {
        // Right behind each landing, while the checkout follows it.
        if tip() == seen {
            continue;
        }
        let name = format!("mine-{}", mine.len());
        world.write(&name, "mine\n");
        let added = world.try_git(&["add", &name]).is_some();
        // Git refuses where the other has the index or the branch at that moment.
        if added && world.try_git(&["commit", "-qm", &name]).is_some() {
            mine.push(name);
            seen = tip();
        }
    }
    let ended = driver.wait_with_output().unwrap();
    let said = text(&ended);
    // A run may rest at the gate, for the user to look at what an unconfined session met.
    assert!(matches!(ended.status.code(), Some(0 | 10)), "{said}");
    landed_once_each(&world);
    assert!(!mine.is_empty(), "{said}");
    for name in mine {
        let file = world.git(&["show", &format!("{BRANCH}:{name}")]);
        assert_eq!(file, "mine\n", "{name}");
    }
}

#[test]
fn verbs_at_the_same_moment_all_count() {
    let world = units(good);
    std::thread::scope(|scope| {
        for id in UNITS {
            let world = &world;
            scope.spawn(move || {
                let unit = format!("FEAT-2026-0001/{id}");
                let output = world.run(&["abandon", &unit, "--reason", "so"]);
                assert!(output.status.success(), "{id}: {}", text(&output));
            });
        }
    });
    let commits = world.git(&["rev-list", "--count", &format!("main..{BRANCH}")]);
    assert_eq!(commits.trim(), UNITS.len().to_string());
    for id in UNITS {
        let path = format!("{BRANCH}:.gatewalk/features/FEAT-2026-0001-greetings/WU-{id}.md");
        let unit = world.git(&["show", &path]);
        assert!(unit.contains("\nstatus: abandoned\n"), "{id}: {unit}");
    }
    let lint = world.run(&["lint"]);
    assert!(lint.status.success(), "{}", text(&lint));
}
