//! Scripts that the oracle's commands reach by way of others: what a recipe, a package script or a shell script runs.

use crate::pattern::TextPattern;
use std::collections::BTreeSet;

/// Where commands like `make check` and `npm test` are spelt out.
pub(crate) const MANIFESTS: &[&str] = &[
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "package.json",
    "tox.ini",
    "noxfile.py",
    "pyproject.toml",
    "Taskfile.yml",
];

/// Returns the paths in a text that may be scripts of the repository.
pub(crate) fn named_paths(text: &str) -> BTreeSet<String> {
    static PATH: TextPattern = TextPattern::new(
        r"[\w.@+-]*(?:/[\w.@+-]+)+|[\w@+-]+\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|php|awk|mk)\b",
    );
    let paths = PATH.find_iter(text).map(|found| found.as_str());
    let inside = paths.filter(|path| !path.starts_with('/') && !path.contains(".."));
    inside
        .map(|path| path.trim_start_matches("./").to_owned())
        .collect()
}

/// Returns whether a script that names these paths runs tests: it names some, or starts a runner.
pub(crate) fn runs_tests(text: &str, named: &BTreeSet<String>) -> bool {
    static RUNNER: TextPattern = TextPattern::new(
        r"\b(?:unittest|pytest|node:test|node --test|jest|vitest|mocha|ctest|bats|cargo test|go test|phpunit|rspec)\b",
    );
    named.iter().any(|path| super::is_test(path)) || RUNNER.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_runs_tests_is_distinguished_from_one_of_the_product() {
        for (text, want) in [
            ("sh tests/test_add.sh", true),
            ("python3 -m pytest", true),
            ("import unittest", true),
            ("expr $1 + $2", false),
            ("sh lib/add.sh", false),
            ("jesting", false),
        ] {
            assert_eq!(runs_tests(text, &named_paths(text)), want, "{text}");
        }
    }
}
