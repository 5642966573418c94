//! Going through the records of indexes one after another: two of them side by side, or one for path after path.

use super::equal_records::{Stored, equal_records};
use super::index::IndexFile;
use super::index_record::Record;
use super::{Change, GitPath};
use std::sync::Arc;

/// The next record of an index: which block it is in, and its number there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NextRecord {
    pub(super) block: usize,
    pub(super) number: usize,
}

impl NextRecord {
    fn of(self, index: &IndexFile) -> Option<Record<'_>> {
        let block = index.blocks().get(self.block);
        block.map(|block| block.at(self.number))
    }

    /// Goes on by so many records, of the same block at most.
    fn advance(&mut self, index: &IndexFile, by: usize) {
        self.number += by;
        if index
            .blocks()
            .get(self.block)
            .is_some_and(|block| self.number == block.count())
        {
            *self = NextRecord {
                block: self.block + 1,
                number: 0,
            };
        }
    }
}

/// Finds one file after another, soonest in the order of their paths.
pub(super) struct RecordSearch<'i> {
    index: &'i IndexFile,
    /// The record after the one that was found last.
    next: NextRecord,
}

impl<'i> RecordSearch<'i> {
    /// Returns one that nothing was asked yet.
    pub(super) fn new(index: &'i IndexFile) -> RecordSearch<'i> {
        RecordSearch {
            index,
            next: NextRecord::default(),
        }
    }

    /// Returns whether a directory's file is tracked.
    pub(super) fn is_tracked(&mut self, directory: &GitPath, name: &[u8]) -> bool {
        let next = self.next.of(self.index);
        if !next.is_some_and(|record| is_path_of(record.path, directory.as_bytes(), name)) {
            let Ok(found) = self.index.place(directory.join(name).as_bytes()) else {
                return false;
            };
            self.next = found;
        }
        self.next.advance(self.index, 1);
        true
    }
}

/// Returns whether a path is that of a name in a directory.
fn is_path_of(path: &[u8], directory: &[u8], name: &[u8]) -> bool {
    // The name first: it tells files of a directory apart.
    let above = path.strip_suffix(name);
    above.is_some_and(|above| match directory {
        [] => above.is_empty(),
        _ => above.strip_suffix(b"/") == Some(directory),
    })
}

/// Goes on to the next records that differ.
fn skip_equal(
    (old, before): (&IndexFile, &mut NextRecord),
    (new, after): (&IndexFile, &mut NextRecord),
) {
    while let (Some(left), Some(right)) = (
        old.blocks().get(before.block),
        new.blocks().get(after.block),
    ) {
        let is_shared = Arc::ptr_eq(left, right) && before.number == after.number;
        let same = match is_shared {
            true => left.count() - before.number,
            false => equal_records((&**left, before.number), (&**right, after.number)),
        };
        if same == 0 {
            return;
        }
        before.advance(old, same);
        after.advance(new, same);
    }
}

/// Returns what differs between two indexes, sorted by path.
pub(super) fn changes(old: &IndexFile, new: &IndexFile) -> Vec<Change> {
    let (mut before, mut after) = (NextRecord::default(), NextRecord::default());
    let mut changes = Vec::new();
    loop {
        skip_equal((old, &mut before), (new, &mut after));
        let (left, right) = (before.of(old), after.of(new));
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
        before.advance(old, usize::from(left.is_some()));
        after.advance(new, usize::from(right.is_some()));
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
    use crate::git::git_path::parent_and_name;
    use crate::git::index::tests::index;
    use gatewalk_core::engine::changed_file::ChangedPath;
    use gatewalk_core::object_id::ObjectFormat;
    use std::collections::BTreeSet;

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
    fn files_are_found_one_after_another_in_any_order() {
        let index = index(&[("a", 1), ("b-c", 1), ("b/x", 2), ("b/y/z", 3), ("b0", 1)]);
        let mut search = RecordSearch::new(&index);
        for path in [
            "a", "b-c", "b", "b/x", "b/y", "b/y/z", "b0", "c", "b/x", "", "b0", "a",
        ] {
            let is_tracked = index.find(path.as_bytes()).is_ok();
            let (directory, name) = parent_and_name(path.as_bytes());
            let found = search.is_tracked(&GitPath::new(directory), name);
            assert_eq!(found, is_tracked, "{path}");
        }
        let empty = IndexFile::empty(ObjectFormat::Sha1);
        assert!(!RecordSearch::new(&empty).is_tracked(&GitPath::new(""), b"a"));
    }
}
