//! PURE. Text in, typed plan out. Parsing never fails: it returns a value and the problems found.
//!
//! One definition of every key, status, path, id and graph question, shared by lint, driver and
//! every command. Deliberately not here: reading files, deciding what to do, rendering.

/// An entry of a fallback chain.
pub mod agent_entry;
/// `config.yml`, project settings.
pub mod config;
/// Frontmatter, body, headings and fenced blocks of one Markdown file.
pub mod document;
/// Byte-exact scalar edits of frontmatter.
pub mod edit;
/// A feature and every question about its graph.
pub mod feature;
mod feature_cycles;
pub(crate) mod feature_list;
/// Typed frontmatter: one declaration a key.
pub mod frontmatter;
/// `GATE-NN.md`.
pub mod gate;
/// Feature and unit ids.
pub mod id;
/// Commands that cannot fail.
pub(crate) mod idle_command;
/// The lists of cases that may fail.
pub mod known_failures;
/// Every name on disk and in git.
pub mod layout;
/// Characters that only look like plain ones.
pub(crate) mod look_alikes;
/// Files that nobody reads for their names.
pub(crate) mod misnamed;
/// US dollars as people read them.
pub mod money;
/// `PLAN.md` and its graph.
pub mod plan;
/// A plan file of a user's with what a run wrote into it.
pub mod plan_merge;
/// A word of a closed set, as records hold it.
pub mod recorded_word;
/// How a command is judged, and the report it leaves for that.
pub(crate) mod report_settings;
/// The bullets under `## Requirements`.
pub mod requirements;
/// The rows of `roadmap.md`.
pub mod roadmap;
/// Titles as views show them.
pub mod short_title;
/// The three status machines.
pub mod status_machine;
/// `WU-*.md`.
pub mod trunk;
pub mod unit;
pub(crate) mod unit_files;
/// What a unit asks of a machine.
pub(crate) mod unit_resources;
/// What stands where a file would be read, and is none.
pub mod unread_entry;
/// `verification.yml`, the oracle.
pub mod verification;
/// Whether and how it is found out which changes no check sees.
pub mod witness_settings;
/// The whole state directory as a value.
pub mod workspace;
/// YAML trees with the place of every node.
pub mod yaml;
