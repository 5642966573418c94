//! Proving a runner: what is there, and what of a session survives its connection.

use super::contact_messages::{self, ContactTask, FarFailure, FarReport};
use super::ended_contact::EndedContact;
use super::frame_fault::FrameFault;
use super::frames::{Frame, FrameKind};
use super::home_contact::{self, Contact, HomeEar, HomeOut, HomeTask};
use super::lost_contact::Lost;
use crate::attempt_id::attempt_id;
use crate::host::Host;
use crate::process::{self, ByteSink, CommandSpec, Flow, Marker, Stdin};
use crate::runner_definition::RunnerDefinition;
use crate::stop_flag::StopFlag;
use gatewalk_core::engine::runner_line::{self, Demand};
use gatewalk_core::error::{Error, Result};
use rustix::process::Signal;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// How much longer than the lease what was started there may take to end.
const AFTER_LEASE: Duration = Duration::from_secs(8);

/// How long the program may travel once its engine has started.
const SENDING: Duration = Duration::from_secs(10 * 60);

/// What a runner is like.
#[derive(Debug, Clone, PartialEq)]
pub struct RunnerReport {
    /// What its far end reports.
    pub far: FarReport,
    /// How long it took until it did.
    pub took: Duration,
    /// By how much its clock is ahead of this machine's, in milliseconds.
    pub clock_ahead_ms: i64,
}

/// Puts this program where a runner's `program` says, and returns what that then says of its version.
///
/// # Errors
/// Where the definition names no path, its command starts the far end itself, or the program did not get there whole or does
/// not run there; what was there before stays then.
pub fn send_program(host: &Host, runner: &RunnerDefinition) -> Result<String> {
    let refuse = |what: &str, hint: &str| {
        Error::usage(format!("runner `{}`: {what}", runner.name)).hint(hint.to_owned())
    };
    if !runner.program.contains('/') {
        return Err(refuse(
            "its `program` is no path, so there is no place to send it to",
            "name one in its definition, as `program: ~/bin/gatewalk`",
        ));
    }
    let bytes = std::fs::metadata(&host.own_program)
        .map_err(|error| Error::environment(format!("this program: {error}")))?
        .len();
    let line = runner_line::fill_to_send(&runner.command, &runner.program, bytes, &usual_demand());
    let line = line.ok_or_else(|| {
        refuse(
            "its `command` starts the far end itself",
            "write `{far}` in its place",
        )
    })?;
    let spec = CommandSpec {
        stdin: Stdin::File(host.own_program.clone()),
        ..client(host, runner, line)
    };
    let ran = process::run_within(runner.wait + SENDING, &spec)?;
    let said = |tail: &[u8]| String::from_utf8_lossy(tail).trim().to_owned();
    let version = said(&ran.stdout.to_bytes());
    match ran.outcome.ended.is_success() {
        true => Ok(version.lines().next_back().unwrap_or_default().to_owned()),
        false => {
            let why = contact_messages::bounded_text(&said(&ran.stderr.to_bytes()));
            let what = format!("the program did not get there, or does not run there: {why}");
            Err(Error::environment(format!(
                "runner `{}`: {what}",
                runner.name
            )))
        }
    }
}

fn usual_demand() -> Demand {
    Demand::default().with_limit(Duration::from_secs(60 * 60))
}

/// Returns the command line of a runner, as a session without wishes would start it.
pub fn command_line(runner: &RunnerDefinition) -> Vec<String> {
    runner_line::fill(&runner.command, &runner.program, &usual_demand())
}

/// Asks a runner what it is like.
pub fn report(host: &Host, runner: &RunnerDefinition) -> Result<RunnerReport> {
    ask(host, runner, "")
}

/// Starts a family of processes there, kills the connection, and asks afterwards what is still alive. Returns how many
/// processes are, and how long that was asked after the kill.
pub fn survivors_of_a_kill(host: &Host, runner: &RunnerDefinition) -> Result<(usize, Duration)> {
    let chance = attempt_id().to_lowercase();
    let stop = StopFlag::new()?;
    let mut task = ReportTask::new(runner, ContactTask::Linger, stop.clone());
    let contact = contact(host, runner, &chance);
    task.hello = Some(contact.hello(ContactTask::Linger));
    let ran = contact.hold(&mut task, &stop)?;
    if !task.begun {
        return Err(lost(
            runner,
            EndedContact::of(&ran, &task.ear).why(task.lost, runner),
        ));
    }
    let killed = Instant::now();
    std::thread::sleep(runner.lease + AFTER_LEASE);
    let report = ask(host, runner, &chance)?;
    Ok((report.far.survivors, killed.elapsed()))
}

