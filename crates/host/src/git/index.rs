//! A reader of index files (version 2 or 3): a slot's own, which is needed after every session, and the user's, as far as
//! it uses nothing this reader does not know: such an index, like a damaged one, is `None`, and git is asked instead.
//!
//! Deliberately absent: writing, extensions, entries in conflict, version 4.

use super::{Change, GitPath, MODE_GITLINK, Version};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use std::collections::BTreeSet;
use std::iter::Peekable;
use std::sync::LazyLock;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexEntry {
    /// The path from the root.
    pub(crate) path: GitPath,
    pub(crate) version: Version,
}

/// What an index says of a file, without copying it.
pub(super) trait IndexedFile {
    fn path(&self) -> &[u8];
    fn version(&self) -> Version;
}

impl IndexedFile for IndexEntry {
    fn path(&self) -> &[u8] {
        self.path.as_bytes()
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl IndexedFile for Record<'_> {
    fn path(&self) -> &[u8] {
        self.path
    }

    fn version(&self) -> Version {
        self.version
    }
}

/// The shape of a work tree, by its index.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct WorkTreeShape {
    /// Directories with tracked files, the root left out.
    pub(crate) directories: BTreeSet<GitPath>,
    pub(crate) gitlinks: Vec<GitPath>,
}

/// Directories below which another thread costs more than looking into them takes.
pub(super) const MIN_SHARE: usize = 32;

impl WorkTreeShape {
    /// Returns the root and the directories.
    pub(super) fn with_root(&self) -> Vec<&GitPath> {
        static ROOT: LazyLock<GitPath> = LazyLock::new(|| GitPath::new(""));
        std::iter::once(&*ROOT).chain(&self.directories).collect()
    }

    /// Returns whether a directory has tracked files, or is a submodule's.
    pub(super) fn knows(&self, directory: &GitPath) -> bool {
        self.directories.contains(directory) || self.gitlinks.contains(directory)
    }
}

/// The length of what precedes the entries.
const HEADER: usize = 12;

/// Bits of an entry's flags: the file is taken to be unchanged, the entry is an extended one, the stage of a conflict.
const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
/// Bits of the extended flags: the file is left out of the checkout, the entry only announces a file.
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// One entry with all that the index keeps of its file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    /// The path from the root, as bytes.
    pub(crate) path: &'a [u8],
    /// The whole entry as it is stored.
    pub(crate) stored: &'a [u8],
    pub(crate) version: Version,
    /// Seconds and nanoseconds of the last change of the inode and of the content, cut to 32 bits, then inode and size.
    pub(crate) marks: [u32; 6],
    /// Whether `git status` does not look at the file.
    pub(crate) unwatched: bool,
}

impl Record<'_> {
    /// Returns what does not depend on the file in the work tree.
    pub(super) fn entry(&self) -> IndexEntry {
        IndexEntry {
            path: GitPath::new(self.path),
            version: self.version,
        }
    }
}

/// Returns the records, sorted by path; `None` when it is not a sound index of a known version without conflicts.
pub(super) fn records(raw: &[u8], format: ObjectFormat) -> Option<Vec<Record<'_>>> {
    let word = |at: usize| Some(u32::from_be_bytes(raw.get(at..at + 4)?.try_into().ok()?));
    let half = |at: usize| Some(u16::from_be_bytes(raw.get(at..at + 2)?.try_into().ok()?));
    if raw.get(..4)? != b"DIRC" || !matches!(word(4)?, 2 | 3) {
        return None;
    }
    let mut records = Vec::new();
    let mut at = HEADER;
    for _ in 0..word(8)? {
        let flags_at = at + 40 + format.bytes();
        let flags = half(flags_at)?;
        let (more, name_at) = match flags & EXTENDED {
            0 => (0, flags_at + 2),
            _ => (half(flags_at + 2)?, flags_at + 4),
        };
        if flags & STAGE != 0 || more & INTENT_TO_ADD != 0 {
            return None;
        }
        let length = memchr::memchr(0, raw.get(name_at..)?)?;
        // Entries are padded with one to eight NULs to a multiple of eight bytes.
        let end = at + ((name_at + length - at) / 8 + 1) * 8;
        records.push(Record {
            path: &raw[name_at..name_at + length],
            stored: raw.get(at..end)?,
            version: Version {
                mode: word(at + 24)?,
                oid: ObjectId::from_raw(raw.get(at + 40..flags_at)?)?,
            },
            marks: [
                word(at)?,
                word(at + 4)?,
                word(at + 8)?,
                word(at + 12)?,
                word(at + 20)?,
                word(at + 36)?,
            ],
            unwatched: flags & ASSUME_VALID != 0 || more & SKIP_WORKTREE != 0,
        });
        at = end;
    }
    records
        .is_sorted_by(|a, b| a.path < b.path)
        .then_some(records)
}

