//! A session as the far end runs it: a slot of its own, the same confinement and the same supervision as at home, and
//! what it left sent back before anything else.

use super::far_contact::{FarContact, NoteWatcher, fault};
use super::far_lease::FarOut;
use super::far_opening::{self, FarOpening};
use super::far_store::FarStore;
use crate::git::PackContent;
use crate::host::Host;
use crate::os::{Os, SessionProcess, SessionRelay};
use crate::process::SinkStop;
use crate::runner::contact_messages::{
    EndRequest, HomeHello, LeftTree, SentAgent, SessionEnded, SessionRequest,
};
use crate::runner::frames::{Frame, FrameKind};
use crate::runner::pack_spool::PackSpool;
use crate::stop_flag::StopFlag;
use gatewalk_core::agents::{CommandAgent, PromptVia, by_name};
use gatewalk_core::driver::ports::{
    AgentJob, SessionRunner, SetUp, SlotContent, SlotId, Workspaces,
};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use rustix::process::Signal;
use std::cell::Cell;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// The slot of a far end: one contact, one session.
const SLOT: SlotId = SlotId::Session(0);

/// Runs one session for home.
pub(super) fn run(contact: &FarContact, hello: &HomeHello, format: ObjectFormat) -> Result<()> {
    let FarOpening {
        store,
        family,
        watchdog: _watchdog,
    } = FarOpening::of(contact, hello, format)?;
    let request: SessionRequest = contact.expect(FrameKind::Request)?.read().map_err(fault)?;
    let pack = contact.receive_pack(&store.git.state_dir().join("tmp"))?;
    store.take(&pack, request.commit)?;
    store.note_needed(&request.large_files);
    drop(pack);
    let watcher = NoteWatcher(contact.out.clone());
    store.exclude(&request.excludes)?;
    let machine = Os::new(&store.git, host_for(&contact.host, &request), &watcher)?
        .for_run(contact.stop.clone(), family);
    machine.without_submodules();
    let session = FarSession {
        contact,
        store: &store,
        request: &request,
        machine,
    };
    session.prepare()?;
    let process = session.perform()?;
    session.hand_over()?;
    session.conclude(&process)?;
    store.tidy();
    Ok(())
}

/// One session.
struct FarSession<'a> {
    contact: &'a FarContact,
    store: &'a FarStore,
    request: &'a SessionRequest,
    machine: Os<'a>,
}

impl FarSession<'_> {
    /// Fills the slot and runs the project's set-up.
    fn prepare(&self) -> Result<()> {
        let request = self.request;
        self.machine.require_isolation(None)?;
        let tree = &request.tree;
        self.machine.prepare_slot(&SlotContent {
            slot: SLOT,
            commit: request.commit,
            tree: *tree,
            branch: &request.branch,
        })?;
        let Some(setup) = &request.setup else {
            return Ok(());
        };
        let asked = SetUp {
            tree,
            base: &setup.base,
            shell: Some(&setup.shell),
            link: &[],
            state_dir: &setup.state_dir,
        };
        let end = self.machine.set_up(SLOT, &asked)?;
        let Some(failed) = end.filter(|end| !end.ended.is_success()) else {
            return Ok(());
        };
        let out = [failed.stdout_head, failed.stdout_tail].concat();
        let err = [failed.stderr_head, failed.stderr_tail].concat();
        let printed = String::from_utf8_lossy(&[out, b"\n".to_vec(), err].concat()).into_owned();
        let last = printed.trim().lines().next_back().unwrap_or_default();
        Err(Error::environment(format!(
            "the project's `setup` failed there ({}): {last}",
            failed.ended
        )))
    }

    fn perform(&self) -> Result<SessionProcess> {
        self.contact
            .out
            .send_frame(&Frame::new(FrameKind::Begun, *b""))?;
        let relay = HomeRelay {
            out: &self.contact.out,
            says: &self.contact.says,
            stop: &self.contact.stop,
            asked: Cell::default(),
        };
        self.machine
            .session_process(&job(self.request), Some(&relay))
    }

    /// Sends what the session left; returns once home has it.
    fn hand_over(&self) -> Result<()> {
        let request = self.request;
        let captured = self.machine.capture(SLOT, &request.commit)?;
        if captured.tree != request.tree {
            let pack = PackSpool::new(&self.store.git.state_dir().join("tmp"))?;
            let content = PackContent {
                wanted: vec![captured.tree],
                had: vec![request.commit, request.tree],
            };
            self.store.git.write_pack(&content, pack.file())?;
            self.contact.send_pack(&pack)?;
            self.send_large_files(captured.tree)?;
        }
        let left = LeftTree {
            tree: captured.tree,
            history_ok: captured.history_ok,
            notes: captured.notes,
        };
        self.contact
            .out
            .send_frame(&Frame::json(FrameKind::Left, &left))?;
        loop {
            // A request to end that crossed the end is over.
            match self.contact.says.recv().map(|frame| frame.kind) {
                Ok(FrameKind::Received) => return Ok(()),
                Ok(FrameKind::End) => {}
                _ => return Err(Error::environment("home did not take the work")),
            }
        }
    }

    /// Sends the files of git-lfs that the session made; home has the others.
    fn send_large_files(&self, tree: ObjectId) -> Result<()> {
        let git = &self.store.git;
        let left = git.large_files_of(tree)?;
        let made = left.difference(&self.request.large_files);
        let places = made.filter_map(|id| Some((id, git.large_file(id)?)));
        for (id, place) in places {
            self.contact.send_large_file(id, &place)?;
        }
        Ok(())
    }

    fn conclude(&self, process: &SessionProcess) -> Result<()> {
        let ran = &process.ran;
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let mut notes = process.notes.clone();
        notes.extend(
            ran.log_error
                .iter()
                .map(|e| format!("its log there is incomplete: {e}")),
        );
        let ended = SessionEnded {
            ended: ran.ended.clone(),
            duration_ms: millis(ran.duration),
            stdout_bytes: ran.stdout_bytes,
            stderr_bytes: ran.stderr_bytes,
            stderr_tail: String::from_utf8_lossy(&ran.stderr_tail).into_owned(),
            strays: ran.strays,
            survivors: ran.survivors,
            isolation: self.machine.isolation(self.request.unsandboxed),
            notes,
            zone_minutes: Some(jiff::Zoned::now().offset().seconds() / 60),
        };
        self.contact
            .out
            .send_frame(&Frame::json(FrameKind::Ended, &ended))
    }
}

