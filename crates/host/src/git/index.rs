//! A reader of index files (version 2 or 3): a slot's own, which is needed after every session, and the user's, as far as
//! it uses nothing this reader does not know: such an index, like a damaged one, is `None`, and git is asked instead.
//!
//! An index has an entry for every file of a repository, and a unit changes a few: entries are looked at where they stand
//! in the file, none is copied.
//!
//! Deliberately absent: writing, extensions, entries in conflict, version 4.

use super::equal_records::{Stored, equal_records};
use super::git_path::parent;
use super::index_record::{ATTRIBUTES, FoundRecord, IGNORED, Record, RecordNotes, RecordPlace};
use super::{Change, GitPath, MODE_GITLINK, Version};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

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
    /// Returns the directories and submodules that are above, or at, sorted paths.
    pub(super) fn of<'p>(paths: impl Iterator<Item = (&'p [u8], u32)>) -> WorkTreeShape {
        let mut shape = WorkTreeShape::default();
        let mut previous: &[u8] = b"";
        for (path, mode) in paths {
            if mode == MODE_GITLINK {
                shape.gitlinks.push(GitPath::new(path));
            }
            let mut directory = parent(path);
            if directory == previous {
                continue;
            }
            previous = directory;
            while !directory.is_empty() && shape.directories.insert(GitPath::new(directory)) {
                directory = parent(directory);
            }
        }
        shape
    }

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

/// An index file as it was read, and where each of its records stands.
#[derive(Debug)]
pub(super) struct IndexFile {
    raw: Vec<u8>,
    format: ObjectFormat,
    places: Vec<RecordPlace>,
    notes: RecordNotes,
    shape: OnceLock<Arc<WorkTreeShape>>,
}

impl IndexFile {
    /// Returns what a file says; `None` when it is not a sound index of a known version without conflicts.
    pub(super) fn parse(raw: Vec<u8>, format: ObjectFormat) -> Option<IndexFile> {
        let word = |at: usize| Some(u32::from_be_bytes(raw.get(at..at + 4)?.try_into().ok()?));
        if raw.get(..4)? != b"DIRC" || !matches!(word(4)?, 2 | 3) {
            return None;
        }
        let (count, mut places) = (word(8)?, Vec::new());
        let mut notes = RecordNotes::default();
        let (mut at, mut previous): (usize, Option<&[u8]>) = (HEADER, None);
        for _ in 0..count {
            let found = FoundRecord::at(&raw, at, format)?;
            let name = found.place.name_in(&raw);
            if previous.is_some_and(|previous| previous >= name) {
                return None;
            }
            previous = Some(name);
            places.push(found.place);
            notes.add(&found, name);
            at = found.place.end();
            raw.get(..at)?;
        }
        Some(IndexFile::made(raw, format, (places, notes)))
    }

    /// Returns a sound index whose records stand at these places.
    pub(super) fn made(
        raw: Vec<u8>,
        format: ObjectFormat,
        (places, notes): (Vec<RecordPlace>, RecordNotes),
    ) -> IndexFile {
        IndexFile {
            raw,
            format,
            places,
            notes,
            shape: OnceLock::new(),
        }
    }

    /// Returns the index of no files.
    pub(super) fn empty(format: ObjectFormat) -> IndexFile {
        let raw = b"DIRC\0\0\0\x02\0\0\0\0".to_vec();
        IndexFile::made(raw, format, (Vec::new(), RecordNotes::default()))
    }

    /// Returns the whole file.
    pub(super) fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Returns where the records stand, sorted by path.
    pub(super) fn places(&self) -> &[RecordPlace] {
        &self.places
    }

