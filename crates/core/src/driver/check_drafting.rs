//! Drafting a check of a bug: one session after another that writes nothing but the check, until one is red on today's code
//! for a reason of its own. Also the trial of a check that the user wrote.

use super::command_report::{distil, evidence_text, text_of};
use super::draft_session::{DraftAssignment, DraftLook, DraftSessions, DraftSubject, Drafted};
use super::driver_event::Watcher;
use super::ports::{Machine, SetUp, ShellEnd, ShellJob, SlotContent, SlotId};
use crate::engine::command_end::CommandEnd;
use crate::engine::evidence::sanitize;
use crate::engine::{check_draft, network_need, secrets};
use crate::error::{Error, Result};
use crate::model::idle_command::cannot_fail;
use crate::model::verification::DEFAULT_COMMAND_TIMEOUT;
use crate::model::workspace::Workspace;
use crate::object_id::ObjectId;
use std::time::Duration;

/// A bug that a check is wanted of.
pub struct CheckTask<'a> {
    /// The feature that will mend it, and who drafts the check.
    pub assignment: DraftAssignment<'a>,
    /// The plans of the commit that has the bug.
    pub workspace: &'a Workspace,
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
    let tree = machine.tree_of(&task.assignment.base)?;
    machine.prepare_slot(&SlotContent {
        slot,
        commit: task.assignment.base,
        tree,
        branch: task.assignment.branch,
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
        unit: format!("{}/T01", task.assignment.id),
        number: 0,
        name: check_draft::NAME.to_owned(),
        shell: run.to_owned(),
        feature_dir: task.assignment.dir.to_owned(),
        timeout: DEFAULT_COMMAND_TIMEOUT,
        network: network_need::may_fetch(run),
        usual: None,
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

/// Drafts a check: its shell text, which is red on the base.
///
/// Fails only as the machine does: a check that is not found is an answer.
pub fn run(
    machine: &dyn Machine,
    watcher: &dyn Watcher,
    task: &CheckTask<'_>,
) -> Result<Drafted<String>> {
    let base_tree = machine.tree_of(&task.assignment.base)?;
    let draft = CheckRun {
        machine,
        task,
        base_tree,
        path: format!("{}/{}", task.assignment.dir, check_draft::FILE),
        map: task.assignment.map(machine, &base_tree)?.text,
    };
    let sessions = DraftSessions {
        machine,
        watcher,
        what: "Check",
        assignment: &task.assignment,
        timeout: Duration::from_secs(30 * 60),
    };
    sessions.until_taken(&draft, base_tree)
}

/// One check being drafted.
struct CheckRun<'a> {
    machine: &'a dyn Machine,
    task: &'a CheckTask<'a>,
    base_tree: ObjectId,
    /// Where a session writes it.
    path: String,
    map: String,
}

impl DraftSubject for CheckRun<'_> {
    type Draft = String;

    fn prompt(&self, _: &ObjectId, findings: &[String]) -> Result<String> {
        let place = (self.path.as_str(), self.map.as_str());
        Ok(check_draft::prompt(self.task.assignment.source, place, findings).text())
    }

    /// A check is taken when it was tried, and is red.
    fn look(&self, tree: &ObjectId) -> Result<DraftLook<String>> {
        let changed = self.machine.diff(&self.base_tree, tree)?.into_iter();
        let changed: Vec<String> = changed.map(|change| change.path).collect();
        let text = self.machine.file_at(tree, &self.path)?;
        let run = match check_draft::look(&self.path, &changed, text.as_deref()) {
            Ok(run) => run,
            Err(findings) => return Ok(not_taken(findings)),
        };
        Ok(match try_check(self.machine, self.task, &run)? {
            CheckTrial::Interrupted => DraftLook::Interrupted,
            CheckTrial::Useless(why) => not_taken(vec![why]),
            CheckTrial::Red(_) => DraftLook::Taken(run),
        })
    }
}

fn not_taken(findings: Vec<String>) -> DraftLook<String> {
    let first = findings[0].lines().next().unwrap_or_default();
    let note = format!("the check is not taken: {}", sanitize(first));
    DraftLook::Not { findings, note }
}

#[cfg(test)]
mod tests;
