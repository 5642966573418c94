//! Records of an index that stand one after another: an index is a list of such blocks, and one that differs from it shares
//! with it all but those in which something does.
//!
//! An index has an entry for every file of a repository, and a unit changes a few: with thousands of finished features that
//! are megabytes, several times a unit.

use super::equal_records::Stored;
use super::index_record::{ATTRIBUTES, IGNORED, Record, RecordPlace};
use super::touched_files::Time;
use gatewalk_core::object_id::ObjectFormat;
use std::ops::Range;
use std::sync::Arc;

/// Records of a block where there are more than it may have: some fifteen kilobytes.
const USUAL: usize = 128;

/// The most records of a block.
const MOST: usize = 2 * USUAL;

/// At least one record, sorted by path with the others.
#[derive(Debug)]
pub(super) struct IndexBlock {
    raw: Box<[u8]>,
    places: Box<[RecordPlace]>,
    format: ObjectFormat,
    /// The numbers of the files of attributes and of what is ignored.
    rules: Box<[usize]>,
    /// Whether there is a file at which `git status` does not look.
    has_unwatched: bool,
    /// When the file that changed last did so.
    latest: Time,
}

/// Blocks of records, and the bytes that these take.
pub(super) type FoundBlocks = (Vec<Arc<IndexBlock>>, usize);

impl IndexBlock {
    /// Returns so many records that these bytes begin with; `None` if there are fewer, or if they are not sorted by path.
    pub(super) fn read(raw: &[u8], count: usize, format: ObjectFormat) -> Option<FoundBlocks> {
        let mut found: Vec<RecordPlace> = Vec::new();
        let (mut end, mut previous): (usize, Option<&[u8]>) = (0, None);
        for _ in 0..count {
            let place = RecordPlace::at(raw, end, format)?;
            let name = place.name_in(raw);
            if previous.is_some_and(|previous| previous >= name) {
                return None;
            }
            previous = Some(name);
            end = place.end();
            raw.get(..end)?;
            found.push(place);
        }
        let blocks = match count {
            0..=MOST => 1,
            _ => count.div_ceil(USUAL),
        };
        let blocks = found.chunks(count.div_ceil(blocks).max(1));
        let blocks = blocks.map(|found| Arc::new(IndexBlock::new(raw, found, format)));
        Some((blocks.collect(), end))
    }

    /// Returns the block of records that were found one after another.
    fn new(raw: &[u8], found: &[RecordPlace], format: ObjectFormat) -> IndexBlock {
        let start = found.first().map_or(0, |first| first.start());
        let end = found.last().map_or(start, |last| last.end());
        let mut block = IndexBlock {
            raw: raw[start..end].into(),
            places: found.iter().map(|place| place.from(start)).collect(),
            format,
            rules: Box::default(),
            has_unwatched: false,
            latest: Time::default(),
        };
        let is_rule = |path: &[u8]| path.ends_with(ATTRIBUTES) || path.ends_with(IGNORED);
        let numbers = 0..block.places.len();
        block.rules = numbers.filter(|n| is_rule(block.name(*n))).collect();
        let has_unwatched = block.records().any(|record| record.is_unwatched());
        block.has_unwatched = has_unwatched;
        let times = block.records().flat_map(|record| record.changed());
        block.latest = times.max().unwrap_or_default();
        block
    }

    pub(super) fn name(&self, number: usize) -> &[u8] {
        self.places[number].name_in(&self.raw)
    }

