//! Workflow commands of GitHub Actions: findings beside the lines of a pull request.

use super::lines::Places;
use super::rule_of;
use gatewalk_core::diagnostic::{Diagnostic, Severity};

pub(super) fn commands(found: &[Diagnostic], places: &Places<'_>) -> String {
    found.iter().map(|d| command(d, places)).collect()
}

fn command(d: &Diagnostic, places: &Places<'_>) -> String {
    let (start, end) = places.label(&d.primary);
    let word = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let name = rule_of(d).map_or_else(String::new, gatewalk_core::lint::rule::Rule::name);
    let columns = if start.line == end.line && end.column > start.column {
        format!(",col={},endColumn={}", start.column, end.column)
    } else {
        format!(",col={}", start.column)
    };
    let help = d
        .help
        .as_ref()
        .map_or_else(String::new, |help| format!("\n{help}"));
    format!(
        "::{word} file={},line={},endLine={}{columns},title={}::{}\n",
        property(&d.primary.path),
        start.line,
        end.line,
        property(&format!("{} {name}", d.code)),
        data(&format!("{}{help}", d.message)),
    )
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
