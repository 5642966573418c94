//! Judging on a runner that the user trusts with it. Where it is lost, everything since the slot was prepared is done once
//! more here: what a command proves never hangs on a machine that is gone.

use super::far_judging_places::JudgedSlot;
use super::judging_steps::{self, JudgedStep};
use super::{Os, runtime};
use crate::runner::{
    CallAnswer, CallFault, JudgeCall, JudgeContact, JudgeConversation, JudgeOpening, Lost,
};
use gatewalk_core::driver::ports::{ShellEnd, ShellJob, SlotId};
use gatewalk_core::engine::command_end::CommandEnd;
use gatewalk_core::engine::runner_line::Demand;
use gatewalk_core::engine::runner_slots;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::status_machine::Word;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use rustix::process::Signal;
use std::time::Duration;

/// The time that an engine is asked to grant for judging.
const GRANTED: Duration = Duration::from_secs(60 * 60);

impl Os<'_> {
    /// Does one step of judging where its slot is.
    pub(super) fn judge_where_it_is(&self, slot: SlotId, call: JudgeCall) -> Result<JudgedStep> {
        let SlotId::Verification(number) = slot else {
            return self.judging_step(slot, &call);
        };
        if !self.host.far.iter().any(|own| own.judges) {
            return self.judging_step(slot, &call);
        }
        let place = self.judging.place(slot);
        let mut held = locked(&place);
        self.choose_place((slot, number), &call, &mut held)?;
        let Some(conversation) = &mut held.far else {
            // Commands of one slot may run side by side.
            drop(held);
            return self.judging_step(slot, &call);
        };
        let stops = || self.stop_of(slot).is_raised();
        let answered = conversation.call(&call, &stops);
        let notes = std::mem::take(&mut conversation.notes);
        for note in notes {
            self.note_of_runner(&held.runner, &note);
        }
        if let Ok((CallAnswer::Ran(Some(end)), _)) = &answered
            && let Some(why) = ended_from_outside(&end.ended)
        {
            self.note_lost_judge(&held, &Lost::new(why));
            self.judge_again_here(slot, &mut held)?;
            return self.judging_step(slot, &call);
        }
        match answered {
            Ok((answer, bytes)) => {
                if let Some(here) = self.judged_for_a_lack(slot, (&call, &answer), &mut held)? {
                    return Ok(here);
                }
                if call.changes_slot() {
                    held.done.push(call);
                }
                Ok(JudgedStep { answer, bytes })
            }
            Err(CallFault::Stopped) => {
                held.leave();
                Ok(stopped(&call).into())
            }
            Err(CallFault::Lost(lost)) => {
                self.note_lost_judge(&held, &lost);
                self.judge_again_here(slot, &mut held)?;
                self.judging_step(slot, &call)
            }
        }
    }

    /// Chooses where a call that names a tree is answered, and with it those that follow.
    fn choose_place(
        &self,
        (slot, number): (SlotId, usize),
        call: &JudgeCall,
        held: &mut JudgedSlot,
    ) -> Result<()> {
        match call {
            JudgeCall::Prepare { target, .. } => self.choose_judge(number, target.tree, held),
            JudgeCall::Switch(target) if held.far.is_some() && self.judges_here(target.tree)? => {
                self.judge_again_here(slot, held)
            }
            _ => Ok(()),
        }
    }

    fn note_lost_judge(&self, held: &JudgedSlot, lost: &Lost) {
        self.judging.rest(&held.runner);
        let remedy = lost.remedy.as_ref().map(|remedy| format!("; {remedy}"));
        let remedy = remedy.unwrap_or_default();
        let note = format!("{}{remedy}; what it judged is judged here", lost.why);
        self.note_of_runner(&held.runner, &note);
    }

    /// Does here what was done in a slot that is elsewhere.
    fn judge_again_here(&self, slot: SlotId, held: &mut JudgedSlot) -> Result<()> {
        let done = std::mem::take(&mut held.done);
        held.leave();
        for step in &done {
            self.judging_step(slot, step)?;
        }
        Ok(())
    }

    /// Takes a judging slot's work home: what only home has is wanted.
    pub(super) fn judge_at_home(&self, slot: SlotId, why: &str) -> Result<()> {
        let place = self.judging.place(slot);
        let mut held = locked(&place);
        if held.far.is_none() {
            return Ok(());
        }
        self.note_judging_here(why);
        self.judge_again_here(slot, &mut held)
    }

    fn note_judging_here(&self, why: &str) {
        self.note_once_per_run(
            &format!("judging {why}"),
            &format!("judging stays here: {why}"),
        );
    }

    /// Returns whether a tree is judged here, for a runner would not have all of its files; says so.
    fn judges_here(&self, tree: ObjectId) -> Result<bool> {
        let unsent = self.git.unsent(tree)?;
        if let Some(unsent) = &unsent {
            self.note_judging_here(unsent);
        }
        Ok(unsent.is_some())
    }

    /// Decides where a slot's work is judged from here on.
    fn choose_judge(&self, number: usize, tree: ObjectId, held: &mut JudgedSlot) -> Result<()> {
        let resting = |runner: &str| self.judging.is_resting(runner);
        let judge = runner_slots::judge_of(&self.host.far, number, &resting);
        // The user's own hooks are here, and judge what is here.
        let judge = judge.filter(|_| self.user_hook_names().is_empty());
        let judge = judge.filter(|_| !self.git.is_shallow());
        let stays = judge.is_some() && self.judges_here(tree)?;
        let Some(judge) = judge.filter(|_| !stays) else {
            held.leave();
            return Ok(());
        };
        if held.far.as_mut().is_some_and(JudgeConversation::is_open) && held.runner == judge {
            held.done.clear();
            return Ok(());
        }
        held.leave();
        let contact = self.judge_contact(judge)?;
        held.far = Some(JudgeConversation::begin(contact, &self.git)?);
        held.runner = judge.to_owned();
        Ok(())
    }

    fn judge_contact(&self, runner: &str) -> Result<JudgeContact> {
        let definition = self.host.runner(runner)?.clone();
        let demand = Demand::default().with_limit(GRANTED);
        let policy = self.far.policy.get().copied();
        Ok(JudgeContact {
            spec: self.far_command(&definition, &demand, &format!("judging-{runner}")),
            repository: self.repository_key(),
            object_format: self.git.object_format().name(),
            large_files: self.git.shares_large_files(),
            opening: JudgeOpening {
                sandbox: policy.unwrap_or(SandboxPolicy::Auto).word().to_owned(),
                excludes: String::from_utf8_lossy(&self.git.user_excludes()).into_owned(),
            },
            runner: definition,
        })
    }

    pub(super) fn note_of_runner(&self, runner: &str, text: &str) {
        let text = format!("runner {runner}: {text}");
        self.note_once_per_run(&text, &text);
    }

    /// Runs a command of the oracle where its slot is.
    pub(super) fn judging_command(&self, job: &ShellJob) -> Result<ShellEnd> {
        let step = self.judge_where_it_is(job.slot, judging_steps::run_call(job))?;
        let CallAnswer::Ran(Some(end)) = step.answer else {
            return Err(wrong_answer());
        };
        if self.judged_on(job.slot).is_some() {
            let path = self.command_log(job);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let out = text(&end.stdout_head) + &text(&end.stdout_tail);
            runtime::keep(
                &path,
                &(out + &text(&end.stderr_head) + &text(&end.stderr_tail)),
            );
            runtime::withhold_secrets(&path);
        }
        Ok(end)
    }

    /// Returns the log of a command of the oracle.
    pub(super) fn command_log(&self, job: &ShellJob) -> std::path::PathBuf {
        runtime::command_log(&self.state(), &job.unit, job.number, &job.name)
    }

    /// Returns the runner that judges in a slot now.
    pub(super) fn judged_on(&self, slot: SlotId) -> Option<String> {
        let place = self.judging.known(slot)?;
        let held = locked(&place);
        held.far.is_some().then(|| held.runner.clone())
    }

    /// Lets the far end go that judges in a slot, for as long as a session works beside it.
    pub(super) fn pause_judging(&self, slot: SlotId) {
        if let Some(place) = self.judging.known(slot) {
            let mut held = locked(&place);
            held.leave();
        }
    }
}

