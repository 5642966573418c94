//! The two kernel-released locks of a repository.
//!
//! `DriverLock`: one driver at a time; never waits, never deletes the file, so a lock cannot be
//! stolen by replacing it. `ProcessTreeLock`: held, shared, by every process of every attempt through an
//! inherited descriptor, so a later driver can prove whether any still lives. Both live below the
//! git directory, out of an agent's reach. Absent on purpose: ending what lives (`process::orphans`).

use gatewalk_core::error::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a holder may take to write its name before we report it as unknown.
const NAME_PATIENCE: Duration = Duration::from_millis(40);
/// How long to retry a shared lock that somebody's probe may hold for an instant.
const PROBE_PATIENCE: Duration = Duration::from_secs(1);
/// The most of a lock file that is read.
const HOLDER_CAP: u64 = 16 * 1024;

/// The name of the lock of a re-check, which may run beside a driver.
pub const RECHECK_LOCK: &str = "verify.lock";

/// Who holds the driver lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its pid.
    pub pid: u32,
    /// Its machine.
    pub host: String,
    /// When its process started, in clock ticks since boot: with the pid, its identity. 0: unknown.
    #[serde(default)]
    pub start: u64,
    /// What it drives.
    pub feature: String,
    /// When it took the lock, RFC 3339.
    #[serde(default)]
    pub started_at: String,
}

impl Holder {
    /// Returns this process as a holder.
    pub fn this(feature: &str, started_at: &str) -> Self {
        let pid = std::process::id();
        let start = super::process::start_of(pid).unwrap_or(0);
        Holder {
            pid,
            host: host(),
            start,
            feature: feature.into(),
            started_at: started_at.into(),
        }
    }

    /// Returns whether it runs on another machine, where its pid means nothing here.
    pub fn is_foreign(&self) -> bool {
        self.host != host()
    }

    /// Returns whether its process is known to be gone.
    pub fn is_gone(&self) -> bool {
        !self.is_foreign()
            && self.start != 0
            && super::process::start_of(self.pid) != Some(self.start)
    }
}

fn host() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// Why the driver lock was not taken.
#[derive(Debug)]
pub enum LockError {
    /// Another driver holds it; none when it does not say who.
    Held(Option<Holder>),
    /// The file cannot be opened, locked or written.
    Io(PathBuf, io::Error),
}

impl From<LockError> for Error {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held(Some(holder)) => {
                let Holder {
                    pid,
                    host,
                    feature,
                    started_at,
                    ..
                } = &holder;
                let since = if started_at.is_empty() {
                    String::new()
                } else {
                    format!(", since {started_at}")
                };
                let stop = if holder.is_foreign() {
                    format!("it runs on `{host}`: stop it there, or wait until it ends")
                } else {
                    format!("wait until it ends, or stop it in order with `kill -INT {pid}`")
                };
                Error::new(
                    ErrorKind::Locked,
                    format!("another driver is at work: pid {pid} on {host}, {feature}{since}"),
                )
                .hint(stop)
            }
            LockError::Held(None) => Error::new(
                ErrorKind::Locked,
                "another driver is at work; it does not say who it is",
            )
            .hint("wait until it ends"),
            LockError::Io(path, source) => Error::io("take the lock", &path, &source)
                .hint("the git directory must be writable, on a file system with locks"),
        }
    }
}

/// The right to drive, for as long as it lives.
#[derive(Debug)]
pub struct DriverLock {
    path: PathBuf,
    file: File,
    predecessor: Option<Holder>,
}

