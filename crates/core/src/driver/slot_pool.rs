//! The slots of a run: which are taken by which feature's units, and what came back from their workers.

use super::ports::SlotId;
use crate::engine::runner_slots::{RunnerSlots, SessionPlaces, runner_of};
use crate::error::{Error, Result};
use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// The longest wait for a worker while a unit waits for its time: a suspend must not hide it.
const LONGEST_LOOK: Duration = Duration::from_secs(30);

/// A worker's slot, and how what it did ended.
pub(super) type WorkerResult = (SlotId, Result<()>);

/// The slots, each free or worked in for a feature and maybe a unit of it.
pub(super) struct SlotPool {
    slots: Vec<Option<(usize, Option<String>)>>,
    /// The runners that the first slots are on.
    runners: Vec<RunnerSlots>,
    /// Those that nothing new is given to.
    resting: BTreeSet<String>,
    /// Where the feature that is looked at may have slots.
    places: SessionPlaces,
    failure: Option<Error>,
}

impl SlotPool {
    pub(super) fn new(slots: usize, runners: &[RunnerSlots]) -> SlotPool {
        SlotPool {
            slots: vec![None; slots.max(1)],
            runners: runners.to_vec(),
            resting: BTreeSet::new(),
            places: SessionPlaces::Anywhere,
            failure: None,
        }
    }

    /// Turns to a feature whose sessions may be in these places. Gives nothing new to runners that rest, as long as the
    /// feature may have any other slot, free or not.
    pub(super) fn turn_to(&mut self, places: &SessionPlaces, resting: BTreeSet<String>) {
        self.places = places.clone();
        self.resting = resting;
        let mut may = (0..self.slots.len()).filter(|slot| self.may_have(*slot));
        if may.all(|slot| self.is_resting(slot)) {
            self.resting.clear();
        }
    }

    fn may_have(&self, slot: usize) -> bool {
        self.places.include(runner_of(&self.runners, slot))
    }

    fn is_resting(&self, slot: usize) -> bool {
        let runner = runner_of(&self.runners, slot);
        runner.is_some_and(|runner| self.resting.contains(runner))
    }

    fn is_open(&self, slot: usize) -> bool {
        self.slots[slot].is_none() && self.may_have(slot) && !self.is_resting(slot)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.slots.iter().all(Option::is_none)
    }

    pub(super) fn free(&self) -> usize {
        (0..self.slots.len())
            .filter(|slot| self.is_open(*slot))
            .count()
    }

    /// Returns the units of a feature that are worked on.
    pub(super) fn units_of(&self, feature: usize) -> BTreeSet<String> {
        let own = self.slots.iter().flatten().filter(|(of, _)| *of == feature);
        own.filter_map(|(_, unit)| unit.clone()).collect()
    }

    /// Takes the first free slot.
    pub(super) fn take(&mut self, feature: usize, unit: Option<&str>) -> SlotId {
        let free = (0..self.slots.len()).find(|slot| self.is_open(*slot));
        let free = free.expect("no more is started than there are slots");
        self.slots[free] = Some((feature, unit.map(str::to_owned)));
        SlotId::Session(free)
    }

    /// Frees a slot; returns the feature it was worked in for.
    pub(super) fn release(&mut self, slot: SlotId) -> Option<usize> {
        let SlotId::Session(number) = slot else {
            return None;
        };
        self.slots[number].take().map(|(feature, _)| feature)
    }

