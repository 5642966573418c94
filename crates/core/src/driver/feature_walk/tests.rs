use super::*;
use crate::driver::driver_event::DriverEvent;
use crate::driver::run_loop::DrivenFeature;
use crate::driver::test_machine::{BRANCH, MemoryMachine};
use crate::driver::test_run::{ORACLE, story};
use crate::engine::action::Stop;
use crate::engine::snapshot::{AgentTrouble, RunOptions};
use crate::engine::test_snapshot::{DIR, FEATURE, files};
use crate::model::layout::Layout;
use crate::model::workspace::FileSet;
use std::cell::Cell;

/// The name of a feature by its number, as everything about it has it.
fn renamed(text: &str, number: usize) -> String {
    match number {
        1 => text.to_owned(),
        _ => text
            .replace(FEATURE, &format!("FEAT-2026-000{number}"))
            .replace("branch: x\n", &format!("branch: x{number}\n")),
    }
}

fn branch(number: usize) -> String {
    match number {
        1 => BRANCH.to_owned(),
        _ => format!("{BRANCH}{number}"),
    }
}

/// Returns a repository with a feature for every situation, each on its own branch.
fn machine(situations: &[&str], sessions: &[&str]) -> MemoryMachine {
    let mut all = FileSet::new();
    for (index, situation) in situations.iter().enumerate() {
        for (path, bytes) in files(situation, ORACLE) {
            let text = renamed(std::str::from_utf8(&bytes).unwrap(), index + 1);
            all.insert(renamed(&path, index + 1), text.into_bytes().into());
        }
    }
    let machine = MemoryMachine::new(all, sessions);
    let mut world = machine.world();
    let start = *world.tip();
    for number in 1..=situations.len() {
        let name = format!("refs/heads/{}", branch(number));
        world.refs.insert(name, start);
    }
    drop(world);
    machine
}

fn drivers(machine: &MemoryMachine, count: usize) -> Vec<Driver<'_>> {
    let mut drivers: Vec<Driver<'_>> = Vec::new();
    for number in 1..=count {
        let feature = DrivenFeature {
            layout: Layout::Gatewalk,
            branch: &branch(number),
            dir: &renamed(DIR, number),
        };
        let driver = Driver::new(machine, machine, &feature, RunOptions::default());
        drivers.push(match drivers.first() {
            Some(first) => driver.beside(first),
            None => driver,
        });
    }
    drivers
}

