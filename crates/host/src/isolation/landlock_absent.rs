//! Landlock where there is none: it is never chosen, and whoever asks for it is refused.

use super::Bounds;
use gatewalk_core::error::{Error, Result};
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) fn works() -> bool {
    false
}

pub(super) fn has_network() -> bool {
    false
}

pub(super) fn has_scopes() -> bool {
    false
}

/// Returns no arguments: nothing is confined by it.
pub(super) fn arguments(_: &Bounds) -> Vec<OsString> {
    Vec::new()
}

/// Does nothing: this system has no abstract sockets.
pub(super) fn scope_sockets() -> Result<()> {
    Ok(())
}

pub(super) fn apply(_: &[PathBuf], _: &[PathBuf], _: bool) -> Result<()> {
    Err(Error::environment("this system has no Landlock"))
}
