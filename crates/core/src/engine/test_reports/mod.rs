//! PURE. What test runners report for machines: each case with how it ended.
//!
//! A format is a file and a row in its table. A report that is cut short, contradicts itself or names nothing is unreadable: what
//! is not known to have passed has not.

mod cargo_cases;
mod cargo_text_cases;
/// What of a report is new, held against the base's.
pub(crate) mod case_comparison;
mod go_cases;
mod jest_cases;
mod junit_cases;
mod junit_dialects;
mod pytest_cases;
mod tap_cases;

use crate::engine::evidence::one_line;
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
    /// No case: what broke around them, such as a file that could not be loaded, and a part of one that is named only where it
    /// fails.
    Broken,
}

/// What runners write in the place of a case where something around their cases broke: once that is mended, they name it no more.
const HOOKS: [&str; 4] = [
    "\"before all\" hook",
    "\"before each\" hook",
    "\"after all\" hook",
    "\"after each\" hook",
];
/// The ends of what Node and Vitest run: they name a file in the place of a case where it ended badly beside its cases.
const FILES: [&str; 8] = [".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx"];

/// Returns how what is called this ended: where it failed, as a case or as something around the cases.
fn failed_or_broken(name: &str, end: CaseEnd) -> CaseEnd {
    let file = !name.contains(' ') && FILES.iter().any(|ending| name.ends_with(ending));
    match end {
        CaseEnd::Failed if file || HOOKS.iter().any(|hook| name.contains(hook)) => CaseEnd::Broken,
        end => end,
    }
}

/// How often a case of one name passed, failed and was left out: some runners give several the same name. What broke around
/// cases is counted apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CaseCounts {
    passed: u32,
    failed: u32,
    skipped: u32,
    broken: u32,
}

/// Every case of a run, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TestReport {
    cases: BTreeMap<String, CaseCounts>,
}

/// Why a report says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnreadableReport(pub String);

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

    /// Returns how often it stands in the way of a pass.
    fn red(self) -> u32 {
        self.failed + self.broken
    }
}

impl TestReport {
    fn add(&mut self, name: impl Into<String>, end: CaseEnd) {
        let counts = self.cases.entry(name.into()).or_default();
        match end {
            CaseEnd::Passed => counts.passed += 1,
            CaseEnd::Failed => counts.failed += 1,
            CaseEnd::Skipped => counts.skipped += 1,
            CaseEnd::Broken => counts.broken += 1,
        }
    }

    /// Counts what failed and has the cases of a suite below it as that suite: Vitest names one only where its set-up failed.
    fn set_suites_apart(&mut self) {
        let below = |name: &String| {
            let prefix = format!("{name} > ");
            let mut behind = self.cases.range(prefix.clone()..);
            behind
                .next()
                .is_some_and(|(case, _)| case.starts_with(&prefix))
        };
        let failed = self
            .cases
            .iter()
            .filter(|(_, c)| c.failed > 0 && c.passed == 0);
        let suites: Vec<String> = failed
            .map(|(name, _)| name)
            .filter(|n| below(n))
            .cloned()
            .collect();
        for suite in suites {
            let counts = self.cases.entry(suite).or_default();
            counts.broken += std::mem::take(&mut counts.failed);
        }
    }

    /// Adds the cases of another report of the same run.
    fn absorb(&mut self, other: TestReport) {
        for (name, counts) in other.cases {
            let all = self.cases.entry(name).or_default();
            all.passed += counts.passed;
            all.failed += counts.failed;
            all.skipped += counts.skipped;
            all.broken += counts.broken;
        }
    }

    /// Returns how many cases ran.
    pub(crate) fn ran(&self) -> u32 {
        self.cases.values().map(|c| c.ran()).sum()
    }

    /// Returns the names of the cases that failed, and of what broke around cases.
    pub(crate) fn failed(&self) -> Vec<&str> {
        let failed = self.cases.iter().filter(|(_, c)| c.red() > 0);
        failed.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the names of what broke around the cases.
    pub(crate) fn broken(&self) -> Vec<&str> {
        let broken = self.cases.iter().filter(|(_, c)| c.broken > 0);
        broken.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns how often a case passed.
    pub(crate) fn passed(&self) -> u32 {
        self.cases.values().map(|c| c.passed).sum()
    }

    /// Returns why the report shows nothing, where no case of it ran.
    pub(crate) fn without_cases(&self) -> Option<String> {
        if self.ran() > 0 {
            return None;
        }
        let broken = self.failed();
        Some(match broken.first() {
            None => "the report names no case that ran".to_owned(),
            Some(first) => format!(
                "the report names no case that ran, and {} that could not be loaded, such as {}",
                broken.len(),
                one_line(first)
            ),
        })
    }

    /// Returns the report in which only that has failed what failed in another run of the same tree, too.
    pub(crate) fn failed_in_both(mut self, other: &TestReport) -> TestReport {
        for (name, counts) in &mut self.cases {
            let again = other.cases.get(name).copied().unwrap_or_default();
            let once = counts.failed.saturating_sub(again.failed);
            counts.failed -= once;
            counts.passed += once;
            counts.broken = counts.broken.min(again.broken);
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
            let cases = BTreeMap::from([(name.replace(&inner, ""), counts)]);
            report.absorb(TestReport { cases });
        }
        report
    }
}

/// Reads a report that a run in the directory `root` wrote.
pub(crate) fn read(format: ReportFormat, bytes: &[u8], root: &str) -> ReadReport {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return unreadable("the report is not UTF-8");
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let report = match format {
        ReportFormat::Junit => junit_cases::read(text),
        ReportFormat::CargoJson => cargo_cases::read(text),
        ReportFormat::CargoText => cargo_text_cases::read(text),
        ReportFormat::GoJson => go_cases::read(text),
        ReportFormat::Tap => tap_cases::read(text),
        ReportFormat::Pytest => pytest_cases::read(text),
        ReportFormat::Jest => jest_cases::read(text),
    }?;
    Ok(report.without_root(root))
}

/// Reads the reports that one run in the directory `root` wrote, a file each; one that is unreadable makes them all so.
pub(crate) fn read_all(
    format: ReportFormat,
    files: &[(String, Vec<u8>)],
    root: &str,
) -> ReadReport {
    let mut all = TestReport::default();
    for (path, bytes) in files {
        match read(format, bytes, root) {
            Ok(report) => all.absorb(report),
            Err(why) if files.len() > 1 => return unreadable(format!("`{path}`: {why}")),
            Err(why) => return Err(why),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
