//! A user's own work on a unit: from the checkout, a branch, a recovered attempt; refused as a session's would be.

use crate::sample::sample;
use crate::world::{BRANCH, Unit, World, ended, good, text};

const DIR: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// Frontmatter of a unit that is done when its file is there.
const RED_FIRST: &str = "max_attempts: 1\nchecks:\n  - name: there\n    run: test -s T01.txt\n";

fn world(front: &str, session: &str) -> World {
    let world = World::with_units(&[Unit {
        id: "T01",
        front,
        sessions: &[session],
        ..Unit::default()
    }]);
    world.git(&["branch", BRANCH]);
    world
}

/// A world whose unit is parked: its one session wrote half of the file.
fn parked() -> World {
    let half = good("T01").replace("whole", "half");
    let world = world(RED_FIRST, &half);
    ended(&world.walk(), 11, "gatewalk land FEAT-2026-0001/T01");
    world
}

fn lands(world: &World, args: &[&str]) -> String {
    let all = ended(
        &world.run(&[&["land", "T01"], args].concat()),
        0,
        "T01 is done",
    );
    let tip = world.git(&["log", "-1", "--format=%B", BRANCH]);
    for trailer in [
        "Feature: FEAT-2026-0001/T01",
        "Attempt: 0",
        "Agent: human",
        "Oracle: ",
    ] {
        assert!(tip.contains(trailer), "{tip}");
    }
    let unit = world.git(&["show", &format!("{BRANCH}:{DIR}/WU-T01.md")]);
    assert!(unit.contains("\nstatus: done\n"), "{unit}");
    assert!(!unit.contains("escalation_"), "{unit}");
    assert_eq!(
        world.git(&["show", &format!("{BRANCH}:T01.txt")]),
        "whole\n"
    );
    ended(&world.run(&["lint", "--fail-on", "error"]), 0, "");
    all
}

#[test]
fn work_in_the_checkout_lands_and_the_checkout_is_clean_afterwards() {
    let world = world(RED_FIRST, &good("T01"));
    world.git(&["switch", "-q", BRANCH]);
    world.write("T01.txt", "whole\n");
    lands(&world, &[]);
    assert_eq!(world.status(), format!("# branch.head {BRANCH}"));
    let log = world.read(&format!("{DIR}/events.jsonl"));
    assert!(log.contains("\"by_hand\":true"), "{log}");
    let stats = world.run(&["stats", "--json"]);
    assert!(!text(&stats).contains("\"human\""), "{}", text(&stats));
    ended(&world.run(&["attempts", "list"]), 0, "human");
    ended(&world.run(&["verify", "T01"]), 0, "same as on record");
    // The driver takes it for done and ends the gate.
    ended(&world.walk(), 0, "FEAT-2026-0001");
}

#[test]
fn work_is_checked_before_the_feature_has_a_branch() {
    let world = world(RED_FIRST, &good("T01"));
    world.git(&["branch", "-D", BRANCH]);
    ended(&world.run(&["check", "T01"]), 1, "empty_diff");
    world.write("T01.txt", "whole\n");
    ended(&world.run(&["check", "T01"]), 0, "");
    assert_eq!(world.git(&["branch", "--list", BRANCH]), "");
}

