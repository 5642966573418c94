//! The far end: one contact, from the first word to the last, on standard input and output.

use super::contact_messages::{ContactTask, HomeHello};
use super::far_contact::FarContact;
use super::far_judge;
use super::far_lease::Lease;
use super::far_report;
use super::far_session;
use super::frames::PROTOCOL;
use crate::os::Host;
use crate::signals;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectFormat;
use std::time::Duration;

/// Serves home until it is done, or gone.
pub fn serve(host: Host) -> Result<()> {
    let stop = signals::install()?;
    let (lease, out, says) = Lease::begin(&stop)?;
    let contact = FarContact {
        host,
        lease,
        out,
        says,
        stop,
    };
    if let Err(error) = answer(&contact) {
        contact.fail(&error);
    }
    contact.lease.finish();
    Ok(())
}

fn answer(contact: &FarContact) -> Result<()> {
    let hello = contact.hello()?;
    if hello.protocol != PROTOCOL {
        return Err(Error::environment(format!(
            "gatewalk {} at home speaks protocol {}, and this one, {}, speaks {PROTOCOL}: install the same version",
            hello.version,
            hello.protocol,
            env!("CARGO_PKG_VERSION")
        )));
    }
    contact
        .lease
        .set_limit(Duration::from_millis(hello.lease_ms.max(1000)));
    let format = format_of(&hello)?;
    match hello.task {
        ContactTask::Session => far_session::run(contact, &hello, format),
        ContactTask::Judge => far_judge::run(contact, &hello, format),
        ContactTask::Report | ContactTask::Linger => far_report::run(contact, &hello),
    }
}

fn format_of(hello: &HomeHello) -> Result<ObjectFormat> {
    let formats = [ObjectFormat::Sha1, ObjectFormat::Sha256];
    let found = formats
        .into_iter()
        .find(|f| f.name() == hello.object_format);
    found.ok_or_else(|| Error::environment("home names no object format"))
}
