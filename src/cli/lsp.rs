//! `gatewalk lsp`: the language server on standard input and output.

use super::Context;
use crate::lsp::{editor_stream, serve};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;

#[derive(clap::Args)]
#[command(
    after_help = "Editors start it; docs/editors.md says how for VS Code, Neovim, Helix, Zed and Emacs."
)]
pub(crate) struct Args {
    /// Talk over standard input and output; the only way there is
    #[arg(long)]
    stdio: bool,
}

pub(crate) fn run(args: &Args, _context: &Context) -> Result<Exit> {
    // Editors give the flag by habit; there is nothing else to choose.
    let Args { stdio: _ } = args;
    let (connection, threads) = editor_stream::open();
    let served = serve(&connection);
    drop(connection);
    threads
        .join()
        .map_err(|e| Error::environment("the editor's connection broke").with_source(e))?;
    // The protocol wants 1 for an end without `shutdown`.
    served.map(|orderly| {
        if orderly {
            Exit::Success
        } else {
            Exit::Findings
        }
    })
}
