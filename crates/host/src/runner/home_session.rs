//! A session elsewhere, as home holds it: what it needs goes there, what it prints comes back line by line, what it left
//! is safe here before anybody learns how it ended.

use super::contact_messages::{
    ContactTask, EndRequest, FarFailure, LeftTree, SessionEnded, SessionRequest,
};
use super::ended_contact::EndedContact;
use super::frame_fault::FrameFault;
use super::frames::{Frame, FrameKind};
use super::home_contact::{self, Contact, HomeEar, HomeOut, HomeTask};
use super::lost_contact::Lost;
use super::pack_delivery::PackDelivery;
use super::pack_spool::PackSpool;
use super::session_listener::{FarRun, SessionListener};
use super::session_stage::{SessionStage, StageTimes};
use crate::git::{Git, PackContent};
use crate::process::{ByteSink, Flow, SinkStop};
use crate::stop_flag::{StopFlag, StopLevel};
use gatewalk_core::error::Result;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A session elsewhere.
pub(crate) struct HomeSession<'a> {
    git: &'a Git,
    scratch: PathBuf,
    request: SessionRequest,
    listener: &'a mut dyn SessionListener,
    stop: &'a StopFlag,
    ear: HomeEar,
    out: Option<HomeOut>,
    delivery: Option<PackDelivery>,
    created: Instant,
    begun: Option<Instant>,
    asked: Option<Instant>,
    /// How far it has come, and since when.
    stage: (SessionStage, Instant),
    run: FarRun,
}

impl<'a> HomeSession<'a> {
    pub(crate) fn run(
        contact: Contact<'_>,
        (git, stop): (&'a Git, &'a StopFlag),
        request: SessionRequest,
        listener: &'a mut dyn SessionListener,
    ) -> Result<FarRun> {
        let mut session = HomeSession {
            git,
            scratch: git.state_dir().join("tmp"),
            request,
            listener,
            stop,
            ear: HomeEar::new(contact.runner),
            out: None,
            delivery: None,
            created: Instant::now(),
            begun: None,
            asked: None,
            stage: (SessionStage::Calling, Instant::now()),
            run: FarRun::default(),
        };
        let runner = contact.runner;
        let hello = contact.hello(ContactTask::Session);
        let mut opened = OpenedSession {
            session: &mut session,
            hello: Some(hello),
        };
        let ran = contact.hold(&mut opened, &StopFlag::new()?)?;
        let over = Instant::now();
        let begun = session.begun.unwrap_or(over);
        let mut run = std::mem::take(&mut session.run);
        run.waited = begun.duration_since(session.created);
        run.ran = over.duration_since(begun);
        let contact = EndedContact::of(&ran, &session.ear);
        if run.ended.is_none() {
            run.lost = Some(contact.why(run.lost.take(), runner));
        }
        run.engine = contact.engine;
        Ok(run)
    }

    fn send(&self, frame: Frame) {
        if let Some(out) = &self.out {
            out.send(frame);
        }
    }

    /// Takes one frame, if it may be the next.
    fn take(&mut self, frame: &Frame) -> std::result::Result<(), Lost> {
        let stage = self.stage.0.after(frame.kind);
        let stage = stage.ok_or(FrameFault::Order(frame.kind))?;
        self.heed_frame(frame)?;
        if stage != self.stage.0 {
            self.stage = (stage, Instant::now());
        }
        Ok(())
    }

    fn heed_frame(&mut self, frame: &Frame) -> std::result::Result<(), Lost> {
        match frame.kind {
            FrameKind::Hello => self.answer_hello(frame)?,
            FrameKind::Begun => {
                self.begun = Some(Instant::now());
                self.listener.begun(self.created.elapsed());
            }
            FrameKind::Line | FrameKind::CutLine => {
                let truncated = frame.kind == FrameKind::CutLine;
                let flow = self.listener.line(&frame.content, truncated);
                self.heed(&flow);
            }
            FrameKind::Sign => self.listener.sign(),
            FrameKind::Note => {
                if let Some(text) = self.ear.note(&frame.content) {
                    self.listener.note(&text);
                }
            }
            FrameKind::Piece | FrameKind::LargeFile => self.delivery()?.take(frame)?,
            FrameKind::Left => self.take_left(&frame.read::<LeftTree>()?.bounded())?,
            FrameKind::Ended => {
                let seen = self.begun.unwrap_or(self.created).elapsed();
                let ended: SessionEnded = frame.read()?;
                self.run.ended = Some(ended.bounded(seen));
                self.out = None;
            }
            FrameKind::Failed => return Err(frame.read::<FarFailure>()?.into()),
            // Beats; what has no place was refused before.
            _ => {}
        }
        Ok(())
    }

