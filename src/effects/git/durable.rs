//! What a ref is about to name is on the disk first: git itself leaves loose objects to the kernel.
//!
//! Objects are noted as they are written and flushed together just before a ref moves: one journal commit of the file
//! system serves them all, where a flush for each object would cost as many.

use super::{Git, Oid};
use crate::effects::files;
use crate::error::Result;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::PoisonError;

/// Settings of a git process that flushes what it writes by itself: objects, and refs before they take their name.
pub(super) const FLUSHED: [(&str, &str); 3] = [
    ("GIT_CONFIG_COUNT", "1"),
    ("GIT_CONFIG_KEY_0", "core.fsync"),
    ("GIT_CONFIG_VALUE_0", "committed,reference"),
];

impl Git {
    /// Notes an object that was written and may not be on the disk yet.
    pub(super) fn note_written(&self, oid: Oid) {
        let unflushed = &self.shared.unflushed;
        unflushed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(oid);
    }

    /// Flushes every noted object. An error is final: what the disk did not confirm once must not be trusted.
    pub(super) fn flush_objects(&self) -> Result<()> {
        let unflushed = &self.shared.unflushed;
        let written =
            std::mem::take(&mut *unflushed.lock().unwrap_or_else(PoisonError::into_inner));
        let mut directories: BTreeSet<PathBuf> = BTreeSet::new();
        for oid in written {
            let hex = oid.hex();
            let directory = self.common_dir().join("objects").join(&hex[..2]);
            // Not there: it was known before, in a pack or in another object store.
            if files::flush(&directory.join(&hex[2..]))? {
                directories.insert(directory);
            }
        }
        if !directories.is_empty() {
            // The directories may be new themselves.
            directories.insert(self.common_dir().join("objects"));
        }
        for directory in directories {
            files::flush(&directory)?;
        }
        Ok(())
    }
}
