//! A reader of index files (version 2 or 3): a slot's own, which is needed after every session, and the user's, as far as
//! it uses nothing this reader does not know: such an index, like a damaged one, is `None`, and git is asked instead.
//!
//! Deliberately absent: extensions, entries in conflict, version 4.

use super::equal_records::Stored;
use super::git_path::parent;
use super::index_block::{BlockPart, IndexBlock};
use super::index_record::{ATTRIBUTES, IGNORED, Record};
use super::index_walk::NextRecord;
use super::worktree::Pieces;
use super::{GitPath, MODE_GITLINK, Version};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use sha1::{Digest, Sha1};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::iter;
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

/// An index file as it was read or made.
#[derive(Debug)]
pub(super) struct IndexFile {
    header: [u8; HEADER],
    blocks: Vec<Arc<IndexBlock>>,
    /// The number of each block's first record, and how many records there are.
    firsts: Vec<usize>,
    /// Extensions and checksum.
    tail: Vec<u8>,
    format: ObjectFormat,
    shape: OnceLock<Arc<WorkTreeShape>>,
}

impl IndexFile {
    /// Returns what a file says; `None` when it is not a sound index of a known version without conflicts.
    pub(super) fn parse(raw: &[u8], format: ObjectFormat) -> Option<IndexFile> {
        let (header, rest) = raw.split_first_chunk::<HEADER>()?;
        let word = |at: usize| Some(u32::from_be_bytes(*header[at..].first_chunk()?));
        if !header.starts_with(SIGNATURE) || !matches!(word(4)?, 2 | 3) {
            return None;
        }
        let count = usize::try_from(word(COUNT)?).ok()?;
        let (blocks, end) = IndexBlock::read(rest, count, format)?;
        Some(IndexFile::made(*header, blocks, (&rest[end..], format)))
    }

    fn made(
        header: [u8; HEADER],
        blocks: Vec<Arc<IndexBlock>>,
        (tail, format): (&[u8], ObjectFormat),
    ) -> IndexFile {
        let ends = blocks.iter().scan(0, |count, block| {
            *count += block.count();
            Some(*count)
        });
        IndexFile {
            firsts: iter::once(0).chain(ends).collect(),
            header,
            blocks,
            tail: tail.to_vec(),
            format,
            shape: OnceLock::new(),
        }
    }

    /// Returns the index of no files.
    pub(super) fn empty(format: ObjectFormat) -> IndexFile {
        IndexFile::made(*b"DIRC\0\0\0\x02\0\0\0\0", Vec::new(), (&[], format))
    }

    /// Returns an index of format SHA-1 and this one's version, with other records and these extensions. It has no checksum but
    /// zeros: git reads such an index, and whoever checks it knows that there is none (`index.skipHash`).
    pub(super) fn with_blocks(
        &self,
        blocks: Vec<Arc<IndexBlock>>,
        extensions: &[u8],
    ) -> Option<IndexFile> {
        let tail = [extensions, &[0; CHECKSUM]].concat();
        let mut made = IndexFile::made(self.header, blocks, (&tail, ObjectFormat::Sha1));
        let count = u32::try_from(made.count()).ok()?.to_be_bytes();
        made.header[COUNT..].copy_from_slice(&count);
        let length: usize = made.pieces().map(<[u8]>::len).sum();
        u32::try_from(length).ok()?;
        Some(made)
    }

    /// Writes an index of format SHA-1 with its checksum, which it has from then on. What is hashed is written while the
    /// processor has it at hand.
    pub(super) fn write_with_checksum(&mut self, out: &mut impl Write) -> io::Result<()> {
        let end = self.tail.len().saturating_sub(CHECKSUM);
        let mut hash = Sha1::new();
        for piece in self.pieces_before(end) {
            hash.update(piece);
            out.write_all(piece)?;
        }
        let sum = hash.finalize();
        out.write_all(&sum)?;
        self.tail.truncate(end);
        self.tail.extend_from_slice(&sum);
        Ok(())
    }

