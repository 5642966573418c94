//! Units side by side: how much longer many take than one, how often their work is verified, and what more slots than
//! processors do to a command that needs a processor.

use super::walks::Walk;
use super::{Lab, make_executable, row};

const SLOW: &str = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; test -f README";

/// Prints the three.
pub(super) fn units_beside() {
    let two_seconds = |units| walk(units, "8", "sleep 2", None).milliseconds();
    let (one, eight) = (two_seconds(1), two_seconds(8));
    row("8 units of 2 s on 8 slots, of one", eight / one, "x", 1.25);
    let many = walk(64, "64", "", None);
    row(
        "verifications of 64 units on 64 slots",
        many.count("command") as f64,
        "",
        128.0,
    );
    let busy = |jobs| walk(16, jobs, "", Some(SLOW)).milliseconds();
    let (two, eight) = (busy("2"), busy("8"));
    row(
        "16 units with a busy command, --jobs 8 of --jobs 2",
        eight / two,
        "x",
        1.05,
    );
}

fn walk(units: usize, jobs: &str, during: &str, command: Option<&str>) -> Walk {
    let lab = Lab::new();
    lab.agent(during);
    make_executable(&lab.root.path().join("agent.sh"));
    if let Some(command) = command {
        lab.write(
            ".gatewalk/verification.yml",
            &format!("code:\n  - {{name: tests, command: \"{command}\"}}\n"),
        );
    }
    lab.feature(1, units, "active", "pending");
    lab.commit();
    Walk::start(&lab, &lab.root.path().join("agent.sh"), &["--jobs", jobs])
}
