//! PURE. What to do at one path when the user's checkout follows a branch, given what is there.

use super::{Change, GitPath, MODE_GITLINK, Version};
use std::collections::{BTreeMap, BTreeSet};

/// What the user's index has at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Indexed {
    /// Its mode and id.
    pub(crate) version: Version,
    /// Whether the path is in conflict.
    pub(crate) unmerged: bool,
    /// Left out of the work tree on purpose.
    pub(crate) skip_worktree: bool,
}

/// What tells whether a file, whatever its name, is still the one that was seen, and as it was: device, inode, mode, size and
/// when its content changed last, in seconds and nanoseconds.
pub(super) type FileMarks = (u64, u64, u32, u64, i64, i64);

/// What lies at a path in the work tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WorkTreeState {
    Nothing,
    /// A file or link: its mode, and a digest of its bytes as they are on disk.
    File {
        mode: u32,
        digest: [u8; 32],
    },
    /// A file that is what the index saw, on a file system that gives each change a time of its own: nobody read it.
    AsIndexed(FileMarks),
    /// A directory, a special file, or something behind a file or link: never touched.
    Other,
}

/// What to do at one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathAction {
    /// Nothing: the user staged something else.
    LeaveAll,
    /// Take the new index entry, keep the user's file.
    IndexOnly,
    /// Take the new index entry; the file already is what it should be.
    AlreadyThere,
    /// Take the new file and the new index entry.
    Replace,
}

/// The user's index, and which of its entries the move removes.
#[derive(Debug)]
pub(super) struct View {
    /// The entries of the user's index.
    pub(crate) indexed: BTreeMap<GitPath, Indexed>,
    leaving: BTreeSet<GitPath>,
}

impl View {
    /// Returns the view of an index before these changes.
    pub(super) fn new(indexed: BTreeMap<GitPath, Indexed>, changes: &[Change]) -> View {
        let is_old = |change: &&Change| {
            let entry = indexed.get(&change.path);
            entry.is_some_and(|entry| !entry.unmerged && Some(entry.version) == change.old)
        };
        let removals = changes.iter().filter(|change| change.new.is_none());
        let leaving = removals
            .filter(is_old)
            .map(|change| change.path.clone())
            .collect();
        View { indexed, leaving }
    }

    /// Decides what happens at one path; `clean` is what git would store for the file that is there.
    pub(super) fn decide(
        &self,
        change: &Change,
        found: &WorkTreeState,
        clean: Option<Version>,
    ) -> PathAction {
        let entry = self.indexed.get(&change.path);
        if entry.is_some_and(|e| e.unmerged) || entry.map(|e| e.version) != change.old {
            let same =
                |e: &Indexed| !e.unmerged && Some(e.version) == change.new && clean == change.new;
            return if entry.is_some_and(same) {
                PathAction::AlreadyThere
            } else {
                PathAction::LeaveAll
            };
        }
        if change.new.is_some() && self.collides(&change.path) {
            return PathAction::LeaveAll;
        }
        let link = |version: Option<Version>| version.is_some_and(|v| v.mode == MODE_GITLINK);
        if link(change.old) || link(change.new) {
            let room = change.old.is_none() && *found == WorkTreeState::Nothing;
            return if room {
                PathAction::Replace
            } else {
                PathAction::IndexOnly
            };
        }
        if entry.is_some_and(|e| e.skip_worktree) {
            return if *found == WorkTreeState::Nothing {
                PathAction::AlreadyThere
            } else {
                PathAction::IndexOnly
            };
        }
        match (found, change.old, change.new) {
            (WorkTreeState::Nothing, _, None) => PathAction::AlreadyThere,
            // A directory or file in the way may be gone once the removals are done; if not, the file is kept.
            (WorkTreeState::Nothing | WorkTreeState::Other, None, Some(_)) => PathAction::Replace,
            (WorkTreeState::File { .. }, _, Some(_)) if clean == change.new => {
                PathAction::AlreadyThere
            }
            (WorkTreeState::File { .. }, Some(_), _) if clean == change.old => PathAction::Replace,
            _ => PathAction::IndexOnly,
        }
    }

    /// Returns whether an entry that stays is a parent of the path, or below it.
    fn collides(&self, path: &GitPath) -> bool {
        let stays =
            |entry: &GitPath| self.indexed.contains_key(entry) && !self.leaving.contains(entry);
        let below = GitPath::new([path.as_bytes(), b"/"].concat());
        let mut inside = self.indexed.range(below.clone()..);
        path.parents().any(|parent| stays(&GitPath::new(parent)))
            || inside
                .by_ref()
                .take_while(|(entry, _)| entry.as_bytes().starts_with(below.as_bytes()))
                .any(|(entry, _)| stays(entry))
    }
}
