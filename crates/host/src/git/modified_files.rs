//! Finding the tracked files of a slot that something touched, by what the private index keeps of each.

use super::directory_marks::CLOCK_STEP;
use super::filled_submodule::changed_in_submodules;
use super::git_command::GitCommand;
use super::index::IndexFile;
use super::index_block::BlockPart;
use super::index_record::Record;
use super::nested_directories::NestedDirectories;
use super::sealed_features::{FoundWhole, exposed_records};
use super::slot::Slot;
use super::touched_files::Time;
use super::{Git, GitPath, MODE_GITLINK};
use gatewalk_core::error::Result;
use gatewalk_core::parallel;
use rustix::fs::Stat;

/// Blocks of files below which another thread costs more than it saves.
pub(super) const LEAST_BLOCKS: usize = 4;

impl Git {
    /// Returns the tracked files of a prepared slot that are not as they were prepared.
    pub(crate) fn changed_since_prepared(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let mut changed = self.changed_files(slot)?;
        changed.extend(changed_in_submodules(slot)?);
        Ok(changed)
    }

    fn changed_files(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        if self
            .index_of(slot)
            .is_ok_and(|seen| is_untouched(slot, &seen))
        {
            return Ok(Vec::new());
        }
        let scope = slot.scope()?;
        // Touched is not changed: compare the contents before anything is reported.
        GitCommand::new(self, scope, "update-index")
            .args(["-q", "--refresh"])
            .accept(&[0, 1])
            .run()?;
        slot.index().own();
        let call = GitCommand::new(self, scope, "diff-files").args(["--name-only", "-z"]);
        Ok(call.run()?.paths().collect())
    }
}

impl Git {
    /// Returns the tracked files of a prepared slot that something wrote, whatever they hold now.
    pub(crate) fn written_since_prepared(&self, slot: &Slot) -> Result<Vec<GitPath>> {
        let seen = self.index_of(slot)?;
        let mut changed = self.changed_since_prepared(slot)?;
        let mut tree = NestedDirectories::new(slot.dir());
        let written = seen.records().filter(|file| !is_as_seen(&mut tree, file));
        let written: Vec<GitPath> = written.map(|file| GitPath::new(file.path)).collect();
        let more = written.into_iter().filter(|path| !changed.contains(path));
        let more: Vec<GitPath> = more.collect();
        changed.extend(more);
        Ok(changed)
    }
}

/// Returns whether there are files, and every one is as the index saw it last. The disk answers several questions at once.
pub(super) fn is_untouched(slot: &Slot, seen: &IndexFile) -> bool {
    let sealed = slot.sealed();
    let exposed = exposed_records(sealed.as_ref(), seen);
    let (written, apart) = (slot.index().written().ok(), slot.tells_changes_apart());
    // What changed in the moment in which the index was written is not as it was for sure.
    let is_recent = |file: &Record<'_>| written.is_none_or(|written| is_recent(file, written));
    let is_doubtful = |file: &Record<'_>| !apart && is_recent(file);
    let shares = parallel::share(&exposed, LEAST_BLOCKS, |parts| {
        let (mut tree, mut files) = (NestedDirectories::new(slot.dir()), true);
        for file in parts.iter().flat_map(BlockPart::records) {
            let look = look_at(&mut tree, &file);
            if look == FileLook::Changed {
                return None;
            }
            let is_sealed = || sealed.as_ref().is_some_and(|s| s.covers(file.path));
            files &= look == FileLook::AsSeen && !is_doubtful(&file) || !is_sealed();
        }
        Some(files)
    });
    let Some(files) = shares.into_iter().reduce(|all, part| Some(all? & part?)) else {
        return false;
    };
    let directories = false;
    let found = files.map(|files| FoundWhole { files, directories });
    slot.found_whole(sealed.as_ref(), found.unwrap_or_default());
    found.is_some() && seen.count() > 0
}

/// What a look at a tracked file found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileLook {
    /// It is as the index saw it last.
    AsSeen,
    /// So it is, and other names may lead to it.
    AsSeenUnderOthers,
    Changed,
}

/// Looks at a tracked file; a submodule never changes.
pub(super) fn look_at(tree: &mut NestedDirectories<'_>, file: &Record<'_>) -> FileLook {
    if file.mode() == MODE_GITLINK {
        return FileLook::AsSeenUnderOthers;
    }
    match tree.stat(file.path) {
        Some(meta) if marks(&meta) == file.marks() => match meta.st_nlink {
            1 => FileLook::AsSeen,
            _ => FileLook::AsSeenUnderOthers,
        },
        _ => FileLook::Changed,
    }
}

/// Returns whether a file is as the index saw it last; a submodule always is.
pub(super) fn is_as_seen(tree: &mut NestedDirectories<'_>, file: &Record<'_>) -> bool {
    look_at(tree, file) != FileLook::Changed
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

/// Returns whether a file that git looks at changed in the same moment in which the index was written: the next change may
/// leave the same times.
pub(super) fn is_recent(record: &Record<'_>, written: Time) -> bool {
    changed_since(record, just_before(written))
}

/// Returns likewise whether its content did, whenever the rest of the inode changed: git goes by that time alone.
pub(super) fn holds_recent_content(record: &Record<'_>, written: Time) -> bool {
    let [_, content] = record.changed();
    content >= just_before(written) && is_looked_at(record)
}

/// Returns the parts in which one of both may be.
pub(super) fn recent_parts<'i>(
    parts: impl Iterator<Item = BlockPart<'i>>,
    written: Time,
) -> impl Iterator<Item = BlockPart<'i>> {
    let since = just_before(written);
    parts.filter(move |part| part.may_have_changed_since(since))
}

/// Returns whether a file that git looks at changed at a time or later.
pub(super) fn changed_since(record: &Record<'_>, since: Time) -> bool {
    record.changed().into_iter().any(|at| at >= since) && is_looked_at(record)
}

fn is_looked_at(record: &Record<'_>) -> bool {
    !record.is_unwatched() && record.mode() != MODE_GITLINK
}

/// Returns the time at which the clock of file systems may have stood still since.
fn just_before((seconds, rest): Time) -> Time {
    const SECOND: i64 = 1_000_000_000;
    let rest = rest - i64::from(CLOCK_STEP.subsec_nanos());
    (seconds + rest.div_euclid(SECOND), rest.rem_euclid(SECOND))
}
