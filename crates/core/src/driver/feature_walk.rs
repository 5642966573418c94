//! The walk over one feature or several: observe, decide, perform, again. Slots are worked by one thread each, whichever
//! feature they work for. Every feature keeps its own branch and gets its own pure steps; they share the slots, in the
//! order given, and what is known of their agents.

mod walk_workers;

use super::agent_retry;
use super::idle_witness::IdleWorker;
use super::ports::SlotId;
use super::repetition::{LastActions, no_repetition};
use super::run_loop::Driver;
use super::slot_pool::{SlotPool, WorkerResult};
use crate::engine::action::{Action, Step, Stop};
use crate::engine::snapshot::Snapshot;
use crate::engine::step::step;
use crate::error::{Error, ErrorCause, ErrorKind, Result};
use crate::object_id::ObjectId;
use std::sync::mpsc;
use std::thread::Scope;

/// How one feature of a walk ended.
#[derive(Debug, Clone, PartialEq)]
pub enum FeatureEnd {
    /// For a reason of its plan.
    Stopped(Stop),
    /// For a fault of its plan or its branch; the others went on.
    Failed(Error),
    /// Because the user or the system asked.
    Interrupted,
}

/// How a walk over one feature ended.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// For a reason of the plan.
    Stopped(Stop),
    /// Because the user or the system asked.
    Interrupted,
}

/// How much a walk does at once.
#[derive(Debug, Clone, Copy)]
pub struct WalkLimits {
    /// How many slots all features have together.
    pub jobs: usize,
    /// How many features are worked on at once; one that waits for the user makes room for the next.
    pub wip: usize,
}

/// Asked when a feature stops, by its place in the walk: whether it goes on after all, because what it waited for was
/// done on the spot.
pub(crate) type AtStop<'c> = dyn Fn(usize, &Stop) -> Result<bool> + 'c;

/// What is known of one feature between two of its steps.
struct WalkedFeature<'w, 'd> {
    driver: &'w Driver<'d>,
    begun: bool,
    /// Whether a worker is at something that nothing else of the feature may move beside.
    exclusive: bool,
    last: Option<LastActions>,
    /// Until when nothing of it can go on, and as of what.
    wait: Option<(Snapshot, Action)>,
    /// When one of its units goes on beside the others.
    wake: Option<jiff::Timestamp>,
    /// How it ended, and at which tip.
    end: Option<(Option<ObjectId>, FeatureEnd)>,
}

struct FeatureWalk<'w, 'd, 'c> {
    idle: &'c IdleWorker<'w, 'd>,
    features: Vec<WalkedFeature<'w, 'd>>,
    pool: SlotPool,
    wip: usize,
    ended: mpsc::Sender<WorkerResult>,
    ends: mpsc::Receiver<WorkerResult>,
    at_stop: &'c AtStop<'c>,
}