    /// Sends what the far end lacks, and the request.
    fn answer_hello(&mut self, frame: &Frame) -> std::result::Result<(), Lost> {
        let hello = home_contact::read_hello(frame)?;
        if hello.ended > 0 {
            let text = format!(
                "ended {} processes that an earlier contact left",
                hello.ended
            );
            self.listener.note(&text);
        }
        let pack = PackSpool::new(&self.scratch)?;
        let content = PackContent {
            wanted: vec![self.request.commit, self.request.tree],
            had: self.git.known_commits(&hello.have)?,
        };
        self.git.write_pack(&content, pack.file())?;
        self.send(Frame::json(FrameKind::Request, &self.request));
        if let Some(out) = &self.out {
            out.send_pack(pack);
            for id in self.request.large_files.difference(&hello.large_files) {
                if let Some(place) = self.git.large_file(id) {
                    out.send_large_file(id, place);
                }
            }
        }
        self.send(Frame::new(FrameKind::Go, *b""));
        self.ear.was_busy();
        Ok(())
    }

    fn delivery(&mut self) -> std::result::Result<&mut PackDelivery, Lost> {
        if self.delivery.is_none() {
            self.delivery = Some(PackDelivery::new(&self.scratch)?);
        }
        let delivery = self.delivery.as_mut();
        delivery.ok_or_else(|| Lost::new("it sends a pack out of order".to_owned()))
    }

    /// Takes what the session left into the object store, and confirms it.
    fn take_left(&mut self, left: &LeftTree) -> std::result::Result<(), Lost> {
        if let Some(delivery) = self.delivery.take() {
            if let Some(pack) = delivery.pack() {
                self.git.take_pack(pack)?;
            }
            delivery.store_large_files(self.git)?;
        }
        if !self.git.is_whole_tree(left.tree)? {
            return Err(Lost::new("it names a tree that it did not send".to_owned()));
        }
        self.listener.left(left)?;
        self.send(Frame::new(FrameKind::Received, *b""));
        self.ear.was_busy();
        Ok(())
    }

    /// Asks the session to end where the listener wants that.
    fn heed(&mut self, flow: &Flow) {
        if let (Flow::Stop(reason), None) = (flow, self.asked) {
            self.ask_end(Some(*reason));
        }
    }

    fn ask_end(&mut self, reason: Option<SinkStop>) {
        self.asked = Some(Instant::now());
        self.send(Frame::json(FrameKind::End, &EndRequest { reason }));
    }

    /// Looks at the clock and at the user's wish to stop.
    fn look(&mut self) -> std::result::Result<(), Lost> {
        if self.stage.0 != SessionStage::Over {
            self.ear.check()?;
            self.look_at_stop()?;
        }
        if let Some(why) = self.overdue() {
            return Err(Lost::new(why.to_owned()));
        }
        if let (Some(begun), false) = (self.begun, self.stage.0 == SessionStage::Over) {
            let flow = self.listener.tick(begun.elapsed());
            self.heed(&flow);
        }
        Ok(())
    }

    fn look_at_stop(&mut self) -> std::result::Result<(), Lost> {
        let stopping = self.stop.level();
        let unstarted = stopping > StopLevel::Go && self.begun.is_none();
        if stopping == StopLevel::Now || unstarted {
            return Err(Lost::new("the run was stopped".to_owned()));
        }
        if stopping == StopLevel::Finish && self.asked.is_none() {
            self.ask_end(None);
        }
        Ok(())
    }

    /// Returns what should have happened by now.
    fn overdue(&self) -> Option<&'static str> {
        let (stage, since) = self.stage;
        stage.overdue(&StageTimes {
            in_stage: since.elapsed(),
            begun: self.begun.map(|since| since.elapsed()),
            asked: self.asked.map(|since| since.elapsed()),
            session: Duration::from_millis(self.request.timeout_ms),
        })
    }

    /// Ends the contact where there is a reason to.
    fn flow(&mut self, looked: std::result::Result<(), Lost>) -> Flow {
        let Err(lost) = looked else {
            return Flow::Continue;
        };
        if self.run.ended.is_none() {
            self.run.lost.get_or_insert(lost);
        }
        self.out = None;
        Flow::Stop(SinkStop::Done)
    }
}

/// A session that has said hello.
struct OpenedSession<'s, 'a> {
    session: &'s mut HomeSession<'a>,
    hello: Option<Frame>,
}

impl ByteSink for OpenedSession<'_, '_> {
    fn stdout(&mut self, bytes: &[u8]) -> Flow {
        let session = &mut *self.session;
        if session.run.lost.is_some() {
            return Flow::Continue;
        }
        session.ear.push(bytes);
        let mut taken = Ok(());
        while taken.is_ok() {
            match session.ear.next() {
                Ok(Some(frame)) => taken = session.take(&frame),
                Ok(None) => break,
                Err(lost) => taken = Err(lost),
            }
        }
        session.flow(taken)
    }

    fn tick(&mut self) -> Flow {
        let looked = self.session.look();
        self.session.flow(looked)
    }

    fn has_all(&self) -> bool {
        self.session.stage.0 == SessionStage::Over
    }
}

impl HomeTask for OpenedSession<'_, '_> {
    fn attach(&mut self, out: HomeOut) {
        if let Some(hello) = self.hello.take() {
            out.send(hello);
        }
        self.session.out = Some(out);
    }

    fn detach(&mut self) {
        self.session.out = None;
    }
}
