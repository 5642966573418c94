//! A writer of index files, of one kind: an index that is known, with some entries replaced (git's documentation,
//! `gitformat-index`).
//!
//! Deliberately absent: making extensions, which git does where it wants them.

use super::Version;
use super::index::IndexFile;
use super::index_record::{FoundRecord, RecordNotes, RecordPlace};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectFormat;
use rustix::fs::Stat;
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;
use std::ops::Range;

/// What takes the place of an entry, as it is stored, or nothing.
pub(super) type Replacement = Option<Vec<u8>>;

/// The longest path whose length an entry's flags can say.
const LONGEST_NAMED: usize = 0xfff;

/// Where the number of entries stands.
const COUNT: usize = 8;

/// Whether an index ends with a hash of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checksum {
    Present,
    /// Zeros: git reads such an index, and whoever checks it knows that there is none (`index.skipHash`).
    Absent,
}

/// Returns an index of format SHA-1 with the entries of another, except that some paths have other entries or none, and
/// with these extensions.
pub(super) fn rewritten(
    index: &IndexFile,
    replaced: &BTreeMap<&[u8], Replacement>,
    extensions: &[u8],
    checksum: Checksum,
) -> Result<IndexFile> {
    let made = with_entries(index, replaced, extensions, checksum);
    made.ok_or_else(|| Error::internal("an index with entries replaced cannot be made"))
}

fn with_entries(
    index: &IndexFile,
    replaced: &BTreeMap<&[u8], Replacement>,
    extensions: &[u8],
    checksum: Checksum,
) -> Option<IndexFile> {
    let added: usize = replaced.values().flatten().map(Vec::len).sum();
    let room = index.raw().len() + added + extensions.len() + Sha1::output_size();
    let mut written = Entries {
        raw: Vec::with_capacity(room),
        places: Vec::with_capacity(index.places().len() + replaced.len()),
        notes: RecordNotes::default(),
    };
    let header = index.start_of(0);
    written.raw.extend_from_slice(&index.raw()[..header]);
    let mut from = 0;
    for (path, entry) in replaced {
        let found = index.find(path);
        let number = found.unwrap_or_else(|at| at);
        written.take(index, from..number);
        from = number + usize::from(found.is_ok());
        if let Some(entry) = entry {
            written.add(entry)?;
        }
    }
    written.take(index, from..index.places().len());
    let Entries {
        mut raw,
        places,
        notes,
    } = written;
    let count = u32::try_from(places.len()).ok()?.to_be_bytes();
    raw[COUNT..COUNT + count.len()].copy_from_slice(&count);
    raw.extend_from_slice(extensions);
    match checksum {
        Checksum::Present => {
            let sum = Sha1::digest(&raw);
            raw.extend_from_slice(&sum);
        }
        Checksum::Absent => raw.resize(raw.len() + Sha1::output_size(), 0),
    }
    u32::try_from(raw.len()).ok()?;
    Some(IndexFile::made(raw, ObjectFormat::Sha1, (places, notes)))
}

/// The entries of an index that is being made, and what is noted of them.
struct Entries {
    raw: Vec<u8>,
    places: Vec<RecordPlace>,
    notes: RecordNotes,
}

impl Entries {
    /// Adds entries of another index, by their numbers there.
    fn take(&mut self, index: &IndexFile, numbers: Range<usize>) {
        let stretch = index.start_of(numbers.start)..index.start_of(numbers.end);
        let by = self.raw.len() as i64 - stretch.start as i64;
        self.raw.extend_from_slice(&index.raw()[stretch.clone()]);
        let places = index.places()[numbers].iter();
        self.places.extend(places.map(|place| place.moved(by)));
        self.notes.add_moved(index.notes(), &stretch, by);
    }

    fn add(&mut self, entry: &[u8]) -> Option<()> {
        let at = self.raw.len();
        self.raw.extend_from_slice(entry);
        let found = FoundRecord::at(&self.raw, at, ObjectFormat::Sha1)?;
        self.places.push(found.place);
        self.notes.add(&found, found.place.name_in(&self.raw));
        Some(())
    }
}

/// Returns one entry as it is stored: without what the file is, git compares its content.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::unnecessary_cast,
    reason = "an index keeps the low 32 bits, and the fields differ in size from system to system"
)]
pub(super) fn entry(path: &[u8], version: Version, stat: Option<&Stat>) -> Vec<u8> {
    let stat = |field: fn(&Stat) -> u32| stat.map_or(0, field);
    let words = [
        stat(|s| s.st_ctime as u32),
        stat(|s| s.st_ctime_nsec as u32),
        stat(|s| s.st_mtime as u32),
        stat(|s| s.st_mtime_nsec as u32),
        stat(|s| s.st_dev as u32),
        stat(|s| s.st_ino as u32),
        version.mode,
        stat(|s| s.st_uid as u32),
        stat(|s| s.st_gid as u32),
        stat(|s| s.st_size as u32),
    ];
    let mut entry: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    entry.extend(version.oid.as_raw());
    entry.extend((path.len().min(LONGEST_NAMED) as u16).to_be_bytes());
    entry.extend(path);
    // One to eight NULs, to a multiple of eight bytes.
    entry.resize((entry.len() / 8 + 1) * 8, 0);
    entry
}