fn ask(host: &Host, runner: &RunnerDefinition, chance: &str) -> Result<RunnerReport> {
    let never = StopFlag::new()?;
    let mut task = ReportTask::new(runner, ContactTask::Report, never.clone());
    let contact = contact(host, runner, chance);
    task.hello = Some(contact.hello(ContactTask::Report));
    let started = Instant::now();
    let ran = contact.hold(&mut task, &never)?;
    match task.report {
        Some((far, here_ms)) => Ok(RunnerReport {
            clock_ahead_ms: far.time_ms - here_ms,
            far,
            took: started.elapsed(),
        }),
        None => Err(lost(
            runner,
            EndedContact::of(&ran, &task.ear).why(task.lost, runner),
        )),
    }
}

fn lost(runner: &RunnerDefinition, why: Lost) -> Error {
    let error = Error::environment(format!("runner `{}`: {}", runner.name, why.why));
    match why.remedy {
        Some(remedy) => error.hint(remedy),
        None => error,
    }
}

fn contact<'d>(host: &Host, runner: &'d RunnerDefinition, chance: &str) -> Contact<'d> {
    Contact {
        runner,
        spec: client(host, runner, command_line(runner)),
        repository: format!("probe{chance}"),
        object_format: "sha1",
        large_files: false,
    }
}

/// Returns the process that a runner's filled command line starts here.
fn client(host: &Host, runner: &RunnerDefinition, line: Vec<String>) -> CommandSpec {
    let mut line = line.into_iter().map(OsString::from);
    CommandSpec {
        program: line.next().unwrap_or_default(),
        args: line.collect(),
        cwd: host.cwd.clone(),
        env: runner.client_environment(&host.env),
        stdin: Stdin::Null,
        marker: Marker::new("doctor", "runner"),
        inherit: None,
        wrapper: None,
    }
}

/// Asks for a report, or lets a family linger until the connection is killed.
struct ReportTask {
    task: ContactTask,
    hello: Option<Frame>,
    ear: HomeEar,
    out: Option<HomeOut>,
    stop: StopFlag,
    begun: bool,
    report: Option<(FarReport, i64)>,
    lost: Option<Lost>,
}

impl ReportTask {
    fn new(runner: &RunnerDefinition, task: ContactTask, stop: StopFlag) -> ReportTask {
        ReportTask {
            task,
            hello: None,
            ear: HomeEar::new(runner),
            out: None,
            stop,
            begun: false,
            report: None,
            lost: None,
        }
    }

    fn take(&mut self, frame: &Frame) -> std::result::Result<(), Lost> {
        match (frame.kind, self.task) {
            (FrameKind::Hello, _) => drop(home_contact::read_hello(frame)?),
            (FrameKind::Beat | FrameKind::Note, _) => {}
            (FrameKind::Begun, ContactTask::Linger) => {
                self.begun = true;
                // At once, as a machine that loses its power does.
                self.stop.request(Signal::TERM.as_raw());
                self.stop.request(Signal::TERM.as_raw());
            }
            (FrameKind::Report, ContactTask::Report) => {
                let now = jiff::Timestamp::now().as_millisecond();
                self.report = Some((frame.read()?, now));
                self.out = None;
            }
            (FrameKind::Failed, _) => {
                let failure: FarFailure = frame.read()?;
                return Err(failure.into());
            }
            (kind, _) => return Err(FrameFault::Order(kind).into()),
        }
        Ok(())
    }
}

impl ByteSink for ReportTask {
    fn stdout(&mut self, bytes: &[u8]) -> Flow {
        self.ear.push(bytes);
        loop {
            let taken = match self.ear.next() {
                Ok(Some(frame)) => self.take(&frame),
                Ok(None) => return Flow::Continue,
                Err(lost) => Err(lost),
            };
            if let stop @ Flow::Stop(_) = Lost::flow(taken, &mut self.lost) {
                return stop;
            }
        }
    }

    fn tick(&mut self) -> Flow {
        let checked = match self.report {
            Some(_) => Ok(()),
            None => self.ear.check(),
        };
        Lost::flow(checked, &mut self.lost)
    }

    fn has_all(&self) -> bool {
        self.report.is_some()
    }
}

impl HomeTask for ReportTask {
    fn attach(&mut self, out: HomeOut) {
        if let Some(hello) = self.hello.take() {
            out.send(hello);
        }
        self.out = Some(out);
    }

    fn detach(&mut self) {
        self.out = None;
    }
}
