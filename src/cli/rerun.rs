//! What commands share that run a unit's oracle again outside of a run: one at a time, in a slot of their own.

use super::Context;
use super::unit_command::OpenFeature;
use super::watch::Printer;
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::driver::run_loop::Driver;
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_host::git::Git;
use gatewalk_host::lock::{DriverLock, Holder, ProcessTreeLock, RECHECK_LOCK};
use gatewalk_host::os::Os;
use gatewalk_host::signals;

/// How a command ended that runs the oracle again.
pub(super) enum RerunEnd<T> {
    /// With what the driver returned.
    Finished(T),
    /// The user or the system asked it to stop.
    Stopped(Exit),
}

/// Takes what a run of commands needs for itself in the slot for it; `what` says to others what is at work.
pub(super) fn recheck_locks(git: &Git, what: &str) -> Result<(DriverLock, ProcessTreeLock)> {
    let started = jiff::Timestamp::now().to_string();
    let state_dir = git.state_dir();
    let lock = DriverLock::acquire(&state_dir.join(RECHECK_LOCK), &Holder::this(what, &started))?;
    let family = ProcessTreeLock::acquire(&state_dir.join("family.lock"))?;
    Ok((lock, family))
}

/// Does something with a driver that may run commands in the slot for it.
pub(super) fn with_driver<T>(
    context: &Context,
    opened: &OpenFeature<'_>,
    sandbox: Option<SandboxPolicy>,
    what: impl FnOnce(&Driver<'_>, &Os<'_>) -> Result<T>,
) -> Result<RerunEnd<T>> {
    let mut host = context.host()?;
    host.sandbox_now = sandbox;
    let git = &opened.repository.git;
    let (_lock, family) = recheck_locks(git, "a re-check")?;
    let stop = signals::install()?;
    let watcher = Printer::new(context.out.clone(), false);
    let machine = Os::new(git, host, &watcher)?.for_run(stop.clone(), family);
    machine.require_isolation(None)?;
    machine.empty_slot(SlotId::Recheck)?;
    let driver = machine.driver(
        opened.repository.layout,
        &opened.selected,
        RunOptions::default(),
    );
    let result = what(&driver, &machine);
    watcher.finish();
    match stop.exit() {
        Some(exit) => Ok(RerunEnd::Stopped(exit)),
        None => result.map(RerunEnd::Finished),
    }
}
