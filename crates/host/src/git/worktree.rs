//! File operations inside a work tree that an agent may have written: nothing here follows a symbolic link out of it.

use super::GitPath;
pub(super) use crate::removal::make_accessible;
use crate::{crash, removal};
use gatewalk_core::error::{Error, Result};
use rustix::fs::{CWD, OFlags, RenameFlags};
use std::fs;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Returns the full path of something inside `root`, if every directory on the way is a real directory.
pub(crate) fn inside(root: &Path, path: &GitPath) -> Option<PathBuf> {
    let mut full = root.to_path_buf();
    let mut parts = path.as_path().components().peekable();
    while let Some(part) = parts.next() {
        let std::path::Component::Normal(name) = part else {
            return None;
        };
        full.push(name);
        if parts.peek().is_some() && !fs::symlink_metadata(&full).is_ok_and(|meta| meta.is_dir()) {
            return None;
        }
    }
    Some(full)
}

/// Removes whatever is at `path`, a whole tree included; what is not there is fine.
pub(super) fn remove(path: &Path) -> Result<()> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(());
    }
    crash::around("remove", || removal::remove(path)).map_err(|e| Error::io("remove", path, &e))
}

/// Writes a small file through a temporary one, unless it already holds exactly this.
pub(super) fn write_if_changed(path: &Path, content: &[u8]) -> Result<()> {
    let unchanged = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
        && fs::read(path).is_ok_and(|current| current == content);
    match unchanged {
        true => Ok(()),
        false => replace(path, content),
    }
}

/// Writes a file through a temporary one.
pub(super) fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let temporary = PathBuf::from(name);
    crash::around("write", || fs::write(&temporary, content))
        .map_err(|e| Error::io("write", &temporary, &e))?;
    crash::around("rename", || fs::rename(&temporary, path))
        .map_err(|e| Error::io("replace", path, &e))
}

/// Writes a file over the one that it was before the last time, which then takes its place: a large file that is written again and
/// again costs the disk neither new room nor old room to give back. For what nobody reads meanwhile.
pub(super) fn replace_in_turns<'c>(path: &Path, pieces: impl Pieces<'c>) -> Result<()> {
    let spare = path.with_extension("spare");
    write_over(&spare, pieces)?;
    crash::around("rename", || {
        rustix::fs::renameat_with(CWD, &spare, CWD, path, RenameFlags::EXCHANGE)
            // There is none yet, or the file system cannot.
            .or_else(|_| rustix::fs::rename(&spare, path))
    })
    .map_err(|e| Error::io("replace", path, &e.into()))
}

/// What a file holds, one piece after another.
pub(super) trait Pieces<'c>: Iterator<Item = &'c [u8]> + Clone {}

impl<'c, I: Iterator<Item = &'c [u8]> + Clone> Pieces<'c> for I {}

/// Writes a file, over the one that is there: only the pieces that it does not hold where they go.
pub(super) fn write_over<'c>(path: &Path, pieces: impl Pieces<'c>) -> Result<()> {
    let write = || {
        overwrite(path, pieces.clone()).or_else(|_| {
            // Something else stands there, or it is somebody's file by another name.
            removal::remove(path)?;
            overwrite(path, pieces)
        })
    };
    crash::around("write", write).map_err(|e| Error::io("write", path, &e))
}

fn overwrite<'c>(path: &Path, pieces: impl Pieces<'c>) -> io::Result<()> {
    let no_links = OFlags::NOFOLLOW.bits().cast_signed();
    let mut options = fs::File::options();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.custom_flags(no_links).open(path)?;
    let before = file.metadata()?;
    if before.nlink() != 1 {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let (mut end, mut held) = (0, Vec::new());
    for piece in pieces {
        let at = end;
        end += piece.len() as u64;
        held.resize(piece.len(), 0);
        let is_held =
            end <= before.len() && file.read_exact_at(&mut held, at).is_ok() && held == piece;
        if !is_held {
            file.write_all_at(piece, at)?;
        }
    }
    file.set_len(end)
}

/// Returns whether a parent of `path` exists and is not a directory.
pub(super) fn blocked(root: &Path, path: &GitPath) -> bool {
    let mut full = root.to_path_buf();
    let parents = path
        .as_path()
        .parent()
        .into_iter()
        .flat_map(|parent| parent.components().map(|c| c.as_os_str()));
    for part in parents {
        full.push(part);
        match fs::symlink_metadata(&full) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return true,
            Err(_) => return false,
        }
    }
    false
}

/// Returns whether `path`, or a parent where a directory has to be, holds something that is not `gone` by then.
pub(super) fn occupied(root: &Path, path: &GitPath, gone: &impl Fn(&GitPath) -> bool) -> bool {
    for parent in path.parents().map(GitPath::new) {
        match fs::symlink_metadata(root.join(parent.as_path())) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return !gone(&parent),
            Err(_) => return false,
        }
    }
    holds_more(root, path, gone)
}

/// Returns whether there is a file at or below `path` that is not `gone` by then.
fn holds_more(root: &Path, path: &GitPath, gone: &impl Fn(&GitPath) -> bool) -> bool {
    let full = root.join(path.as_path());
    let Ok(meta) = fs::symlink_metadata(&full) else {
        return false;
    };
    if !meta.is_dir() {
        return !gone(path);
    }
    let Ok(entries) = fs::read_dir(&full) else {
        return true;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let below = [path.as_bytes(), b"/", name.as_encoded_bytes()].concat();
        holds_more(root, &GitPath::new(below), gone)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_replaced_in_turns_has_what_was_written_last_and_no_link_is_followed() {
        let root = tempfile::tempdir().unwrap();
        let (file, spare) = (root.path().join("index"), root.path().join("index.spare"));
        let other = root.path().join("other");
        fs::write(&other, "other").unwrap();
        let mut before = None;
        for content in ["first", "the second, which is longer", "3", ""] {
            replace_in_turns(&file, [content.as_bytes()].into_iter()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), content);
            assert_eq!(fs::read_to_string(&spare).ok().as_deref(), before);
            before = Some(content);
        }
        for link in [0, 1] {
            fs::remove_file(&spare).unwrap();
            match link {
                0 => std::os::unix::fs::symlink("other", &spare).unwrap(),
                _ => fs::hard_link(&other, &spare).unwrap(),
            }
            replace_in_turns(&file, [b"not through a link".as_slice()].into_iter()).unwrap();
            assert_eq!(fs::read_to_string(&other).unwrap(), "other");
            assert_eq!(fs::read_to_string(&file).unwrap(), "not through a link");
        }
    }
}
