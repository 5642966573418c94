//! Units side by side, with the real binary: what that costs in verifications, and what a failure among them spoils.

use super::world::{BRANCH, Unit, World, good, text};
use serde_json::Value;

fn events(units: &[Unit<'_>], jobs: &str) -> (World, Vec<Value>) {
    let world = World::with_units(units);
    let output = world
        .driver(&world.root.join("sessions"))
        .args(["--json", "--jobs", jobs])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines = stdout.lines().map(|l| serde_json::from_str(l).unwrap());
    (world, lines.collect())
}

fn count(events: &[Value], kind: &str, unit: Option<&str>) -> usize {
    let is = |event: &&Value| {
        event["event"] == kind
            && unit.is_none_or(|unit| event["unit"] == format!("FEAT-2026-0001/{unit}"))
    };
    events.iter().filter(is).count()
}

#[test]
#[ignore = "long"]
fn units_side_by_side_are_verified_once_each() {
    let ids: Vec<String> = (1..=12).map(|n| format!("T{n:02}")).collect();
    let sessions: Vec<String> = ids.iter().map(|id| good(id)).collect();
    let sessions: Vec<[&str; 1]> = sessions.iter().map(|s| [s.as_str()]).collect();
    let unit = |(id, sessions)| Unit {
        id,
        sessions,
        ..Unit::default()
    };
    let units: Vec<Unit<'_>> = ids
        .iter()
        .zip(&sessions)
        .map(|(id, s)| unit((id, &s[..])))
        .collect();
    let (world, events) = events(&units, "8");
    assert_eq!(count(&events, "landed", None), ids.len());
    assert_eq!(count(&events, "command", None), ids.len());
    for id in ids {
        let landed = world.git(&["show", &format!("{BRANCH}:{id}.txt")]);
        assert_eq!(landed.trim(), "whole");
    }
    assert_eq!(world.git(&["status", "--porcelain"]), "");
    // What was judged is on record, and can be judged again.
    let again = world.run(&["verify", "T12"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again));
}

#[test]
fn a_unit_that_fails_costs_those_beside_it_nothing() {
    let bad = "steps:\n  - write: T02.txt\n    content: half\n".to_owned();
    let sessions = [
        ("T01", vec![good("T01")]),
        ("T02", vec![bad, good("T02")]),
        ("T03", vec![good("T03")]),
    ];
    let sessions = sessions.each_ref().map(|(id, all)| {
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        (*id, all)
    });
    let units = sessions.each_ref().map(|(id, sessions)| Unit {
        id,
        sessions,
        ..Unit::default()
    });
    let (_world, events) = events(&units, "3");
    assert_eq!(count(&events, "failed", None), 1);
    for (id, failures) in [("T01", 0), ("T02", 1), ("T03", 0)] {
        assert_eq!(count(&events, "failed", Some(id)), failures, "{id}");
        assert_eq!(count(&events, "landed", Some(id)), 1, "{id}");
    }
}
