//! What commands cost that only read: each should read what it needs, whatever lies beside it.

use super::{BINARY, Lab, median, ok, rounds, row, time};
use serde_json::json;

/// As many finished features as a team has after years.
const MANY: usize = 1_000;

/// Commands that look at every feature, or at one.
pub(super) fn status_and_dry_run() {
    let lab = Lab::new();
    for feature in 1..=99 {
        lab.feature(feature, 5, "done", "done");
    }
    lab.feature(100, 5, "active", "pending");
    lab.commit();
    for args in [&["status"][..], &["loop", "--dry-run"]] {
        let what = format!("{} at 100 features", args.join(" "));
        row(&what, typical(&lab, args), "ms", 30.0);
    }
}

/// How long the story of one unit takes where there are many beside it.
pub(super) fn why() {
    let lab = Lab::new();
    lab.feature(1, 3_600, "active", "pending");
    lab.commit();
    row(
        "why at 3,600 units",
        typical(&lab, &["why", "T3599"]),
        "ms",
        100.0,
    );
}

/// The same commands with ten times as many features, of one unit each. What one feature's log takes is counted in processor
/// time, for it says the same on a busy machine.
pub(super) fn at_many_features() {
    let lab = Lab::new();
    for feature in 1..MANY {
        lab.feature(feature, 1, "planned", "draft");
    }
    lab.feature(MANY, 1, "active", "pending");
    let line = |number: usize| {
        json!({
            "timestamp": "2026-11-01T12:00:00Z",
            "correlation_id": "FEAT-2026-0500/T01",
            "event_type": "task_started",
            "source": "driver",
            "payload": {"attempt": number},
        })
    };
    let log: String = (0..200)
        .map(|number| format!("{}\n", line(number)))
        .collect();
    lab.write(".gatewalk/features/FEAT-2026-0500-bench/events.jsonl", &log);
    lab.commit();
    for args in [
        &["lint"][..],
        &["status"],
        &["board"],
        &["loop", "--dry-run"],
    ] {
        let figure = typical(&lab, args);
        let what = format!("{} at {MANY} features", args.join(" "));
        println!("{what:<52} {figure:>9.2} ms");
    }
    let args = ["log", "--feature", "FEAT-2026-0500"];
    ok(BINARY, &args, &lab.repo());
    // The clock counts hundredths of a second.
    const RUNS: u32 = 25;
    let before = children();
    for _ in 0..RUNS {
        ok(BINARY, &args, &lab.repo());
    }
    let each = (children() - before) / f64::from(RUNS);
    let what = format!("log of one feature at {MANY}, processor time");
    row(&what, each, "ms", 30.0);
}

/// Returns how long a command takes in the middle of some runs, the first left out, in milliseconds.
fn typical(lab: &Lab, args: &[&str]) -> f64 {
    ok(BINARY, args, &lab.repo());
    let runs = (0..rounds()).map(|_| time(|| ok(BINARY, args, &lab.repo())));
    median(runs.collect())
}

/// Returns the processor time of the children that were waited for, in milliseconds.
fn children() -> f64 {
    let all = super::walks::ticks(std::process::id(), 4);
    all - super::walks::ticks(std::process::id(), 2)
}
