//! Judging, as the far end does it: a slot in which no session works, and one step after the other, each done by what does
//! it at home.

use super::far_contact::{FarContact, NoteWatcher, fault};
use super::far_opening::{self, FarOpening};
use crate::host::Host;
use crate::os::{JudgedStep, Os};
use crate::runner::contact_messages::HomeHello;
use crate::runner::frame_fault::FrameFault;
use crate::runner::frames::{Frame, FrameKind, PIECE};
use crate::runner::judge_messages::{JudgeCall, JudgeOpening};
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectFormat;

/// The slot of a far end that judges.
const SLOT: SlotId = SlotId::Verification(0);

/// Judges for home until home has heard enough.
pub(super) fn run(contact: &FarContact, hello: &HomeHello, format: ObjectFormat) -> Result<()> {
    let FarOpening {
        store,
        family,
        watchdog: _watchdog,
    } = FarOpening::of(contact, hello, format)?;
    let opening: JudgeOpening = contact.expect(FrameKind::Request)?.read().map_err(fault)?;
    store.exclude(&opening.excludes)?;
    let host = Host {
        sandbox_now: far_opening::policy(&contact.host, &opening.sandbox),
        ..contact.host.clone()
    };
    let watcher = NoteWatcher(contact.out.clone());
    let machine = Os::new(&store.git, host, &watcher)?.for_run(contact.stop.clone(), family);
    machine.require_isolation(None)?;
    let scratch = store.git.state_dir().join("tmp");
    // Home closes its end when it has heard enough.
    while let Ok(frame) = contact.says.recv() {
        if frame.kind != FrameKind::Call {
            return Err(fault(FrameFault::Order(frame.kind)));
        }
        let call: JudgeCall = frame.read().map_err(fault)?;
        if let Some(target) = call.target() {
            let pack = contact.receive_pack(&scratch)?;
            store.take(&pack, target.commit)?;
        }
        let done = machine.judging_step(SLOT, &call)?;
        if contact.stop.is_raised() {
            // What ended with the lease says nothing about the work.
            return Err(Error::environment("it was ended there"));
        }
        answer(contact, &done)?;
    }
    store.tidy();
    Ok(())
}

fn answer(contact: &FarContact, done: &JudgedStep) -> Result<()> {
    for piece in done.bytes.chunks(PIECE) {
        let piece = Frame::new(FrameKind::Piece, piece);
        contact.out.send_frame(&piece)?;
    }
    let answer = Frame::json(FrameKind::Answer, &done.answer);
    contact.out.send_frame(&answer)
}
