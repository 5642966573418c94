//! The directories that `-C` names.

use super::{Cli, Command};
use gatewalk_core::error::{Error, Result};
use std::path::PathBuf;

/// Returns the directory to work in, and the further ones that `serve` takes.
pub(super) fn named_by(cli: &Cli) -> Result<(PathBuf, Vec<PathBuf>)> {
    let here = std::env::current_dir()
        .map_err(|e| Error::environment("the current directory cannot be read").with_source(e))?;
    let named = cli.directory.iter().map(|d| here.join(d));
    let mut all: Vec<PathBuf> = named.collect();
    if let Some(wrong) = all.iter().find(|d| !d.is_dir()) {
        let wrong = wrong.display();
        return Err(Error::usage(format!("`{wrong}` is not a directory")));
    }
    if all.len() > 1 && !matches!(cli.command, Command::Serve(_)) {
        return Err(Error::usage(
            "`-C` names several directories, and only `serve` takes more than one",
        ));
    }
    // Looking upwards from `a/..` would find what is in `a`.
    for directory in &mut all {
        if let Ok(real) = directory.canonicalize() {
            *directory = real;
        }
    }
    let first = if all.is_empty() { here } else { all.remove(0) };
    Ok((first, all))
}
