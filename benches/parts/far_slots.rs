//! Slots on runners: what one costs beside a slot here, what a warm one costs beside the first, many on one host, and what
//! many cost home. The far end is this machine behind a pipe, so what is measured is the program and no network.

use super::walks::Walk;
use super::{BINARY, Lab, make_executable, row};
use std::time::{Duration, Instant};

/// Units of a walk whose cost is a slope.
const UNITS: usize = 16;

/// Prints the figures.
pub(super) fn far_slots() {
    let (here, there) = (walk(UNITS, "", "1", 0), walk(UNITS, "", "1", 1));
    let added = there.cost(UNITS).unit - here.cost(UNITS).unit;
    row(
        "a session on a runner, more than one here",
        added,
        "ms",
        400.0,
    );
    row("a shell behind a pipe, for comparison", bare(), "ms", 20.0);
    let two_seconds = |units, slots| walk(units, "sleep 2", "1", slots).milliseconds();
    let (one, many) = (two_seconds(1, 1), two_seconds(64, 64));
    row(
        "64 units of 2 s on 64 slots of a host, of one",
        many / one,
        "x",
        12.0,
    );
}

/// Walks units, each of which does `during` first, in so many slots of a runner, or here.
fn walk(units: usize, during: &str, here: &str, there: usize) -> Walk {
    let lab = Lab::new();
    lab.agent(during);
    make_executable(&lab.root.path().join("agent.sh"));
    lab.feature(1, units, "active", "pending");
    lab.commit();
    let agent = lab.root.path().join("agent.sh");
    if there == 0 {
        return Walk::start(&lab, &agent, &["--jobs", here]);
    }
    let config = lab.root.path().join("home/.config/gatewalk/config.yml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    let far = lab.root.path().join("far");
    std::fs::create_dir_all(&far).unwrap();
    let text = format!(
        "runners:\n  big:\n    command: [env, \"HOME={}\", \"{BINARY}\", far-end]\n    slots: {there}\n",
        far.display()
    );
    std::fs::write(config, text).unwrap();
    Walk::start(&lab, &agent, &["--runner", "big"])
}

/// Returns how long a shell takes to start and answer, in milliseconds.
fn bare() -> f64 {
    let times = (0..15).map(|_| {
        let began = Instant::now();
        let answered = std::process::Command::new("sh")
            .args(["-c", "echo"])
            .output();
        assert!(answered.unwrap().status.success());
        began.elapsed()
    });
    let least = times.min().unwrap_or(Duration::ZERO);
    least.as_secs_f64() * 1000.0
}
