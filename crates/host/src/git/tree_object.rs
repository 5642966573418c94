//! A tree as git stores it, looked at where it stands and made anew around what differs: that of thousands of features is
//! read and written with every landing (a mode, a space, a name, a zero and an id for each entry: the book Pro Git, "Git Internals - Git Objects").

use super::{MODE_TREE, Version};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One entry: a name, and what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeRecord<'t> {
    pub(super) name: &'t [u8],
    pub(super) version: Version,
}

impl<'t> TreeRecord<'t> {
    /// Returns the first entry and what is behind it; `None` if it is malformed.
    fn split(raw: &'t [u8], id_bytes: usize) -> Option<(TreeRecord<'t>, &'t [u8])> {
        let space = memchr::memchr(b' ', raw)?;
        let mode = u32::from_str_radix(std::str::from_utf8(&raw[..space]).ok()?, 8).ok()?;
        let raw = &raw[space + 1..];
        let end = memchr::memchr(0, raw)?;
        let (id, rest) = raw[end + 1..].split_at_checked(id_bytes)?;
        let oid = ObjectId::from_raw(id)?;
        let record = TreeRecord {
            name: &raw[..end],
            version: Version { mode, oid },
        };
        Some((record, rest))
    }

    /// Returns the name by which git orders an entry: a directory's ends in a slash.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &'t u8> {
        let end = (self.version.mode == MODE_TREE).then_some(&b'/');
        self.name.iter().chain(end)
    }
}

/// A tree that is well formed.
#[derive(Debug, Clone)]
pub(super) struct TreeObject {
    raw: Arc<[u8]>,
    id_bytes: usize,
}

impl TreeObject {
    /// Returns the tree of these bytes; `None` if they are malformed.
    pub(super) fn parse(raw: Arc<[u8]>, format: ObjectFormat) -> Option<TreeObject> {
        let id_bytes = format.bytes();
        let mut rest = &*raw;
        while !rest.is_empty() {
            (_, rest) = TreeRecord::split(rest, id_bytes)?;
        }
        Some(TreeObject { raw, id_bytes })
    }

    /// Returns a tree without entries.
    pub(super) fn empty(format: ObjectFormat) -> TreeObject {
        TreeObject {
            raw: Arc::default(),
            id_bytes: format.bytes(),
        }
    }

    /// Returns the entries, in the order in which they are stored.
    pub(super) fn records(&self) -> impl Iterator<Item = TreeRecord<'_>> {
        let mut rest = &*self.raw;
        std::iter::from_fn(move || {
            let (record, behind) = TreeRecord::split(rest, self.id_bytes)?;
            rest = behind;
            Some(record)
        })
    }

    /// Returns what a name stands for.
    pub(super) fn find(&self, name: &[u8]) -> Option<Version> {
        let found = self.records().find(|record| record.name == name);
        found.map(|record| record.version)
    }

    /// Finds what each of these names stands for, in one pass.
    pub(super) fn look_up(&self, names: &mut BTreeMap<&[u8], Option<Version>>) {
        for record in self.records() {
            if let Some(found) = names.get_mut(record.name) {
                *found = Some(record.version);
            }
        }
    }
}

/// Returns the tree that has these entries, each name once, as git stores it.
pub(super) fn stored(mut records: Vec<TreeRecord<'_>>) -> Vec<u8> {
    records.sort_by(|a, b| a.in_order().cmp(b.in_order()));
    let mut raw = Vec::new();
    for TreeRecord { name, version } in records {
        raw.extend(format!("{:o} ", version.mode).into_bytes());
        raw.extend(name);
        raw.push(0);
        raw.extend(version.oid.as_raw());
    }
    raw
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::MODE_FILE;

    fn version(mode: u32, byte: u8) -> Version {
        let oid = ObjectId::from_raw(&[byte; 20]).unwrap();
        Version { mode, oid }
    }

    #[test]
    fn entries_are_found_and_stored_in_gits_order() {
        let records = [
            ("b", MODE_TREE, 1),
            ("b.c", MODE_FILE, 2),
            ("b0", MODE_FILE, 3),
            ("a b", MODE_FILE, 4),
        ];
        let records = records.map(|(name, mode, byte)| TreeRecord {
            name: name.as_bytes(),
            version: version(mode, byte),
        });
        let raw = stored(records.to_vec());
        let tree = TreeObject::parse(raw.clone().into(), ObjectFormat::Sha1).unwrap();
        let names: Vec<&[u8]> = tree.records().map(|record| record.name).collect();
        // A directory comes where its name with a slash would.
        assert_eq!(names, [b"a b".as_slice(), b"b.c", b"b", b"b0"]);
        assert_eq!(tree.find(b"b"), Some(version(MODE_TREE, 1)));
        assert_eq!(tree.find(b"b0"), Some(version(MODE_FILE, 3)));
        assert_eq!(tree.find(b"b.d"), None);
        assert_eq!(stored(tree.records().collect()), raw);
        assert!(raw.starts_with(b"100644 a b\0"), "{raw:?}");
        let none = TreeObject::parse(Arc::default(), ObjectFormat::Sha1).unwrap();
        assert_eq!(none.records().count(), 0);
        for length in 1..raw.len() {
            let cut = TreeObject::parse(raw[..length].into(), ObjectFormat::Sha1);
            let whole = raw[..length].ends_with(&[4; 20])
                || raw[..length].ends_with(&[2; 20])
                || raw[..length].ends_with(&[1; 20]);
            assert_eq!(cut.is_some(), whole, "{length}");
        }
        for malformed in [&b"100644 a\0short"[..], b"10x644 a\0", b"no space", b" a\0"] {
            let raw = [malformed, &[1; 19]].concat();
            assert!(TreeObject::parse(raw.into(), ObjectFormat::Sha1).is_none());
        }
    }
}
