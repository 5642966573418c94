//! What a runner that judges lacks and home has. A command that fails there for want of a program says nothing about the
//! work: it is asked here, too, and where it ends otherwise the machine there is at fault.

use super::Os;
use super::far_judging_places::JudgedSlot;
use super::judging_steps::JudgedStep;
use crate::runner::{CallAnswer, JudgeCall};
use gatewalk_core::driver::ports::{ShellEnd, SlotId};
use gatewalk_core::engine::command_end::CommandEnd;
use gatewalk_core::engine::machine_lack;
use gatewalk_core::error::Result;

impl Os<'_> {
    /// Does a step here that may have failed there for what its machine lacks. Returns nothing where the answer from there
    /// stands: it says nothing of the kind, or this machine lacks it as well.
    pub(super) fn judged_for_a_lack(
        &self,
        slot: SlotId,
        (call, there): (&JudgeCall, &CallAnswer),
        held: &mut JudgedSlot,
    ) -> Result<Option<JudgedStep>> {
        let Some(lack) = lack_of(call, there) else {
            return Ok(None);
        };
        if self.judging.is_lacked_everywhere(&lack) {
            return Ok(None);
        }
        for step in &held.done {
            self.judging_step(slot, step)?;
        }
        let here = self.judging_step(slot, call)?;
        if lack_of(call, &here.answer).is_some() {
            self.judging.note_lacked_everywhere(&lack);
            return Ok(None);
        }
        // Who stops the run meanwhile has learned nothing about that machine.
        if has_an_end_of_its_own(&here.answer) {
            self.judging.rest_longest(&held.runner);
            let note = format!(
                "what it judges by fails there and not here, as `{lack}`; what it judged is judged here"
            );
            self.note_of_runner(&held.runner, &note);
        }
        held.leave();
        Ok(Some(here))
    }
}

/// Returns the words by which a step failed for what its machine may lack. To set a slot up is nothing but the machine's.
fn lack_of(call: &JudgeCall, answer: &CallAnswer) -> Option<String> {
    let CallAnswer::Ran(Some(end)) = answer else {
        return None;
    };
    let printed = printed(end);
    match call {
        JudgeCall::SetUp { .. } => match end.ended {
            CommandEnd::Exited(0) => None,
            CommandEnd::Exited(code) => Some(machine_lack::last_line(&printed, code)),
            _ => None,
        },
        _ => machine_lack::line_of(&end.ended, &printed),
    }
}

/// Returns what is kept of what a command printed, what it complained of last.
fn printed(end: &ShellEnd) -> String {
    let parts = [
        &end.stdout_head,
        &end.stdout_tail,
        &end.stderr_head,
        &end.stderr_tail,
    ];
    let text = |bytes: &&Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
    parts.iter().map(text).collect::<Vec<_>>().join("\n")
}

fn has_an_end_of_its_own(answer: &CallAnswer) -> bool {
    match answer {
        CallAnswer::Ran(Some(end)) => matches!(end.ended, CommandEnd::Exited(_)),
        CallAnswer::Ran(None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn ran(ended: CommandEnd, stdout: &str, stderr: &str) -> CallAnswer {
        CallAnswer::Ran(Some(ShellEnd {
            ended,
            duration: Duration::ZERO,
            stdout_head: stdout.into(),
            stdout_tail: vec![],
            stdout_omitted: 0,
            stderr_head: vec![],
            stderr_tail: stderr.into(),
            stderr_omitted: 0,
        }))
    }

    #[test]
    fn a_set_up_fails_by_its_machine_and_a_command_by_what_it_says() {
        let run = JudgeCall::Run {
            unit: "FEAT-2026-0001/T01".to_owned(),
            number: 1,
            name: "check".to_owned(),
            shell: "x".to_owned(),
            feature_dir: String::new(),
            timeout: Duration::ZERO,
            network: false,
        };
        let tree = gatewalk_core::object_id::ObjectId::parse("0".repeat(40).as_bytes()).unwrap();
        let set_up = JudgeCall::SetUp {
            tree,
            base: tree,
            shell: None,
            state_dir: String::new(),
        };
        let exited = CommandEnd::Exited;
        for (answer, of_run, of_set_up) in [
            (ran(exited(0), "", "x: not found"), None, None),
            (ran(exited(1), "", "1 failed\n"), None, Some("1 failed")),
            (ran(exited(3), "", ""), None, Some("exit 3")),
            (
                ran(exited(2), "x: not found", "\nb"),
                Some("x: not found"),
                Some("b"),
            ),
            (ran(CommandEnd::Cancelled, "", "x: not found"), None, None),
            (CallAnswer::Ran(None), None, None),
            (CallAnswer::Done, None, None),
        ] {
            assert_eq!(lack_of(&run, &answer).as_deref(), of_run, "{answer:?}");
            assert_eq!(
                lack_of(&set_up, &answer).as_deref(),
                of_set_up,
                "{answer:?}"
            );
        }
    }

    #[test]
    fn only_what_ended_here_by_itself_blames_the_machine_there() {
        let minute = Duration::from_secs(60);
        for (answer, blames) in [
            (ran(CommandEnd::Exited(0), "", ""), true),
            (ran(CommandEnd::Exited(1), "", ""), true),
            (CallAnswer::Ran(None), true),
            (ran(CommandEnd::Cancelled, "", ""), false),
            (ran(CommandEnd::TimedOut(minute), "", ""), false),
            (CallAnswer::Done, false),
        ] {
            assert_eq!(has_an_end_of_its_own(&answer), blames, "{answer:?}");
        }
    }
}
