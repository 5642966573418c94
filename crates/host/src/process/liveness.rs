//! Whether a silent process tree is at work: its reader sees activity, or it uses the processor.

use super::Limits;
use super::process_tree::{ProcessTree, Work};
use super::readers::Reader;
use std::time::Duration;

/// A thread that ran, or waited for a processor, this much of the time has work that the machine has no room for.
const STARVED_PERCENT: u32 = 50;

/// When the process tree last showed a sign of life.
pub(super) struct Life {
    pub(super) last: Duration,
    idle: Option<Duration>,
    busy_percent: Option<u8>,
    probed: Duration,
    activity: Option<u64>,
    work: Work,
}

impl Life {
    pub(super) fn new(limits: &Limits) -> Life {
        Life {
            last: Duration::ZERO,
            idle: limits.idle,
            busy_percent: limits.busy_percent,
            probed: Duration::ZERO,
            activity: None,
            work: Work::default(),
        }
    }

    /// Checks, four times in an idle period and before it is over, whether the silent process tree uses the processor.
    pub(super) fn probe(&mut self, now: Duration, tree: &ProcessTree, reader: &mut dyn Reader) {
        let Some(idle) = self.idle else { return };
        let since = now.saturating_sub(self.probed.max(self.last));
        if since < idle / 4 {
            return;
        }
        let activity = reader.activity();
        if self
            .activity
            .replace(activity)
            .is_some_and(|before| before != activity)
        {
            self.last = now;
        }
        if let Some(percent) = self.busy_percent {
            let work = tree.work();
            let window = now.saturating_sub(self.probed);
            if is_at_work(&self.work, &work, window, percent.into()) {
                self.last = now;
                reader.at_work();
            }
            self.work = work;
        }
        self.probed = now;
    }
}

/// Returns whether a tree used this much of one core, or had a thread that would have on a machine with time for it.
fn is_at_work(before: &Work, after: &Work, window: Duration, percent: u32) -> bool {
    let used = Duration::from_secs(after.cpu_ticks.saturating_sub(before.cpu_ticks));
    let starved = after.wanted.iter().any(|(thread, wanted)| {
        let before = before.wanted.get(thread).copied().unwrap_or_default();
        wanted.saturating_sub(before) * 100 >= window * STARVED_PERCENT
    });
    starved || used / ticks_per_second() * 100 >= window * percent
}

fn ticks_per_second() -> u32 {
    u32::try_from(rustix::param::clock_ticks_per_second())
        .unwrap_or(100)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_time_on_a_processor_or_in_its_queue() {
        let ms = Duration::from_millis;
        let work = |cpu_ms: u64, wanted: &[(i32, u64)]| Work {
            cpu_ticks: cpu_ms * u64::from(ticks_per_second()) / 1000,
            wanted: wanted.iter().map(|(id, time)| (*id, ms(*time))).collect(),
        };
        for (name, before, after, want) in [
            (
                "nothing",
                work(900, &[(1, 900)]),
                work(900, &[(1, 900)]),
                false,
            ),
            (
                "a tenth",
                work(900, &[(1, 900)]),
                work(1400, &[(1, 1400)]),
                true,
            ),
            (
                "a poll now and then",
                work(900, &[(1, 900)]),
                work(1200, &[(1, 2000)]),
                false,
            ),
            (
                "queued half the time",
                work(900, &[(1, 900)]),
                work(1000, &[(1, 3400)]),
                true,
            ),
            (
                "a new thread, queued",
                work(900, &[(1, 900)]),
                work(1000, &[(2, 2500)]),
                true,
            ),
            (
                "many that hardly run",
                work(0, &[]),
                work(100, &[(1, 900), (2, 900), (3, 900)]),
                false,
            ),
            (
                "a child that ended",
                work(9000, &[(2, 9000)]),
                work(200, &[(1, 200)]),
                false,
            ),
        ] {
            assert_eq!(is_at_work(&before, &after, ms(5000), 10), want, "{name}");
        }
    }
}
