//! How the far end begins any work for a repository: what an earlier contact left has ended, what is started from here on
//! ends with the lease, and home knows what is here.

use super::far_contact::FarContact;
use super::far_store::FarStore;
use crate::host::{Host, owner};
use crate::lock::ProcessTreeLock;
use crate::process::watchdog::Watchdog;
use crate::runner::contact_messages::{FarHello, HomeHello};
use crate::runner::frames::{Frame, FrameKind};
use gatewalk_core::error::Result;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::status_machine::Word;
use gatewalk_core::object_id::ObjectFormat;

/// What the work of a contact stands on.
pub(super) struct FarOpening {
    pub(super) store: FarStore,
    pub(super) family: ProcessTreeLock,
    /// Ends what was started, should this process be killed; where one could be had.
    pub(super) watchdog: Option<Watchdog>,
}

impl FarOpening {
    /// Opens what is kept of the repository and says so to home.
    pub(super) fn of(
        contact: &FarContact,
        hello: &HomeHello,
        format: ObjectFormat,
    ) -> Result<FarOpening> {
        let store = FarStore::open(&contact.host, hello, format)?;
        let own = owner(&store.git);
        contact.lease.covers(own.clone(), store.family.clone());
        let family = ProcessTreeLock::acquire(&store.family)?;
        let watchdog = Watchdog::start(&contact.host.own_program, &own, &store.family);
        let answer = FarHello {
            large_files: store.large_files(),
            ..FarHello::here(store.have(), store.ended)
        };
        let frame = Frame::json(FrameKind::Hello, &answer);
        contact.out.send_frame(&frame)?;
        if let Err(error) = &watchdog {
            let text = format!(
                "{error}; if the far end is killed, what it started lives until the next contact"
            );
            drop(contact.out.send(FrameKind::Note, text.as_bytes()));
        }
        Ok(FarOpening {
            store,
            family,
            watchdog: watchdog.ok(),
        })
    }
}

/// Returns how strictly this machine confines what home asks for: never less than its own user wants.
pub(super) fn policy(host: &Host, asked: &str) -> Option<SandboxPolicy> {
    match SandboxPolicy::from_word(asked) {
        _ if host.sandbox == Some(SandboxPolicy::Require) => Some(SandboxPolicy::Require),
        Some(SandboxPolicy::Auto) | None => None,
        asked => asked,
    }
}