    /// Returns the record with this number in the block, counted from 0.
    pub(super) fn at(&self, number: usize) -> Record<'_> {
        Record::new(&self.raw, self.places[number], self.format)
    }

    pub(super) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        (0..self.count()).map(|number| self.at(number))
    }

    /// Returns the number of a path's record in the block, or else the number that one would have.
    pub(super) fn find(&self, path: &[u8]) -> Result<usize, usize> {
        self.places
            .binary_search_by(|place| place.name_in(&self.raw).cmp(path))
    }

    /// Returns the files of attributes and of what is ignored.
    pub(super) fn rules(&self) -> impl Iterator<Item = Record<'_>> {
        self.rules.iter().map(|number| self.at(*number))
    }

    pub(super) fn has_unwatched(&self) -> bool {
        self.has_unwatched
    }

    /// Returns the bytes of all records.
    pub(super) fn raw(&self) -> &[u8] {
        &self.raw
    }

    fn start_of(&self, number: usize) -> usize {
        let place = self.places.get(number);
        place.map_or(self.raw.len(), |place| place.start())
    }
}

impl Stored for IndexBlock {
    fn count(&self) -> usize {
        self.places.len()
    }

    fn stretch(&self, numbers: Range<usize>) -> &[u8] {
        &self.raw[self.start_of(numbers.start)..self.start_of(numbers.end)]
    }
}

/// Some records of a block.
#[derive(Debug, Clone)]
pub(super) struct BlockPart<'i> {
    pub(super) block: &'i IndexBlock,
    pub(super) numbers: Range<usize>,
}

impl<'i> BlockPart<'i> {
    pub(super) fn records(&self) -> impl Iterator<Item = Record<'i>> + use<'i> {
        let block = self.block;
        self.numbers.clone().map(|number| block.at(number))
    }

