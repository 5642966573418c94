//! Where a session runs. A slot is named by its id only, and everything that goes in and comes out is plain data:
//! nothing here knows a path of the machine that does the work.

use super::SlotId;
use crate::agents::{AnswersShow, ProcessExit, Session};
use crate::driver::budget::SessionBudget;
use crate::engine::model_selection::ChainLink;
use crate::engine::runner_line::Demand;
use crate::error::Result;
use std::time::Duration;

/// What to run as a session.
#[derive(Debug, Clone)]
pub struct AgentJob {
    /// The slot it runs in.
    pub slot: SlotId,
    /// Full id of the unit.
    pub unit: String,
    /// The attempt since it was armed, from 1.
    pub nth: u32,
    /// Names the attempt's log.
    pub number: u32,
    /// The agent, in the user's or the plan's words.
    pub agent: String,
    /// Whether the user named it, so that it may define a program.
    pub by_user: bool,
    /// The whole prompt, as the agent reads it.
    pub prompt: String,
    /// The model, when named.
    pub model: Option<String>,
    /// The effort, when named.
    pub effort: Option<String>,
    /// What it asks of the machine it runs on, if that is another.
    pub demand: Demand,
    /// Wall-clock limit, at which its process tree is ended.
    pub timeout: Duration,
    /// Silence after which it is ended.
    pub idle_timeout: Duration,
    /// What it may still cost, in US dollars.
    pub budget_usd: Option<f64>,
    /// Its part of what it spends together with the sessions beside it.
    pub share: Option<SessionBudget>,
    /// Runs it without confinement, as its unit declares.
    pub unsandboxed: bool,
    /// The only feature's directory that it has work in; none where it may have some in several.
    pub feature_dir: Option<String>,
}

/// Where a session ran, if not on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FarPlace {
    /// The runner, by its name in the user's configuration.
    pub runner: String,
    /// What confined it there; empty where it did not start.
    pub isolation: String,
    /// How long it waited there, in an engine's queue above all, before it ran; its time does not count that.
    pub waited: Duration,
}

/// How a session ended.
#[derive(Debug, Clone)]
pub struct AgentEnd {
    /// Where it ran, if not here.
    pub place: Option<FarPlace>,
    /// How the process ended.
    pub exit: ProcessExit,
    /// What was seen of the session.
    pub session: Session,
    /// What the adapter makes of it.
    pub outcome: crate::agents::Outcome,
    /// Wall-clock time from start to end.
    pub duration: Duration,
    /// How many processes it left behind; the driver ended them.
    pub strays: usize,
    /// What a user can do about a failure outside the work.
    pub remedy: Option<String>,
    /// How it shows that the model answered: the silence of a known program is that of its server.
    pub answers_show: AnswersShow,
    /// Anything a user should know.
    pub notes: Vec<String>,
}

impl AgentEnd {
    /// Returns why the agent could not work: what can be done about it, or else the class of its end.
    pub(crate) fn why_unavailable(&self) -> String {
        let class = || self.outcome.class().to_string();
        self.remedy.clone().unwrap_or_else(class)
    }
}

/// The place where sessions run.
pub trait SessionRunner: Sync {
    /// Runs a session to its end; nothing it started is alive afterwards.
    fn run_session(&self, job: &AgentJob) -> Result<AgentEnd>;
    /// Returns why an agent cannot be started here at all, without starting it; nothing where that shows only then.
    fn missing_agent(&self, _agent: &str, _by_user: bool) -> Option<String> {
        None
    }
    /// Returns the model that a session of an agent is asked for: its profile's own, or the plan's where that
    /// was meant for this program.
    fn asked_model(&self, link: &ChainLink, _by_user: bool) -> Option<String> {
        link.model.clone().filter(|_| link.model_of.is_none())
    }
    /// Returns what confines a session here: `bubblewrap`, `landlock` or `none`.
    fn isolation(&self, _unsandboxed: bool) -> String {
        "none".to_owned()
    }
}
