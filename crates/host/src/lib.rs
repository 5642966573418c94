//! What Gatewalk does to the world: the only crate that touches disk, git, processes or the clock.
#![deny(unsafe_code)] // not `forbid`: `sys` needs it

/// Features whose `root` is no directory.
pub mod absent_roots;
/// A secret that lets in who was given it.
pub mod access_token;
/// Settings of agents that decide what later sessions run.
mod agent_settings;
/// Several files written as one.
pub mod atomic_write;
mod attempt_id;
/// Where a feature's branch starts.
mod branch_start;
/// A copy, taken in time, of the files that decide what git runs.
mod config_snapshot;
/// Where a test may kill the driver.
mod crash;
/// The lists of cases that may fail, as earlier commits had them.
pub mod earlier_lists;
/// Files outside every slot that verification also reads.
mod external_files;
/// Sessions and commands of another machine, run here.
pub mod far_end;
/// Finding the feature a user means.
mod feature_selection;
/// Reading files with a limit, and replacing one atomically.
pub mod files;
/// Every call of git, with nothing of the repository's or an agent's configuration able to run.
pub mod git;
/// A file that shows that a driver is alive.
pub mod heartbeat;
/// What the user has and allows on this machine.
pub mod host;
mod inode_state;
/// The programs of this machine: where they are, in which version.
pub mod installed_programs;
/// A program that talks to the user.
pub mod interactive;
/// Confinement of sessions and of the oracle's commands.
pub mod isolation;
/// The end of a run at the end of its lease.
pub mod lease_watch;
/// The locks that the kernel releases when their holder dies.
pub mod lock;
pub mod lost_armings;
/// Where no feature is what a user means.
pub mod missing_feature;
/// State directories that no run reads.
pub mod nested_state_dirs;
/// Notices to a user who is elsewhere.
pub mod notify;
mod open_plans;
/// The real machine behind `driver::ports`.
pub mod os;
mod own_files;
/// This program as a process of its own.
pub mod own_program;
mod path_links;
mod place_list;
/// How a plan that is not committed gets into a commit.
pub mod plan_commit_way;
/// Committing the edits of a plan that lie in the checkout.
mod plan_edits_commit;
/// What earlier commits had of the plans.
pub mod plan_history;
/// What no run reads in the place of plan files.
pub mod plan_links;
/// Child processes: a session of their own, limits, the whole process tree ended, output capped.
pub mod process;
mod procfs;
/// Why a program that somebody named cannot be started.
pub mod program_fault;
/// Programs on the path, compared with what they were.
mod program_snapshot;
mod python_start_up;
/// Removing directory trees that an agent wrote.
mod removal;
/// Recorded sessions, performed as the process behind the `script` agent.
pub mod replay;
/// Whether anything in a repository changed.
pub mod repository_watch;
/// Sessions and commands on other machines, over one pipe each.
pub mod runner;
/// The runners that a user defined.
pub mod runner_definition;
mod selected_feature;
/// A feature's branch and its lease on a remote.
pub mod shared_remote;
/// Stop requests: Ctrl-C, SIGTERM, SIGHUP, Ctrl-Z.
pub mod signals;
/// Reading a state directory from the work tree.
pub mod state_dir_reader;
/// A repository with its state directory.
pub mod state_repository;
/// Whether to stop, and how urgently.
pub mod stop_flag;
/// The only `unsafe` code: what a child does between `fork` and `exec`, what it inherits, and how memory is compared.
mod sys;
#[cfg(test)]
mod test_files;
/// Features that are in no commit yet.
mod uncommitted_features;
/// The user's own configuration.
pub mod user_config;
mod user_config_file;
/// The user's own programs: `gh`, `git push`.
pub mod user_tool;