impl DriverLock {
    /// Takes the lock, or says at once who has it.
    pub fn acquire(path: &Path, holder: &Holder) -> Result<DriverLock, LockError> {
        let failed = |e: io::Error| LockError::Io(path.to_path_buf(), e);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        for _ in 0..10 {
            let mut file = open(path).map_err(failed)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(LockError::Held(named(&mut file))),
                Err(TryLockError::Error(e)) => return Err(failed(e)),
                // Somebody deleted the file in between: what we locked is no longer the lock.
                Ok(()) if !is_at(&file, path) => {}
                Ok(()) => {
                    let predecessor = read(&mut file);
                    super::crash::around("take a lock", || write(&mut file, holder))
                        .map_err(failed)?;
                    return Ok(DriverLock {
                        path: path.to_path_buf(),
                        file,
                        predecessor,
                    });
                }
            }
        }
        Err(failed(io::Error::other(
            "the lock file keeps being replaced",
        )))
    }

    /// Returns the driver before us when it died without releasing the lock.
    pub fn predecessor(&self) -> Option<&Holder> {
        self.predecessor.as_ref()
    }

    /// Returns whether the lock file is still the one we hold; not when somebody deleted it.
    pub fn is_ours(&self) -> bool {
        is_at(&self.file, &self.path)
    }

    /// Returns who holds the lock; none when it is free or the holder does not say. Writes nothing.
    pub fn holder(path: &Path) -> Option<Holder> {
        let mut file = File::open(path).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => named(&mut file),
            _ => None,
        }
    }
}

/// Returns the holder that died without releasing a lock. Writes nothing.
pub fn left_behind(path: &Path) -> Option<Holder> {
    let mut file = File::open(path).ok()?;
    file.try_lock_shared().ok()?;
    read(&mut file)
}

impl Drop for DriverLock {
    /// Forgets the holder, so that a name that stays behind means a driver that died.
    fn drop(&mut self) {
        // Only a message is at stake; closing the file releases the lock.
        let _ = self.file.set_len(0);
    }
}

/// How long to wait for somebody else's landing.
const TURN_PATIENCE: Duration = Duration::from_secs(20);

/// A turn at what a driver and a user's command both do to one checkout: moving a branch and following it.
///
/// The compare-and-swap of the branch needs none; the checkout, its record and our copy of its index do.
#[derive(Debug)]
pub struct CheckoutLock {
    _file: File,
}

impl CheckoutLock {
    /// Waits for the turn; after a while, or where there are no locks, goes ahead without.
    pub fn take(path: &Path) -> Option<CheckoutLock> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).ok()?;
        }
        let file = open(path).ok()?;
        wait_for(TURN_PATIENCE, || file.try_lock()).ok()?;
        Some(CheckoutLock { _file: file })
    }
}

/// Tries a lock until it is ours, or somebody has held it for too long.
fn wait_for(
    patience: Duration,
    try_lock: impl Fn() -> std::result::Result<(), TryLockError>,
) -> std::result::Result<(), TryLockError> {
    let deadline = Instant::now() + patience;
    loop {
        match try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(1));
            }
            end => return end,
        }
    }
}

/// The proof of life of every process that attempts start.
#[derive(Debug, Clone)]
pub struct ProcessTreeLock {
    file: Arc<File>,
    path: PathBuf,
}

impl ProcessTreeLock {
    /// Opens and share-locks the file; its descriptor is what families inherit.
    pub fn acquire(path: &Path) -> Result<ProcessTreeLock, LockError> {
        let failed = |e: io::Error| LockError::Io(path.to_path_buf(), e);
        let file = open(path).map_err(failed)?;
        match wait_for(PROBE_PATIENCE, || file.try_lock_shared()) {
            Ok(()) => Ok(ProcessTreeLock {
                file: Arc::new(file),
                path: path.to_path_buf(),
            }),
            Err(TryLockError::WouldBlock) => Err(failed(io::ErrorKind::WouldBlock.into())),
            Err(TryLockError::Error(e)) => Err(failed(e)),
        }
    }

    /// Returns the file for [`CommandSpec::inherit`](super::process::CommandSpec::inherit).
    pub fn file(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }

    /// Returns whether the file is still the one we hold; not when somebody deleted it, and the other locks with it.
    pub fn is_ours(&self) -> bool {
        is_at(&self.file, &self.path)
    }

