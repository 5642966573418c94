//! Slots in memory, and what sessions and commands do in them.

use super::super::agent::{self, Behaviour};
use super::super::hosts::{self, Brought, HostFate};
use super::super::invariants;
use super::{Files, Sim, Slot, World};
use gatewalk_core::agents::{AnswersShow, Outcome, ProcessExit, Session};
use gatewalk_core::driver::ports::{
    AgentEnd, AgentJob, CapturedTree, CommandRunner, FarPlace, SessionRunner, SetUp, ShellEnd,
    ShellJob, SlotContent, SlotId, Workspaces,
};
use gatewalk_core::engine::command_end::CommandEnd;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::time::Duration;

/// The host that a session runs on and what becomes of it there; none for the user's own machine.
type SessionHost<'s> = Option<(&'s str, &'static HostFate)>;

impl Workspaces for Sim<'_> {
    fn prepare_slot(&self, content: &SlotContent<'_>) -> Result<()> {
        let (slot, tree) = (content.slot, &content.tree);
        self.effect(|w| {
            let files = (*w.files(tree)?).clone();
            let before = w.slots.remove(&slot).and_then(|slot| slot.precious);
            if let Some(left) = before.filter(|left| !w.reachable().contains(left)) {
                w.blame(format!(
                    "slot {slot} was overwritten while {left} was in no ref"
                ));
            }
            w.slots.insert(
                slot,
                Slot {
                    files,
                    precious: None,
                    start: *tree,
                },
            );
            Ok(())
        })
    }

    fn set_up(&self, _: SlotId, _: &SetUp<'_>) -> Result<Option<ShellEnd>> {
        Ok(None)
    }

    fn capture(&self, slot: SlotId, _: &ObjectId) -> Result<CapturedTree> {
        self.effect(|w| {
            let found = w
                .slots
                .get(&slot)
                .cloned()
                .ok_or_else(|| Error::environment("no such slot"))?;
            let history_ok = !found.files.contains_key(".sim/rewound");
            Ok(CapturedTree {
                tree: w.put_tree(without_sim(found.files)),
                history_ok,
                notes: vec![],
            })
        })
    }
}

impl SessionRunner for Sim<'_> {
    fn run_session(&self, job: &AgentJob) -> Result<AgentEnd> {
        // Two effects: the session works, and its end is seen. A crash in between interrupts it.
        let (behaviour, host) = self.effect(|w| self.work(w, job))?;
        self.effect(|w| {
            let mut end = end_of(behaviour);
            if let Some((host, fate)) = host {
                end.place = Some(FarPlace {
                    runner: host.to_owned(),
                    isolation: String::new(),
                    waited: Duration::ZERO,
                });
                if fate.lost {
                    end.outcome = Outcome::RunnerLost;
                    w.lost_sessions += 1;
                }
                w.clock += fate.seconds;
            }
            if !end.outcome.is_infra() {
                *w.charged.entry((job.unit.clone(), job.number)).or_default() += 1;
            }
            w.clock += 1;
            Ok(end)
        })
    }
}

impl<'s> Sim<'s> {
    /// Lets a session work in its slot.
    fn work(&self, w: &mut World, job: &AgentJob) -> Result<(&'static Behaviour, SessionHost<'s>)> {
        invariants::may_run(w, self.scenario, &job.unit);
        let key = (job.unit.clone(), job.number);
        let before = w.sessions.get(&key).copied().unwrap_or(0);
        w.sessions.insert(key, before + 1);
        let behaviour = self.scenario.behaviour(&job.unit, job.number, before);
        let at = (job.unit.as_str(), job.number, before);
        let host = self.scenario.hosts.fate(job.slot, at);
        let mut slot = w
            .slots
            .get(&job.slot)
            .cloned()
            .ok_or_else(|| Error::internal("no slot was prepared"))?;
        let scene = agent::Scene {
            id: &job.unit,
            number: job.number,
        };
        match (
            host.map_or(Brought::Work, |(_, fate)| fate.brings),
            &w.older,
        ) {
            (Brought::Nothing, _) => {}
            (Brought::Half, _) => hosts::half(&mut slot.files),
            (Brought::Older, Some(older)) => hosts::older(&mut slot.files, older),
            (Brought::Work | Brought::Older, _) => (behaviour.act)(&mut slot.files, &scene),
        }
        if host.is_some() {
            w.older = Some(slot.files.clone());
        }
        let left = w.put_tree(without_sim(slot.files.clone()));
        if left != slot.start {
            slot.precious = Some(left);
            w.left.insert(left);
        }
        w.slots.insert(job.slot, slot);
        Ok((behaviour, host))
    }
}

/// Returns the files of a slot but the simulator's own.
fn without_sim(files: Files) -> Files {
    let real = files.into_iter();
    real.filter(|(path, _)| !path.starts_with(".sim/"))
        .collect()
}

impl CommandRunner for Sim<'_> {
    fn run_command(&self, job: &ShellJob) -> Result<ShellEnd> {
        self.effect(|w| {
            let slot = w
                .slots
                .get_mut(&job.slot)
                .ok_or_else(|| Error::internal("no slot was prepared"))?;
            let ended = agent::oracle(&job.shell, &slot.files);
            // What a command litters must not be committed.
            slot.files
                .insert("litter.log".into(), b"from the oracle\n".as_slice().into());
            Ok(shell_end(ended))
        })
    }
}

fn end_of(behaviour: &Behaviour) -> AgentEnd {
    let mut session = Session {
        cost_usd: behaviour.cost,
        finished: true,
        ..Session::default()
    };
    session.usage.output_tokens = Some(7);
    AgentEnd {
        place: None,
        exit: ProcessExit::Code(0),
        session,
        outcome: (behaviour.outcome)(),
        duration: Duration::from_secs(1),
        strays: 0,
        remedy: None,
        answers_show: AnswersShow::Unknown,
        notes: vec![],
    }
}

fn shell_end(ended: CommandEnd) -> ShellEnd {
    ShellEnd {
        ended,
        duration: Duration::from_millis(5),
        stdout_head: vec![],
        stdout_tail: b"a file is not whole\n".to_vec(),
        stdout_omitted: 0,
        stderr_head: vec![],
        stderr_tail: vec![],
        stderr_omitted: 0,
    }
}
