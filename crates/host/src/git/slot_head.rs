//! The commit a slot's `HEAD` names, read from files that an agent may have replaced.

use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::path::Path;

/// Returns the commit a git directory's `HEAD` names, by its files alone.
pub(super) fn slot_head(dir: &Path) -> Option<ObjectId> {
    let mut text = small_file(&dir.join("HEAD"))?;
    for _ in 0..5 {
        let Some(name) = text.strip_prefix("ref:").map(str::trim) else {
            return ObjectId::parse(text.trim().as_bytes());
        };
        if name.split('/').any(|part| part == "..") || name.starts_with('/') {
            return None;
        }
        text = match small_file(&dir.join(name)) {
            Some(text) => text,
            None => packed(dir, name)?,
        };
    }
    None
}

fn packed(dir: &Path, name: &str) -> Option<String> {
    let text = small_file(&dir.join("packed-refs"))?;
    let found = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(_, ref_name)| *ref_name == name)?;
    Some(found.0.to_owned())
}

/// Reads a file an agent may have replaced: only a regular one, and only a small one.
fn small_file(path: &Path) -> Option<String> {
    let meta = fs::symlink_metadata(path).ok()?;
    if !meta.is_file() || meta.len() > 1024 * 1024 {
        return None;
    }
    fs::read_to_string(path).ok()
}
