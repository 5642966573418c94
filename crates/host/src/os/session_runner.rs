//! Running a session: argv from the adapter, environment by allow-list, prompt from a file.

use super::agent_stdin::AgentStdin;
use super::session_sink::SessionSink;
use super::{Host, Os, log_dir, runtime};
use crate::isolation::Layer;
use crate::process::{self, CommandSpec, Limits, ProcessEnd, SinkStop, Stdin};
use gatewalk_core::agents::{
    self, AgentSelection, Login, Outcome, ProcessExit, PromptVia, Request, Session, UserAgents,
};
use gatewalk_core::driver::driver_event::DriverEvent;
use gatewalk_core::driver::ports::{AgentEnd, AgentJob};
use gatewalk_core::error::{Error, Result};
use std::ffi::OsString;
use std::path::PathBuf;

/// Lets a key pass although the program is logged in otherwise.
pub const KEEP_KEYS: &str = "GATEWALK_KEEP_KEYS";

impl Os<'_> {
    pub(super) fn session(&self, job: &AgentJob) -> Result<AgentEnd> {
        let choice = self.choose(&job.agent, job.by_user)?;
        let slot = self.slot(job.slot)?;
        let logs = log_dir(&self.state(), &job.unit, job.number);
        let prompt_file = logs.join("prompt.md");
        runtime::make_parent(&prompt_file)?;
        std::fs::write(&prompt_file, &job.prompt)
            .map_err(|e| Error::io("write", &prompt_file, &e))?;
        let request = Request {
            prompt_file: &prompt_file,
            prompt: &job.prompt,
            model: job.model.as_deref(),
            effort: job.effort.as_deref(),
            unit: &job.unit,
            attempt: job.number,
            budget_usd: job.budget_usd,
            slot: slot.dir(),
            definition: choice.definition.as_ref(),
            root: rustix::process::geteuid().is_root(),
            own_program: &self.host.own_program,
        };
        let mut spec = self.spec(&choice, &request, job)?;
        let mut voice = None;
        if let Some(conversation) = choice.agent.conversation(&request) {
            let (own, theirs) = AgentStdin::new(conversation)?;
            spec.stdin = Stdin::Pipe(theirs);
            voice = Some(own);
        }
        let limits = Limits {
            wall: Some(job.timeout),
            idle: Some(job.idle_timeout),
            resources: self.host.resources,
            ..Limits::default()
        };
        let mut sink = SessionSink::new(&choice, job, slot.dir(), self.watcher).speaking(voice);
        let log = logs.join("session.log");
        let confined = self.is_confined(job.unsandboxed);
        let (ran, seen) = self.watched(confined, &job.unit, || {
            let ran = process::run(&spec, &limits, Some(&log), &mut sink, &self.stop);
            runtime::withhold_secrets(&log);
            ran
        })?;
        let (session, mut notes) = sink.end(&ran);
        notes.extend(seen);
        let mut ran = ran;
        if confined && matches!(self.layer(), Layer::Bubblewrap(_)) {
            // What is seen dying is the namespace itself: the kernel ends it with its first process.
            ran.strays = 0;
        }
        Ok(end_of(&choice, session, ran, notes))
    }

    /// Returns the agent a word means: the user may define programs, a plan may only name.
    pub(super) fn choose(&self, word: &str, by_user: bool) -> Result<AgentSelection> {
        let user = UserAgents {
            defined: &self.host.agents,
            cwd: &self.host.cwd,
        };
        if by_user {
            agents::choose(word, &user)
        } else {
            agents::choose_planned(word, &user)
        }
    }

    /// Keeps variables out that would change who pays, and tells it once.
    fn drop_payers(&self, choice: &AgentSelection, env: &mut Vec<(OsString, OsString)>) {
        let Some(login) = choice.agent.login() else {
            return;
        };
        if self.host.var(KEEP_KEYS).is_some() || login_file(&login, &self.host).is_none() {
            return;
        }
        let mut dropped = Vec::new();
        env.retain(|(name, _)| {
            let key = login.keys.iter().find(|key| name == **key);
            dropped.extend(key);
            key.is_none()
        });
        let mut told = self
            .told
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if !dropped.is_empty() && told.insert(choice.name.clone()) {
            let names: Vec<&str> = dropped.into_iter().copied().collect();
            self.watcher.tell(&DriverEvent::Note {
                text: format!(
                    "{}: kept {} from the session, because the program is logged in and a key would change who pays ({KEEP_KEYS}=1 lets it pass)",
                    choice.name,
                    names.join(", ")
                ),
            });
        }
    }

    fn spec(
        &self,
        choice: &AgentSelection,
        request: &Request<'_>,
        job: &AgentJob,
    ) -> Result<CommandSpec> {
        let command = choice.agent.command(request)?;
        let keep: Vec<&str> = command.keep_env.iter().map(String::as_str).collect();
        let mut env = self.env(&keep, &job.unit, None);
        env.retain(|(name, _)| !command.drop_env.iter().any(|drop| name == *drop));
        self.drop_payers(choice, &mut env);
        let set = command
            .env
            .iter()
            .map(|(n, v)| (OsString::from(n), OsString::from(v)));
        for (name, value) in set {
            env.retain(|(n, _)| *n != name);
            env.push((name, value));
        }
        let stdin = match command.prompt {
            PromptVia::Stdin => Stdin::File(request.prompt_file.to_path_buf()),
            PromptVia::Argument | PromptVia::File | PromptVia::Conversation => Stdin::Null,
        };
        let login = choice.agent.login();
        let spec = CommandSpec {
            program: command.program.into(),
            args: command.args.into_iter().map(OsString::from).collect(),
            cwd: request.slot.to_path_buf(),
            env,
            stdin,
            marker: self.marker(&format!("{}-{}", job.unit, job.number)),
            inherit: self
                .run_lock
                .as_ref()
                .map(crate::lock::ProcessTreeLock::file),
        };
        Ok(self.confine_session(spec, login.as_ref(), job.unsandboxed, &job.unit))
    }
}

