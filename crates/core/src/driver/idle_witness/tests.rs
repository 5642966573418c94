use super::*;
use crate::driver::plan_commit::place;
use crate::driver::ports::CommitRequest;
use crate::driver::test_machine::MemoryMachine;
use crate::driver::test_run::{driver, machine, run};
use crate::engine::test_snapshot::{DIR, id};
use std::time::{Duration, Instant};

const ORACLE: &str = "code:\n  - {name: work, command: holds a.c seen}\n";

/// A machine on which T01 has landed with a line that no check sees, and that landing.
fn landed(oracle: &str) -> (MemoryMachine, UnseenLanding) {
    let machine = machine("G1: T01; T02 draft", oracle, "+a.c=seen¶more¶");
    let base = *machine.world().tip();
    run(&machine).unwrap();
    let commit = {
        let world = machine.world();
        let landing = world
            .commits
            .iter()
            .find(|(_, c)| c.message.contains("Attempt-Id:"));
        *landing.unwrap().0
    };
    machine.world().ran.clear();
    let unit = id("T01");
    (machine, UnseenLanding { unit, base, commit })
}

/// Lets an idle worker work until something holds, at most a minute.
fn work_until(driver: &Driver<'_>, free: bool, holds: impl Fn() -> bool) -> bool {
    let idle = IdleWorker::new(&[driver], 1);
    std::thread::scope(|scope| {
        let _end = idle.begin(scope).unwrap();
        idle.may_work(free);
        let until = Instant::now() + Duration::from_secs(60);
        while !holds() && Instant::now() < until {
            std::thread::yield_now();
        }
        holds()
    })
}

#[test]
fn a_landing_is_looked_at_while_a_worker_is_free_and_written_with_the_next_commit() {
    let (machine, landing) = landed(ORACLE);
    let driver = driver(&machine, 2);
    driver.leave_to_idle(landing).unwrap();
    assert!(work_until(&driver, true, || !driver
        .cache()
        .backlog
        .unwritten
        .is_empty()));
    assert!(driver.cache().backlog.unseen.is_empty());
    let slots: Vec<SlotId> = machine.world().ran.iter().map(|(slot, _)| *slot).collect();
    assert!(
        slots.iter().all(|slot| *slot == SlotId::Verification(1)),
        "{slots:?}"
    );
    // Only a commit that writes into the log carries it.
    let mut other = vec![("a.c".to_owned(), String::new())];
    assert!(driver.carry_witnesses(&mut other).is_empty());
    let mut edits = vec![(format!("{DIR}/events.jsonl"), String::new())];
    let carried = driver.carry_witnesses(&mut edits);
    assert_eq!(carried.len(), 1);
    assert!(
        edits[0].1.contains("\"event_type\":\"unit_witnessed\""),
        "{}",
        edits[0].1
    );
    assert!(edits[0].1.contains("more"), "{}", edits[0].1);
    assert!(driver.cache().backlog.unwritten.is_empty());
    assert!(driver.carry_witnesses(&mut edits).is_empty());
}

#[test]
fn what_was_seen_is_kept_until_a_commit_that_carries_it_is_placed() {
    let (machine, landing) = landed(ORACLE);
    let driver = driver(&machine, 2);
    let base = landing.base;
    driver.leave_to_idle(landing).unwrap();
    let seen = || driver.cache().backlog.unwritten.len();
    assert!(work_until(&driver, true, || seen() == 1));
    let tip = *machine.world().tip();
    let tree = machine.world().commits[&tip].tree;
    let log = || vec![(format!("{DIR}/events.jsonl"), String::new())];
    for (parent, placed, left) in [(base, false, 1), (tip, true, 0)] {
        let request = CommitRequest {
            tree,
            parent,
            message: "log\n",
        };
        let came_to = place(&driver, &request, log()).unwrap();
        assert_eq!((came_to.is_some(), seen()), (placed, left));
    }
}

#[test]
fn nothing_is_looked_at_while_nobody_is_free_and_the_end_does_not_wait() {
    let (machine, landing) = landed(ORACLE);
    let driver = driver(&machine, 2);
    driver.leave_to_idle(landing.clone()).unwrap();
    assert!(work_until(&driver, false, || true));
    assert!(machine.world().ran.is_empty());
    assert_eq!(driver.cache().backlog.unseen.front(), Some(&landing));
    // Nor where the run was asked to stop.
    machine.world().stopping = true;
    assert!(work_until(&driver, true, || true));
    assert_eq!(driver.cache().backlog.unseen.front(), Some(&landing));
}

#[test]
fn only_where_the_project_shows_it_a_landing_is_left_to_the_idle() {
    for (settings, left) in [("", 1), ("witness: show\n", 1), ("witness: off\n", 0)] {
        let (machine, landing) = landed(&format!("{settings}{ORACLE}"));
        let driver = driver(&machine, 2);
        driver.leave_to_idle(landing).unwrap();
        assert_eq!(driver.cache().backlog.unseen.len(), left, "{settings}");
    }
}