/// Walks features until each has a reason to stop; returns how each ended, in the order given. Starting is recovering.
///
/// Fails where recovery does; an error of one feature is that feature's end.
pub fn walk(
    drivers: &[&Driver<'_>],
    limits: WalkLimits,
    at_stop: &AtStop<'_>,
) -> Result<Vec<FeatureEnd>> {
    for driver in drivers {
        driver.recover()?;
    }
    let (ended, ends) = mpsc::channel();
    let features = drivers.iter().map(|driver| WalkedFeature {
        driver,
        begun: false,
        exclusive: false,
        last: None,
        wait: None,
        wake: None,
        end: None,
    });
    let idle = IdleWorker::new(drivers, limits.jobs);
    let walk = FeatureWalk {
        idle: &idle,
        features: features.collect(),
        pool: SlotPool::new(
            limits.jobs,
            drivers.first().map_or(&[], |first| &first.options.runners),
        ),
        wip: limits.wip.max(1),
        ended,
        ends,
        at_stop,
    };
    std::thread::scope(|scope| {
        let _end = idle.begin(scope)?;
        walk.run(scope)
    })
}

impl<'w> FeatureWalk<'w, '_, '_> {
    fn run<'scope>(mut self, scope: &'scope Scope<'scope, 'w>) -> Result<Vec<FeatureEnd>> {
        loop {
            if self.pool.is_idle() {
                if let Some(failure) = self.pool.take_failure() {
                    return Err(failure);
                }
                if self.is_stopping() {
                    break;
                }
            }
            self.round(scope)?;
            self.idle
                .may_work(!self.pool.is_idle() && self.pool.free() > 0);
            if !self.pool.is_idle() {
                self.wait_for_a_worker()?;
            } else if !self.is_stopping() && !self.pool.has_failed() && !self.sleep()? {
                break;
            }
        }
        let end = |feature: WalkedFeature<'_, '_>| feature.end.map(|(_, end)| end);
        let ends = self.features.into_iter().map(end);
        Ok(ends.map(|e| e.unwrap_or(FeatureEnd::Interrupted)).collect())
    }

    fn is_stopping(&self) -> bool {
        let first = self.features.first();
        first.is_some_and(|feature| feature.driver.machine.stopping())
    }

    /// Brings each feature as far as it goes now, in their order: the first takes the slots it can use.
    fn round<'scope>(&mut self, scope: &'scope Scope<'scope, 'w>) -> Result<()> {
        for index in 0..self.features.len() {
            self.resume_if_moved(index)?;
            let is_open = |f: &WalkedFeature<'_, '_>| f.begun && f.end.is_none();
            let open = self.features.iter().filter(|f| is_open(f)).count();
            let feature = &self.features[index];
            if feature.end.is_some() || !feature.begun && open >= self.wip {
                continue;
            }
            if let Err(error) = self.advance(index, scope) {
                self.fail(index, error)?;
            }
        }
        Ok(())
    }

    /// A fault of a plan, or of its branch, ends its feature; any other ends the walk. Alone, a feature is the walk.
    fn fail(&mut self, index: usize, error: Error) -> Result<()> {
        let of_one =
            error.kind == ErrorKind::InvalidPlan || error.cause == Some(ErrorCause::HeldBranch);
        if !of_one || self.features.len() == 1 {
            return Err(error);
        }
        let feature = &mut self.features[index];
        feature.end = Some((feature.driver.tip().ok(), FeatureEnd::Failed(error)));
        Ok(())
    }

    /// Looks at a stopped feature again once its branch has moved: the user did meanwhile what it waited for.
    fn resume_if_moved(&mut self, index: usize) -> Result<()> {
        let feature = &mut self.features[index];
        let Some((Some(tip), _)) = &feature.end else {
            return Ok(());
        };
        if !self.pool.units_of(index).is_empty() || feature.driver.tip()? == *tip {
            return Ok(());
        }
        feature.driver.read_attempts()?;
        feature.end = None;
        Ok(())
    }

    fn advance<'scope>(&mut self, index: usize, scope: &'scope Scope<'scope, 'w>) -> Result<()> {
        let driver = self.features[index].driver;
        loop {
            if self.pool.has_failed() || self.is_stopping() || self.features[index].exclusive {
                return Ok(());
            }
            if !std::mem::replace(&mut self.features[index].begun, true) {
                driver.begin()?;
            }
            let (snapshot, step) = self.decide(index)?;
            match step {
                Step::Busy => return Ok(()),
                Step::Do(actions) => {
                    if !self.start((index, snapshot), actions, scope)? {
                        return Ok(());
                    }
                }
                Step::Stop(stop) => {
                    driver.catch_up_if_behind()?;
                    if !(self.at_stop)(index, &stop)? {
                        let tip = driver.tip().ok();
                        self.features[index].end = Some((tip, FeatureEnd::Stopped(stop)));
                        return Ok(());
                    }
                }
            }
        }
    }

    fn decide(&mut self, index: usize) -> Result<(Snapshot, Step)> {
        let running = self.pool.units_of(index);
        let feature = &mut self.features[index];
        let tip = feature.driver.tip()?;
        feature.driver.verify_plan_change(&tip)?;
        let mut snapshot = feature.driver.observe_at(tip, &running)?;
        let (resting, rested) = feature.driver.resting_runners();
        self.pool.turn_to(&feature.driver.options.places, resting);
        // What the others have taken is not there for this one.
        snapshot.options.jobs = running.len() + self.pool.free();
        let wake = agent_retry::next_wait(&snapshot).into_iter().chain(rested);
        feature.wake = wake.min();
        feature.wait = None;
        feature.driver.note_near_budgets(&snapshot);
        let step = step(&snapshot);
        Ok((snapshot, step))
    }

    /// Starts what there is a slot for, and performs what needs none; returns whether it did anything after which the
    /// feature is to be looked at again.
    fn start<'scope>(
        &mut self,
        (index, snapshot): (usize, Snapshot),
        actions: Vec<Action>,
        scope: &'scope Scope<'scope, 'w>,
    ) -> Result<bool> {
        if let [wait @ Action::Wait { .. }] = &actions[..] {
            self.features[index].wait = Some((snapshot, wait.clone()));
            return Ok(false);
        }
        let mut free = self.pool.free();
        let mut started = actions;
        started.retain(|action| {
            let fits = !action.runs_commands() || free > 0;
            free = free.saturating_sub(usize::from(action.runs_commands()));
            fits
        });
        if started.is_empty() {
            return Ok(false);
        }
        no_repetition(&mut self.features[index].last, snapshot, &started)?;
        for action in started {
            match action.runs_commands() {
                true => self.start_worker(index, action, scope),
                false => self.features[index]
                    .driver
                    .perform(&action, SlotId::Session(0))?,
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
