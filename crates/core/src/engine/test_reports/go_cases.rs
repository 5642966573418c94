//! The lines of `go test -json`.

use super::{CaseEnd, ReadReport, TestReport, UnreadableReport, unreadable};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is known of one package.
#[derive(Default)]
struct Package {
    /// Tests that began and have not ended, each with the end that stands behind what it printed.
    open: BTreeMap<String, Option<CaseEnd>>,
    /// Whether it is of a version of Go that reports every end: older ones miss it where a test prints no end of a line.
    reports_ends: bool,
    failed: bool,
    end: Option<CaseEnd>,
}

fn not_built(line: &str) -> Option<&str> {
    let (name, why) = line.strip_prefix("FAIL\t")?.split_once(' ')?;
    why.ends_with(" failed]").then_some(name)
}

pub(super) fn read(text: &str) -> ReadReport {
    let mut report = TestReport::default();
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    for line in text.lines().map(str::trim) {
        if !line.starts_with('{') {
            // Older versions say in plain words that a package was not built.
            if let Some(name) = not_built(line) {
                packages.entry(name.to_owned()).or_default().end = Some(CaseEnd::Failed);
            }
            continue;
        }
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            // What a test prints may look like it; a line that was cut short leaves something open.
            continue;
        };
        take_event(&value, &mut packages, &mut report);
    }
    if packages.is_empty() {
        return unreadable("the report has no package");
    }
    end_packages(packages, report)
}

/// Takes one event, which may be of no package or of a kind that says nothing of an end.
fn take_event(event: &Value, packages: &mut BTreeMap<String, Package>, report: &mut TestReport) {
    let word = |key: &str| event.get(key).and_then(Value::as_str);
    let (Some(action), Some(name)) = (word("Action"), word("Package")) else {
        return;
    };
    let package = packages.entry(name.to_owned()).or_default();
    let end = match action {
        "pass" => CaseEnd::Passed,
        "fail" => CaseEnd::Failed,
        "skip" => CaseEnd::Skipped,
        "run" => {
            let test = word("Test").map(str::to_owned);
            package.open.extend(test.map(|test| (test, None)));
            return;
        }
        "start" => {
            package.reports_ends = true;
            return;
        }
        "output" => {
            package.take_output(word("Test"), word("Output").unwrap_or_default());
            return;
        }
        _ => return,
    };
    match word("Test") {
        Some(test) => {
            package.open.remove(test);
            package.failed |= end == CaseEnd::Failed;
            report.add(format!("{name}.{test}"), end);
        }
        None => package.end = Some(end),
    }
}

/// Adds what packages came to that their own cases do not show.
fn end_packages(packages: BTreeMap<String, Package>, mut report: TestReport) -> ReadReport {
    for (name, package) in packages {
        package.finish(&name, &mut report)?;
    }
    Ok(report)
}

impl Package {
    /// Looks for the end of an open test behind what it printed.
    fn take_output(&mut self, test: Option<&str>, text: &str) {
        let Some((test, end)) = test.and_then(|t| self.open.get_key_value(t)) else {
            return;
        };
        let found = [
            ("PASS", CaseEnd::Passed),
            ("FAIL", CaseEnd::Failed),
            ("SKIP", CaseEnd::Skipped),
        ]
        .into_iter()
        .find(|(word, _)| text.contains(&format!("--- {word}: {test} (")));
        if let Some((_, found)) = found.filter(|(_, found)| Some(*found) != *end) {
            let test = test.clone();
            self.open.insert(test, Some(found));
        }
    }

    /// Adds what had not ended when the package did, and the package where it broke without a test.
    fn finish(mut self, name: &str, report: &mut TestReport) -> Result<(), UnreadableReport> {
        let Some(end) = self.end else {
            return unreadable(format!("the report ends before `{name}` did"));
        };
        if !self.reports_ends {
            self.open.retain(|test, end| {
                if let Some(end) = *end {
                    self.failed |= end == CaseEnd::Failed;
                    report.add(format!("{name}.{test}"), end);
                }
                end.is_none()
            });
        }
        match end {
            CaseEnd::Failed if self.open.is_empty() && !self.failed => {
                report.add(name, CaseEnd::Broken);
            }
            // What was under way when the package broke did not pass.
            CaseEnd::Failed => {
                for test in self.open.keys() {
                    report.add(format!("{name}.{test}"), CaseEnd::Failed);
                }
            }
            _ if !self.open.is_empty() => {
                return unreadable(format!("`{name}` passed before its tests had ended"));
            }
            _ => {}
        }
        Ok(())
    }
}
