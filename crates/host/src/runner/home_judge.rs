//! Judging elsewhere, as home holds it: a conversation with one far end, a step and its answer at a time. It may end at any
//! moment; who holds it goes on elsewhere.

use super::contact_messages::{ContactTask, FarFailure};
use super::ended_contact::EndedContact;
use super::frame_fault::FrameFault;
use super::frames::{Frame, FrameKind};
use super::home_contact::{self, Contact, HomeEar, HomeOut, HomeTask};
use super::judge_messages::{CallAnswer, JudgeCall, JudgeOpening, JudgeTarget};
use super::lost_contact::Lost;
use super::pack_spool::PackSpool;
use crate::git::{Git, PackContent};
use crate::process::{ByteSink, CommandSpec, Flow, SinkStop};
use crate::runner_definition::RunnerDefinition;
use crate::stop_flag::StopFlag;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a step without a limit of its own may take: to fill a slot, or set it up.
const STEP: Duration = Duration::from_secs(60 * 60);
/// How much longer than its own limit a command may take until home hears of it.
const OVERTIME: Duration = Duration::from_secs(2 * 60);
/// How often home looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);
/// How long a far end may take to end once it is not needed.
const CLOSING: Duration = Duration::from_secs(5);
/// The longest file that is taken.
const LONGEST_FILE: usize = 256 << 20;

/// What a conversation is begun with.
pub(crate) struct JudgeContact {
    pub(crate) runner: RunnerDefinition,
    /// Its command, filled.
    pub(crate) spec: CommandSpec,
    /// Names the repository.
    pub(crate) repository: String,
    /// `sha1` or `sha256`.
    pub(crate) object_format: &'static str,
    /// Whether files of git-lfs go along with packs.
    pub(crate) large_files: bool,
    pub(crate) opening: JudgeOpening,
}

/// What is heard of a far end that judges.
enum JudgeHeard {
    /// It is there, and has these commits, and these files of git-lfs.
    Has(Vec<ObjectId>, BTreeSet<String>),
    Answer(CallAnswer, Vec<u8>),
    Note(String),
    Lost(Lost),
}

/// The way to the far end, as long as there is one; both who asks and who listens can give it up.
type JudgeWay = Arc<Mutex<Option<HomeOut>>>;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum CallFault {
    /// There is no far end any more.
    Lost(Lost),
    /// Nobody wants an answer any more.
    Stopped,
}

type Heard<T> = std::result::Result<T, CallFault>;

impl From<Lost> for CallFault {
    fn from(lost: Lost) -> CallFault {
        CallFault::Lost(lost)
    }
}

/// A conversation with a far end that judges.
pub(crate) struct JudgeConversation {
    git: Git,
    way: JudgeWay,
    heard: Receiver<JudgeHeard>,
    /// What the far end has, once it said so.
    has: Option<Vec<ObjectId>>,
    /// The files of git-lfs that it has.
    large_files: BTreeSet<String>,
    shares_large_files: bool,
    opening: JudgeOpening,
    wait: Duration,
    stop: StopFlag,
    thread: Option<JoinHandle<()>>,
    /// What a user should know, until somebody asks.
    pub(crate) notes: Vec<String>,
}

impl JudgeConversation {
    /// Starts the runner's command.
    pub(crate) fn begin(contact: JudgeContact, git: &Git) -> Result<JudgeConversation> {
        let (sender, heard) = mpsc::channel();
        let stop = StopFlag::new()?;
        let way = JudgeWay::default();
        let listens = Arc::clone(&way);
        let (opening, wait) = (contact.opening.clone(), contact.runner.wait);
        let contact_shares = contact.large_files;
        let ends = stop.clone();
        let thread = std::thread::Builder::new()
            .name("judging".to_owned())
            .spawn(move || hold(contact, sender, listens, &ends))
            .map_err(|e| Error::environment(format!("cannot start a thread: {e}")))?;
        Ok(JudgeConversation {
            git: git.clone(),
            way,
            heard,
            has: None,
            large_files: BTreeSet::new(),
            shares_large_files: contact_shares,
            opening,
            wait,
            stop,
            thread: Some(thread),
            notes: vec![],
        })
    }

