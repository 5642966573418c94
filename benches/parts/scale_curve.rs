//! How much many slots bring: sessions of recorded lengths on so many slots, each judged, then landed one after the other.
//! A discrete simulation: no clock, no machine.

use super::row;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How long sessions took in an open project: 200 of them, as forty of equal weight, in seconds.
const SESSIONS: [u64; 40] = [
    65, 103, 141, 159, 166, 206, 228, 241, 312, 348, 383, 406, 424, 449, 474, 492, 530, 581, 602,
    632, 663, 688, 713, 746, 761, 781, 809, 830, 851, 873, 907, 973, 1023, 1072, 1108, 1191, 1277,
    1477, 1588, 1899,
];
/// A verification, in milliseconds.
const VERIFICATION: u64 = 60_000;
/// What home does for a landing, in milliseconds of its own; see the figures of a unit.
const LANDING: u64 = 100;
/// Sessions of a simulated walk, for each slot and at least.
const SESSIONS_A_SLOT: usize = 40;

/// What came of a simulated walk.
struct Curve {
    /// Landings an hour.
    landings: f64,
    /// From a session's end to its landing, in seconds, for half of them and for all but a hundredth.
    waits: [f64; 2],
}

/// Servers that take one at a time, first come, first served.
struct Servers(BinaryHeap<Reverse<u64>>);

impl Servers {
    fn new(servers: usize) -> Servers {
        Servers(vec![Reverse(0); servers].into())
    }

    /// Serves whoever comes then for so long; returns when that is done.
    fn serve(&mut self, comes: u64, takes: u64) -> u64 {
        let Reverse(free) = self.0.pop().expect("there is one");
        let done = free.max(comes) + takes;
        self.0.push(Reverse(done));
        done
    }
}

fn walk(slots: usize, judging: usize) -> Curve {
    let mut state = 1u64;
    let mut session = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        SESSIONS[(state >> 33) as usize % SESSIONS.len()] * 1000
    };
    let mut at_work = Servers::new(slots);
    let count = SESSIONS_A_SLOT * slots.max(25);
    let mut ends: Vec<u64> = (0..count).map(|_| at_work.serve(0, session())).collect();
    ends.sort_unstable();
    let (mut judges, mut home) = (Servers::new(judging), Servers::new(1));
    let mut judged: Vec<(u64, u64)> = ends
        .iter()
        .map(|end| (judges.serve(*end, VERIFICATION), *end))
        .collect();
    judged.sort_unstable();
    let landed: Vec<(u64, u64)> = judged
        .iter()
        .map(|(judged, end)| (home.serve(*judged, LANDING), *end))
        .collect();
    let mut waits: Vec<u64> = landed.iter().map(|(landed, end)| landed - end).collect();
    waits.sort_unstable();
    // The middle half: the walk neither fills up nor runs out there.
    let (from, to) = (landed[count / 4].0, landed[count * 3 / 4].0);
    let seconds = |at: usize| waits[at] as f64 / 1000.0;
    Curve {
        landings: (count / 2) as f64 * 3_600_000.0 / (to - from) as f64,
        waits: [seconds(count / 2), seconds(count * 99 / 100)],
    }
}

/// Prints landings an hour and the wait for them, judged by eight at home and by as many as there are slots.
pub(super) fn scale_curve() {
    for (judged, judging) in [("by 8 at home", Some(8)), ("on runners", None)] {
        for slots in [1, 4, 16, 64, 200, 500, 1000] {
            let curve = walk(slots, judging.unwrap_or(slots));
            println!(
                "{slots:>5} slots, judged {judged:<14} {:>9.0} landings/h, wait {:>8.0} s, 99 % {:>8.0} s",
                curve.landings, curve.waits[0], curve.waits[1]
            );
        }
    }
    let (one, many) = (walk(1, 1), walk(1000, 1000));
    let lost = 1000.0 * one.landings / many.landings;
    row(
        "1000 slots, judged on runners, short of 1000 times",
        lost,
        "x",
        1.1,
    );
}
