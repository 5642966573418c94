//! What a unit costs where there is much beside it: finished features, units that have landed, entries of the home.
//! Processor time counts, for it says the same on a busy machine.

use super::walks::{WARM, Walk, median_of};
use super::{Lab, make_executable, rounds, row};
use std::fs;

/// As many as a slope of processor time needs that the clock counts in hundredths of a second.
const UNITS: usize = 64;
const LONG: usize = 900;

/// The first units and the last of them that are compared, and in how many walks: in less than that the machine's own speed drifts
/// by as much.
const AT_AN_END: usize = 100;
const WALKS: usize = 3;

/// Prints each beside the plain unit.
pub(super) fn unit_growth() {
    let plain = || slope(0, 100);
    let beside = || slope(5_000, 100);
    let home = || slope(0, 400);
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
    let lasts = median_of((0..WALKS).map(|_| last_of_first()));
    row(
        &format!("the last {AT_AN_END} units of {LONG}, of the first, in {WALKS} walks"),
        lasts,
        "x",
        1.2,
    );
}

/// Walks a long gate; returns what its last units cost, of what its first ones did.
fn last_of_first() -> f64 {
    let walk = walk(&lab(0, 100, LONG));
    let (_, first) = walk.slope(WARM, WARM + AT_AN_END);
    let (_, last) = walk.slope(LONG - AT_AN_END, LONG);
    last / first
}

/// Returns the processor time of a unit beside so many features and entries of the home.
fn slope(features: usize, home: usize) -> f64 {
    walk(&lab(features, home, UNITS)).cost(UNITS).cpu
}

fn walk(lab: &Lab) -> Walk {
    let agent = lab.root.path().join("agent.sh");
    Walk::start(lab, &agent, &["--sandbox", "auto"])
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
