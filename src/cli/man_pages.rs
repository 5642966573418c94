//! `gatewalk man-pages`: a manual page a command, for packages; made from the command line's own definition.

use super::{Context, definition};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The directory the pages are written to
    into: PathBuf,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let directory = context.cwd.join(&args.into);
    let mut program = definition();
    program.build();
    clap_mangen::generate_to(program, &directory)
        .map_err(|e| Error::io("write manual pages to", &directory, &e))?;
    Ok(Exit::Success)
}
