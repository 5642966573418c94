//! What the driver asks of this machine beside the repository's history: slots, processes, the clock and notes, answered by
//! the modules beside this one.

use super::far_judging::wrong_answer;
use super::{Os, read_in_flight, runtime};
use crate::attempt_id::attempt_id;
use crate::runner::{CallAnswer, JudgeCall, JudgeTarget};
use gatewalk_core::driver::ports::{
    AgentEnd, AgentJob, CapturedTree, Clock, CommandRunner, InFlight, NamedBytes, RunNotes,
    SessionRunner, SetUp, ShellEnd, ShellJob, SlotContent, SlotId, Workspaces,
};
use gatewalk_core::engine::model_selection::ChainLink;
use gatewalk_core::engine::runner_slots::judging_slots;
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use std::sync::atomic::Ordering;

impl Workspaces for Os<'_> {
    fn prepare_slot(&self, content: &SlotContent<'_>) -> Result<()> {
        if self.runner_of(content.slot).is_some() {
            return self.fill_far_slot(content);
        }
        let caches = locked(&self.caches).clone();
        let call = JudgeCall::Prepare {
            target: target(content),
            caches,
        };
        self.judge_where_it_is(content.slot, call).map(drop)
    }

    fn set_up(&self, slot: SlotId, request: &SetUp<'_>) -> Result<Option<ShellEnd>> {
        if self.runner_of(slot).is_some() {
            self.note_far_setup(slot, request);
            return Ok(None);
        }
        if !request.link.is_empty() {
            self.judge_at_home(slot, "what `link` names is only here")?;
            return self.set_up_here(slot, request);
        }
        let call = JudgeCall::SetUp {
            tree: *request.tree,
            base: *request.base,
            shell: request.shell.map(str::to_owned),
            state_dir: request.state_dir.to_owned(),
        };
        match self.judge_where_it_is(slot, call)?.answer {
            CallAnswer::Ran(ran) => Ok(ran),
            _ => Err(wrong_answer()),
        }
    }

    fn changed_in_slot(&self, slot: SlotId) -> Result<Vec<String>> {
        self.paths_of(slot, JudgeCall::Changed)
    }

    fn restore_slot(&self, slot: SlotId) -> Result<Vec<String>> {
        self.paths_of(slot, JudgeCall::Restore)
    }

    fn switch_slot(&self, to: &SlotContent<'_>) -> Result<()> {
        self.judge_where_it_is(to.slot, JudgeCall::Switch(target(to)))
            .map(drop)
    }

    fn slot_file(&self, slot: SlotId, path: &str, limit: usize) -> Result<Option<Vec<u8>>> {
        let path = path.to_owned();
        let step = self.judge_where_it_is(slot, JudgeCall::ReadFile { path, limit })?;
        match step.answer {
            CallAnswer::File(there) => {
                Ok((there && step.bytes.len() <= limit).then_some(step.bytes))
            }
            _ => Err(wrong_answer()),
        }
    }

    fn slot_files(&self, slot: SlotId, named: &str, limit: usize) -> Result<Vec<NamedBytes>> {
        let named = named.to_owned();
        let step = self.judge_where_it_is(slot, JudgeCall::ReadFiles { named, limit })?;
        step.files(limit).ok_or_else(wrong_answer)
    }

    fn remove_slot_file(&self, slot: SlotId, path: &str) -> Result<()> {
        let path = path.to_owned();
        self.judge_where_it_is(slot, JudgeCall::RemoveFile { path })
            .map(drop)
    }

    fn slot_root(&self, slot: SlotId) -> Result<String> {
        match self.judge_where_it_is(slot, JudgeCall::Root)?.answer {
            CallAnswer::Text(root) => Ok(root),
            _ => Err(wrong_answer()),
        }
    }

    fn keep_caches(&self, paths: &[String]) {
        let mut caches = locked(&self.caches);
        caches.clear();
        caches.extend_from_slice(paths);
    }

    fn capture(&self, slot: SlotId, base: &ObjectId) -> Result<CapturedTree> {
        match self.far_captured(slot)? {
            Some(captured) => Ok(captured),
            None => self.capture_slot(slot, base),
        }
    }
}

