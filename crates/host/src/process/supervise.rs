//! Decides, from facts and the time that counted, when a process tree is asked to end and when it is killed.
//!
//! Pure: the loop around it delivers the facts and carries out the steps. Absent on purpose: pids.

use super::{Limits, ProcessEnd, SinkStop};
use crate::stop_flag::StopLevel;
use std::time::{Duration, Instant};

/// The longest wait between two looks at the world.
const TICK: Duration = Duration::from_millis(500);
/// What a tick may take longer than asked before we conclude that the machine or the driver stood still.
const SLACK: Duration = Duration::from_secs(2);
/// What is left behind after a normal exit gets this much to end by itself.
const STRAY_GRACE: Duration = Duration::from_secs(1);
/// How long is killed before giving up: only processes stuck in the kernel live on. Rounds do not tell, for signals, output
/// and ends of others cut each of them short.
const KILL_TIME: Duration = Duration::from_secs(5);
/// How much longer each round of killing waits than the one before, at most a tick.
const KILL_STEP: Duration = Duration::from_millis(25);

/// Time that counts: monotonic, without suspends, stops and other standstills.
#[derive(Debug)]
pub(super) struct ActiveClock {
    last: Instant,
    active: Duration,
}

impl ActiveClock {
    pub(super) fn new(now: Instant) -> Self {
        ActiveClock {
            last: now,
            active: Duration::ZERO,
        }
    }

    /// Counts the time since the last call, at most a little more than was asked for.
    pub(super) fn advance(&mut self, now: Instant, wanted: Duration) -> Duration {
        self.active += now.saturating_duration_since(self.last).min(wanted + SLACK);
        self.last = now;
        self.active
    }
}

/// Rounds of killing, each waiting a little longer, until the time for them is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Killing {
    rounds: u32,
    until: Duration,
}

impl Killing {
    /// Returns the rounds that begin at a time.
    pub(super) fn from(elapsed: Duration) -> Self {
        Killing {
            rounds: 0,
            until: elapsed + KILL_TIME,
        }
    }

    /// Begins another round: returns how long to wait after it, or nothing when it is time to give up.
    pub(super) fn round(&mut self, elapsed: Duration) -> Option<Duration> {
        if elapsed >= self.until {
            return None;
        }
        self.rounds = self.rounds.saturating_add(1);
        Some(TICK.min(KILL_STEP * self.rounds))
    }
}

/// What the loop sees.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// Time that counted since the start.
    pub(super) elapsed: Duration,
    /// Time that counted since the last sign of life.
    pub(super) idle: Duration,
    pub(super) leader_exited: bool,
    /// Whether any process of the tree runs, the leader included.
    pub(super) tree_alive: bool,
    pub(super) stop: StopLevel,
    /// Why the reader of the output wants an end.
    pub(super) sink_stop: Option<SinkStop>,
}

/// What the loop does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SupervisorStep {
    /// Wait for an event, at most this long.
    Wait(Duration),
    /// Ask everything to end.
    Terminate,
    /// Kill everything, then wait at most this long.
    Kill(Duration),
    /// Nothing is left, or nothing more can be done.
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    Terminating { until: Duration },
    Killing(Killing),
}

/// The state of one run.
#[derive(Debug)]
pub(super) struct Supervisor<'a> {
    limits: &'a Limits,
    phase: Phase,
    /// Why we ended it; none when it ended by itself.
    pub(super) reason: Option<ProcessEnd>,
}

