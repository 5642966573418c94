//! Gatewalk: a plain-Markdown gate-cycle driver with a linter. This crate is the program: what it
//! decides is in `gatewalk-core`, what it does to the world in `gatewalk-host`.
#![forbid(unsafe_code)]

/// Values to bytes: text, JSON and the other renderings.
pub mod report;

/// The language server: the same rules, on buffers that are not saved.
pub mod lsp;

/// One file a command.
pub mod cli;