impl Os<'_> {
    /// Updates links and runs the project's set-up in a slot of this machine.
    pub(super) fn set_up_here(&self, slot: SlotId, asked: &SetUp<'_>) -> Result<Option<ShellEnd>> {
        let ran = self.prepare_setup(slot, asked)?;
        if ran.is_some() {
            self.note_holds(slot, None);
        }
        Ok(ran)
    }

    fn paths_of(&self, slot: SlotId, call: JudgeCall) -> Result<Vec<String>> {
        match self.judge_where_it_is(slot, call)?.answer {
            CallAnswer::Paths(paths) => Ok(paths),
            _ => Err(wrong_answer()),
        }
    }
}

fn target(content: &SlotContent<'_>) -> JudgeTarget {
    JudgeTarget {
        commit: content.commit,
        tree: content.tree,
        branch: content.branch.to_owned(),
    }
}

impl SessionRunner for Os<'_> {
    fn run_session(&self, job: &AgentJob) -> Result<AgentEnd> {
        self.pause_judging(job.slot.verification());
        if let Some(runner) = self.runner_of(job.slot) {
            return self.far_session(job, runner);
        }
        self.note_holds(job.slot, None);
        self.session(job)
    }

    fn missing_agent(&self, agent: &str, by_user: bool) -> Option<String> {
        // Who has runners asks the machine that a session gets to.
        match self.host.far.is_empty() {
            true => self.missing_program(agent, by_user),
            false => None,
        }
    }

    fn asked_model(&self, link: &ChainLink, by_user: bool) -> Option<String> {
        self.model_of(link, by_user)
    }

    fn isolation(&self, unsandboxed: bool) -> String {
        match self.is_confined(unsandboxed) {
            true => self.layer().word().to_owned(),
            false => "none".to_owned(),
        }
    }
}

impl CommandRunner for Os<'_> {
    fn run_command(&self, job: &ShellJob) -> Result<ShellEnd> {
        self.judging_command(job)
    }

    fn judging_runner(&self, slot: SlotId) -> Option<String> {
        self.judged_on(slot)
    }

    fn verifications_at_once(&self) -> usize {
        // Two wait for something other than a processor often enough.
        let here = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
        here + judging_slots(&self.host.far)
    }

    fn make_interruptible(&self, slot: SlotId) {
        self.give_own_stop(slot);
    }

    fn interrupt(&self, slot: SlotId) {
        self.raise_own_stop(slot);
    }

    fn hook_names(&self) -> Vec<String> {
        self.user_hook_names()
    }

    fn hooks(&self, slot: SlotId, message: &str) -> Result<Vec<(String, String)>> {
        self.user_hooks(slot, message)
    }
}

impl Clock for Os<'_> {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }

    fn zone(&self, name: Option<&str>) -> Option<jiff::tz::TimeZone> {
        match name {
            Some(name) => jiff::tz::TimeZone::get(name).ok(),
            None => Some(jiff::tz::TimeZone::system()),
        }
    }

    fn sleep_until(&self, until: jiff::Timestamp) -> bool {
        // In short sleeps against the wall clock: a suspended machine wakes up on time.
        while jiff::Timestamp::now() < until {
            let left = until.duration_since(jiff::Timestamp::now());
            let nap = left.unsigned_abs().min(std::time::Duration::from_secs(5));
            if self.stop.sleep(nap) {
                return false;
            }
        }
        true
    }

    fn stopping(&self) -> bool {
        self.stop.is_raised()
    }
}

impl RunNotes for Os<'_> {
    fn note_in_flight(&self, note: &InFlight) -> Result<()> {
        runtime::note_in_flight(&self.state(), note)
    }

    fn in_flight(&self) -> Result<Vec<InFlight>> {
        read_in_flight(&self.state())
    }

    fn clear_in_flight(&self, slot: SlotId) -> Result<()> {
        runtime::clear_in_flight(&self.state(), slot)
    }

    fn cached_result(&self, key: &str) -> Option<i32> {
        // What nothing confined could write there is not trusted once it ran.
        match self.exposed.load(Ordering::Relaxed) {
            true => None,
            false => runtime::known_exit(&self.state(), key),
        }
    }

    fn cache_result(&self, key: &str, exit: i32) {
        runtime::write_cached_result(&self.state(), key, exit);
    }

    fn keep_log(&self, (unit, number): (&str, u32), name: &str, text: &str) {
        runtime::keep(
            &runtime::log_dir(&self.state(), unit, number).join(name),
            text,
        );
    }

    fn attempt_id(&self) -> String {
        attempt_id()
    }
}
