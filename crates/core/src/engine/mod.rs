//! PURE. What to do next, given what is: `step(&Snapshot) -> Step`.
//!
//! The disk is the state: attempts are refs, statuses are files at the branch's tip. There is no
//! resume: starting and resuming are the same code. Deliberately absent: reading, writing, waiting,
//! spawning and the clock.

/// Everything the driver can do, and every reason to stop.
pub mod action;
/// Advice of a session that changes nothing.
pub mod advice;
/// What is known of an attempt, as it is kept with its captured tree.
pub mod attempt_record;
/// Whether a gate may close without a session.
pub mod auto_close;
/// Whether a gate may be armed without a user.
pub mod autonomy;
/// The edits of plan files that a landing, a parking or a user's verb makes.
pub mod bookkeeping;
/// What the commands that run once a gate came to.
pub mod broad_report;
/// Commands that run once a gate.
pub mod broad_tier;
/// Whether units can be held to the cases of a test command that is red.
pub(crate) mod case_trial;
/// What an attempt changed.
pub mod changed_file;
/// Drafting a check of a bug.
pub mod check_draft;
/// What was decided about the end of a gate, and why.
pub(crate) mod close_decision;
/// What a closing session finds prepared, must leave, and may not touch.
pub mod closing;
/// Work that was done side by side and does not fit together.
pub mod collision;
/// How a command ended.
pub mod command_end;
/// In which order commands judge.
pub(crate) mod command_order;
/// What of a unit is frozen when it is armed.
pub mod contract;
/// Which requirement is proven by what.
pub mod coverage;
/// How far a unit's diff may reach, and the words that widen it.
pub mod diff_scope;
/// The lines of `events.jsonl`.
pub mod events;
/// What a failing command said, shortened and made comparable.
pub mod evidence;
/// What an attempt did not pass by.
pub mod failure_class;
/// Drafting a feature from a sentence.
pub mod feature_draft;
/// Who may walk a feature that several clones share.
pub mod feature_lease;
/// A feature for people who were not there.
pub mod feature_report;
/// What a feature cost and where it went.
pub mod feature_stats;
/// What a unit will likely take.
pub mod forecast;
/// What must be so at the end of a gate.
pub mod gate_criteria;
/// A gate as a pull request.
pub mod gate_request;
/// What a diff must and must not hold, before any command runs.
pub mod guards;
/// What a session reports, and which later sessions read it.
pub mod handover;
/// What sessions noticed and nobody has settled.
pub mod inbox_items;
/// Cases that fail as they did before a unit's work.
pub mod inherited_cases;
/// Tests that landed without a declaration.
pub(crate) mod joined_tests;
mod landing_queue;
/// Files that git-lfs keeps.
pub mod large_files;
/// What a session said at its end in place of a result.
pub mod last_words;
/// Lessons: which a session is given, and which the logs suggest.
pub mod lessons;
/// How much work there was room for before an agent met its usage limit.
pub mod limit_windows;
/// Reading the log back.
pub mod log_reader;
/// What a command printed where its machine lacks something.
pub mod machine_lack;
/// What sessions on a model cost, by the log.
pub mod model_rates;
/// What a session is asked for: model, effort, money.
pub mod model_selection;
/// Which commands may need the network.
pub mod network_need;
/// What the user can do next.
pub mod next_steps;
/// Notices to a user who is elsewhere.
pub mod notice;
/// What was unusual about landings and waits for a user.
pub mod open_notices;
/// Which commands judge a unit.
pub mod oracle;
/// Why a unit is parked.
pub(crate) mod park_reason;
pub(crate) mod piped_command;
/// What a planner did to what had been planned before.
pub(crate) mod plan_revision;
/// What the recorded work would have come to under another policy.
pub mod policy_replay;
/// What a unit's text suggests for `touches`.
mod prompt_neighbours;
pub mod proposed_touches;
/// Tests and runner settings that an attempt must not weaken.
pub mod protected;
/// Title and body of a pull request.
pub mod pull_request;
/// Open questions, and their answers.
pub mod questions;
/// What a run of tests said it ran.
pub(crate) mod ran_tests;
/// Who kept a feature's record.
pub(crate) mod record_origin;
/// What is red on the base, and what turns it green.
pub mod red_command;
/// A map of the repository for a prompt.
pub(crate) mod repository_map;
/// The part of a retrospective that the records give.
pub mod retrospective;
/// What a user wrote on lines of a diff.
pub mod review_comments;
/// The command line of a runner.
pub mod runner_line;
pub mod runner_pipe;
/// Which slots are on which runner.
pub mod runner_slots;
/// Secrets that must not leave the machine or enter history.
pub mod secrets;
/// The prompt of a session.
pub mod session_prompt;
/// Everything `step` looks at.
pub mod snapshot;
/// Ids that a log has used up.
pub mod spent_ids;
/// When it does it.
pub mod step;
/// Whether a user's own work may land.
pub mod takeover;
/// What test runners report for machines, and what of it is new.
pub(crate) mod test_reports;
/// Snapshots written as one line.
#[cfg(test)]
pub(crate) mod test_snapshot;
/// Paths in commands that a message prints.
pub mod top_path;
/// The trailers of the driver's commits.
pub mod trailers;
/// Test runs that proved nothing.
pub mod unproven;
/// Declared commands that did not run on what landed.
pub mod unrun_commands;
/// Since when a user is waited for.
pub mod waiting_since;
/// How long work stood still for a user.
pub mod waiting_time;
/// What stopped features want of the user.
pub mod wanted;
/// Which changed lines no check sees.
pub mod witness;
