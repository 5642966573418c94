//! The one integration binary: a module per subject.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails its test")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a figure that CI is to show"
)]

mod advice;
mod agent_chains;
mod agents;
mod bug_fix;
mod cheats;
mod checks;
mod coverage;
mod crash;
mod cycle;
mod declared;
mod diff_scope;
mod docs;
mod doctor;
mod drafts;
mod edited_plans;
mod every_key;
mod example;
mod faults;
mod features_apart;
mod first_hour;
mod first_run;
mod forged;
mod frozen;
mod gate_requests;
mod held_branches;
mod held_git;
mod house;
mod imports;
mod inbox;
mod inherited_red;
mod journey;
mod json_schema;
#[cfg(target_os = "linux")]
mod kept_on_disk;
mod killed;
mod left_out_plans;
mod lint;
mod lint_cases;
mod lint_places;
mod long_commands;
mod long_titles;
mod lsp;
mod many_features;
mod mcp;
mod meanwhile;
mod next_commands;
mod not_in_effect;
mod nothing_lost;
mod notify;
mod odd_verbs;
mod option_pairs;
mod oracle;
mod pages;
mod panics;
mod parallel;
#[cfg(target_os = "linux")]
mod plan_keys;
mod power_loss;
mod processes;
mod racing;
mod real_plans;
mod recording;
mod removed_drafts;
mod report_page;
mod reported_figures;
mod repositories;
mod runner_ends;
mod runner_hosts;
mod runner_judges;
mod runner_kill_table;
mod runner_kills;
mod runner_places;
mod runners;
mod sample;
mod scratch;
mod screens;
mod serve;
mod serve_attacks;
mod serve_units;
mod session_reports;
mod slips;
mod spine;
mod stats;
mod stub_agents;
mod sync;
mod takeover;
mod user;
mod verbs;
mod witness;
mod world;
