//! `stats` on logs of every age: the oldest name no attempt at all, later ones only those that failed and
//! without figures, the newest all of them. What is expected was added up by hand.

use crate::cycle::Stage;
use serde_json::{Value, json};

fn line(unit: &str, kind: &str, payload: Value) -> String {
    json!({
        "timestamp": "2026-05-01T10:00:00Z", "correlation_id": unit, "event_type": kind, "source": "driver",
        "source_version": "0.9", "payload": payload,
    })
    .to_string()
        + "\n"
}

fn usage(attempts: &[(u32, Option<f64>, f64)]) -> Value {
    let list: Vec<Value> = attempts
        .iter()
        .map(|(n, cost, seconds)| json!({"attempt": n, "cost_usd": cost, "duration_seconds": seconds}))
        .collect();
    json!({"attempts": attempts.len(), "attempts_usage": list})
}

fn feature(stage: &Stage, id: &str, status: &str, units: &[(&str, &str, &str)], log: &str) {
    let dir = format!(".specfuse/features/{id}-a");
    let mut graph = String::new();
    for (n, (unit, kind, state)) in units.iter().enumerate() {
        let file = format!("WU-{n:02}-a.md");
        graph.push_str(&format!(
            "      - id: {id}/{unit}\n        file: {file}\n        depends_on: []\n"
        ));
        stage.write(
            &format!("{dir}/{file}"),
            &format!("---\nid: {id}/{unit}\ntype: {kind}\nstatus: {state}\n---\n\n# A\n"),
        );
    }
    stage.write(
        &format!("{dir}/PLAN.md"),
        &format!("---\nfeature_id: {id}\ntitle: A\nbranch: feat/{id}\nroadmap_goal: a\nstatus: {status}\n---\n\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n{graph}```\n"),
    );
    stage.write(
        &format!("{dir}/GATE-01.md"),
        "---\ngate: 1\nstatus: open\n---\n",
    );
    stage.write(&format!("{dir}/events.jsonl"), log);
}

/// Two finished units and a closing that was refused three times; a unit whose log has all it may have.
fn stage() -> Stage {
    let stage = Stage::empty();
    let (a, b) = ("FEAT-2026-0001", "FEAT-2026-0002");
    let one = |unit: &str, kind: &str, payload: Value| line(&format!("{a}/{unit}"), kind, payload);
    let refused = |n: u32| json!({"outcome": "closing_deliverable_missing", "attempt": n});
    let older = [
        one("T01", "task_started", json!({})),
        one(
            "T01",
            "task_completed",
            usage(&[(1, Some(0.25), 10.0), (2, Some(0.5), 20.0)]),
        ),
        one("T02", "task_started", json!({})),
        one(
            "T02",
            "attempt_outcome",
            json!({"outcome": "files_changed_mismatch", "attempt": 1}),
        ),
        one(
            "T02",
            "task_completed",
            usage(&[(1, Some(1.0), 30.0), (2, Some(0.75), 40.0)]),
        ),
        one("G1-CLOSE", "task_started", json!({})),
        one("G1-CLOSE", "attempt_outcome", refused(1)),
        one("G1-CLOSE", "attempt_outcome", refused(2)),
        one("G1-CLOSE", "attempt_outcome", refused(3)),
        one(
            "G1-CLOSE",
            "human_escalation",
            usage(&[
                (1, Some(2.0), 100.0),
                (2, Some(1.0), 50.0),
                (3, Some(0.5), 25.0),
            ]),
        ),
        one("G1-CLOSE", "task_started", json!({})),
        one(
            "G1-CLOSE",
            "attempt_outcome",
            json!({"outcome": "passed", "attempt": 1, "cost_usd": 0.25, "duration_seconds": 60.0}),
        ),
        one(
            "G1-CLOSE",
            "task_completed",
            usage(&[(1, Some(0.25), 60.0)]),
        ),
    ];
    let units = [
        ("T01", "implementation", "done"),
        ("T02", "implementation", "done"),
        ("G1-CLOSE", "close", "done"),
    ];
    feature(&stage, a, "done", &units, &older.concat());
    let two = |kind: &str, payload: Value| line(&format!("{b}/T01"), kind, payload);
    let newer = [
        two("task_started", json!({})),
        two(
            "attempt_outcome",
            json!({"outcome": "failed", "attempt": 1, "failure_class": "tests", "cost_usd": 0.1, "duration_seconds": 5.0}),
        ),
        two(
            "attempt_outcome",
            json!({"outcome": "failed", "attempt": 2, "failure_class": "other", "cost_usd": null, "duration_seconds": 7.0}),
        ),
        two(
            "human_escalation",
            usage(&[(1, Some(0.1), 5.0), (2, None, 7.0)]),
        ),
        "{\"torn\": ".to_owned() + "\n",
        two("re_arm_dispatched", json!({})),
        two(
            "attempt_outcome",
            json!({"outcome": "passed", "attempt": 1, "cost_usd": 0.2, "duration_seconds": 8.0}),
        ),
    ];
    let units = [
        ("T01", "implementation", "done"),
        ("T02", "implementation", "pending"),
    ];
    feature(&stage, b, "active", &units, &newer.concat());
    stage.commit("start");
    stage
}

