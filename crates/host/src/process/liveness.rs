//! Whether a silent process tree is at work: its reader sees activity, or it uses the processor.

use super::Limits;
use super::process_tree::ProcessTree;
use super::readers::Reader;
use std::time::Duration;

/// When the process tree last showed a sign of life.
pub(super) struct Life {
    pub(super) last: Duration,
    idle: Option<Duration>,
    busy_percent: Option<u8>,
    probed: Duration,
    activity: Option<u64>,
    cpu: u64,
}

impl Life {
    pub(super) fn new(limits: &Limits) -> Life {
        Life {
            last: Duration::ZERO,
            idle: limits.idle,
            busy_percent: limits.busy_percent,
            probed: Duration::ZERO,
            activity: None,
            cpu: 0,
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
            let cpu = tree.cpu_ticks();
            let used = Duration::from_secs(cpu.saturating_sub(self.cpu)) / ticks_per_second();
            if used * 100 >= now.saturating_sub(self.probed) * u32::from(percent) {
                self.last = now;
            }
            self.cpu = cpu;
        }
        self.probed = now;
    }
}

fn ticks_per_second() -> u32 {
    u32::try_from(rustix::param::clock_ticks_per_second())
        .unwrap_or(100)
        .max(1)
}
