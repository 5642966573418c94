//! Which files of a checkout were touched after a time, by their change times.

use super::nested_directories::NestedDirectories;
use super::{GitPath, index};
use rustix::fs::{FileType, Stat};
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Seconds and nanoseconds of the file system's clock.
pub(super) type Time = (i64, i64);

/// What a look at some directories found.
#[derive(Default)]
pub(super) struct DirectoryScan {
    pub(super) touched: bool,
    pub(super) unknown: Vec<GitPath>,
    pub(super) rules: u64,
}

/// A look for what was touched after a time, in a checkout of this shape.
pub(super) struct TouchedSearch<'a> {
    pub(super) shape: &'a index::WorkTreeShape,
    pub(super) at: Time,
}

impl TouchedSearch<'_> {
    /// Looks at a directory with tracked files, and at what is in it.
    pub(super) fn look_into(
        &self,
        tree: &mut NestedDirectories<'_>,
        directory: &GitPath,
        found: &mut DirectoryScan,
    ) {
        // One that is gone shows in the one above.
        let Some(own) = tree.stat_directory(directory) else {
            return;
        };
        found.touched |= changed_at(&own) >= self.at;
        let Some(entries) = tree.list(directory) else {
            found.touched = true;
            return;
        };
        for entry in entries {
            if entry.name == b".git" {
                continue;
            }
            let path = directory.join(&entry.name);
            if entry.kind == FileType::Directory {
                if !self.shape.knows(&path) {
                    found.unknown.push(path);
                }
                continue;
            }
            let Some(meta) = tree.stat(path.as_bytes()) else {
                found.touched = true;
                continue;
            };
            found.touched |= changed_at(&meta) >= self.at;
            if entry.name == b".gitignore" {
                found.rules ^= mark(meta.st_ino, changed_at(&meta));
            }
        }
    }
}

/// Returns whether a path of the checkout was changed after a time; of one that is gone, whether its directory was.
pub(super) fn changed_after(root: &Path, path: &GitPath, at: Time) -> bool {
    let mut full = root.to_path_buf();
    let mut parts = path.as_path().components().peekable();
    while let Some(part) = parts.next() {
        full.push(part);
        let meta = fs::symlink_metadata(&full);
        match &meta {
            Ok(meta) if meta.is_dir() && parts.peek().is_some() => {}
            Ok(meta) if meta.is_dir() => {
                return repository_changed(&full, at) || any_below(&full, at);
            }
            Ok(meta) => return ctime(meta) >= at,
            Err(_) => {
                full.pop();
                return fs::symlink_metadata(&full).is_ok_and(|above| ctime(&above) >= at);
            }
        }
    }
    false
}

/// Returns whether the `HEAD` of a repository inside, such as a submodule, was moved after a time.
pub(super) fn repository_changed(dir: &Path, at: Time) -> bool {
    let own = dir.join(".git");
    let named = fs::read_to_string(&own).ok();
    let named = named
        .as_deref()
        .and_then(|text| text.strip_prefix("gitdir:"));
    let git_dir = named.map_or(own.clone(), |path| dir.join(path.trim()));
    let files: [PathBuf; 3] = [own, git_dir.join("HEAD"), git_dir.join("logs/HEAD")];
    let times = files
        .iter()
        .filter_map(|file| fs::symlink_metadata(file).ok());
    times
        .filter(|meta| !meta.is_dir())
        .any(|meta| ctime(&meta) >= at)
}

pub(super) fn any_below(dir: &Path, at: Time) -> bool {
    let entries = walkdir::WalkDir::new(dir).into_iter();
    let mut entries = entries.filter_entry(|entry| entry.file_name() != ".git");
    // What cannot be read may have been touched: git is asked.
    entries.any(|entry| {
        entry
            .ok()
            .and_then(|e| e.metadata().ok())
            .is_none_or(|meta| ctime(&meta) >= at)
    })
}

pub(super) fn ctime(meta: &Metadata) -> Time {
    (meta.ctime(), meta.ctime_nsec())
}

pub(super) fn mtime(meta: &Metadata) -> Time {
    (meta.mtime(), meta.mtime_nsec())
}

#[allow(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "the fields differ in size from system to system"
)]
pub(super) fn changed_at(meta: &Stat) -> Time {
    (meta.st_ctime as i64, meta.st_ctime_nsec as i64)
}

/// Stands for a file as it is: its inode, and when that was changed.
pub(super) fn mark(inode: u64, changed: Time) -> u64 {
    let mut hasher = DefaultHasher::new();
    (inode, changed).hash(&mut hasher);
    hasher.finish()
}
