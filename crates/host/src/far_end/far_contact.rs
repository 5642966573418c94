//! The far end's side of a contact: what home says next, and what is told home.

use super::far_lease::{FarOut, Lease};
use crate::host::Host;
use crate::runner::contact_messages::{FarFailure, HomeHello};
use crate::runner::frame_fault::FrameFault;
use crate::runner::frames::{Frame, FrameKind};
use crate::runner::pack_delivery::PackDelivery;
use crate::runner::pack_spool::{self, PackSpool};
use crate::stop_flag::StopFlag;
use gatewalk_core::driver::driver_event::{DriverEvent, Watcher};
use gatewalk_core::error::{Error, Result};
use std::path::Path;
use std::sync::mpsc::Receiver;

/// A contact with home.
pub(super) struct FarContact {
    pub(super) host: Host,
    pub(super) lease: Lease,
    pub(super) out: FarOut,
    pub(super) says: Receiver<Frame>,
    pub(super) stop: StopFlag,
}

/// Tells home what a user should know.
pub(super) struct NoteWatcher(pub(super) FarOut);

impl Watcher for NoteWatcher {
    fn report(&self, event: &DriverEvent) {
        if let DriverEvent::Note { text } = event {
            // Home that does not listen ends the lease.
            drop(self.0.send(FrameKind::Note, text.as_bytes()));
        }
    }
}

impl FarContact {
    /// Waits for home's next words.
    fn next(&self) -> Result<Frame> {
        let gone = |_| Error::environment("home is gone");
        self.says.recv().map_err(gone)
    }

    /// Waits for a frame of this kind; any other is out of order.
    pub(super) fn expect(&self, kind: FrameKind) -> Result<Frame> {
        let frame = self.next()?;
        match frame.kind == kind {
            true => Ok(frame),
            false => Err(fault(FrameFault::Order(frame.kind))),
        }
    }

    pub(super) fn hello(&self) -> Result<HomeHello> {
        let Ok(frame) = self.says.recv() else {
            let what = "its standard input ended before home had said a word";
            let hint = "have the command pass standard input on: no `-n` and no `</dev/null`; podman, docker and kubectl take `-i`";
            return Err(Error::environment(what).hint(hint));
        };
        match frame.kind {
            FrameKind::Hello => frame.read().map_err(fault),
            kind => Err(fault(FrameFault::Order(kind))),
        }
    }

    /// Takes a pack and what follows it: files of git-lfs, and the word to begin.
    pub(super) fn receive_pack(&self, scratch: &Path) -> Result<PackDelivery> {
        let mut delivery = PackDelivery::new(scratch)?;
        loop {
            let frame = self.next()?;
            match frame.kind {
                FrameKind::Go => return Ok(delivery),
                _ => delivery.take(&frame)?,
            }
        }
    }

    pub(super) fn send_pack(&self, pack: &PackSpool) -> Result<()> {
        pack.pieces(|piece| self.out.send(FrameKind::Piece, piece))
            .map_err(|e| Error::environment(format!("home does not take the work: {e}")))
    }

    /// Sends a file of git-lfs.
    pub(super) fn send_large_file(&self, id: &str, place: &Path) -> Result<()> {
        let named = self.out.send(FrameKind::LargeFile, id.as_bytes());
        let sent = named.and_then(|()| {
            let file = std::fs::File::open(place)?;
            pack_spool::pieces_of(file, |piece| self.out.send(FrameKind::Piece, piece))
        });
        sent.map_err(|e| Error::environment(format!("home does not take the work: {e}")))
    }

    /// Tells home why it cannot be done here.
    pub(super) fn fail(&self, error: &Error, lasting: bool) {
        let failure = FarFailure {
            message: error.to_string(),
            hints: error.hints.clone(),
            lasting,
        };
        // Home that does not listen knows already.
        drop(
            self.out
                .send_frame(&Frame::json(FrameKind::Failed, &failure)),
        );
    }
}

/// Returns the error for words of home's that are none.
pub(super) fn fault(fault: FrameFault) -> Error {
    Error::environment(fault.to_string())
}
