//! Whether a test run that exited 0 ran any test. Unproven is not passed.
//!
//! Two ways to tell: every count the output states is zero, or a command that names a known runner
//! ends without the summary that runner always prints (something ended the process early). What is
//! not recognised is trusted: exit codes decide, this only refuses what plainly proves nothing.

use crate::pattern::{self, TextPattern};
use regex::Regex;
use std::sync::LazyLock;

/// How a runner states what it ran. The first group is what passed, or what ran; the second, where
/// there is one, is what of it was skipped.
const COUNTS: &[&str] = &[
    // cargo test
    r"test result: \w+\. (\d+) passed",
    // nextest
    r"\d+ tests? run: (\d+) passed",
    // pytest, with or without the frame
    r"(?:^|[=, ])(\d+) (?:passed|xpassed)\b[^\n]* in [\d.:]+",
    r"^=* ?(?:no tests ran|(?:\d+ deselected, )?(0) (?:items|selected))",
    // unittest
    r"^Ran (\d+) tests? in [^\n]*(?:\n\s*\n(?:OK|NO TESTS RAN) \([^)\n]*?skipped=(\d+))?",
    // jest, vitest
    r"^\s*Tests:?\s+(?:\d+ (?:failed|skipped|todo)[,|]? *(?:\| )?)*(\d+) passed",
    // mocha
    r"^\s*(\d+) passing\b",
    // node --test
    r"^(?:#|ℹ) pass (\d+)",
    // go
    r"^(ok)\s+\S+\s+(?:[\d.]+s|\(cached\))(?:\s+coverage: (?:[\d.]+% of statements(?: in [^\[\n]*)?|\[no statements\]))?$",
    r"^--- (PASS): ",
    // maven
    r"Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: (\d+)",
    // dotnet
    r"Passed: +(\d+), Skipped: +\d+",
    r"^\s*Passed: (\d+)$",
    r"^\s*succeeded: (\d+)$",
    r"^Test summary: total: \d+, failed: \d+, succeeded: (\d+)",
    // ctest
    r"tests passed(?:, \d+ tests failed)? out of (\d+)",
    // rspec
    r"^(\d+) examples?, \d+ failures?(?:, (\d+) pending)?",
    // phpunit
    r"^OK \((\d+) tests?,",
    r"^Tests: (\d+), Assertions: \d+(?:, [A-Z][A-Za-z ]+: \d+)*?, Skipped: (\d+)",
    r"^Tests: (\d+), Assertions: [1-9]\d*(?:, [A-Z][A-Za-z ]+: \d+)*\.",
    // doctest, where it is asked to say so
    r"^(\d+) passed(?: and \d+ failed)?\.$",
    // bats, pretty and TAP
    r"^(\d+) tests?, \d+ failures?(?:, (\d+) skipped)?",
    r"^(ok) \d+ [^#\n]*$",
];

/// How a runner reports that there was nothing.
const NOTHING: &[&str] = &[
    r"^running 0 tests$",
    r"\b0 tests run: 0 passed",
    r"no tests to run",
    r"^=+ .*no tests ran",
    r"^collected 0 items",
    r"^no tests ran in ",
    r"^=* ?\d+ (?:skipped|deselected|xfailed)(?:, \d+ (?:skipped|deselected|xfailed|warnings?))* in ",
    r"^NO TESTS RAN",
    r"^\s*Tests?:?\s+(?:no tests|0 total)\b",
    r"\bTests are skipped\.",
    r"> Task :\S*[tT]est SKIPPED",
    r"^No tests? (?:files? )?found",
    r"^\s*Tests:?\s+\d+ (?:skipped|todo)(?:,| \()",
    r"^\s*\d+ pending$",
    r"\[no tests? (?:to run|files)\]",
    r"No tests to run\.",
    r"> Task :\S*[tT]est NO-SOURCE",
    r"No test (?:is available|matches the given)",
    r"No tests were found",
    r"No examples found",
    r"No tests executed!",
    r"^1\.\.0\b",
    r"^ok \d+ .*# [sS]kip",
];

