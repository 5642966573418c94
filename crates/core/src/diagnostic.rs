//! Findings about the user's files. They are data, never an `Err`: byte spans into a named file.
//! Lines and columns are computed by the renderers in `report`.

use std::ops::Range;
use std::sync::Arc;

/// A byte range in one file.
pub type Span = Range<usize>;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; never fails a run.
    Info,
    /// Probably wrong; the driver goes on.
    Warning,
    /// Breaks or misleads a run: the driver refuses to start.
    Error,
}

/// A place in a file, with what it has to do with the finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Path relative to the repository root, with `/`.
    pub path: Arc<str>,
    /// Bytes in that file.
    pub span: Span,
    /// What this place has to do with it; may be empty for the primary label.
    pub message: String,
}

/// One replacement of bytes in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Path relative to the repository root, with `/`.
    pub path: Arc<str>,
    /// Bytes to replace; empty to insert.
    pub span: Span,
    /// What stands there instead.
    pub text: String,
}

/// A repair that a machine can make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What applying it does, as a button label.
    pub title: String,
    /// Safe fixes lose nothing and never touch prose.
    pub safe: bool,
    /// The replacements, not overlapping.
    pub edits: Vec<Edit>,
}

/// What a rule found at one place, and how it can be repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, `GW` and three digits.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, a lowercase fragment.
    pub message: String,
    /// The place that the finding is about.
    pub primary: Label,
    /// Other places that explain it.
    pub related: Vec<Label>,
    /// What a user can do about it.
    pub help: Option<String>,
    /// A mechanical repair, if there is one.
    pub fix: Option<Fix>,
}
