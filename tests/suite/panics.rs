//! A bug of the program's own: one exit code, a report file, and word of what is safe, whichever thread it is in.

use super::world::{PROGRAM, Unit, World, good, text};
use std::process::Output;

fn panicked(world: &World, point: &str) -> Output {
    let mut command = world.driver(&world.root.join("sessions"));
    command.env("GATEWALK_TEST_PANIC_IN", point);
    command.output().unwrap()
}

#[test]
fn a_panic_in_any_thread_is_exit_70_with_a_report() {
    for (point, thread) in [("take a lock", "main"), ("start a program", "unnamed")] {
        let world = World::with_units(&[Unit {
            id: "T01",
            sessions: &[&good("T01")],
            ..Unit::default()
        }]);
        let out = panicked(&world, point);
        let said = text(&out);
        assert_eq!(out.status.code(), Some(70), "{point}: {said}");
        for part in ["a bug in Gatewalk: ", "run the same command again"] {
            assert!(said.contains(part), "{point}: {part}: {said}");
        }
        let reports: Vec<_> = std::fs::read_dir(world.repo().join(".git/gatewalk"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.display().to_string().contains("/panic-"))
            .collect();
        let [report] = &reports[..] else {
            panic!("{point}: one report: {reports:?}");
        };
        assert!(said.contains(&report.display().to_string()), "{said}");
        let report = std::fs::read_to_string(report).unwrap();
        assert!(report.contains(point), "{report}");
        assert!(report.contains(&format!("thread `{thread}`")), "{report}");
        // And what it promises holds.
        let again = world.walk();
        assert!(text(&again).contains("landed as"), "{}", text(&again));
    }
}

#[test]
fn where_the_driver_s_directory_cannot_be_written_the_report_lies_among_the_temporary_files() {
    let world = World::with_units(&[Unit {
        id: "T01",
        ..Unit::default()
    }]);
    let temporary = world.root.join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let mut command = world.command(PROGRAM);
    std::fs::write(world.repo().join(".git/gatewalk"), "in the way").unwrap();
    command
        .args(["new", "feature", "Another"])
        .env("TMPDIR", &temporary);
    let out = command.env("GATEWALK_TEST_PANIC_IN", "write");
    let out = out.output().unwrap();
    assert_eq!(out.status.code(), Some(70), "{}", text(&out));
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 1);
}

#[test]
fn a_plan_that_git_ignores_is_refused_with_the_line_that_ignores_it() {
    let world = World::with_units(&[Unit {
        id: "T01",
        ..Unit::default()
    }]);
    world.git(&["rm", "-rq", "--cached", ".gatewalk"]);
    world.write(".gitignore", ".gatewalk/features/\n");
    world.git(&["add", ".gitignore"]);
    world.git(&["commit", "-qm", "ignored"]);
    let out = world.run(&["loop", "--commit-plan"]);
    let said = text(&out);
    assert_eq!(out.status.code(), Some(3), "{said}");
    assert!(said.contains("git check-ignore -v"), "{said}");
}
