//! Units side by side: how much longer many take than one, how often their work is verified, and what more slots than
//! processors do to a command that needs a processor.

use super::walks::Walk;
use super::{Lab, make_executable, row};

const SLOW: &str = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; test -f README";

/// Units that are next to each other change the same file, four at a time.
const SHARED: &str = "n=${GATEWALK_UNIT##*/T}; n=${n#0}; echo $n >> shared-$(((n - 1) / 4))";

/// Prints them all.
pub(super) fn units_beside() {
    let two_seconds = |units| walk(units, "8", "sleep 2", None).milliseconds();
    let (one, eight) = (two_seconds(1), two_seconds(8));
    row("8 units of 2 s on 8 slots, of one", eight / one, "x", 1.25);
    let lab = lab_of(&[2; 4], "sleep 2", None);
    let over_four = start(&lab, &["--all", "--jobs", "8"]).milliseconds();
    let of_one = "8 units of 2 s on 8 slots, of four features, of one unit";
    row(of_one, over_four / one, "x", 1.3);
    let met = walk(64, "8", SHARED, None);
    let landed = met.count("landed") as f64;
    let sessions = "sessions of 64 units, four changing each file, on 8 slots";
    row(sessions, met.count("dispatched") as f64, "", 160.0);
    let judged = "their verifications, of one for each session";
    let commands = met.count("command") as f64;
    row(judged, commands / met.count("dispatched") as f64, "x", 1.5);
    assert_eq!(landed, 64.0);
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
    start(&lab_of(&[units], during, command), &["--jobs", jobs])
}

fn start(lab: &Lab, args: &[&str]) -> Walk {
    Walk::start(lab, &lab.root.path().join("agent.sh"), args)
}

/// Returns features with so many units each, whose sessions do something before their work.
fn lab_of(features: &[usize], during: &str, command: Option<&str>) -> Lab {
    let lab = Lab::new();
    lab.agent(during);
    make_executable(&lab.root.path().join("agent.sh"));
    if let Some(command) = command {
        lab.write(
            ".gatewalk/verification.yml",
            &format!("code:\n  - {{name: tests, command: \"{command}\"}}\n"),
        );
    }
    for (index, units) in features.iter().enumerate() {
        lab.feature(index + 1, *units, "active", "pending");
    }
    lab.commit();
    lab
}
