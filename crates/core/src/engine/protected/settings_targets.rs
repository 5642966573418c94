//! Files in which runners are told what to run and load, and the parts of them that name it.

use crate::pattern::{self, TextPattern};
use regex::Regex;
use std::sync::LazyLock;

/// Files of a directory that may say what runners run and load.
pub(crate) const RUNNER_SETTINGS: &[&str] = &[
    "Cargo.toml",
    "CMakeLists.txt",
    "conftest.py",
    "meson.build",
    "package.json",
    "pyproject.toml",
    "pytest.ini",
    "setup.cfg",
    "tox.ini",
    "phpunit.xml",
    ".rspec",
    ".mocharc.json",
    ".mocharc.js",
    ".mocharc.cjs",
    ".mocharc.yml",
    "jest.config.js",
    "jest.config.cjs",
    "jest.config.mjs",
    "jest.config.ts",
    "jest.config.json",
    "eslint.config.js",
    "eslint.config.cjs",
    "eslint.config.mjs",
    ".eslintrc.js",
    ".eslintrc.cjs",
    "babel.config.js",
    "vitest.config.js",
    "vitest.config.mjs",
    "vitest.config.ts",
];

/// What stands in quotes.
pub(super) fn quoted(text: &str) -> Vec<String> {
    static QUOTED: TextPattern = TextPattern::new(r#""([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`"#);
    let found = QUOTED.captures_iter(text);
    let inner = found.filter_map(|c| c.iter().skip(1).flatten().next().map(|m| m.as_str()));
    inner.map(str::to_owned).collect()
}

/// Returns all that the first group of a pattern matches.
fn groups<'t>(pattern: &Regex, text: &'t str) -> Vec<&'t str> {
    let found = pattern.captures_iter(text);
    found.filter_map(|c| Some(c.get(1)?.as_str())).collect()
}

/// The parts of such a file.
pub(super) mod runner_settings {
    use super::{LazyLock, Regex, groups, pattern, quoted};

    /// Returns globs of tests, and tests themselves.
    pub(in super::super) fn tests(name: &str, text: &str) -> Vec<String> {
        static PATTERNS: LazyLock<[Regex; 6]> = LazyLock::new(|| {
            [
                r"(?m)^\s*python_files\s*=\s*(\[[^\]]*\]|[^\n]*(?:\n[ \t]+\S[^\n]*)*)",
                r#"\b(?:testMatch|spec|specs)["']?\s*[:=]\s*(\[[^\]]*\]|"[^"\n]*"|'[^'\n]*')"#,
                r#"\btestRegex["']?\s*[:=]\s*(\[[^\]]*\]|"[^"\n]*"|'[^'\n]*')"#,
                r#"(?m)^\[\[(?:test|bench)\]\]\n(?:[^\[\n][^\n]*\n)*?\s*path\s*=\s*("[^"\n]*")"#,
                r"(?i)\badd_test\s*\(([^)]*)\)",
                r"(?m)^\s*test\s*\(([^\n]*)",
            ]
            .map(pattern::constant)
        });
        let [files, globs, regexes, cargo, cmake, meson] = &*PATTERNS;
        let quoted = |pattern| -> Vec<String> {
            let all = groups(pattern, text).into_iter();
            all.flat_map(quoted).collect()
        };
        match name {
            "pytest.ini" | "pyproject.toml" | "setup.cfg" | "tox.ini" => {
                let words = groups(files, text).join(" ");
                let words = words.split(|c: char| c.is_whitespace() || "[],\"'".contains(c));
                // All files would be the product, too.
                let named = words.filter(|word| word.contains('.') && *word != "*.py");
                named.map(|glob| format!("**/{glob}")).collect()
            }
            "Cargo.toml" => quoted(cargo),
            "CMakeLists.txt" => inside(
                &groups(cmake, text)
                    .join(" ")
                    .replace("${CMAKE_SOURCE_DIR}/", ""),
            ),
            "meson.build" => inside(&groups(meson, text).join(" ")),
            _ => {
                let places = quoted(regexes).into_iter().filter_map(|pattern| {
                    // The directory that it begins with, where it does.
                    let plain = pattern.trim_start_matches(['^', '/', '(']);
                    let end = plain.find(|c: char| !c.is_alphanumeric() && !"_-/".contains(c))?;
                    let (directory, _) = plain[..end].rsplit_once('/')?;
                    Some(format!("{directory}/**"))
                });
                quoted(globs).into_iter().chain(places).collect()
            }
        }
    }

