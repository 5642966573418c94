//! A session that is asked for advice: it runs in a slot like any other, and nothing of what it leaves there is used.

use super::driver_event::{DriverEvent, Watcher};
use super::ports::{AgentJob, CommitRequest, Machine, SlotContent, SlotId};
use crate::agents::Outcome;
use crate::engine::runner_line::Demand;
use crate::error::Result;
use crate::model::layout;
use crate::object_id::ObjectId;
use std::time::Duration;

/// What is asked, and of whom.
pub struct AdviceRequest<'a> {
    /// The commit the slot stands on.
    pub base: ObjectId,
    /// The files in it.
    pub tree: ObjectId,
    /// The branch that the slot's history shows.
    pub branch: &'a str,
    /// The unit or the feature.
    pub about: &'a str,
    /// The agent, as the user named it.
    pub agent: &'a str,
    /// All that the session is given to read.
    pub prompt: String,
}

/// What came of it.
pub enum Advice {
    /// An answer, and what it cost, in US dollars.
    Answer {
        /// What the session said.
        text: String,
        /// What it cost, when known.
        cost_usd: Option<f64>,
    },
    /// The agent could not work, for this reason.
    NoAgent(String),
    /// Someone asked to stop.
    Interrupted,
}

/// Runs the session. What it changed is pinned, as whatever a session writes, and goes nowhere.
///
/// Fails only as the machine does: an agent that cannot work is an answer.
pub fn ask(
    machine: &dyn Machine,
    watcher: &dyn Watcher,
    request: &AdviceRequest<'_>,
) -> Result<Advice> {
    let slot = SlotId::Session(0);
    machine.prepare_slot(&SlotContent {
        slot,
        commit: request.base,
        tree: request.tree,
        branch: request.branch,
    })?;
    let unit = format!("{}/ADVICE", request.about);
    watcher.report(&DriverEvent::Dispatched {
        unit: unit.clone(),
        attempt: 1,
        of: 1,
        agent: request.agent.to_owned(),
        model: None,
        runner: None,
    });
    machine.keep_log((&unit, 1), "prompt.md", &request.prompt);
    let end = machine.run_session(&job(request, slot, unit))?;
    let left = machine.capture(slot, &request.base)?.tree;
    if left != request.tree {
        let name = pin_what_it_wrote(machine, request, left)?;
        watcher.report(&DriverEvent::Note {
            text: format!("the session was to change nothing; what it wrote is kept under {name} and used for nothing"),
        });
    }
    if end.outcome == Outcome::Cancelled || machine.stopping() {
        return Ok(Advice::Interrupted);
    }
    if end.outcome.is_infra() {
        return Ok(Advice::NoAgent(end.why_unavailable()));
    }
    Ok(Advice::Answer {
        text: end.session.closing_text().to_owned(),
        cost_usd: end.session.cost_usd,
    })
}

/// Returns the session to run: the user asked for it, so nothing of a plan decides about it.
fn job(request: &AdviceRequest<'_>, slot: SlotId, unit: String) -> AgentJob {
    AgentJob {
        slot,
        unit,
        nth: 1,
        number: 1,
        agent: request.agent.to_owned(),
        by_user: true,
        prompt: request.prompt.clone(),
        model: None,
        effort: None,
        demand: Demand::default(),
        timeout: Duration::from_secs(30 * 60),
        idle_timeout: Duration::from_secs(10 * 60),
        budget_usd: None,
        share: None,
        unsandboxed: false,
        feature_dir: None,
    }
}

/// Pins what an adviser changed, and returns the ref.
fn pin_what_it_wrote(
    machine: &dyn Machine,
    request: &AdviceRequest<'_>,
    tree: ObjectId,
) -> Result<String> {
    let about = request.about;
    let name = format!("{}advice/{about}", layout::REFS);
    let message = format!("What a session wrote that was asked about {about}\n");
    let commit = CommitRequest {
        tree,
        parent: request.base,
        message: &message,
    };
    machine.pin(&name, &commit)?;
    Ok(name)
}