#[test]
fn a_parked_unit_lands_from_a_branch_and_keeps_what_its_sessions_cost() {
    let world = parked();
    world.git(&["switch", "-q", "-c", "mine", "main"]);
    world.write("T01.txt", "whole\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "mine"]);
    lands(&world, &["--from", "mine"]);
    let unit = world.git(&["show", &format!("{BRANCH}:{DIR}/WU-T01.md")]);
    assert!(
        unit.contains("\nattempts: 1\n") && unit.contains("cost_usd: 0.01"),
        "{unit}"
    );
    assert!(!unit.contains("re_arm_count"), "{unit}");
    // The checkout was elsewhere and stays there.
    assert_eq!(world.status(), "# branch.head mine");
    ended(&world.run(&["why", "T01"]), 0, "done");
}

#[test]
fn what_a_session_left_is_opened_finished_and_taken_back() {
    let world = parked();
    let why = ended(
        &world.run(&["why", "T01"]),
        0,
        "gatewalk land FEAT-2026-0001/T01",
    );
    assert!(why.contains("next: gatewalk unblock"), "{why}");
    let place = world.root.join("attempt");
    let place = place.to_str().unwrap();
    let out = world.run(&["attempts", "recover", "T01", "--worktree", place]);
    let branch = "attempt/FEAT-2026-0001/T01/1";
    ended(&out, 0, &format!("land FEAT-2026-0001/T01 --from {branch}"));
    assert_eq!(
        std::fs::read_to_string(format!("{place}/T01.txt")).unwrap(),
        "half\n"
    );
    let again = world.run(&["attempts", "recover", "T01", "--worktree", place]);
    ended(&again, 3, "is there already");
    // Unfinished it is refused as it was before.
    ended(
        &world.run(&["land", "T01", "--from", branch]),
        1,
        "T01.txt is not whole",
    );
    std::fs::write(format!("{place}/T01.txt"), "whole\n").unwrap();
    world.git(&["-C", place, "commit", "-qam", "finish it"]);
    lands(&world, &["--from", branch]);
}

#[test]
fn work_that_is_on_the_branch_already_lands_from_where_it_began() {
    let world = world(RED_FIRST, &good("T01"));
    world.git(&["switch", "-q", BRANCH]);
    world.write("T01.txt", "whole\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "by hand"]);
    ended(&world.run(&["land", "T01"]), 3, "--base REV");
    ended(
        &world.run(&["land", "T01", "--base", "nothing"]),
        3,
        "is no commit",
    );
    lands(&world, &["--base", "HEAD~1"]);
    assert_eq!(world.status(), format!("# branch.head {BRANCH}"));
}

#[test]
fn what_a_session_may_not_do_a_user_may_not_hand_in() {
    let world = world(&format!("touches: T01.txt\n{RED_FIRST}"), &good("T01"));
    world.git(&["switch", "-q", BRANCH]);
    let tip = world.git(&["rev-parse", BRANCH]);
    let refused = |path: &str, content: &str, what: &str| {
        let before = world.read(path);
        world.write("T01.txt", "whole\n");
        world.write(path, content);
        let status = world.status();
        ended(&world.run(&["land", "T01"]), 1, what);
        assert_eq!(world.status(), status, "{path}");
        assert_eq!(world.git(&["rev-parse", BRANCH]), tip, "{path}");
        match before.is_empty() {
            true => std::fs::remove_file(world.repo().join(path)).unwrap(),
            false => world.write(path, before),
        }
    };
    refused("README.md", "mine\n", "out_of_scope");
    refused("T01.txt", "half\n", "T01.txt is not whole");
    refused("key.txt", "AKIAIOSFODNN7EXAMPL2\n", "out_of_scope");
    std::fs::remove_file(world.repo().join("T01.txt")).unwrap_or_default();
    ended(&world.run(&["land", "T01"]), 3, "there is no work to land");
    // Refused work is charged to nobody, and kept.
    let kept = world.git(&["for-each-ref", "refs/gatewalk", "--format=%(refname)"]);
    assert!(
        kept.contains("refs/gatewalk/uncharged/FEAT-2026-0001/T01/1"),
        "{kept}"
    );
    assert!(!kept.contains("refs/gatewalk/attempts/"), "{kept}");
    // The unit still has its session.
    ended(&world.walk(), 0, "landed");
}

#[test]
fn a_check_that_is_green_on_the_base_proves_no_work() {
    let front = "checks:\n  - name: old\n    run: test -s README.md\n";
    let world = world(front, &good("T01"));
    world.git(&["switch", "-q", BRANCH]);
    world.write("T01.txt", "whole\n");
    ended(
        &world.run(&["land", "T01"]),
        1,
        "must fail without the work",
    );
    let check = world.run(&["check", "T01", "--json"]);
    ended(&check, 1, "\"failure_class\":\"unproven\"");
}

#[test]
fn edits_of_other_plans_stay_where_they_are_and_edits_of_this_one_are_settled_first() {
    let world = world(RED_FIRST, &good("T01"));
    world.git(&["switch", "-q", BRANCH]);
    world.write("T01.txt", "whole\n");
    world.write(".gatewalk/rules-local/mine.md", "# Mine\n\nBe kind.\n");
    world.write(
        &format!("{DIR}/GATE-01.md"),
        "---\ngate: 1\nstatus: open\n---\n\n# Gate one\n",
    );
    ended(&world.run(&["land", "T01"]), 3, "uncommitted edits");
    world.git(&["checkout", "-q", "--", DIR]);
    let all = lands(&world, &[]);
    assert!(all.contains("rules-local/mine.md"), "{all}");
    assert_eq!(
        world.read(".gatewalk/rules-local/mine.md"),
        "# Mine\n\nBe kind.\n"
    );
    assert!(
        world
            .try_git(&[
                "cat-file",
                "-e",
                &format!("{BRANCH}:.gatewalk/rules-local/mine.md")
            ])
            .is_none()
    );
}

#[test]
fn a_closing_unit_is_handed_in_with_its_verdict_and_retrospective() {
    let world = world(RED_FIRST, &good("T01"));
    let plan = world.read(&format!("{DIR}/PLAN.md"));
    let close = "      - id: FEAT-2026-0001/G1-CLOSE\n        file: WU-90-close.md\n        depends_on: [FEAT-2026-0001/T01]\n```\n";
    world.write(
        &format!("{DIR}/PLAN.md"),
        plan.replace("```\n\n", "```\n")
            .trim_end()
            .trim_end_matches("```")
            .to_owned()
            + close,
    );
    world.write(
        &format!("{DIR}/WU-90-close.md"),
        world
            .read(&format!("{DIR}/WU-T01.md"))
            .replace("/T01\n", "/G1-CLOSE\n")
            .replace("type: implementation", "type: close")
            .replace(RED_FIRST, ""),
    );
    let oracle = world.read(".gatewalk/verification.yml");
    let doc = "doc:\n  - name: files\n    command: sh check.sh\n";
    world.write(".gatewalk/verification.yml", oracle + doc);
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "close"]);
    world.git(&["branch", "-f", BRANCH, "main"]);
    world.git(&["switch", "-q", BRANCH]);
    ended(
        &world.run(&["land", "G1-CLOSE"]),
        3,
        "waits for FEAT-2026-0001/T01",
    );
    world.write("T01.txt", "whole\n");
    lands(&world, &[]);
    ended(&world.run(&["land", "G1-CLOSE"]), 3, "no work to land");
    world.write(
        &format!("{DIR}/RETROSPECTIVE.md"),
        "# Retrospective\n\n## Gate 1\n\n- Criterion: every file is there — met: `sh check.sh` at the tip ends with 0.\n",
    );
    ended(&world.run(&["land", "G1-CLOSE"]), 1, "missing_verdict");
    let own = world.read(&format!("{DIR}/WU-90-close.md"));
    world.write(
        &format!("{DIR}/WU-90-close.md"),
        own.replace("status: pending\n", "status: pending\nverdict: met\n"),
    );
    let out = world.run(&["land", "G1-CLOSE"]);
    ended(&out, 0, "G1-CLOSE is done");
    assert_eq!(world.status(), format!("# branch.head {BRANCH}"));
    let unit = world.read(&format!("{DIR}/WU-90-close.md"));
    assert!(
        unit.contains("status: done") && unit.contains("verdict: met"),
        "{unit}"
    );
    ended(&world.walk(), 0, "FEAT-2026-0001");
}

