//! The workers of a walk, and what they perform: started, waited for and released. Where there is none, the walk sleeps until a limit ends.

use super::{FeatureWalk, WalkedFeature};
use crate::driver::dispatch::SessionOrder;
use crate::driver::driver_event::DriverEvent;
use crate::driver::ports::SlotId;
use crate::driver::repetition::no_repetition;
use crate::driver::run_loop::Driver;
use crate::driver::slot_pool::{SlotPool, WorkerResult};
use crate::driver::{gate_commits, land};
use crate::engine::action::Action;
use crate::error::{Error, Result};
use std::panic::AssertUnwindSafe;
use std::thread::{Builder, Scope};
use std::time::Duration;

impl<'w> FeatureWalk<'w, '_, '_> {
    /// Starts a worker for an action.
    pub(super) fn start_worker<'scope>(
        &mut self,
        index: usize,
        action: Action,
        scope: &'scope Scope<'scope, 'w>,
    ) {
        let slot = self.pool.take(index, action.unit());
        self.features[index].exclusive = action.is_exclusive();
        let ended = self.ended.clone();
        let driver = self.features[index].driver;
        let worker = move || {
            // A worker that is silent for ever would be waited for.
            let perform = AssertUnwindSafe(|| driver.perform(&action, slot));
            let result = std::panic::catch_unwind(perform);
            let result = result.unwrap_or_else(|_| Err(Error::internal("a worker failed")));
            // The receiver outlives every worker of this scope.
            drop(ended.send((slot, result)));
        };
        if let Err(e) = Builder::new().spawn_scoped(scope, worker) {
            let error = Error::environment("the system gives no thread for a unit").with_source(e);
            self.release((slot, Err(error)));
        }
    }
}

impl FeatureWalk<'_, '_, '_> {
    /// Waits for a worker to come back, or until a unit that waits goes on beside the others.
    pub(super) fn wait_for_a_worker(&mut self) -> Result<()> {
        let quiet = self.pool.has_failed() || self.is_stopping();
        let wake = if quiet { None } else { self.next_wake() };
        if let Some(end) = SlotPool::receive(&self.ends, wake)? {
            self.release(end);
        }
        Ok(())
    }

    fn next_wake(&self) -> Option<Duration> {
        let open = self.features.iter().filter(|f| f.end.is_none() && f.begun);
        let until = open.filter_map(|f| f.wake).min()?;
        let now = self.features.first()?.driver.machine.now();
        Some(until.duration_since(now).try_into().unwrap_or_default())
    }

    /// Nobody works: sleeps until the first feature that waits goes on. Returns false when none does.
    pub(super) fn sleep(&mut self) -> Result<bool> {
        let until = |f: &WalkedFeature<'_, '_>| match &f.wait {
            Some((_, Action::Wait { until, .. })) if f.end.is_none() => Some(*until),
            _ => None,
        };
        let waiting = self
            .features
            .iter_mut()
            .filter_map(|f| Some((until(f)?, f)));
        let Some((_, feature)) = waiting.min_by_key(|(until, _)| *until) else {
            return match self.features.iter().all(|f| f.end.is_some()) {
                true => Ok(false),
                false => Err(Error::internal("nothing moves and nothing stopped")),
            };
        };
        let Some((snapshot, wait)) = feature.wait.take() else {
            return Ok(false);
        };
        no_repetition(&mut feature.last, snapshot, std::slice::from_ref(&wait))?;
        feature.driver.perform(&wait, SlotId::Session(0))?;
        Ok(true)
    }

    pub(super) fn release(&mut self, (slot, result): WorkerResult) {
        let Some(index) = self.pool.release(slot) else {
            return;
        };
        self.features[index].exclusive = false;
        let Err(error) = result else { return };
        if let Err(error) = self.fail(index, error) {
            self.pool.note_failure(error);
        }
    }
}

impl Driver<'_> {
    /// Performs one action, in a slot where it needs one.
    pub(super) fn perform(&self, action: &Action, slot: SlotId) -> Result<()> {
        match action {
            Action::Activate => gate_commits::activate(self),
            Action::CheckBase { unit } => self.check_base(unit, slot),
            Action::Dispatch {
                unit,
                number,
                nth,
                agent,
            } => {
                let order = SessionOrder {
                    unit,
                    number: *number,
                    nth: *nth,
                    agent: *agent,
                };
                self.dispatch(&order, slot)
            }
            Action::Judge { unit, number } => self.judge(unit, *number, slot),
            Action::Land { unit, number } => land::land(self, unit, *number),
            Action::Park { unit, reason } => land::park(self, unit, reason),
            Action::AutoClose { unit, decision } => gate_commits::auto_close(self, unit, decision),
            Action::AskRequirements => self.run_coverage(&self.tip()?, slot),
            Action::CheckBroad { gate } => self.check_broad(*gate, slot),
            Action::CloseGate { gate, finish } => {
                gate_commits::close_gate(self, (*gate, *finish), slot)
            }
            Action::Wait { until, why } => {
                self.report(DriverEvent::Waiting {
                    until: until.to_string(),
                    why: why.clone(),
                });
                self.machine.sleep_until(*until);
                Ok(())
            }
        }
    }
}
