//! Which files of a checkout were touched after a time, by their change times.

use super::{GitPath, index, worktree};
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
    pub(super) root: &'a Path,
    pub(super) shape: &'a index::WorkTreeShape,
    pub(super) at: Time,
}

impl TouchedSearch<'_> {
    /// Looks at a directory with tracked files, and at what is in it.
    pub(super) fn look_into(&self, directory: &GitPath, found: &mut DirectoryScan) {
        let at = self.at;
        // One that is gone shows in the one above.
        let Some(full) = worktree::inside(self.root, directory) else {
            return;
        };
        let Ok(own) = fs::symlink_metadata(&full) else {
            return;
        };
        found.touched |= ctime(&own) >= at;
        let Ok(entries) = fs::read_dir(&full) else {
            return;
        };
        for entry in entries {
            let Some((entry, meta)) = entry.ok().and_then(|e| e.metadata().ok().map(|m| (e, m)))
            else {
                found.touched = true;
                continue;
            };
            let name = entry.file_name();
            if name == ".git" {
                continue;
            }
            if meta.is_dir() {
                let path = directory.join(name.as_encoded_bytes());
                if !self.shape.knows(&path) {
                    found.unknown.push(path);
                }
                continue;
            }
            found.touched |= ctime(&meta) >= at;
            if name == ".gitignore" {
                found.rules ^= mark(&meta);
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

/// Stands for a file as it is.
pub(super) fn mark(meta: &Metadata) -> u64 {
    let mut hasher = DefaultHasher::new();
    (meta.ino(), ctime(meta)).hash(&mut hasher);
    hasher.finish()
}