    /// Returns the whole file, in pieces.
    pub(super) fn pieces(&self) -> impl Pieces<'_> {
        self.pieces_before(self.tail.len())
    }

    /// Returns all pieces, of what follows the records only so many bytes.
    fn pieces_before(&self, end: usize) -> impl Pieces<'_> {
        let blocks = self.blocks.iter().map(|block| block.raw());
        let header = iter::once(self.header.as_slice());
        header.chain(blocks).chain([&self.tail[..end]])
    }

    /// Returns the records, as many together as they are kept.
    pub(super) fn blocks(&self) -> &[Arc<IndexBlock>] {
        &self.blocks
    }

    /// Returns how many records there are.
    pub(super) fn count(&self) -> usize {
        self.firsts.last().copied().unwrap_or_default()
    }

    /// Returns the records, sorted by path.
    pub(super) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.blocks.iter().flat_map(|block| block.records())
    }

    /// Returns the number of a path's record, counted from 0, or else the number that one would have.
    pub(super) fn find(&self, path: &[u8]) -> Result<usize, usize> {
        let number = |place: NextRecord| self.firsts[place.block] + place.number;
        self.place(path).map(number).map_err(number)
    }

    /// Returns where a path's record is, or else where one would be.
    pub(super) fn place(&self, path: &[u8]) -> Result<NextRecord, NextRecord> {
        let after = self.blocks.partition_point(|block| block.name(0) <= path);
        let Some(block) = after.checked_sub(1) else {
            return Err(NextRecord::default());
        };
        let place = |number| NextRecord { block, number };
        self.blocks[block].find(path).map(place).map_err(place)
    }

    /// Returns the record of a path.
    pub(super) fn record_of(&self, path: &[u8]) -> Option<Record<'_>> {
        let number = self.find(path).ok()?;
        let part = self.parts(number..number + 1).next();
        part.and_then(|part| part.records().next())
    }

    /// Returns the records with these numbers, block by block.
    pub(super) fn parts(&self, numbers: Range<usize>) -> impl Iterator<Item = BlockPart<'_>> {
        let first = self.firsts.partition_point(|first| *first <= numbers.start);
        let blocks = self.blocks.iter().zip(&self.firsts);
        let blocks = blocks.skip(first.saturating_sub(1));
        let blocks = blocks.take_while({
            let end = numbers.end;
            move |(_, first)| **first < end
        });
        blocks.map(move |(block, first)| BlockPart {
            block,
            numbers: numbers.start.saturating_sub(*first)..(numbers.end - first).min(block.count()),
        })
    }

    /// Returns all records, block by block.
    pub(super) fn all_parts(&self) -> impl Iterator<Item = BlockPart<'_>> {
        self.parts(0..self.count())
    }

    /// Returns the records of what is below a directory.
    pub(super) fn below(&self, directory: &[u8]) -> impl Iterator<Item = Record<'_>> {
        let parts = self.parts(self.numbers_below(directory));
        parts.flat_map(|part| part.records())
    }

    /// Returns the numbers of the records of what is below a directory.
    pub(super) fn numbers_below(&self, directory: &[u8]) -> Range<usize> {
        let place = |end: u8| {
            let path = [directory, &[end]].concat();
            self.find(&path).unwrap_or_else(|at| at)
        };
        place(b'/')..place(b'/' + 1)
    }

    /// Returns what is between the entries and the checksum, as it is stored.
    pub(super) fn extensions(&self) -> Option<&[u8]> {
        let end = self.tail.len().checked_sub(self.format.bytes())?;
        self.tail.get(..end)
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

    /// Returns the submodules.
    pub(super) fn links(&self) -> impl Iterator<Item = Record<'_>> {
        let links = self.shape().gitlinks.iter();
        links.filter_map(|link| self.record_of(link.as_bytes()))
    }

    /// Returns whether there is a file at which `git status` does not look.
    pub(super) fn has_unwatched(&self) -> bool {
        self.blocks.iter().any(|block| block.has_unwatched())
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
        let rules = self.blocks.iter().flat_map(|block| block.rules());
        rules.filter(move |record| record.path.ends_with(name))
    }

    /// Returns the ids of the files of attributes.
    pub(super) fn attribute_ids(&self) -> Vec<ObjectId> {
        let rules = self.attribute_files();
        rules.map(|record| record.version().oid).collect()
    }
}

/// Bytes of a checksum of format SHA-1.
const CHECKSUM: usize = 20;

/// How an index begins, and where the number of entries stands.
const SIGNATURE: &[u8] = b"DIRC";
const COUNT: usize = 8;

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::git::{MODE_FILE, index_writer};
    use std::collections::BTreeMap;

    /// Returns an index of files, each with an id of one byte repeated.
    pub(in crate::git) fn index(files: &[(&'static str, u8)]) -> IndexFile {
        let entry = |(path, byte): &(&'static str, u8)| {
            let oid = ObjectId::from_raw(&[*byte; 20]).expect("an id");
            let version = Version {
                mode: MODE_FILE,
                oid,
            };
            let entry = index_writer::entry(path.as_bytes(), version, None);
            (path.as_bytes(), Some(entry))
        };
        let entries = files.iter().map(entry).collect();
        let none = IndexFile::empty(ObjectFormat::Sha1);
        let made = index_writer::rewritten(&none, &entries, &[]);
        made.expect("an index")
    }

    fn raw(index: &IndexFile) -> Vec<u8> {
        index.pieces().collect::<Vec<_>>().concat()
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
                let entry = || {
                    let one = index(&[(name, 2)]);
                    one.records().next().map(|r| r.stored.to_vec())
                };
                match choice % 3 {
                    0 => {}
                    1 => drop(replaced.insert(name.as_bytes(), None)),
                    _ => drop(replaced.insert(name.as_bytes(), entry())),
                }
                choice /= 3;
            }
            let made = index_writer::rewritten(&old, &replaced, b"");
            let made = made.expect("an index");
            let read = IndexFile::parse(&raw(&made), ObjectFormat::Sha1);
            let read = read.expect("an index");
            assert!(made.records().eq(read.records()));
            assert_eq!(made.ignore_rules(), read.ignore_rules());
            assert_eq!(made.attribute_ids(), read.attribute_ids());
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
            assert!(IndexFile::parse(raw, ObjectFormat::Sha1).is_none());
        }
        let [b, a] = [index(&[("b", 1)]), index(&[("a", 1)])];
        let mut unsorted = [&b.header, b.blocks[0].raw(), a.blocks[0].raw(), &b.tail].concat();
        unsorted[HEADER - 1] = 2;
        assert!(IndexFile::parse(&unsorted, ObjectFormat::Sha1).is_none());
        let empty = raw(&IndexFile::empty(ObjectFormat::Sha1));
        let empty = IndexFile::parse(&empty, ObjectFormat::Sha1).expect("an index");
        assert_eq!(empty.records().count(), 0);
    }
}
