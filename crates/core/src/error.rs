//! Errors that stop a command. Findings about the user's files are not errors: see `diagnostic`.

use crate::exit::Exit;
use std::error::Error as StdError;
use std::sync::Arc;
use std::{fmt, io};

/// The result of everything that can stop a command.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a command stopped: its kind decides the exit code.
///
/// Messages are lowercase fragments without a full stop; hints say what to do next. Shown with `Display`, it is its
/// message and the chain of its sources.
#[derive(Debug, Clone)]
pub struct Error {
    /// Decides the exit code.
    pub kind: ErrorKind,
    message: String,
    /// What the user can do, one per line; also where their work is safe.
    pub hints: Vec<String>,
    /// The cause, where something is decided by it.
    pub cause: Option<ErrorCause>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// Two errors are the same when they say the same and end the program alike.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        (self.kind, &self.hints) == (other.kind, &other.hints)
            && self.to_string() == other.to_string()
    }
}

/// Causes that something is decided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCause {
    /// No space is left, or a quota is used up.
    NoSpace,
    /// It may not be written or read.
    Permission,
    /// It is not there.
    NotFound,
    /// An object of the repository is damaged or missing.
    DamagedObject,
    /// Something reached for what it must leave alone.
    Tampering,
    /// A branch may not be moved now: another work tree has it checked out, or git is at work on it.
    HeldBranch,
}

impl ErrorCause {
    /// Returns the cause of a failed file operation.
    fn of_io(source: &io::Error) -> Option<Self> {
        use io::ErrorKind as IoKind;
        match source.kind() {
            IoKind::StorageFull | IoKind::QuotaExceeded => Some(ErrorCause::NoSpace),
            IoKind::PermissionDenied | IoKind::ReadOnlyFilesystem => Some(ErrorCause::Permission),
            IoKind::NotFound => Some(ErrorCause::NotFound),
            _ => None,
        }
    }

    /// Returns what a user can do about it, where that is the same wherever it happens.
    fn remedy(self) -> Option<&'static str> {
        match self {
            ErrorCause::NoSpace => {
                Some("no space is left there: free some, then run the same command again")
            }
            ErrorCause::Permission => Some("you must be able to write there"),
            ErrorCause::DamagedObject => Some(
                "`git fsck` shows what is damaged; in a partial clone, fetch the missing objects first",
            ),
            ErrorCause::NotFound | ErrorCause::Tampering | ErrorCause::HeldBranch => None,
        }
    }
}

/// The kinds of errors; each maps to one exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line is wrong.
    Usage,
    /// The plan or the configuration is invalid, or a transition is refused.
    InvalidPlan,
    /// Another driver holds the lock.
    Locked,
    /// The machine: git, disk, permissions, a missing program.
    Environment,
    /// Something changed that must not: refs, control plane, repository damage.
    Integrity,
    /// A bug in Gatewalk.
    Internal,
}

impl Error {
    /// Returns an error of the given kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            hints: Vec::new(),
            cause: None,
            source: None,
        }
    }

    /// Adds the error that this one comes from.
    #[must_use]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Adds the cause, and the hint that goes with it.
    #[must_use]
    pub fn because(mut self, cause: ErrorCause) -> Self {
        self.cause = Some(cause);
        self.hints.extend(cause.remedy().map(str::to_owned));
        self
    }

    /// Returns a usage error.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// Returns an invalid-plan error.
    pub fn plan(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidPlan, message)
    }

    /// Returns an environment error.
    pub fn environment(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Environment, message)
    }

    /// Returns an integrity error.
    pub fn integrity(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Integrity, message)
    }

    /// Returns an internal error: a bug in Gatewalk.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// Returns an environment error for a failed file operation, naming the path.
    pub fn io(action: &str, path: &std::path::Path, source: &io::Error) -> Self {
        let error = Self::environment(format!("cannot {action} `{}`", path.display()))
            .with_source(copy_of(source));
        match ErrorCause::of_io(source) {
            Some(cause @ ErrorCause::Permission) if matches!(action, "read" | "resolve") => Error {
                cause: Some(cause),
                ..error.hint("you must be able to read it")
            },
            Some(cause @ (ErrorCause::NoSpace | ErrorCause::Permission)) => error.because(cause),
            cause => Error { cause, ..error },
        }
    }

    /// Adds what the user can do, as a line of its own.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Returns the exit code of this kind.
    pub fn exit(&self) -> Exit {
        match self.kind {
            ErrorKind::Usage => Exit::Usage,
            ErrorKind::InvalidPlan => Exit::InvalidPlan,
            ErrorKind::Locked => Exit::Locked,
            ErrorKind::Environment => Exit::Environment,
            ErrorKind::Integrity => Exit::Integrity,
            ErrorKind::Internal => Exit::Internal,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let mut source = self.source();
        while let Some(error) = source {
            write!(f, ": {error}")?;
            // One of ours shows its own chain.
            source = error.source().filter(|_| !error.is::<Error>());
        }
        Ok(())
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}

/// Returns the same error once more: the original stays with whoever goes on with it.
fn copy_of(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_failed_file_operation_keeps_its_source_and_what_is_decided_by() {
        // No space, not permitted, read-only, not there, and one that nothing is decided by.
        let (write, read) = (
            "you must be able to write there",
            "you must be able to read it",
        );
        let space = ErrorCause::NoSpace.remedy().unwrap_or_default();
        for (code, action, cause, hint) in [
            (28, "write", Some(ErrorCause::NoSpace), Some(space)),
            (13, "write", Some(ErrorCause::Permission), Some(write)),
            (30, "create", Some(ErrorCause::Permission), Some(write)),
            (13, "read", Some(ErrorCause::Permission), Some(read)),
            (13, "resolve", Some(ErrorCause::Permission), Some(read)),
            (28, "read", Some(ErrorCause::NoSpace), Some(space)),
            (2, "write", Some(ErrorCause::NotFound), None),
            (5, "write", None, None),
        ] {
            let original = io::Error::from_raw_os_error(code);
            let error = Error::io(action, Path::new("/there"), &original);
            assert_eq!(error.kind, ErrorKind::Environment);
            let hints: Vec<&str> = error.hints.iter().map(String::as_str).collect();
            assert_eq!((error.cause, &*hints), (cause, hint.as_slice()), "{error}");
            assert_eq!(
                error.to_string(),
                format!("cannot {action} `/there`: {original}")
            );
            let source = error.source().and_then(|s| s.downcast_ref::<io::Error>());
            assert_eq!(source.and_then(io::Error::raw_os_error), Some(code));
        }
        let made = io::Error::new(io::ErrorKind::InvalidData, "not text");
        let error = Error::io("read", Path::new("a"), &made);
        assert_eq!(error.to_string(), "cannot read `a`: not text");
    }

    #[test]
    fn a_chain_is_shown_once_and_whole() {
        let io = io::Error::from_raw_os_error(2);
        let inner = Error::io("read", Path::new("a"), &io);
        let outer = Error::plan("T01").with_source(inner);
        assert_eq!(outer.to_string(), format!("T01: cannot read `a`: {io}"));
        assert_eq!(Error::plan("alone").to_string(), "alone");
        assert!(Error::plan("alone").source().is_none());
    }
}
