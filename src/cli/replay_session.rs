//! `gatewalk replay-session` (hidden): the process behind the `script` agent.

use super::Context;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_host::replay::{ReplayedSession, replay};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The unit whose session is replayed
    #[arg(long)]
    unit: String,
    /// Which attempt of it
    #[arg(long, default_value_t = 1)]
    attempt: u32,
    /// The recording, or a directory of them
    path: PathBuf,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let mut stdout = std::io::stdout().lock();
    let session = ReplayedSession {
        script: &args.path,
        unit: &args.unit,
        attempt: args.attempt,
    };
    let code = replay(&session, &context.cwd, &mut stdout)?;
    Ok(Exit::Session(code as u8))
}
