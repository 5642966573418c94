//! Why an engine took back what it ran, by what its client prints: a session that it ends sees a signal and no reason.

use crate::process::ProcessEnd;
use rustix::process::Signal;

/// Why an engine ended what it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EngineEnd {
    /// It ran for as long as it was granted.
    TimeLimit,
    /// It took more memory than it was granted.
    Memory,
    /// Its place went to somebody else.
    Preempted,
    /// The machine it was on failed.
    MachineFailed,
}

/// Words by which engines say so, in lower case.
const WORDS: &[(&str, EngineEnd)] = &[
    ("due to time limit", EngineEnd::TimeLimit),
    ("exceeded memory limit", EngineEnd::Memory),
    ("exceeded job memory limit", EngineEnd::Memory),
    ("exceeded step memory limit", EngineEnd::Memory),
    ("oom-kill", EngineEnd::Memory),
    ("oom_kill", EngineEnd::Memory),
    ("oomkilled", EngineEnd::Memory),
    (": out of memory", EngineEnd::Memory),
    ("due to preemption", EngineEnd::Preempted),
    ("due to node failure", EngineEnd::MachineFailed),
];

/// What a shell and a sandbox add to the signal that ended what they ran.
const SIGNALED: i32 = 128;

/// What an engine said, and in which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EngineWord {
    pub(crate) end: EngineEnd,
    pub(crate) line: String,
}

impl EngineWord {
    /// Returns the first such word in what a client printed.
    pub(super) fn in_text(printed: &str) -> Option<EngineWord> {
        printed.lines().find_map(|line| {
            let plain = line.to_lowercase();
            let (_, end) = WORDS.iter().find(|(words, _)| plain.contains(words))?;
            Some(EngineWord {
                end: *end,
                line: line.trim().to_owned(),
            })
        })
    }

    /// Returns what only the user can do about it; nothing where the next try may be spared that.
    pub(crate) fn remedy(&self) -> Option<String> {
        let what = match self.end {
            EngineEnd::TimeLimit => "time: `minutes`",
            EngineEnd::Memory => "memory: `memory`",
            EngineEnd::Preempted | EngineEnd::MachineFailed => return None,
        };
        Some(format!(
            "ask for more {what} in the unit's `resources`, or what `command` and its partition grant"
        ))
    }

    fn why(&self) -> String {
        let what = match self.end {
            EngineEnd::TimeLimit => "the time it was granted there was over",
            EngineEnd::Memory => "it took more memory than it was granted there",
            EngineEnd::Preempted => "its engine gave its place there to another job",
            EngineEnd::MachineFailed => "its machine failed",
        };
        format!("{what}: {}", super::contact_messages::shown(&self.line))
    }
}

/// Returns why a session's end there is its machine's: an engine ends the processes of a job it takes back, or the machine
/// has no memory left for them. `said` is what the engine has to say about it.
pub(crate) fn ended_from_outside(ended: &ProcessEnd, said: Option<&EngineWord>) -> Option<String> {
    let why = |else_: String| Some(said.map_or(else_, EngineWord::why));
    match (outside_signal(ended), ended, said) {
        (Some(signal), _, _) => why(format!("its machine ended it there, by signal {signal}")),
        (None, ProcessEnd::Cancelled, _) => {
            why("its engine ended it there: preempted or cancelled".to_owned())
        }
        // A session that is taken back may end in its own way. One whose child took too much memory may go on.
        (None, ProcessEnd::Exited(1..), Some(word)) if word.end != EngineEnd::Memory => {
            Some(word.why())
        }
        _ => None,
    }
}

