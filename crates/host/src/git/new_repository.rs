//! An empty repository, written with plain file operations: no template, no hook and no user's setting gets into it.

use super::slot_git::{bare_config, quote};
use super::worktree::write_if_changed;
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
    // Whoever reads them meanwhile finds them whole: nothing is written that is there, and what is written takes its place
    // at once.
    let write = |name: &str, content: &[u8]| write_if_changed(&git_dir.join(name), content);
    if let Some(objects) = objects {
        let mut line = quote(objects.as_os_str().as_bytes());
        line.push(b'\n');
        write("objects/info/alternates", &line)?;
    }
    write("config", bare_config(format, false).as_bytes())?;
    // Last: with it, it is a repository.
    write("HEAD", b"ref: refs/heads/none\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Git;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn a_repository_that_is_there_is_left_alone_while_others_read_it() {
        let directory = tempfile::tempdir().unwrap();
        let make =
            || create_repository(directory.path(), ObjectFormat::Sha1, Some(Path::new("/o")));
        let files = ["HEAD", "config", "objects/info/alternates"];
        let files = files.map(|name| directory.path().join(".git").join(name));
        let seen = || {
            files
                .each_ref()
                .map(|file| fs::metadata(file).map(|m| (m.ino(), m.ctime_nsec())).ok())
        };
        make().unwrap();
        let before = seen();
        make().unwrap();
        assert_eq!(seen(), before);
        fs::write(&files[0], "").unwrap();
        make().unwrap();
        assert!(Git::discover(directory.path()).is_ok());
        assert_eq!(seen()[1..], before[1..]);
    }
}
