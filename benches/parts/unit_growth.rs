//! What a unit costs where there is much beside it: finished features, units that have landed, entries of the home.
//! Processor time counts, for it says the same on a busy machine.

use super::walks::{Walk, median_of};
use super::{Lab, make_executable, rounds, row};
use std::fs;

/// As many as a slope of processor time needs that the clock counts in hundredths of a second.
const UNITS: usize = 64;
const LONG: usize = 900;

/// Prints each beside the plain unit.
pub(super) fn unit_growth() {
    let plain = || slope(&lab(0, 100, UNITS), "auto");
    let beside = || slope(&lab(5_000, 100, UNITS), "auto");
    let home = || slope(&lab(0, 400, UNITS), "auto");
    let (mut plains, mut besides, mut homes) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds().div_ceil(5) {
        // The machine's own speed drifts: each is compared with the plain one just before it.
        let of = plain();
        plains.push(of);
        besides.push(beside() / of);
        homes.push(home() / of);
    }
    let plain = median_of(plains.into_iter());
    println!("a plain unit, sandbox auto: processor {plain:.1} ms");
    for (what, ratios) in [
        ("beside 5,000 features", besides),
        ("with 400 entries in the home", homes),
    ] {
        let what = format!("a unit {what}, of the plain one");
        row(&what, median_of(ratios.into_iter()), "x", 1.2);
    }
    let lab = lab(0, 100, LONG);
    let walk = Walk::start(
        &lab,
        &lab.root.path().join("agent.sh"),
        &["--sandbox", "auto"],
    );
    let (_, first) = walk.slope(4, 54);
    let (_, last) = walk.slope(LONG - 50, LONG);
    row(
        &format!("the last units of {LONG}, of the first"),
        last / first,
        "x",
        1.2,
    );
}

fn slope(lab: &Lab, sandbox: &str) -> f64 {
    let agent = lab.root.path().join("agent.sh");
    Walk::start(lab, &agent, &["--sandbox", sandbox])
        .cost(UNITS)
        .cpu
}

fn lab(features: usize, home: usize, units: usize) -> Lab {
    let lab = Lab::new();
    lab.agent("");
    make_executable(&lab.root.path().join("agent.sh"));
    for entry in 0..home {
        fs::create_dir_all(lab.root.path().join(format!("home/entry-{entry}"))).unwrap();
    }
    for feature in 2..features + 2 {
        lab.feature(feature, 1, "done", "done");
    }
    lab.feature(1, units, "active", "pending");
    lab.commit();
    lab
}