impl<'a> Supervisor<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Supervisor {
            limits,
            phase: Phase::Running,
            reason: None,
        }
    }

    /// Returns whether the end has begun.
    pub(super) fn is_ending(&self) -> bool {
        self.phase != Phase::Running
    }

    /// Returns the next step.
    pub(super) fn next(&mut self, facts: &Facts) -> SupervisorStep {
        if facts.leader_exited && !facts.tree_alive {
            return SupervisorStep::Done;
        }
        match self.phase {
            Phase::Running => self.running(facts),
            Phase::Terminating { until }
                if facts.stop < StopLevel::Now && facts.elapsed < until =>
            {
                SupervisorStep::Wait(TICK.min(until - facts.elapsed))
            }
            Phase::Terminating { .. } => self.kill(Killing::from(facts.elapsed), facts),
            Phase::Killing(killing) => self.kill(killing, facts),
        }
    }

    fn running(&mut self, facts: &Facts) -> SupervisorStep {
        let mut grace = self.limits.grace;
        if facts.leader_exited {
            grace = grace.min(STRAY_GRACE);
        } else {
            self.reason = self.reason_to_end(facts);
            if self.reason.is_none() {
                return SupervisorStep::Wait(self.until_deadline(facts));
            }
        }
        if facts.stop == StopLevel::Now {
            return self.kill(Killing::from(facts.elapsed), facts);
        }
        self.phase = Phase::Terminating {
            until: facts.elapsed + grace,
        };
        SupervisorStep::Terminate
    }

    fn reason_to_end(&self, facts: &Facts) -> Option<ProcessEnd> {
        if facts.stop > StopLevel::Go {
            Some(ProcessEnd::Cancelled)
        } else if let Some(reason) = facts.sink_stop {
            Some(ProcessEnd::LimitHit(reason))
        } else if self.limits.wall.is_some_and(|wall| facts.elapsed >= wall) {
            Some(ProcessEnd::WallLimit)
        } else if self.limits.idle.is_some_and(|idle| facts.idle >= idle) {
            Some(ProcessEnd::IdleLimit)
        } else {
            None
        }
    }

    fn until_deadline(&self, facts: &Facts) -> Duration {
        let left = |limit: Option<Duration>, used: Duration| {
            limit.map_or(TICK, |l| l.saturating_sub(used))
        };
        // Never zero, or rounding in the poll call would spin just before a deadline.
        TICK.min(left(self.limits.wall, facts.elapsed))
            .min(left(self.limits.idle, facts.idle))
            .max(Duration::from_millis(1))
    }

    fn kill(&mut self, mut killing: Killing, facts: &Facts) -> SupervisorStep {
        let wait = killing.round(facts.elapsed);
        self.phase = Phase::Killing(killing);
        wait.map_or(SupervisorStep::Done, SupervisorStep::Kill)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn limits() -> Limits {
        Limits {
            wall: Some(ms(10_000)),
            idle: Some(ms(3_000)),
            grace: ms(5_000),
            ..Limits::default()
        }
    }

    fn at(elapsed: u64) -> Facts {
        Facts {
            elapsed: ms(elapsed),
            tree_alive: true,
            ..Facts::default()
        }
    }

    fn check(name: &str, rows: &[(Facts, SupervisorStep)], reason: Option<ProcessEnd>) {
        let limits = limits();
        let mut supervisor = Supervisor::new(&limits);
        for (nr, (facts, want)) in rows.iter().enumerate() {
            assert_eq!(&supervisor.next(facts), want, "{name}, row {nr}");
        }
        assert_eq!(supervisor.reason, reason, "{name}");
    }

    #[test]
    fn every_way_to_end_walks_through_term_grace_and_kill() {
        let exited = |elapsed| Facts {
            leader_exited: true,
            ..at(elapsed)
        };
        let gone = |elapsed| Facts {
            tree_alive: false,
            ..exited(elapsed)
        };
        let stop = |elapsed, stop| Facts {
            stop,
            ..at(elapsed)
        };

        check(
            "clean exit",
            &[
                (at(0), SupervisorStep::Wait(ms(500))),
                (gone(10), SupervisorStep::Done),
            ],
            None,
        );
        check(
            "strays get a second",
            &[
                (exited(10), SupervisorStep::Terminate),
                (exited(20), SupervisorStep::Wait(ms(500))),
                (exited(1009), SupervisorStep::Wait(ms(1))),
                (exited(1010), SupervisorStep::Kill(ms(25))),
                (gone(1011), SupervisorStep::Done),
            ],
            None,
        );
        check(
            "wall",
            &[
                (at(9_990), SupervisorStep::Wait(ms(10))),
                (at(10_000), SupervisorStep::Terminate),
                (at(14_999), SupervisorStep::Wait(ms(1))),
                (at(15_000), SupervisorStep::Kill(ms(25))),
                (at(15_030), SupervisorStep::Kill(ms(50))),
                (gone(15_031), SupervisorStep::Done),
            ],
            Some(ProcessEnd::WallLimit),
        );
        check(
            "idle, ends in time",
            &[
                (
                    Facts {
                        idle: ms(2_900),
                        ..at(8_000)
                    },
                    SupervisorStep::Wait(ms(100)),
                ),
                (
                    Facts {
                        idle: ms(3_000),
                        ..at(8_100)
                    },
                    SupervisorStep::Terminate,
                ),
                (gone(8_200), SupervisorStep::Done),
            ],
            Some(ProcessEnd::IdleLimit),
        );
        check(
            "leader gone in the grace, daemon not",
            &[
                (at(10_000), SupervisorStep::Terminate),
                (exited(10_100), SupervisorStep::Wait(ms(500))),
                (exited(15_000), SupervisorStep::Kill(ms(25))),
                (gone(15_001), SupervisorStep::Done),
            ],
            Some(ProcessEnd::WallLimit),
        );
        check(
            "first stop, then second",
            &[
                (stop(5, StopLevel::Finish), SupervisorStep::Terminate),
                (stop(6, StopLevel::Finish), SupervisorStep::Wait(ms(500))),
                (stop(7, StopLevel::Now), SupervisorStep::Kill(ms(25))),
                (gone(8), SupervisorStep::Done),
            ],
            Some(ProcessEnd::Cancelled),
        );
        check(
            "second stop at once",
            &[(stop(5, StopLevel::Now), SupervisorStep::Kill(ms(25)))],
            Some(ProcessEnd::Cancelled),
        );
        check(
            "sink",
            &[(
                Facts {
                    sink_stop: Some(SinkStop::Budget),
                    ..at(5)
                },
                SupervisorStep::Terminate,
            )],
            Some(ProcessEnd::LimitHit(SinkStop::Budget)),
        );
    }

    #[test]
    fn what_cannot_be_killed_is_given_up_after_some_time_however_often_that_is_cut_short() {
        let limits = limits();
        let stuck = |elapsed| Facts {
            stop: StopLevel::Now,
            ..at(elapsed)
        };
        // Each round as long as it may take, and a thousand in a millisecond.
        let mut supervisor = Supervisor::new(&limits);
        let mut elapsed = ms(1);
        while let SupervisorStep::Kill(wait) = supervisor.next(&Facts {
            elapsed,
            ..stuck(0)
        }) {
            assert!(wait <= TICK);
            elapsed += wait;
        }
        assert!((ms(5_001)..ms(5_501)).contains(&elapsed), "{elapsed:?}");
        let mut supervisor = Supervisor::new(&limits);
        for _ in 0..1_000 {
            let step = supervisor.next(&stuck(1));
            assert!(matches!(step, SupervisorStep::Kill(_)), "{step:?}");
        }
        let last = [5_000, 5_001].map(|elapsed| supervisor.next(&stuck(elapsed)));
        assert_eq!(last, [SupervisorStep::Kill(TICK), SupervisorStep::Done]);
    }

    #[test]
    fn without_limits_it_waits() {
        let limits = Limits {
            wall: None,
            idle: None,
            ..Limits::default()
        };
        let mut supervisor = Supervisor::new(&limits);
        assert_eq!(
            supervisor.next(&Facts {
                idle: ms(u64::from(u32::MAX)),
                ..at(u64::from(u32::MAX))
            }),
            SupervisorStep::Wait(ms(500))
        );
    }

    #[test]
    fn a_standstill_does_not_count() {
        let start = Instant::now();
        let mut clock = ActiveClock::new(start);
        assert_eq!(clock.advance(start + ms(500), ms(500)), ms(500));
        assert_eq!(
            clock.advance(start + ms(8 * 3_600_000), ms(500)),
            ms(3_000),
            "a night asleep is one tick"
        );
        assert_eq!(
            clock.advance(start + ms(8 * 3_600_000 + 700), ms(500)),
            ms(3_700),
            "a slow tick counts whole"
        );
        assert_eq!(clock.advance(start, ms(500)), ms(3_700), "never backwards");
    }
}