    /// Returns whether there may be a file that changed at a time or later.
    pub(super) fn may_have_changed_since(&self, since: Time) -> bool {
        self.block.latest >= since
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::index::IndexFile;
    use crate::git::index_walk::changes;
    use crate::git::index_writer::{self, Replacement};
    use crate::git::{MODE_FILE, Version};
    use gatewalk_core::object_id::ObjectId;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The files of an index: what each holds, and when it changed, in seconds, both as one byte.
    type Files = BTreeMap<String, (u8, u8)>;

    /// Changes of files: `None` takes one away.
    type Edits = BTreeMap<String, Option<(u8, u8)>>;

    fn entry(path: &str, (content, changed): (u8, u8)) -> Vec<u8> {
        let oid = ObjectId::from_raw(&[content; 20]).unwrap();
        let version = Version {
            mode: MODE_FILE,
            oid,
        };
        let mut entry = index_writer::entry(path.as_bytes(), version, None);
        // The last byte of the seconds of the content's change.
        entry[11] = changed;
        entry
    }

    fn edited(index: &IndexFile, edits: &Edits) -> IndexFile {
        let entry = |(path, file): (&String, &Option<(u8, u8)>)| file.map(|file| entry(path, file));
        let replaced: BTreeMap<&[u8], Replacement> = edits
            .iter()
            .map(|edit| (edit.0.as_bytes(), entry(edit)))
            .collect();
        index_writer::rewritten(index, &replaced, b"").unwrap()
    }

    fn of(files: &Files) -> IndexFile {
        let all = files.iter().map(|(path, file)| (path.clone(), Some(*file)));
        edited(&IndexFile::empty(ObjectFormat::Sha1), &all.collect())
    }

    fn bytes(index: &IndexFile) -> Vec<u8> {
        index.pieces().collect::<Vec<_>>().concat()
    }

    /// Looks at all that an index says, and says of another, which had these files before.
    fn is_of(index: &IndexFile, files: &Files, (before, old): (&IndexFile, &Files)) {
        assert_eq!(bytes(index), bytes(&of(files)));
        let paths: Vec<&str> = files.keys().map(String::as_str).collect();
        let place = |path: &str| paths.partition_point(|own| *own < path);
        for path in paths.iter().copied().chain(["", "a/", "m", "z/z/z"]) {
            let want = match files.contains_key(path) {
                true => Ok(place(path)),
                false => Err(place(path)),
            };
            assert_eq!(index.find(path.as_bytes()), want, "{path}");
            let found = index.record_of(path.as_bytes());
            assert_eq!(
                found.map(|record| record.path),
                want.ok().map(|_| path.as_bytes())
            );
            let below = index.below(path.as_bytes()).map(|record| record.path);
            let want = paths
                .iter()
                .filter(|own| own.starts_with(&format!("{path}/")));
            assert!(below.eq(want.map(|own| own.as_bytes())), "{path}");
        }
        for block in index.blocks() {
            assert!((1..=MOST).contains(&block.count()), "{}", block.count());
        }
        let changed = |record: &Record<'_>| record.changed()[1].0;
        for since in [0, 1, 128, 255] {
            let late = index
                .all_parts()
                .filter(|part| part.may_have_changed_since((since, 0)));
            let late = late.flat_map(|part| part.records());
            let late = late.filter(|record| changed(record) >= since).count();
            let want = files.values().filter(|(_, at)| i64::from(*at) >= since);
            assert_eq!(late, want.count());
        }
        let found = changes(before, index).into_iter();
        let found = found
            .map(|change| change.path.to_string())
            .collect::<Vec<_>>();
        let content = |files: &Files, path: &str| files.get(path).map(|(content, _)| *content);
        let differs = |path: &&String| content(old, path) != content(files, path);
        let mut want: Vec<&String> = old.keys().chain(files.keys()).filter(differs).collect();
        want.sort();
        want.dedup();
        assert!(found.iter().eq(want), "{found:?}");
    }

    /// Makes an index of so many files, changes it again and again, and looks at all it says each time.
    fn follows(start: usize, ways: &[Edits]) {
        let mut files: Files = (0..start)
            .map(|n| {
                (
                    format!("{}/{:03}", ["b", "d", "d/d", "k"][n % 4], n / 4),
                    (1, 1),
                )
            })
            .collect();
        let mut index = of(&files);
        for edits in ways {
            let old = files.clone();
            for (path, file) in edits {
                match file {
                    Some(file) => drop(files.insert(path.clone(), *file)),
                    None => drop(files.remove(path)),
                }
            }
            let new = edited(&index, edits);
            is_of(&new, &files, (&index, &old));
            let read = IndexFile::parse(&bytes(&new), ObjectFormat::Sha1).unwrap();
            is_of(&read, &files, (&index, &old));
            index = new;
        }
    }

    #[test]
    fn an_index_is_what_its_files_are_wherever_they_change() {
        let edit = |(path, file): (&str, Option<(u8, u8)>)| (path.to_owned(), file);
        let first = [
            ("a", Some((1, 200))),
            ("d/070", Some((2, 2))),
            ("z", Some((1, 1))),
        ];
        let then = [
            ("a", None),
            ("b/000", None),
            ("d/070", None),
            ("zz", Some((1, 1))),
        ];
        follows(600, &[first.map(edit).into(), then.map(edit).into()]);
        let none: [(&str, Option<(u8, u8)>); 1] = [("a", None)];
        follows(0, &[first.map(edit).into(), none.map(edit).into()]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        #[ignore = "long"]
        fn an_index_is_what_its_files_are_whatever_it_was_before(
            start in 0_usize..2_000,
            ways in prop::collection::vec(
                prop::collection::btree_map("[a-m](/[a-f]{1,2})?", any::<Option<(u8, u8)>>(), 0..40), 1..6)
        ) {
            follows(start, &ways);
        }
    }

    #[test]
    fn only_the_block_in_which_something_differs_is_made_anew() {
        let files: Files = (0..4_000).map(|n| (format!("{n:04}"), (1, 1))).collect();
        let before = of(&files);
        let edits = [("1000", Some((2, 2))), ("3999x", Some((1, 1)))];
        let edits = edits.map(|(path, file)| (path.to_owned(), file));
        let after = edited(&before, &edits.into());
        let is_new = |block: &&Arc<IndexBlock>| {
            let is_it = |old: &Arc<IndexBlock>| Arc::ptr_eq(old, block);
            !before.blocks().iter().any(is_it)
        };
        assert_eq!(after.blocks().len(), before.blocks().len());
        assert_eq!(after.blocks().iter().filter(is_new).count(), 2);
    }
}
