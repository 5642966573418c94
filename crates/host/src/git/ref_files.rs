//! Refs as files (gitrepository-layout(5)), read around every unconfined session, where asking git starts two processes.
//!
//! Invariant: whatever is not plain (a symbolic ref, a broken file) is left to git; nothing is ever written here.

use crate::inode_state::InodeState;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use gatewalk_core::path_names::is_at_or_below;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What ref files held when they were last read, by path: a long walk pins every attempt, and they are asked for four
/// times a unit.
#[derive(Debug, Default)]
pub(super) struct RefFiles {
    known: Mutex<HashMap<PathBuf, (InodeState, ObjectId)>>,
}

impl RefFiles {
    /// Returns the refs below some directories of `refs/` with their values; `None` when one is not plain.
    pub(super) fn read(
        &self,
        common_dir: &Path,
        directories: &[&str],
    ) -> Option<BTreeMap<String, ObjectId>> {
        let mut refs = BTreeMap::new();
        let mut known = locked(&self.known);
        let mut seen = HashMap::with_capacity(known.len());
        // The files first: one that is packed meanwhile is then found there.
        for directory in directories {
            for entry in walkdir::WalkDir::new(common_dir.join(directory)) {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(e) if e.io_error()?.kind() == ErrorKind::NotFound => continue,
                    Err(_) => return None,
                };
                let path = entry.path();
                if entry.file_type().is_dir() || path.extension().is_some_and(|e| e == "lock") {
                    continue;
                }
                let name = path.strip_prefix(common_dir).ok()?.to_str()?;
                // Before it is read: what is written meanwhile is read again.
                let state = InodeState::of(&rustix::fs::stat(path).ok()?);
                let oid = match known.get(path) {
                    Some((same, oid)) if *same == state => *oid,
                    _ => ObjectId::parse(std::fs::read(path).ok()?.trim_ascii_end())?,
                };
                refs.insert(name.to_owned(), oid);
                if state.is_settled() {
                    seen.insert(entry.into_path(), (state, oid));
                }
            }
        }
        *known = seen;
        let packed = packed(common_dir)?;
        for (name, oid) in packed.split(|byte| *byte == b'\n').filter_map(line) {
            if directories.iter().any(|f| is_at_or_below(&name, f)) {
                refs.entry(name).or_insert(oid);
            }
        }
        Some(refs)
    }
}

/// Drops the names that are no ref's: without a file and without a packed line. What cannot be known stays.
pub(super) fn keep_existing(common_dir: &Path, names: &mut Vec<(usize, String)>) {
    let is_loose = |name: &str| match std::fs::symlink_metadata(common_dir.join(name)) {
        Ok(_) => true,
        Err(e) => !matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    };
    // The files first: one that is packed meanwhile is then found there.
    let loose: Vec<bool> = names.iter().map(|(_, name)| is_loose(name)).collect();
    let Some(packed) = packed(common_dir) else {
        return;
    };
    let packed: HashSet<&[u8]> = packed.split(|b| *b == b'\n').filter_map(name_of).collect();
    let mut loose = loose.into_iter();
    names.retain(|(_, name)| loose.next().unwrap_or(true) || packed.contains(name.as_bytes()));
}

/// Returns whether there is no ref at a place such as `refs/gatewalk`, nor below it. Where that cannot be known, there may be.
pub(super) fn none_at(common_dir: &Path, place: &str) -> bool {
    // The files first: one that is packed meanwhile is then found there.
    let is_empty = |entry: walkdir::Result<walkdir::DirEntry>| match entry {
        Ok(entry) => entry.file_type().is_dir(),
        Err(e) => e
            .io_error()
            .is_some_and(|e| e.kind() == ErrorKind::NotFound),
    };
    walkdir::WalkDir::new(common_dir.join(place))
        .into_iter()
        .all(is_empty)
        && packed(common_dir).is_some_and(|packed| {
            let mut names = packed.split(|byte| *byte == b'\n').filter_map(name_of);
            !names.any(|name| is_at_or_below(&String::from_utf8_lossy(name), place))
        })
}

/// Returns the name in a line of packed refs.
fn name_of(line: &[u8]) -> Option<&[u8]> {
    parts(line).map(|(_, name)| name.trim_ascii_end())
}

/// Reads `<oid> <name>`; comments and peeled tags are no such line.
pub(super) fn line(line: &[u8]) -> Option<(String, ObjectId)> {
    let (oid, name) = parts(line)?;
    let name = String::from_utf8_lossy(name).into_owned();
    Some((name, ObjectId::parse(oid)?))
}

fn parts(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = line.iter().position(|byte| *byte == b' ')?;
    Some((&line[..at], &line[at + 1..]))
}

fn packed(common_dir: &Path) -> Option<Vec<u8>> {
    match std::fs::read(common_dir.join("packed-refs")) {
        Ok(bytes) => Some(bytes),
        Err(e) if e.kind() == ErrorKind::NotFound => Some(Vec::new()),
        Err(_) => None,
    }
}
