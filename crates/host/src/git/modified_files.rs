//! Finding the tracked files of a slot that something touched, by what the private index keeps of each.

use super::git_command::{CommandScope, GitCommand};
use super::index::{self, Record};
use super::nested_directories::NestedDirectories;
use super::slot::Slot;
use super::submodules::changed_in_submodules;
use super::{Git, GitPath, MODE_GITLINK};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel;
use rustix::fs::Stat;
use std::fs;
use std::path::Path;

/// Files below which another thread costs more than it saves.
const MIN_SHARE: usize = 512;

impl Git {
    /// Returns the tracked files of a prepared slot that are not as they were prepared.
    pub(crate) fn changed_since_prepared(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let mut changed = self.changed_files(slot)?;
        changed.extend(changed_in_submodules(slot)?);
        Ok(changed)
    }

    fn changed_files(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let scope = CommandScope::Slot(slot.dir(), slot.index());
        let raw = fs::read(slot.index()).map_err(|e| Error::io("read", slot.index(), &e))?;
        let seen = index::records(&raw, self.object_format()).unwrap_or_default();
        if untouched(slot.dir(), &seen) {
            return Ok(Vec::new());
        }
        // Touched is not changed: compare the contents before anything is reported.
        GitCommand::new(self, scope, "update-index")
            .args(["-q", "--refresh"])
            .accept(&[0, 1])
            .run()?;
        slot.own_index();
        let call = GitCommand::new(self, scope, "diff-files").args(["--name-only", "-z"]);
        Ok(call.run()?.paths().collect())
    }
}

impl Git {
    /// Returns the tracked files of a prepared slot that something wrote, whatever they hold now.
    pub(crate) fn written_since_prepared(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let raw = fs::read(slot.index()).map_err(|e| Error::io("read", slot.index(), &e))?;
        let seen = index::records(&raw, self.object_format()).unwrap_or_default();
        let mut changed = self.changed_since_prepared(slot)?;
        let mut tree = NestedDirectories::new(slot.dir());
        for file in &seen {
            let path = GitPath::new(file.path);
            if !is_as_seen(&mut tree, file) && !changed.contains(&path) {
                changed.push(path);
            }
        }
        Ok(changed)
    }
}

/// Returns whether there are files, and every one is as the index saw it last. The disk answers several questions at once.
pub(super) fn untouched(root: &Path, seen: &[Record<'_>]) -> bool {
    let shares = parallel::share(seen, MIN_SHARE, |part| is_part_untouched(root, part));
    !seen.is_empty() && shares.into_iter().all(|untouched| untouched)
}

fn is_part_untouched(root: &Path, seen: &[Record<'_>]) -> bool {
    let mut tree = NestedDirectories::new(root);
    seen.iter().all(|file| is_as_seen(&mut tree, file))
}

/// Returns whether a file is as the index saw it last; a submodule always is.
pub(super) fn is_as_seen(tree: &mut NestedDirectories<'_>, file: &Record<'_>) -> bool {
    file.version.mode == MODE_GITLINK
        || tree
            .stat(file.path)
            .is_some_and(|meta| marks(&meta) == file.marks)
}

/// Returns what the index would keep of a file: times, inode and size, the low 32 bits of each.
#[allow(
    clippy::unnecessary_cast,
    reason = "the fields differ in size from system to system"
)]
fn marks(meta: &Stat) -> [u32; 6] {
    [
        meta.st_ctime as u32,
        meta.st_ctime_nsec as u32,
        meta.st_mtime as u32,
        meta.st_mtime_nsec as u32,
        meta.st_ino as u32,
        meta.st_size as u32,
    ]
}
