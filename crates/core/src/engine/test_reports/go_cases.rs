//! The lines of `go test -json`.

use super::{CaseEnd, ReadReport, TestReport, unreadable};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of one package.
#[derive(Default)]
struct Package {
    /// Tests that began and have not ended.
    open: BTreeSet<String>,
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
        let word = |key: &str| value.get(key).and_then(Value::as_str);
        let (Some(action), Some(name)) = (word("Action"), word("Package")) else {
            continue;
        };
        let package = packages.entry(name.to_owned()).or_default();
        let end = match action {
            "pass" => CaseEnd::Passed,
            "fail" => CaseEnd::Failed,
            "skip" => CaseEnd::Skipped,
            "run" => {
                package.open.extend(word("Test").map(str::to_owned));
                continue;
            }
            _ => continue,
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
    if packages.is_empty() {
        return unreadable("the report has no package");
    }
    end_packages(packages, report)
}

/// Adds what packages came to that their own cases do not show.
fn end_packages(packages: BTreeMap<String, Package>, mut report: TestReport) -> ReadReport {
    for (name, package) in packages {
        match package.end {
            None => return unreadable(format!("the report ends before `{name}` did")),
            Some(CaseEnd::Failed) => {
                if package.open.is_empty() && !package.failed {
                    report.add(name, CaseEnd::Broken);
                    continue;
                }
                // What was under way when the package broke did not pass.
                for test in &package.open {
                    report.add(format!("{name}.{test}"), CaseEnd::Failed);
                }
            }
            Some(_) if !package.open.is_empty() => {
                return unreadable(format!("`{name}` passed before its tests had ended"));
            }
            Some(_) => {}
        }
    }
    Ok(report)
}
