//! What changed in the user's checkout since a moment, by the times that the file system keeps.
//!
//! A new content, mode, name or place changes an inode's change time (inode(7), `ctime`), which no program sets. So one
//! look afterwards is enough, and git is asked for names only when something was touched.
//!
//! Deliberately absent: ignored files, and who made a change.

use super::file_times::touched_now;
use super::git_command::{CommandScope, GitCommand};
use super::index::{self, IndexFile, WorkTreeShape};
use super::nested_directories::NestedDirectories;
use super::private_index::{FileIdentity, identity};
use super::touched_files::{
    DirectoryScan, Time, TouchedSearch, any_below, changed_after, ctime, mark, repository_changed,
};
use super::user_index::Listed;
use super::{Git, GitPath, Version};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel;
use gatewalk_core::parallel::locked;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How far apart the clocks of two file systems may be, in seconds: one of them may be another machine's.
const OTHER_CLOCK: i64 = 2;

/// A moment, and what was true of the index then.
#[derive(Debug)]
pub(crate) struct CheckoutSnapshot {
    at: Time,
    index: Arc<IndexLook>,
    replaced: u64,
}

/// What changed since a moment.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckoutChanges {
    /// Files that differ from the index or `HEAD`, or are untracked, and were touched; of those that are gone, the ones in
    /// a directory that was touched.
    pub(crate) files: Vec<GitPath>,
    /// Tracked files that git does not look at any more.
    pub(crate) unwatched: Vec<GitPath>,
    /// Whether something else is staged, and not by a landing.
    pub(crate) staged: bool,
}

/// The content of the user's index, kept as long as the file is the same.
#[derive(Debug, Default)]
pub(super) struct IndexLook {
    identity: Option<FileIdentity>,
    shape: Arc<WorkTreeShape>,
    unwatched: BTreeSet<GitPath>,
    /// Stands for the paths, modes and contents that are staged.
    content: u64,
}

/// The untracked directories that were asked about, as long as the rules are the same.
#[derive(Debug, Default)]
pub(super) struct Ignored {
    rules: u64,
    known: std::collections::BTreeMap<GitPath, bool>,
}

#[cfg(test)]
impl CheckoutSnapshot {
    pub(super) fn at(&self) -> Time {
        self.at
    }
}

/// Files with what an index has of each, sorted by path.
type ListedFiles = Vec<(GitPath, Version)>;

impl Git {
    /// Records the current moment, and the index at it.
    pub(crate) fn checkout_snapshot(&self) -> Result<CheckoutSnapshot> {
        Ok(CheckoutSnapshot {
            replaced: self.shared.known.replaced.load(Ordering::Relaxed),
            index: self.look_at_index()?,
            at: self.now()?,
        })
    }

    /// Returns what changed in the user's checkout since then.
    pub(crate) fn changed_since(&self, snapshot: &CheckoutSnapshot) -> Result<CheckoutChanges> {
        let index = self.look_at_index()?;
        // A clock that was set back proves nothing: then everything that differs may have changed since.
        let at = match self.now()? < snapshot.at {
            true => (i64::MIN, 0),
            false => snapshot.at,
        };
        let mut since = CheckoutChanges::default();
        if self.is_touched(&index.shape, at)? {
            let entries = self.status(&GitPath::new(""))?.entries;
            let changed = |path: &GitPath| changed_after(self.work_tree(), path, at);
            since.files = entries
                .into_iter()
                .map(|e| e.path)
                .filter(changed)
                .collect();
        }
        since.unwatched = index
            .unwatched
            .difference(&snapshot.index.unwatched)
            .cloned()
            .collect();
        since.staged = index.content != snapshot.index.content
            && self.shared.known.replaced.load(Ordering::Relaxed) == snapshot.replaced;
        Ok(since)
    }

    /// Returns the time by the clock that stamps the checkout's files, or a little earlier where that may be another one.
    fn now(&self) -> Result<Time> {
        let path = self.scratch_dir()?.join("moment");
        let meta = touched_now(&path).map_err(|e| Error::io("write", &path, &e))?;
        let same = fs::metadata(self.work_tree()).is_ok_and(|tree| tree.dev() == meta.dev());
        let allowance = if same { 0 } else { OTHER_CLOCK };
        Ok((meta.ctime() - allowance, meta.ctime_nsec()))
    }

