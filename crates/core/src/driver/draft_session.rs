//! Drafting, of a feature or of a check: one session after another in a slot, until what one left is taken or the tries are
//! used. Each is captured and pinned before it is looked at.

use super::driver_event::{DriverEvent, Watcher};
use super::ports::{AgentEnd, AgentJob, CommitRequest, Machine, SlotContent, SlotId};
use crate::agents::Outcome;
use crate::engine::evidence::sanitize;
use crate::engine::feature_draft::DraftSource;
use crate::engine::model_selection::ChainLink;
use crate::engine::repository_map::{self, Scope};
use crate::engine::runner_line::Demand;
use crate::error::Result;
use crate::model::layout;
use crate::model::status_machine::Word;
use crate::object_id::ObjectId;
use std::time::Duration;

/// What a draft is made of, whatever is drafted, and by whom.
pub struct DraftAssignment<'a> {
    /// The commit that sessions start from.
    pub base: ObjectId,
    /// The id that the feature will have.
    pub id: &'a str,
    /// The feature's directory, from the root.
    pub dir: &'a str,
    /// Its branch, which need not exist yet.
    pub branch: &'a str,
    /// What a user wants, or the report of a bug.
    pub source: &'a DraftSource,
    /// The agents, the first that works is used.
    pub chain: &'a [ChainLink],
    /// Whether the user named the agent.
    pub by_user: bool,
    /// How many sessions there may be.
    pub max_attempts: u32,
}

/// What sessions are shown of a repository: all its paths, and a map of those that the source is about.
pub(super) struct DraftMap {
    pub(super) paths: Vec<String>,
    pub(super) text: String,
}

impl DraftAssignment<'_> {
    pub(super) fn map(&self, machine: &dyn Machine, base_tree: &ObjectId) -> Result<DraftMap> {
        let scope = Scope::of_patterns(&repository_map::paths_in(&self.source.text));
        let wanted = |paths: &[String]| repository_map::wanted(paths, &scope);
        let found = machine.list_tree(base_tree, &wanted)?;
        Ok(DraftMap {
            text: repository_map::render(&found.paths, &found.chosen, &scope),
            paths: found.paths,
        })
    }
}

/// Where sessions draft, and for what.
pub(super) struct DraftSessions<'a> {
    pub(super) machine: &'a dyn Machine,
    pub(super) watcher: &'a dyn Watcher,
    /// What is drafted, in the messages of the pins: `Draft`, `Check`.
    pub(super) what: &'a str,
    pub(super) assignment: &'a DraftAssignment<'a>,
    pub(super) timeout: Duration,
}

/// What drafting came to.
pub enum Drafted<T> {
    /// A draft was taken.
    Ready {
        /// What the last session left, as it was taken.
        draft: T,
        /// How many sessions it took.
        attempts: u32,
        /// What they cost, when known, in US dollars.
        cost_usd: Option<f64>,
    },
    /// The tries are used, or the session says it cannot.
    Refused {
        /// What is still wrong.
        findings: Vec<String>,
        /// The ref that keeps what was left.
        kept: String,
    },
    /// No agent could work.
    NoAgent(String),
    /// Someone asked to stop.
    Interrupted,
}

/// What is made of what a session left.
pub(super) enum DraftLook<T> {
    Taken(T),
    /// The next session is given the findings, the user a note.
    Not {
        findings: Vec<String>,
        note: String,
    },
    Interrupted,
}

/// What is asked of sessions, and of what they leave.
pub(super) trait DraftSubject {
    type Draft;

    /// Returns the prompt of the next session on a tree, with what is wrong with that.
    fn prompt(&self, tree: &ObjectId, findings: &[String]) -> Result<String>;

    /// Looks at what a session left.
    fn look(&self, tree: &ObjectId) -> Result<DraftLook<Self::Draft>>;
}

/// One session to run.
struct DraftOrder<'a> {
    attempt: u32,
    agent: &'a ChainLink,
    prompt: String,
    /// What is in its slot.
    tree: ObjectId,
}

/// A session that ended.
struct DraftEnd {
    end: AgentEnd,
    tree: ObjectId,
    /// The ref that keeps the tree.
    kept: String,
}

/// Returns what it means that a session says it cannot go on: another one would read the same.
fn blocked<T>(reason: &str, kept: String) -> Drafted<T> {
    let why = format!("the session says it is blocked: {}", sanitize(reason));
    Drafted::Refused {
        findings: vec![why],
        kept,
    }
}