    /// Returns a record of this file.
    pub(super) fn at(&self, place: RecordPlace) -> Record<'_> {
        Record::new(&self.raw, place, self.format)
    }

    /// Returns the record with this number, counted from 0.
    pub(super) fn get(&self, number: usize) -> Option<Record<'_>> {
        self.places.get(number).map(|place| self.at(*place))
    }

    /// Returns the records, sorted by path.
    pub(super) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.places.iter().map(|place| self.at(*place))
    }

    /// Returns the number of a path's record, or else the number that one would have.
    pub(super) fn find(&self, path: &[u8]) -> Result<usize, usize> {
        self.places
            .binary_search_by(|place| place.name_in(&self.raw).cmp(path))
    }

    /// Returns the record of a path.
    pub(super) fn record_of(&self, path: &[u8]) -> Option<Record<'_>> {
        self.get(self.find(path).ok()?)
    }

    /// Returns the records of what is below a directory.
    pub(super) fn below(&self, directory: &[u8]) -> impl Iterator<Item = Record<'_>> {
        let places = self.places[self.numbers_below(directory)].iter();
        places.map(|place| self.at(*place))
    }

    /// Returns the numbers of the records of what is below a directory.
    pub(super) fn numbers_below(&self, directory: &[u8]) -> Range<usize> {
        let prefix = [directory, b"/"].concat();
        let first = self.find(&prefix).unwrap_or_else(|at| at);
        let is_below = |place: &RecordPlace| place.name_in(&self.raw).starts_with(&prefix);
        first..first + self.places[first..].partition_point(is_below)
    }

    /// Returns where a record begins, or where the last one ends.
    pub(super) fn start_of(&self, number: usize) -> usize {
        match self.places.get(number) {
            Some(place) => place.start(),
            None => self.places.last().map_or(HEADER, |last| last.end()),
        }
    }

    /// Returns what is between the entries and the checksum, as it is stored.
    pub(super) fn extensions(&self) -> Option<&[u8]> {
        let end = self.raw.len().checked_sub(self.format.bytes())?;
        self.raw.get(self.start_of(self.places.len())..end)
    }

    /// Returns the directories and submodules.
    pub(super) fn shape(&self) -> &Arc<WorkTreeShape> {
        self.shape.get_or_init(|| {
            let paths = self.records().map(|r| (r.path, r.mode()));
            Arc::new(WorkTreeShape::of(paths))
        })
    }

    /// Takes the directories and submodules of another index, where they are the same.
    pub(super) fn share_shape(&self, other: &IndexFile) {
        if let Some(shape) = other.shape.get() {
            let _ = self.shape.set(shape.clone());
        }
    }

    /// Returns what is noted of the records.
    pub(super) fn notes(&self) -> &RecordNotes {
        &self.notes
    }

    /// Returns the submodules.
    pub(super) fn links(&self) -> impl Iterator<Item = Record<'_>> {
        let links = self.shape().gitlinks.iter();
        links.filter_map(|link| self.record_of(link.as_bytes()))
    }

    /// Returns whether there is a file at which `git status` does not look, or was before entries were replaced.
    pub(super) fn has_unwatched(&self) -> bool {
        self.notes.has_unwatched
    }

    /// Returns the ignore files, and what they hold.
    pub(super) fn ignore_rules(&self) -> Vec<(&[u8], Version)> {
        let rules = self.rules_in(IGNORED);
        rules
            .map(|record| (record.path, record.version()))
            .collect()
    }

    /// Returns the files of attributes.
    pub(super) fn attribute_files(&self) -> impl Iterator<Item = Record<'_>> {
        self.rules_in(ATTRIBUTES)
    }

    fn rules_in(&self, name: &'static [u8]) -> impl Iterator<Item = Record<'_>> {
        let rules = self.notes.rules.iter().map(|place| self.at(*place));
        rules.filter(move |record| record.path.ends_with(name))
    }

    /// Returns the ids of the files of attributes.
    pub(super) fn attribute_ids(&self) -> Vec<ObjectId> {
        let rules = self.attribute_files();
        rules.map(|record| record.version().oid).collect()
    }
}

impl Stored for IndexFile {
    fn count(&self) -> usize {
        self.places.len()
    }

    fn stretch(&self, numbers: Range<usize>) -> &[u8] {
        &self.raw[self.start_of(numbers.start)..self.start_of(numbers.end)]
    }
}