#[test]
fn a_gate_closes_itself_over_work_that_a_user_landed_after_failed_sessions() {
    let world = parked();
    world.git(&["switch", "-q", BRANCH]);
    world.write("T01.txt", "whole\n");
    lands(&world, &[]);
    let walked = ended(&world.walk(), 0, "FEAT-2026-0001");
    assert!(!walked.contains("did not pass"), "{walked}");
}

#[test]
#[ignore = "long"]
fn a_landing_by_hand_that_is_killed_anywhere_is_finished_by_running_it_again() {
    let world = world(RED_FIRST, &good("T01"));
    world.git(&["switch", "-q", BRANCH]);
    world.write("T01.txt", "whole\n");
    let land = |world: &World| {
        let mut command = world.command(crate::world::PROGRAM);
        command.args(["land", "T01", "--sandbox", "off"]);
        command
    };
    let reference = world.fork();
    let log = world.root.join("points");
    let whole = land(&reference).env("GATEWALK_TEST_POINTS", &log).output();
    ended(&whole.unwrap(), 0, "T01 is done");
    let points = std::fs::read_to_string(&log).unwrap_or_default();
    let points = points.lines().count();
    assert!(points > 20, "only {points} points: the hooks are gone");
    let mut killed = 0;
    for point in sample("kill points", 1..=points, 5) {
        let world = world.fork();
        let mut command = land(&world);
        command.env("GATEWALK_TEST_KILL_AT", point.to_string());
        let first = command.output().unwrap();
        if first.status.code().is_none() {
            killed += 1;
        }
        let again = land(&world).output().unwrap();
        let all = text(&again);
        let landed = again.status.success() || all.contains("is `done` already");
        assert!(landed, "killed at {point}: {all}");
        assert_eq!(world.history(), reference.history(), "killed at {point}");
        // What was killed between the commit and the checkout is caught up with by the next command that drives.
        ended(&world.walk(), 0, "FEAT-2026-0001");
        let clean = format!("# branch.head {BRANCH}");
        assert_eq!(world.status(), clean, "killed at {point}");
    }
    println!("{killed} kills of a landing by hand, each finished by running it again");
    assert!(killed > 3, "{killed}");
}

#[test]
fn what_a_user_does_attached_is_judged_and_lands_when_it_passes() {
    let world = parked();
    let half = [
        "attach",
        "T01",
        "--with",
        "grep -q half \"$GATEWALK_PROMPT\"",
    ];
    ended(&world.run(&half), 3, "there is no work to land");
    let seen = "test -s \"$GATEWALK_PROMPT\" && echo half > T01.txt";
    let refused = ended(
        &world.run(&["attach", "T01", "--with", seen]),
        1,
        "did not land",
    );
    assert!(
        refused.contains("gatewalk land FEAT-2026-0001/T01"),
        "{refused}"
    );
    let kept = world.git(&["show", "refs/gatewalk/attached/FEAT-2026-0001/T01:T01.txt"]);
    assert_eq!(kept, "half\n");
    ended(
        &world.run(&["attach", "T01", "--with", "no-such-program"]),
        5,
        "is not installed",
    );
    // What the program ends with decides nothing.
    let works = "echo whole > T01.txt; exit 3";
    ended(
        &world.run(&["attach", "T01", "--with", works]),
        0,
        "T01 is done",
    );
    let landed = world.git(&["show", &format!("{BRANCH}:T01.txt")]);
    assert_eq!(landed, "whole\n");
    ended(
        &world.run(&["attach", "T01", "--with", works]),
        3,
        "`done` already",
    );
}
