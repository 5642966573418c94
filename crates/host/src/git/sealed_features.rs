//! What of a slot nothing can have changed: the directories of other features, where mounts make them read-only to all that
//! runs there.
//!
//! Invariants: only what a look found as the index says, and under one name, is left out of the next ones; whatever ran since
//! had it read-only; the directory in its place is still the one that was.

use super::GitPath;
use super::index::{IndexFile, WorkTreeShape};
use super::index_block::BlockPart;
use std::collections::BTreeSet;

/// The features' directory of a slot, since when all that ran could write in some of it only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SealedFeatures {
    pub(super) directory: GitPath,
    pub(super) place: DirectoryIdentity,
    /// The features that something could write.
    pub(super) open: BTreeSet<GitPath>,
    /// What looks found since.
    pub(super) looked: FoundWhole,
}

/// What is known to be as the index says in the sealed part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FoundWhole {
    /// Every tracked file, and that none has another name.
    pub(super) files: bool,
    /// That its directories hold nothing else.
    pub(super) directories: bool,
}

/// A directory, whatever its name.
pub(super) type DirectoryIdentity = (u64, u64);

impl SealedFeatures {
    /// Returns whether something is in what nothing could write.
    pub(super) fn covers(&self, path: &[u8]) -> bool {
        self.directory.is_above(path) && !self.open.iter().any(|own| own.is_at_or_above(path))
    }
}

/// Returns the records of a slot's files that something can have changed since they were found as its index says, in no order.
pub(super) fn exposed_records<'i>(
    sealed: Option<&SealedFeatures>,
    index: &'i IndexFile,
) -> Vec<BlockPart<'i>> {
    let Some(sealed) = sealed.filter(|sealed| sealed.looked.files) else {
        return index.all_parts().collect();
    };
    let inside = index.numbers_below(sealed.directory.as_bytes());
    let open = sealed.open.iter();
    let open = open.map(|own| index.numbers_below(own.as_bytes()));
    let outside = [0..inside.start, inside.end..index.count()];
    let numbers = outside.into_iter().chain(open);
    numbers.flat_map(|numbers| index.parts(numbers)).collect()
}

/// Returns the directories of a slot that something can have come into since they were found to hold nothing else, in no order.
pub(super) fn exposed_directories<'s>(
    sealed: Option<&SealedFeatures>,
    shape: &'s WorkTreeShape,
) -> Vec<&'s GitPath> {
    let all = &shape.directories;
    let Some(sealed) = sealed.filter(|sealed| sealed.looked.directories) else {
        return all.iter().collect();
    };
    // What is below a directory follows its name and a slash.
    let end = |directory: &GitPath, end: u8| GitPath::new([directory.as_bytes(), &[end]].concat());
    let below = |directory: &GitPath| end(directory, b'/')..end(directory, b'/' + 1);
    let inside = below(&sealed.directory);
    let open = sealed.open.iter();
    let open = open.flat_map(|own| all.get(own).into_iter().chain(all.range(below(own))));
    let outside = all.range(..inside.start).chain(all.range(inside.end..));
    outside.chain(open).collect()
}
