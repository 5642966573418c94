//! How a test command names its cases in a report, so that it can be judged by them where some fail already.
//!
//! One row a runner in `WRITERS`, with what its own documentation says makes it write one.

use crate::model::report_settings::ReportFormat;
use crate::path_names::file_name;

/// A form of a test command that reports its cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseForm {
    /// What `sh -c` runs.
    pub run: String,
    /// The format of its report.
    pub format: ReportFormat,
    /// The file it writes, from the repository's root; its standard output when absent.
    pub path: Option<String>,
}

/// The files that runners are told to write.
const XML: &str = "test-report.xml";
const JSON: &str = "test-report.json";

/// A runner that can report its cases.
struct CaseWriter {
    /// The words that start it.
    starts: &'static str,
    /// What stands in their place.
    reports: &'static str,
    /// What stands behind everything else; `{report}` is the file it writes.
    behind: &'static str,
    format: ReportFormat,
    path: Option<&'static str>,
}

const fn printing(starts: &'static str, reports: &'static str, format: ReportFormat) -> CaseWriter {
    CaseWriter {
        starts,
        reports,
        behind: "",
        format,
        path: None,
    }
}

const fn writing(
    starts: &'static str,
    behind: &'static str,
    format: ReportFormat,
    path: &'static str,
) -> CaseWriter {
    CaseWriter {
        starts,
        reports: starts,
        behind,
        format,
        path: Some(path),
    }
}

const WRITERS: [CaseWriter; 9] = [
    printing(
        "cargo test",
        "cargo test --no-fail-fast",
        ReportFormat::CargoText,
    ),
    printing("go test", "go test -json", ReportFormat::GoJson),
    printing(
        "node --test",
        "node --test --test-reporter=tap",
        ReportFormat::Tap,
    ),
    printing("prove", "prove -v", ReportFormat::Tap),
    printing("bats", "bats --tap", ReportFormat::Tap),
    writing("pytest", "--junitxml={report}", ReportFormat::Junit, XML),
    writing(
        "jest",
        "--json --outputFile={report}",
        ReportFormat::Jest,
        JSON,
    ),
    writing(
        "vitest run",
        "--reporter=json --outputFile={report}",
        ReportFormat::Jest,
        JSON,
    ),
    writing(
        "mocha",
        "--reporter xunit --reporter-option output={report}",
        ReportFormat::Junit,
        XML,
    ),
];

impl CaseWriter {
    /// Returns what stands behind everything else.
    fn options(&self) -> String {
        self.behind
            .replace("{report}", self.path.unwrap_or_default())
    }

    /// Returns where in a command line it starts, if that is one plain command.
    fn starts_in(&self, line: &str) -> Option<usize> {
        let at = line.find(self.starts)?;
        let (before, after) = (&line[..at], &line[at + self.starts.len()..]);
        let is_word = (before.is_empty() || before.ends_with([' ', '/']))
            && (after.is_empty() || after.starts_with(' '));
        (is_word && !line.contains(['|', ';', '&', '>', '\n'])).then_some(at)
    }
}

impl CaseForm {
    /// Returns a command as it is, whose output is a report in TAP already.
    pub fn printed_tap(run: &str) -> CaseForm {
        CaseForm {
            run: run.to_owned(),
            format: ReportFormat::Tap,
            path: None,
        }
    }

    /// Returns the name of the file it writes, without the directory.
    pub(super) fn made(&self) -> Option<&'static str> {
        let path = self.path.as_deref()?;
        [XML, JSON]
            .into_iter()
            .find(|name| file_name(path) == *name)
    }

    /// Returns how a command reports its cases; nothing where its runner is not known to.
    pub(super) fn of(run: &str) -> Option<CaseForm> {
        let (writer, at) = WRITERS
            .iter()
            .find_map(|writer| Some((writer, writer.starts_in(run)?)))?;
        let (before, after) = (&run[..at], &run[at + writer.starts.len()..]);
        let line = format!("{before}{}{after} {}", writer.reports, writer.options());
        Some(CaseForm {
            run: line.trim_end().to_owned(),
            format: writer.format,
            path: writer.path.map(str::to_owned),
        })
    }

    /// Returns how a package's script reports its cases: `run` with what its text leaves to the command line.
    pub(super) fn of_script(run: &str, script: &str) -> Option<CaseForm> {
        let writer = WRITERS.iter().find(|w| w.starts_in(script).is_some())?;
        let options = match writer.behind {
            "" => writer
                .reports
                .strip_prefix(writer.starts)?
                .trim_start()
                .to_owned(),
            _ => writer.options(),
        };
        Some(CaseForm {
            run: format!("{run} {options}"),
            format: writer.format,
            path: writer.path.map(str::to_owned),
        })
    }

    /// Returns it, run in a directory; `place` is that directory as the shell has it.
    pub(super) fn moved_into(self, directory: &str, place: &str) -> CaseForm {
        CaseForm {
            run: format!("cd {place} && {}", self.run),
            path: self.path.map(|path| format!("{directory}/{path}")),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_is_told_to_report_where_it_stands_alone() {
        for (run, reports) in [
            (
                "cargo test --workspace",
                "cargo test --no-fail-fast --workspace",
            ),
            ("go test ./...", "go test -json ./..."),
            (
                "PYTHONPATH=src python3 -m pytest -q",
                "PYTHONPATH=src python3 -m pytest -q --junitxml=test-report.xml",
            ),
            ("node --test", "node --test --test-reporter=tap"),
            (
                "npx vitest run",
                "npx vitest run --reporter=json --outputFile=test-report.json",
            ),
            ("bats tests", "bats --tap tests"),
            ("prove -lr t", "prove -v -lr t"),
        ] {
            let form = CaseForm::of(run).unwrap_or_else(|| panic!("{run}"));
            assert_eq!(form.run, reports);
            assert_eq!(
                form.path.is_some(),
                reports.contains("test-report."),
                "{run}"
            );
        }
        for run in [
            "make test",
            "python3 -m unittest discover -s tests",
            "cargo test | tee log",
            "cargo test && cargo test --doc",
            "python3 -m pytest-extra",
            "xcargo test",
        ] {
            assert_eq!(CaseForm::of(run), None, "{run}");
        }
    }

    #[test]
    fn a_script_is_given_the_options_of_its_runner() {
        let form = CaseForm::of_script("npm run test --", "jest --ci").unwrap();
        assert_eq!(
            form.run,
            "npm run test -- --json --outputFile=test-report.json"
        );
        let form = CaseForm::of_script("yarn run test", "node --test").unwrap();
        assert_eq!(form.run, "yarn run test --test-reporter=tap");
        assert_eq!(CaseForm::of_script("npm run test --", "tsc && jest"), None);
    }

    #[test]
    fn in_a_directory_its_report_is_below_it() {
        let form = CaseForm::of("pytest").unwrap().moved_into("api", "api");
        assert_eq!(form.run, "cd api && pytest --junitxml=test-report.xml");
        assert_eq!(form.path.as_deref(), Some("api/test-report.xml"));
    }
}