/// Returns why a command's end there proves nothing: its machine, or what starts things on it, ended it.
fn ended_from_outside(ended: &CommandEnd) -> Option<String> {
    let from_outside = [Signal::TERM, Signal::KILL, Signal::HUP, Signal::INT];
    match ended {
        CommandEnd::Cancelled => Some("its engine ended it there".to_owned()),
        CommandEnd::NotStarted(why) => Some(format!("a command was not started there: {why}")),
        CommandEnd::Signalled(signal) if from_outside.iter().any(|s| s.as_raw() == *signal) => {
            Some(format!("a command was ended there by signal {signal}"))
        }
        _ => None,
    }
}

/// Returns the answer to a step that nobody waits for any more.
fn stopped(call: &JudgeCall) -> CallAnswer {
    match call {
        JudgeCall::Run { .. } | JudgeCall::SetUp { .. } => CallAnswer::Ran(Some(ShellEnd {
            ended: CommandEnd::Cancelled,
            duration: Duration::ZERO,
            stdout_head: vec![],
            stdout_tail: vec![],
            stdout_omitted: 0,
            stderr_head: vec![],
            stderr_tail: vec![],
            stderr_omitted: 0,
        })),
        JudgeCall::Changed | JudgeCall::Restore => CallAnswer::Paths(vec![]),
        JudgeCall::ReadFile { .. } => CallAnswer::File(false),
        JudgeCall::ReadFiles { .. } => CallAnswer::Files(vec![]),
        JudgeCall::Root => CallAnswer::Text(String::new()),
        JudgeCall::Prepare { .. } | JudgeCall::Switch(_) | JudgeCall::RemoveFile { .. } => {
            CallAnswer::Done
        }
    }
}

