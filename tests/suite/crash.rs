//! kill -9 at every effect of a real run, on real git: a plain re-run gives the same commits.

use super::sample::Share;
use crate::world::{World, text};
use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One run of the driver between two acts of the user.
struct Phase {
    name: &'static str,
    /// The world before it.
    before: World,
    sessions: &'static str,
    exit: i32,
    /// What the uncrashed run leaves.
    history: String,
    status: String,
    points: usize,
}

/// Walks the example once, undisturbed, and keeps the world before each run of the driver.
fn phases(world: &World) -> Vec<Phase> {
    let acts: [(&str, &[&str], &str, i32); 3] = [
        ("a pass, a retry and a park", &[], "sessions", 11),
        (
            "a closed and drafted gate",
            &["unblock", "FEAT-2026-0001/T03", "--reason", "French"],
            "answered",
            10,
        ),
        ("the last gate", &["arm"], "answered", 0),
    ];
    acts.into_iter()
        .map(|(name, act, sessions, exit)| {
            if !act.is_empty() {
                let output = world.run(act);
                assert!(output.status.success(), "{}", text(&output));
            }
            let before = world.fork();
            // Copied runtime state would name another place; without it nothing is lost.
            drop(std::fs::remove_dir_all(before.repo().join(".git/gatewalk")));
            let log = world.root.join("points");
            drop(std::fs::remove_file(&log));
            let reference = before.fork();
            let output = reference
                .unconfined(&world.root.join(sessions))
                .env("GATEWALK_TEST_POINTS", &log)
                .output()
                .unwrap();
            let expect = |output: &Output| {
                let code = output.status.code();
                assert_eq!(code, Some(exit), "{name}: {}", text(output));
            };
            expect(&output);
            let output = world
                .unconfined(&world.root.join(sessions))
                .output()
                .unwrap();
            expect(&output);
            assert_eq!(
                reference.history(),
                world.history(),
                "two undisturbed runs differ"
            );
            let points = std::fs::read_to_string(&log)
                .unwrap_or_default()
                .lines()
                .count();
            Phase {
                name,
                before,
                sessions,
                exit,
                history: world.history(),
                status: world.status(),
                points,
            }
        })
        .collect()
}

/// One kill.
struct Row<'p> {
    phase: &'p Phase,
    point: usize,
    /// `off`, or `auto`: whatever this machine confines with.
    sandbox: &'static str,
}

/// Kills the driver at one point and runs it again; returns what is wrong afterwards.
fn crash_at(row: &Row<'_>, sessions: &Path) -> Option<String> {
    let phase = row.phase;
    let world = phase.before.fork();
    let driver = || {
        let mut command = world.driver(sessions);
        command.args(["--sandbox", row.sandbox]);
        command
    };
    let crashed = driver()
        .env("GATEWALK_TEST_KILL_AT", row.point.to_string())
        .output()
        .unwrap();
    if crashed.status.code().is_some_and(|code| code != phase.exit) {
        return Some(format!("the driver was not killed: {}", text(&crashed)));
    }
    let again = driver().output().unwrap();
    let found = differs(phase, &world);
    if again.status.code() != Some(phase.exit) {
        return Some(format!("the re-run: {}", text(&again)));
    }
    found.map(|what| format!("{what}\nthe re-run said: {}", text(&again)))
}

fn differs(phase: &Phase, world: &World) -> Option<String> {
    let fsck = world.try_git(&["fsck", "--no-dangling", "--no-progress"]);
    if fsck.is_none() {
        return Some("git fsck finds damage".to_owned());
    }
    // The run that was not killed was not confined either, which the log says.
    let isolation = regex::Regex::new(r#""isolation":"\w+""#).unwrap();
    let alike = |text: &str| isolation.replace_all(text, "").into_owned();
    let pairs = [
        ("history", alike(&phase.history), alike(&world.history())),
        ("git status", phase.status.clone(), world.status()),
    ];
    let (what, want, got) = pairs.into_iter().find(|(_, want, got)| want != got)?;
    let first = want.lines().zip(got.lines()).find(|(a, b)| a != b);
    Some(format!(
        "another {what}: {first:?}\n{} lines instead of {}",
        got.lines().count(),
        want.lines().count()
    ))
}

/// Every point with `GATEWALK_CRASH_MATRIX=full`, one in so many with a number or a share, else a few.
pub(crate) fn kills(few: Share) -> Share {
    Share::of_variable("GATEWALK_CRASH_MATRIX").unwrap_or(few)
}

#[test]
#[ignore = "long"]
fn a_plain_rerun_after_kill_9_at_any_effect_gives_the_same_commits() {
    if !cfg!(any(debug_assertions, feature = "test-fakes")) {
        eprintln!("SKIPPED: a release build without the feature `test-fakes` has no crash points");
        return;
    }
    let world = World::example();
    let phases = phases(&world);
    let points: Vec<(&Phase, usize)> = phases
        .iter()
        .flat_map(|phase| (1..=phase.points).map(move |point| (phase, point)))
        .collect();
    assert!(
        points.len() > 400,
        "only {} points: the hooks are gone",
        points.len()
    );
    let killed = |step: usize, sandbox: &'static str| {
        points.iter().step_by(step).map(move |&(phase, point)| Row {
            phase,
            point,
            sandbox,
        })
    };
    let rows: Vec<Row<'_>> = killed(1, "off").chain(killed(3, "auto")).collect();
    let rows = kills(Share::first_of(301)).of(rows);
    let next = AtomicUsize::new(0);
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let sessions = world.root.join(row.phase.sessions);
                    if let Some(why) = crash_at(row, &sessions) {
                        let (phase, point, sandbox) = (row.phase.name, row.point, row.sandbox);
                        failures.lock().unwrap().push(format!(
                            "{phase}, sandbox {sandbox}, killed at point {point}: {why}"
                        ));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    let recovered = rows.len() - failures.len();
    println!(
        "crash matrix: {recovered} of {} kill points recovered by a plain re-run ({:.1} %)",
        rows.len(),
        100.0 * recovered as f64 / rows.len() as f64
    );
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
