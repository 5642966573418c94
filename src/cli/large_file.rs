//! `gatewalk large-file` (hidden): the filter by which git writes files of git-lfs into a slot and stores them.

use super::Context;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_host::git::LargeFileFilter;
use std::io::{BufReader, BufWriter, stdin, stdout};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where git-lfs keeps the files of the repository
    storage: PathBuf,
    /// The command line that stores a file, where that is not plain git-lfs
    clean: Option<String>,
}

pub(crate) fn run(args: &Args, _: &Context) -> Result<Exit> {
    let filter = LargeFileFilter {
        storage: args.storage.clone(),
        clean: args.clean.clone(),
    };
    let mut input = BufReader::new(stdin().lock());
    let mut output = BufWriter::new(stdout().lock());
    filter
        .serve(&mut input, &mut output)
        .map_err(|e| Error::io("filter for", &args.storage, &e))?;
    Ok(Exit::Success)
}
