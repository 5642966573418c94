//! Refs as files (gitrepository-layout(5)), read around every unconfined session, where asking git starts two processes.
//!
//! Invariant: whatever is not plain (a symbolic ref, a broken file) is left to git; nothing is ever written here.

use gatewalk_core::object_id::ObjectId;
use std::collections::BTreeMap;
use std::path::Path;

/// Returns the refs below some directories of `refs/` with their values; `None` when one is not plain.
pub(super) fn read(common_dir: &Path, directories: &[&str]) -> Option<BTreeMap<String, ObjectId>> {
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
            let oid = ObjectId::parse(std::fs::read(path).ok()?.trim_ascii_end())?;
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
pub(super) fn line(line: &[u8]) -> Option<(String, ObjectId)> {
    let at = line.iter().position(|byte| *byte == b' ')?;
    let name = String::from_utf8_lossy(&line[at + 1..]).into_owned();
    Some((name, ObjectId::parse(&line[..at])?))
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