/// Returns the error for an answer that does not fit its step.
pub(super) fn wrong_answer() -> Error {
    Error::environment("a runner that judges gave an answer that fits nothing").hint(
        "nothing landed by it; leave the runner out of `--runner`, or take `judges` away from it",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_command_did_itself_counts_from_elsewhere() {
        let rows = [
            (CommandEnd::Exited(0), false),
            (CommandEnd::Exited(1), false),
            (CommandEnd::TimedOut(Duration::from_secs(1)), false),
            (CommandEnd::Signalled(Signal::SEGV.as_raw()), false),
            (CommandEnd::Signalled(Signal::TERM.as_raw()), true),
            (CommandEnd::Signalled(Signal::KILL.as_raw()), true),
            (CommandEnd::Cancelled, true),
            (CommandEnd::NotStarted("no sh".to_owned()), true),
        ];
        for (end, lost) in rows {
            assert_eq!(ended_from_outside(&end).is_some(), lost, "{end:?}");
        }
    }

    #[test]
    fn whoever_stops_gets_an_answer_of_the_right_kind() {
        let path = || "a".to_owned();
        assert_eq!(stopped(&JudgeCall::Changed), CallAnswer::Paths(vec![]));
        assert_eq!(stopped(&JudgeCall::Root), CallAnswer::Text(String::new()));
        let file = JudgeCall::ReadFile {
            path: path(),
            limit: 1,
        };
        assert_eq!(stopped(&file), CallAnswer::File(false));
        assert_eq!(
            stopped(&JudgeCall::RemoveFile { path: path() }),
            CallAnswer::Done
        );
    }
}
