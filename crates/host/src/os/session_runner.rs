//! Running a session: argv from the adapter, environment by allow-list, prompt from a file.

use super::agent_stdin::AgentStdin;
use super::confinement::OwnAccount;
use super::session_sink::SessionSink;
use super::{Os, accounts, log_dir, runtime};
use crate::isolation::Layer;
use crate::process::{self, CommandSpec, Flow, Limits, ProcessEnd, Sink, SinkStop, Stdin};
use gatewalk_core::agents::{
    AgentCommand, AgentSelection, Outcome, Payment, ProcessExit, PromptVia, Request, Session,
};
use gatewalk_core::driver::ports::{AgentEnd, AgentJob};
use gatewalk_core::error::{Error, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Hears a session beside the one who runs it, and may end it.
pub(crate) trait SessionRelay {
    /// Hears a line of its standard output.
    fn line(&self, line: &[u8], truncated: bool);
    /// Hears of a sign of life that is no output.
    fn sign(&self);
    /// Returns why it is to end, once somebody asked.
    fn asked_end(&self) -> Option<SinkStop>;
}

/// What a session's process came to, before anybody asks what that means.
pub(crate) struct SessionProcess {
    pub(super) choice: AgentSelection,
    pub(super) session: Session,
    pub(crate) ran: process::ProcessOutcome,
    /// What a user should see of it.
    pub(crate) notes: Vec<String>,
}

/// A session's own listener, with another beside it.
struct RelayedSink<'a> {
    own: SessionSink<'a>,
    relay: Option<&'a dyn SessionRelay>,
    signs: u64,
}

impl Sink for RelayedSink<'_> {
    fn stdout_line(&mut self, line: &[u8], truncated: bool) -> Flow {
        if let Some(relay) = self.relay {
            relay.line(line, truncated);
        }
        self.own.stdout_line(line, truncated)
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.own.stderr(bytes);
    }

    fn tick(&mut self, elapsed: Duration) -> Flow {
        match self.relay.and_then(SessionRelay::asked_end) {
            Some(reason) => Flow::Stop(reason),
            None => self.own.tick(elapsed),
        }
    }

    fn activity(&mut self) -> u64 {
        let signs = self.own.activity();
        if let Some(relay) = self.relay.filter(|_| signs != self.signs) {
            relay.sign();
        }
        self.signs = signs;
        signs
    }

    fn at_work(&mut self) {
        self.own.at_work();
        if let Some(relay) = self.relay {
            relay.sign();
        }
    }
}

/// The longest that a program may look through its records.
const RECORDS: Duration = Duration::from_secs(120);

/// The first lines that a program prints.
struct PrintedLines(Vec<String>);

impl Sink for PrintedLines {
    fn stdout_line(&mut self, line: &[u8], _: bool) -> Flow {
        const MOST: usize = 20;
        if self.0.len() < MOST {
            self.0.push(String::from_utf8_lossy(line).into_owned());
        }
        Flow::Continue
    }
}

