//! Drafting a feature: one session after another in a slot until the linter has nothing to refuse,
//! or the tries are used. What every session leaves is pinned before it is looked at.

use super::driver_event::{DriverEvent, Watcher};
use super::ports::{AgentEnd, AgentJob, History, Machine, SlotId, TreeWrite};
use crate::agents::Outcome;
use crate::diagnostic::Severity;
use crate::engine::bookkeeping::FileEdits;
use crate::engine::evidence::sanitize;
use crate::engine::feature_draft::{self, DraftInput, DraftSource};
use crate::engine::proposed_touches;
use crate::engine::repository_map::{self, Scope};
use crate::engine::runner_line::Demand;
use crate::error::{Error, Result};
use crate::lint;
use crate::model::feature::Feature;
use crate::model::layout::{self, Layout};
use crate::model::workspace::Workspace;
use crate::object_id::ObjectId;
use std::time::Duration;

/// Most findings that a retry is given.
const FINDINGS: usize = 40;

/// What is to be drafted.
pub struct Task<'a> {
    /// The commit to plan on.
    pub base: ObjectId,
    /// Which state directory.
    pub layout: Layout,
    /// The feature's id.
    pub id: &'a str,
    /// Its directory.
    pub dir: &'a str,
    /// Its branch, which need not exist yet.
    pub branch: &'a str,
    /// The prepared files, the roadmap included.
    pub prepared: &'a [(String, String)],
    /// What a user wants.
    pub source: &'a DraftSource,
    /// The agents, the first that works is used.
    pub chain: &'a [String],
    /// Whether the user named the agent.
    pub by_user: bool,
    /// How many sessions there may be.
    pub max_attempts: u32,
}

