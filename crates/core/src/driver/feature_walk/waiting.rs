//! A walk with nothing to start waits: for a worker, for a unit that goes on beside the others, or for a limit to end.

use super::{FeatureWalk, WalkedFeature};
use crate::driver::ports::SlotId;
use crate::driver::repetition::no_repetition;
use crate::driver::slot_pool::SlotPool;
use crate::engine::action::Action;
use crate::error::{Error, Result};
use std::time::Duration;

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
}
