//! JUnit's XML, for the test pages of CI servers: a suite a file, a failed case a finding.

use super::lines::Places;
use super::{rule_of, severity_word};
use gatewalk_core::diagnostic::{Diagnostic, Severity};
use gatewalk_core::engine::attempt_record::{CommandResult, Judgement};
use gatewalk_core::engine::failure_class::CommandVerdict;
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) fn document(found: &[Diagnostic], places: &Places<'_>) -> String {
    let mut files: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for d in found {
        files.entry(&d.primary.path).or_default().push(d);
    }
    let failed = |list: &[&Diagnostic]| list.iter().filter(|d| d.severity > Severity::Info).count();
    let all: Vec<&Diagnostic> = found.iter().collect();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuites name=\"gatewalk lint\" tests=\"{}\" failures=\"{}\">",
        found.len().max(1),
        failed(&all)
    );
    if found.is_empty() {
        xml.push_str("  <testsuite name=\"gatewalk lint\" tests=\"1\" failures=\"0\">\n    <testcase classname=\"gatewalk\" name=\"no findings\"/>\n  </testsuite>\n");
    }
    for (path, list) in files {
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">",
            escape(path),
            list.len(),
            failed(&list)
        );
        for d in list {
            case(&mut xml, d, places);
        }
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

/// Returns the commands of one check as a suite: a case each.
pub(crate) fn of_commands(suite: &str, judgement: &Judgement) -> String {
    let ran = &judgement.commands;
    let is_skipped = |c: &CommandResult| c.verdict == CommandVerdict::Skipped;
    let red = |c: &CommandResult| !c.passed() && !is_skipped(c);
    let refused = !judgement.passed() && !ran.iter().any(red);
    let failures = ran.iter().filter(|c| red(c)).count() + usize::from(refused);
    let skipped = ran.iter().filter(|c| is_skipped(c)).count();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" skipped=\"{skipped}\">",
        escape(suite),
        ran.len() + usize::from(refused)
    );
    for command in ran {
        let body = match (is_skipped(command), red(command)) {
            (true, _) => "<skipped/>".to_owned(),
            (_, true) => failure(&command.command, command.note.as_deref()),
            _ => String::new(),
        };
        let _ = writeln!(
            xml,
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\">{body}</testcase>",
            escape(&command.source),
            escape(&command.name),
            command.seconds
        );
    }
    if refused {
        let body = failure("guards", judgement.failure_excerpt());
        let _ = writeln!(
            xml,
            "    <testcase classname=\"guards\" name=\"diff\">{body}</testcase>"
        );
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn failure(message: &str, text: Option<&str>) -> String {
    let text = escape(text.unwrap_or_default());
    format!("<failure message=\"{}\">{text}</failure>", escape(message))
}

fn case(xml: &mut String, d: &Diagnostic, places: &Places<'_>) {
    let (start, _) = places.label(&d.primary);
    let name = rule_of(d).map_or_else(String::new, gatewalk_core::lint::rule::Rule::name);
    let tag = if d.severity > Severity::Info {
        "failure"
    } else {
        "system-out"
    };
    let attributes = if tag == "failure" {
        format!(
            " type=\"{}\" message=\"{}\"",
            severity_word(d.severity),
            escape(&d.message)
        )
    } else {
        String::new()
    };
    let help = d
        .help
        .as_ref()
        .map_or_else(String::new, |help| format!("\nhelp: {help}"));
    let text = format!(
        "{}:{}:{}: {} {}{help}",
        d.primary.path, start.line, start.column, d.code, d.message
    );
    let _ = writeln!(
        xml,
        "    <testcase classname=\"{}\" name=\"{} {name} line {}\"><{tag}{attributes}>{}</{tag}></testcase>",
        escape(&d.primary.path),
        d.code,
        start.line,
        escape(&text),
    );
}

/// Characters that XML 1.0 cannot hold at all become U+FFFD.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
