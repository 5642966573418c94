//! What home does with what it hears of a session that runs elsewhere.

use super::far_slots::FarNote;
use super::session_sink::SessionSink;
use super::{Os, runtime};
use crate::files::write_runtime;
use crate::process::{Flow, Sink, SinkStop};
use crate::runner::{LeftTree, SessionListener};
use gatewalk_core::driver::ports::AgentJob;
use gatewalk_core::error::Result;
use gatewalk_core::model::id::short_id;
use std::time::Duration;

/// A wait from which on a user wants to know that it is over.
const QUEUED: Duration = Duration::from_secs(5);

/// Hears a session elsewhere as if it ran here.
pub(super) struct HomeListener<'a, 'w> {
    pub(super) os: &'a Os<'w>,
    pub(super) job: &'a AgentJob,
    pub(super) runner: &'a str,
    pub(super) own: SessionSink<'a>,
    pub(super) log: runtime::SessionLog,
}

impl SessionListener for HomeListener<'_, '_> {
    fn line(&mut self, line: &[u8], truncated: bool) -> Flow {
        self.log.line(line);
        self.own.stdout_line(line, truncated)
    }

    fn sign(&mut self) {
        self.own.note_sign();
    }

    fn begun(&mut self, waited: Duration) {
        runtime::note_begun((&self.os.state(), &self.job.unit, self.job.number), true);
        if waited >= QUEUED {
            let unit = short_id(&self.job.unit);
            let text = format!("{unit} runs now, after {} s of waiting", waited.as_secs());
            self.note(&text);
        }
    }

    fn tick(&mut self, elapsed: Duration) -> Flow {
        match self.own.tick(elapsed) {
            // Its own end is the far end's to wait for.
            Flow::Stop(SinkStop::Done | SinkStop::Waiting | SinkStop::Futile) => Flow::Continue,
            flow => flow,
        }
    }

    fn note(&mut self, text: &str) {
        let text = format!("runner {}: {text}", self.runner);
        self.os.note_once_per_run(&text, &text);
    }

    fn left(&mut self, left: &LeftTree) -> Result<()> {
        let note = FarNote {
            unit: self.job.unit.clone(),
            number: self.job.number,
            left: left.clone(),
        };
        let path = self.os.far_note(self.job.slot);
        runtime::make_parent(&path)?;
        write_runtime(&path, &serde_json::to_vec(&note).expect("plain data"))?;
        if let Some(order) = self.os.far.orders().get_mut(&self.job.slot) {
            order.left = Some(left.clone());
        }
        Ok(())
    }
}