/// Returns what differs between two indexes, sorted by path.
pub(super) fn changes(old: &IndexFile, new: &IndexFile) -> Vec<Change> {
    let (mut before, mut after) = (0, 0);
    let mut changes = Vec::new();
    loop {
        let same = equal_records((old, before), (new, after));
        (before, after) = (before + same, after + same);
        let (left, right) = (old.get(before), new.get(after));
        let path = match (&left, &right) {
            (None, None) => return changes,
            (Some(record), None) | (None, Some(record)) => record.path,
            (Some(left), Some(right)) => left.path.min(right.path),
        };
        let of = |record: Option<Record<'_>>| {
            let record = record.filter(|record| record.path == path);
            record.map(|record| record.version())
        };
        let (left, right) = (of(left), of(right));
        before += usize::from(left.is_some());
        after += usize::from(right.is_some());
        if left != right {
            changes.push(Change {
                path: GitPath::new(path),
                old: left,
                new: right,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::index_writer::{self, Checksum};
    use gatewalk_core::engine::changed_file::ChangedPath;
    use std::collections::BTreeMap;

    fn index(files: &[(&'static str, u8)]) -> IndexFile {
        let entry = |(path, byte): &(&'static str, u8)| {
            let oid = ObjectId::from_raw(&[*byte; 20]).expect("an id");
            let version = Version {
                mode: 0o100_644,
                oid,
            };
            let entry = index_writer::entry(path.as_bytes(), version, None);
            (path.as_bytes(), Some(entry))
        };
        let entries = files.iter().map(entry).collect();
        let none = IndexFile::empty(ObjectFormat::Sha1);
        let made = index_writer::rewritten(&none, &entries, &[], Checksum::Absent);
        made.expect("an index")
    }

    #[test]
    fn differences_are_found_on_either_side() {
        let old = index(&[("a", 1), ("b", 1), ("d/x", 1), ("e", 1)]);
        let new = index(&[("a", 1), ("b", 2), ("c", 1), ("d", 1), ("e", 1), ("f", 1)]);
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
    fn a_difference_is_found_wherever_it_is_among_many() {
        let names: Vec<&'static str> = (0..200).map(|n| &*format!("{n:03}").leak()).collect();
        let with = |changed: &[usize], gone: usize| {
            let files = names.iter().enumerate();
            let files = files.filter(|(number, _)| *number != gone);
            let byte = |number: usize| u8::from(changed.contains(&number)) + 1;
            let files: Vec<_> = files.map(|(number, name)| (*name, byte(number))).collect();
            index(&files)
        };
        let none = usize::MAX;
        for first in [0, 1, 62, 63, 64, 65, 127, 128, 198, 199] {
            for second in [0, 63, 64, 130, 199] {
                let found = changes(&with(&[], none), &with(&[first, second], none));
                let paths: Vec<String> = found.iter().map(|c| c.path.to_string()).collect();
                let expected: BTreeSet<&str> = [names[first], names[second]].into();
                assert_eq!(paths, expected.into_iter().collect::<Vec<_>>());
            }
            let found = changes(&with(&[], none), &with(&[100], first));
            assert_eq!(found.len(), 2, "{first}");
            assert_eq!(changes(&with(&[100], first), &with(&[], none)).len(), 2);
        }
    }

    #[test]
    fn an_index_with_entries_replaced_is_noted_as_it_would_be_read() {
        let old = index(&[
            (".gitignore", 1),
            ("b/.gitattributes", 1),
            ("c", 1),
            ("d/x", 1),
        ]);
        let names = [
            ".gitattributes",
            ".gitignore",
            "b/.gitattributes",
            "c",
            "d/x",
            "e/.gitignore",
        ];
        // Each name is left alone, taken out or put in.
        for mut choice in 0..3_usize.pow(6) {
            let mut replaced = BTreeMap::new();
            for name in names {
                let entry = || index(&[(name, 2)]).get(0).map(|r| r.stored.to_vec());
                match choice % 3 {
                    0 => {}
                    1 => drop(replaced.insert(name.as_bytes(), None)),
                    _ => drop(replaced.insert(name.as_bytes(), entry())),
                }
                choice /= 3;
            }
            let made = index_writer::rewritten(&old, &replaced, b"", Checksum::Present);
            let made = made.expect("an index");
            let read = IndexFile::parse(made.raw().to_vec(), ObjectFormat::Sha1);
            let read = read.expect("an index");
            assert_eq!((made.places(), made.notes()), (read.places(), read.notes()));
        }
    }

    #[test]
    fn files_are_found_by_their_paths() {
        let index = index(&[("a", 1), ("b-c", 1), ("b/x", 2), ("b/y/z", 3), ("b0", 1)]);
        assert_eq!((index.find(b"b/x"), index.find(b"b")), (Ok(2), Err(1)));
        let below: Vec<&[u8]> = index.below(b"b").map(|record| record.path).collect();
        assert_eq!(below, [b"b/x".as_slice(), b"b/y/z"]);
        let directories: Vec<String> = index
            .shape()
            .directories
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(directories, ["b", "b/y"]);
        assert_eq!(
            index
                .record_of(b"b/y/z")
                .map(|r| r.version().oid.as_raw()[0]),
            Some(3)
        );
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
            assert!(IndexFile::parse(raw.to_vec(), ObjectFormat::Sha1).is_none());
        }
        let unsorted = [index(&[("b", 1)]), index(&[("a", 1)])];
        let mut raw = unsorted[0].raw()[..unsorted[0].start_of(1)].to_vec();
        raw.extend(&unsorted[1].raw()[HEADER..]);
        raw[HEADER - 1] = 2;
        assert!(IndexFile::parse(raw, ObjectFormat::Sha1).is_none());
        let empty = IndexFile::empty(ObjectFormat::Sha1).raw().to_vec();
        let empty = IndexFile::parse(empty, ObjectFormat::Sha1).expect("an index");
        assert!(empty.places().is_empty());
    }
}
