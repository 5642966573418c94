//! What lint is asked for.

use crate::report::Format;
use std::path::PathBuf;

/// The finding that makes `lint` exit 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum FailOn {
    Error,
    Warning,
    Info,
    Never,
}

#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 usage, 3 no state directory.\n\n\
Examples:\n  gatewalk lint\n  gatewalk lint .gatewalk/features/FEAT-2026-0042-user-export\n  gatewalk lint --changed --output-format concise\n  \
gatewalk lint --fix\n  gatewalk lint --output-format sarif > findings.sarif\n  gatewalk lint --stdin-filename .gatewalk/features/FEAT-2026-0042-x/PLAN.md < PLAN.md"
)]
pub(crate) struct Args {
    /// Files and directories whose findings are shown; the whole state directory when absent
    pub(super) paths: Vec<PathBuf>,
    /// Show what the changes since the last commit brought: findings in changed files, and new ones elsewhere
    #[arg(long)]
    pub(super) changed: bool,
    /// Lint what is staged for the next commit instead of the files as they lie there
    #[arg(long, conflicts_with_all = ["changed", "watch", "fix", "unsafe_fixes", "diff", "stdin_filename"])]
    pub(super) staged: bool,
    /// Lint standard input as if it were this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "changed", "watch", "fix", "unsafe_fixes", "write_baseline"])]
    pub(super) stdin_filename: Option<PathBuf>,
    /// Lint again whenever a file changes
    #[arg(long, conflicts_with_all = ["fix", "unsafe_fixes", "diff"])]
    pub(super) watch: bool,
    /// How findings are written
    #[arg(long, visible_alias = "format", value_enum, default_value = "full")]
    pub(super) output_format: Format,
    /// The same as `--output-format json`
    #[arg(long, conflicts_with = "output_format")]
    pub(super) json: bool,
    /// Repair what loses nothing
    #[arg(long)]
    pub(super) fix: bool,
    /// Also make repairs that you should review afterwards
    #[arg(long)]
    pub(super) unsafe_fixes: bool,
    /// Show what would be repaired instead of doing it
    #[arg(long, conflicts_with_all = ["json", "output_format", "baseline", "statistics"])]
    pub(super) diff: bool,
    /// Ask these rules only: codes, heads of codes (`GW3`) or names
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(super) select: Vec<String>,
    /// Leave these rules out
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(super) ignore: Vec<String>,
    /// The gravity from which findings make the exit code 1
    #[arg(long, value_enum, default_value = "error")]
    pub(super) fail_on: FailOn,
    /// Leave out the findings this file lists
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// Write the findings of now to the baseline file, to be left out from then on
    #[arg(long, requires = "baseline")]
    pub(super) write_baseline: bool,
    /// Look at what a closing session has to leave: of this unit, else of the one being worked on
    #[arg(long, value_name = "UNIT", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with_all = ["paths", "changed", "stdin_filename", "watch", "fix", "unsafe_fixes", "diff", "staged", "output_format", "select", "ignore", "fail_on", "baseline", "statistics"])]
    pub(super) closing: Option<String>,
    /// Show how often each rule speaks instead of where
    #[arg(long, conflicts_with_all = ["json", "output_format"])]
    pub(super) statistics: bool,
}
