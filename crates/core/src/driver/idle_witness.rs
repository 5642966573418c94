//! Witnesses while a worker has nothing else to do: beside a walk, never in its way. What they come to is written down with
//! the feature's next commit, and what is cut short is cached command by command.

use super::driver_event::DriverEvent;
use super::ports::{Machine, SlotId};
use super::run_loop::{Driver, UnseenLanding};
use super::witness_case::WitnessSubject;
use super::witness_run::WitnessTerms;
use crate::engine::events::{self, Event};
use crate::engine::evidence::sanitize;
use crate::error::{Error, Result};
use crate::model::edit::FileEdits;
use crate::model::layout;
use crate::model::unit::UnitType;
use crate::model::witness_settings::WitnessMode;
use crate::parallel::locked;
use std::panic::AssertUnwindSafe;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

#[derive(Default)]
struct IdleState {
    /// Whether a worker has nothing to do while another works.
    free: bool,
    over: bool,
    /// Counts what may have changed for who waits.
    changes: u64,
}

/// The worker that looks while another has nothing to do.
pub(super) struct IdleWorker<'w, 'd> {
    drivers: Vec<&'w Driver<'d>>,
    slot: SlotId,
    state: Mutex<IdleState>,
    changed: Condvar,
}

/// Ends the worker when the walk ends, however it does.
pub(super) struct IdleEnd<'i, 'w, 'd>(&'i IdleWorker<'w, 'd>);

impl Drop for IdleEnd<'_, '_, '_> {
    fn drop(&mut self) {
        self.0.tell(|state| state.over = true);
    }
}

impl<'w, 'd> IdleWorker<'w, 'd> {
    /// Returns the worker of a walk with this many slots: its own is the one behind them.
    pub(super) fn new(drivers: &[&'w Driver<'d>], jobs: usize) -> IdleWorker<'w, 'd> {
        IdleWorker {
            drivers: drivers.to_vec(),
            slot: SlotId::Verification(jobs.max(1)),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Starts it, where there may ever be something to do for it.
    pub(super) fn begin<'scope, 'i>(
        &'i self,
        scope: &'scope Scope<'scope, 'i>,
    ) -> Result<IdleEnd<'i, 'w, 'd>> {
        let work = move || {
            // What goes wrong here costs a look, never the walk.
            drop(std::panic::catch_unwind(AssertUnwindSafe(|| self.work())));
        };
        Builder::new()
            .spawn_scoped(scope, work)
            .map_err(|e| Error::environment(format!("the system gives no thread: {e}")))?;
        Ok(IdleEnd(self))
    }

    /// Says whether a worker has nothing to do while another works.
    pub(super) fn may_work(&self, free: bool) {
        if self.state().free != free || free {
            self.tell(|state| state.free = free);
        }
    }

    fn state(&self) -> MutexGuard<'_, IdleState> {
        locked(&self.state)
    }

    fn tell(&self, change: impl FnOnce(&mut IdleState)) {
        let mut state = self.state();
        change(&mut state);
        state.changes += 1;
        let ends = state.over || !state.free;
        drop(state);
        self.changed.notify_all();
        if let (true, Some(machine)) = (ends, self.machine()) {
            machine.interrupt(self.slot);
        }
    }

    fn machine(&self) -> Option<&'d dyn Machine> {
        self.drivers.first().map(|driver| driver.machine)
    }

    fn is_wanted(&self) -> bool {
        let state = self.state();
        let stopping = self.machine().is_none_or(|machine| machine.stopping());
        state.free && !state.over && !stopping
    }

    fn work(&self) {
        let mut seen = 0;
        loop {
            {
                let mut state = self.state();
                while !state.over && (!state.free || state.changes == seen) {
                    let waited = self.changed.wait(state);
                    state = waited.unwrap_or_else(PoisonError::into_inner);
                }
                if state.over {
                    return;
                }
                seen = state.changes;
            }
            while self.is_wanted() && self.look_at_one() {}
        }
    }

    /// Looks at the next landing; false where none waits.
    fn look_at_one(&self) -> bool {
        let next = self.drivers.iter().find_map(|driver| {
            let landing = driver.cache().backlog.unseen.pop_front()?;
            Some((*driver, landing))
        });
        let Some((driver, landing)) = next else {
            return false;
        };
        driver.machine.make_interruptible(self.slot);
        let subject = WitnessSubject {
            unit: &landing.unit,
            base: landing.base,
            tree: landing.commit,
        };
        let terms = WitnessTerms {
            slot: self.slot,
            number: 0,
            budget: None,
            quiet: true,
            wanted: &|| self.is_wanted(),
        };
        match driver.witness_of_landing(&subject, &terms) {
            Ok(Some(())) => {}
            Ok(None) => driver.cache().backlog.unseen.push_front(landing),
            Err(_) if !self.is_wanted() => driver.cache().backlog.unseen.push_front(landing),
            Err(error) => driver.report(DriverEvent::Note {
                text: format!(
                    "{}: what no check sees was not looked for: {}",
                    landing.unit,
                    sanitize(&error.to_string())
                ),
            }),
        }
        true
    }
}

impl Driver<'_> {
    /// Keeps a landing for a worker that has nothing else to do, where the project wants that.
    pub(super) fn leave_to_idle(&self, landing: UnseenLanding) -> Result<()> {
        let plan = self.plan_at(&landing.base)?;
        let (_, unit) = plan.unit(&landing.unit)?;
        let wanted = plan.workspace.verification.witness().mode() == WitnessMode::Show;
        if wanted && unit.unit_type() == UnitType::Implementation {
            self.cache().backlog.unseen.push_back(landing);
        }
        Ok(())
    }

    /// Adds what witnesses came to to a commit that writes into the feature's log; returns what it carries.
    pub(super) fn carry_witnesses(&self, edits: &mut FileEdits) -> Vec<Event> {
        let log = format!("{}/{}", self.feature_dir, layout::EVENTS);
        let Some((_, text)) = edits.iter_mut().find(|(path, _)| *path == log) else {
            return vec![];
        };
        let unwritten = std::mem::take(&mut self.cache().backlog.unwritten);
        if !unwritten.is_empty() {
            *text = events::append(text, &unwritten);
        }
        unwritten
    }

    fn witness_of_landing(
        &self,
        subject: &WitnessSubject<'_>,
        terms: &WitnessTerms<'_>,
    ) -> Result<Option<()>> {
        let Some(report) = self.witness(subject, terms)? else {
            return Ok(None);
        };
        let now = self.machine.now().to_string();
        let event = report.event(subject.unit, &now, &subject.tree.hex());
        self.cache().backlog.unwritten.push(event);
        if !report.unwitnessed.is_empty() {
            self.report(DriverEvent::Note {
                text: format!("{}: {}", subject.unit, report.summary()),
            });
        }
        Ok(Some(()))
    }
}

#[cfg(test)]
mod tests;
