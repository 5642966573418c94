//! Values to bytes: text, JSON and the other renderings. Nothing here decides anything.

pub(crate) mod feature_markdown;
/// A feature as one HTML file.
pub(crate) mod feature_page;
/// Lines of GitHub's workflow commands.
mod github;
/// The versioned JSON of findings.
mod json;
/// JSON Schemas of the files.
pub(crate) mod json_schema;
pub(crate) mod junit;
/// Bytes to lines and columns.
pub(crate) mod lines;
mod sarif;
/// What a user reads in a terminal.
mod text;
/// Drawings of a feature's time.
pub(crate) mod timeline;

use gatewalk_core::diagnostic::{Diagnostic, Severity};
use gatewalk_core::lint::Sources;
use gatewalk_core::lint::rule::Rule;
pub(crate) use sarif::uri_path;
pub(crate) use text::{diff, statistics, summary};

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// The source line, a caret, what is related, and help
    Full,
    /// One line a finding
    Concise,
    /// One JSON document
    Json,
    /// One JSON document a line
    Jsonl,
    /// SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
    /// JUnit XML
    Junit,
}

/// Returns the findings in a format.
pub(crate) fn render(format: Format, found: &[Diagnostic], sources: &Sources) -> String {
    let places = lines::Places::new(sources);
    match format {
        Format::Full => text::full(found, sources),
        Format::Concise => text::concise(found, &places),
        Format::Json => json::document(found, &places),
        Format::Jsonl => json::lines(found, &places),
        Format::Sarif => sarif::document(found, &places),
        Format::Github => github::commands(found, &places),
        Format::Junit => junit::document(found, &places),
    }
}

/// Returns the word of a severity.
pub(crate) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// Returns the rule of a finding.
fn rule_of(finding: &Diagnostic) -> Option<&'static Rule> {
    gatewalk_core::lint::rules::TABLE
        .iter()
        .find(|rule| rule.code == finding.code)
}

/// Returns what distinguishes one finding from another when lines move: rule, file and message.
pub(crate) fn fingerprint(finding: &Diagnostic) -> String {
    use sha2::{Digest, Sha256};
    let text = format!(
        "{}\0{}\0{}",
        finding.code, finding.primary.path, finding.message
    );
    let hash = Sha256::digest(text.as_bytes());
    hash[..12]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests;
