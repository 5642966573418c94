//! Replacing single files of the user's without ever losing what they saved at that moment.
//!
//! Every replacement is an exchange of names: what was there is looked at after it was taken out of the way, and put
//! back if it is not what was expected.

use super::checkout_update_rules::{FileMarks, WorkTreeState};
use super::touched_files::mtime;
use super::{GitPath, MODE_EXECUTABLE, MODE_FILE, MODE_SYMLINK, worktree};
use gatewalk_core::error::{Error, Result};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Returns what lies at a path, links not followed.
pub(super) fn look_at(path: &Path) -> WorkTreeState {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return WorkTreeState::Nothing;
    };
    let content = if meta.is_symlink() {
        fs::read_link(path).map(|target| target.as_os_str().as_bytes().to_vec())
    } else if meta.is_file() {
        fs::read(path)
    } else {
        return WorkTreeState::Other;
    };
    let Ok(content) = content else {
        return WorkTreeState::Other;
    };
    let executable = meta.permissions().mode() & 0o100 != 0;
    let mode = match (meta.is_symlink(), executable) {
        (true, _) => MODE_SYMLINK,
        (false, true) => MODE_EXECUTABLE,
        (false, false) => MODE_FILE,
    };
    WorkTreeState::File {
        mode,
        digest: Sha256::digest(&content).into(),
    }
}

/// Returns what tells a file from another one, links not followed; none where there is none.
pub(super) fn marks_at(path: &Path) -> Option<FileMarks> {
    let meta = fs::symlink_metadata(path).ok()?;
    let (modified, rest) = mtime(&meta);
    Some((
        meta.dev(),
        meta.ino(),
        meta.mode(),
        meta.size(),
        modified,
        rest,
    ))
}

/// Returns whether what was there before lies at a path.
fn is_at(path: &Path, before: &WorkTreeState) -> bool {
    match before {
        WorkTreeState::AsIndexed(marks) => marks_at(path) == Some(*marks),
        _ => look_at(path) == *before,
    }
}

/// Returns the staged file, copied beside its target when that is on another file system.
pub(super) fn same_file_system(source: &Path, target: &Path) -> Result<PathBuf> {
    let device = |path: &Path| fs::symlink_metadata(path).map(|meta| meta.dev()).ok();
    let parent = target.parent().unwrap_or(target);
    if device(source) == device(parent) {
        return Ok(source.to_path_buf());
    }
    let beside = parent.join(format!(".gatewalk-{}", std::process::id()));
    let meta = fs::symlink_metadata(source).map_err(|e| Error::io("read", source, &e))?;
    let copied = if meta.is_symlink() {
        fs::read_link(source).and_then(|link| std::os::unix::fs::symlink(link, &beside))
    } else {
        fs::copy(source, &beside).map(|_| ())
    };
    copied.map_err(|e| Error::io("write", &beside, &e))?;
    Ok(beside)
}

/// Moves a file to a name that must be free; `false` if it is not.
pub(super) fn put_new(source: &Path, target: &Path) -> Result<bool> {
    match renameat_with(CWD, source, CWD, target, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::EXIST) => Ok(false),
        // A file system without that kind of rename: a hard link refuses an existing name too.
        Err(_) => match fs::hard_link(source, target) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(e) => Err(Error::io("write", target, &e)),
        },
    }
}

/// Swaps two files, and swaps back if the one taken out is not what was expected.
pub(super) fn exchange(source: &Path, target: &Path, before: &WorkTreeState) -> Result<bool> {
    let swap = || renameat_with(CWD, source, CWD, target, RenameFlags::EXCHANGE);
    match swap() {
        Ok(()) if is_at(source, before) => Ok(true),
        Ok(()) => {
            swap().map_err(|e| {
                Error::environment(format!("cannot put back `{}`", target.display())).with_source(e)
            })?;
            Ok(false)
        }
        Err(rustix::io::Errno::NOENT) => Ok(false),
        // A file system without exchange: look, then rename at once.
        Err(_) if is_at(target, before) => {
            crate::crash::around("place", || fs::rename(source, target))
                .map_err(|e| Error::io("replace", target, &e))?;
            Ok(true)
        }
        Err(_) => Ok(false),
    }
}

/// Moves a file away, and back if it is not what was expected.
pub(super) fn move_aside(target: &Path, taken: &Path, before: &WorkTreeState) -> Result<bool> {
    worktree::remove(taken)?;
    match fs::rename(target, taken) {
        Ok(()) if is_at(taken, before) => Ok(true),
        Ok(()) => {
            if !put_new(taken, target)? {
                let kept = taken.display();
                return Err(Error::integrity(format!(
                    "`{}` changed twice at once; kept as `{kept}`",
                    target.display()
                )));
            }
            Ok(false)
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(true),
        // Another file system: look, then remove at once.
        Err(_) if is_at(target, before) => {
            fs::remove_file(target).map_err(|e| Error::io("remove", target, &e))?;
            Ok(true)
        }
        Err(_) => Ok(false),
    }
}

/// Removes the directories a removal left empty, up to the root.
pub(super) fn prune(root: &Path, removed: &Path) {
    let mut dir = removed.parent();
    while let Some(path) = dir.filter(|path| *path != root) {
        if fs::remove_dir(path).is_err() {
            return;
        }
        dir = path.parent();
    }
}

/// Makes the directories above a path; `false` if something of the user's is where one has to be.
pub(super) fn make_parents(root: &Path, path: &GitPath) -> Result<bool> {
    let mut full = root.to_path_buf();
    let parents = path
        .as_path()
        .parent()
        .into_iter()
        .flat_map(|parent| parent.components());
    for part in parents {
        full.push(part);
        match fs::symlink_metadata(&full) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return Ok(false),
            Err(_) => fs::create_dir(&full).map_err(|e| Error::io("create", &full, &e))?,
        }
    }
    Ok(worktree::inside(root, path).is_some())
}
