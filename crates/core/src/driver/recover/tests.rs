use crate::driver::ports::{InFlight, RunNotes, SlotContent, SlotId, Workspaces};
use crate::driver::test_run::{ORACLE, check, machine, run, story};
use crate::engine::attempt_record::{AttemptRecord, SessionNote};
use crate::engine::test_snapshot::{id, object};
use crate::object_id::ObjectId;

#[test]
fn what_an_earlier_run_left_to_land_is_judged_anew() {
    check(
        "
        G1: T01 tried=pass@a.txt                          =>                => landed T01
        G1: T01 tried=open@a.txt                          =>                => landed T01
        // A judgement that is written down proves nothing.
        G1: T01 max_attempts=1 tried=pass@broken          =>                => failed T01#1 verification, parked T01
        G1: T01 tried=fail@broken                         => +a.txt         => landed T01
        // The branch moved since.
        G1: T01 tried=pass@a.txt                          => moved          => again T01, landed T01
        G1: T01 tried=open@a.txt                          => moved          => again T01, landed T01
        G1: T01 tried=fail@a.txt                          => moved +b.txt   => landed T01
        G1: T01 max_attempts=1 tried=pass@moved.txt       => moved          => again T01, failed T01#1 empty_diff, parked T01
        // What is settled, or was tried before the unit was armed, is left alone.
        G1: T01 done tried=pass@a.txt; T02                => moved +b.txt   => landed T02
        G1: T01 re_arm_count=1 tried=pass@a.txt           => moved +b.txt   => landed T01
        ",
    );
}

fn interrupted(slot: SlotId, base: ObjectId, tree: ObjectId) -> InFlight {
    InFlight {
        slot,
        unit: id("T01"),
        number: 1,
        base,
        tree,
        agent: "script".to_owned(),
        started_at: "2026-01-01T00:00:00Z".to_owned(),
        runner: None,
    }
}

#[test]
fn an_interrupted_session_is_kept_and_charged_to_nobody() {
    let machine = machine("G1: T01 max_attempts=1", ORACLE, "+b.txt");
    let tip = *machine.world().tip();
    let left = {
        let mut world = machine.world();
        let mut files = world.files(&tip).unwrap().clone();
        files.insert("half.txt".to_owned(), (*b"").into());
        world.put_tree(files)
    };
    machine
        .prepare_slot(&SlotContent {
            slot: SlotId::Session(0),
            commit: tip,
            tree: left,
            branch: "x",
        })
        .unwrap();
    machine
        .note_in_flight(&interrupted(SlotId::Session(0), tip, tip))
        .unwrap();
    machine.world().capture_notes = vec!["a pipe was left out".to_owned()];
    run(&machine).unwrap();
    let told = story(&machine);
    assert!(told.starts_with("recovered T01 was interrupted"), "{told}");
    assert!(told.contains("landed T01"), "{told}");
    let world = machine.world();
    let kept = &world.refs[&format!("refs/gatewalk/uncharged/{}/1", id("T01"))];
    assert!(world.files(kept).unwrap().contains_key("half.txt"));
    let record = AttemptRecord::from_message(&world.commits[kept].message).unwrap();
    let notes: Vec<&str> = record.session.notes.iter().map(SessionNote::text).collect();
    assert_eq!(notes, ["a pipe was left out"]);
    assert!(world.in_flight.is_empty());
}

#[test]
fn a_session_whose_slot_is_gone_starts_again() {
    let machine = machine("G1: T01", ORACLE, "+b.txt");
    machine
        .note_in_flight(&interrupted(SlotId::Session(7), object("c"), object("t")))
        .unwrap();
    run(&machine).unwrap();
    let told = story(&machine);
    assert!(
        told.starts_with("recovered the slot of T01 is gone, landed T01"),
        "{told}"
    );
}

#[test]
fn a_session_that_was_pinned_before_the_crash_is_not_kept_twice() {
    let machine = machine("G1: T01 tried=open@a.txt", ORACLE, "");
    machine
        .note_in_flight(&interrupted(SlotId::Session(0), object("c"), object("t")))
        .unwrap();
    run(&machine).unwrap();
    assert_eq!(story(&machine), "landed T01, gate 1 passed");
    assert!(machine.world().in_flight.is_empty());
}

#[test]
fn a_checkout_that_could_not_follow_follows_when_the_next_run_starts() {
    let machine = machine("G1: T01 blocked", ORACLE, "");
    machine.world().follows.not_followed = Some("it is locked".to_owned());
    run(&machine).unwrap();
    assert_eq!(
        story(&machine),
        "your checkout stays as it is: it is locked"
    );
}