/// A runner by the words that start it, and its switches that hide the summary.
const RUNNERS: &[(&str, &[&str])] = &[
    (
        "cargo test",
        &["--no-run", "--list", "--format", "--message-format", "-Z"],
    ),
    (
        "cargo nextest run",
        &["--no-run", "--status-level", "--final-status-level"],
    ),
    ("pytest", &["--collect-only", "--co", "-h"]),
    ("py.test", &["--collect-only", "--co"]),
    ("python -m pytest", &["--collect-only", "--co"]),
    ("python3 -m pytest", &["--collect-only", "--co"]),
    ("python -m unittest", &["-h"]),
    ("python3 -m unittest", &["-h"]),
    (
        "jest",
        &["--silent", "--json", "--reporters", "--listTests"],
    ),
    ("vitest", &["--reporter", "--silent", "list", "bench"]),
    ("mocha", &["--reporter", "-R", "--dry-run"]),
    ("node --test", &["--test-reporter"]),
    ("go test", &["-json", "-c", "-list", "-exec"]),
    (
        "dotnet test",
        &["-v", "--verbosity", "--logger", "-t", "--list-tests"],
    ),
    ("ctest", &["-Q", "--quiet", "-N"]),
    ("rspec", &["--format", "-f", "--dry-run"]),
    (
        "phpunit",
        &[
            "--testdox",
            "--no-output",
            "--no-results",
            "--list-tests",
            "--teamcity",
        ],
    ),
    ("bats", &["--formatter", "-F", "--count", "-c"]),
];

static COUNT: LazyLock<Vec<Regex>> = LazyLock::new(|| COUNTS.iter().map(|p| multi(p)).collect());
static NONE: LazyLock<Vec<Regex>> = LazyLock::new(|| NOTHING.iter().map(|p| multi(p)).collect());
static COLOUR: TextPattern = TextPattern::new("\x1b\\[[0-9;?]*[ -/]*[@-~]");

static NODE_FILE: TextPattern =
    TextPattern::new(r"(?m)^(?:ok \d+ - |✔ )/[^\n]*\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$");
static NODE_PASSED: TextPattern = TextPattern::new(r"(?m)^((?:#|ℹ) pass )(\d+)");
static CTEST_SKIPPED: TextPattern =
    TextPattern::new(r"(?m)^ *\d+/\d+ Test +#\d+: .*\*\*\*(?:Skipped|Not Run \(Disabled\))");
static CTEST_TOTAL: TextPattern =
    TextPattern::new(r"(?m)(tests passed(?:, \d+ tests failed)? out of )(\d+)");
/// A line of pytest's progress, which is all it prints where it is told twice to be quiet.
static PROGRESS: TextPattern =
    TextPattern::new(r"(?m)^([.sxXFE]+)(?: +\[ *(?:(\d+)%|(\d+)/(\d+))\])?$");
/// Likewise without a share, where nothing comes after it: an ended process leaves its line open.
static LAST_PROGRESS: TextPattern = TextPattern::new(r"(?:^|\n)[sxXFE]*[.X][.sxXFE]*\n\s*\z");
static PYTEST_SUMMARY: TextPattern = TextPattern::new(r"(?m)^=* ?\d+ [a-z]+\b[^\n]* in [\d.:]+");
static GO_OK: TextPattern = TextPattern::new(r"(?m)^ok\s+\S+\s+(?:[\d.]+s|\(cached\)).*$");

fn multi(pattern: &str) -> Regex {
    pattern::constant(&format!("(?m){pattern}"))
}

/// Returns why a command that exited 0 proves nothing, if that is plain from what it printed.
pub fn why(shell: &str, output: &str) -> Option<String> {
    let plain = plain(output);
    let counts = counts(&plain);
    if counts.iter().any(|&n| n > 0) {
        return None;
    }
    let ran_nothing = !plain.is_empty() && NONE.iter().any(|pattern| pattern.is_match(&plain));
    if !counts.is_empty() || ran_nothing {
        return Some("it exited 0, but no test ran and passed".to_owned());
    }
    let runner = named_runner(shell)?;
    let quiet = ["pytest", "py.test"]
        .iter()
        .any(|name| runner.ends_with(name))
        && LAST_PROGRESS.is_match(&plain);
    (!quiet).then(|| {
        format!("it exited 0 without the summary that `{runner}` prints: the run was cut short, or was no test run")
    })
}

