//! Sealing a slot: the directories of other features made read-only to all that runs there, as long as nothing else may have
//! written in them.

use super::GitPath;
use super::index_record::Record;
use super::nested_directories::NestedDirectories;
use super::sealed_features::{DirectoryIdentity, FoundWhole, SealedFeatures};
use super::slot::Slot;
use rustix::fs::Stat;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Below so many files of other features looking at them costs less than it is worth to run things differently.
const LEAST: usize = 256;

/// What is to be read-only to something that runs in a slot, and what of it not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seal {
    pub(crate) features: PathBuf,
    pub(crate) own: PathBuf,
}

impl Slot {
    /// Returns what can be read-only to all that runs here next, except one feature's directory, and takes note that it is;
    /// nothing where that is not worth it, or where something else stands in those places.
    pub(crate) fn seal(&self, own: &GitPath) -> Option<Seal> {
        let seal = self.sealable(own);
        if seal.is_none() {
            self.unseal();
        }
        seal
    }

    fn sealable(&self, own: &GitPath) -> Option<Seal> {
        // A command beside it could put a link into one of these places after they were looked at.
        if self.is_shared() {
            return None;
        }
        let end = memchr::memrchr(b'/', own.as_bytes())?;
        let directory = GitPath::new(&own.as_bytes()[..end]);
        let is_other = |record: &Record<'_>| !own.is_above(record.path);
        let index = self.prepared_index()?;
        let inside = index.below(directory.as_bytes());
        if inside.filter(is_other).take(LEAST).count() < LEAST {
            return None;
        }
        let mut tree = NestedDirectories::new(self.dir());
        tree.stat_directory(own)?;
        let place = place(&tree.stat_directory(&directory)?);
        let before = self.sealed_features();
        let before = before.filter(|b| (&b.directory, b.place) == (&directory, place));
        let mut sealed = before.unwrap_or(SealedFeatures {
            directory,
            place,
            open: BTreeSet::new(),
            looked: FoundWhole::default(),
        });
        let seal = Seal {
            features: self.dir().join(sealed.directory.as_path()),
            own: self.dir().join(own.as_path()),
        };
        sealed.open.insert(own.clone());
        self.change_sealed_features(|known| *known = Some(sealed));
        Some(seal)
    }

    /// Takes note that something may have changed any file, or is going to.
    pub(crate) fn unseal(&self) {
        self.change_sealed_features(|known| *known = None);
    }

    /// Takes note that a file is written or removed by us beside the index.
    pub(crate) fn unseal_at(&self, path: &GitPath) {
        if self
            .sealed_features()
            .is_some_and(|s| s.covers(path.as_bytes()))
        {
            self.unseal();
        }
    }

    /// Returns the part that is sealed, if its directory is still in its place.
    pub(super) fn sealed(&self) -> Option<SealedFeatures> {
        let sealed = self.sealed_features()?;
        let mut tree = NestedDirectories::new(self.dir());
        let now = tree.stat_directory(&sealed.directory);
        if now.is_some_and(|now| place(&now) == sealed.place) {
            return Some(sealed);
        }
        self.unseal();
        None
    }

    /// Takes note of what a look at a sealed part found.
    pub(super) fn found_whole(&self, sealed: Option<&SealedFeatures>, found: FoundWhole) {
        self.change_sealed_features(|known| {
            // Not where something began meanwhile that nothing keeps from it.
            if let Some(known) = known.as_mut().filter(|known| Some(&**known) == sealed) {
                known.looked.files |= found.files;
                known.looked.directories |= found.directories;
            }
        });
    }
}

#[allow(
    clippy::unnecessary_cast,
    clippy::cast_sign_loss,
    reason = "the fields differ from system to system"
)]
fn place(meta: &Stat) -> DirectoryIdentity {
    (meta.st_dev as u64, meta.st_ino as u64)
}
