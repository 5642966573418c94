//! SHELL. Every call of git on the repository; what talks to a remote is run as the user would run it (`user_tool`).
//!
//! Three views of a repository, and never another one: its git directory alone (reads, objects, refs), the user's
//! checkout with the user's configuration (only to update it after a landing), and the *trusted git directory*: our own,
//! sharing nothing but the object store, for every work tree an agent may have written.
//!
//! Invariants: nothing an agent wrote is configuration for a git that runs here; refs move only by compare-and-swap; the
//! user's files are replaced only while they are what git last wrote there; nothing waits without a deadline.
//!
//! Deliberately absent: remotes, stashes, reset, checkout, and any library that reimplements git.

mod branch_in_use;
mod bulk_pack;
mod cache;
mod cached_trees;
mod capture;
mod checkout;
mod checkout_capture;
mod checkout_changes;
mod checkout_edit;
mod checkout_index;
mod checkout_intent;
mod checkout_objects;
mod checkout_plan_edits;
mod checkout_update;
mod checkout_update_paths;
mod checkout_update_rules;
mod clean_filters;
mod commit;
mod commit_history;
mod commit_signing;
mod complaint;
mod directory_marks;
mod discover;
mod durable;
mod equal_records;
mod extended_file;
mod fast_forward;
mod file_swap;
mod file_times;
mod filled_submodule;
mod git_command;
mod git_environment;
mod git_path;
mod git_settings;
mod growing_file;
mod helper_pool;
mod helper_process;
mod ignore_rules;
mod index;
mod index_block;
mod index_record;
mod index_walk;
mod index_writer;
mod large_file_filter;
mod left_locks;
mod lfs_pointers;
mod loose_object;
mod merge;
mod modified_files;
mod nested_directories;
mod new_repository;
mod object_reader;
mod packet_lines;
mod packs;
mod patch;
mod path_history;
mod path_update;
mod pipes;
mod plain_addition;
mod plain_edit;
mod plain_file;
mod private_index;
mod read;
mod ref_files;
mod refs;
mod repository_traits;
mod sealed_features;
mod shown_index;
mod slot;
mod slot_changes;
mod slot_edit;
mod slot_filters;
mod slot_git;
mod slot_head;
mod slot_index;
mod slot_preparation;
mod slot_seal;
mod slot_submodules;
mod slot_target;
mod slot_untracked;
mod staged_files;
mod submodules;
mod touched_files;
mod tree;
mod tree_edit;
mod tree_object;
mod trusted_git_dir;
mod types;
mod user_index;
mod work_tree_list;
mod working_files;
mod worktree;

#[cfg(test)]
mod tests;

pub use checkout::Adopted;
pub(crate) use commit::NewCommit;
pub use commit::{Identity, Landed};
pub(crate) use discover::installed_version;
pub use discover::{Head, OLDEST, is_old};
pub use git_path::GitPath;
pub(crate) use git_settings::JUDGING_HOOKS;
pub use git_settings::OwnHooks;
pub use large_file_filter::LargeFileFilter;
pub use left_locks::LockHolds;
pub use object_reader::Object;
pub use patch::PatchedFile;
pub use repository_traits::{RepositoryTraits, named_in_checkout};
pub use slot::Slot;
pub use types::{Change, MODE_EXECUTABLE, MODE_GITLINK, MODE_SYMLINK, TreeEntry, Version};
pub(crate) use types::{MODE_FILE, MODE_TREE, is_regular};

pub(crate) use branch_in_use::BranchUses;
pub(crate) use capture::{SlotCapture, SlotHistory};
pub(crate) use checkout_changes::{CheckoutChanges, CheckoutSnapshot};
pub(crate) use commit::{CommitTime, Landing, PinWrite};
pub(crate) use discover::{Operation, RefFormat};
pub(crate) use new_repository::create_repository;
pub(crate) use packs::PackContent;
pub(crate) use slot_preparation::SlotPreparation;
pub(crate) use slot_seal::Seal;
pub(crate) use slot_target::{KnownTree, SlotTarget};
pub(crate) use tree_edit::TreeEdit;
pub(crate) use worktree::inside;

