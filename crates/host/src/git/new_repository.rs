//! An empty repository, written with plain file operations: no template, no hook and no user's setting gets into it.

use super::slot_git::bare_config;
use super::slot_git::quote;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectFormat;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Makes sure that there is a repository; its objects may be in another store too.
pub(crate) fn create_repository(
    dir: &Path,
    format: ObjectFormat,
    objects: Option<&Path>,
) -> Result<()> {
    let git_dir = dir.join(".git");
    let failed = |path: &Path, e: &std::io::Error| Error::io("create", path, e);
    for part in ["objects/info", "objects/pack", "refs/heads", "info"] {
        let part = git_dir.join(part);
        fs::create_dir_all(&part).map_err(|e| failed(&part, &e))?;
    }
    let write = |name: &str, content: &[u8]| {
        let path = git_dir.join(name);
        fs::write(&path, content).map_err(|e| failed(&path, &e))
    };
    if let Some(objects) = objects {
        let mut line = quote(objects.as_os_str().as_bytes());
        line.push(b'\n');
        write("objects/info/alternates", &line)?;
    }
    write("config", bare_config(format, false).as_bytes())?;
    // Last: with it, it is a repository.
    write("HEAD", b"ref: refs/heads/none\n")
}
