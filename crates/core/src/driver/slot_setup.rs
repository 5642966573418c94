//! The project's set-up in a slot, and whose failure it is when it does not succeed.

use super::command_report::distil;
use super::committed_plan::CommittedPlan;
use super::driver_event::DriverEvent;
use super::ports::{SetUp, ShellEnd, SlotId};
use super::run_loop::Driver;
use crate::engine::changed_file::ChangedPath;
use crate::engine::command_end::CommandEnd;
use crate::engine::evidence::{Evidence, NAMED, first_named, sanitize};
use crate::error::{Error, Result};
use crate::model::verification::LOCK_FILES;
use crate::object_id::ObjectId;
use crate::path_names::file_name;

/// How many lines of a set-up that failed are shown.
const LAST_LINES: usize = 8;

impl Driver<'_> {
    /// Runs the project's set-up in a slot; one that does not succeed stops the run.
    pub(super) fn set_up(&self, plan: &CommittedPlan, slot: SlotId, tree: &ObjectId) -> Result<()> {
        match self.try_set_up(plan, slot, tree)? {
            Some(failed) => Err(setup_error(plan, &failed)),
            None => Ok(()),
        }
    }

    /// Runs the project's set-up in a slot; returns how it ended where that is no success.
    pub(super) fn try_set_up(
        &self,
        plan: &CommittedPlan,
        slot: SlotId,
        tree: &ObjectId,
    ) -> Result<Option<ShellEnd>> {
        let verification = &plan.workspace.verification;
        let link: Vec<String> = verification.link.iter().map(|l| l.value.clone()).collect();
        let asked = SetUp {
            tree,
            base: &plan.tree,
            shell: verification.setup.as_ref().map(|s| s.value.as_str()),
            link: &link,
            state_dir: self.layout.dir(),
        };
        let end = self.machine.set_up(slot, &asked)?;
        if !slot.is_session() && end.as_ref().is_some_and(|end| end.ended.is_success()) {
            self.put_back(slot)?;
        }
        Ok(end.filter(|end| !end.ended.is_success() && !self.machine.stopping()))
    }

    /// Puts back what set-up changed of tracked files, and says so: every command finds exactly what lands.
    fn put_back(&self, slot: SlotId) -> Result<()> {
        let changed = self.machine.changed_in_slot(slot)?;
        if !changed.is_empty() {
            let named = first_named(&changed, NAMED);
            self.report(DriverEvent::Note {
                text: format!(
                    "`setup` changes tracked files ({named}), and they are put back: what a command needs so, it has to do itself"
                ),
            });
            self.machine.restore_slot(slot)?;
        }
        Ok(())
    }
}

/// Returns the shell text of a plan's set-up.
pub(super) fn setup_command(plan: &CommittedPlan) -> &str {
    let setup = plan.workspace.verification.setup.as_ref();
    setup.map_or("", |setup| setup.value.as_str())
}

/// Returns the error of a set-up that nothing can go on without.
pub(super) fn setup_error(plan: &CommittedPlan, failed: &ShellEnd) -> Error {
    let (command, ended) = (setup_command(plan), &failed.ended);
    let message = format!("the project's `setup` failed ({ended}): {command}");
    let error = match ended {
        CommandEnd::Voided(tampering) => {
            let error = Error::integrity(message);
            let aftermath = tampering.aftermath.iter();
            aftermath.fold(error, |error, line| error.hint(line.clone()))
        }
        _ => Error::environment(message),
    };
    let printed = last_words(&distil(command, failed));
    let error = printed.into_iter().fold(error, Error::hint);
    error.hint(format!(
        "it is the `setup` of `{}`; nothing was started",
        plan.workspace.verification.path
    ))
}

/// Returns the lines that name what is wrong, or how the output ends.
fn last_words(evidence: &Evidence) -> Vec<String> {
    let named: Vec<String> = evidence
        .error_lines
        .iter()
        .map(|line| sanitize(line))
        .collect();
    let mut lines = match named.is_empty() {
        false => named,
        true => evidence.tail.lines().map(sanitize).collect(),
    };
    lines.retain(|line| !line.trim().is_empty() && !line.starts_with("```"));
    lines.split_off(lines.len().saturating_sub(LAST_LINES))
}

/// Returns whether a set-up of an attempt's tree failed by what the attempt changed, not by the machine or the project.
pub(super) fn fails_the_attempt(ended: &CommandEnd, changes: &[ChangedPath]) -> bool {
    match ended {
        CommandEnd::Voided(_) => true,
        // What the attempt asks to be installed cannot be.
        CommandEnd::Exited(_) | CommandEnd::Signalled(_) | CommandEnd::TimedOut(_) => {
            changes.iter().any(is_lock_file)
        }
        CommandEnd::Cancelled | CommandEnd::NotStarted(_) => false,
    }
}

fn is_lock_file(change: &ChangedPath) -> bool {
    LOCK_FILES.contains(&file_name(&change.path))
}
