//! A tree as git stores it, looked at where it stands and made anew around what differs: that of thousands of features is
//! read and written with every landing (a mode, a space, a name, a zero and an id for each entry: the book Pro Git, "Git Internals - Git Objects").

use super::equal_records::Stored;
use super::{MODE_TREE, Version};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// One entry: a name, and what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeRecord<'t> {
    pub(super) name: &'t [u8],
    pub(super) version: Version,
}

impl<'t> TreeRecord<'t> {
    /// Adds the entry to a tree's bytes.
    fn store(&self, raw: &mut Vec<u8>) {
        raw.extend(format!("{:o} ", self.version.mode).into_bytes());
        raw.extend(self.name);
        raw.push(0);
        raw.extend(self.version.oid.as_raw());
    }

    /// Returns the name by which git orders an entry: a directory's ends in a slash.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &'t u8> {
        let end = (self.version.mode == MODE_TREE).then_some(&b'/');
        self.name.iter().chain(end)
    }
}

/// Where the records of a tree begin in it, in bytes, and where the last one ends.
pub(super) type RecordStarts = Arc<[u32]>;

/// Returns where the records of these bytes begin; `None` if they are malformed.
pub(super) fn record_starts(raw: &[u8], format: ObjectFormat) -> Option<RecordStarts> {
    let mut starts = vec![0];
    let mut at = 0;
    while at < raw.len() {
        let space = at + memchr::memchr(b' ', &raw[at..])?;
        let is_mode = (1..=MOST_DIGITS).contains(&(space - at));
        if !is_mode
            || !raw[at..space]
                .iter()
                .all(|byte| matches!(byte, b'0'..=b'7'))
        {
            return None;
        }
        at = space + memchr::memchr(0, &raw[space..])? + 1 + format.bytes();
        starts.push(u32::try_from(at).ok()?);
    }
    (at == raw.len()).then(|| starts.into())
}

/// The most digits of a mode: those that git writes have six.
const MOST_DIGITS: usize = 10;

/// A tree that is well formed.
#[derive(Debug, Clone)]
pub(super) struct TreeObject {
    raw: Arc<[u8]>,
    starts: RecordStarts,
    format: ObjectFormat,
}

impl TreeObject {
    /// Returns the tree of these bytes, whose records begin there.
    pub(super) fn new(raw: Arc<[u8]>, starts: RecordStarts, format: ObjectFormat) -> TreeObject {
        TreeObject {
            raw,
            starts,
            format,
        }
    }

    /// Returns a tree without entries.
    pub(super) fn empty(format: ObjectFormat) -> TreeObject {
        TreeObject::new(Arc::default(), [0].into(), format)
    }

    /// Returns the entries, in the order in which they are stored.
    pub(super) fn records(&self) -> impl Iterator<Item = TreeRecord<'_>> {
        (0..self.count()).map(|number| self.at(number))
    }

    /// Returns the entry with this number, counted from 0.
    pub(super) fn get(&self, number: usize) -> Option<TreeRecord<'_>> {
        (number < self.count()).then(|| self.at(number))
    }

    fn at(&self, number: usize) -> TreeRecord<'_> {
        let (mode, name, oid) = self.parts(number);
        let digit = |mode: u32, byte: &u8| mode * 8 + u32::from(byte - b'0');
        let oid = ObjectId::from_raw(oid).unwrap_or_else(|| self.format.zero());
        TreeRecord {
            name,
            version: Version {
                mode: mode.iter().fold(0, digit),
                oid,
            },
        }
    }

    /// Returns the digits of an entry's mode, its name and the bytes of its id. That they are there was seen when the tree
    /// was read.
    fn parts(&self, number: usize) -> (&[u8], &[u8], &[u8]) {
        let record = self.stretch(number..number + 1);
        let (entry, oid) = record.split_at(record.len() - self.format.bytes());
        let space = entry.iter().position(|byte| *byte == b' ');
        let (mode, name) = entry.split_at(space.unwrap_or_default());
        (mode, &name[1..name.len() - 1], oid)
    }

    fn name(&self, number: usize) -> &[u8] {
        self.parts(number).1
    }

    /// Returns what a name stands for.
    pub(super) fn find(&self, name: &[u8]) -> Option<Version> {
        let found = (0..self.count()).find(|number| self.name(*number) == name);
        found.map(|number| self.at(number).version)
    }

    /// Finds what each of these names stands for, in one pass.
    pub(super) fn look_up(&self, names: &mut BTreeMap<&[u8], Option<Version>>) {
        for number in 0..self.count() {
            if let Some(found) = names.get_mut(self.name(number)) {
                *found = Some(self.at(number).version);
            }
        }
    }

    /// Returns the tree as git stores it, with some names standing for something else, or for nothing.
    pub(super) fn edited(&self, edits: &BTreeMap<&[u8], Option<Version>>) -> Vec<u8> {
        let added = edits.iter().filter_map(|(name, version)| {
            let version = (*version)?;
            Some(TreeRecord { name, version })
        });
        let mut added: Vec<TreeRecord<'_>> = added.collect();
        added.sort_by(|a, b| a.in_order().cmp(b.in_order()));
        let mut added = added.into_iter().peekable();
        let mut raw = Vec::with_capacity(self.raw.len() + ROOM);
        for number in 0..self.count() {
            let present = self.stretch(number..number + 1);
            let is_next = |new: &TreeRecord<'_>| new.in_order().lt(self.at(number).in_order());
            while let Some(new) = added.next_if(is_next) {
                new.store(&mut raw);
            }
            if !edits.contains_key(self.name(number)) {
                raw.extend_from_slice(present);
            }
        }
        added.for_each(|new| new.store(&mut raw));
        raw
    }
}

