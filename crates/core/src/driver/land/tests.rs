use super::*;
use crate::driver::ports::CheckoutUpdate;
use crate::driver::test_machine::MemoryMachine;
use crate::driver::test_run::{ORACLE, check, check_with, machine, run, story};
use crate::engine::changed_file::ChangedPathKind;
use crate::engine::test_snapshot::{DIR, id};

#[test]
fn work_lands_on_the_branch_as_it_is_now() {
    check(
        "
        G1: T01 => +a.txt user+b.txt                       => again T01, landed T01
        // What the branch has meanwhile makes it fail.
        G1: T01 max_attempts=1 => +a.txt user+broken       => again T01, failed T01#1 verification, parked T01
        // Files that say nothing of the work let it pass; those that say what is run do not.
        G1: T01 => +a.txt user+.gatewalk/LEARNINGS.md      => landed T01
        G1: T01 => +a.txt user~.gatewalk/verification.yml  => again T01, landed T01
        G1: T01 => +a.txt user~.gatewalk/config.yml        => again T01, landed T01
        G1: T01 => +a.txt user~%/WU-01.md                  => again T01, landed T01
        G1: T01 => +a.txt user~%/GATE-01.md                => again T01, landed T01
        // Both changed the same place: the unit starts again, uncharged.
        G1: T01 max_attempts=1 => +a.txt=its user+a.txt=yours; +b.txt => conflict T01, landed T01
        ",
    );
}

#[test]
fn what_moved_while_work_was_verified_is_verified_with_it() {
    let moved_by =
        |path: &str| format!("{ORACLE}  - {{name: move, command: moves a.txt {path}}}\n");
    let rows = [
        ("broken", "again T01, failed T01#1 verification, parked T01"),
        ("b.txt", "again T01, landed T01"),
        (".gatewalk/LEARNINGS.md", "landed T01"),
    ];
    for (path, want) in rows {
        let row = format!("G1: T01 max_attempts=1 => +a.txt => {want}");
        check_with(&moved_by(path), &row);
    }
}

fn message(machine: &MemoryMachine, back: usize) -> String {
    let world = machine.world();
    let mut commit = &world.commits[world.tip()];
    for _ in 0..back {
        commit = &world.commits[commit.parent.as_ref().unwrap()];
    }
    commit.message.clone()
}

