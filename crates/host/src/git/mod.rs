//! SHELL. Every call of git; the only code that runs it.
//!
//! Three views of a repository, and never another one: its git directory alone (reads, objects, refs), the user's
//! checkout with the user's configuration (only to let it follow a landing), and a *vault*: a git directory of our
//! own that shares nothing but the object store, for every work tree an agent may have written.
//!
//! Invariants: nothing an agent wrote is configuration for a git that runs here; refs move only by compare-and-swap; the
//! user's files are replaced only while they are what git last wrote there; nothing waits without a deadline.
//!
//! Deliberately absent: remotes, stashes, reset, checkout, and any library that reimplements git.

mod cache;
mod capture;
mod checkout;
mod commit;
mod discover;
mod disk;
mod durable;
mod exchange;
mod follow;
mod follow_decide;
mod follow_paths;
mod helpers;
mod index;
mod merge;
mod pipes;
mod read;
mod refs;
mod run;
mod since;
mod slot;
mod slot_git;
mod stored;
mod talk;
mod touched;
mod tree;
mod types;
mod user_index;
mod vault;
mod worktree;

#[cfg(test)]
mod tests;

pub use capture::{Captured, History};
pub use checkout::{Adopted, StatusEntry, UserStatus};
pub use commit::{Identity, Landed, Landing, Stamp, User};
pub use discover::{Head, Operation, RefFormat};
pub use follow::Followed;
pub use helpers::Object;
pub use merge::Merged;
pub use read::CommitInfo;
pub use refs::{ATTEMPTS, Pinned, RefUpdate};
pub use run::{DEADLINE, OUTPUT_LIMIT};
pub use since::{Moment, Since};
pub use slot::{Known, Prepared, Slot, Target};
pub use tree::TreeEdit;
pub use types::{
    Change, ChangeKind, GitPath, MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, MODE_TREE,
    ObjectFormat, Oid, TreeEntry, Version,
};

use gatewalk_core::error::{Error, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// A repository: cheap to clone, shared by threads.
#[derive(Clone)]
pub struct Git {
    shared: Arc<Shared>,
}

struct Shared {
    program: PathBuf,
    environment: Vec<(OsString, OsString)>,
    work_tree: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    object_format: ObjectFormat,
    ref_format: RefFormat,
    shallow: bool,
    /// Objects written that may not be on the disk yet.
    unflushed: Mutex<std::collections::BTreeSet<Oid>>,
    deadline: Duration,
    settings: OnceLock<discover::Settings>,
    cache: Mutex<cache::Cache>,
    index: Mutex<Option<Arc<since::IndexLook>>>,
    ignored: Mutex<since::Ignored>,
    /// How often this process replaced the user's index.
    replaced: AtomicU64,
    vault: Mutex<bool>,
    landing: Mutex<()>,
    helpers: helpers::Helpers,
}

impl std::fmt::Debug for Git {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Git({})", self.shared.work_tree.display())
    }
}

impl Git {
    /// Returns the root of the user's work tree.
    pub fn work_tree(&self) -> &Path {
        &self.shared.work_tree
    }

    /// Returns the git directory of this work tree.
    pub fn git_dir(&self) -> &Path {
        &self.shared.git_dir
    }

    /// Returns the git directory all linked work trees share: refs and objects are there.
    pub fn common_dir(&self) -> &Path {
        &self.shared.common_dir
    }

    /// Returns where runtime state lives: `<git directory>/gatewalk`. It may not exist yet.
    pub fn state_dir(&self) -> PathBuf {
        self.shared.git_dir.join("gatewalk")
    }

    /// Returns the hash the repository uses.
    pub fn object_format(&self) -> ObjectFormat {
        self.shared.object_format
    }

    /// Returns how the repository stores refs.
    pub fn ref_format(&self) -> RefFormat {
        self.shared.ref_format
    }

    /// Returns whether history was cut off when the repository was cloned.
    pub fn is_shallow(&self) -> bool {
        self.shared.shallow
    }

    /// Returns the same repository with another deadline for every call, for tests and slow disks.
    #[must_use]
    pub fn with_deadline(&self, deadline: Duration) -> Git {
        let shared = &self.shared;
        Git {
            shared: Arc::new(Shared {
                program: shared.program.clone(),
                environment: shared.environment.clone(),
                work_tree: shared.work_tree.clone(),
                git_dir: shared.git_dir.clone(),
                common_dir: shared.common_dir.clone(),
                deadline,
                settings: OnceLock::new(),
                vault: Mutex::new(false),
                landing: Mutex::new(()),
                unflushed: Mutex::default(),
                cache: Mutex::default(),
                index: Mutex::default(),
                ignored: Mutex::default(),
                replaced: AtomicU64::default(),
                helpers: helpers::Helpers::default(),
                ..**shared
            }),
        }
    }

    fn vault_dir(&self) -> PathBuf {
        self.state_dir().join("vault")
    }

    /// Waits until no other command of ours moves a branch and lets this checkout follow.
    fn turn(&self) -> Option<crate::lock::Turn> {
        crate::lock::Turn::take(&self.state_dir().join("checkout.lock"))
    }

    /// Returns a directory for files that live for one exchange with git.
    fn scratch_dir(&self) -> Result<PathBuf> {
        let dir = self.state_dir().join("tmp");
        std::fs::create_dir_all(&dir).map_err(|e| Error::io("create", &dir, &e))?;
        Ok(dir)
    }
}
