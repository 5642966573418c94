//! What Gatewalk does to the world: the only crate that touches disk, git, processes or the clock.
#![deny(unsafe_code)]

/// Several files written as one.
pub mod atomic_write;
/// The `unsafe` between fork and exec.
mod child_setup;
/// A sealed copy of what decides what git runs.
pub mod config_snapshot;
/// Where a test may kill the driver.
mod crash;
/// Files outside every slot that verification reads all the same.
pub mod external_files;
/// Finding the feature a user means.
mod feature_selection;
/// Atomic file writes.
pub mod files;
/// Every call of git, with nothing of the repository's or an agent's configuration able to run.
pub mod git;
/// Programs on this machine, told by their files.
pub mod installed_programs;
/// Confinement of sessions and of the oracle's commands.
pub mod isolation;
/// The driver lock and the family lock.
pub mod lock;
/// The real machine behind `driver::machine`.
pub mod os;
/// Child processes: own group, limits, the whole family ended, output capped.
pub mod process;
/// Removing trees that somebody else wrote.
mod removal;
/// Recorded sessions, performed as the process behind the `script` agent.
pub mod replay;
/// Stop requests: Ctrl-C, SIGTERM, SIGHUP, Ctrl-Z.
pub mod signals;
/// Reading a state directory from the work tree.
pub mod state_dir_reader;
/// A repository with its state directory.
pub mod state_repository;
/// The user's own configuration.
pub mod user_config;
/// The user's own programs: `gh`, `git push`.
pub mod user_tool;