/// Returns the signal from outside that ended a session; a sandbox and a shell pass it on as an exit.
fn outside_signal(ended: &ProcessEnd) -> Option<i32> {
    let signal = match ended {
        ProcessEnd::Signaled(signal) => *signal,
        ProcessEnd::Exited(code) => code - SIGNALED,
        _ => return None,
    };
    let from_outside = [Signal::TERM, Signal::KILL, Signal::HUP, Signal::INT];
    let is_outside = from_outside.iter().any(|own| own.as_raw() == signal);
    is_outside.then_some(signal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_says_why_it_took_a_job_back_and_what_to_do_about_it() {
        for (line, want, remedy) in [
            (
                "slurmstepd-vm: error: *** STEP 16.0 ON vm CANCELLED AT 2026-11-26T19:07:52 DUE TO TIME LIMIT ***",
                Some(EngineEnd::TimeLimit),
                "`minutes` in the unit's `resources`",
            ),
            (
                "slurmstepd-vm: error: StepId=2.0 exceeded memory limit (313749504 > 104857600), being killed",
                Some(EngineEnd::Memory),
                "`memory` in the unit's `resources`",
            ),
            (
                "slurmstepd: error: Detected 1 oom_kill event in StepId=1.0. Some of the step tasks have been OOM Killed.",
                Some(EngineEnd::Memory),
                "`memory`",
            ),
            (
                "slurmstepd: error: Detected 1 oom-kill event(s) in step 1.0 cgroup.",
                Some(EngineEnd::Memory),
                "`memory`",
            ),
            (
                "srun: error: vm: task 0: Out Of Memory",
                Some(EngineEnd::Memory),
                "`memory`",
            ),
            ("OOMKilled", Some(EngineEnd::Memory), "`memory`"),
            (
                "slurmstepd: error: Exceeded job memory limit",
                Some(EngineEnd::Memory),
                "`memory`",
            ),
            (
                "slurmstepd: error: Exceeded step memory limit at some point.",
                Some(EngineEnd::Memory),
                "`memory`",
            ),
            (
                "slurmstepd-vm: error: *** STEP 3.0 ON vm CANCELLED AT 2026-11-26T19:02:17 DUE TO PREEMPTION ***",
                Some(EngineEnd::Preempted),
                "",
            ),
            (
                "slurmstepd-vm: error: *** STEP 3.0 ON vm CANCELLED AT 2026-11-26T19:02:17 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***",
                Some(EngineEnd::MachineFailed),
                "",
            ),
            (
                "slurmstepd-vm: error: *** STEP 14.0 ON vm CANCELLED AT 2026-11-26T19:04:35 ***",
                None,
                "",
            ),
            ("srun: error: vm: task 0: Exited with exit code 9", None, ""),
        ] {
            let word = EngineWord::in_text(&format!("first\n {line}\nlast"));
            assert_eq!(word.as_ref().map(|word| word.end), want, "{line}");
            let told = word.as_ref().and_then(EngineWord::remedy);
            assert_eq!(told.is_none(), remedy.is_empty(), "{line}: {told:?}");
            assert!(told.unwrap_or_default().contains(remedy), "{line}");
            assert!(word.is_none_or(|word| word.line == line));
        }
    }

    #[test]
    fn what_an_engine_ends_is_its_machines_and_the_rest_is_the_sessions() {
        let signaled = |signal: Signal| ProcessEnd::Signaled(signal.as_raw());
        let said = |end| {
            Some(EngineWord {
                end,
                line: "so".to_owned(),
            })
        };
        let (late, memory) = (said(EngineEnd::TimeLimit), said(EngineEnd::Memory));
        for (end, word, want) in [
            (ProcessEnd::Exited(1), &None, None),
            (ProcessEnd::Exited(137), &None, Some("by signal 9")),
            (ProcessEnd::Exited(143), &None, Some("by signal 15")),
            (ProcessEnd::Exited(139), &None, None),
            (ProcessEnd::Exited(9), &None, None),
            (signaled(Signal::SEGV), &None, None),
            (signaled(Signal::TERM), &None, Some("by signal 15")),
            (signaled(Signal::KILL), &None, Some("by signal 9")),
            (ProcessEnd::Cancelled, &None, Some("preempted or cancelled")),
            (ProcessEnd::WallLimit, &None, None),
            (ProcessEnd::Cancelled, &late, Some("was over: so")),
            (signaled(Signal::TERM), &late, Some("was over: so")),
            (ProcessEnd::Exited(143), &late, Some("was over: so")),
            (ProcessEnd::Exited(1), &late, Some("was over: so")),
            (ProcessEnd::Exited(0), &late, None),
            (ProcessEnd::WallLimit, &late, None),
            (signaled(Signal::SEGV), &late, None),
            (signaled(Signal::KILL), &memory, Some("more memory")),
            (ProcessEnd::Exited(137), &memory, Some("more memory")),
            (ProcessEnd::Exited(1), &memory, None),
            (
                ProcessEnd::Cancelled,
                &said(EngineEnd::Preempted),
                Some("to another job: so"),
            ),
            (
                ProcessEnd::Cancelled,
                &said(EngineEnd::MachineFailed),
                Some("machine failed: so"),
            ),
        ] {
            let told = ended_from_outside(&end, word.as_ref());
            assert_eq!(told.is_some(), want.is_some(), "{end:?}, {word:?}");
            let told = told.unwrap_or_default();
            assert!(
                told.contains(want.unwrap_or_default()),
                "{end:?}, {word:?}: {told}"
            );
        }
    }
}
