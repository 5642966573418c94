//! Sessions on runners: what is sent, what is heard, and what the end of one means to the driver.

use super::far_slots::FarOrder;
use super::home_listener::HomeListener;
use super::session_sink::SessionSink;
use super::{Os, owner, runtime};
use crate::process::{CommandSpec, ProcessEnd, ProcessOutcome, Stdin};
use crate::runner::{
    Contact, EngineWord, FarRun, HomeSession, Lost, SentAgent, SessionEnded, SessionRequest,
    ended_from_outside,
};
use crate::runner_definition::RunnerDefinition;
use gatewalk_core::agents::{
    AgentSelection, AnswersShow, Outcome, ProcessExit, PromptVia, Session,
};
use gatewalk_core::driver::ports::{AgentEnd, AgentJob, FarPlace};
use gatewalk_core::engine::oracle::hex;
use gatewalk_core::engine::runner_line::{self, Demand};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::status_machine::Word;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

impl Os<'_> {
    /// Runs a session on a runner.
    pub(super) fn far_session(&self, job: &AgentJob, runner: &str) -> Result<AgentEnd> {
        let definition = self.host.runner(runner)?;
        let choice = self.chosen(job)?;
        let order = self.far.orders().get(&job.slot).cloned();
        let order = order.ok_or_else(|| Error::internal("a session has no slot"))?;
        self.note_effort(&choice, job);
        let request = self.session_request(definition, job, (&choice, &order))?;
        let place = PathBuf::from("/nowhere");
        let own =
            SessionSink::new(&choice, job, &place, self.watcher).priced(&self.host.prices, None);
        let log = super::log_dir(&self.state(), &job.unit, job.number).join("session.log");
        runtime::note_begun((&self.state(), &job.unit, job.number), false);
        let mut listener = HomeListener {
            os: self,
            job,
            runner,
            own,
            log: runtime::open_log(&log),
        };
        let contact = self.contact(definition, job);
        let run = HomeSession::run(contact, (&self.git, &self.stop), request, &mut listener)?;
        let own = listener.own;
        runtime::withhold_secrets(&log);
        Ok(self.end_of_far(run, job, (choice, own, runner)))
    }

    fn contact<'d>(&self, definition: &'d RunnerDefinition, job: &AgentJob) -> Contact<'d> {
        let run = format!("{}-{}", job.unit, job.number);
        Contact {
            runner: definition,
            spec: self.far_command(definition, &job.demand, &run),
            repository: self.repository_key(),
            object_format: self.git.object_format().name(),
            large_files: self.git.shares_large_files(),
        }
    }

    /// Returns the process here that talks to a runner; it belongs to `run`.
    pub(super) fn far_command(
        &self,
        definition: &RunnerDefinition,
        demand: &Demand,
        run: &str,
    ) -> CommandSpec {
        let line = runner_line::fill(&definition.command, &definition.program, demand);
        let mut line = line.into_iter().map(OsString::from);
        CommandSpec {
            program: line.next().unwrap_or_default(),
            args: line.collect(),
            cwd: self.host.cwd.clone(),
            env: definition.client_environment(&self.host.env),
            stdin: Stdin::Null,
            marker: self.marker(run),
            inherit: self.inherited(),
            wrapper: None,
        }
    }

    /// Returns the name under which far ends know this repository.
    pub(super) fn repository_key(&self) -> String {
        let host = crate::lock::Holder::this("", "").host;
        let hash = Sha256::digest(format!("{host}\0{}", owner(&self.git)));
        format!("r{}", &hex(&hash)[..24])
    }

    fn session_request(
        &self,
        definition: &RunnerDefinition,
        job: &AgentJob,
        (choice, order): (&AgentSelection, &FarOrder),
    ) -> Result<SessionRequest> {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let value = |name: &String| {
            let value = self.host.var(name).and_then(|value| value.to_str());
            if value.is_none() {
                let text = format!(
                    "runner {}: `env` names {name}, which has no value here",
                    definition.name
                );
                self.note_once_per_run(&format!("far env {} {name}", definition.name), &text);
            }
            Some((name.clone(), value?.to_owned()))
        };
        let policy = self.far.policy.get().copied();
        let large_files = match self.git.shares_large_files() {
            true => self.git.large_files_of(order.tree)?,
            false => BTreeSet::new(),
        };
        Ok(SessionRequest {
            unit: job.unit.clone(),
            nth: job.nth,
            number: job.number,
            agent: job.agent.clone(),
            by_user: job.by_user,
            defined: self.sent_agent(choice),
            prompt: job.prompt.clone(),
            model: job.model.clone(),
            effort: job.effort.clone(),
            timeout_ms: millis(job.timeout),
            idle_timeout_ms: millis(job.idle_timeout),
            unsandboxed: job.unsandboxed,
            sandbox: policy.unwrap_or(SandboxPolicy::Auto).word().to_owned(),
            commit: order.commit,
            tree: order.tree,
            branch: order.branch.clone(),
            setup: order.setup.clone(),
            excludes: String::from_utf8_lossy(&self.git.user_excludes()).into_owned(),
            variables: definition.env.iter().filter_map(value).collect(),
            large_files,
        })
    }

    /// Returns the user's own agent of a session as it is sent: without the values it sets.
    fn sent_agent(&self, choice: &AgentSelection) -> Option<SentAgent> {
        let own = self
            .host
            .agents
            .iter()
            .find(|own| own.name == choice.name)?;
        if !own.set.is_empty() {
            self.note_once_per_run(
                &format!("far set {}", own.name),
                &format!(
                    "agent `{}`: what `set` gives it stays here; where a runner needs it, define the agent in the configuration there",
                    own.name
                ),
            );
        }
        Some(SentAgent {
            name: own.name.clone(),
            adapter: own.adapter.to_owned(),
            argv: own.argv.clone(),
            args: own.args.clone(),
            model: own.model.clone(),
            prompt: match own.prompt {
                PromptVia::Argument => "argument",
                PromptVia::File => "file",
                PromptVia::Stdin | PromptVia::Conversation => "stdin",
            }
            .to_owned(),
            env: own.env_keep.clone(),
            tool_servers: own.tool_servers.clone(),
        })
    }

    /// Returns what a session elsewhere means to the driver.
    fn end_of_far(
        &self,
        run: FarRun,
        job: &AgentJob,
        (choice, own, runner): (AgentSelection, SessionSink<'_>, &str),
    ) -> AgentEnd {
        let stopping = self.stop.is_raised();
        let waited = run.waited;
        let place = |isolation: String| FarPlace {
            runner: runner.to_owned(),
            isolation,
            waited,
        };
        let Some(ended) = run.ended else {
            let why = run.lost.unwrap_or_else(|| Lost::new("it ended".to_owned()));
            let (session, mut notes) = own.end(&outcome_of(None));
            notes.insert(0, why.why);
            return AgentEnd {
                place: Some(place(String::new())),
                session,
                remedy: why.remedy,
                notes,
                duration: run.ran,
                ..lost_end(stopping)
            };
        };
        let ran = outcome_of(Some(&ended));
        let (session, mut notes) = own.end(&ran);
        // Both ends heard what it printed.
        let news = ended.notes.into_iter().filter(|note| !notes.contains(note));
        notes.extend(news.collect::<Vec<_>>());
        let said = run.engine.as_ref();
        let from_outside = (!stopping)
            .then(|| ended_from_outside(&ran.ended, said))
            .flatten();
        let mut end = super::session_runner::end_of(&choice, session, ran, notes);
        end.outcome = in_its_zone(end.outcome, ended.zone_minutes);
        end.place = Some(place(ended.isolation));
        if end.outcome == Outcome::Auth {
            end.remedy = end.remedy.map(|remedy| format!("on {runner}: {remedy}"));
        }
        if let Some(why) = from_outside {
            end.outcome = Outcome::RunnerLost;
            end.remedy = said.and_then(EngineWord::remedy);
            end.notes.insert(0, why);
        }
        if matches!(end.outcome, Outcome::Crashed | Outcome::Protocol) {
            let logs = super::log_dir(&self.state(), &job.unit, job.number);
            let log = logs.join("session.log");
            end.notes
                .push(format!("all it printed is in `{}`", log.display()));
        }
        end
    }
}

