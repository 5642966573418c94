//! A writer of index files, of one kind: an index that is known, with some entries replaced (git's documentation,
//! `gitformat-index`).
//!
//! Deliberately absent: making extensions, which git does where it wants them.

use super::Version;
use super::index::Record;
use rustix::fs::Stat;
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;

/// What takes the place of an entry, or nothing: without what the file is, git compares its content.
pub(super) type Replacement = Option<(Version, Option<Stat>)>;

/// The longest path whose length an entry's flags can say.
const LONGEST_NAMED: usize = 0xfff;

/// Returns an index of format SHA-1 with these records, except that some paths have other entries or none, and with
/// these extensions.
pub(super) fn rewritten(
    header: &[u8; 8],
    records: &[Record<'_>],
    replaced: &BTreeMap<&[u8], Replacement>,
    extensions: &[u8],
) -> Vec<u8> {
    let (mut entries, mut count) = (Vec::new(), 0_u32);
    let mut add = |stored: &[u8]| {
        entries.extend_from_slice(stored);
        count += 1;
    };
    let mut waiting = replaced.iter().peekable();
    for record in records {
        while let Some((path, new)) = waiting.next_if(|(path, _)| **path < record.path) {
            new.iter().for_each(|new| add(&entry(path, new)));
        }
        match waiting.next_if(|(path, _)| **path == record.path) {
            Some((path, new)) => new.iter().for_each(|new| add(&entry(path, new))),
            None => add(record.stored),
        }
    }
    for (path, new) in waiting {
        new.iter().for_each(|new| add(&entry(path, new)));
    }
    let mut index = header.to_vec();
    index.extend(count.to_be_bytes());
    index.extend(entries);
    index.extend(extensions);
    let sum = Sha1::digest(&index);
    index.extend_from_slice(&sum);
    index
}

/// Returns one entry.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::unnecessary_cast,
    reason = "an index keeps the low 32 bits, and the fields differ in size from system to system"
)]
fn entry(path: &[u8], (version, stat): &(Version, Option<Stat>)) -> Vec<u8> {
    let stat = |field: fn(&Stat) -> u32| stat.as_ref().map_or(0, field);
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