use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::{ObjectFormat, ObjectId};
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
    /// Where runtime state lives.
    state: PathBuf,
    object_format: ObjectFormat,
    ref_format: RefFormat,
    shallow: bool,
    deadline: Duration,
    known: KnownState,
}

/// What this process learned of a repository, and what it has open there: nothing at first.
#[derive(Default)]
struct KnownState {
    /// Objects written that may not be on the disk yet.
    unflushed: Mutex<std::collections::BTreeSet<ObjectId>>,
    settings: OnceLock<git_settings::Settings>,
    lfs_settings: OnceLock<Vec<String>>,
    /// Where files of git-lfs are that somebody else sent; else they are in git-lfs's own place.
    sent_large_files: OnceLock<PathBuf>,
    cache: Mutex<cache::Cache>,
    growing_file: Mutex<growing_file::GrowingFile>,
    spare: Mutex<Option<extended_file::SpareFile>>,
    beginnings: Mutex<extended_file::KnownBeginnings>,
    ref_files: ref_files::RefFiles,
    index: Mutex<Option<Arc<checkout_changes::IndexLook>>>,
    /// The user's index as this process put it in its place, and which file that is.
    user_index: Mutex<Option<(private_index::FileIdentity, user_index::UserIndex)>>,
    ignored: Mutex<checkout_changes::Ignored>,
    /// How often this process replaced the user's index.
    replaced: AtomicU64,
    trusted_git_dir_ready: Mutex<bool>,
    landing: Mutex<()>,
    helpers: helper_pool::Helpers,
}

/// Where a repository is.
struct Directories {
    work_tree: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    state: PathBuf,
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
        self.shared.state.clone()
    }

    /// Returns the hash the repository uses.
    pub(crate) fn object_format(&self) -> ObjectFormat {
        self.shared.object_format
    }

    /// Returns how the repository stores refs.
    pub(crate) fn ref_format(&self) -> RefFormat {
        self.shared.ref_format
    }

    /// Returns whether history was cut off when the repository was cloned.
    pub(crate) fn is_shallow(&self) -> bool {
        self.shared.shallow
    }

    /// Returns the same repository with another deadline for every call, for tests and slow disks.
    #[must_use]
    pub(crate) fn with_deadline(&self, deadline: Duration) -> Git {
        let shared = &self.shared;
        let directories = Directories {
            work_tree: shared.work_tree.clone(),
            git_dir: shared.git_dir.clone(),
            common_dir: shared.common_dir.clone(),
            state: shared.state.clone(),
        };
        self.handle(directories, (shared.ref_format, shared.shallow), deadline)
    }

    /// Returns a handle with nothing cached that speaks to git as this one does.
    fn handle(
        &self,
        at: Directories,
        (ref_format, shallow): (RefFormat, bool),
        deadline: Duration,
    ) -> Git {
        let shared = &self.shared;
        Git {
            shared: Arc::new(Shared {
                program: shared.program.clone(),
                environment: shared.environment.clone(),
                work_tree: at.work_tree,
                git_dir: at.git_dir,
                common_dir: at.common_dir,
                state: at.state,
                ref_format,
                shallow,
                deadline,
                known: KnownState::default(),
                object_format: shared.object_format,
            }),
        }
    }

    fn trusted_git_dir(&self) -> PathBuf {
        self.state_dir().join("vault")
    }

    /// Waits until no other command of ours moves a branch and updates this checkout.
    fn lock_checkout(&self) -> Option<crate::lock::CheckoutLock> {
        crate::lock::CheckoutLock::take(&self.state_dir().join("checkout.lock"))
    }

    /// Returns a directory for files that live for one exchange with git.
    fn scratch_dir(&self) -> Result<PathBuf> {
        let dir = self.state_dir().join("tmp");
        std::fs::create_dir_all(&dir).map_err(|e| Error::io("create", &dir, &e))?;
        Ok(dir)
    }
}
