//! The lines of Rust's own test harness, and of nextest in that format.

use super::{CaseEnd, ReadReport, TestReport, unreadable};
use serde_json::Value;

/// A documented example is named after its line, which moves with the text above it.
pub(super) fn without_line(name: &str) -> &str {
    let line = name.rsplit_once(" (line ");
    let of_line = |(_, rest): &(&str, &str)| {
        let rest = rest.strip_suffix(')');
        rest.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    };
    line.filter(of_line).map_or(name, |(name, _)| name)
}

fn case_end(event: &str) -> Option<CaseEnd> {
    match event {
        "ok" => Some(CaseEnd::Passed),
        "ignored" => Some(CaseEnd::Skipped),
        "failed" => Some(CaseEnd::Failed),
        _ => None,
    }
}

pub(super) fn read(text: &str) -> ReadReport {
    let mut report = TestReport::default();
    let (mut started, mut ended) = (0u32, 0u32);
    let (mut running, mut failed_outside) = (0u32, 0u32);
    for line in text.lines().map(str::trim) {
        // The compiler's messages and what tests print stand between the lines.
        if !line.starts_with("{\"") && !line.starts_with("{ \"") {
            continue;
        }
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            // What a test prints may look like it; a line that was cut short leaves something open.
            continue;
        };
        let word = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        match (word("type"), word("event")) {
            ("suite", "started") => started += 1,
            ("suite", "ok") => ended += 1,
            ("suite", "failed") => {
                ended += 1;
                failed_outside += u32::from(value.get("failed") == Some(&Value::from(0)));
            }
            ("test", "started") => running += 1,
            ("test", event) => {
                let name = word("name");
                if name.is_empty() {
                    return unreadable("the report has a case without a name");
                }
                // That it takes long is an event beside how it ends.
                let Some(end) = case_end(event) else { continue };
                running = running.saturating_sub(1);
                report.add(without_line(name), end);
            }
            _ => {}
        }
    }
    if started == 0 {
        return unreadable("the report has no test suite");
    }
    if started != ended || running > 0 {
        return unreadable("the report ends before the run did");
    }
    match failed_outside {
        0 => Ok(report),
        _ => unreadable("the report counts a failed suite and names no case"),
    }
}
