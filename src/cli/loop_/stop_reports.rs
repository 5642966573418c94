//! Reporting stops where the user wants to hear of them. A report that fails never fails a run.

use crate::cli::Context;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_host::notify::{Notify, StopEvent};
use gatewalk_host::state_repository::Repository;
use serde_json::{Value, json};
use std::ffi::OsString;

/// What the user wants to hear, and what is needed to report it.
pub(super) struct StopReports<'c> {
    context: &'c Context,
    notify: Notify,
    env: Vec<(OsString, OsString)>,
}

impl<'c> StopReports<'c> {
    /// Reads what the user wants to hear.
    pub(super) fn read(context: &'c Context) -> Result<StopReports<'c>> {
        let env: Vec<_> = std::env::vars_os().collect();
        let notify = Notify::read(&env)?;
        Ok(StopReports {
            context,
            notify,
            env,
        })
    }

    /// Reports how a feature's run ended.
    pub(super) fn stop(&self, stopped: &Value, exit: Exit) {
        if !StopEvent::of(exit).is_some_and(|event| self.notify.wants(event)) {
            return;
        }
        let Ok(repository) = Repository::open(&self.context.cwd) else {
            return;
        };
        let state_dir = repository.git.state_dir();
        let place = (self.context.cwd.as_path(), state_dir.as_path());
        if let Some(error) = self.notify.report(stopped, place, &self.env) {
            let out = &self.context.out;
            out.note(format!("this stop was not reported: {error}"));
        }
    }

    /// Reports an error that ended a run.
    pub(super) fn error(&self, error: &Error) {
        let exit = error.exit();
        let stopped = json!({
            "event": "stopped", "reason": "error", "exit": exit.code(), "what": error.to_string(), "next": error.hints,
        });
        self.stop(&stopped, exit);
    }
}