#[test]
fn a_cost_by_a_list_of_prices_is_said_to_be_an_estimate() {
    let stage = Stage::empty();
    let id = "FEAT-2026-0001";
    let outcome = |attempt: u32, estimated: bool| {
        let mut payload = json!({"outcome": "failed", "attempt": attempt, "cost_usd": 0.5});
        if estimated {
            payload["cost_estimated"] = json!(true);
        }
        line(&format!("{id}/T01"), "attempt_outcome", payload)
    };
    let units = [("T01", "implementation", "pending")];
    let log = outcome(1, true) + &outcome(2, false);
    feature(&stage, id, "active", &units, &log);
    stage.commit("start");
    let (out, err) = stage.run(0, &["stats"]);
    let said = out + &err;
    assert!(
        said.contains("of 1 attempt the cost is an estimate"),
        "{said}"
    );
    let (said, _) = stage.run(0, &["stats", "--json"]);
    let said: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(said["total"]["all"]["estimated_cost"], 1, "{said}");
}

#[test]
fn attempts_cost_and_waste_are_added_up_from_logs_of_every_age() {
    let (said, _) = stage().run(0, &["stats", "--json"]);
    let said: Value = serde_json::from_str(&said).expect("JSON");
    let sum = |attempts: u32, cost: f64, unknown: u32, seconds: f64| json!({"attempts": attempts, "cost_usd": cost, "unknown_cost": unknown, "seconds": seconds});
    let unknown = |attempts: u32, seconds: f64| json!({"attempts": attempts, "cost_usd": null, "unknown_cost": attempts, "seconds": seconds});
    for (at, key, want) in [
        ("/features/0", "all", sum(8, 6.25, 0, 335.0)),
        ("/features/0", "wasted", sum(5, 4.75, 0, 215.0)),
        ("/features/0", "ceremony", sum(4, 3.75, 0, 235.0)),
        ("/features/0/waste", "unrecorded", sum(1, 0.25, 0, 10.0)),
        (
            "/features/0/waste",
            "files_changed_mismatch",
            sum(1, 1.0, 0, 30.0),
        ),
        (
            "/features/0/waste",
            "closing_deliverable_missing",
            sum(3, 3.5, 0, 175.0),
        ),
        ("/features/1", "all", sum(3, 0.3, 1, 20.0)),
        ("/features/1", "wasted", sum(2, 0.1, 1, 12.0)),
        ("/features/1/waste", "tests", sum(1, 0.1, 0, 5.0)),
        ("/features/1/waste", "failed", unknown(1, 7.0)),
        ("/total", "all", sum(11, 6.55, 1, 355.0)),
        ("/total", "wasted", sum(7, 4.85, 1, 227.0)),
        ("/total", "passed", json!(4)),
        ("/total", "escalations", json!(2)),
        ("/total", "unblocked", json!(1)),
        ("/total", "unreadable", json!(1)),
    ] {
        let got = &said.pointer(at).unwrap_or(&Value::Null)[key];
        let mut rounded = got.clone();
        if let Some(cost) = got["cost_usd"].as_f64() {
            rounded["cost_usd"] = json!((cost * 1e6).round() / 1e6);
        }
        assert_eq!(rounded, want, "{at}/{key}");
    }
}

