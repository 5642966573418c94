//! Commands that take long: which runs first, which is spared, which share a slot, which are reused.

use crate::world::{Unit, World, ended, good, text};

fn world(units: &[(&str, &str, &str)], oracle: &str) -> World {
    let units: Vec<Unit<'_>> = units
        .iter()
        .map(|(id, front, session)| Unit {
            id,
            front,
            sessions: std::slice::from_ref(session),
            ..Unit::default()
        })
        .collect();
    let world = World::with_units(&units);
    world.write(".gatewalk/verification.yml", oracle);
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "the oracle"]);
    world
}

#[test]
fn what_a_failure_makes_needless_is_skipped_and_said_to_be() {
    let oracle = "code:\n  - name: slow\n    command: sleep 1.5; sh check.sh\n  - name: quick\n    command: sh check.sh\n";
    let half = good("T02").replace("whole", "half");
    let front = "max_attempts: 1\n";
    let (one, two) = (good("T01"), half);
    let world = world(&[("T01", "", &one), ("T02", front, &two)], oracle);
    ended(&world.walk(), 11, "T02");
    let shown = ended(&world.run(&["attempts", "show", "T02"]), 0, "skipped");
    let why = "`quick` failed in";
    assert!(
        shown.contains(why) && shown.contains("was not run"),
        "{shown}"
    );
    let record = text(&world.run(&["attempts", "show", "T02", "--json"]));
    let quick = record.find("\"quick\"").expect("quick ran");
    let slow = record.find("\"slow\"").expect("slow is listed");
    assert!(quick < slow, "the cheapest comes first: {record}");
    let log = world.git(&[
        "show",
        "feat/FEAT-2026-0001-greetings:.gatewalk/features/FEAT-2026-0001-greetings/events.jsonl",
    ]);
    let took = |name: &str, line: &str| -> f64 {
        let at = line
            .find(&format!("\"name\":\"{name}\""))
            .expect("the command");
        let rest = &line[at..];
        let at = rest.find("\"seconds\":").expect("its seconds") + 10;
        let end = rest[at..].find(['}', ',']).expect("an end");
        rest[at..at + end].parse().expect("a number")
    };
    let mut outcomes = log.lines().filter(|l| l.contains("attempt_outcome"));
    let (first, second) = (outcomes.next().unwrap(), outcomes.next().unwrap());
    let before = took("slow", first) + took("quick", first);
    println!(
        "time to the first red: {:.2}s instead of {before:.2}s",
        took("quick", second)
    );
    assert!(took("slow", second) == 0.0 && took("slow", first) >= 1.5);
}

#[test]
fn commands_marked_parallel_share_a_slot() {
    // Each waits for the other: one after the other, the first would wait in vain.
    let meet = |own: &str, other: &str| {
        format!(
            "touch {own}; n=0; while [ ! -e {other} ] && [ $n -lt 300 ]; do sleep 0.1; n=$((n+1)); done; test -e {other} && sh check.sh"
        )
    };
    let oracle = format!(
        "code:\n  - name: a\n    command: {:?}\n    parallel: true\n  - name: b\n    command: {:?}\n    parallel: true\n  - name: check\n    command: sh check.sh\n",
        meet("a.met", "b.met"),
        meet("b.met", "a.met")
    );
    let session = good("T01");
    let world = world(&[("T01", "expects_red: [a, b]\n", &session)], &oracle);
    world.write(".gitignore", "*.met\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "ignore"]);
    ended(&world.walk(), 0, "FEAT-2026-0001");
}

#[test]
fn a_result_whose_inputs_did_not_change_is_shown_as_reused() {
    let oracle = "code:\n  - name: docs\n    command: test -e README.md && sh check.sh\n    inputs: [README.md, check.sh]\n  - name: check\n    command: sh check.sh\n";
    let (one, two) = (good("T01"), good("T02"));
    let world = world(&[("T01", "", &one), ("T02", "", &two)], oracle);
    ended(&world.walk(), 0, "reused");
    let shown = ended(&world.run(&["attempts", "show", "T02"]), 0, "reused");
    assert!(shown.contains("none of its `inputs` changed"), "{shown}");
    let status = text(&world.run(&["status", "FEAT-2026-0001"]));
    assert!(!status.contains("not run on the tip"), "{status}");
}
