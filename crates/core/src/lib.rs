//! What Gatewalk decides. Text is parsed to a typed plan, a pure function says what happens next, and
//! the driver performs it through the traits of [`driver::ports`]. Nothing here reads a file, starts
//! a process or asks a clock: `clippy.toml` beside this crate refuses it.
//!
//! Modules in reading order. Imports go one way: `driver → engine, agents, lint, scaffold → model → diagnostic`.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests read their cases from files and bound their own time"
    )
)]

/// Exit codes: the documented contract with shells and CI.
pub mod exit;

/// Errors that stop a command: kind, message, hints.
pub mod error;

/// Findings about the user's files, as values with byte spans.
pub mod diagnostic;

/// Ids of what git keeps.
pub mod object_id;

/// Where the program came from, and what updates it.
pub mod install_origin;

/// Constant patterns.
mod pattern;

/// The parts of a path in a repository.
pub mod path_names;

/// The difference of two texts by lines.
pub mod line_diff;

/// A list worked on by all cores.
pub mod parallel;

/// Text in, typed plan out: frontmatter, graph, ids, statuses.
pub mod model;

/// The rules a plan must obey.
pub mod lint;

/// What to do next, given what is.
pub mod engine;

/// How each agent is started and understood; one file an agent.
pub mod agents;

/// The loop: observe, decide, perform, through one small interface.
pub mod driver;

/// What `init` and `new` write.
pub mod scaffold;
