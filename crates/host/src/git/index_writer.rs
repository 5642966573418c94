//! A writer of index files, of one kind: an index that is known, with some entries replaced (git's documentation,
//! `gitformat-index`).
//!
//! Deliberately absent: making extensions, which git does where it wants them.

use super::Version;
use super::index::IndexFile;
use rustix::fs::Stat;
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;

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
) -> Vec<u8> {
    let added: usize = replaced.values().flatten().map(Vec::len).sum();
    let room = index.raw().len() + added + extensions.len();
    let mut written = Vec::with_capacity(room + Sha1::output_size());
    let (mut from, mut count) = (0, index.places().len());
    for (path, entry) in replaced {
        let found = index.find(path);
        let number = found.unwrap_or_else(|at| at);
        let until = index.start_of(number);
        written.extend_from_slice(&index.raw()[from..until]);
        from = until;
        if found.is_ok() {
            from = index.start_of(number + 1);
            count -= 1;
        }
        if let Some(entry) = entry {
            written.extend_from_slice(entry);
            count += 1;
        }
    }
    let end = index.start_of(index.places().len());
    written.extend_from_slice(&index.raw()[from..end]);
    let count = u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes();
    written[COUNT..COUNT + count.len()].copy_from_slice(&count);
    written.extend_from_slice(extensions);
    match checksum {
        Checksum::Present => {
            let sum = Sha1::digest(&written);
            written.extend_from_slice(&sum);
        }
        Checksum::Absent => written.resize(written.len() + Sha1::output_size(), 0),
    }
    written
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