/// Returns an outcome whose limit ends by the clocks of the machine that the agent looked at.
fn in_its_zone(outcome: Outcome, minutes: Option<i32>) -> Outcome {
    match (outcome, minutes) {
        (Outcome::Limit { reset: Some(reset) }, Some(minutes)) => Outcome::Limit {
            reset: Some(reset.stated_in_zone(minutes)),
        },
        (outcome, _) => outcome,
    }
}

/// Returns the end of a session that nobody knows the end of.
fn lost_end(stopping: bool) -> AgentEnd {
    AgentEnd {
        place: None,
        exit: ProcessExit::Cancelled,
        session: Session::default(),
        outcome: match stopping {
            true => Outcome::Cancelled,
            false => Outcome::RunnerLost,
        },
        duration: Duration::ZERO,
        strays: 0,
        remedy: None,
        answers_show: AnswersShow::Unknown,
        notes: vec![],
    }
}

/// Returns what the far end saw of a session's process, as if it had run here.
fn outcome_of(ended: Option<&SessionEnded>) -> ProcessOutcome {
    ProcessOutcome {
        ended: ended.map_or(ProcessEnd::Cancelled, |e| e.ended.clone()),
        duration: Duration::from_millis(ended.map_or(0, |e| e.duration_ms)),
        stdout_bytes: ended.map_or(0, |e| e.stdout_bytes),
        stderr_bytes: ended.map_or(0, |e| e.stderr_bytes),
        stderr_tail: ended.map_or_else(Vec::new, |e| e.stderr_tail.clone().into_bytes()),
        strays: ended.map_or(0, |e| e.strays),
        survivors: ended.map_or(0, |e| e.survivors),
        log_error: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_ends_by_the_clocks_of_the_machine_that_states_it() {
        use gatewalk_core::agents::{ClockTime, Reset};
        let at = |text: &str| Outcome::Limit {
            reset: ClockTime::parse(text).map(Reset::Clock),
        };
        for (stated, minutes, want) in [
            (at("3pm"), Some(0), at("3pm UTC")),
            (at("3pm"), None, at("3pm")),
            (at("3pm UTC"), Some(60), at("3pm UTC")),
            (Outcome::Auth, Some(60), Outcome::Auth),
        ] {
            assert_eq!(in_its_zone(stated, minutes), want);
        }
    }
}
