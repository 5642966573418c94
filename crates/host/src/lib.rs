//! What Gatewalk does to the world: the only crate that touches disk, git, processes or the clock.
#![deny(unsafe_code)]

/// Several files written as one.
pub mod batch;
/// Where a test may kill the driver.
mod crash;
/// Atomic file writes.
pub mod files;
/// Every call of git, with nothing of the repository's or an agent's configuration able to run.
pub mod git;
/// Confinement of sessions and of the oracle's commands.
pub mod isolation;
/// The driver lock and the family lock.
pub mod lock;
/// A repository with its state directory.
pub mod open;
/// The real machine behind `driver::machine`.
pub mod os;
/// Child processes: own group, limits, the whole family ended, output capped.
pub mod process;
/// Programs on this machine, told by their files.
pub mod programs;
/// Removing trees that somebody else wrote.
mod removal;
/// Recorded sessions, performed as the process behind the `script` agent.
pub mod replay;
/// A sealed copy of what decides what git runs.
pub mod seal;
/// Finding the feature a user means.
mod select;
/// Stop requests: Ctrl-C, SIGTERM, SIGHUP, Ctrl-Z.
pub mod signals;
/// Files outside every slot that verification reads all the same.
pub mod surroundings;
/// The `unsafe` between fork and exec.
mod sys;
/// The user's own programs: `gh`, `git push`.
pub mod tool;
/// Reading a state directory from the work tree.
pub mod tree;
/// The user's own configuration.
pub mod user;
