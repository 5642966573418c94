//! Drafting a feature: one session after another in a slot until the linter has nothing to refuse,
//! or the tries are used. What every session leaves is pinned before it is looked at.

use super::draft_session::{DraftOrder, DraftSessions, added};
use super::driver_event::{DriverEvent, Watcher};
use super::ports::{History, Machine, TreeWrite};
use crate::agents::Outcome;
use crate::diagnostic::Severity;
use crate::engine::bookkeeping::FileEdits;
use crate::engine::evidence::sanitize;
use crate::engine::feature_draft::{self, DraftInput, DraftSource};
use crate::engine::proposed_touches;
use crate::engine::repository_map::{self, Scope};
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
    /// Which state directory the project has.
    pub layout: Layout,
    /// The id that the feature will have.
    pub id: &'a str,
    /// The feature's directory, from the root.
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

/// What drafting came to, and what it left.
pub enum Drafted {
    /// The linter has nothing to refuse.
    Ready {
        /// The plan's files, and the roadmap with its row.
        files: FileEdits,
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

fn as_write((path, text): &(String, String)) -> TreeWrite {
    (path.clone(), Some(text.clone().into_bytes()))
}

/// Drafts a feature: runs sessions until the linter refuses nothing.
pub fn run(machine: &dyn Machine, watcher: &dyn Watcher, task: &Task<'_>) -> Result<Drafted> {
    let draft = DraftRun::begin(machine, task)?;
    let sessions = DraftSessions {
        machine,
        watcher,
        what: "Draft",
        id: task.id,
        base: task.base,
        branch: task.branch,
        by_user: task.by_user,
        max_attempts: task.max_attempts,
        timeout: Duration::from_secs(60 * 60),
    };
    let (mut tree, mut findings, mut cost) = (draft.prepared_tree, Vec::new(), None::<f64>);
    let (mut attempt, mut agent) = (1, 0);
    let mut kept = String::new();
    while attempt <= task.max_attempts {
        let left = sessions.run(DraftOrder {
            attempt,
            agent: &task.chain[agent],
            prompt: draft.prompt(&tree, &findings)?,
            tree,
        })?;
        kept = left.kept;
        let end = left.end;
        if end.outcome == Outcome::Cancelled || machine.stopping() {
            return Ok(Drafted::Interrupted);
        }
        cost = added(cost, end.session.cost_usd);
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
            let findings = vec![format!(
                "the session says it is blocked: {}",
                sanitize(reason)
            )];
            return Ok(Drafted::Refused { findings, kept });
        }
        tree = left.tree;
        findings = draft.look(&tree)?;
        if findings.is_empty() {
            return Ok(Drafted::Ready {
                files: files((machine, task), &tree, &draft.paths)?,
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

/// One feature being drafted.
struct DraftRun<'a> {
    machine: &'a dyn Machine,
    task: &'a Task<'a>,
    prepared_tree: ObjectId,
    prepared: Workspace,
    /// The repository's paths, and what a session is shown of them.
    paths: Vec<String>,
    map: String,
}

impl<'a> DraftRun<'a> {
    fn begin(machine: &'a dyn Machine, task: &'a Task<'a>) -> Result<DraftRun<'a>> {
        let base_tree = machine.tree_of(&task.base)?;
        let edits: Vec<TreeWrite> = task.prepared.iter().map(as_write).collect();
        let prepared_tree = machine.edit_tree(&base_tree, &edits)?;
        let prepared = workspace(machine, task, &prepared_tree)?;
        let scope = Scope::of_patterns(&repository_map::paths_in(&task.source.text));
        let found =
            machine.list_tree(&base_tree, &|paths| repository_map::wanted(paths, &scope))?;
        Ok(DraftRun {
            machine,
            task,
            prepared_tree,
            prepared,
            map: repository_map::render(&found.paths, &found.chosen, &scope),
            paths: found.paths,
        })
    }

    /// Returns the prompt of the next session on what the last one left.
    fn prompt(&self, tree: &ObjectId, findings: &[String]) -> Result<String> {
        let now = workspace(self.machine, self.task, tree)?;
        let prompt = feature_draft::prompt(&DraftInput {
            workspace: &self.prepared,
            feature: feature_of(&now, self.task).unwrap_or(feature(&self.prepared, self.task)?),
            source: self.task.source,
            map: &self.map,
            findings,
        });
        Ok(prompt.text())
    }

    /// Returns everything that is wrong with what a session left.
    fn look(&self, tree: &ObjectId) -> Result<Vec<String>> {
        let task = self.task;
        let own = format!("{}/", task.dir);
        let outside: Vec<String> = self
            .machine
            .diff(&self.prepared_tree, tree)?
            .into_iter()
            .map(|c| c.path)
            .filter(|p| !p.starts_with(&own))
            .collect();
        let after = workspace(self.machine, task, tree)?;
        let Some(drafted) = feature_of(&after, task) else {
            return Ok(vec![format!("`{}/PLAN.md` is gone", task.dir)]);
        };
        let mut wrong = feature_draft::look(feature(&self.prepared, task)?, drafted, &outside);
        let errors = lint::run_feature(&after, drafted);
        let errors = errors.iter().filter(|d| d.severity == Severity::Error);
        wrong.extend(errors.map(|d| {
            let file = d.primary.path.rsplit('/').next().unwrap_or_default();
            sanitize(&format!("{file}: {} {}", d.code, d.message))
        }));
        wrong.truncate(FINDINGS);
        Ok(wrong)
    }
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
