//! Removing trees that somebody else wrote, whatever access they left.
//!
//! Invariant: no symbolic link is followed.

use std::os::unix::fs::PermissionsExt;
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
