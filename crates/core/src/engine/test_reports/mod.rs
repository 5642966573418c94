//! PURE. What test runners report for machines: each case with how it ended.
//!
//! A format is a file and a row in its table. A report that is cut short, contradicts itself or names nothing is unreadable: what
//! is not known to have passed has not.

mod cargo_cases;
/// What of a report is new, held against the base's.
pub mod case_comparison;
mod go_cases;
mod jest_cases;
mod junit_cases;
mod pytest_cases;
mod tap_cases;

use crate::model::report_settings::ReportFormat;
use std::collections::BTreeMap;

/// The largest report that is read.
pub(crate) const LARGEST_REPORT: usize = 16 << 20;

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CaseEnd {
    Passed,
    Failed,
    Skipped,
}

/// How often a case of one name passed, failed and was left out: some runners give several the same name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CaseCounts {
    passed: u32,
    failed: u32,
    skipped: u32,
}

/// Every case of a run, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestReport {
    cases: BTreeMap<String, CaseCounts>,
}

/// Why a report says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableReport(pub String);

impl std::fmt::Display for UnreadableReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

type ReadReport = Result<TestReport, UnreadableReport>;

fn unreadable<T>(why: impl Into<String>) -> Result<T, UnreadableReport> {
    Err(UnreadableReport(why.into()))
}

impl CaseCounts {
    fn ran(self) -> u32 {
        self.passed + self.failed
    }
}

impl TestReport {
    fn add(&mut self, name: impl Into<String>, end: CaseEnd) {
        let counts = self.cases.entry(name.into()).or_default();
        match end {
            CaseEnd::Passed => counts.passed += 1,
            CaseEnd::Failed => counts.failed += 1,
            CaseEnd::Skipped => counts.skipped += 1,
        }
    }

    /// Returns how many cases ran.
    pub fn ran(&self) -> u32 {
        self.cases.values().map(|c| c.ran()).sum()
    }

    /// Returns the names of the cases that failed.
    pub fn failed(&self) -> Vec<&str> {
        let failed = self.cases.iter().filter(|(_, c)| c.failed > 0);
        failed.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the report in which only that has failed what failed in another run of the same tree, too.
    pub(crate) fn failed_in_both(mut self, other: &TestReport) -> TestReport {
        for (name, counts) in &mut self.cases {
            let again = other.cases.get(name).map_or(0, |c| c.failed);
            let once = counts.failed.saturating_sub(again);
            counts.failed -= once;
            counts.passed += once;
        }
        self
    }

    /// Takes a directory out of the names: the slot a run was in is another one the next time.
    fn without_root(self, root: &str) -> TestReport {
        let root = root.trim_end_matches('/');
        if root.is_empty() {
            return self;
        }
        let (inner, mut report) = (format!("{root}/"), TestReport::default());
        for (name, counts) in self.cases {
            let all = report.cases.entry(name.replace(&inner, "")).or_default();
            all.passed += counts.passed;
            all.failed += counts.failed;
            all.skipped += counts.skipped;
        }
        report
    }
}

/// Reads a report that a run in the directory `root` wrote.
pub fn read(format: ReportFormat, bytes: &[u8], root: &str) -> ReadReport {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return unreadable("the report is not UTF-8");
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let report = match format {
        ReportFormat::Junit => junit_cases::read(text),
        ReportFormat::CargoJson => cargo_cases::read(text),
        ReportFormat::GoJson => go_cases::read(text),
        ReportFormat::Tap => tap_cases::read(text),
        ReportFormat::Pytest => pytest_cases::read(text),
        ReportFormat::Jest => jest_cases::read(text),
    }?;
    Ok(report.without_root(root))
}

#[cfg(test)]
mod tests;
