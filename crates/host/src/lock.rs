//! The locks of a repository, which the kernel releases when their holder dies.
//!
//! `DriverLock`: one driver at a time; never waits, never deletes the file, so a lock cannot be
//! stolen by replacing it. `CheckoutLock`: one command at a time updates the checkout. `ProcessTreeLock`: held by
//! every process of every attempt, so a later driver can prove whether any still runs. All are below the git
//! directory, out of an agent's reach. Absent on purpose: ending the processes (`process::orphans`).

mod branch_locks;
mod lock_holder;
mod process_tree_lock;

pub use branch_locks::branch_lock;
pub(crate) use branch_locks::driven_elsewhere;
pub use lock_holder::{Holder, LockError};
pub use process_tree_lock::ProcessTreeLock;

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// The file name of the lock of `verify`, which may run beside a driver.
pub const RECHECK_LOCK: &str = "verify.lock";

/// The right to drive, for as long as it lives.
#[derive(Debug)]
pub struct DriverLock {
    file: File,
    leaves_its_name: bool,
}

impl DriverLock {
    /// Keeps the name of its holder in the file when it is released: others see who was there, and when.
    #[must_use]
    pub fn leaving_its_name(mut self) -> DriverLock {
        self.leaves_its_name = true;
        self
    }

    /// Takes the lock, or reports at once who has it.
    pub fn acquire(path: &Path, holder: &Holder) -> Result<DriverLock, LockError> {
        let failed = |e: io::Error| LockError::Io(path.to_path_buf(), e);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        for _ in 0..10 {
            let mut file = open(path).map_err(failed)?;
            lock_past_looks(&mut file, path)?;
            // Or else the file was deleted in between: what we locked is no longer the lock.
            if is_at(&file, path) {
                super::crash::around("take a lock", || lock_holder::write(&mut file, holder))
                    .map_err(failed)?;
                return Ok(DriverLock {
                    file,
                    leaves_its_name: false,
                });
            }
        }
        Err(failed(io::Error::other(
            "the lock file keeps being replaced",
        )))
    }

    /// Returns who holds the lock; `None` when it is free or the holder wrote no name. Writes nothing.
    pub fn holder(path: &Path) -> Option<Holder> {
        let mut file = File::open(path).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => lock_holder::read_live(&mut file),
            _ => None,
        }
    }
}

/// Returns the holder that died without releasing a lock. Writes nothing.
pub fn left_behind(path: &Path) -> Option<Holder> {
    let mut file = File::open(path).ok()?;
    file.try_lock_shared().ok()?;
    lock_holder::read(&mut file)
}

impl Drop for DriverLock {
    /// Erases the name, so that a name left in the file means a driver that died.
    fn drop(&mut self) {
        if !self.leaves_its_name {
            // Only a message depends on it; closing the file releases the lock.
            let _ = self.file.set_len(0);
        }
    }
}

/// How long a lock without a living name is tried for: who looks whose it is holds it for a moment, as does who is about to
/// write a name.
const LOOK: Duration = Duration::from_millis(500);

/// Locks a file, or reports who has it, at once where that is written there.
fn lock_past_looks(file: &mut File, path: &Path) -> Result<(), LockError> {
    let deadline = Instant::now() + LOOK;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(e)) => return Err(LockError::Io(path.to_path_buf(), e)),
            Err(TryLockError::WouldBlock) => {}
        }
        let named = lock_holder::read_live(file);
        if named.is_some() || Instant::now() >= deadline {
            return Err(LockError::Held(named));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How long to wait for another command's landing.
const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(20);

/// The right to move a branch and update the checkout, which a driver and a user's commands both do.
///
/// The compare-and-swap of the branch needs no lock; the checkout, its record and our copy of its index do.
#[derive(Debug)]
pub(crate) struct CheckoutLock {
    _file: File,
}

impl CheckoutLock {
    /// Waits for the lock; `None` after a while, or where there are no locks: the caller goes ahead without.
    pub(crate) fn take(path: &Path) -> Option<CheckoutLock> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).ok()?;
        }
        let file = open(path).ok()?;
        wait_for(CHECKOUT_TIMEOUT, || file.try_lock()).ok()?;
        Some(CheckoutLock { _file: file })
    }
}

/// Retries a lock until it is ours or the timeout is over.
fn wait_for(
    timeout: Duration,
    try_lock: impl Fn() -> std::result::Result<(), TryLockError>,
) -> std::result::Result<(), TryLockError> {
    let deadline = Instant::now() + timeout;
    loop {
        match try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(1));
            }
            end => return end,
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let nofollow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or(0);
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .custom_flags(nofollow)
        .open(path)
}

fn is_at(file: &File, path: &Path) -> bool {
    let identity = |meta: std::fs::Metadata| (meta.dev(), meta.ino());
    match (file.metadata(), std::fs::symlink_metadata(path)) {
        (Ok(held), Ok(there)) => identity(held) == identity(there),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
