//! Jest's `--json`, and Vitest's.

use super::{CaseEnd, ReadReport, TestReport, unreadable};
use serde_json::Value;

pub(super) fn read(text: &str) -> ReadReport {
    let whole: Value = match serde_json::from_str(text) {
        Ok(whole) => whole,
        Err(error) => return unreadable(format!("the report is no whole JSON: {error}")),
    };
    let Some(files) = whole.get("testResults").and_then(Value::as_array) else {
        return unreadable("the report has no `testResults`");
    };
    if whole.get("wasInterrupted") == Some(&Value::Bool(true)) {
        return unreadable("the run was interrupted");
    }
    let mut report = TestReport::default();
    for file in files {
        let name = word(file, "name").unwrap_or("a file");
        let cases = file.get("assertionResults").and_then(Value::as_array);
        let mut failed = false;
        for case in cases.into_iter().flatten() {
            let (Some(title), Some(status)) = (title_of(case), word(case, "status")) else {
                return unreadable("the report has a case without a name or a status");
            };
            let end = match status {
                "passed" => CaseEnd::Passed,
                "pending" | "skipped" | "todo" | "disabled" | "focused" => CaseEnd::Skipped,
                _ => CaseEnd::Failed,
            };
            failed |= end == CaseEnd::Failed;
            report.add(format!("{name} > {title}"), end);
        }
        // A file that could not be loaded has no cases.
        if word(file, "status") == Some("failed") && !failed {
            report.add(name, CaseEnd::Broken);
        }
    }
    let counted = whole.get("numFailedTests").and_then(Value::as_u64);
    let named = report.cases.values().map(|c| u64::from(c.failed)).sum();
    match counted {
        Some(counted) if counted > named => unreadable(format!(
            "the report counts {counted} failed cases and names {named}"
        )),
        _ => Ok(report),
    }
}

fn title_of(case: &Value) -> Option<String> {
    let outer = case.get("ancestorTitles").and_then(Value::as_array);
    let outer = outer.into_iter().flatten().filter_map(Value::as_str);
    let title = word(case, "title").or_else(|| word(case, "fullName"))?;
    let path: Vec<&str> = outer.chain([title]).filter(|t| !t.is_empty()).collect();
    (!path.is_empty()).then(|| path.join(" > "))
}

fn word<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}
