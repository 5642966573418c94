//! What `cargo test` prints for people: a line a case, between two that count them.

use super::cargo_cases::without_line;
use super::{CaseEnd, ReadReport, TestReport, UnreadableReport, unreadable};
use crate::pattern::TextPattern;

static BEGIN: TextPattern = TextPattern::new(r"^running (\d+) tests?$");
static CASE: TextPattern = TextPattern::new(
    r"^test (.+?)(?: - should panic| - compile fail| - compile)? \.\.\. (ok|FAILED|ignored|bench:)(?:$|[ ,].*)",
);
static END: TextPattern = TextPattern::new(
    r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured;",
);

/// One program of tests, as far as it was read.
struct CargoProgram {
    /// How many cases it announced.
    announced: u64,
    passed: u64,
    failed: u64,
    ignored: u64,
    /// Whether its cases still come: what failing ones printed stands behind them.
    listing: bool,
}

pub(super) fn read(text: &str) -> ReadReport {
    let mut report = TestReport::default();
    let mut program: Option<CargoProgram> = None;
    let mut seen = false;
    for line in text.lines() {
        if let Some(end) = END.captures(line) {
            let Some(over) = program.take() else {
                return unreadable("the report has the end of a program that it does not begin");
            };
            whole(&over, &end)?;
        } else if let Some(over) = program.as_mut().filter(|p| p.listing) {
            if matches!(line, "failures:" | "successes:") {
                over.listing = false;
            } else if let Some(case) = CASE.captures(line) {
                let end = match &case[2] {
                    "FAILED" => CaseEnd::Failed,
                    "ignored" => CaseEnd::Skipped,
                    _ => CaseEnd::Passed,
                };
                match end {
                    CaseEnd::Failed => over.failed += 1,
                    CaseEnd::Skipped => over.ignored += 1,
                    _ => over.passed += 1,
                }
                report.add(without_line(&case[1]), end);
            }
        } else if program.is_none()
            && let Some(begin) = BEGIN.captures(line)
        {
            seen = true;
            program = Some(CargoProgram {
                announced: begin[1].parse().unwrap_or(u64::MAX),
                passed: 0,
                failed: 0,
                ignored: 0,
                listing: true,
            });
        }
    }
    match (seen, program) {
        (false, _) => unreadable("the report has no line `running N tests`"),
        (true, Some(_)) => unreadable("the report ends before the run did"),
        (true, None) => Ok(report),
    }
}

/// Refuses a program whose cases are not those that it counts: what a case prints can hide the line of another.
fn whole(program: &CargoProgram, end: &regex::Captures<'_>) -> Result<(), UnreadableReport> {
    let count = |at: usize| end[at].parse::<u64>().unwrap_or(u64::MAX);
    let named = program.passed + program.failed + program.ignored;
    let same = named == program.announced
        && program.passed == count(1).saturating_add(count(4))
        && program.failed == count(2)
        && program.ignored == count(3);
    match same {
        true => Ok(()),
        false => unreadable(format!(
            "the report announces {} cases and names {named}: run it without `-q` and `--nocapture`",
            program.announced
        )),
    }
}
