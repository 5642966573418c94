//! How the tests of a Python project are run.

use super::Top;
use crate::path_names::file_name;

/// How many test files are looked into for what they import.
const FILES_READ: usize = 200;

/// Files that name what tests and checks need.
pub(super) const REQUIREMENTS: &[&str] = &[
    "requirements-test.txt",
    "requirements-tests.txt",
    "test-requirements.txt",
    "requirements-dev.txt",
    "dev-requirements.txt",
    "requirements_dev.txt",
    "requirements/test.txt",
    "requirements/tests.txt",
    "requirements/dev.txt",
    "tests/requirements.txt",
    "requirements.txt",
];

/// What runs a project's tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PythonTests {
    Pytest,
    Unittest,
}

pub(super) fn test_run(top: &Top<'_>, tests: Option<PythonTests>, runner: &str) -> Option<String> {
    Some(match tests? {
        PythonTests::Pytest => format!("{runner} pytest -q"),
        PythonTests::Unittest if top.has("manage.py") => {
            format!("{} manage.py test", runner.trim_end_matches(" -m"))
        }
        PythonTests::Unittest => match top.first(&["tests", "test"]) {
            // Only a package can be imported from above.
            Some(dir) if has_file(top, &format!("{dir}/__init__.py")) => {
                format!("{runner} unittest discover -s {dir} -t .")
            }
            Some(dir) => format!("{runner} unittest discover -s {dir}"),
            None => format!("{runner} unittest discover"),
        },
    })
}

/// Returns what the tests are written for: what is configured, else what they import.
pub(super) fn tests(top: &Top<'_>) -> Option<PythonTests> {
    if is_pytest_named(top) {
        return Some(PythonTests::Pytest);
    }
    let is_test = |path: &&String| {
        let name = file_name(path);
        name == "conftest.py"
            || name.ends_with(".py") && (name.starts_with("test") || name.ends_with("_test.py"))
    };
    let files: Vec<&String> = top
        .0
        .paths
        .iter()
        .filter(is_test)
        .take(FILES_READ)
        .collect();
    let is_pytest = |text: &str| {
        text.lines().any(|line| {
            line.starts_with("import pytest")
                || line.starts_with("from pytest")
                || line.starts_with("def test_")
                || line.starts_with("async def test_")
        })
    };
    let texts = files.iter().filter_map(|path| top.text(path));
    let mut unittest = false;
    for text in texts {
        if is_pytest(&text) {
            return Some(PythonTests::Pytest);
        }
        unittest |= text.contains("unittest") || text.contains("TestCase");
    }
    unittest.then_some(PythonTests::Unittest)
}

pub(super) fn is_pytest_named(top: &Top<'_>) -> bool {
    top.first(&["pytest.ini", ".pytest.ini", "conftest.py"])
        .is_some()
        || [
            "pyproject.toml",
            "setup.cfg",
            "tox.ini",
            "uv.lock",
            "Pipfile",
        ]
        .iter()
        .chain(REQUIREMENTS)
        .any(|name| top.contains(name, "pytest"))
}

/// Returns whether a project asks for a package, rather than only having settings for it.
pub(super) fn is_required(top: &Top<'_>, package: &str) -> bool {
    let quoted = |text: &str| {
        ["\"", "'"]
            .iter()
            .any(|quote| text.contains(&format!("{quote}{package}")))
    };
    let named = |text: &str| {
        text.lines().any(|line| {
            let name = line.split(['=', '<', '>', '~', '[', ' ', ';']).next();
            name == Some(package)
        })
    };
    top.text("uv.lock").is_some_and(|text| quoted(&text))
        || top.text("poetry.lock").is_some_and(|text| quoted(&text))
        || top.text("pyproject.toml").is_some_and(|text| {
            let settings = format!("[tool.{package}");
            quoted(&text)
                || text.lines().any(|line| {
                    !line.starts_with(&settings)
                        && line.split('=').next().map(str::trim) == Some(package)
                })
        })
        || REQUIREMENTS
            .iter()
            .filter_map(|name| top.text(name))
            .any(|text| named(&text))
}

pub(super) fn has_file(top: &Top<'_>, path: &str) -> bool {
    top.0.paths.iter().any(|other| other == path)
}
