//! Drafting a check of a bug: one session after another that writes nothing but the check, until one is red on today's code
//! for a reason of its own. Also the trial of a check that the user wrote.

use super::command_report::{distil, evidence_text, text_of};
use super::draft_session::{DraftOrder, DraftSessions, added};
use super::driver_event::{DriverEvent, Watcher};
use super::ports::{Machine, SetUp, ShellEnd, ShellJob, SlotContent, SlotId};
use crate::agents::Outcome;
use crate::engine::command_end::CommandEnd;
use crate::engine::evidence::sanitize;
use crate::engine::feature_draft::DraftSource;
use crate::engine::network_need;
use crate::engine::repository_map::{self, Scope};
use crate::engine::{check_draft, secrets};
use crate::error::{Error, Result};
use crate::model::idle_command::cannot_fail;
use crate::model::verification::DEFAULT_COMMAND_TIMEOUT;
use crate::model::workspace::Workspace;
use crate::object_id::ObjectId;
use std::time::Duration;

/// A bug that a check is wanted of.
pub struct CheckTask<'a> {
    /// The commit that has the bug.
    pub base: ObjectId,
    /// The plans of that commit.
    pub workspace: &'a Workspace,
    /// The feature that will mend it.
    pub id: &'a str,
    /// That feature's directory, which is not there yet.
    pub dir: &'a str,
    /// That feature's branch, which need not exist yet.
    pub branch: &'a str,
    /// What is wrong.
    pub source: &'a DraftSource,
    /// The agents, the first that works is used.
    pub chain: &'a [String],
    /// Whether the user named the agent.
    pub by_user: bool,
    /// How many sessions there may be.
    pub max_attempts: u32,
}