    /// Returns the user's index, read again only when the file is another one.
    fn look_at_index(&self) -> Result<Arc<IndexLook>> {
        let path = self.git_dir().join("index");
        let identity = identity(&path);
        let kept = || locked(&self.shared.known.index);
        if let Some(look) = kept().as_ref().filter(|look| look.identity == identity) {
            return Ok(look.clone());
        }
        let raw = fs::read(&path).unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        let mut add = |path: &[u8], Version { mode, oid }: Version| {
            (path, mode, oid).hash(&mut hasher);
        };
        let (shape, unwatched) = match IndexFile::parse(&raw, self.object_format()) {
            Some(index) => {
                index.records().for_each(|r| add(r.path, r.version()));
                let unwatched = index.records().filter(|r| r.is_unwatched());
                let unwatched = unwatched.map(|r| GitPath::new(r.path)).collect();
                (index.shape().clone(), unwatched)
            }
            None => {
                let (entries, unwatched) = self.list_index()?;
                let paths = entries
                    .iter()
                    .map(|(path, version)| (path.as_bytes(), version.mode));
                let shape = WorkTreeShape::of(paths);
                entries
                    .iter()
                    .for_each(|(path, version)| add(path.as_bytes(), *version));
                (Arc::new(shape), unwatched)
            }
        };
        let look = Arc::new(IndexLook {
            identity,
            shape,
            unwatched,
            content: hasher.finish(),
        });
        *kept() = Some(look.clone());
        Ok(look)
    }

    /// Asks git for the index: one with features that are not read here.
    fn list_index(&self) -> Result<(ListedFiles, BTreeSet<GitPath>)> {
        let call = GitCommand::new(self, CommandScope::User(None), "ls-files");
        let output = call.args(["-v", "-s", "-z"]).run()?;
        let (mut entries, mut unwatched) = (Vec::new(), BTreeSet::new());
        for record in output.stdout.split(|byte| *byte == 0) {
            let Some(Listed {
                tag, path, version, ..
            }) = Listed::parse(record)
            else {
                continue;
            };
            if tag.is_ascii_lowercase() || tag == b'S' {
                unwatched.insert(path.clone());
            }
            entries.push((path, version));
        }
        Ok((entries, unwatched))
    }

    /// Returns whether anything that is not ignored was touched.
    fn is_touched(&self, shape: &WorkTreeShape, at: Time) -> Result<bool> {
        let directories = shape.with_root();
        let work_tree = self.work_tree();
        let search = TouchedSearch { shape, at };
        let shares = parallel::share(&directories, index::MIN_SHARE, |part| {
            let mut found = DirectoryScan::default();
            let mut tree = NestedDirectories::new(work_tree);
            for directory in part {
                search.look_into(&mut tree, directory, &mut found);
            }
            found
        });
        let mut all = DirectoryScan::default();
        for found in shares {
            all.touched |= found.touched;
            all.unknown.extend(found.unknown);
            all.rules ^= found.rules;
        }
        let links = || {
            shape
                .gitlinks
                .iter()
                .any(|link| repository_changed(&work_tree.join(link.as_path()), at))
        };
        if all.touched || links() {
            return Ok(true);
        }
        let untracked = self.not_ignored(all.unknown, all.rules)?;
        Ok(untracked
            .iter()
            .any(|path| any_below(&work_tree.join(path.as_path()), at)))
    }

    /// Returns the directories that are not ignored; git is asked once about all.
    fn not_ignored(&self, mut paths: Vec<GitPath>, rules: u64) -> Result<Vec<GitPath>> {
        let mut kept = locked(&self.shared.known.ignored);
        let own = fs::symlink_metadata(self.common_dir().join("info/exclude"));
        let rules = rules ^ own.map_or(0, |meta| mark(meta.ino(), ctime(&meta)));
        if kept.rules != rules {
            *kept = Ignored {
                rules,
                ..Ignored::default()
            };
        }
        let requested: Vec<&GitPath> = paths
            .iter()
            .filter(|p| !kept.known.contains_key(*p))
            .collect();
        if !requested.is_empty() {
            let ignored = self.ignored(CommandScope::User(None))?;
            let ignored: BTreeSet<&[u8]> = ignored
                .iter()
                .filter_map(|path| path.as_bytes().strip_suffix(b"/"))
                .collect();
            let answers: Vec<_> = requested
                .into_iter()
                .map(|path| (path.clone(), ignored.contains(path.as_bytes())))
                .collect();
            kept.known.extend(answers);
        }
        paths.retain(|path| kept.known.get(path) != Some(&true));
        Ok(paths)
    }
}
