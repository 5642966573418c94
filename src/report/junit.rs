//! JUnit's XML, for the test pages of CI servers: a suite a file, a failed case a finding.

use super::lines::Places;
use super::{rule_of, severity_word};
use gatewalk_core::diagnostic::{Diagnostic, Severity};
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
