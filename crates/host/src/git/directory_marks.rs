//! Directories as they were when somebody looked into them, so that nobody looks again into one that is as it was.
//!
//! Whatever is made, removed or renamed in a directory moves its change time, which no program can set. Times are compared
//! for being the same, so a clock that is put back hides nothing.

use super::GitPath;
use super::index::WorkTreeShape;
use super::touched_files::{Time, changed_at, mark};
use rustix::fs::Stat;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long nothing must have changed in a directory for its time to tell the next change: the clock of file systems
/// moves in steps.
pub(super) const CLOCK_STEP: Duration = Duration::from_millis(20);

/// What each directory was, by its path.
#[derive(Debug, Clone, Default)]
pub(super) struct DirectoryMarks {
    marks: HashMap<u64, Option<u64>>,
    /// The shape of the work tree that all of them are in, where that is known.
    shape: Option<Arc<WorkTreeShape>>,
}

impl DirectoryMarks {
    /// Returns whether a directory is as it was when it was looked into.
    pub(super) fn hold(&self, path: &GitPath, now: &Stat) -> bool {
        let known = self.marks.get(&hash_of(path)).copied().flatten();
        known.is_some_and(|known| known == mark(now.st_ino, changed_at(now)))
    }

    /// Returns no marks yet, of directories that are all in this work tree.
    pub(super) fn within(shape: &Arc<WorkTreeShape>) -> DirectoryMarks {
        DirectoryMarks {
            marks: HashMap::new(),
            shape: Some(shape.clone()),
        }
    }

    /// Returns whether each directory that was looked into is the root of this work tree, or one of its directories.
    pub(super) fn are_among(&self, shape: &Arc<WorkTreeShape>) -> bool {
        self.is_within(shape) || {
            let directories = shape.with_root();
            let known = directories.iter();
            let known = known.filter(|path| self.marks.contains_key(&hash_of(path)));
            known.count() == self.marks.len()
        }
    }

    /// Returns whether it was said that all directories are in this work tree.
    fn is_within(&self, shape: &Arc<WorkTreeShape>) -> bool {
        let is_it = |own: &Arc<WorkTreeShape>| Arc::ptr_eq(own, shape);
        self.shape.as_ref().is_some_and(is_it)
    }

    /// Returns the same for this work tree: none where a directory that was looked into is not in it.
    pub(super) fn of_shape(self: Arc<Self>, shape: &Arc<WorkTreeShape>) -> Arc<DirectoryMarks> {
        if self.is_within(shape) {
            return self;
        }
        let mut own = DirectoryMarks::within(shape);
        if self.are_among(shape) {
            own.marks.clone_from(&self.marks);
        }
        Arc::new(own)
    }

    /// Keeps what directories were before they were looked into.
    pub(super) fn keep(&mut self, looks: Vec<DirectoryLook>) {
        self.marks
            .extend(looks.into_iter().map(|look| (look.path, look.mark)));
    }
}

/// What one directory was before somebody looked into it.
#[derive(Debug, Clone, Copy)]
pub(super) struct DirectoryLook {
    path: u64,
    /// None where the next change could leave the same time.
    mark: Option<u64>,
}

impl DirectoryLook {
    /// Stands for a directory that is to be looked into again.
    pub(super) fn unclear(path: &GitPath) -> DirectoryLook {
        DirectoryLook {
            path: hash_of(path),
            mark: None,
        }
    }

    /// Returns what a directory was, by what was known of it at some time before it was looked into.
    pub(super) fn new(path: &GitPath, seen: Option<&Stat>, settled: Time) -> DirectoryLook {
        let seen = seen.filter(|seen| changed_at(seen) < settled);
        DirectoryLook {
            path: hash_of(path),
            mark: seen.map(|seen| mark(seen.st_ino, changed_at(seen))),
        }
    }
}

/// Returns the time before which a directory must have changed last for the next change to show.
pub(super) fn settled_by_now() -> Time {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let settled = now.unwrap_or_default().saturating_sub(CLOCK_STEP);
    let seconds = i64::try_from(settled.as_secs()).unwrap_or(i64::MAX);
    (seconds, settled.subsec_nanos().into())
}

fn hash_of(path: &GitPath) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}
