//! A driver that only answers questions: it starts no session and runs no command but git.

use super::Context;
use super::watch::Printer;
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::driver::ports::History;
use gatewalk_core::driver::run_loop::Driver;
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::error::Result;
use gatewalk_host::os::Os;
use gatewalk_host::state_repository::{Repository, Selected};

/// Returns the machine of a command that starts no session and no check.
pub(crate) fn idle_driver_host<'w>(
    context: &Context,
    repository: &Repository,
    watcher: &'w Printer,
) -> Result<Os<'w>> {
    Os::new(&repository.git, context.host()?, watcher)
}

/// Returns the attempts that are pinned in the repository.
pub(crate) fn pinned_attempts(context: &Context, repository: &Repository) -> Result<Attempts> {
    let watcher = Printer::new(context.out.clone(), false);
    let machine = idle_driver_host(context, repository, &watcher)?;
    Ok(Attempts::from_pins(&machine.pins()?))
}

/// Asks a driver of a feature something; it runs nothing.
pub(crate) fn ask_driver<T>(
    context: &Context,
    repository: &Repository,
    selected: &Selected,
    ask: impl FnOnce(&Driver<'_>) -> Result<T>,
) -> Result<T> {
    let watcher = Printer::new(context.out.clone(), false);
    let machine = idle_driver_host(context, repository, &watcher)?;
    ask(&machine.driver(repository.layout, selected, RunOptions::default()))
}
