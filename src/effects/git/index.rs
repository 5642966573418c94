//! A reader of the private index file (version 2 or 3), for the two facts that are wanted after every session without
//! asking git: which directories hold tracked files, and which entries are submodules.
//!
//! Deliberately absent: writing, extensions, and the operator's index, which may use features this does not know.

use super::{GitPath, MODE_GITLINK, ObjectFormat};
use std::collections::BTreeSet;

/// What an index says about the shape of its work tree.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Directories with tracked files, the root left out.
    pub directories: BTreeSet<GitPath>,
    /// Submodules.
    pub gitlinks: Vec<GitPath>,
}

/// Returns the shape of an index; `None` when it is not a sound index of a known version.
pub(super) fn shape(raw: &[u8], format: ObjectFormat) -> Option<Shape> {
    let word = |at: usize| Some(u32::from_be_bytes(raw.get(at..at + 4)?.try_into().ok()?));
    if raw.get(..4)? != b"DIRC" || !matches!(word(4)?, 2 | 3) {
        return None;
    }
    let mut shape = Shape::default();
    let mut previous: &[u8] = b"";
    let mut at = 12;
    for _ in 0..word(8)? {
        let flags_at = at + 40 + format.bytes();
        let flags = u16::from_be_bytes(raw.get(flags_at..flags_at + 2)?.try_into().ok()?);
        let name_at = flags_at + if flags & 0x4000 != 0 { 4 } else { 2 };
        let length = raw.get(name_at..)?.iter().position(|byte| *byte == 0)?;
        let name = &raw[name_at..name_at + length];
        if word(at + 24)? == MODE_GITLINK {
            shape.gitlinks.push(GitPath::new(name));
        }
        let directory = name
            .iter()
            .rposition(|byte| *byte == b'/')
            .map_or(&name[..0], |end| &name[..end]);
        if directory != previous {
            add_with_parents(&mut shape.directories, directory);
            previous = directory;
        }
        // Entries are padded with one to eight NULs to a multiple of eight bytes.
        at = at + ((name_at + length - at) / 8 + 1) * 8;
    }
    Some(shape)
}

fn add_with_parents(into: &mut BTreeSet<GitPath>, mut directory: &[u8]) {
    while !directory.is_empty() && into.insert(GitPath::new(directory)) {
        let end = directory
            .iter()
            .rposition(|byte| *byte == b'/')
            .unwrap_or(0);
        directory = &directory[..end];
    }
}
