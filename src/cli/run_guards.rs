//! What every command that runs sessions or moves a branch sees to first: nobody else is at work, nothing of a killed run
//! is left, and what it starts ends with it.

use crate::cli::Context;
use gatewalk_core::agents::{UserAgents, chain_of_word, choose};
use gatewalk_core::error::{Error, Result};
use gatewalk_host::host::{Host, owner};
use gatewalk_host::lock::{DriverLock, Holder, ProcessTreeLock, branch_lock};
use gatewalk_host::os::disposable;
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
    pub(crate) fn of_work_tree(repository: &Repository, features: &[Selected]) -> Result<Locks> {
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
    pub(crate) fn take_branch(
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

/// Finishes what an interrupted run left of the checkout.
pub(crate) fn catch_up(repository: &Repository) -> Result<()> {
    let recovered = repository.git.recover_follow()?;
    let Some(why) = recovered.and_then(|followed| followed.not_followed) else {
        return Ok(());
    };
    Err(Error::environment(format!(
        "an interrupted run left your checkout behind its branch, and it cannot follow: {why}"
    ))
    .hint("see to what it names: a lock that no git holds any more is removed, a path made writable; then run this again")
    .hint("nothing was started and nothing was touched"))
}

/// Does the same for who does not drive; a driver at work does it itself.
pub(crate) fn catch_up_if_free(repository: &Repository) -> Result<()> {
    let lock = repository.git.state_dir().join("lock");
    if repository.git.is_behind()
        && let Ok(_lock) = DriverLock::acquire(&lock, &Holder::this("the checkout", ""))
    {
        return catch_up(repository);
    }
    Ok(())
}

/// Refuses a chain that names an agent nobody knows.
pub(crate) fn agent_or_refuse(word: &str, host: &Host) -> Result<()> {
    let user = UserAgents {
        defined: &host.agents,
        cwd: &host.cwd,
    };
    let chain = chain_of_word(word);
    chain
        .into_iter()
        .try_for_each(|(agent, _)| choose(agent, &user).map(drop))
}
