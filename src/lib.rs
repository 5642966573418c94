//! Gatewalk: a plain-Markdown gate-cycle driver with a linter.
//!
//! Modules in reading order. Imports go one way only:
//! `cli → effects → driver → engine, agents, lint, report, scaffold → model → diagnostic`.
#![deny(unsafe_code)]

/// Exit codes: the documented contract with shells and CI.
pub mod exit;

/// Errors that stop a command: kind, message, hints.
pub mod error;

/// Findings about the user's files, as values with byte spans.
pub mod diagnostic;

/// A list worked on by all cores.
mod cores;

/// PURE. Text in, typed plan out: frontmatter, graph, ids, statuses.
pub mod model;

/// PURE. The rules a plan must obey.
pub mod lint;

/// PURE. What to do next, given what is.
pub mod engine;

/// PURE. How each agent is started and understood; one file an agent.
pub mod agents;

/// The loop: observe, decide, perform. Pure but for one small interface, `driver::machine`.
pub mod driver;

/// SHELL. The only code that touches disk, git, processes or the clock.
pub mod effects;

/// Values to bytes: text, JSON and the other renderings.
pub mod report;

/// What `init` and `new` write.
pub mod scaffold;

/// SHELL. The language server: the same rules, on buffers that are not saved.
pub mod lsp;

/// SHELL. One file a command.
pub mod cli;
