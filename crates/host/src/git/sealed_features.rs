//! What of a slot nothing can have changed: the directories of other features, where mounts make them read-only to all that
//! runs there.
//!
//! Invariants: only what a look found as the index says, and under one name, is left out of the next ones; whatever ran since
//! had it read-only; the directory in its place is still the one that was.

use super::GitPath;
use super::index::IndexFile;
use super::index_record::RecordPlace;
use std::borrow::Cow;
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

    /// Returns whether nothing can have come into a directory.
    pub(super) fn holds_directory(&self, path: &[u8]) -> bool {
        self.looked.directories && self.covers(path)
    }

    /// Returns the places of an index's files that something can have changed, in no order.
    fn exposed(&self, index: &IndexFile) -> Vec<RecordPlace> {
        let places = index.places();
        if !self.looked.files {
            return places.to_vec();
        }
        let inside = index.numbers_below(self.directory.as_bytes());
        let mut exposed = [&places[..inside.start], &places[inside.end..]].concat();
        for own in &self.open {
            exposed.extend_from_slice(&places[index.numbers_below(own.as_bytes())]);
        }
        exposed
    }
}

/// Returns the places of a slot's files that something can have changed since they were found as its index says.
pub(super) fn exposed_places<'i>(
    sealed: Option<&SealedFeatures>,
    index: &'i IndexFile,
) -> Cow<'i, [RecordPlace]> {
    match sealed {
        Some(sealed) => Cow::Owned(sealed.exposed(index)),
        None => Cow::Borrowed(index.places()),
    }
}