    pub(super) fn note_failure(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    pub(super) fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// Waits for a worker to come back, at most so long; nothing came when the time is over.
    pub(super) fn receive(
        ends: &Receiver<WorkerResult>,
        wake: Option<Duration>,
    ) -> Result<Option<WorkerResult>> {
        let end = match wake {
            Some(wake) => ends.recv_timeout(LONGEST_LOOK.min(wake)),
            None => ends.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match end {
            Ok(end) => Ok(Some(end)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Error::internal("every worker is gone")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_worked_in_for_one_feature_at_a_time() {
        let mut pool = SlotPool::new(2, &[]);
        assert!(pool.is_idle() && pool.free() == 2);
        let (first, second) = (SlotId::Session(0), SlotId::Session(1));
        assert_eq!(pool.take(0, Some("A/T01")), first);
        assert_eq!(pool.take(1, None), second);
        assert!(!pool.is_idle() && pool.free() == 0);
        assert_eq!(pool.units_of(0), ["A/T01".to_owned()].into());
        assert_eq!(pool.units_of(1), BTreeSet::new(), "no unit of its own");
        assert_eq!(pool.release(first), Some(0));
        assert_eq!(pool.release(first), None);
        assert_eq!((pool.free(), pool.take(1, Some("B/T01"))), (1, first));
        assert_eq!(SlotPool::new(0, &[]).free(), 1, "there is always one");
    }

    #[test]
    fn a_runner_that_rests_gets_nothing_while_there_is_another_place() {
        let of = |runner: &str, slots| RunnerSlots {
            runner: runner.to_owned(),
            slots,
            judges: false,
        };
        let mut pool = SlotPool::new(4, &[of("a", 1), of("b", 2)]);
        let resting = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
        pool.turn_to(&SessionPlaces::Anywhere, resting(&["a"]));
        assert_eq!((pool.free(), pool.take(0, None)), (3, SlotId::Session(1)));
        pool.turn_to(&SessionPlaces::Anywhere, resting(&["a", "b"]));
        assert_eq!((pool.free(), pool.take(0, None)), (1, SlotId::Session(3)));
        assert_eq!(pool.free(), 0, "the slot here is busy, and will be free");
        pool.turn_to(&SessionPlaces::Anywhere, BTreeSet::new());
        assert_eq!((pool.free(), pool.take(0, None)), (2, SlotId::Session(0)));
        let mut pool = SlotPool::new(2, &[of("a", 2)]);
        pool.turn_to(&SessionPlaces::Anywhere, resting(&["a"]));
        assert_eq!(pool.free(), 2, "there is no other place at all");
    }

    #[test]
    fn a_feature_gets_slots_only_where_its_sessions_may_run() {
        let of = |runner: &str, slots| RunnerSlots {
            runner: runner.to_owned(),
            slots,
            judges: false,
        };
        let mut pool = SlotPool::new(4, &[of("a", 1), of("b", 2)]);
        let none = BTreeSet::new;
        let on_b = SessionPlaces::Runners(vec!["b".to_owned()]);
        pool.turn_to(&on_b, none());
        assert_eq!((pool.free(), pool.take(0, None)), (2, SlotId::Session(1)));
        pool.turn_to(&SessionPlaces::Here, none());
        assert_eq!((pool.free(), pool.take(1, None)), (1, SlotId::Session(3)));
        assert_eq!(pool.free(), 0);
        pool.turn_to(&on_b, ["b".to_owned()].into());
        assert_eq!(
            pool.free(),
            1,
            "it may go nowhere else, so it does not wait"
        );
        pool.turn_to(&SessionPlaces::Anywhere, ["b".to_owned()].into());
        assert_eq!(pool.free(), 1, "the slot on a");
    }

    #[test]
    fn the_first_failure_counts_and_is_taken_once() {
        let mut pool = SlotPool::new(1, &[]);
        assert!(!pool.has_failed());
        pool.note_failure(Error::environment("first"));
        pool.note_failure(Error::environment("second"));
        assert!(pool.has_failed());
        assert_eq!(pool.take_failure().unwrap().to_string(), "first");
        assert!(!pool.has_failed());
    }

    #[test]
    fn what_does_not_come_in_time_is_nothing_and_nobody_left_is_an_error() {
        let (ended, ends) = std::sync::mpsc::channel();
        let soon = Some(Duration::from_millis(1));
        assert!(SlotPool::receive(&ends, soon).unwrap().is_none());
        ended.send((SlotId::Session(3), Ok(()))).unwrap();
        let received = SlotPool::receive(&ends, soon).unwrap();
        assert!(matches!(received, Some((SlotId::Session(3), Ok(())))));
        drop(ended);
        assert!(SlotPool::receive(&ends, None).is_err());
    }
}