    /// Has one step done there. Where there is no answer, the conversation is over.
    pub(crate) fn call(
        &mut self,
        call: &JudgeCall,
        stops: &dyn Fn() -> bool,
    ) -> Heard<(CallAnswer, Vec<u8>)> {
        if self.has.is_none() {
            let (has, large_files) = self.until(self.wait + STEP, stops, &|heard| match heard {
                JudgeHeard::Has(has, large_files) => Some((has, large_files)),
                _ => None,
            })?;
            self.large_files = large_files;
            self.has = Some(self.git.known_commits(&has).map_err(Lost::from)?);
            self.send(Frame::json(FrameKind::Request, &self.opening));
        }
        self.hear_unasked()?;
        self.send(Frame::json(FrameKind::Call, call));
        if let Some(target) = call.target() {
            self.send_pack(target)?;
        }
        let limit = match call {
            JudgeCall::Run { timeout, .. } => *timeout + OVERTIME,
            _ => STEP,
        };
        self.until(limit, stops, &|heard| match heard {
            JudgeHeard::Answer(answer, bytes) if call.is_answered_by(&answer, bytes.len()) => {
                Some((answer, bytes))
            }
            _ => None,
        })
    }

    /// Returns whether the far end is still there, as far as was heard.
    pub(crate) fn is_open(&mut self) -> bool {
        self.hear_unasked().is_ok()
    }

    /// Takes what came while nothing was asked: an answer among it would be taken for that to the next step.
    fn hear_unasked(&mut self) -> std::result::Result<(), Lost> {
        loop {
            match self.heard.try_recv() {
                Ok(JudgeHeard::Note(text)) => self.notes.push(text),
                Ok(JudgeHeard::Lost(lost)) => return Err(lost),
                Ok(_) => return Err(unasked()),
                Err(TryRecvError::Disconnected) => return Err(Lost::new("it ended".to_owned())),
                Err(TryRecvError::Empty) => return Ok(()),
            }
        }
    }

    fn send(&self, frame: Frame) {
        // Where it is gone already, what is heard next says why.
        if let Some(out) = &*locked(&self.way) {
            out.send(frame);
        }
    }

    /// Sends what the far end lacks, and notes that it has it.
    fn send_pack(&mut self, target: &JudgeTarget) -> std::result::Result<(), Lost> {
        let has = self.has.get_or_insert_default();
        let pack = PackSpool::new(&self.git.state_dir().join("tmp"))?;
        let content = PackContent {
            had: has.clone(),
            wanted: vec![target.commit, target.tree],
        };
        self.git.write_pack(&content, pack.file())?;
        has.extend(content.wanted);
        let needed = match self.shares_large_files {
            true => self.git.large_files_of(target.tree)?,
            false => BTreeSet::new(),
        };
        if let Some(out) = &*locked(&self.way) {
            out.send_pack(pack);
            for id in needed.difference(&self.large_files) {
                if let Some(place) = self.git.large_file(id) {
                    out.send_large_file(id, place);
                }
            }
            out.send(Frame::new(FrameKind::Go, *b""));
        }
        self.large_files.extend(needed);
        Ok(())
    }

    /// Waits until something is heard that answers; anything else that needs an answer is out of order.
    fn until<T>(
        &mut self,
        limit: Duration,
        stops: &dyn Fn() -> bool,
        answers: &dyn Fn(JudgeHeard) -> Option<T>,
    ) -> Heard<T> {
        let since = Instant::now();
        loop {
            if stops() {
                return Err(CallFault::Stopped);
            }
            if since.elapsed() > limit {
                let text = format!("it did not answer within {} s", limit.as_secs());
                return Err(Lost::new(text).into());
            }
            match self.heard.recv_timeout(LOOK) {
                Ok(JudgeHeard::Note(text)) => self.notes.push(text),
                Ok(JudgeHeard::Lost(lost)) => return Err(lost.into()),
                Ok(heard) => match answers(heard) {
                    Some(answer) => return Ok(answer),
                    None => return Err(unasked().into()),
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Lost::new("it ended".to_owned()).into());
                }
            }
        }
    }
}

