//! Finding the tracked files of a slot that something touched, by what the private index keeps of each.

use super::git_command::{CommandScope, GitCommand};
use super::index::{self, Record};
use super::slot::Slot;
use super::submodules::changed_in_submodules;
use super::{Git, GitPath, MODE_GITLINK, worktree};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, Stat, openat, statat};
use std::fs;
use std::os::fd::OwnedFd;
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
        for file in seen.iter().filter(|f| f.version.mode != MODE_GITLINK) {
            let path = GitPath::new(file.path);
            let is_as_seen = worktree::inside(slot.dir(), &path).is_some_and(|full| {
                statat(CWD, &full, AtFlags::SYMLINK_NOFOLLOW)
                    .is_ok_and(|meta| marks(&meta) == file.marks)
            });
            if !is_as_seen && !changed.contains(&path) {
                changed.push(path);
            }
        }
        Ok(changed)
    }
}

/// Returns whether there are files, and every one is as the index saw it last. Sorted files share most directories, and
/// the disk answers several questions at once.
pub(super) fn untouched(root: &Path, seen: &[Record<'_>]) -> bool {
    let shares = parallel::share(seen, MIN_SHARE, |part| is_part_untouched(root, part));
    !seen.is_empty() && shares.into_iter().all(|untouched| untouched)
}

fn is_part_untouched(root: &Path, seen: &[Record<'_>]) -> bool {
    let mut below: Option<&[u8]> = None;
    let mut directory = None;
    for file in seen.iter().filter(|f| f.version.mode != MODE_GITLINK) {
        let (parent, name) = match memchr::memrchr(b'/', file.path) {
            Some(slash) => (&file.path[..slash], &file.path[slash + 1..]),
            None => (&file.path[..0], file.path),
        };
        if below != Some(parent) {
            below = Some(parent);
            directory = open(root, file.path);
        }
        // Asking below an open directory saves the way there for each file.
        let meta = directory
            .as_ref()
            .and_then(|dir| statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok());
        if meta.is_none_or(|meta| marks(&meta) != file.marks) {
            return false;
        }
    }
    true
}

/// Opens the directory of a file of the slot, only to ask about what is in it.
fn open(root: &Path, file: &[u8]) -> Option<OwnedFd> {
    let full = worktree::inside(root, &GitPath::new(file))?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat(CWD, full.parent()?, flags, Mode::empty()).ok()
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
