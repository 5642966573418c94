//! Finding the tracked files of a slot that something touched, by what the private index remembers of each.

use super::run::{Call, Scope};
use super::slot::Slot;
use super::{Git, GitPath, index, worktree};
use crate::cores;
use crate::error::{Error, Result};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Files below which another thread costs more than it brings.
const MIN_SHARE: usize = 512;

impl Git {
    /// Returns the tracked files of a prepared slot that are not as they were prepared.
    pub fn changed_since_prepared(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let scope = Scope::Vault(slot.dir(), slot.index());
        let names = || -> Result<Vec<GitPath>> {
            let call = Call::new(self, scope, "diff-files").args(["--name-only", "-z"]);
            let output = call.run()?;
            let paths = output
                .stdout
                .split(|byte| *byte == 0)
                .filter(|path| !path.is_empty());
            Ok(paths.map(GitPath::new).collect())
        };
        let raw = fs::read(slot.index()).map_err(|e| Error::io("read", slot.index(), &e))?;
        let seen = index::seen(&raw, self.object_format()).unwrap_or_default();
        if !seen.is_empty() && untouched(slot.dir(), &seen) {
            return Ok(Vec::new());
        }
        // Touched is not changed: compare the contents before anything is said.
        Call::new(self, scope, "update-index")
            .args(["-q", "--refresh"])
            .accept(&[0, 1])
            .run()?;
        slot.own_index();
        names()
    }
}

/// Returns whether every file is as the index saw it last. Sorted files share most directories, and the disk answers
/// several questions at once.
fn untouched(root: &Path, seen: &[index::Seen]) -> bool {
    let shares = cores::share(seen, MIN_SHARE, |part| is_part_untouched(root, part));
    shares.into_iter().all(|untouched| untouched)
}

fn is_part_untouched(root: &Path, seen: &[index::Seen]) -> bool {
    let mut below: &[u8] = b"";
    let mut directory = root.to_path_buf();
    for file in seen {
        let bytes = file.path.as_bytes();
        let end = bytes.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        if bytes[..end] != *below {
            let Some(full) = worktree::inside(root, &file.path) else {
                return false;
            };
            below = &bytes[..end];
            directory = full.parent().unwrap_or(root).to_path_buf();
        }
        let name = file.path.as_path().file_name().unwrap_or_default();
        if !is_untouched(&directory.join(name), file) {
            return false;
        }
    }
    true
}

/// Returns whether a file is as the index saw it last, by its times, inode and size.
fn is_untouched(path: &Path, seen: &index::Seen) -> bool {
    // Only the low 32 bits are in the index.
    let low = |n: i64| n as u32;
    fs::symlink_metadata(path).is_ok_and(|meta| {
        let now = [
            low(meta.ctime()),
            low(meta.ctime_nsec()),
            low(meta.mtime()),
            low(meta.mtime_nsec()),
            meta.ino() as u32,
            meta.size() as u32,
        ];
        now == seen.marks
    })
}
