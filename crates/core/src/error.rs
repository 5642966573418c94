//! Errors that stop a command. Findings about the user's files are not errors: see `diagnostic`.

use crate::exit::Exit;
use std::fmt;

/// The result of everything that can stop a command.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a command stopped: its kind decides the exit code.
///
/// Messages are lowercase fragments without a full stop; hints say what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Decides the exit code.
    pub kind: ErrorKind,
    /// What happened, where and why, in one sentence fragment.
    pub message: String,
    /// What the user can do, one per line; also where their work is safe.
    pub hints: Vec<String>,
    /// The cause, where something is decided by it.
    pub cause: Option<ErrorCause>,
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
}

impl ErrorCause {
    /// Returns the cause of a failed file operation.
    fn of_io(source: &std::io::Error) -> Option<Self> {
        use std::io::ErrorKind as IoKind;
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
            ErrorCause::NotFound | ErrorCause::Tampering => None,
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
        }
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
    pub fn io(action: &str, path: &std::path::Path, source: &std::io::Error) -> Self {
        let error = Self::environment(format!("cannot {action} `{}`: {source}", path.display()));
        match ErrorCause::of_io(source) {
            Some(cause @ ErrorCause::NoSpace) => error.because(cause),
            cause => Error { cause, ..error },
        }
    }

    /// Adds a hint.
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
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