/// How drafting ended.
pub enum Drafted {
    /// The linter has nothing to refuse.
    Ready {
        /// The plan's files.
        files: FileEdits,
        /// Sessions it took.
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

fn as_write((path, text): &(String, String)) -> TreeWrite {
    (path.clone(), Some(text.clone().into_bytes()))
}

/// Drafts a feature.
pub fn run(machine: &dyn Machine, watcher: &dyn Watcher, task: &Task<'_>) -> Result<Drafted> {
    let base_tree = machine.tree_of(&task.base)?;
    let edits: Vec<TreeWrite> = task.prepared.iter().map(as_write).collect();
    let prepared_tree = machine.edit_tree(&base_tree, &edits)?;
    let prepared = workspace(machine, task, &prepared_tree)?;
    let scope = Scope::of_patterns(&repository_map::paths_in(&task.source.text));
    let found = machine.list_tree(&base_tree, &|paths| repository_map::wanted(paths, &scope))?;
    let map = repository_map::render(&found.paths, &found.chosen, &scope);
    let unit = format!("{}/DRAFT", task.id);
    let (mut tree, mut findings, mut cost) = (prepared_tree, Vec::new(), None::<f64>);
    let (mut attempt, mut agent) = (1, 0);
    let mut kept = String::new();
    while attempt <= task.max_attempts {
        let now = workspace(machine, task, &tree)?;
        let prompt = feature_draft::prompt(&DraftInput {
            workspace: &prepared,
            feature: feature_of(&now, task).unwrap_or(feature(&prepared, task)?),
            source: task.source,
            map: &map,
            findings: &findings,
        });
        machine.prepare_slot(SlotId::Session(0), &task.base, &tree, task.branch)?;
        let job = job(task, &unit, attempt, &task.chain[agent], prompt.text());
        machine.keep_log(&unit, attempt, "prompt.md", &job.prompt);
        watcher.report(&DriverEvent::Dispatched {
            unit: unit.clone(),
            attempt,
            of: task.max_attempts,
            agent: job.agent.clone(),
            model: None,
        });
        let end = machine.run_session(&job)?;
        let captured = machine.capture(SlotId::Session(0), &task.base)?;
        kept = format!("{}drafts/{}/{attempt}", layout::REFS, task.id);
        let message = format!("Draft of {}, session {attempt}\n", task.id);
        machine.pin(&kept, &captured.tree, &task.base, &message)?;
        report_session(watcher, &unit, &end);
        if end.outcome == Outcome::Cancelled || machine.stopping() {
            return Ok(Drafted::Interrupted);
        }
        cost = match (cost, end.session.cost_usd) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        if end.outcome.is_infra() {
            agent += 1;
            if agent < task.chain.len() {
                continue;
            }
            let why = end
                .remedy
                .unwrap_or_else(|| end.outcome.class().to_string());
            return Ok(Drafted::NoAgent(why));
        }
        if let Outcome::Blocked(reason) = &end.outcome {
            return Ok(Drafted::Refused {
                findings: vec![format!(
                    "the session says it is blocked: {}",
                    sanitize(reason)
                )],
                kept,
            });
        }
        tree = captured.tree;
        findings = look(machine, task, &prepared, &prepared_tree, &tree)?;
        if findings.is_empty() {
            return Ok(Drafted::Ready {
                files: files((machine, task), &tree, &found.paths)?,
                attempts: attempt,
                cost_usd: cost,
            });
        }
        watcher.report(&DriverEvent::Note {
            text: format!("the draft has {} findings: {}", findings.len(), findings[0]),
        });
        attempt += 1;
    }
    Ok(Drafted::Refused { findings, kept })
}

fn job(task: &Task<'_>, unit: &str, attempt: u32, agent: &str, prompt: String) -> AgentJob {
    AgentJob {
        slot: SlotId::Session(0),
        unit: unit.to_owned(),
        nth: attempt,
        number: attempt,
        agent: agent.to_owned(),
        by_user: task.by_user,
        prompt,
        model: None,
        effort: None,
        demand: Demand::default(),
        timeout: Duration::from_secs(60 * 60),
        idle_timeout: Duration::from_secs(10 * 60),
        budget_usd: None,
        share: None,
        unsandboxed: false,
    }
}

pub(super) fn report_session(watcher: &dyn Watcher, unit: &str, end: &AgentEnd) {
    watcher.report(&DriverEvent::SessionEnded {
        unit: unit.to_owned(),
        class: end.outcome.class().into(),
        seconds: end.duration.as_secs_f64(),
        cost_usd: end.session.cost_usd,
        output_tokens: end.session.usage.output_tokens,
        notes: end.notes.clone(),
    });
}

fn workspace(history: &dyn History, task: &Task<'_>, tree: &ObjectId) -> Result<Workspace> {
    Ok(Workspace::parse(
        task.layout,
        &history.state_files(tree, task.layout)?,
    ))
}

fn feature_of<'w>(workspace: &'w Workspace, task: &Task<'_>) -> Option<&'w Feature> {
    workspace.feature_in(task.dir)
}

fn feature<'w>(workspace: &'w Workspace, task: &Task<'_>) -> Result<&'w Feature> {
    feature_of(workspace, task).ok_or_else(|| Error::internal("the prepared feature is not there"))
}

/// Returns everything that is wrong with what a session left.
fn look(
    history: &dyn History,
    task: &Task<'_>,
    prepared: &Workspace,
    before: &ObjectId,
    tree: &ObjectId,
) -> Result<Vec<String>> {
    let own = format!("{}/", task.dir);
    let outside: Vec<String> = history
        .diff(before, tree)?
        .into_iter()
        .map(|c| c.path)
        .filter(|p| !p.starts_with(&own))
        .collect();
    let after = workspace(history, task, tree)?;
    let Some(drafted) = feature_of(&after, task) else {
        return Ok(vec![format!("`{}/PLAN.md` is gone", task.dir)]);
    };
    let mut wrong = feature_draft::look(feature(prepared, task)?, drafted, &outside);
    let errors = lint::run_feature(&after, drafted);
    let errors = errors.iter().filter(|d| d.severity == Severity::Error);
    wrong.extend(errors.map(|d| {
        let file = d.primary.path.rsplit('/').next().unwrap_or_default();
        sanitize(&format!("{file}: {} {}", d.code, d.message))
    }));
    wrong.truncate(FINDINGS);
    Ok(wrong)
}

/// Returns the drafted directory's files and the prepared roadmap. A unit that does not say what it touches is given a
/// proposal: `paths` are those of the repository.
fn files(
    (history, task): (&dyn History, &Task<'_>),
    tree: &ObjectId,
    paths: &[String],
) -> Result<FileEdits> {
    let own = format!("{}/", task.dir);
    let drafted = history.state_files(tree, task.layout)?;
    let mut files: FileEdits = drafted
        .iter()
        .filter(|(path, _)| path.starts_with(&own))
        .map(|(path, bytes)| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let name = path.rsplit('/').next().unwrap_or_default();
            let proposed = layout::is_unit_file(name)
                .then(|| proposed_touches::into_unit(&text, paths))
                .flatten();
            (path.clone(), proposed.unwrap_or(text))
        })
        .collect();
    let roadmap = task.layout.path(layout::ROADMAP);
    files.extend(task.prepared.iter().filter(|(p, _)| *p == roadmap).cloned());
    Ok(files)
}
