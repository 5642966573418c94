//! Does any check see this change? Lines of a unit's product diff are taken back, a few at a time, and its fast commands
//! are asked: lines that nobody misses are unwitnessed.
//!
//! Language neutral on purpose: lines, their indentation and the comment marks of a file's kind are all that is known.
//! Absent: running anything, and the clock.

mod asked_commands;
mod blocks;
mod product_hunks;
mod quiet_lines;
mod survivors;
mod witness_search;

/// What a unit's witness came to, as the log has it.
pub mod witness_record;

pub(crate) use asked_commands::{TimedCommand, allowance, choose};
pub(crate) use product_hunks::{ChangedText, LARGEST, changed_lines, is_never_run, unified_diff};
pub(crate) use survivors::{SurvivorReport, read as read_survivors};
pub(crate) use witness_search::WitnessSearch;

#[cfg(test)]
mod tests;