impl DraftSessions<'_> {
    /// Runs sessions, the first on `tree`, until what one left is taken.
    pub(super) fn until_taken<S: DraftSubject>(
        &self,
        subject: &S,
        mut tree: ObjectId,
    ) -> Result<Drafted<S::Draft>> {
        let (mut findings, mut cost) = (Vec::new(), None::<f64>);
        let (mut attempt, mut agent) = (1, 0);
        let mut kept = String::new();
        while attempt <= self.assignment.max_attempts {
            let left = self.run(DraftOrder {
                attempt,
                agent: &self.assignment.chain[agent],
                prompt: subject.prompt(&tree, &findings)?,
                tree,
            })?;
            kept = left.kept;
            let end = left.end;
            if end.outcome == Outcome::Cancelled || self.machine.stopping() {
                return Ok(Drafted::Interrupted);
            }
            cost = added(cost, end.session.cost_usd);
            if end.outcome.is_infra() {
                agent += 1;
                if agent < self.assignment.chain.len() {
                    continue;
                }
                return Ok(Drafted::NoAgent(end.why_unavailable()));
            }
            if let Outcome::Blocked(reason) = &end.outcome {
                return Ok(blocked(reason, kept));
            }
            tree = left.tree;
            findings = match subject.look(&tree)? {
                DraftLook::Interrupted => return Ok(Drafted::Interrupted),
                DraftLook::Taken(draft) => {
                    return Ok(Drafted::Ready {
                        draft,
                        attempts: attempt,
                        cost_usd: cost,
                    });
                }
                DraftLook::Not { findings, note } => {
                    self.watcher.report(&DriverEvent::Note { text: note });
                    findings
                }
            };
            attempt += 1;
        }
        Ok(Drafted::Refused { findings, kept })
    }

    /// Runs a session to its end and keeps what it left.
    fn run(&self, order: DraftOrder<'_>) -> Result<DraftEnd> {
        let slot = SlotId::Session(0);
        self.machine.prepare_slot(&SlotContent {
            slot,
            commit: self.assignment.base,
            tree: order.tree,
            branch: self.assignment.branch,
        })?;
        let attempt = order.attempt;
        let job = self.job(order);
        self.machine
            .keep_log((&job.unit, attempt), "prompt.md", &job.prompt);
        self.watcher.report(&DriverEvent::Dispatched {
            unit: job.unit.clone(),
            attempt,
            of: self.assignment.max_attempts,
            agent: job.agent.clone(),
            model: job.model.clone(),
            runner: None,
        });
        let end = self.machine.run_session(&job)?;
        let tree = self.machine.capture(slot, &self.assignment.base)?.tree;
        let kept = format!("{}drafts/{}/{attempt}", layout::REFS, self.assignment.id);
        let message = format!(
            "{} of {}, session {attempt}\n",
            self.what, self.assignment.id
        );
        let commit = CommitRequest {
            tree,
            parent: self.assignment.base,
            message: &message,
        };
        self.machine.pin(&kept, &commit)?;
        self.watcher.report(&DriverEvent::SessionEnded {
            unit: job.unit,
            class: end.outcome.class().into(),
            seconds: end.duration.as_secs_f64(),
            runner: None,
            queued_seconds: None,
            cost_usd: end.session.cost_usd,
            output_tokens: end.session.usage.output_tokens,
            notes: end.notes.clone(),
        });
        Ok(DraftEnd { end, tree, kept })
    }

    fn job(&self, order: DraftOrder<'_>) -> AgentJob {
        AgentJob {
            slot: SlotId::Session(0),
            unit: format!("{}/{}", self.assignment.id, self.what.to_uppercase()),
            nth: order.attempt,
            number: order.attempt,
            agent: order.agent.agent.clone(),
            by_user: self.assignment.by_user,
            prompt: order.prompt,
            model: self
                .machine
                .asked_model(order.agent, self.assignment.by_user),
            effort: order.agent.effort.map(|effort| effort.word().to_owned()),
            demand: Demand::default(),
            timeout: self.timeout,
            idle_timeout: Duration::from_secs(10 * 60),
            budget_usd: None,
            share: None,
            unsandboxed: false,
            feature_dir: None,
        }
    }
}

/// Adds what a session cost; none where nobody said it of any.
fn added(cost: Option<f64>, more: Option<f64>) -> Option<f64> {
    match (cost, more) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}
