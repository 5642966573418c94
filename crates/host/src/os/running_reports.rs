//! When a command that runs for long is reported: often where a line moves, seldom where lines add up.

use gatewalk_core::driver::driver_event::{DriverEvent, Watcher};
use gatewalk_core::driver::ports::ShellJob;
use std::time::Duration;

/// How long a command runs before it is worth a word.
const FIRST: Duration = Duration::from_secs(10);
/// How long between two lines of a log.
const AGAIN: Duration = Duration::from_secs(60);
/// How long between two drawings of a line that moves.
const REFRESH: Duration = Duration::from_secs(1);

/// The reports of one command.
pub(super) struct RunningReports<'a> {
    unit: &'a str,
    name: &'a str,
    usual: Option<Duration>,
    limit: Duration,
    watcher: &'a dyn Watcher,
    reported: Option<Duration>,
}

impl<'a> RunningReports<'a> {
    pub(super) fn of(job: &'a ShellJob, watcher: &'a dyn Watcher) -> RunningReports<'a> {
        RunningReports {
            unit: &job.unit,
            name: &job.name,
            usual: job.usual,
            limit: job.timeout,
            watcher,
            reported: None,
        }
    }

    /// Returns the reports of `setup`, which prepares a slot for whichever unit is next.
    pub(super) fn of_set_up(limit: Duration, watcher: &'a dyn Watcher) -> RunningReports<'a> {
        RunningReports {
            unit: "",
            name: "set-up",
            usual: None,
            limit,
            watcher,
            reported: None,
        }
    }

    /// Reports that the command is still running, where that is due.
    pub(super) fn tick(&mut self, elapsed: Duration) {
        if !is_due(self.reported, elapsed, self.watcher.is_live()) {
            return;
        }
        self.reported = Some(elapsed);
        self.watcher.report(&DriverEvent::CommandRunning {
            unit: self.unit.to_owned(),
            name: self.name.to_owned(),
            seconds: elapsed.as_secs_f64(),
            usual_seconds: self.usual.map(|usual| usual.as_secs_f64()),
            limit_seconds: self.limit.as_secs_f64(),
        });
    }
}

fn is_due(reported: Option<Duration>, elapsed: Duration, is_live: bool) -> bool {
    let (first, again) = match is_live {
        true => (REFRESH, REFRESH),
        false => (FIRST, AGAIN),
    };
    match reported {
        None => elapsed >= first,
        Some(last) => elapsed >= last + again,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gets_a_line_a_minute_and_a_terminal_one_a_second() {
        let seconds = Duration::from_secs;
        let reports = |is_live: bool| {
            let mut reported = None;
            let ticks = (0..200u64).map(seconds);
            let due = ticks.filter(|at| {
                let due = is_due(reported, *at, is_live);
                if due {
                    reported = Some(*at);
                }
                due
            });
            due.map(|at| at.as_secs()).collect::<Vec<_>>()
        };
        assert_eq!(reports(false), [10, 70, 130, 190]);
        assert_eq!(reports(true).len(), 199);
    }
}
