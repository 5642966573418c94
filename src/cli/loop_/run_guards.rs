//! What keeps runs apart, and what ends the processes of one that dies.

use crate::cli::Context;
use gatewalk_core::error::Result;
use gatewalk_host::lock::{DriverLock, Holder, ProcessTreeLock, branch_lock};
use gatewalk_host::os::{Host, disposable, owner};
use gatewalk_host::process::{orphans, watchdog::Watchdog};
use gatewalk_host::state_repository::{Repository, Selected};
use std::path::Path;
use std::time::Duration;

/// The right to drive a work tree and the branches of its features.
pub(crate) struct Locks {
    _work_tree: DriverLock,
    branches: Vec<DriverLock>,
    started: String,
}

impl Locks {
    /// Takes the work tree's and the branch's, or says who holds one.
    pub(crate) fn take(repository: &Repository, selected: &Selected) -> Result<Locks> {
        let mut locks = Locks::of_work_tree(repository, std::slice::from_ref(selected))?;
        locks.take_branch(repository, selected)?;
        Ok(locks)
    }

    /// Takes the work tree's alone, to drive these features, or says who holds it.
    pub(super) fn of_work_tree(repository: &Repository, features: &[Selected]) -> Result<Locks> {
        // To the second: people read it.
        let started = jiff::Timestamp::now().strftime("%FT%TZ").to_string();
        let names: Vec<String> = features.iter().map(|f| f.feature().name()).collect();
        let holder = Holder::this(&names.join(", "), &started);
        Ok(Locks {
            _work_tree: DriverLock::acquire(&repository.git.state_dir().join("lock"), &holder)?,
            branches: Vec::new(),
            started,
        })
    }

    /// Takes a branch's, too, or says who holds it.
    pub(super) fn take_branch(
        &mut self,
        repository: &Repository,
        selected: &Selected,
    ) -> Result<()> {
        let holder = Holder::this(&selected.feature().name(), &self.started);
        let path = branch_lock(repository.git.common_dir(), &selected.branch);
        let lock = DriverLock::acquire(&path, &holder)?;
        self.branches.push(lock.leaving_its_name());
        Ok(())
    }
}

/// Ends what a killed run left at work; for the holder of the locks. Returns the path of the family lock.
pub(crate) fn end_leftovers(context: &Context, repository: &Repository) -> std::path::PathBuf {
    let family_path = repository.git.state_dir().join("family.lock");
    let grace = Duration::from_secs(2);
    let swept = orphans::end(&owner(&repository.git), Some(&family_path), grace);
    let ended = match swept.found {
        0 => None,
        1 => Some("1 process".to_owned()),
        many => Some(format!("{many} processes")),
    };
    if let Some(ended) = ended {
        let note = format!("ended {ended} that an interrupted run left behind");
        context.out.note(note);
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
