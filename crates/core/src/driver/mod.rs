//! The driver: observe, decide, perform, again. It decides nothing (that is `engine::step`) and
//! touches nothing (that is `ports::Machine`): what runs on a real repository and what runs in
//! the simulator is the same code.

/// A session that is asked for advice.
pub mod advice_session;
/// Faults outside the work, and how long each lasts.
mod agent_fault;
/// What to do when an agent could not work.
mod agent_retry;
/// The oracle on the base, before a session is spent.
mod base_check;
/// One look at what the base says of commands.
mod base_check_run;
/// The broad tier on the tip, before a gate's end.
mod broad_check;
/// What the sessions of a run spend together.
pub mod budget;
/// Build files that list sources, for a second look.
mod build_lists;
/// Where a command leaves the report of its cases.
pub mod case_report;
/// Commands that are judged by their cases.
mod case_run;
/// Drafting a check of a bug.
pub mod check_drafting;
/// What a closing session left, asked of the closing rules and of the linter.
pub mod closing_session;
/// Units side by side that change the same places.
mod collision_probe;
/// What the end of one command proves.
mod command_outcome;
/// Running the commands of an oracle.
mod command_queue;
/// How commands ended, in the words of records.
mod command_report;
/// What is read from a commit.
pub mod committed_plan;
/// What the tip says to the checks that requirements name.
mod contradicted_tests;
mod coverage_run;
/// A session: prompt, slot, agent, capture, pin.
pub(crate) mod dispatch;
/// Sessions of drafting, one after another.
mod draft_session;
/// Drafting a feature: sessions until the linter has nothing to refuse.
pub mod drafting;
/// What the driver reports to whoever watches.
pub mod driver_event;
/// What judges, read to be edited.
mod edited_tests;
/// A command run with edited tests.
mod edited_trial;
/// Whether a green command can still fail.
mod failing_tests;
/// The loop over one feature or several.
pub mod feature_walk;
/// A second run of a command that failed.
mod flaky_rerun;
/// Commits that move a gate or its feature on.
mod gate_commits;
/// Why work by hand does not land.
mod hand_refusals;
/// A slot for a user's own session.
pub mod hand_slot;
/// A user's own work on a unit: judged and landed as a session's.
pub mod hand_work;
/// The user's own hooks, before a session and after it.
mod hooks;
/// Witnesses while a worker has nothing else to do.
mod idle_witness;
/// Whose failure it is, where the base was not asked first.
mod inherited_failure;
/// What an attempt's files themselves show.
mod inspect;
/// Guards and oracle on what an attempt left.
mod judge;
/// On what an attempt is judged.
mod judged_base;
/// What the last run found red before any work.
pub mod known_red;
/// Commits of a unit: landing and parking.
mod land;
/// Work judged on top of work that is to land.
mod landing_train;
/// What ran of the tests, held against the base.
mod lost_tests;
/// The machine's facts, read into a snapshot.
mod observe;
/// What the oracle said of a tree.
mod oracle_outcome;
/// Running the oracle on a tree.
mod oracle_run;
/// Commands that look for something in what others print.
mod piped_runs;
/// Commits with plan files replaced.
pub mod plan_commit;
/// Pointers of git-lfs in place of files.
mod pointer_files;
/// Everything the driver needs of the world, one trait a subject.
pub mod ports;
/// The recorded oracle once more, on the recorded tree.
pub mod recheck;
/// What an interrupted run left.
mod recover;
/// What keeps a run from doing the same for ever.
mod repetition;
/// How commands ended on trees.
mod result_cache;
/// Files that commands changed while they judged.
mod reworded_tests;
mod rewritten_files;
/// What one feature's driver keeps and performs.
pub mod run_loop;
/// What to do when a runner could not run a session.
mod runner_retry;
/// Whether the work is right where no runner runs its tests.
mod runnerless_tests;
/// The record of a session that has ended.
mod session_record;
/// What one session finds out for every unit.
mod shared_trouble;
/// A run of one feature.
mod single_walk;
/// The slots of a run and their workers.
mod slot_pool;
/// The project's set-up in a slot.
mod slot_setup;
/// An edition of the tests that says what they say.
mod test_edition;
/// A world in memory.
#[cfg(test)]
pub(crate) mod test_machine;
/// Whole runs in it, each in a line.
#[cfg(test)]
pub(crate) mod test_run;
/// The declared commands on any tree.
pub(crate) mod tree_check;
/// What a unit turns green, held against the base.
mod turned_green;
/// What a unit's session is given to read.
pub mod unit_prompt;
/// What is verified, and where.
mod verification_request;
/// How many verifications run at once.
mod verification_turns;
/// The oracle without the tests that only joined.
mod without_additions;
mod without_aids;
/// What a unit's witness is about.
pub mod witness_case;
/// A witness that a landing waits for.
mod witness_demand;
/// Which lines of a unit's work no check sees.
pub mod witness_run;
/// The project's mutation tester.
mod witness_tester;
