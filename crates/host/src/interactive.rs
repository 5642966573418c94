//! A program of the user's own that talks to them: on their terminal, for as long as they like.

use gatewalk_core::error::{Error, Result};
use signal_hook::consts::{SIGINT, SIGQUIT};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is run, and where.
#[derive(Debug, Clone, Copy)]
pub struct InteractiveCall<'a> {
    /// A text for `sh`.
    pub shell: &'a str,
    /// The directory it starts in.
    pub cwd: &'a Path,
    /// The user's environment; what names another repository is left out.
    pub env: &'a [(OsString, OsString)],
    /// Variables set beside the user's own environment.
    pub more: &'a [(&'a str, &'a str)],
}

/// Runs it to its end; returns its exit code, none where a signal ended it. Ctrl-C is the program's, not this one's.
pub fn run(call: &InteractiveCall<'_>) -> Result<Option<i32>> {
    let failed = |e: std::io::Error| Error::environment("cannot set up signals").with_source(e);
    let ignored = Arc::new(AtomicBool::new(false));
    let mut handlers = Vec::new();
    for signal in [SIGINT, SIGQUIT] {
        handlers.push(signal_hook::flag::register(signal, ignored.clone()).map_err(failed)?);
    }
    let foreign = super::user_tool::FOREIGN_REPOSITORY;
    let env = call
        .env
        .iter()
        .filter(|(name, _)| !foreign.iter().any(|f| name == f));
    let status = Command::new("sh")
        .args(["-c", call.shell])
        .current_dir(call.cwd)
        .env_clear()
        .envs(env.map(|(name, value)| (name, value)))
        .envs(call.more.iter().copied())
        .status();
    for handler in handlers {
        signal_hook::low_level::unregister(handler);
    }
    let status = status.map_err(|e| Error::environment("cannot start `sh`").with_source(e))?;
    Ok(status.code())
}
