use super::*;
use crate::driver::test_machine::MemoryMachine;
use crate::driver::test_run::{check_with, driver, machine, run, story};
use crate::engine::attempt_record::AttemptRecord;
use crate::engine::test_snapshot::id;

/// Every check asks for what `a.c` says.
const ORACLE: &str = "code:\n  - {name: work, command: holds a.c seen}\n";
const REQUIRED: &str = "witness: require\ncode:\n  - {name: work, command: holds a.c seen}\n";

/// Runs one unit whose session does something, and looks at what landed.
fn landed(oracle: &str, session: &str) -> (MemoryMachine, ObjectId, ObjectId) {
    let machine = machine("G1: T01", oracle, session);
    let base = *machine.world().tip();
    run(&machine).unwrap();
    let story = story(&machine);
    assert!(story.contains("landed T01"), "{story}");
    let tree = {
        let world = machine.world();
        let landing = world
            .commits
            .values()
            .find(|c| c.message.contains("Attempt-Id:"));
        landing.unwrap().tree
    };
    machine.world().ran.clear();
    (machine, base, tree)
}

fn look(
    (machine, base, tree): &(MemoryMachine, ObjectId, ObjectId),
    budget: Duration,
    wanted: &(dyn Fn() -> bool + Sync),
) -> Result<Option<WitnessReport>> {
    let subject = WitnessSubject {
        unit: &id("T01"),
        base: *base,
        tree: *tree,
    };
    let terms = WitnessTerms {
        slot: SlotId::Recheck,
        number: 0,
        budget: Some(budget),
        quiet: false,
        wanted,
    };
    driver(machine, 1).witness(&subject, &terms)
}

const LONG: Duration = Duration::from_secs(60);

fn found(report: &WitnessReport) -> Vec<String> {
    report.unwitnessed.iter().map(ToString::to_string).collect()
}

#[test]
fn what_no_command_misses_is_found_and_nothing_is_run_twice() {
    let landed = landed(ORACLE, "+a.c=seen¶more¶ +b.md=words +tests/t.c=x");
    let report = look(&landed, LONG, &|| true).unwrap().unwrap();
    assert_eq!(found(&report), ["a.c:2: more"]);
    assert_eq!((report.hunks, report.not_asked, report.left), (1, 1, 0));
    assert_eq!(report.commands, ["work"]);
    // The work as it is, the file, and each of its two lines.
    assert_eq!(landed.0.world().ran.len(), 4);
    assert!(
        landed
            .0
            .world()
            .ran
            .iter()
            .all(|(slot, _)| *slot == SlotId::Recheck)
    );
    landed.0.world().ran.clear();
    let again = look(&landed, LONG, &|| true).unwrap().unwrap();
    assert_eq!(found(&again), found(&report));
    assert_eq!(landed.0.world().ran.len(), 1, "only the work as it is");
}

#[test]
fn a_witness_has_an_end_and_can_be_left() {
    let landed = landed(ORACLE, "+a.c=seen¶more¶");
    let none = look(&landed, Duration::ZERO, &|| true).unwrap().unwrap();
    assert_eq!((none.asked, none.left), (0, 1));
    assert!(look(&landed, LONG, &|| false).unwrap().is_none());
    landed.0.world().stopping = true;
    assert!(look(&landed, LONG, &|| true).unwrap().is_none());
}

#[test]
fn what_nothing_can_see_needs_no_command() {
    let landed = landed(
        "code:\n  - {name: work, command: lacks broken}\n",
        "+b.md=words",
    );
    let report = look(&landed, LONG, &|| true).unwrap().unwrap();
    assert_eq!((report.hunks, report.not_asked), (0, 1));
    assert!(landed.0.world().ran.is_empty());
}

#[test]
fn a_work_that_does_not_pass_any_more_is_an_error() {
    let red = "code:\n  - {name: work, command: lacks a.c}\n";
    let machine = machine("G1: T01", red, "+b.c=x");
    let base = *machine.world().tip();
    let mut files = machine.world().files(&base).unwrap().clone();
    files.insert("a.c".to_owned(), (*b"x;").into());
    let tree = machine.world().put_tree(files);
    let error = look(&(machine, base, tree), LONG, &|| true).unwrap_err();
    assert!(
        error.to_string().contains("none of its commands passes"),
        "{error}"
    );
}

#[test]
fn only_the_work_of_an_implementation_has_one() {
    let machine = machine("G1: T01 human", ORACLE, "");
    let tip = *machine.world().tip();
    let error = look(&(machine, tip, tip), LONG, &|| true).unwrap_err();
    assert!(error.to_string().contains("of type `human`"), "{error}");
}

#[test]
fn where_it_is_required_what_no_check_sees_does_not_land() {
    check_with(
        REQUIRED,
        "
        G1: T01                => +a.c=seen¶                          => landed T01
        G1: T01 max_attempts=1 => +a.c=seen¶more¶                    => failed T01#1 unwitnessed, parked T01
        G1: T01                => +a.c=seen¶more¶; +a.c=seen¶       => failed T01#1 unwitnessed, landed T01
        G1: T01                => +a.c=seen¶//·more¶ +b.md=words      => landed T01
        G1: T01 max_attempts=1 => +a.c=no¶                             => failed T01#1 verification, parked T01
        ",
    );
    check_with(
        "witness: off\ncode:\n  - {name: work, command: holds a.c seen}\n",
        "G1: T01 => +a.c=seen¶more¶ => landed T01",
    );
    check_with(
        "witness: {mode: require, budget: 0s}\ncode:\n  - {name: work, command: holds a.c seen}\n",
        "G1: T01 => +a.c=seen¶more¶ => landed T01",
    );
}

#[test]
fn a_witness_that_a_landing_waited_for_is_in_its_record() {
    let machine = machine("G1: T01", REQUIRED, "+a.c=seen¶");
    run(&machine).unwrap();
    let name = crate::driver::committed_plan::attempt_ref(&id("T01"), 1);
    let message = {
        let world = machine.world();
        world.commits[&world.refs[&name]].message.clone()
    };
    let judgement = AttemptRecord::from_message(&message)
        .unwrap()
        .judgement
        .unwrap();
    let report = judgement.witness.unwrap();
    assert_eq!((report.hunks, report.unwitnessed.len()), (1, 0));
    assert!(judgement.notices.is_empty());
}
