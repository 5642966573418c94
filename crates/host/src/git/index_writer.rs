//! A writer of index files, of one kind: an index that is known, with some entries replaced (git's documentation,
//! `gitformat-index`).
//!
//! Deliberately absent: making extensions, which git does where it wants them.

use super::Version;
use super::equal_records::Stored;
use super::index::IndexFile;
use super::index_block::IndexBlock;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectFormat;
use rustix::fs::Stat;
use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

/// What takes the place of an entry, as it is stored, or nothing.
pub(super) type Replacement = Option<Vec<u8>>;

/// The longest path whose length an entry's flags can say.
const LONGEST_NAMED: usize = 0xfff;

/// Returns an index of format SHA-1 with the entries of another, except that some paths have other entries or none, and
/// with these extensions and no checksum.
pub(super) fn rewritten(
    index: &IndexFile,
    replaced: &BTreeMap<&[u8], Replacement>,
    extensions: &[u8],
) -> Result<IndexFile> {
    let blocks = with_entries(index, replaced);
    blocks
        .and_then(|blocks| index.with_blocks(blocks, extensions))
        .ok_or_else(|| Error::internal("an index with entries replaced cannot be made"))
}

/// Returns the blocks of an index, those made anew in which some paths have other entries or none.
fn with_entries(
    index: &IndexFile,
    replaced: &BTreeMap<&[u8], Replacement>,
) -> Option<Vec<Arc<IndexBlock>>> {
    let mut replaced = replaced.iter().peekable();
    let mut blocks = Vec::with_capacity(index.blocks().len() + 1);
    for (number, block) in index.blocks().iter().enumerate() {
        // What comes before the next block's first record is this one's.
        let next = index.blocks().get(number + 1).map(|next| next.name(0));
        let is_own = |(path, _): &Replaced<'_>| next.is_none_or(|next| **path < next);
        let own: Vec<Replaced<'_>> = iter::from_fn(|| replaced.next_if(is_own)).collect();
        match own.is_empty() {
            true => blocks.push(block.clone()),
            false => blocks.extend(edited(Some(block), &own)?),
        }
    }
    let rest: Vec<Replaced<'_>> = replaced.collect();
    blocks.extend(edited(None, &rest)?);
    Some(blocks)
}

/// A path, and what takes the place of its entry.
type Replaced<'r> = (&'r &'r [u8], &'r Replacement);

/// Returns the records of a block, or of none, with some of them replaced.
fn edited(
    block: Option<&Arc<IndexBlock>>,
    replaced: &[Replaced<'_>],
) -> Option<Vec<Arc<IndexBlock>>> {
    let mut raw = Vec::with_capacity(block.map_or(0, |block| block.raw().len()));
    let (mut from, mut count) = (0, block.map_or(0, |block| block.count()));
    for (path, entry) in replaced {
        if let Some(block) = block {
            let found = block.find(path);
            let number = found.unwrap_or_else(|at| at);
            raw.extend_from_slice(block.stretch(from..number));
            from = number + usize::from(found.is_ok());
            count -= usize::from(found.is_ok());
        }
        if let Some(entry) = entry {
            raw.extend_from_slice(entry);
            count += 1;
        }
    }
    if let Some(block) = block {
        raw.extend_from_slice(block.stretch(from..block.count()));
    }
    let (blocks, end) = IndexBlock::read(&raw, count, ObjectFormat::Sha1)?;
    (end == raw.len()).then_some(blocks)
}
/// Returns one entry as it is stored: without what the file is, git compares its content.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::unnecessary_cast,
    reason = "an index keeps the low 32 bits, and the fields differ in size from system to system"
)]
pub(super) fn entry(path: &[u8], version: Version, stat: Option<&Stat>) -> Vec<u8> {
    let stat = |field: fn(&Stat) -> u32| stat.map_or(0, field);
    let words = [
        stat(|s| s.st_ctime as u32),
        stat(|s| s.st_ctime_nsec as u32),
        stat(|s| s.st_mtime as u32),
        stat(|s| s.st_mtime_nsec as u32),
        stat(|s| s.st_dev as u32),
        stat(|s| s.st_ino as u32),
        version.mode,
        stat(|s| s.st_uid as u32),
        stat(|s| s.st_gid as u32),
        stat(|s| s.st_size as u32),
    ];
    let mut entry: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    entry.extend(version.oid.as_raw());
    entry.extend((path.len().min(LONGEST_NAMED) as u16).to_be_bytes());
    entry.extend(path);
    // One to eight NULs, to a multiple of eight bytes.
    entry.resize((entry.len() / 8 + 1) * 8, 0);
    entry
}