/// Returns an output without colours, and without what counts as passed and is no test; nothing for one that is blank, as
/// most are: no pattern is compiled for it.
pub(super) fn plain(output: &str) -> String {
    if output.trim().is_empty() {
        return String::new();
    }
    let plain = COLOUR.replace_all(output, "").replace('\r', "");
    without_stand_ins(&plain)
}

/// Returns how many tests passed by all that such an output states; one summary may say it twice.
pub(super) fn passed(plain: &str) -> u64 {
    counts(plain).into_iter().fold(0, u64::saturating_add)
}

fn counts(plain: &str) -> Vec<u64> {
    if plain.is_empty() {
        return Vec::new();
    }
    let found = COUNT
        .iter()
        .flat_map(|pattern| pattern.captures_iter(plain));
    let count = |found: regex::Captures<'_>| {
        // A count that is no number is a word that only a passed test gets.
        let number = |at: usize| Some(found.get(at)?.as_str().parse::<u64>().unwrap_or(1));
        Some(number(1)?.saturating_sub(number(2).unwrap_or(0)))
    };
    let quiet = quiet_pytest(plain);
    found.filter_map(count).chain(quiet).collect()
}

/// Returns how many tests pytest's progress shows as passed, where the run came to its end and no summary says it.
fn quiet_pytest(plain: &str) -> Option<u64> {
    let is_last = |line: &regex::Captures<'_>| match (line.get(2), line.get(3), line.get(4)) {
        (Some(share), ..) => share.as_str() == "100",
        (None, Some(at), Some(all)) => at.as_str() == all.as_str(),
        _ => false,
    };
    let mut lines = PROGRESS.captures_iter(plain);
    if PYTEST_SUMMARY.is_match(plain) || !lines.any(|line| is_last(&line)) {
        return None;
    }
    let passed = |line: regex::Captures<'_>| line[1].matches(['.', 'X']).count() as u64;
    Some(PROGRESS.captures_iter(plain).map(passed).sum())
}

/// Returns the output without what counts as passed and is no test: Node's entry for a file without any, Go's package
/// whose tests were all skipped, and what ctest skipped.
fn without_stand_ins(plain: &str) -> String {
    let lines = |pattern: &Regex| pattern.find_iter(plain).count() as u64;
    let less = |text: &str, pattern: &Regex, by: u64| {
        let number = |found: &regex::Captures<'_>| {
            let n: u64 = found[2].parse().unwrap_or(0);
            format!("{}{}", &found[1], n.saturating_sub(by))
        };
        pattern.replace(text, number).into_owned()
    };
    let mut text = less(plain, &NODE_PASSED, lines(&NODE_FILE));
    text = NODE_FILE.replace_all(&text, "").into_owned();
    text = less(&text, &CTEST_TOTAL, lines(&CTEST_SKIPPED));
    if text.contains("--- SKIP: ") && !text.contains("--- PASS: ") {
        text = GO_OK.replace_all(&text, "[no tests to run]").into_owned();
    }
    text
}

/// Returns the runner that a command line starts directly, with its output shown as it is.
fn named_runner(shell: &str) -> Option<&'static str> {
    if shell.contains(['|', '>', '`', '\n']) || shell.contains("$(") {
        return None;
    }
    let last = shell
        .rsplit([';', '&'])
        .map(str::trim)
        .find(|part| !part.is_empty())?;
    let mut words: Vec<&str> = last.split_whitespace().collect();
    // Variables set for the command, and launchers that add nothing.
    while let Some(first) = words.first() {
        let assignment = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        });
        let launcher = matches!(*first, "npx" | "bunx" | "env" | "time" | "exec");
        if !assignment && !launcher {
            break;
        }
        words.remove(0);
    }
    let line = words.join(" ");
    let (runner, hiding) = RUNNERS.iter().find(|(runner, _)| {
        line.strip_prefix(runner)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })?;
    let hidden = words.iter().any(|word| {
        hiding
            .iter()
            .any(|h| word == h || word.starts_with(&format!("{h}=")))
    });
    (!hidden).then_some(runner)
}

#[cfg(test)]
mod tests;
