//! Home's side of a contact: the user's command is started, its input is the lease, its output are frames.

use super::contact_messages::{ContactTask, FarHello, HomeHello};
use super::definition::RunnerDefinition;
use super::frames::{self, Frame, FrameFault, FrameKind, FrameParser, PROTOCOL};
use super::pack_spool::PackSpool;
use crate::process::{self, ByteSink, CommandSpec, Limits, ProcessEnd, ProcessOutcome, Stdin};
use crate::signals::StopFlag;
use gatewalk_core::engine::secrets;
use gatewalk_core::error::{Error, Result};
use std::fs::File;
use std::io::{PipeWriter, Write};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How many beats go into a lease.
const BEATS: u32 = 6;
/// Stack of the thread that writes to the pipe.
const STACK: usize = 128 * 1024;

/// What goes to the far end.
enum Outgoing {
    Frame(Frame),
    Pack(PackSpool),
}

/// The way to the far end; when it is dropped, the lease is over.
#[derive(Clone)]
pub(super) struct HomeOut(Sender<Outgoing>);

impl HomeOut {
    pub(super) fn send(&self, frame: Frame) {
        // Nobody takes it any more: the end of the command says why.
        drop(self.0.send(Outgoing::Frame(frame)));
    }

    pub(super) fn send_pack(&self, pack: PackSpool) {
        drop(self.0.send(Outgoing::Pack(pack)));
    }
}

/// Why there is no far end, or no longer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lost(pub(crate) String);

impl From<FrameFault> for Lost {
    fn from(fault: FrameFault) -> Lost {
        Lost(fault.to_string())
    }
}

impl From<Error> for Lost {
    fn from(error: Error) -> Lost {
        Lost(error.to_string())
    }
}

/// Cuts what comes into frames, and knows how long the far end may be silent.
pub(super) struct HomeEar {
    parser: FrameParser,
    started: Instant,
    heard: Instant,
    lease: Duration,
    wait: Duration,
}

impl HomeEar {
    pub(super) fn new(runner: &RunnerDefinition) -> HomeEar {
        HomeEar {
            parser: FrameParser::default(),
            started: Instant::now(),
            heard: Instant::now(),
            lease: runner.lease,
            wait: runner.wait,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.heard = Instant::now();
        self.parser.push(bytes);
    }

    /// Does not count what home itself was busy with.
    pub(super) fn was_busy(&mut self) {
        self.heard = Instant::now();
    }

    pub(super) fn next(&mut self) -> std::result::Result<Option<Frame>, Lost> {
        Ok(self.parser.next()?)
    }

    /// Returns whether the far end has spoken: an engine's queue is behind it.
    pub(super) fn has_begun(&self) -> bool {
        self.parser.has_begun()
    }

    /// Refuses a silence that is too long.
    pub(super) fn check(&self) -> std::result::Result<(), Lost> {
        if !self.parser.has_begun() {
            let waited = self.started.elapsed();
            return match waited > self.wait {
                true => Err(Lost(format!(
                    "it did not start within {} s",
                    self.wait.as_secs()
                ))),
                false => Ok(()),
            };
        }
        match self.heard.elapsed() > self.lease {
            true => Err(Lost(format!(
                "nothing was heard of it for {} s",
                self.lease.as_secs()
            ))),
            false => Ok(()),
        }
    }

    fn noise(&self) -> String {
        String::from_utf8_lossy(self.parser.noise()).into_owned()
    }
}

/// What a contact does with frames.
pub(super) trait HomeTask: ByteSink {
    /// Takes the way to the far end.
    fn attach(&mut self, out: HomeOut);
    /// Gives it up: the contact is over.
    fn detach(&mut self);
}

/// One contact with a runner.
pub(crate) struct Contact<'a> {
    /// The runner.
    pub(crate) runner: &'a RunnerDefinition,
    /// Its command, filled; its standard input is replaced.
    pub(crate) spec: CommandSpec,
    /// Names the repository.
    pub(crate) repository: String,
    /// `sha1` or `sha256`.
    pub(crate) object_format: &'static str,
}