/// Returns the file that holds a program's login, if there is one.
pub fn login_file(login: &Login, host: &Host) -> Option<PathBuf> {
    let home = host.var("HOME").map(PathBuf::from)?;
    let own = login.home.and_then(|name| host.var(name));
    login
        .files
        .iter()
        .map(|file| match (&own, file.split_once('/')) {
            (Some(own), Some((_, rest))) => PathBuf::from(own).join(rest),
            _ => home.join(file),
        })
        .find(|path| path.is_file())
}

fn end_of(
    choice: &AgentSelection,
    session: Session,
    ran: process::ProcessOutcome,
    mut notes: Vec<String>,
) -> AgentEnd {
    let exit = match &ran.ended {
        ProcessEnd::Exited(code) => ProcessExit::Code(*code),
        ProcessEnd::Signaled(signal) => ProcessExit::Signal(*signal),
        ProcessEnd::WallLimit => ProcessExit::WallLimit,
        ProcessEnd::IdleLimit => ProcessExit::IdleLimit,
        ProcessEnd::Cancelled => ProcessExit::Cancelled,
        ProcessEnd::LimitHit(SinkStop::Budget) => ProcessExit::Budget,
        ProcessEnd::LimitHit(SinkStop::Done | SinkStop::Waiting) => {
            notes.push("it did not end by itself after its result".to_owned());
            ProcessExit::Code(0)
        }
        ProcessEnd::SpawnFailed { missing: true, .. } => ProcessExit::Missing,
        ProcessEnd::SpawnFailed { message, .. } => {
            notes.push(format!("it could not be started: {message}"));
            ProcessExit::Code(126)
        }
    };
    let outcome = match exit {
        ProcessExit::Cancelled => Outcome::Cancelled,
        _ => choice.agent.outcome(&exit, &session),
    };
    if ran.survivors > 0 {
        notes.push(format!(
            "{} processes are stuck in the kernel and could not be ended",
            ran.survivors
        ));
    }
    notes.extend(ran.log_error.map(|e| format!("its log is incomplete: {e}")));
    let remedy = choice.agent.remedy(&outcome).map(str::to_owned);
    AgentEnd {
        exit,
        session,
        outcome,
        duration: ran.duration,
        strays: ran.strays,
        remedy,
        notes,
    }
}
