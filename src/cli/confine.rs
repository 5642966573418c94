//! `gatewalk confine` (hidden): becomes a program after confining itself by Landlock.

use super::Context;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Allow reading below this path
    #[arg(long)]
    read: Vec<PathBuf>,
    /// Allow changing below this path
    #[arg(long)]
    write: Vec<PathBuf>,
    /// Refuse connections to servers outside
    #[arg(long)]
    offline: bool,
    /// Only keep from abstract sockets of others
    #[arg(long, conflicts_with_all = ["read", "write", "offline"])]
    sockets: bool,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args, _: &Context) -> Result<Exit> {
    use std::os::unix::process::CommandExt;
    if args.sockets {
        gatewalk_host::isolation::shut_abstract_sockets()?;
    } else {
        gatewalk_host::isolation::confine_this_process(&args.read, &args.write, args.offline)?;
    }
    let error = std::process::Command::new(&args.command[0])
        .args(&args.command[1..])
        .exec();
    Err(Error::environment(format!(
        "cannot run `{}`",
        args.command[0].to_string_lossy()
    ))
    .with_source(error))
}