/// Tells home what a session prints, and asks it whether to go on.
struct HomeRelay<'a> {
    out: &'a FarOut,
    says: &'a Receiver<Frame>,
    stop: &'a StopFlag,
    asked: Cell<Option<SinkStop>>,
}

impl SessionRelay for HomeRelay<'_> {
    fn line(&self, line: &[u8], truncated: bool) {
        let kind = match truncated {
            true => FrameKind::CutLine,
            false => FrameKind::Line,
        };
        // Home that does not listen ends the lease.
        drop(self.out.send(kind, line));
    }

    fn sign(&self) {
        drop(self.out.send(FrameKind::Sign, b""));
    }

    fn asked_end(&self) -> Option<SinkStop> {
        while let Ok(frame) = self.says.try_recv() {
            let Ok(EndRequest { reason }) = frame.read() else {
                continue;
            };
            match reason {
                Some(reason) => self.asked.set(Some(reason)),
                None => self.stop.request(Signal::TERM.as_raw()),
            }
        }
        self.asked.get()
    }
}

fn job(request: &SessionRequest) -> AgentJob {
    AgentJob {
        slot: SLOT,
        unit: request.unit.clone(),
        nth: request.nth,
        number: request.number,
        agent: request.agent.clone(),
        by_user: request.by_user,
        prompt: request.prompt.clone(),
        model: request.model.clone(),
        effort: request.effort.clone(),
        demand: gatewalk_core::engine::runner_line::Demand::default(),
        timeout: Duration::from_millis(request.timeout_ms),
        idle_timeout: Duration::from_millis(request.idle_timeout_ms),
        // Home counts the money, and asks for the end.
        budget_usd: None,
        share: None,
        unsandboxed: request.unsandboxed,
        feature_dir: None,
    }
}

/// Returns this machine with what home adds: named variables, an agent of the user's, how strictly to confine.
fn host_for(host: &Host, request: &SessionRequest) -> Host {
    let mut host = host.clone();
    for (name, value) in &request.variables {
        host.env.retain(|(known, _)| known != name.as_str());
        host.env.push((name.into(), value.into()));
        host.session_variables.push(name.clone());
    }
    if let Some(agent) = request.defined.as_ref().and_then(own_agent)
        && !host.agents.iter().any(|own| own.name == agent.name)
    {
        host.agents.push(agent);
    }
    host.sandbox_now = far_opening::policy(&host, &request.sandbox);
    host
}

fn own_agent(sent: &SentAgent) -> Option<CommandAgent> {
    Some(CommandAgent {
        name: sent.name.clone(),
        argv: sent.argv.clone(),
        args: sent.args.clone(),
        set: vec![],
        model: sent.model.clone(),
        prompt: match sent.prompt.as_str() {
            "argument" => PromptVia::Argument,
            "file" => PromptVia::File,
            _ => PromptVia::Stdin,
        },
        tool_servers: sent.tool_servers.clone(),
        env_keep: sent.env.clone(),
        adapter: by_name(&sent.adapter)?.name(),
        lacking: None,
    })
}
