//! Running a session: argv from the adapter, environment by allow-list, prompt from a file.

use super::{Os, log_dir, runtime};
use crate::agents::{self, Choice, Exit, Listener, Outcome, Person, PromptVia, Request, Session};
use crate::driver::machine::{AgentEnd, AgentJob};
use crate::driver::news::{News, Watcher};
use crate::effects::process::{self, CommandSpec, Ended, Flow, Limits, Sink, Stdin};
use crate::error::{Error, Result};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// How long a program may live on after it said that its session is over.
const AFTER_RESULT: Duration = Duration::from_secs(10);
/// The sink's words for why it ends a session.
const BUDGET: &str = "budget";
const OVER: &str = "over";

impl Os<'_> {
    pub(super) fn session(&self, job: &AgentJob) -> Result<AgentEnd> {
        let choice = self.choose(&job.agent, job.by_person)?;
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
        let spec = self.spec(&choice, &request, job)?;
        let limits = Limits {
            wall: Some(job.timeout),
            idle: Some(job.idle_timeout),
            ..Limits::default()
        };
        let mut sink = SessionSink {
            listener: Listener::new(choice.agent),
            watcher: self.watcher,
            unit: &job.unit,
            budget: job.budget_usd,
            shown: String::new(),
            over_since: None,
        };
        let log = logs.join("session.log");
        let ran = process::run(&spec, &limits, Some(&log), &mut sink, &self.stop);
        let mut listener = sink.listener;
        listener.stderr(&ran.stderr_tail);
        let session = listener.end();
        Ok(end_of(&choice, session, ran))
    }

    /// Returns the agent a word means: the person may define programs, a plan may only name.
    pub(super) fn choose(&self, word: &str, by_person: bool) -> Result<Choice> {
        let person = Person {
            defined: &self.host.agents,
            cwd: &self.host.cwd,
        };
        if by_person {
            agents::choose(word, &person)
        } else {
            agents::choose_planned(word, &person)
        }
    }

    fn spec(&self, choice: &Choice, request: &Request<'_>, job: &AgentJob) -> Result<CommandSpec> {
        let command = choice.agent.command(request)?;
        let keep: Vec<&str> = command.keep_env.iter().map(String::as_str).collect();
        let mut env = self.env(&keep, &job.unit, None);
        env.retain(|(name, _)| !command.drop_env.iter().any(|drop| name == *drop));
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
            PromptVia::Argument | PromptVia::File => Stdin::Null,
        };
        Ok(CommandSpec {
            program: command.program.into(),
            args: command.args.into_iter().map(OsString::from).collect(),
            cwd: request.slot.to_path_buf(),
            env,
            stdin,
            marker: self.marker(&format!("{}-{}", job.unit, job.number)),
            inherit: self
                .family
                .as_ref()
                .map(crate::effects::lock::FamilyLock::file),
        })
    }
}

fn end_of(choice: &Choice, session: Session, ran: process::Outcome) -> AgentEnd {
    let mut notes = Vec::new();
    let exit = match &ran.ended {
        Ended::Exited(code) => Exit::Code(*code),
        Ended::Signaled(signal) => Exit::Signal(*signal),
        Ended::WallLimit => Exit::WallLimit,
        Ended::IdleLimit => Exit::IdleLimit,
        Ended::Cancelled => Exit::Cancelled,
        Ended::LimitHit(why) if why == BUDGET => Exit::Budget,
        Ended::LimitHit(_) => {
            notes.push("it did not end by itself after its result".to_owned());
            Exit::Code(0)
        }
        Ended::SpawnFailed { missing: true, .. } => Exit::Missing,
        Ended::SpawnFailed { message, .. } => {
            notes.push(format!("it could not be started: {message}"));
            Exit::Code(126)
        }
    };
    let outcome = match exit {
        Exit::Cancelled => Outcome::Cancelled,
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

/// Feeds the adapter, shows what the session does, and ends it when its budget is used up.
struct SessionSink<'a> {
    listener: Listener,
    watcher: &'a dyn Watcher,
    unit: &'a str,
    budget: Option<f64>,
    shown: String,
    over_since: Option<Instant>,
}

impl Sink for SessionSink<'_> {
    fn stdout_line(&mut self, line: &[u8], truncated: bool) -> Flow {
        self.listener.line(line, truncated);
        let session = self.listener.session();
        let over = |budget: &f64| session.cost_usd.is_some_and(|cost| cost >= *budget);
        if self.budget.as_ref().is_some_and(over) && !session.finished {
            return Flow::Stop(BUDGET.to_owned());
        }
        Flow::Continue
    }

    fn tick(&mut self, _: Duration) -> Flow {
        let session = self.listener.session();
        if let Some(now) = session.now() {
            let what = format!("{} {}", now.tool, now.detail);
            if what != self.shown {
                self.watcher.tell(&News::Doing {
                    unit: self.unit.to_owned(),
                    what: what.clone(),
                });
                self.shown = what;
            }
        }
        if session.finished {
            let since = *self.over_since.get_or_insert_with(Instant::now);
            if since.elapsed() > AFTER_RESULT {
                return Flow::Stop(OVER.to_owned());
            }
        }
        Flow::Continue
    }
}
