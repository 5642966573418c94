//! Sandboxes that are set up before a command needs them, one for each place where commands run.
//!
//! What was started ahead is used only where it is what would be started now: the same command line of bubblewrap's, the same
//! files and directories behind every path in it, and the same mounts around. A mount holds on to what it shows, so that a
//! number which is the same is the same file; and a mount that is gone, as one is whose place was removed, shows in the list of its
//! own mounts. Otherwise it is ended, and the command starts as it would have without.
//!
//! bubblewrap ends with the thread that started it: one thread starts all, and stays as long as this.

use super::bubblewrap::WrapperLine;
use super::prepared_sandbox::{PreparedSandbox, StandbyOrder, StandbyPlace};
use super::stand_ins::StandInLease;
use super::standby_places::{PlaceState, StandbyPlaces, StandbyState};
use crate::process::standby::Standby;
use gatewalk_core::parallel::locked;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Most that wait at once.
const MOST_WAITING: usize = 16;
/// How often in succession one may turn out to be of no use before none is started ahead at its place any more.
const MOST_MISSES: u32 = 3;
/// How long one that is being started is waited for.
const START: Duration = Duration::from_secs(2);

/// Those of a run.
#[derive(Debug, Default)]
pub(crate) struct Standbys {
    shared: Arc<SharedStandbys>,
    /// Begun with the first that is wanted; none is started ahead where it cannot be had.
    thread: OnceLock<Option<JoinHandle<()>>>,
}

/// What the thread works on with everybody else.
#[derive(Debug, Default)]
struct SharedStandbys {
    places: Mutex<StandbyPlaces>,
    changed: Condvar,
    /// None before the thread begins, and once the run ends.
    tasks: Mutex<Option<Sender<ThreadTask>>>,
}

/// What the thread does.
#[derive(Debug)]
enum ThreadTask {
    Start(StandbyPlace),
    Discard(Standby),
}

impl Standbys {
    /// Returns the command line that an order means now, and what was started ahead with that very line.
    pub(super) fn line(&self, order: &StandbyOrder) -> (WrapperLine, Option<Standby>) {
        let place = order.place();
        let Some(mut prepared) = self.shared.take(&place) else {
            return (order.line(), None);
        };
        let (built, is_same) = prepared.compared(order);
        self.shared.count(&place, is_same);
        if is_same {
            return (built, Some(prepared.standby));
        }
        self.shared.send(ThreadTask::Discard(prepared.standby));
        (built, None)
    }

    /// Has somebody empty the directories that are a slot's own, who is told which mount points a sandbox that waits there has in them:
    /// with those its mounts would go.
    pub(crate) fn emptying<T>(
        &self,
        slot: &Path,
        empty: impl FnOnce(&BTreeSet<PathBuf>) -> T,
    ) -> T {
        let (mut points, mut taken_back) = (BTreeSet::new(), Vec::new());
        let is_of_slot = |(place, _): &(&StandbyPlace, &mut PlaceState)| place.0 == slot;
        for (_, state) in locked(&self.shared.places).iter_mut().filter(is_of_slot) {
            match &mut state.waiting {
                StandbyState::Nothing => {}
                StandbyState::Starting | StandbyState::Ready(_) => {
                    points.extend(state.mount_points.iter().cloned());
                }
                waiting @ StandbyState::Ordered(_) => taken_back.push(std::mem::take(waiting)),
            }
        }
        let is_there = |point: &&PathBuf| point.symlink_metadata().is_ok();
        let before: Vec<&PathBuf> = points.iter().filter(is_there).collect();
        let emptied = empty(&points);
        if !before.iter().all(is_there) {
            let mut places = locked(&self.shared.places);
            let of_slot = places.iter_mut().filter(is_of_slot);
            of_slot.for_each(|(_, state)| state.is_disturbed = true);
        }
        for waiting in taken_back {
            if let StandbyState::Ordered(order) = waiting {
                self.shared.order(order);
            }
        }
        emptied
    }

    /// Returns what is held while an order is used, and has it started ahead once more afterwards.
    pub(super) fn again(&self, order: StandbyOrder, leases: Vec<StandInLease>) -> AfterUse {
        let thread = self.thread.get_or_init(|| self.begin());
        AfterUse {
            leases,
            order: thread.is_some().then(|| Box::new(order)),
            shared: Arc::clone(&self.shared),
        }
    }

    fn begin(&self) -> Option<JoinHandle<()>> {
        let (sender, tasks) = mpsc::channel();
        *locked(&self.shared.tasks) = Some(sender);
        let shared = Arc::clone(&self.shared);
        let thread = std::thread::Builder::new().name("standbys".to_owned());
        thread.spawn(move || shared.work(&tasks)).ok()
    }
}

#[cfg(test)]
impl Standbys {
    /// Returns whether one waits where an order wants it, once none is being started.
    pub(super) fn has_one_at(&self, order: &StandbyOrder) -> bool {
        let place = order.place();
        let is_under_way = |places: &mut StandbyPlaces| {
            let state = places.get(&place);
            state.is_some_and(|s| {
                matches!(s.waiting, StandbyState::Starting | StandbyState::Ordered(_))
            })
        };
        let (shared, places) = (&self.shared, locked(&self.shared.places));
        let places = shared.changed.wait_while(places, is_under_way);
        let places = places.unwrap_or_else(PoisonError::into_inner);
        let state = places.get(&place);
        state.is_some_and(|state| matches!(state.waiting, StandbyState::Ready(_)))
    }

