//! `gatewalk completions`: completion scripts, made from the command line's own definition.

use super::{Context, definition};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  gatewalk completions bash > ~/.local/share/bash-completion/completions/gatewalk"
)]
pub(crate) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut definition(), "gatewalk", &mut script);
    context.out.raw(&String::from_utf8_lossy(&script));
    Ok(Exit::Success)
}
