//! Gatewalk: a plain-Markdown gate-cycle driver with a linter. This crate is the program: what it
//! decides is in `gatewalk-core`, what it does to the world in `gatewalk-host`.
#![forbid(unsafe_code)]

mod lsp;
mod report;
mod serve;

/// The tool server for coding agents: the commands, as tools.
pub mod mcp;

/// One file a command.
pub mod cli;