    pub(super) fn misses_at(&self, order: &StandbyOrder) -> u32 {
        let places = locked(&self.shared.places);
        places.get(&order.place()).map_or(0, |state| state.misses)
    }
}

impl Drop for Standbys {
    fn drop(&mut self) {
        drop(locked(&self.shared.tasks).take());
        if let Some(Some(thread)) = self.thread.take() {
            // What it could not end is killed as it goes.
            drop(thread.join());
        }
    }
}

/// What a command holds while it runs, after which the next sandbox is started.
#[derive(Debug)]
pub(super) struct AfterUse {
    leases: Vec<StandInLease>,
    order: Option<Box<StandbyOrder>>,
    shared: Arc<SharedStandbys>,
}

impl Drop for AfterUse {
    fn drop(&mut self) {
        self.leases.clear();
        if let Some(order) = self.order.take() {
            self.shared.order(order);
        }
    }
}

impl SharedStandbys {
    /// Returns all places, once nothing is being started at some of them.
    fn settled(&self, is_asked: impl Fn(&StandbyPlace) -> bool) -> MutexGuard<'_, StandbyPlaces> {
        let is_starting = |places: &mut StandbyPlaces| {
            let mut asked = places.iter().filter(|(place, _)| is_asked(place));
            asked.any(|(_, state)| matches!(state.waiting, StandbyState::Starting))
        };
        let places = locked(&self.places);
        let waited = self.changed.wait_timeout_while(places, START, is_starting);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Returns what waits at a place, once it is started where it is being.
    fn take(&self, place: &StandbyPlace) -> Option<PreparedSandbox> {
        let mut places = self.settled(|one| one == place);
        let state = places.get_mut(place)?;
        match std::mem::take(&mut state.waiting) {
            StandbyState::Ready(prepared) if state.is_disturbed => {
                self.send(ThreadTask::Discard(prepared.standby));
                None
            }
            StandbyState::Ready(prepared) => Some(*prepared),
            starting @ StandbyState::Starting => {
                // It took too long; somebody later may have it.
                state.waiting = starting;
                None
            }
            StandbyState::Ordered(_) | StandbyState::Nothing => None,
        }
    }

    /// Counts whether what waited was of use.
    fn count(&self, place: &StandbyPlace, was_used: bool) {
        if let Some(state) = locked(&self.places).get_mut(place) {
            state.misses = match was_used {
                true => 0,
                false => state.misses + 1,
            };
        }
    }

    fn order(&self, order: Box<StandbyOrder>) {
        let place = order.place();
        let mut places = locked(&self.places);
        let waiting = places
            .values()
            .filter(|state| !matches!(state.waiting, StandbyState::Nothing));
        let is_full = waiting.count() >= MOST_WAITING;
        let state = places.entry(place.clone()).or_default();
        let is_free = matches!(state.waiting, StandbyState::Nothing);
        if is_full || !is_free || state.misses >= MOST_MISSES {
            return;
        }
        state.waiting = StandbyState::Ordered(order);
        drop(places);
        self.send(ThreadTask::Start(place));
    }

    /// Sends a task, unless the run ends: what is in it ends then.
    fn send(&self, task: ThreadTask) {
        if let Some(tasks) = &*locked(&self.tasks) {
            drop(tasks.send(task));
        }
    }

    fn work(&self, tasks: &Receiver<ThreadTask>) {
        for task in tasks {
            match task {
                ThreadTask::Discard(standby) => standby.discard(),
                ThreadTask::Start(place) => self.start(&place),
            }
        }
        for state in std::mem::take(&mut *locked(&self.places)).into_values() {
            if let StandbyState::Ready(prepared) = state.waiting {
                prepared.standby.discard();
            }
        }
    }

    /// Starts what is ordered at a place, unless it was taken back or the run ends.
    fn start(&self, place: &StandbyPlace) {
        let ends = locked(&self.tasks).is_none();
        let Some(order) = (!ends).then(|| self.begun(place)).flatten() else {
            return;
        };
        let started = PreparedSandbox::start(&order);
        if started.is_none() {
            self.count(place, false);
        }
        let waiting = started.map_or(StandbyState::Nothing, |one| {
            StandbyState::Ready(Box::new(one))
        });
        if let Some(state) = locked(&self.places).get_mut(place) {
            state.waiting = waiting;
        }
        self.changed.notify_all();
    }

    /// Returns what is ordered at a place, which is being started from now on.
    fn begun(&self, place: &StandbyPlace) -> Option<Box<StandbyOrder>> {
        let mut places = locked(&self.places);
        let state = places.get_mut(place)?;
        match std::mem::take(&mut state.waiting) {
            StandbyState::Ordered(order) => {
                state.is_disturbed = false;
                state.mount_points = order.bounds.mount_points();
                state.waiting = StandbyState::Starting;
                Some(order)
            }
            other => {
                state.waiting = other;
                None
            }
        }
    }
}
