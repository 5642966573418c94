//! Who holds a lock: what stands in the lock file, and what a user is shown of it.

use gatewalk_core::error::{Error, ErrorKind};
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a holder may take to write its name before it is reported as unknown.
const NAME_TIMEOUT: Duration = Duration::from_millis(40);
/// The most of a lock file that is read.
const HOLDER_LIMIT: u64 = 16 * 1024;

/// Who holds the driver lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The process id on `host`.
    pub pid: u32,
    /// The node name of its machine.
    pub host: String,
    /// When its process started, in clock ticks since boot: with the pid, its identity. 0: unknown.
    #[serde(default)]
    pub(crate) start: u64,
    /// The features it drives, with commas, or the command it runs.
    pub feature: String,
    /// When it took the lock, RFC 3339.
    #[serde(default)]
    pub started_at: String,
}

impl Holder {
    /// Returns this process as a holder.
    pub fn this(feature: &str, started_at: &str) -> Self {
        let pid = std::process::id();
        let start = crate::procfs::start_of(pid).unwrap_or(0);
        Holder {
            pid,
            host: host(),
            start,
            feature: feature.into(),
            started_at: started_at.into(),
        }
    }

    /// Asks the process that holds the lock to end, as Ctrl-C in its terminal does.
    pub fn interrupt(&self) -> Result<(), Error> {
        if self.is_foreign() {
            return Err(Error::environment(format!(
                "process {} runs on `{}`, not here",
                self.pid, self.host
            ))
            .hint("stop it on that machine"));
        }
        if self.is_gone() {
            return Ok(());
        }
        let pid = i32::try_from(self.pid).ok().and_then(Pid::from_raw);
        let sent = pid.map(|pid| kill_process(pid, Signal::INT));
        match sent {
            Some(Ok(()) | Err(rustix::io::Errno::SRCH)) => Ok(()),
            _ => Err(Error::environment(format!(
                "process {} cannot be asked to stop: is it another user's?",
                self.pid
            ))),
        }
    }

    /// Returns whether it runs on another machine, where its pid means nothing here.
    pub(crate) fn is_foreign(&self) -> bool {
        self.host != host()
    }

    /// Returns whether its process is known to be gone.
    pub(crate) fn is_gone(&self) -> bool {
        !self.is_foreign()
            && self.start != 0
            && crate::procfs::start_of(self.pid) != Some(self.start)
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
    /// Another driver holds it, and its name if it wrote one.
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

pub(super) fn read(file: &mut File) -> Option<Holder> {
    let mut text = Vec::new();
    file.rewind().ok()?;
    file.take(HOLDER_LIMIT).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Reads the name of a holder that is alive; it may be about to replace a dead one's.
pub(super) fn read_live(file: &mut File) -> Option<Holder> {
    let deadline = Instant::now() + NAME_TIMEOUT;
    loop {
        let holder = read(file).filter(|holder| !holder.is_gone());
        if holder.is_some() || Instant::now() >= deadline {
            return holder;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(super) fn write(file: &mut File, holder: &Holder) -> io::Result<()> {
    let mut text = serde_json::to_vec(holder)?;
    text.push(b'\n');
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(&text)
}