    /// Returns whether any process of a family lives; the holder of a [`ProcessTreeLock`] counts as one.
    pub fn still_alive(path: &Path) -> bool {
        let Ok(file) = File::open(path) else {
            return false;
        };
        matches!(file.try_lock(), Err(TryLockError::WouldBlock))
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

fn read(file: &mut File) -> Option<Holder> {
    let mut text = Vec::new();
    file.rewind().ok()?;
    file.take(HOLDER_CAP).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Reads a living holder's name; it may be just about to write it over a dead one's.
fn named(file: &mut File) -> Option<Holder> {
    let deadline = Instant::now() + NAME_PATIENCE;
    loop {
        let holder = read(file).filter(|holder| !holder.is_gone());
        if holder.is_some() || Instant::now() >= deadline {
            return holder;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn write(file: &mut File, holder: &Holder) -> io::Result<()> {
    let mut text = serde_json::to_vec(holder)?;
    text.push(b'\n');
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(feature: &str) -> Holder {
        Holder::this(feature, "2026-11-21T10:00:00Z")
    }

    #[test]
    fn a_second_driver_is_told_at_once_who_holds_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("gatewalk/lock");
        let first = DriverLock::acquire(&path, &holder("FEAT-2026-0001")).unwrap();
        let started = Instant::now();
        let Err(LockError::Held(Some(named))) =
            DriverLock::acquire(&path, &holder("FEAT-2026-0002"))
        else {
            panic!("two drivers hold the lock");
        };
        assert!(started.elapsed() < Duration::from_millis(100));
        assert_eq!(named, holder("FEAT-2026-0001"));
        assert_eq!(DriverLock::holder(&path), Some(named.clone()));
        let error = Error::from(LockError::Held(Some(named)));
        assert_eq!(error.exit(), gatewalk_core::exit::Exit::Locked);
        assert!(
            error.message.contains("FEAT-2026-0001")
                && error.message.contains(&std::process::id().to_string())
        );

        drop(first);
        assert_eq!(DriverLock::holder(&path), None);
        let third = DriverLock::acquire(&path, &holder("FEAT-2026-0003")).unwrap();
        assert!(third.predecessor().is_none() && third.is_ours());
        std::fs::remove_file(&path).unwrap();
        assert!(!third.is_ours());
    }

    #[test]
    fn a_driver_that_died_is_known_to_the_next_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let dead = Holder {
            pid: 1,
            start: u64::MAX,
            ..holder("FEAT-2026-0001")
        };
        std::fs::write(&path, serde_json::to_vec(&dead).unwrap()).unwrap();
        assert!(dead.is_gone() || cfg!(not(target_os = "linux")));
        assert_eq!(
            DriverLock::acquire(&path, &holder("x"))
                .unwrap()
                .predecessor(),
            Some(&dead)
        );
    }

    #[test]
    fn a_holder_that_is_gone_foreign_or_unreadable_is_told_apart() {
        let foreign = Holder {
            host: "elsewhere".into(),
            ..holder("FEAT-2026-0001")
        };
        for (content, want) in [
            (serde_json::to_vec(&foreign).unwrap(), Some(foreign.clone())),
            (b"\xff\0{".to_vec(), None),
            (Vec::new(), None),
            (vec![b' '; 1 << 20], None),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("lock");
            let held = DriverLock::acquire(&path, &holder("mine")).unwrap();
            std::fs::write(&path, content).unwrap();
            let Err(LockError::Held(named)) = DriverLock::acquire(&path, &holder("x")) else {
                panic!("not held")
            };
            assert_eq!(named, want);
            assert!(!Error::from(LockError::Held(named)).hints.is_empty());
            drop(held);
        }
        assert!(Error::from(LockError::Held(Some(foreign))).hints[0].contains("elsewhere"));
    }

    #[test]
    fn a_symlink_in_the_place_of_the_lock_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        std::os::unix::fs::symlink(dir.path().join("victim"), &path).unwrap();
        assert!(matches!(
            DriverLock::acquire(&path, &holder("x")),
            Err(LockError::Io(..))
        ));
        assert!(!dir.path().join("victim").exists());
    }

    #[test]
    fn a_family_lock_lives_as_long_as_any_copy_of_its_descriptor() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("family.lock");
        assert!(!ProcessTreeLock::still_alive(&path), "no file, no family");
        let first = ProcessTreeLock::acquire(&path).unwrap();
        let second = ProcessTreeLock::acquire(&path).unwrap();
        let inherited = first.file();
        drop((first, second));
        assert!(ProcessTreeLock::still_alive(&path));
        drop(inherited);
        // A process that another test is just starting may hold copies until it is another program.
        let patience = std::time::Instant::now() + Duration::from_secs(20);
        while ProcessTreeLock::still_alive(&path) {
            assert!(std::time::Instant::now() < patience, "alive for ever");
            std::thread::yield_now();
        }
    }
}
