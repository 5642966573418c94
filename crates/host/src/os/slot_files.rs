//! The files of a slot between two commands that judge: what changed, put back, read, removed.

use super::Os;
use crate::git::{self, GitPath, Slot};
use crate::removal;
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::engine::protected;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::scaffold::initial_files;
use std::sync::atomic::Ordering;

use super::slots::known;

impl Os<'_> {
    /// Returns the tracked files of a slot that are not as they were prepared.
    pub(super) fn look_for_changes(&self, slot: SlotId) -> Result<Vec<String>> {
        let opened = self.slot(slot)?;
        let changed = self.changed_in(&opened)?;
        if let (true, Some(tree)) = (changed.is_empty(), opened.prepared()) {
            self.note_holds(slot, Some(known(tree, false)));
        }
        Ok(changed.iter().map(|p| p.to_text().into_owned()).collect())
    }

    /// Returns the tracked files of a slot that are not as they were prepared. Where units that nothing confines ran side
    /// by side, one that was only written counts: another unit may have changed it for a while.
    fn changed_in(&self, opened: &Slot) -> Result<Vec<GitPath>> {
        if self.side_by_side.load(Ordering::SeqCst) {
            return self.git.written_since_prepared(opened);
        }
        self.git.changed_since_prepared(opened)
    }

    /// Puts back what commands changed in a slot beside ignored files; returns the tracked ones.
    pub(super) fn restore_between_commands(&self, slot: SlotId) -> Result<Vec<String>> {
        let opened = self.slot(slot)?.keeping_only(self.kept_in(slot));
        let changed = self.changed_in(&opened)?;
        if let Some(tree) = opened.prepared() {
            let untracked = self.git.restore(&opened, tree, !changed.is_empty())?;
            // Where nothing is untracked, nothing ignored was left either.
            if untracked {
                self.drop_steering_leftovers(slot, &opened)?;
            }
        }
        self.check_made(slot)?;
        Ok(changed.iter().map(|p| p.to_text().into_owned()).collect())
    }

    /// Removes ignored files that a command left and that would steer the next one.
    fn drop_steering_leftovers(&self, slot: SlotId, opened: &Slot) -> Result<()> {
        let kept = self.kept_in(slot).join("\n");
        for path in self.git.ignored_in(opened)? {
            // A name that is no text is none that a tool looks for.
            let Some(name) = path.as_str() else { continue };
            if protected::is_steering_leftover(name) && !initial_files::ignored(&kept, name) {
                let full = opened.dir().join(name.trim_end_matches('/'));
                removal::remove(&full).map_err(|e| Error::io("remove", &full, &e))?;
            }
        }
        Ok(())
    }

    /// Makes a prepared slot hold another tree and leaves what was built there.
    pub(super) fn switch_tree(&self, slot: SlotId, tree: &ObjectId) -> Result<()> {
        self.note_holds(slot, None);
        let opened = self.slot(slot)?.keeping_only(self.kept_in(slot));
        self.git.restore(&opened, *tree, true).map(drop)
    }

    /// Returns a regular file of a slot, reached over no link.
    pub(super) fn read_in_slot(
        &self,
        slot: SlotId,
        path: &str,
        limit: usize,
    ) -> Result<Option<Vec<u8>>> {
        let opened = self.slot(slot)?;
        let path = GitPath::new(path.trim_start_matches("./").as_bytes());
        let Some(full) = git::inside(opened.dir(), &path) else {
            return Ok(None);
        };
        match std::fs::symlink_metadata(&full) {
            Ok(meta) if meta.is_file() && meta.len() <= limit as u64 => {
                let bytes = std::fs::read(&full).map_err(|e| Error::io("read", &full, &e))?;
                Ok(Some(bytes))
            }
            _ => Ok(None),
        }
    }

    /// Removes a file or a link of a slot.
    pub(super) fn remove_in_slot(&self, slot: SlotId, path: &str) -> Result<()> {
        let opened = self.slot(slot)?;
        let path = GitPath::new(path.trim_start_matches("./").as_bytes());
        opened.unseal_at(&path);
        let Some(full) = git::inside(opened.dir(), &path) else {
            return Ok(());
        };
        match std::fs::symlink_metadata(&full) {
            Ok(meta) if !meta.is_dir() => {
                std::fs::remove_file(&full).map_err(|e| Error::io("remove", &full, &e))
            }
            _ => Ok(()),
        }
    }
}
