//! The far end: one contact, from the first word to the last, on standard input and output.

use super::far_contact::FarContact;
use super::far_lease::Lease;
use super::{far_judge, far_report, far_session};
use crate::host::Host;
use crate::runner::contact_messages::{ContactTask, HomeHello};
use crate::runner::frame_fault::SAME_VERSION;
use crate::runner::frames::PROTOCOL;
use crate::{git, signals};
use gatewalk_core::error::{Error, ErrorCause, Result};
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
    match agreed(&contact) {
        // They would not understand each other the next time.
        Err(error) => contact.fail(&error, true),
        Ok((hello, format)) => {
            if let Err(error) = work(&contact, &hello, format) {
                let (error, lasting) = of_this_machine(error, git::installed_version());
                contact.fail(&error, lasting);
            }
        }
    }
    contact.lease.finish();
    Ok(())
}

/// Hears home's first words, and whether they can be understood.
fn agreed(contact: &FarContact) -> Result<(HomeHello, ObjectFormat)> {
    let hello = contact.hello()?;
    if hello.protocol != PROTOCOL {
        let what = format!(
            "gatewalk {} at home speaks protocol {}, and this one, {}, speaks {PROTOCOL}",
            hello.version,
            hello.protocol,
            env!("CARGO_PKG_VERSION")
        );
        return Err(Error::environment(what).hint(SAME_VERSION));
    }
    let format = format_of(&hello)?;
    Ok((hello, format))
}

fn work(contact: &FarContact, hello: &HomeHello, format: ObjectFormat) -> Result<()> {
    contact
        .lease
        .set_limit(Duration::from_millis(hello.lease_ms.max(1000)));
    match hello.task {
        ContactTask::Session => far_session::run(contact, hello, format),
        ContactTask::Judge => far_judge::run(contact, hello, format),
        ContactTask::Report | ContactTask::Linger => far_report::run(contact, hello),
    }
}

/// Returns a fault with what this machine has to do with it, and whether only a user can mend it.
fn of_this_machine(error: Error, git: Result<String>) -> (Error, bool) {
    match git {
        Err(missing) => (missing, true),
        Ok(version) if git::is_old(&version) => {
            let (major, minor) = git::OLDEST;
            let hint = format!(
                "git there is {version}: install {major}.{minor} or newer, or name one that is there, as `env PATH=… {{far}}`"
            );
            (error.hint(hint), true)
        }
        Ok(_) => {
            let refused = [ErrorCause::NotFound, ErrorCause::Permission];
            let lasting = error.cause.is_some_and(|cause| refused.contains(&cause));
            (error, lasting)
        }
    }
}

fn format_of(hello: &HomeHello) -> Result<ObjectFormat> {
    let formats = [ObjectFormat::Sha1, ObjectFormat::Sha256];
    let found = formats
        .into_iter()
        .find(|f| f.name() == hello.object_format);
    found.ok_or_else(|| Error::environment("home names no object format"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_this_machine_lacks_is_named_and_no_wait_changes_it() {
        let io = |kind: std::io::ErrorKind| {
            Error::io("create", std::path::Path::new("/x"), &kind.into())
        };
        let new = || Ok("2.47.3".to_owned());
        for (error, git, want, lasts) in [
            (
                Error::environment("x"),
                Err(Error::environment("no git")),
                "no git",
                true,
            ),
            (
                Error::environment("x"),
                Ok("1.8.3.1".to_owned()),
                "git there is 1.8.3.1: install 2.38",
                true,
            ),
            (Error::environment("x"), new(), "x", false),
            (io(std::io::ErrorKind::NotFound), new(), "/x", true),
            (io(std::io::ErrorKind::PermissionDenied), new(), "/x", true),
            (
                io(std::io::ErrorKind::StorageFull),
                new(),
                "free some",
                false,
            ),
        ] {
            let (error, lasting) = of_this_machine(error, git);
            let said = format!("{error}; {}", error.hints.join("; "));
            assert!(said.contains(want), "{want}: {said}");
            assert_eq!(lasting, lasts, "{said}");
        }
    }
}
