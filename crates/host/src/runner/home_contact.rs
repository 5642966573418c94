//! Home's side of a contact: the user's command is started, its input is the lease, its output are frames.

use super::contact_messages::{self, ContactTask, FarHello, HomeHello};
use super::frame_fault::SAME_VERSION;
use super::frames::{self, Frame, FrameKind, FrameParser, PROTOCOL};
use super::lost_contact::Lost;
use super::pack_spool::{self, PackSpool};
use crate::process::{self, ByteSink, CommandSpec, Limits, ProcessOutcome, Stdin};
use crate::runner_definition::RunnerDefinition;
use crate::stop_flag::StopFlag;
use gatewalk_core::error::{Error, Result};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{PipeWriter, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How many beats go into a lease.
const BEATS: u32 = 6;
/// How long a far end may take from its first words to its greeting: it ends what earlier contacts left, and beats meanwhile.
const GREETING: Duration = Duration::from_secs(10 * 60);
/// Stack of the thread that writes to the pipe.
const STACK: usize = 128 * 1024;

/// What goes to the far end.
enum Outgoing {
    Frame(Frame),
    Pack(PackSpool),
    /// The content of a file.
    File(PathBuf),
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

    /// Sends a file of git-lfs; where it is gone by then, the far end finds that it is not whole.
    pub(super) fn send_large_file(&self, id: &str, place: PathBuf) {
        self.send(Frame::new(FrameKind::LargeFile, id.as_bytes()));
        drop(self.0.send(Outgoing::File(place)));
    }
}

/// Whether a far end has greeted: one that only beats would be waited for without an end.
#[derive(Debug, Clone, Copy)]
enum Greeting {
    /// It has not spoken.
    Awaited,
    /// Its first words came then.
    Since(Instant),
    Heard,
}

/// Cuts what comes into frames, and knows how long the far end may be silent.
pub(super) struct HomeEar {
    parser: FrameParser,
    started: Instant,
    heard: Instant,
    greets: Greeting,
    lease: Duration,
    wait: Duration,
    /// Notes that were heard.
    notes: usize,
}

impl HomeEar {
    pub(super) fn new(runner: &RunnerDefinition) -> HomeEar {
        HomeEar {
            parser: FrameParser::default(),
            started: Instant::now(),
            heard: Instant::now(),
            greets: Greeting::Awaited,
            lease: runner.lease,
            wait: runner.wait,
            notes: 0,
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
        let frame = self.parser.next();
        self.greets = match (self.greets, &frame) {
            (_, Ok(Some(frame))) if frame.kind == FrameKind::Hello => Greeting::Heard,
            (Greeting::Awaited, _) if self.parser.has_begun() => Greeting::Since(Instant::now()),
            (greets, _) => greets,
        };
        frame.map_err(|fault| Lost::by_fault(fault, &self.parser.noise()))
    }

    /// Returns what a note says, on one line; nothing once there were more than anybody reads.
    pub(super) fn note(&mut self, content: &[u8]) -> Option<String> {
        self.notes += 1;
        match self.notes.cmp(&contact_messages::NOTES) {
            Ordering::Less => Some(contact_messages::bounded_text(&String::from_utf8_lossy(
                content,
            ))),
            Ordering::Equal => Some("it has more to report, which is left out".to_owned()),
            Ordering::Greater => None,
        }
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
                true => Err(Lost::by_waiting(self.wait)),
                false => Ok(()),
            };
        }
        if let Greeting::Since(since) = self.greets
            && since.elapsed() > GREETING
        {
            return Err(Lost::new("it is there, and did not say what it has"));
        }
        match self.heard.elapsed() > self.lease {
            true => Err(Lost::new(format!(
                "nothing was heard of it for {} s",
                self.lease.as_secs()
            ))),
            false => Ok(()),
        }
    }

    /// Returns what came before the far end spoke.
    pub(super) fn noise(&self) -> String {
        String::from_utf8_lossy(&self.parser.noise()).into_owned()
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
    /// Whether files of git-lfs go along with packs.
    pub(crate) large_files: bool,
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
            large_files: self.large_files,
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
            Ok(Outgoing::File(place)) => match File::open(place) {
                Ok(file) => pack_spool::pieces_of(file, |piece| {
                    frames::write(&mut pipe, FrameKind::Piece, piece)
                }),
                Err(_) => Ok(()),
            },
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

/// Reads the far end's first words.
pub(super) fn read_hello(frame: &Frame) -> std::result::Result<FarHello, Lost> {
    let mut hello: FarHello = frame.read()?;
    hello.have.truncate(contact_messages::MOST_COMMITS);
    match hello.protocol == PROTOCOL {
        true => Ok(hello),
        false => Err(Lost::lasting(
            format!(
                "gatewalk {} there speaks protocol {}, and this one, {}, speaks {PROTOCOL}",
                hello.version,
                hello.protocol,
                env!("CARGO_PKG_VERSION")
            ),
            Some(SAME_VERSION.to_owned()),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_a_far_end_has_no_more_is_heard_than_it_keeps() {
        let zero = "0".repeat(40);
        let had = gatewalk_core::object_id::ObjectId::parse(zero.as_bytes()).expect("an id");
        let hello = FarHello::here(vec![had; 10 * contact_messages::MOST_COMMITS], 0);
        let heard = read_hello(&Frame::json(FrameKind::Hello, &hello)).expect("a hello");
        assert_eq!(heard.have.len(), contact_messages::MOST_COMMITS);
    }

    #[test]
    fn a_far_end_that_beats_and_never_greets_is_given_up() {
        let long_ago = Instant::now().checked_sub(GREETING + Duration::from_secs(1));
        for (sent, lost) in [
            (Frame::new(FrameKind::Beat, *b""), true),
            (
                Frame::json(FrameKind::Hello, &FarHello::here(vec![], 0)),
                false,
            ),
        ] {
            let mut ear = HomeEar::new(&RunnerDefinition::named("big"));
            ear.push(frames::PREAMBLE);
            assert!(matches!(ear.next(), Ok(None)));
            assert!(ear.check().is_ok(), "it has just spoken");
            assert!(matches!(ear.greets, Greeting::Since(_)));
            ear.greets = Greeting::Since(long_ago.unwrap());
            let mut bytes = Vec::new();
            frames::write(&mut bytes, sent.kind, &sent.content).unwrap();
            ear.push(&bytes);
            // The end of a frame is known by what follows it.
            frames::write(&mut bytes, FrameKind::Beat, b"").unwrap();
            ear.push(&bytes);
            assert!(matches!(ear.next(), Ok(Some(_))));
            let told = ear.check().err().map(|lost| lost.why);
            assert_eq!(told.is_some(), lost, "{told:?}");
            assert!(told.is_none_or(|why| why.contains("did not say what it has")));
        }
    }

    #[test]
    fn a_far_end_that_talks_too_much_is_cut_short() {
        let runner = RunnerDefinition::named("big");
        let mut ear = HomeEar::new(&runner);
        assert_eq!(ear.note(b"a\nb\x1b[1m").unwrap(), "a\\nb\\u{1b}[1m");
        let long = ear.note(&[b'x'; 100_000]).unwrap();
        assert!(long.len() < 1000, "{}", long.len());
        let more: Vec<Option<String>> = (0..100).map(|_| ear.note(b"n")).collect();
        let heard = more.iter().flatten().count();
        assert_eq!(heard, contact_messages::NOTES - 2);
        let last = more.iter().flatten().next_back().unwrap();
        assert!(last.contains("left out"), "{last}");
    }
}