fn text(machine: &MemoryMachine, path: &str) -> Option<String> {
    let world = machine.world();
    let files = world.files(world.tip()).unwrap();
    let bytes = files.get(&path.replace('%', DIR))?;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

#[test]
fn a_landing_is_one_commit_of_the_work_its_status_and_its_trailers() {
    let machine = machine(
        "G1: T01 re_arm_count=1 tried=fail; T02",
        ORACLE,
        "+broken;+a.txt;+b.txt",
    );
    run(&machine).unwrap();
    let landed = message(&machine, 2);
    for line in [
        "Feature: FEAT-2026-0001/T01\n",
        "Attempt: 2\n",
        "Attempt-Id: ATTEMPT\n",
        "Agent: claude\n",
        "Oracle: ",
    ] {
        assert!(landed.contains(line), "{landed}");
    }
    assert!(!landed.starts_with('\n'));
    assert!(text(&machine, "a.txt").is_some());
    assert!(
        text(&machine, "%/WU-01.md")
            .unwrap()
            .contains("status: done")
    );
    assert_eq!(text(&machine, "litter.log"), None);
    assert_eq!(text(&machine, "broken"), None);
}

#[test]
fn a_unit_that_cannot_pass_is_parked_in_one_commit_without_its_work() {
    let machine = machine("planned | G1: T01 max_attempts=1", ORACLE, "+broken");
    run(&machine).unwrap();
    assert_eq!(story(&machine), "failed T01#1 verification, parked T01");
    let parked = message(&machine, 0);
    assert!(
        parked.starts_with("Park FEAT-2026-0001/T01: attempts_exhausted\n"),
        "{parked}"
    );
    assert_eq!(message(&machine, 1), "Activate FEAT-2026-0001\n");
    assert_eq!(text(&machine, "broken"), None);
    assert!(
        text(&machine, "%/WU-01.md")
            .unwrap()
            .contains("status: blocked_human")
    );
}

#[test]
fn a_gate_is_reached_or_closes_itself() {
    let first = machine("G1: T01 | G2: T02", ORACLE, "+a.txt");
    run(&first).unwrap();
    assert_eq!(story(&first), "landed T01, gate 1 awaiting_review");
    assert!(message(&first, 0).starts_with("Reach gate 1 of FEAT-2026-0001\n"));
    let last = machine("G1: T01 done; G1-CLOSE close", ORACLE, "");
    run(&last).unwrap();
    assert_eq!(story(&last), "auto-closed G1-CLOSE, gate 1 passed");
    assert!(message(&last, 0).starts_with("Finish FEAT-2026-0001: gate 1 passed\n"));
    assert!(message(&last, 1).contains("Oracle: auto-close-"));
    let plan = text(&last, "%/PLAN.md").unwrap();
    assert!(plan.contains("status: done"), "{plan}");
}

#[test]
fn what_becomes_of_your_checkout_is_reported() {
    let machine = machine("G1: T01", ORACLE, "+a.txt");
    machine.world().follows = CheckoutUpdate {
        kept: vec!["two words".to_owned()],
        merged: vec!["PLAN.md".to_owned()],
        not_followed: Some("it is locked".to_owned()),
    };
    run(&machine).unwrap();
    let story = story(&machine);
    assert!(story.contains("git diff HEAD -- ':/two words'"), "{story}");
    assert!(story.contains("your edits of `PLAN.md` stay"), "{story}");
    assert!(
        story.contains("your checkout stays as it is: it is locked"),
        "{story}"
    );
}

#[test]
fn a_checkout_that_could_not_follow_a_landing_is_tried_once_more_before_the_end() {
    let machine = machine("G1: T01", ORACLE, "+a.txt");
    machine.world().follows.not_followed = Some("it is locked".to_owned());
    run(&machine).unwrap();
    let story = story(&machine);
    assert!(
        story.ends_with("gate 1 passed, your checkout stays as it is: it is locked"),
        "{story}"
    );
}

#[test]
fn a_set_aside_attempt_keeps_its_work_in_a_ref() {
    let machine = machine("G1: T01", ORACLE, "+a.txt=its user+a.txt=yours;+b.txt");
    run(&machine).unwrap();
    let world = machine.world();
    let kept = &world.refs[&format!("refs/gatewalk/uncharged/{}/1", id("T01"))];
    assert_eq!(&*world.files(kept).unwrap()["a.txt"], b"its");
    let landed = &world.commits[world.tip()].parent;
    assert_eq!(
        &*world.files(landed.as_ref().unwrap()).unwrap()["a.txt"],
        b"yours"
    );
}

#[test]
fn a_subject_is_short_enough_for_a_log() {
    let long = "x".repeat(80);
    for (title, want) in [
        ("Add a thing", "Add a thing".to_owned()),
        ("# - Add a thing", "Add a thing".to_owned()),
        (&long[..72], long[..72].to_owned()),
        (&long[..73], format!("{}…", &long[..71])),
    ] {
        assert_eq!(subject(title), want);
    }
}

#[test]
fn a_verdict_rests_on_the_work_and_on_the_files_that_name_what_is_run() {
    let rules = [".gatewalk/config.yml".to_owned()];
    for (path, want) in [
        ("src/a.rs", true),
        (".gatewalker/a", true),
        (".gatewalk/config.yml", true),
        (".gatewalk/LEARNINGS.md", false),
    ] {
        let change = ChangedPath {
            path: path.to_owned(),
            kind: ChangedPathKind::Modified,
            regular: true,
            unstartable: false,
        };
        assert_eq!(
            changes_verdict(&[change], ".gatewalk", &rules),
            want,
            "{path}"
        );
    }
    assert!(!changes_verdict(&[], ".gatewalk", &rules));
}
