use crate::driver::committed_plan::attempt_ref;
use crate::driver::driver_event::DriverEvent;
use crate::driver::test_machine::MemoryMachine;
use crate::driver::test_run::{ORACLE, driver, machine, run, story};
use crate::engine::attempt_record::{AttemptRecord, AttemptVerdict, Judgement};
use crate::engine::test_snapshot::id;

fn record(machine: &MemoryMachine, name: &str) -> AttemptRecord {
    let world = machine.world();
    let commit = &world.refs[name];
    AttemptRecord::from_message(&world.commits[commit].message).unwrap()
}

/// Returns a unit's attempt with a file of its own making, as of a minute.
fn left(
    machine: &MemoryMachine,
    unit: &str,
    (file, text): (&str, &str),
    minute: u32,
) -> AttemptRecord {
    let mut left = record(machine, &attempt_ref(&id(unit), 1));
    let mut world = machine.world();
    let mut files = world.files(&left.base).unwrap().clone();
    files.insert(file.to_owned(), text.as_bytes().into());
    left.tree = world.put_tree(files);
    left.started_at = format!("2026-01-01T00:{minute:02}:00Z");
    left
}

#[test]
fn work_that_does_not_fit_what_waits_to_land_is_reported_as_soon_as_it_is_there() {
    for (other, of_other, optimistic, want) in [
        ("open@x", ("a", "one"), true, "T02 T01 a"),
        ("pass@x", ("a", "one"), true, "T02 T01 a"),
        ("fail@x", ("a", "one"), true, ""),
        ("open@x", ("b", "one"), true, ""),
        ("open@x", ("a", "two"), true, ""),
        ("open@x", ("a", "one"), false, ""),
    ] {
        for minute in [1, 3] {
            let situation = format!("G1: T01 tried={other}; T02 tried=open@y; T03");
            let machine = machine(&situation, ORACLE, "");
            let mut driver = driver(&machine, 2);
            driver.options.optimistic = optimistic;
            let one = left(&machine, "T01", of_other, minute);
            driver.cache().attempts.charge(one);
            // Its own earlier work is nobody else's.
            let own = left(&machine, "T02", ("a", "old"), 0);
            driver.cache().attempts.charge(own);
            let now = left(&machine, "T02", ("a", "two"), 2);
            driver.probe_collisions(&now).unwrap();
            let world = machine.world();
            let seen = world.events.iter().filter_map(|event| match event {
                DriverEvent::Collision { unit, with, paths } => {
                    Some(format!("{unit} {with} {}", paths.join(",")))
                }
                _ => None,
            });
            let seen: Vec<String> = seen.collect();
            let seen = seen.join("; ").replace("FEAT-2026-0001/", "");
            assert_eq!(seen, want, "{other} {of_other:?} {optimistic}");
        }
    }
}

#[test]
fn work_that_has_landed_is_no_longer_in_the_way() {
    let machine = machine("G1: T01 done tried=pass@x; T02 tried=open@y", ORACLE, "");
    let mut driver = driver(&machine, 2);
    driver.options.optimistic = true;
    driver
        .cache()
        .attempts
        .charge(left(&machine, "T01", ("a", "one"), 1));
    let now = left(&machine, "T02", ("a", "two"), 2);
    driver.probe_collisions(&now).unwrap();
    assert_eq!(machine.world().events, vec![]);
}

#[test]
fn what_is_set_aside_keeps_what_it_did_not_fit_and_the_next_session_reads_it() {
    let machine = machine("G1: T01", ORACLE, "+a.txt=its user+a.txt=yours;+b.txt");
    run(&machine).unwrap();
    let told = story(&machine);
    assert!(told.starts_with("conflict T01"), "{told}");
    let aside = record(
        &machine,
        &format!("refs/gatewalk/uncharged/{}/1", id("T01")),
    );
    let collision = aside.collision.unwrap();
    assert_eq!(
        (collision.paths, collision.units),
        (vec!["a.txt".to_owned()], vec![])
    );
    let world = machine.world();
    let read = |n: usize| world.prompts[n].contains("collided with other work");
    assert!(!read(0) && read(1), "{:?}", world.prompts);
    assert!(world.prompts[1].contains("- `a.txt`"));
}

#[test]
fn the_units_named_are_those_that_landed_since_and_changed_the_same_paths() {
    for (touched, settled_before, want) in [
        (&["a"][..], false, vec![id("T01")]),
        (&["b", "a"], false, vec![id("T01")]),
        (&["b"], false, vec![]),
        (&["a"], true, vec![]),
    ] {
        let machine = machine("G1: T01 done tried=pass@x; T02 tried=open@y", ORACLE, "");
        let driver = driver(&machine, 2);
        let tip = driver.tip().unwrap();
        let mut one = left(&machine, "T01", ("a", "one"), 1);
        one.judgement = Some(Judgement {
            verdict: AttemptVerdict::Passed,
            files_touched: touched.iter().map(|path| (*path).to_owned()).collect(),
            ..Judgement::unproven(one.tree, one.base, String::new())
        });
        driver.cache().attempts.charge(one);
        let before = match settled_before {
            true => tip,
            false => {
                let mut world = machine.world();
                let mut files = world.files(&tip).unwrap().clone();
                let path = format!("{}/WU-01.md", crate::engine::test_snapshot::DIR);
                let text = String::from_utf8(files[&path].to_vec()).unwrap();
                let text = text.replace("status: done", "status: pending");
                files.insert(path, text.into_bytes().into());
                let tree = world.put_tree(files);
                world.commit("refs/before", &tree, "before")
            }
        };
        let named = driver
            .landed_since(&before, &tip, &["a".to_owned()])
            .unwrap();
        assert_eq!(named, want, "{touched:?} {settled_before}");
    }
}

#[test]
fn with_optimistic_work_that_does_not_fit_is_set_aside_before_anything_is_verified() {
    for (optimistic, judged) in [(true, 1), (false, 2)] {
        let machine = machine("G1: T01", ORACLE, "+a.txt=its user+a.txt=yours;+b.txt");
        let mut driver = driver(&machine, 1);
        driver.options.optimistic = optimistic;
        driver.run().unwrap();
        let told = story(&machine);
        assert!(told.starts_with("conflict T01, landed T01"), "{told}");
        let world = machine.world();
        let commands = world.events.iter();
        let commands = commands
            .filter(|e| matches!(e, DriverEvent::Command { .. }))
            .count();
        assert_eq!(commands, judged, "{optimistic}");
        let kept = &world.refs[&format!("refs/gatewalk/uncharged/{}/1", id("T01"))];
        assert_eq!(&*world.files(kept).unwrap()["a.txt"], b"its");
    }
}
