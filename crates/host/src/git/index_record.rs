//! The entries of an index file, one by one: where each stands, and what it says (git's documentation, `gitformat-index`).

use super::Version;
use super::touched_files::Time;
use gatewalk_core::object_id::{ObjectFormat, ObjectId};

/// Where an entry's object id stands in it.
const OID: usize = 40;

/// Bits of an entry's flags: the file is taken to be unchanged, the entry is an extended one, the stage of a conflict.
const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
/// Bits of the extended flags: the file is left out of the checkout, the entry only announces a file.
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// How the paths of files with rules end.
pub(super) const ATTRIBUTES: &[u8] = b".gitattributes";
pub(super) const IGNORED: &[u8] = b".gitignore";

/// One entry with all that the index keeps of its file, looked at where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Record<'a> {
    /// The path from the root, as bytes.
    pub(crate) path: &'a [u8],
    /// The whole entry as it is stored.
    pub(crate) stored: &'a [u8],
    format: ObjectFormat,
}

impl<'a> Record<'a> {
    /// Returns the record that stands at a place of a file.
    pub(super) fn new(raw: &'a [u8], place: RecordPlace, format: ObjectFormat) -> Record<'a> {
        Record {
            path: place.name_in(raw),
            stored: &raw[place.start()..place.end()],
            format,
        }
    }
}

impl Record<'_> {
    pub(super) fn version(&self) -> Version {
        let oid = &self.stored[OID..OID + self.format.bytes()];
        Version {
            mode: self.mode(),
            oid: ObjectId::from_raw(oid).unwrap_or_else(|| self.format.zero()),
        }
    }

    pub(super) fn mode(&self) -> u32 {
        self.word(24)
    }

    /// Returns seconds and nanoseconds of the last change of the inode and of the content, cut to 32 bits, then inode and
    /// size.
    pub(super) fn marks(&self) -> [u32; 6] {
        [0, 4, 8, 12, 20, 36].map(|at| self.word(at))
    }

    /// Returns when the inode changed last, and when the content did.
    pub(super) fn changed(&self) -> [Time; 2] {
        let [ctime, ctime_rest, mtime, mtime_rest, ..] = self.marks();
        [(ctime, ctime_rest), (mtime, mtime_rest)].map(|(s, rest)| (s.into(), rest.into()))
    }

    /// Returns whether `git status` does not look at the file.
    pub(super) fn is_unwatched(&self) -> bool {
        let flags = self.word(OID + self.format.bytes());
        let (flags, more) = ((flags >> 16) as u16, flags as u16);
        flags & ASSUME_VALID != 0 || flags & EXTENDED != 0 && more & SKIP_WORKTREE != 0
    }

    fn word(&self, at: usize) -> u32 {
        // All of it was there when the file was read.
        let bytes = self.stored[at..].first_chunk();
        u32::from_be_bytes(bytes.copied().unwrap_or_default())
    }
}

/// Where a record stands among others, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordPlace {
    start: u32,
    name: u32,
    name_end: u32,
}

impl RecordPlace {
    /// Returns the place of the record that begins here; `None` for a side of a conflict, one that only announces a file, or no
    /// record.
    pub(super) fn at(raw: &[u8], at: usize, format: ObjectFormat) -> Option<RecordPlace> {
        let half = |at: usize| Some(u16::from_be_bytes(raw.get(at..at + 2)?.try_into().ok()?));
        let flags_at = at + OID + format.bytes();
        let flags = half(flags_at)?;
        let (more, name_at) = match flags & EXTENDED {
            0 => (0, flags_at + 2),
            _ => (half(flags_at + 2)?, flags_at + 4),
        };
        if flags & STAGE != 0 || more & INTENT_TO_ADD != 0 {
            return None;
        }
        let length = memchr::memchr(0, raw.get(name_at..)?)?;
        Some(RecordPlace {
            start: u32::try_from(at).ok()?,
            name: u32::try_from(name_at).ok()?,
            name_end: u32::try_from(name_at + length).ok()?,
        })
    }

    /// Returns the place in a block of records that begins where this stretch does.
    pub(super) fn from(self, start: usize) -> RecordPlace {
        // A record of a block begins where the block does, or later.
        let inside = |at: u32| at - start as u32;
        RecordPlace {
            start: inside(self.start),
            name: inside(self.name),
            name_end: inside(self.name_end),
        }
    }

    pub(super) fn name_in(self, raw: &[u8]) -> &[u8] {
        &raw[self.name as usize..self.name_end as usize]
    }

    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    /// Returns where the next record begins: entries are padded with one to eight NULs to a multiple of eight bytes.
    pub(super) fn end(self) -> usize {
        let start = self.start as usize;
        start + ((self.name_end as usize - start) / 8 + 1) * 8
    }
}
