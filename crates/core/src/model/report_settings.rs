//! How a command of the oracle is judged: by its exit code, or case by case from the report it writes.

use super::frontmatter::{front, table_from_yaml, word_from_yaml};
use super::status_machine::words;

/// What decides whether a command passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JudgeBy {
    /// The exit code alone decides.
    Exit,
    /// Its cases, held against those of the base.
    NoNewFailures,
}

words!(JudgeBy {
    "exit" => JudgeBy::Exit,
    "no_new_failures" => JudgeBy::NoNewFailures,
});
word_from_yaml!(JudgeBy);

/// What a test runner writes for machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReportFormat {
    /// JUnit's XML, as most test runners write it.
    Junit,
    /// The lines of `cargo test -- --format json`, or of nextest's `libtest-json`.
    CargoJson,
    /// What `cargo test` prints without any option.
    CargoText,
    /// The lines of `go test -json`.
    GoJson,
    /// The Test Anything Protocol.
    Tap,
    /// pytest's `--report-log`, or the report of pytest-json-report.
    Pytest,
    /// Jest's `--json`, and Vitest's.
    Jest,
}

words!(ReportFormat {
    "junit" => ReportFormat::Junit,
    "cargo-json" => ReportFormat::CargoJson,
    "cargo" => ReportFormat::CargoText,
    "go-json" => ReportFormat::GoJson,
    "tap" => ReportFormat::Tap,
    "pytest" => ReportFormat::Pytest,
    "jest" => ReportFormat::Jest,
});
word_from_yaml!(ReportFormat);

front! {
    /// The report that a command leaves.
    pub struct ReportSettings keeps &[] => {
        /// `junit`, `cargo`, `cargo-json`, `go-json`, `tap`, `pytest` or `jest`.
        format = "format": ReportFormat [Author required],
        /// The file it writes, from the repository's root, or a glob for several; its standard output when absent.
        path = "path": String [Author],
    }
}
table_from_yaml!(ReportSettings);
