//! `gatewalk confine` (hidden): becomes a program after confining itself by Landlock, or once it is told which.

use super::Context;
use clap::{Args as _, FromArgMatches};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use std::ffi::OsString;
use std::path::PathBuf;

/// The command's name.
const NAME: &str = "confine";

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
    /// Wait for the program at standard input
    #[arg(long, conflicts_with_all = ["read", "write", "offline", "command"])]
    standby: bool,
    /// The program and its arguments
    #[arg(last = true, required_unless_present = "standby")]
    command: Vec<OsString>,
}

/// Returns what this command is to do where the program was started for it: the definitions of the others need not be built
/// for each session. None for any other command line, and for one with a mistake in it.
pub(super) fn asked() -> Option<Args> {
    let mut words = std::env::args_os().skip(1).peekable();
    words.peek().filter(|word| *word == NAME)?;
    let definition = Args::augment_args(clap::Command::new(NAME));
    let matches = definition.try_get_matches_from(words).ok()?;
    Args::from_arg_matches(&matches).ok()
}

pub(crate) fn run(args: &Args, _: &Context) -> Result<Exit> {
    become_confined(args)
}

/// Becomes the program; returns only where that fails.
pub(super) fn become_confined(args: &Args) -> Result<Exit> {
    if args.sockets {
        gatewalk_host::isolation::shut_abstract_sockets()?;
    } else if !args.standby {
        gatewalk_host::isolation::confine_this_process(&args.read, &args.write, args.offline)?;
    }
    if args.standby {
        // Nobody hears it where no program came.
        let ended = gatewalk_host::process::await_program();
        let error = ended.map_or_else(|error| error, |never| match never {});
        return Err(Error::environment("cannot run what was to come").with_source(error));
    }
    let mut command = std::process::Command::new(&args.command[0]);
    command.args(&args.command[1..]).envs(std::env::vars_os());
    let error = gatewalk_host::process::become_program(command);
    Err(Error::environment(format!(
        "cannot run `{}`",
        args.command[0].to_string_lossy()
    ))
    .with_source(error))
}