/// How drafting a check ended.
pub enum DraftedCheck {
    /// The check is red on the base.
    Ready {
        /// Its shell text.
        run: String,
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

/// What a check says of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckTrial {
    /// It fails there, with this to show.
    Red(String),
    /// It proves nothing, for this reason.
    Useless(String),
    /// Someone asked to stop.
    Interrupted,
}

/// Tries a check on the base: one that is worth anything fails there, by itself.
pub fn try_check(machine: &dyn Machine, task: &CheckTask<'_>, run: &str) -> Result<CheckTrial> {
    if cannot_fail(run) {
        return Ok(CheckTrial::Useless("it cannot fail".to_owned()));
    }
    let slot = SlotId::Session(0).verification();
    let tree = machine.tree_of(&task.base)?;
    machine.prepare_slot(&SlotContent {
        slot,
        commit: task.base,
        tree,
        branch: task.branch,
    })?;
    let verification = &task.workspace.verification;
    let link: Vec<String> = verification.link.iter().map(|l| l.value.clone()).collect();
    let set_up = machine.set_up(
        slot,
        &SetUp {
            tree: &tree,
            base: &tree,
            shell: verification.setup.as_ref().map(|s| s.value.as_str()),
            link: &link,
            state_dir: task.workspace.layout.dir(),
        },
    )?;
    if machine.stopping() {
        return Ok(CheckTrial::Interrupted);
    }
    if let Some(failed) = set_up.filter(|end| !end.ended.is_success()) {
        let ended = failed.ended;
        return Err(
            Error::environment(format!("the project's `setup` failed ({ended})"))
                .hint(format!("it is the `setup` of `{}`", verification.path)),
        );
    }
    let end = machine.run_command(&ShellJob {
        slot,
        unit: format!("{}/T01", task.id),
        number: 0,
        name: check_draft::NAME.to_owned(),
        shell: run.to_owned(),
        feature_dir: task.dir.to_owned(),
        timeout: DEFAULT_COMMAND_TIMEOUT,
        network: network_need::may_fetch(run),
    })?;
    if machine.stopping() {
        return Ok(CheckTrial::Interrupted);
    }
    Ok(trial_of(run, &end))
}

fn trial_of(run: &str, end: &ShellEnd) -> CheckTrial {
    let shown = || secrets::redact(&evidence_text(&distil(run, end)));
    match &end.ended {
        CommandEnd::Exited(0) => {
            CheckTrial::Useless("it passes today, so it does not show the bug".to_owned())
        }
        // What a shell says of a command that is not there, or no program.
        CommandEnd::Exited(code @ (126 | 127)) => CheckTrial::Useless(format!(
            "it ended with exit {code}: something it starts is not there\n{}",
            shown()
        )),
        CommandEnd::Exited(2) if is_syntax_error(end) => {
            CheckTrial::Useless(format!("it is no shell text\n{}", shown()))
        }
        CommandEnd::Exited(_) => CheckTrial::Red(shown()),
        ended => CheckTrial::Useless(format!("it {}", ended.verb_phrase())),
    }
}

fn is_syntax_error(end: &ShellEnd) -> bool {
    let printed = text_of(end);
    let mut lines = printed.lines().filter(|line| line.contains("sh: "));
    lines.any(|line| line.contains("yntax error"))
}

/// Drafts a check.
pub fn run(
    machine: &dyn Machine,
    watcher: &dyn Watcher,
    task: &CheckTask<'_>,
) -> Result<DraftedCheck> {
    let base_tree = machine.tree_of(&task.base)?;
    let scope = Scope::of_patterns(&repository_map::paths_in(&task.source.text));
    let found = machine.list_tree(&base_tree, &|paths| repository_map::wanted(paths, &scope))?;
    let map = repository_map::render(&found.paths, &found.chosen, &scope);
    let path = format!("{}/{}", task.dir, check_draft::FILE);
    let sessions = DraftSessions {
        machine,
        watcher,
        what: "Check",
        id: task.id,
        base: task.base,
        branch: task.branch,
        by_user: task.by_user,
        max_attempts: task.max_attempts,
        timeout: Duration::from_secs(30 * 60),
    };
    let (mut tree, mut findings, mut cost) = (base_tree, Vec::new(), None::<f64>);
    let (mut attempt, mut agent) = (1, 0);
    let mut kept = String::new();
    while attempt <= task.max_attempts {
        let left = sessions.run(DraftOrder {
            attempt,
            agent: &task.chain[agent],
            prompt: check_draft::prompt(task.source, (&path, &map), &findings).text(),
            tree,
        })?;
        kept = left.kept;
        let end = left.end;
        if end.outcome == Outcome::Cancelled || machine.stopping() {
            return Ok(DraftedCheck::Interrupted);
        }
        cost = added(cost, end.session.cost_usd);
        if end.outcome.is_infra() {
            agent += 1;
            if agent < task.chain.len() {
                continue;
            }
            let why = end.remedy;
            let why = why.unwrap_or_else(|| end.outcome.class().to_string());
            return Ok(DraftedCheck::NoAgent(why));
        }
        if let Outcome::Blocked(reason) = &end.outcome {
            let why = format!("the session says it is blocked: {}", sanitize(reason));
            let findings = vec![why];
            return Ok(DraftedCheck::Refused { findings, kept });
        }
        tree = left.tree;
        match taken(machine, task, (&base_tree, &tree))? {
            TakenCheck::Interrupted => return Ok(DraftedCheck::Interrupted),
            TakenCheck::Not(why) => findings = why,
            TakenCheck::Taken(run) => {
                return Ok(DraftedCheck::Ready {
                    run,
                    attempts: attempt,
                    cost_usd: cost,
                });
            }
        }
        let first = findings[0].lines().next().unwrap_or_default();
        let text = format!("the check is not taken: {}", sanitize(first));
        watcher.report(&DriverEvent::Note { text });
        attempt += 1;
    }
    Ok(DraftedCheck::Refused { findings, kept })
}

/// What a session left, looked at and tried.
enum TakenCheck {
    Taken(String),
    Not(Vec<String>),
    Interrupted,
}

fn taken(
    machine: &dyn Machine,
    task: &CheckTask<'_>,
    (base, tree): (&ObjectId, &ObjectId),
) -> Result<TakenCheck> {
    let path = format!("{}/{}", task.dir, check_draft::FILE);
    let changed = machine.diff(base, tree)?.into_iter();
    let changed: Vec<String> = changed.map(|change| change.path).collect();
    let text = machine.file_at(tree, &path)?;
    let run = match check_draft::look(&path, &changed, text.as_deref()) {
        Ok(run) => run,
        Err(why) => return Ok(TakenCheck::Not(why)),
    };
    Ok(match try_check(machine, task, &run)? {
        CheckTrial::Interrupted => TakenCheck::Interrupted,
        CheckTrial::Useless(why) => TakenCheck::Not(vec![why]),
        CheckTrial::Red(_) => TakenCheck::Taken(run),
    })
}

#[cfg(test)]
mod tests;
