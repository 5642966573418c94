//! Removing trees that somebody else wrote, whatever access they left, and knowing directories that can stay.
//!
//! Invariant: no symbolic link is followed.

use rustix::io::Errno;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::{fs, io};

/// Removes whatever is at `path`, a whole tree included, also where its directories were shut; what is not there is fine.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    if !meta.is_dir() {
        return fs::remove_file(path);
    }
    fs::remove_dir_all(path).or_else(|_| {
        make_accessible(path);
        fs::remove_dir_all(path)
    })
}

/// Removes what is in a directory, but for entries that stay.
pub(crate) fn empty(directory: &Path, stays: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    if !fs::symlink_metadata(directory)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if !stays(&path) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Returns whether a path is a directory of this user's with a mode, and with nothing attached that decides what may be made in
/// it: as if it had just been made.
pub(crate) fn is_as_made(path: &Path, mode: u32) -> bool {
    const PERMISSIONS: u32 = 0o7777;
    fs::symlink_metadata(path).is_ok_and(|meta| {
        meta.is_dir()
            && meta.uid() == rustix::process::geteuid().as_raw()
            && meta.mode() & PERMISSIONS == mode & PERMISSIONS
            && !has_attributes(path)
    })
}

/// Returns whether a path has extended attributes beside those that the system gives every file, or may have some.
fn has_attributes(path: &Path) -> bool {
    let mut names = [0; 1024];
    let listed = rustix::fs::llistxattr(path, &mut names[..]);
    match listed {
        Ok(length) => names[..length]
            .split_inclusive(|byte| *byte == 0)
            .any(|name| !name.starts_with(b"security.")),
        // Where that is not supported, there are none.
        Err(error) => ![Errno::OPNOTSUPP, Errno::NOTSUP].contains(&error),
    }
}

/// Gives the owner access to every directory and file below `root`; what cannot be changed stays as it is.
pub(crate) fn make_accessible(root: &Path) {
    let Ok(meta) = fs::symlink_metadata(root) else {
        return;
    };
    if meta.is_symlink() {
        return;
    }
    let mode = meta.permissions().mode();
    let wanted = if meta.is_dir() {
        mode | 0o700
    } else {
        mode | 0o600
    };
    if wanted != mode {
        // The caller's next step reports what still cannot be reached.
        let _ = fs::set_permissions(root, fs::Permissions::from_mode(wanted));
    }
    if meta.is_dir() {
        for entry in fs::read_dir(root).into_iter().flatten().flatten() {
            make_accessible(&entry.path());
        }
    }
}