fn walk_with(
    drivers: &[Driver<'_>],
    jobs: usize,
    wip: usize,
    at_stop: &AtStop<'_>,
) -> Result<Vec<FeatureEnd>> {
    let each: Vec<&Driver<'_>> = drivers.iter().collect();
    walk(&each, WalkLimits { jobs, wip }, at_stop)
}

/// Walks all features; returns how each ended, and what became of the units.
fn walked(machine: &MemoryMachine, count: usize, jobs: usize, wip: usize) -> (Vec<String>, String) {
    let ends = walk_with(&drivers(machine, count), jobs, wip, &|_, _| Ok(false)).unwrap();
    (ends.iter().map(word).collect(), story(machine))
}

fn word(end: &FeatureEnd) -> String {
    match end {
        FeatureEnd::Stopped(Stop::FeatureDone) => "done".to_owned(),
        FeatureEnd::Stopped(Stop::AtGate { gate, .. }) => format!("at gate {gate}"),
        FeatureEnd::Stopped(Stop::NeedsHuman { blocked, .. }) => blocked.join(","),
        FeatureEnd::Stopped(Stop::NoAgent { why, .. }) => format!("no agent: {why}"),
        FeatureEnd::Stopped(other) => format!("{other:?}"),
        FeatureEnd::Failed(error) => format!("failed: {error}"),
        FeatureEnd::Interrupted => "interrupted".to_owned(),
    }
}

/// The first unit's file, without findings.
fn pending_unit() -> String {
    let sections = [
        "Context",
        "Acceptance criteria",
        "Do not touch",
        "Verification",
        "Escalation triggers",
    ];
    let sections = sections.map(|name| format!("\n## {name}\n\nx\n")).concat();
    format!("---\nid: {FEATURE}/T01\ntype: implementation\nstatus: pending\n---\n\n# x\n{sections}")
}

/// Returns the features in the order in which they were begun.
fn begun(machine: &MemoryMachine) -> Vec<String> {
    let world = machine.world();
    let begun = world.events.iter().filter_map(|event| match event {
        DriverEvent::Started { feature, .. } => Some(feature.clone()),
        DriverEvent::Landed { unit, .. } => Some(format!("landed {unit}")),
        _ => None,
    });
    begun.collect()
}

#[test]
fn each_feature_is_walked_to_its_end_on_its_own_branch() {
    for jobs in [1, 4] {
        let situation = "G1: T01; T02 after=T01";
        let sessions: Vec<String> = (1..=6).map(|n| format!("+a{n}=1")).collect();
        let sessions: Vec<&str> = sessions.iter().map(String::as_str).collect();
        let machine = machine(&[situation; 3], &sessions);
        let (ends, _) = walked(&machine, 3, jobs, 9);
        assert_eq!(ends, ["done"; 3]);
        let mut landed = begun(&machine);
        landed.retain(|line| line.starts_with("landed"));
        assert_eq!(landed.len(), 6, "{landed:?}");
        let world = machine.world();
        for number in 1..=3 {
            let tip = world.refs[&format!("refs/heads/{}", branch(number))];
            let files = world.files(&tip).unwrap();
            for other in 1..=3 {
                let path = renamed(&format!("{DIR}/PLAN.md"), other);
                let text = String::from_utf8_lossy(&files[&path]).into_owned();
                let is_done = text.contains("status: done");
                assert_eq!(is_done, other == number, "{path} on branch {number}");
            }
        }
    }
}

#[test]
fn one_that_waits_for_the_user_gives_its_slots_to_the_others() {
    let machine = machine(&["G1: T01 blocked; T02 after=T01", "G1: T01"], &["+a=1"]);
    let (ends, story) = walked(&machine, 2, 1, 1);
    assert_eq!(ends, ["FEAT-2026-0001/T01", "done"]);
    assert!(story.contains("landed FEAT-2026-0002/T01"), "{story}");
}

#[test]
fn no_more_features_are_begun_than_asked_and_in_their_order() {
    let sessions = ["+a=1"; 3];
    let in_turn = [
        "FEAT-2026-0001",
        "landed FEAT-2026-0001/T01",
        "FEAT-2026-0002",
        "landed FEAT-2026-0002/T01",
        "FEAT-2026-0003",
        "landed FEAT-2026-0003/T01",
    ];
    let one = machine(&["G1: T01"; 3], &sessions);
    walked(&one, 3, 4, 1);
    assert_eq!(begun(&one), in_turn);
    let two = machine(&["G1: T01"; 3], &sessions);
    walked(&two, 3, 4, 2);
    assert_eq!(begun(&two)[..2], ["FEAT-2026-0001", "FEAT-2026-0002"]);
}

#[test]
fn a_fault_in_one_plan_ends_that_feature_only() {
    let gate = format!("user+{DIR}/GATE-01.md=broken");
    let first = format!("+a=1 {gate}");
    let machine = machine(&["G1: T01", "G1: T01"], &[&first, "+b=1"]);
    let (ends, story) = walked(&machine, 2, 1, 9);
    assert!(
        ends[0].starts_with("failed: the plan was changed"),
        "{ends:?}"
    );
    assert_eq!(ends[1], "done", "{story}");
}

#[test]
fn a_fault_outside_the_plans_ends_the_walk() {
    let machine = machine(&["G1: T01", "G1: T01"], &["+a=1", "+b=1"]);
    machine.world().refs.remove("refs/heads/x2");
    let ended = walk_with(&drivers(&machine, 2), 1, 9, &|_, _| Ok(false));
    assert_eq!(ended.unwrap_err().kind, ErrorKind::Integrity);
}

#[test]
fn what_the_user_does_meanwhile_is_taken_up() {
    let unit = pending_unit().replace(' ', "·").replace('\n', "¶");
    let unblocks = format!("+b=1 user+{DIR}/WU-01.md={unit}");
    let blocked = "G1: T01 blocked";
    let machine = machine(&[blocked, "G1: T01"], &[&unblocks, "+a=1"]);
    let (ends, story) = walked(&machine, 2, 1, 9);
    assert_eq!(ends, ["done", "done"], "{story}");
}

#[test]
fn what_is_settled_at_a_stop_goes_on_at_once() {
    let machine = machine(&["G1: T01 blocked"], &["+a=1"]);
    let asked = Cell::new(0);
    let at_stop = |index: usize, _: &Stop| {
        asked.set(asked.get() + 1);
        assert_eq!(index, 0);
        if asked.get() > 1 {
            return Ok(false);
        }
        let path = format!("{DIR}/WU-01.md");
        machine.world().user_commits(&path, &pending_unit());
        Ok(true)
    };
    let ends = walk_with(&drivers(&machine, 1), 1, 1, &at_stop).unwrap();
    assert_eq!((word(&ends[0]).as_str(), asked.get()), ("done", 2));
}

#[test]
fn what_one_feature_learns_of_an_agent_the_others_know() {
    let machine = machine(&["G1: T01 blocked", "G1: T01"], &[]);
    let drivers = drivers(&machine, 2);
    let why = "claude: not logged in";
    drivers[0]
        .agents()
        .unusable
        .insert("claude".into(), why.into());
    let ends = walk_with(&drivers, 1, 9, &|_, _| Ok(false)).unwrap();
    assert_eq!(word(&ends[1]), format!("no agent: {why}"));
}

#[test]
fn one_that_waits_for_its_agent_holds_up_nobody_and_is_slept_for_last() {
    let machine = machine(&["G1: T01", "G1: T01"], &["+a=1"]);
    let drivers = drivers(&machine, 2);
    let later = jiff::Timestamp::from_second(1_900_000_000).unwrap();
    let trouble = AgentTrouble {
        wait_until: Some(later),
        ..AgentTrouble::default()
    };
    let unit = format!("{FEATURE}/T01");
    drivers[0].cache().trouble.insert(unit, trouble);
    // The machine's sleep ends by a request to stop.
    let ends = walk_with(&drivers, 1, 9, &|_, _| Ok(false)).unwrap();
    let ends: Vec<String> = ends.iter().map(word).collect();
    assert_eq!(ends, ["interrupted", "done"]);
    let waited = |e: &DriverEvent| matches!(e, DriverEvent::Waiting { .. });
    assert_eq!(
        machine.world().events.iter().filter(|e| waited(e)).count(),
        1
    );
}
