//! A walk of the program, listened to: when each unit landed, and what the driver and all it waited for had used by then.

use super::{BINARY, Lab, command};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The first units find files and caches cold; what they cost is counted as starting.
pub(super) const WARM: usize = 4;

/// The clock ticks of processor time in `/proc`, a second.
const TICKS: f64 = 100.0;

/// What a walk cost, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkCost {
    /// Each further unit.
    pub(super) unit: f64,
    /// Each further unit, of processor time.
    pub(super) cpu: f64,
    /// Everything beside that.
    pub(super) start: f64,
}

impl WalkCost {
    /// Returns the cost of what has no start.
    pub(super) fn of_units(unit: Duration) -> WalkCost {
        WalkCost {
            unit: milliseconds(unit),
            cpu: f64::NAN,
            start: 0.0,
        }
    }
}

/// One landing: when, and what had been used.
#[derive(Clone, Copy)]
struct Landing {
    at: Duration,
    cpu: f64,
}

/// A walk that has ended.
pub(super) struct Walk {
    landings: Vec<Landing>,
    took: Duration,
    /// The most memory the driver had, in kilobytes, and its own processor time, in milliseconds.
    used: (f64, f64),
    /// How often each kind of event came.
    events: Vec<String>,
}

impl Walk {
    /// Walks a lab's feature to its end.
    pub(super) fn start(lab: &Lab, agent: &Path, args: &[&str]) -> Walk {
        let began = Instant::now();
        let agent = format!("command:{}", agent.display());
        let mut child = command(BINARY, &lab.repo())
            .args(["loop", "--json", "--agent", &agent])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (mut landings, mut events) = (Vec::new(), Vec::new());
        let mut own = (0.0, 0.0);
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            let kind = line["event"].as_str().unwrap_or_default().to_owned();
            if kind == "landed" {
                own = (peak(child.id()), ticks(child.id(), 2));
                landings.push(Landing {
                    at: began.elapsed(),
                    cpu: used(child.id()),
                });
            }
            events.push(kind);
        }
        let status = child.wait().unwrap();
        let took = began.elapsed();
        assert!(
            matches!(status.code(), Some(0 | 10)),
            "{status}: {events:?}"
        );
        Walk {
            landings,
            took,
            used: own,
            events,
        }
    }

    /// Returns when the first unit landed, in milliseconds.
    pub(super) fn first(&self) -> f64 {
        milliseconds(self.landings[0].at)
    }

    /// Returns the most memory the driver had, in megabytes, as of the last landing.
    pub(super) fn peak_mb(&self) -> f64 {
        self.used.0 / 1024.0
    }

    /// Returns the processor time of the driver itself, in milliseconds.
    pub(super) fn own_milliseconds(&self) -> f64 {
        self.used.1
    }

    /// Returns how long it took, in milliseconds.
    pub(super) fn milliseconds(&self) -> f64 {
        milliseconds(self.took)
    }

    /// Returns how often an event came.
    pub(super) fn count(&self, event: &str) -> usize {
        self.events.iter().filter(|kind| *kind == event).count()
    }

    /// Returns what it cost, of so many units.
    pub(super) fn cost(&self, units: usize) -> WalkCost {
        assert_eq!(self.landings.len(), units);
        let (unit, cpu) = self.slope(WARM, units);
        WalkCost {
            unit,
            cpu,
            start: milliseconds(self.took) - unit * units as f64,
        }
    }

    /// Returns the wall clock and the processor time of a unit, from one landing to another.
    pub(super) fn slope(&self, from: usize, to: usize) -> (f64, f64) {
        let (first, last) = (self.landings[from - 1], self.landings[to - 1]);
        let units = (to - from) as f64;
        let wall = milliseconds(last.at - first.at) / units;
        (wall, (last.cpu - first.cpu) / units)
    }
}

/// Returns the processor time of a process and of all it waited for, in milliseconds; nothing where no system tells.
fn used(process: u32) -> f64 {
    ticks(process, 4)
}

/// Returns the first figures of a process's times, of user and system, its own before its children's, in milliseconds.
pub(super) fn ticks(process: u32, figures: usize) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(figures);
    ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() * 1000.0 / TICKS
}

/// Returns the most memory that a process had, in kilobytes.
fn peak(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let figure = line.and_then(|l| l.split_whitespace().next()?.parse().ok());
    figure.unwrap_or(f64::NAN)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Returns the one in the middle.
pub(super) fn median_of(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
