//! Where the work of each slot is judged now, and which runners are not asked for a while.

use crate::runner::{JudgeCall, JudgeConversation};
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::parallel::locked;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long a runner that was lost is not asked to judge; each time in a row twice that.
const REST: Duration = Duration::from_secs(60);
/// How often that doubles.
const DOUBLED: u32 = 5;

/// What a slot's place is shared as.
pub(super) type SharedSlot = Arc<Mutex<JudgedSlot>>;

/// A slot that is judged in.
#[derive(Default)]
pub(super) struct JudgedSlot {
    /// The far end that holds it; none where it is one of this machine.
    pub(super) far: Option<JudgeConversation>,
    /// Its runner.
    pub(super) runner: String,
    /// The steps since it was prepared.
    pub(super) done: Vec<JudgeCall>,
}

impl JudgedSlot {
    /// Lets the far end go.
    pub(super) fn leave(&mut self) {
        self.far = None;
        self.done.clear();
    }
}

/// How long a runner rests, and how often it did.
#[derive(Clone, Copy)]
struct JudgeRest {
    until: Instant,
    times: u32,
}

/// The places of a run.
#[derive(Default)]
pub(super) struct FarJudging {
    slots: Mutex<BTreeMap<SlotId, SharedSlot>>,
    resting: Mutex<BTreeMap<String, JudgeRest>>,
    /// What this machine was found to lack as runners do: it is not asked about that again.
    lacked_everywhere: Mutex<BTreeSet<String>>,
}

impl FarJudging {
    /// Returns where a slot's work is judged; here, as long as nothing else is known.
    pub(super) fn place(&self, slot: SlotId) -> SharedSlot {
        let mut slots = locked(&self.slots);
        Arc::clone(slots.entry(slot).or_default())
    }

    /// Returns where a slot's work is judged, where that was ever decided.
    pub(super) fn known(&self, slot: SlotId) -> Option<SharedSlot> {
        let slots = locked(&self.slots);
        slots.get(&slot).map(Arc::clone)
    }

    /// Lets a runner rest that was lost; several losses at once count as one.
    pub(super) fn rest(&self, runner: &str) {
        self.rest_after(runner, 0);
    }

    /// Lets a runner rest as long as any does: waiting does not mend it.
    pub(super) fn rest_longest(&self, runner: &str) {
        self.rest_after(runner, DOUBLED);
    }

    fn rest_after(&self, runner: &str, first: u32) {
        let mut resting = locked(&self.resting);
        let before = resting.get(runner).copied();
        let now = Instant::now();
        if before.is_some_and(|rest| rest.until > now) {
            return;
        }
        let times = before.map_or(first, |rest| (rest.times + 1).min(DOUBLED).max(first));
        let until = now + REST * 2u32.pow(times);
        resting.insert(runner.to_owned(), JudgeRest { until, times });
    }

    pub(super) fn is_resting(&self, runner: &str) -> bool {
        let resting = locked(&self.resting);
        resting
            .get(runner)
            .is_some_and(|rest| rest.until > Instant::now())
    }

    /// Notes that this machine lacks what a line says as well.
    pub(super) fn note_lacked_everywhere(&self, line: &str) {
        let mut lines = self.lacked_lines();
        lines.insert(line.to_owned());
    }

    pub(super) fn is_lacked_everywhere(&self, line: &str) -> bool {
        self.lacked_lines().contains(line)
    }

    fn lacked_lines(&self) -> MutexGuard<'_, BTreeSet<String>> {
        locked(&self.lacked_everywhere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_that_was_lost_rests_longer_each_time_but_once_for_losses_at_once() {
        let judging = FarJudging::default();
        assert!(!judging.is_resting("a"));
        judging.rest("a");
        judging.rest("a");
        assert!(judging.is_resting("a") && !judging.is_resting("b"));
        let over = |judging: &FarJudging| {
            let mut resting = judging.resting.lock().unwrap();
            let rest = resting.get_mut("a").unwrap();
            let left = rest.until - Instant::now();
            rest.until = Instant::now();
            left
        };
        assert!(over(&judging) <= REST);
        assert!(!judging.is_resting("a"));
        judging.rest("a");
        let second = over(&judging);
        assert!(second > REST && second <= REST * 2, "{second:?}");
        for _ in 0..20 {
            judging.rest("a");
            assert!(over(&judging) <= REST * 2u32.pow(DOUBLED));
        }
    }

    #[test]
    fn what_waiting_does_not_mend_rests_longest_at_once() {
        let judging = FarJudging::default();
        judging.rest("a");
        judging.rest_longest("b");
        let left = |name: &str| judging.resting.lock().unwrap()[name].until - Instant::now();
        assert!(left("a") <= REST);
        assert!(left("b") > REST * 2u32.pow(DOUBLED - 1));
    }

    #[test]
    fn what_this_machine_lacks_as_well_is_known() {
        let judging = FarJudging::default();
        judging.note_lacked_everywhere("a");
        assert!(judging.is_lacked_everywhere("a") && !judging.is_lacked_everywhere("b"));
    }

    #[test]
    fn a_slot_is_here_until_something_else_is_decided() {
        let judging = FarJudging::default();
        let slot = SlotId::Verification(3);
        assert!(judging.known(slot).is_none());
        assert!(judging.place(slot).lock().unwrap().far.is_none());
        assert!(judging.known(slot).is_some());
    }
}