impl Os<'_> {
    pub(super) fn session(&self, job: &AgentJob) -> Result<AgentEnd> {
        let process = self.session_process(job, None)?;
        Ok(self.end_of_process(process, job))
    }

    /// Returns what a session's process means to the driver.
    pub(super) fn end_of_process(&self, process: SessionProcess, job: &AgentJob) -> AgentEnd {
        let mut end = end_of(&process.choice, process.session, process.ran, process.notes);
        if matches!(end.outcome, Outcome::Crashed | Outcome::Protocol) {
            let logs = log_dir(&self.state(), &job.unit, job.number);
            let log = logs.join("session.log");
            let log = log.display();
            end.notes.push(format!("all it printed is in `{log}`"));
        }
        end
    }

    /// Runs a session's process to its end.
    pub(crate) fn session_process(
        &self,
        job: &AgentJob,
        relay: Option<&dyn SessionRelay>,
    ) -> Result<SessionProcess> {
        let choice = self.chosen(job)?;
        let slot = self.slot(job.slot)?;
        let logs = log_dir(&self.state(), &job.unit, job.number);
        let prompt_file = write_prompt(&logs, &job.prompt)?;
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
        self.note_effort(&choice, job);
        let account = OwnAccount::of(&choice, &self.host);
        let command = choice.command(&request)?;
        let mut spec = self.spec((&choice, &account), &request, (job, command))?;
        let mut stdin = None;
        if let Some(conversation) = choice.agent.conversation(&request) {
            let (own, theirs) = AgentStdin::new(conversation)?;
            spec.stdin = Stdin::Pipe(theirs);
            stdin = Some(own);
        }
        let own = SessionSink::new(&choice, job, slot.dir(), self.watcher)
            .priced(&self.host.prices, self.configured_model(&choice))
            .with_stdin(stdin);
        let mut sink = RelayedSink {
            own,
            relay,
            signs: 0,
        };
        let log = logs.join("session.log");
        let (ran, seen) = self.run_watched((job, &account), (&spec, &log), &mut sink)?;
        let (mut session, mut notes) = sink.own.end(&ran);
        notes.extend(seen);
        notes.extend(self.ask_for_figures((&choice, &account), (&request, job), &mut session));
        Ok(SessionProcess {
            choice,
            session,
            ran,
            notes,
        })
    }

    /// Runs a session's process while what it must leave alone is watched; returns with its end what was seen of that.
    fn run_watched(
        &self,
        (job, own): (&AgentJob, &OwnAccount),
        (spec, log): (&CommandSpec, &Path),
        sink: &mut RelayedSink<'_>,
    ) -> Result<(process::ProcessOutcome, Vec<String>)> {
        let limits = self.session_limits(job);
        let confined = self.is_confined(job.unsandboxed);
        let run = process::ProgramRun {
            spec,
            limits: &limits,
            log: Some(log),
            stop: &self.stop,
        };
        let (mut ran, seen) = self.watched_session(confined, (&job.unit, own), || {
            let ran = process::run(&run, sink);
            runtime::withhold_secrets(log);
            ran
        })?;
        if confined && matches!(self.layer(), Layer::Bubblewrap(_)) {
            // What is seen dying is the namespace itself: the kernel ends it with its first process.
            ran.strays = 0;
        }
        Ok((ran, seen))
    }

    /// Asks the program for figures that it did not print, confined as its session was; returns what to say where it has none.
    fn ask_for_figures(
        &self,
        (choice, account): (&AgentSelection, &OwnAccount),
        (request, job): (&Request<'_>, &AgentJob),
        session: &mut Session,
    ) -> Option<String> {
        let recorded = choice.agent.descriptor().recorded_figures()?;
        let args = (recorded.ask)(session)?;
        let mut printed = PrintedLines(Vec::new());
        let run = || -> Result<()> {
            let mut command = choice.command(request)?;
            command.args = args;
            command.prompt = PromptVia::Argument;
            let spec = self.spec((choice, account), request, (job, command))?;
            let limits = Limits {
                wall: Some(RECORDS),
                ..self.session_limits(job)
            };
            let run = process::ProgramRun {
                spec: &spec,
                limits: &limits,
                log: None,
                stop: &self.stop,
            };
            process::run(&run, &mut printed);
            Ok(())
        };
        run().ok();
        printed
            .0
            .iter()
            .for_each(|line| (recorded.read)(line, session));
        let untold =
            "what its sub-agents used is not in its figures: its records could not be read";
        session.delegated.then(|| untold.to_owned())
    }

    /// Returns a session's environment: what it keeps of the user's, and what its command sets.
    fn session_env(
        &self,
        command: &AgentCommand,
        payment: &Payment,
        unit: &str,
    ) -> Vec<(OsString, OsString)> {
        let named = &self.host.session_variables;
        let keep = command.keep_env.iter().chain(&payment.extra).chain(named);
        let keep: Vec<&str> = keep.map(String::as_str).collect();
        let mut env = self.env(&keep, unit, None);
        env.retain(|(name, _)| {
            let withheld = payment
                .withheld
                .iter()
                .any(|withheld| name == withheld.as_str());
            !withheld && !command.drop_env.iter().any(|drop| name == *drop)
        });
        let set = command
            .env
            .iter()
            .map(|(n, v)| (OsString::from(n), OsString::from(v)));
        for (name, value) in set {
            env.retain(|(n, _)| *n != name);
            env.push((name, value));
        }
        env
    }

    fn session_limits(&self, job: &AgentJob) -> Limits {
        Limits {
            wall: Some(job.timeout),
            idle: Some(job.idle_timeout),
            resources: self.host.resources,
            ..Limits::default()
        }
    }

    fn spec(
        &self,
        (choice, account): (&AgentSelection, &OwnAccount),
        request: &Request<'_>,
        (job, mut command): (&AgentJob, AgentCommand),
    ) -> Result<CommandSpec> {
        if let Some(login) = choice.agent.login() {
            let own = accounts::account(&login, &self.host, choice.own()).tool_servers;
            command.keep_out_tool_servers(choice.agent.without_tool_servers(&own));
        }
        let is_own = |name: &str| self.is_users_own(job.slot, name);
        accounts::refuse_repository(choice, request.slot, &is_own)?;
        let own = choice.own();
        let payment = accounts::payment(choice.agent, &command.keep_env, &self.host, own);
        if let Some(own) = own {
            accounts::refuse_replaced(own, &payment)?;
        }
        self.note_withheld(choice, &payment);
        let env = self.session_env(&command, &payment, &job.unit);
        let stdin = match command.prompt {
            PromptVia::Stdin => Stdin::File(request.prompt_file.to_path_buf()),
            PromptVia::Argument | PromptVia::File | PromptVia::Conversation => Stdin::Null,
        };
        let spec = CommandSpec {
            program: command.program.into(),
            args: command.args.into_iter().map(OsString::from).collect(),
            cwd: request.slot.to_path_buf(),
            env,
            stdin,
            marker: self.marker(&format!("{}-{}", job.unit, job.number)),
            inherit: self.inherited(),
            wrapper: None,
        };
        Ok(self.confine_session(spec, account, job))
    }
}

fn write_prompt(logs: &Path, prompt: &str) -> Result<PathBuf> {
    let file = logs.join("prompt.md");
    runtime::make_parent(&file)?;
    std::fs::write(&file, prompt).map_err(|e| Error::io("write", &file, &e))?;
    Ok(file)
}

pub(super) fn end_of(
    choice: &AgentSelection,
    session: Session,
    ran: process::ProcessOutcome,
    mut notes: Vec<String>,
) -> AgentEnd {
    let exit = exit_of(&ran.ended, &mut notes);
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
        place: None,
        exit,
        session,
        outcome,
        duration: ran.duration,
        strays: ran.strays,
        remedy,
        answers_show: choice.agent.answers_show(),
        notes,
    }
}

/// Returns how a session's process ended, and notes what that word does not tell.
fn exit_of(ended: &ProcessEnd, notes: &mut Vec<String>) -> ProcessExit {
    match ended {
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
        ProcessEnd::LimitHit(SinkStop::Futile) => {
            notes.push("it was ended because it retried what no retry can mend".to_owned());
            ProcessExit::Code(1)
        }
        ProcessEnd::SpawnFailed { missing: true, .. } => ProcessExit::Missing,
        ProcessEnd::SpawnFailed { message, .. } => {
            notes.push(format!("it could not be started: {message}"));
            ProcessExit::Code(126)
        }
    }
}