impl Contact<'_> {
    pub(super) fn hello(&self, task: ContactTask) -> Frame {
        let hello = HomeHello {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            task,
            repository: self.repository.clone(),
            object_format: self.object_format.to_owned(),
            lease_ms: u64::try_from(self.runner.lease.as_millis()).unwrap_or(u64::MAX),
        };
        Frame::json(FrameKind::Hello, &hello)
    }

    /// Runs the command until it and all it started here have ended.
    /// A raised stop kills it; a run that stops asks for the work first.
    pub(super) fn hold(self, task: &mut dyn HomeTask, stop: &StopFlag) -> Result<ProcessOutcome> {
        let failed = |e: std::io::Error| Error::environment(format!("cannot make a pipe: {e}"));
        let (reader, writer) = std::io::pipe().map_err(failed)?;
        let (sender, queue) = mpsc::channel();
        let beat = self.runner.lease / BEATS;
        let spec = CommandSpec {
            stdin: Stdin::Pipe(Arc::new(File::from(OwnedFd::from(reader)))),
            ..self.spec
        };
        let limits = Limits {
            busy_percent: None,
            ..Limits::default()
        };
        task.attach(HomeOut(sender));
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread
                .spawn_scoped(scope, move || write_out(writer, &queue, beat))
                .map_err(|e| Error::environment(format!("cannot start a thread: {e}")))?;
            let ran = process::run_bytes(
                &process::ProgramRun {
                    spec: &spec,
                    limits: &limits,
                    log: None,
                    stop,
                },
                task,
            );
            // With the reading end gone, and nothing more to write, the thread ends.
            drop(spec);
            task.detach();
            Ok(ran)
        })
    }
}

/// Writes what is queued, and a beat when there is nothing; at the queue's end the pipe is closed.
fn write_out(mut pipe: PipeWriter, queue: &Receiver<Outgoing>, beat: Duration) {
    loop {
        let written = match queue.recv_timeout(beat) {
            Ok(Outgoing::Frame(frame)) => frames::write(&mut pipe, frame.kind, &frame.content),
            Ok(Outgoing::Pack(pack)) => {
                pack.pieces(|piece| frames::write(&mut pipe, FrameKind::Piece, piece))
            }
            Err(RecvTimeoutError::Timeout) => frames::write(&mut pipe, FrameKind::Beat, b""),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if written.is_err() {
            break;
        }
    }
    // A closed pipe is how the far end learns of the end.
    drop(pipe.flush());
}

/// Returns why a contact ended before its work did.
pub(super) fn why_over(ran: &ProcessOutcome, ear: &HomeEar) -> Lost {
    let ended = match &ran.ended {
        ProcessEnd::SpawnFailed { message, .. } => message.clone(),
        ProcessEnd::Exited(code) if ear.has_begun() => {
            format!("the connection ended (its command exited with {code})")
        }
        ProcessEnd::Exited(code) => format!("its command exited with {code} before it started"),
        ProcessEnd::Signaled(signal) => format!("its command was ended by signal {signal}"),
        _ => "its command was ended".to_owned(),
    };
    let stderr = String::from_utf8_lossy(&ran.stderr_tail).into_owned();
    let noise = ear.noise();
    let printed = [stderr, noise];
    let mut lines = printed.iter().flat_map(|text| text.lines().rev());
    let last = lines.find(|line| !line.trim().is_empty());
    let last = last.map(|line| {
        let line = secrets::redact(line.trim());
        format!(": {}", line.chars().take(200).collect::<String>())
    });
    Lost(format!("{ended}{}", last.unwrap_or_default()))
}

/// Reads the far end's first words.
pub(super) fn read_hello(frame: &Frame) -> std::result::Result<FarHello, Lost> {
    let hello: FarHello = frame.read()?;
    match hello.protocol == PROTOCOL {
        true => Ok(hello),
        false => Err(Lost(format!(
            "gatewalk {} there speaks protocol {}, and this one, {}, speaks {PROTOCOL}: install the same version",
            hello.version,
            hello.protocol,
            env!("CARGO_PKG_VERSION")
        ))),
    }
}
