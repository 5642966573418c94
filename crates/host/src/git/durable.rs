//! What a ref is about to name is on the disk first: git itself leaves loose objects to the kernel.
//!
//! Objects are noted as they are written and flushed together just before a ref moves: one journal commit of the file
//! system serves them all, where a flush for each object would cost as many. Where there are many, they are packed: a pack
//! is flushed once, by git itself. `tests/suite/power_loss.rs` holds the order.

use super::Git;
use super::git_command::{CommandScope, GitCommand};
use super::git_environment::FLUSHED;
use crate::files;
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Settings of a git process that packs what it is sent: flushed, kept as one pack, and compressed as loose objects are.
pub(super) const PACKED: [(&str, &str); 7] = [
    ("GIT_CONFIG_COUNT", "3"),
    FLUSHED[1],
    FLUSHED[2],
    ("GIT_CONFIG_KEY_1", "pack.compression"),
    ("GIT_CONFIG_VALUE_1", "1"),
    ("GIT_CONFIG_KEY_2", "fastimport.unpackLimit"),
    ("GIT_CONFIG_VALUE_2", "1"),
];

/// With more objects than this, one pack of them is cheaper than a flush of each.
const FLUSHED_ALONE: usize = 64;

impl Git {
    /// Notes an object that was written and may not be on the disk yet.
    pub(super) fn note_written(&self, oid: ObjectId) {
        locked(&self.shared.known.unflushed).insert(oid);
    }

    /// Flushes every noted object. An error is final: what the disk did not confirm once must not be trusted.
    pub(super) fn flush_objects(&self) -> Result<()> {
        let unflushed = &self.shared.known.unflushed;
        let written = std::mem::take(&mut *locked(unflushed));
        if written.len() > FLUSHED_ALONE {
            if self.pack_written(&written).is_ok() {
                return Ok(());
            }
            if files::flush_file_system(&self.common_dir().join("objects"))? {
                return Ok(());
            }
        }
        for oid in written {
            // Not there: it was known before, in a pack or in another object store. As in git's own flushing, a new
            // file's directory entry goes to the disk with it.
            files::flush(&self.loose_path(oid))?;
        }
        Ok(())
    }

    /// Returns where an object is that is stored alone.
    pub(super) fn loose_path(&self, oid: ObjectId) -> PathBuf {
        let hex = oid.hex();
        let objects = self.common_dir().join("objects");
        objects.join(&hex[..2]).join(&hex[2..])
    }

    /// Puts objects that were written one by one into a pack, which git flushes, and removes the files it replaces: nobody
    /// flushed those.
    fn pack_written(&self, written: &BTreeSet<ObjectId>) -> Result<()> {
        let list: String = written.iter().map(|oid| format!("{oid}\n")).collect();
        GitCommand::new(self, CommandScope::Repository, "pack-objects")
            .args(["-q", "--incremental", "--window=0"])
            .arg(self.common_dir().join("objects/pack/pack"))
            .flushed()
            .input(list.as_bytes())
            .run()?;
        for oid in written {
            // One that stays is only there twice.
            drop(std::fs::remove_file(self.loose_path(*oid)));
        }
        Ok(())
    }
}