#[test]
fn the_table_shows_the_dearest_cause_first_and_what_is_unknown() {
    let (said, notes) = stage().run(0, &["stats"]);
    let words: Vec<Vec<&str>> = said
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(
        words[1],
        [
            "FEAT-2026-0001",
            "done",
            "3/3",
            "8",
            "3",
            "$6.25",
            "$4.75",
            "$3.75",
            "1"
        ]
    );
    assert_eq!(
        words[2],
        [
            "FEAT-2026-0002",
            "active",
            "1/2",
            "3",
            "1",
            "≥$0.30",
            "≥$0.10",
            "–",
            "1"
        ]
    );
    assert_eq!(
        words[3],
        ["total", "4/5", "11", "4", "≥$6.55", "≥$4.85", "$3.75", "2"]
    );
    let causes: Vec<&str> = words[6..].iter().map(|w| w[0]).collect();
    assert_eq!(
        causes,
        [
            "closing_deliverable_missing",
            "files_changed_mismatch",
            "unrecorded",
            "tests",
            "failed"
        ]
    );
    assert!(
        notes.contains("of 1 attempt the cost is not known"),
        "{notes}"
    );
    assert!(
        notes.contains("1 line of the logs could not be read"),
        "{notes}"
    );
}

#[test]
fn the_recorded_policy_replays_to_what_is_recorded_and_another_to_less() {
    let stage = stage();
    let read = |args: &[&str]| -> Value {
        let (said, _) = stage.run(0, args);
        serde_json::from_str(&said).unwrap()
    };
    let total = read(&["stats", "--json"])["total"].clone();
    let replayed = read(&["stats", "--what-if", "--attempts", "1", "--json"]);
    let recorded = &replayed["recorded"];
    for (own, of_stats) in [
        ("attempts", &total["all"]["attempts"]),
        ("landed", &total["passed"]),
        ("cost_usd", &total["all"]["cost_usd"]),
        ("unknown_cost", &total["all"]["unknown_cost"]),
        ("agent_seconds", &total["all"]["seconds"]),
        ("waiting_seconds", &total["waiting"]["all"]["seconds"]),
    ] {
        assert_eq!(recorded[own], *of_stats, "{own}: {replayed}");
    }
    let capped = &replayed["policies"][0]["totals"];
    assert!(
        capped["attempts"].as_u64() < recorded["attempts"].as_u64(),
        "{replayed}"
    );
    let (table, assumed) = stage.run(0, &["stats", "--what-if"]);
    assert!(
        table.contains("recorded") && table.contains("mechanical close"),
        "{table}"
    );
    assert!(assumed.contains("assumes that"), "{assumed}");
}

#[test]
fn a_review_says_when_the_log_is_too_thin_to_say_more() {
    let world = crate::world::two_units();
    let said = crate::world::text(&world.run(&["review"]));
    assert!(said.contains("the log is too thin"), "{said}");
}

#[test]
fn a_review_says_that_edits_of_the_plan_are_not_shown_until_they_are_committed() {
    let world = crate::world::two_units();
    let says = || {
        let shown = crate::world::text(&world.run(&["review"]));
        shown.contains("uncommitted edits, which are not shown")
    };
    assert!(!says());
    let made = world.run(&["new", "gate", "More of it"]);
    assert!(made.status.success(), "{}", crate::world::text(&made));
    assert!(says());
    world.git(&["add", "--all"]);
    world.git(&["commit", "--quiet", "--message", "More"]);
    assert!(!says());
}

#[test]
fn a_watched_view_is_drawn_until_it_is_stopped() {
    use std::io::{BufRead, BufReader};
    let world = crate::world::two_units();
    for view in ["status", "board"] {
        let mut command = world.command(crate::world::PROGRAM);
        command
            .args([view, "--watch"])
            .stdout(std::process::Stdio::piped());
        let mut watched = command.spawn().unwrap();
        let mut lines = BufReader::new(watched.stdout.take().unwrap()).lines();
        // Twice the same first line: it was drawn anew.
        let first = lines.next().unwrap().unwrap();
        assert!(lines.any(|line| line.unwrap() == first), "{view}");
        let pid = rustix::process::Pid::from_child(&watched);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        assert_eq!(watched.wait().unwrap().code(), Some(0), "{view}");
    }
}
