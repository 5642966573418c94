//! A tree as git stores it, looked at where it stands and made anew around what differs: that of thousands of features is
//! read and written with every landing (a mode, a space, a name, a zero and an id for each entry: the book Pro Git, "Git Internals - Git Objects").

use super::equal_records::Stored;
use super::{MODE_FILE, MODE_TREE, Version};
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

    /// Returns an entry that stands where one with this name and mode would.
    fn sought(name: &'t [u8], mode: u32, format: ObjectFormat) -> TreeRecord<'t> {
        let oid = format.zero();
        let version = Version { mode, oid };
        TreeRecord { name, version }
    }

    /// Returns the name by which git orders an entry: a directory's ends in a slash.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &'t u8> {
        let end = (self.version.mode == MODE_TREE).then_some(&b'/');
        self.name.iter().chain(end)
    }
}

/// Returns where the records of these bytes begin; `None` if they are malformed.
fn record_starts(raw: &[u8], format: ObjectFormat) -> Option<Arc<[u32]>> {
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
    /// Where each record begins, in bytes, and where the last one ends.
    starts: Arc<[u32]>,
    /// Whether they are in git's order, as they ought to be.
    are_sorted: bool,
    format: ObjectFormat,
}

impl TreeObject {
    /// Returns the tree of these bytes; `None` if they are malformed.
    pub(super) fn parse(raw: Arc<[u8]>, format: ObjectFormat) -> Option<TreeObject> {
        let mut tree = TreeObject {
            starts: record_starts(&raw, format)?,
            raw,
            are_sorted: false,
            format,
        };
        let mut pairs = (1..tree.count()).map(|number| (tree.at(number - 1), tree.at(number)));
        tree.are_sorted = pairs.all(|(one, next)| one.in_order().lt(next.in_order()));
        Some(tree)
    }

    /// Returns a tree without entries.
    pub(super) fn empty(format: ObjectFormat) -> TreeObject {
        TreeObject {
            raw: Arc::default(),
            starts: [0].into(),
            are_sorted: true,
            format,
        }
    }

    /// Returns the bytes.
    pub(super) fn raw(&self) -> &Arc<[u8]> {
        &self.raw
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
        let found = self.number_of(name);
        found.map(|number| self.at(number).version)
    }

    /// Finds what each of these names stands for.
    pub(super) fn look_up(&self, names: &mut BTreeMap<&[u8], Option<Version>>) {
        for (name, found) in names {
            *found = self.find(name);
        }
    }

    /// Returns the number of the entry with a name.
    fn number_of(&self, name: &[u8]) -> Option<usize> {
        let is_it = |number: &usize| *number < self.count() && self.name(*number) == name;
        if !self.are_sorted {
            return (0..self.count()).find(is_it);
        }
        // A file and a directory of one name stand in different places.
        [MODE_FILE, MODE_TREE].into_iter().find_map(|mode| {
            let number = self.place_of(&TreeRecord::sought(name, mode, self.format));
            Some(number).filter(is_it)
        })
    }

    /// Returns the number of the first entry that does not come before another.
    fn place_of(&self, record: &TreeRecord<'_>) -> usize {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low.midpoint(high);
            match self.at(middle).in_order().lt(record.in_order()) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    /// Returns the tree with some names standing for something else, or for nothing.
    pub(super) fn edited(&self, edits: &BTreeMap<&[u8], Option<Version>>) -> TreeObject {
        /// What happens at the place of an entry.
        #[derive(Default)]
        struct Splice<'r> {
            is_taken: bool,
            added: Vec<TreeRecord<'r>>,
        }
        let mut splices: BTreeMap<usize, Splice<'_>> = BTreeMap::new();
        for (name, version) in edits {
            if let Some(number) = self.number_of(name) {
                splices.entry(number).or_default().is_taken = true;
            }
            if let Some(version) = *version {
                let record = TreeRecord { name, version };
                let splice = splices.entry(self.place_of(&record)).or_default();
                splice.added.push(record);
            }
        }
        let mut made = MadeTree {
            raw: Vec::with_capacity(self.raw.len() + ROOM),
            starts: Vec::with_capacity(self.count() + edits.len() + 1),
        };
        let mut from = 0;
        for (number, mut splice) in splices {
            made.take(self, from..number);
            from = number + usize::from(splice.is_taken);
            splice.added.sort_by(|a, b| a.in_order().cmp(b.in_order()));
            splice.added.iter().for_each(|record| made.add(record));
        }
        made.take(self, from..self.count());
        made.starts.push(made.raw.len() as u32);
        TreeObject {
            raw: made.raw.into(),
            starts: made.starts.into(),
            ..self.clone()
        }
    }
}

/// The bytes of a tree that is being made, and where its records begin.
struct MadeTree {
    raw: Vec<u8>,
    starts: Vec<u32>,
}

impl MadeTree {
    /// Adds entries of another tree, by their numbers.
    fn take(&mut self, tree: &TreeObject, numbers: Range<usize>) {
        let first = tree.starts[numbers.start];
        let at = self.raw.len() as u32;
        let starts = tree.starts[numbers.clone()].iter();
        self.starts.extend(starts.map(|start| at + (start - first)));
        self.raw.extend_from_slice(tree.stretch(numbers));
    }

    fn add(&mut self, record: &TreeRecord<'_>) {
        self.starts.push(self.raw.len() as u32);
        record.store(&mut self.raw);
    }
}

/// Bytes that a few new entries of a tree take.
const ROOM: usize = 512;

impl Stored for TreeObject {
    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn stretch(&self, numbers: Range<usize>) -> &[u8] {
        let start = |number: usize| self.starts[number] as usize;
        &self.raw[start(numbers.start)..start(numbers.end)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(mode: u32, byte: u8) -> Version {
        let oid = ObjectId::from_raw(&[byte; 20]).unwrap();
        Version { mode, oid }
    }

    fn parse(raw: &[u8]) -> Option<TreeObject> {
        TreeObject::parse(raw.into(), ObjectFormat::Sha1)
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
        let made = TreeObject::empty(ObjectFormat::Sha1).edited(&records.map(put).into());
        let raw = made.raw().clone();
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
    fn entries_out_of_order_are_found_and_replaced() {
        let entry =
            |name: &str, byte: u8| [format!("100644 {name}\0").as_bytes(), &[byte; 20]].concat();
        let tree = parse(&[entry("c", 1), entry("a", 2), entry("b", 3)].concat()).unwrap();
        assert_eq!(tree.find(b"a"), Some(version(MODE_FILE, 2)));
        let edits: [(&[u8], _); 2] = [(b"a", Some(version(MODE_FILE, 4))), (b"b", None)];
        let edited = tree.edited(&edits.into());
        assert_eq!(edited.records().count(), 2);
        assert_eq!(edited.find(b"a"), Some(version(MODE_FILE, 4)));
        assert_eq!(edited.find(b"c"), Some(version(MODE_FILE, 1)));
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
            let before = none.edited(&names(old));
            for new in &all {
                let mut edits = names(new);
                let mut found = names(&[None; 4]);
                before.look_up(&mut found);
                assert_eq!(found, names(old));
                edits.retain(|name, version| found[name] != *version);
                let after = before.edited(&edits);
                assert_eq!(after.raw(), none.edited(&names(new)).raw());
                let read = parse(after.raw()).unwrap();
                assert!(read.are_sorted);
                assert_eq!(after.starts, read.starts);
            }
        }
    }
}