/// Returns the entries, sorted by path; `None` as [`records`].
pub(super) fn entries(raw: &[u8], format: ObjectFormat) -> Option<Vec<IndexEntry>> {
    let records = records(raw, format)?;
    Some(records.iter().map(Record::entry).collect())
}

/// Returns the ignore files.
pub(super) fn ignore_rules(entries: &[impl IndexedFile]) -> Vec<IndexEntry> {
    let rules = entries
        .iter()
        .filter(|entry| entry.path().ends_with(b".gitignore"));
    let kept = rules.map(|entry| IndexEntry {
        path: GitPath::new(entry.path()),
        version: entry.version(),
    });
    kept.collect()
}

/// Returns the ids of the files of attributes.
pub(super) fn attribute_files(records: &[Record<'_>]) -> Vec<ObjectId> {
    let rules = records
        .iter()
        .filter(|record| record.path.ends_with(b".gitattributes"));
    rules.map(|record| record.version.oid).collect()
}

/// Returns what an index has between its entries and its checksum, as it is stored.
pub(super) fn extensions<'a>(raw: &'a [u8], records: &[Record<'_>]) -> Option<&'a [u8]> {
    let entries: usize = records.iter().map(|record| record.stored.len()).sum();
    let end = raw.len().checked_sub(ObjectFormat::Sha1.bytes())?;
    raw.get(HEADER + entries..end)
}

/// Returns the directories and submodules of an index.
pub(super) fn shape(entries: &[impl IndexedFile]) -> WorkTreeShape {
    let mut shape = WorkTreeShape::default();
    let mut previous: &[u8] = b"";
    for entry in entries {
        let path = entry.path();
        if entry.version().mode == MODE_GITLINK {
            shape.gitlinks.push(GitPath::new(path));
        }
        let mut directory = path
            .iter()
            .rposition(|byte| *byte == b'/')
            .map_or(&path[..0], |end| &path[..end]);
        if directory == previous {
            continue;
        }
        previous = directory;
        while !directory.is_empty() && shape.directories.insert(GitPath::new(directory)) {
            let end = directory
                .iter()
                .rposition(|byte| *byte == b'/')
                .unwrap_or(0);
            directory = &directory[..end];
        }
    }
    shape
}

/// Returns what differs between two indexes, sorted by path.
pub(super) fn changes(old: &[IndexEntry], new: &[impl IndexedFile]) -> Vec<Change> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut changes = Vec::new();
    loop {
        let path = match (old.peek(), new.peek()) {
            (None, None) => return changes,
            (Some(entry), None) => entry.path(),
            (None, Some(entry)) => entry.path(),
            (Some(before), Some(after)) => before.path().min(after.path()),
        };
        let (before, after) = (take(&mut old, path), take(&mut new, path));
        if before != after {
            changes.push(Change {
                path: GitPath::new(path),
                old: before,
                new: after,
            });
        }
    }
}

fn take<'a, E: IndexedFile + 'a>(
    entries: &mut Peekable<impl Iterator<Item = &'a E>>,
    path: &[u8],
) -> Option<Version> {
    entries
        .next_if(|entry| entry.path() == path)
        .map(|entry| entry.version())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gatewalk_core::engine::changed_file::ChangedPath;

    fn entry(path: &str, byte: u8) -> IndexEntry {
        let oid = ObjectId::from_raw(&[byte; 20]).expect("an id");
        IndexEntry {
            path: path.into(),
            version: Version {
                mode: 0o100_644,
                oid,
            },
        }
    }

    #[test]
    fn differences_are_found_on_either_side() {
        let old = [entry("a", 1), entry("b", 1), entry("d/x", 1), entry("e", 1)];
        let new = [
            entry("a", 1),
            entry("b", 2),
            entry("c", 1),
            entry("d", 1),
            entry("e", 1),
            entry("f", 1),
        ];
        let found: Vec<String> = changes(&old, &new)
            .iter()
            .map(|change| format!("{:?} {}", ChangedPath::from(change).kind, change.path))
            .collect();
        assert_eq!(
            found,
            ["Modified b", "Added c", "Added d", "Deleted d/x", "Added f"]
        );
        assert!(changes(&old, &old).is_empty());
    }

    #[test]
    fn what_is_not_an_index_is_refused() {
        let rows: [&[u8]; 5] = [
            b"",
            b"DIRC",
            b"DIRC\0\0\0\x04\0\0\0\0",
            b"DIRC\0\0\0\x02\0\0\0\x01",
            &[0xff; 200],
        ];
        for raw in rows {
            assert_eq!(entries(raw, ObjectFormat::Sha1), None);
        }
        assert_eq!(
            entries(b"DIRC\0\0\0\x02\0\0\0\0", ObjectFormat::Sha1),
            Some(Vec::new())
        );
    }
}