    fn inside(text: &str) -> Vec<String> {
        super::super::named_paths(text).into_iter().collect()
    }

    /// Returns modules of Python that a runner loads.
    pub(in super::super) fn modules(name: &str, text: &str) -> Vec<String> {
        static PATTERNS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
            [
                r#"\bpytest_plugins\s*=\s*([\[(][^\])]*[\])]|"[^"\n]*"|'[^'\n]*')"#,
                r#"(?:^|[\s"'=])-p\s+([A-Za-z_][\w.]*)(?:[\s"']|$)"#,
            ]
            .map(pattern::constant)
        });
        let [plugins, options] = &*PATTERNS;
        match name {
            "conftest.py" => {
                let all = groups(plugins, text).into_iter();
                all.flat_map(quoted).collect()
            }
            "pytest.ini" | "pyproject.toml" | "setup.cfg" | "tox.ini" => {
                let lines = text
                    .lines()
                    .filter(|line| !line.trim_start().starts_with('#'));
                let found = lines.flat_map(|line| groups(options, line));
                found.map(str::to_owned).collect()
            }
            _ => vec![],
        }
    }

    /// Returns paths of what a runner loads before tests, or in their place.
    pub(in super::super) fn loaded(name: &str, text: &str) -> Vec<String> {
        static PATTERNS: LazyLock<[Regex; 5]> = LazyLock::new(|| {
            [
                r#"\b(?:setupFiles\w*|globalSetup|globalTeardown|testEnvironment|testRunner|runner|reporters?|snapshotSerializers|resolver|testSequencer|bootstrap)["']?\s*[:=]\s*(\[[^\]]*\]|"[^"\n]*"|'[^'\n]*')"#,
                // What makes other sources of those that tests import; and what settings written as a program read.
                r#"\b(?:transform["']?\s*[:=]\s*\{([^}]*)\}|(?:require|import)\(\s*("[^"\n]*"|'[^'\n]*')\s*\)|from\s+("[^"\n]*"|'[^'\n]*'))"#,
                r#"(?m)^build\s*=\s*("[^"\n]*")"#,
                r#"\b(?:require|import)["']?\s*:\s*(\[[^\]]*\]|"[^"\n]*"|'[^'\n]*')"#,
                r"(?m)^(?:commands\s*=)?[ \t]*-?[ \t]*(?:python3?|sh|bash|node)\s+(?:-\S+\s+)*([\w.@+-]+/[\w./@+-]+)",
            ]
            .map(pattern::constant)
        });
        let [keys, made, build, mocha, commands] = &*PATTERNS;
        match name {
            "tox.ini" => groups(commands, text)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            "Cargo.toml" => groups(build, text).into_iter().flat_map(quoted).collect(),
            "CMakeLists.txt" | "meson.build" | "conftest.py" | "pyproject.toml" => {
                vec![]
            }
            _ => {
                let keys = if name.starts_with(".mocharc") {
                    mocha
                } else {
                    keys
                };
                let made = made.captures_iter(text);
                let made = made.flat_map(|found| {
                    let parts: Vec<&str> =
                        found.iter().skip(1).flatten().map(|m| m.as_str()).collect();
                    quoted(&parts.join(" "))
                });
                let values = groups(keys, text).into_iter().flat_map(quoted).chain(made);
                // Anything else is a package.
                let own = |path: &String| {
                    (path.starts_with(['.', '<']) || name == "phpunit.xml")
                        && !path.ends_with(".json")
                        && !path.contains(['*', '$', '\\'])
                };
                values.filter(own).collect()
            }
        }
    }
}
