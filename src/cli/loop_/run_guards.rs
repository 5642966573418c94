//! What keeps runs apart, and what ends the processes of one that dies.

use crate::cli::Context;
use gatewalk_core::engine::oracle;
use gatewalk_core::error::Result;
use gatewalk_host::lock::{DriverLock, Holder, ProcessTreeLock};
use gatewalk_host::os::{Host, disposable, owner};
use gatewalk_host::process::{orphans, watchdog::Watchdog};
use gatewalk_host::state_repository::{Repository, Selected};
use sha2::Digest;
use std::path::Path;
use std::time::Duration;

/// The right to drive a work tree and a branch.
pub(crate) struct Locks {
    _work_tree: DriverLock,
    _branches: Vec<DriverLock>,
}

impl Locks {
    /// Takes both, or says who holds one.
    pub(crate) fn take(repository: &Repository, selected: &Selected) -> Result<Locks> {
        Locks::of_all(repository, std::slice::from_ref(selected))
    }

    /// Takes the work tree's and every feature's branch's, or says who holds one.
    pub(super) fn of_all(repository: &Repository, features: &[Selected]) -> Result<Locks> {
        let started = jiff::Timestamp::now().to_string();
        let names: Vec<String> = features.iter().map(|f| f.feature().name()).collect();
        let holder = Holder::this(&names.join(", "), &started);
        let work_tree = DriverLock::acquire(&repository.git.state_dir().join("lock"), &holder)?;
        let directory = repository
            .git
            .common_dir()
            .join("gatewalk")
            .join("branches");
        let branches: std::collections::BTreeSet<&str> =
            features.iter().map(|f| f.branch.as_str()).collect();
        let lock = |branch: &str| {
            let hash = oracle::hex(&sha2::Sha256::digest(branch.as_bytes()));
            DriverLock::acquire(&directory.join(format!("{}.lock", &hash[..16])), &holder)
        };
        let branches: std::result::Result<_, _> = branches.into_iter().map(lock).collect();
        Ok(Locks {
            _work_tree: work_tree,
            _branches: branches?,
        })
    }
}

/// Ends what a killed run left at work; for the holder of the locks. Returns the path of the family lock.
pub(crate) fn end_leftovers(context: &Context, repository: &Repository) -> std::path::PathBuf {
    let family_path = repository.git.state_dir().join("family.lock");
    let grace = Duration::from_secs(2);
    let swept = orphans::end(&owner(&repository.git), Some(&family_path), grace);
    if swept.found > 0 {
        context.out.note(format!(
            "ended {} processes that an interrupted run left behind",
            swept.found
        ));
    }
    if let Ok(host) = context.host() {
        disposable::tidy(&repository.git, &host);
    }
    family_path
}

/// Takes the lock that every process of the run inherits, and starts who ends them should the driver die.
pub(crate) fn guarded_family(
    context: &Context,
    repository: &Repository,
    host: &Host,
    path: &Path,
) -> Result<(ProcessTreeLock, Option<Watchdog>)> {
    let family = ProcessTreeLock::acquire(path)?;
    let watchdog = Watchdog::start(&host.own_program, &owner(&repository.git), path);
    if let Err(error) = &watchdog {
        context.out.note(format!(
            "{error}; if this driver is killed, what it started lives until the next start"
        ));
    }
    Ok((family, watchdog.ok()))
}