/// Bytes that a few new entries of a tree take.
const ROOM: usize = 512;

impl Stored for TreeObject {
    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn stretch(&self, numbers: Range<usize>) -> &[u8] {
        &self.raw[self.starts[numbers.start] as usize..self.starts[numbers.end] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::MODE_FILE;

    fn version(mode: u32, byte: u8) -> Version {
        let oid = ObjectId::from_raw(&[byte; 20]).unwrap();
        Version { mode, oid }
    }

    fn parse(raw: &[u8]) -> Option<TreeObject> {
        let starts = record_starts(raw, ObjectFormat::Sha1)?;
        Some(TreeObject::new(raw.into(), starts, ObjectFormat::Sha1))
    }

    #[test]
    fn entries_are_found_and_stored_in_gits_order() {
        let records = [
            ("b", MODE_TREE, 1),
            ("b.c", MODE_FILE, 2),
            ("b0", MODE_FILE, 3),
            ("a b", MODE_FILE, 4),
        ];
        let put = |(name, mode, byte): (&'static str, u32, u8)| {
            (name.as_bytes(), Some(version(mode, byte)))
        };
        let raw = TreeObject::empty(ObjectFormat::Sha1).edited(&records.map(put).into());
        let tree = parse(&raw).unwrap();
        let names: Vec<&[u8]> = tree.records().map(|record| record.name).collect();
        // A directory comes where its name with a slash would.
        assert_eq!(names, [b"a b".as_slice(), b"b.c", b"b", b"b0"]);
        assert_eq!(tree.find(b"b"), Some(version(MODE_TREE, 1)));
        assert_eq!(tree.find(b"b0"), Some(version(MODE_FILE, 3)));
        assert_eq!(tree.find(b"b.d"), None);
        assert!(raw.starts_with(b"100644 a b\0"), "{raw:?}");
        let none = parse(b"").unwrap();
        assert_eq!(none.records().count(), 0);
        for length in 1..raw.len() {
            let cut = parse(&raw[..length]);
            let whole = raw[..length].ends_with(&[4; 20])
                || raw[..length].ends_with(&[2; 20])
                || raw[..length].ends_with(&[1; 20]);
            assert_eq!(cut.is_some(), whole, "{length}");
        }
        for malformed in [&b"100644 a\0short"[..], b"10x644 a\0", b"no space", b" a\0"] {
            let raw = [malformed, &[1; 19]].concat();
            assert!(parse(&raw).is_none());
        }
    }

    #[test]
    fn an_edited_tree_is_the_one_that_has_those_entries() {
        const NAMES: [&str; 4] = ["a", "a-b", "a0", "b"];
        // Each name stands for nothing, a file or a directory.
        let all: Vec<[Option<Version>; 4]> = (0..81)
            .map(|choice| {
                let modes = [None, Some(MODE_FILE), Some(MODE_TREE)];
                [1, 3, 9, 27].map(|unit| Some(version(modes[choice / unit % 3]?, 1)))
            })
            .collect();
        let names = |versions: &[Option<Version>; 4]| -> BTreeMap<&[u8], Option<Version>> {
            NAMES
                .map(str::as_bytes)
                .into_iter()
                .zip(*versions)
                .collect()
        };
        let none = TreeObject::empty(ObjectFormat::Sha1);
        for old in &all {
            let before = parse(&none.edited(&names(old))).unwrap();
            for new in &all {
                let mut edits = names(new);
                let mut found = names(&[None; 4]);
                before.look_up(&mut found);
                assert_eq!(found, names(old));
                edits.retain(|name, version| found[name] != *version);
                assert_eq!(before.edited(&edits), none.edited(&names(new)));
            }
        }
    }
}
