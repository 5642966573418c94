//! `gatewalk large-file` (hidden): the filter by which git writes a file of git-lfs into a slot.

use super::Context;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use std::io::{stdin, stdout};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where git-lfs keeps the files of the repository
    storage: PathBuf,
}

pub(crate) fn run(args: &Args, _: &Context) -> Result<Exit> {
    gatewalk_host::git::write_large_file(&args.storage, &mut stdin().lock(), &mut stdout().lock())
        .map_err(|e| Error::io("read", &args.storage, &e))?;
    Ok(Exit::Success)
}
