//! What `init` and `new` write, planned as values. The files themselves lie in `scaffold/`,
//! `templates/`, `rules/` and `examples/` at the top of the repository and are embedded from there.
//!
//! Everything here is pure: listings and texts come in, `Write`s go out. The caller reads, asks,
//! and writes. Deliberately not here: touching the disk, git, or deciding whether a plan is valid.

/// The block for interactive agents.
pub mod agent_instructions;
/// Skills for interactive agents.
pub mod agent_skills;
/// New features, gates and units.
pub mod create;
/// The worked example that `demo` and the tests drive.
pub mod example;
/// Newer files over an existing state directory.
pub mod file_upgrade;
/// Units that follow up what landed.
pub mod follow_up;
/// Byte-exact edits of the task graph.
pub mod graph;
/// The files of a fresh state directory.
pub mod initial_files;
/// Task lists of other tools as outlines.
pub mod plan_import;
/// Features written out from outlines.
pub mod plan_outline;
/// Adding a row to the roadmap's table.
pub mod roadmap_row;
/// Titles as short names.
pub mod slug;
/// Which tools a repository is built with, and the commands that check it.
pub mod stack;
/// Templates and the values that go into them.
pub mod template;

/// How every text that a user must still write begins.
pub use crate::model::unit::PLACEHOLDER_OPEN;

/// One file to write, as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// Path relative to the repository root, with `/`.
    pub path: String,
    /// The complete content after the write.
    pub content: String,
    /// What must be there before.
    pub mode: WriteMode,
}

/// What a [`Write`] expects to find at its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// Nothing: an existing file is an error, never overwritten.
    Create,
    /// The text that was given to the planner; the new content keeps every byte it did not mean to
    /// change.
    Replace,
    /// An untouched file of our own that is to be deleted; `content` is what it held.
    Remove,
}

impl Write {
    /// Returns the creation of a file.
    pub fn create(path: impl Into<String>, content: impl Into<String>) -> Self {
        Write {
            path: path.into(),
            content: content.into(),
            mode: WriteMode::Create,
        }
    }

    /// Returns the replacement of a file's text.
    pub fn replace(path: impl Into<String>, content: impl Into<String>) -> Self {
        Write {
            path: path.into(),
            content: content.into(),
            mode: WriteMode::Replace,
        }
    }
}

#[cfg(test)]
mod lint_tests;
