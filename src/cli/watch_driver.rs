//! `gatewalk watch-driver` (hidden): ends what a killed driver leaves running.

use super::Context;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_host::process::watchdog;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The owner of the driver's families
    owner: OsString,
    /// The lock file that a driver holds while it lives.
    lock: PathBuf,
}

pub(crate) fn run(args: &Args, _: &Context) -> Result<Exit> {
    watchdog::watch(&mut std::io::stdin().lock(), &args.owner, &args.lock);
    Ok(Exit::Success)
}