fn unasked() -> Lost {
    Lost::new("it answers what was not asked".to_owned())
}

/// The far end is let go; one that does not go by itself is ended.
impl Drop for JudgeConversation {
    fn drop(&mut self) {
        locked(&self.way).take();
        let since = Instant::now();
        // The end of the contact closes the channel.
        while since.elapsed() < CLOSING {
            match self.heard.recv_timeout(CLOSING) {
                Ok(heard) => drop(heard),
                Err(_) => break,
            }
        }
        self.stop.request(Signal::TERM.as_raw());
        self.stop.request(Signal::TERM.as_raw());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Holds the contact until it ends.
fn hold(contact: JudgeContact, heard: Sender<JudgeHeard>, way: JudgeWay, stop: &StopFlag) {
    let own = Contact {
        runner: &contact.runner,
        spec: contact.spec,
        repository: contact.repository,
        object_format: contact.object_format,
        large_files: contact.large_files,
    };
    let mut task = JudgeTask {
        hello: Some(own.hello(ContactTask::Judge)),
        ear: HomeEar::new(&contact.runner),
        heard,
        way,
        bytes: vec![],
        lost: None,
    };
    let ran = own.hold(&mut task, stop);
    let lost = match (task.lost, ran) {
        (noted, Ok(ran)) => EndedContact::of(&ran, &task.ear).why(noted, &contact.runner),
        (Some(lost), Err(_)) => lost,
        (None, Err(error)) => error.into(),
    };
    // Nobody waits for it any more, then.
    drop(task.heard.send(JudgeHeard::Lost(lost)));
}

/// Passes on what a far end answers.
struct JudgeTask {
    hello: Option<Frame>,
    ear: HomeEar,
    heard: Sender<JudgeHeard>,
    way: JudgeWay,
    /// Bytes of a file whose answer is to come.
    bytes: Vec<u8>,
    lost: Option<Lost>,
}

impl JudgeTask {
    fn take(&mut self, frame: &Frame) -> std::result::Result<(), Lost> {
        let heard = match frame.kind {
            FrameKind::Beat => return Ok(()),
            FrameKind::Hello => {
                let hello = home_contact::read_hello(frame)?;
                JudgeHeard::Has(hello.have, hello.large_files)
            }
            FrameKind::Note => match self.ear.note(&frame.content) {
                Some(text) => JudgeHeard::Note(text),
                None => return Ok(()),
            },
            FrameKind::Piece if self.bytes.len() + frame.content.len() <= LONGEST_FILE => {
                self.bytes.extend_from_slice(&frame.content);
                return Ok(());
            }
            FrameKind::Answer => JudgeHeard::Answer(frame.read()?, std::mem::take(&mut self.bytes)),
            FrameKind::Failed => {
                let failure: FarFailure = frame.read()?;
                return Err(failure.into());
            }
            kind => return Err(FrameFault::Order(kind).into()),
        };
        let gone = |_| Lost::new("it is not needed any more".to_owned());
        self.heard.send(heard).map_err(gone)
    }
}

impl ByteSink for JudgeTask {
    fn stdout(&mut self, bytes: &[u8]) -> Flow {
        if self.lost.is_some() {
            return Flow::Stop(SinkStop::Done);
        }
        self.ear.push(bytes);
        let mut taken = Ok(());
        while taken.is_ok() {
            match self.ear.next() {
                Ok(Some(frame)) => taken = self.take(&frame),
                Ok(None) => break,
                Err(lost) => taken = Err(lost),
            }
        }
        Lost::flow(taken, &mut self.lost)
    }

    fn tick(&mut self) -> Flow {
        let checked = self.ear.check();
        Lost::flow(checked, &mut self.lost)
    }

    fn has_all(&self) -> bool {
        self.lost.is_none() && locked(&self.way).is_none()
    }
}

impl HomeTask for JudgeTask {
    fn attach(&mut self, out: HomeOut) {
        if let Some(hello) = self.hello.take() {
            out.send(hello);
        }
        *locked(&self.way) = Some(out);
    }

    fn detach(&mut self) {
        locked(&self.way).take();
    }
}
