//! Refs as files (gitrepository-layout(5)): read where that saves a process, and only where they are as expected.
//!
//! Invariant: whatever is not plain (a symbolic ref, a broken file) is git's to judge; nothing is ever written here.

use super::Oid;
use std::collections::BTreeMap;
use std::path::Path;

/// What says quickly that a ref is not there: no file or directory of its name, and no mention among the packed ones.
pub(super) struct Refs<'a> {
    directories: Vec<&'a Path>,
    packed: Vec<u8>,
}

impl<'a> Refs<'a> {
    /// Returns the refs of these git directories, the common one first; `None` when they cannot be read.
    pub(super) fn below(directories: Vec<&'a Path>) -> Option<Refs<'a>> {
        let packed = packed(directories.first()?)?;
        Some(Refs {
            directories,
            packed,
        })
    }

    /// Returns whether there may be a ref of this full name, or below it.
    pub(super) fn may_have(&self, name: &str) -> bool {
        let name = name.trim_end_matches('/');
        self.directories.iter().any(|f| f.join(name).exists())
            || memchr::memmem::find(&self.packed, name.as_bytes()).is_some()
    }
}

/// Returns the refs below some directories of `refs/` with what they hold; `None` when one is not plain.
pub(super) fn read(common_dir: &Path, directories: &[&str]) -> Option<BTreeMap<String, Oid>> {
    let mut refs = BTreeMap::new();
    // The files first: one that is packed meanwhile is then found there.
    for directory in directories {
        for entry in walkdir::WalkDir::new(common_dir.join(directory)) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(e) if e.io_error()?.kind() == std::io::ErrorKind::NotFound => continue,
                Err(_) => return None,
            };
            let path = entry.path();
            if entry.file_type().is_dir() || path.extension().is_some_and(|e| e == "lock") {
                continue;
            }
            let name = path.strip_prefix(common_dir).ok()?.to_str()?;
            let oid = Oid::parse(std::fs::read(path).ok()?.trim_ascii_end())?;
            refs.insert(name.to_owned(), oid);
        }
    }
    let packed = packed(common_dir)?;
    for (name, oid) in packed.split(|byte| *byte == b'\n').filter_map(line) {
        if directories.iter().any(|f| below(&name, f)) {
            refs.entry(name).or_insert(oid);
        }
    }
    Some(refs)
}

/// Reads `<oid> <name>`; comments and peeled tags are no such line.
pub(super) fn line(line: &[u8]) -> Option<(String, Oid)> {
    let at = line.iter().position(|byte| *byte == b' ')?;
    let name = String::from_utf8_lossy(&line[at + 1..]).into_owned();
    Some((name, Oid::parse(&line[..at])?))
}

/// Returns whether a ref is this one or below it: `refs/stash` is a ref itself.
fn below(name: &str, place: &str) -> bool {
    let rest = name.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn packed(common_dir: &Path) -> Option<Vec<u8>> {
    match std::fs::read(common_dir.join("packed-refs")) {
        Ok(bytes) => Some(bytes),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Some(Vec::new()),
        Err(_) => None,
    }
}
