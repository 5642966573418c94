//! A lock held by every process of every attempt, through a descriptor that all of them inherit.

use super::{LockError, is_at, open, wait_for};
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long to retry a shared lock that another command's probe may hold for an instant.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// Proves whether any process that an attempt started is still alive.
#[derive(Debug, Clone)]
pub struct ProcessTreeLock {
    file: Arc<File>,
    path: PathBuf,
}

impl ProcessTreeLock {
    /// Opens and share-locks the file; process trees inherit its descriptor.
    pub fn acquire(path: &Path) -> Result<ProcessTreeLock, LockError> {
        let failed = |e: io::Error| LockError::Io(path.to_path_buf(), e);
        let file = open(path).map_err(failed)?;
        match wait_for(PROBE_TIMEOUT, || file.try_lock_shared()) {
            Ok(()) => Ok(ProcessTreeLock {
                file: Arc::new(file),
                path: path.to_path_buf(),
            }),
            Err(TryLockError::WouldBlock) => Err(failed(io::ErrorKind::WouldBlock.into())),
            Err(TryLockError::Error(e)) => Err(failed(e)),
        }
    }

    /// Returns the file for [`CommandSpec::inherit`](crate::process::CommandSpec::inherit).
    pub(crate) fn file(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }

    /// Returns whether the file is still the one we hold; not when it was deleted, and the other locks with it.
    pub(crate) fn is_ours(&self) -> bool {
        is_at(&self.file, &self.path)
    }

    /// Returns whether any process of a process tree is alive; the holder of a [`ProcessTreeLock`] counts as one.
    pub fn still_alive(path: &Path) -> bool {
        let Ok(file) = File::open(path) else {
            return false;
        };
        matches!(file.try_lock(), Err(TryLockError::WouldBlock))
    }
}
