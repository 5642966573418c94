//! PURE. Whether units can be held to the cases of a test command that is red today.

use super::test_reports::TestReport;

/// How many cases are known to fail at most: with more, nobody reads the list.
const MOST_KNOWN: usize = 200;

/// Returns the cases that fail in a report, where all of it is known and others pass.
///
/// # Errors
/// Returns why the cases are nothing to hold units to: something could not be loaded, nothing failed, or nothing passed, and
/// failures that are too many or have no name for one line.
pub(crate) fn failing_cases(report: &TestReport) -> Result<Vec<String>, String> {
    if let Some(why) = report.without_cases() {
        return Err(why);
    }
    if let Some(broken) = report.broken().first() {
        return Err(format!("`{broken}` could not be loaded or set up"));
    }
    let failing: Vec<String> = report.failed().into_iter().map(str::to_owned).collect();
    if failing.is_empty() {
        return Err("none of its cases fails, and yet it does".to_owned());
    }
    if report.passed() == 0 {
        return Err("none of its cases passes".to_owned());
    }
    if failing.len() > MOST_KNOWN {
        return Err(format!("{} of its cases fail", failing.len()));
    }
    match failing.iter().find(|name| name.contains(char::is_control)) {
        Some(odd) => Err(format!("a case is called {odd:?}")),
        None => Ok(failing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_reports;
    use crate::model::report_settings::ReportFormat;

    #[test]
    fn cases_are_something_to_hold_units_to_where_some_fail_and_some_pass() {
        for (printed, wanted) in [
            ("1..2\nok 1 - a\nnot ok 2 - b\n", Ok(vec!["b".to_owned()])),
            ("1..1\nnot ok 1 - b\n", Err("none of its cases passes")),
            ("1..1\nok 1 - a\n", Err("none of its cases fails")),
            ("1..0\n", Err("names no case that ran")),
            ("1..3\nok 1 - a\n", Err("")),
        ] {
            let files = [("standard output".to_owned(), printed.as_bytes().to_vec())];
            let report = test_reports::read_all(ReportFormat::Tap, &files, "/slot");
            let report = report.map_err(|why| why.to_string());
            let found = report.and_then(|report| failing_cases(&report));
            match (&found, &wanted) {
                (Ok(found), Ok(wanted)) => assert_eq!(found, wanted),
                (Err(why), Err(part)) => assert!(why.contains(part), "{printed}: {why}"),
                _ => panic!("{printed}: {found:?}"),
            }
        }
    }
}
