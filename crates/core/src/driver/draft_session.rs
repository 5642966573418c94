//! One session of drafting, of a feature or of a check: dispatched in a slot, captured and pinned before it is looked at.

use super::driver_event::{DriverEvent, Watcher};
use super::ports::{AgentEnd, AgentJob, CommitRequest, Machine, SlotContent, SlotId};
use crate::engine::runner_line::Demand;
use crate::error::Result;
use crate::model::layout;
use crate::object_id::ObjectId;
use std::time::Duration;

/// Where sessions draft, and for what.
pub(super) struct DraftSessions<'a> {
    pub(super) machine: &'a dyn Machine,
    pub(super) watcher: &'a dyn Watcher,
    /// What is drafted, in the messages of the pins: `Draft`, `Check`.
    pub(super) what: &'a str,
    /// The feature's id.
    pub(super) id: &'a str,
    /// The commit they start from.
    pub(super) base: ObjectId,
    pub(super) branch: &'a str,
    /// Whether the user named the agent.
    pub(super) by_user: bool,
    pub(super) max_attempts: u32,
    pub(super) timeout: Duration,
}

/// One session to run.
pub(super) struct DraftOrder<'a> {
    pub(super) attempt: u32,
    pub(super) agent: &'a str,
    pub(super) prompt: String,
    /// What is in its slot.
    pub(super) tree: ObjectId,
}

/// A session that ended.
pub(super) struct DraftEnd {
    pub(super) end: AgentEnd,
    pub(super) tree: ObjectId,
    /// The ref that keeps the tree.
    pub(super) kept: String,
}

impl DraftSessions<'_> {
    /// Runs a session to its end and keeps what it left.
    pub(super) fn run(&self, order: DraftOrder<'_>) -> Result<DraftEnd> {
        let slot = SlotId::Session(0);
        self.machine.prepare_slot(&SlotContent {
            slot,
            commit: self.base,
            tree: order.tree,
            branch: self.branch,
        })?;
        let attempt = order.attempt;
        let job = self.job(order);
        self.machine
            .keep_log(&job.unit, attempt, "prompt.md", &job.prompt);
        self.watcher.report(&DriverEvent::Dispatched {
            unit: job.unit.clone(),
            attempt,
            of: self.max_attempts,
            agent: job.agent.clone(),
            model: None,
        });
        let end = self.machine.run_session(&job)?;
        let tree = self.machine.capture(slot, &self.base)?.tree;
        let kept = format!("{}drafts/{}/{attempt}", layout::REFS, self.id);
        let message = format!("{} of {}, session {attempt}\n", self.what, self.id);
        let commit = CommitRequest {
            tree,
            parent: self.base,
            message: &message,
        };
        self.machine.pin(&kept, &commit)?;
        self.watcher.report(&DriverEvent::SessionEnded {
            unit: job.unit,
            class: end.outcome.class().into(),
            seconds: end.duration.as_secs_f64(),
            cost_usd: end.session.cost_usd,
            output_tokens: end.session.usage.output_tokens,
            notes: end.notes.clone(),
        });
        Ok(DraftEnd { end, tree, kept })
    }

    fn job(&self, order: DraftOrder<'_>) -> AgentJob {
        AgentJob {
            slot: SlotId::Session(0),
            unit: format!("{}/{}", self.id, self.what.to_uppercase()),
            nth: order.attempt,
            number: order.attempt,
            agent: order.agent.to_owned(),
            by_user: self.by_user,
            prompt: order.prompt,
            model: None,
            effort: None,
            demand: Demand::default(),
            timeout: self.timeout,
            idle_timeout: Duration::from_secs(10 * 60),
            budget_usd: None,
            share: None,
            unsandboxed: false,
        }
    }
}

/// Adds what a session cost; none where nobody said it of any.
pub(super) fn added(cost: Option<f64>, more: Option<f64>) -> Option<f64> {
    match (cost, more) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}
