//! How many tests a file holds and how many of them do not run, by the marks of each language.
//! Counts only decide what is told, never what is refused.

use super::Pair;
use regex::Regex;
use std::sync::LazyLock;

/// Extensions, what marks a test, what marks one that does not run or that keeps others from it.
type Row = (&'static [&'static str], &'static str, &'static str);

const ROWS: &[Row] = &[
    (
        &["rs"],
        r"#\[(?:\w+::)*(?:test|rstest|test_case|proptest)\b",
        r"#\[ignore",
    ),
    (
        &["py"],
        r"(?m)^\s*(?:async )?def test",
        r"mark\.(?:skip|xfail)|@(?:unittest\.)?skip|\bskipTest\(|pytest\.skip\(|\bSkipTest\b|__test__ = False",
    ),
    (
        &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue"],
        r"\b(?:it|test)(?:\.\w+)*\(",
        r"\b(?:it|test|describe|suite|context)\.(?:skip|only|todo|fails)\b|\b[xf](?:it|describe|test|context)\(",
    ),
    (
        &["go"],
        r"(?m)^func (?:Test|Fuzz|Example)",
        r"\.Skip(?:f|Now)?\(",
    ),
    (
        &["java", "kt", "kts", "groovy", "scala", "cs", "fs", "vb"],
        r"@(?:Parameterized)?Test\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b",
        r"@(?:Disabled|Ignore)\b|\[Ignore|Skip\s*=|\bAssume\.|\bassumeTrue\(",
    ),
    (
        &["rb"],
        r"(?m)^\s*(?:it|test|specify|def test_)",
        r"\b[xf](?:it|describe|context)\b|(?m)^\s*(?:skip|pending)\b",
    ),
    (
        &["php"],
        r"function test|#\[Test\]|@test\b",
        r"markTest(?:Skipped|Incomplete)|#\[Ignore",
    ),
    (&["bats"], r"(?m)^@test ", r"(?m)^\s*skip\b"),
];

static COMPILED: LazyLock<Vec<(&'static [&'static str], Regex, Regex)>> = LazyLock::new(|| {
    let regex = |p: &str| Regex::new(p).expect("a constant pattern, compiled by the tests");
    ROWS.iter()
        .map(|(ext, test, skip)| (*ext, regex(test), regex(skip)))
        .collect()
});

/// Returns how many tests a text holds, and how many skips.
pub(super) fn count(path: &str, text: Option<&[u8]>) -> (usize, usize) {
    let extension = path.rsplit('.').next().unwrap_or_default();
    let row = COMPILED.iter().find(|(ext, ..)| ext.contains(&extension));
    let (Some((_, test, skip)), Some(bytes)) = (row, text) else {
        return (0, 0);
    };
    let text = String::from_utf8_lossy(bytes);
    (test.find_iter(&text).count(), skip.find_iter(&text).count())
}

/// Returns what the counts of a whole diff tell.
pub(super) fn notices(pairs: &[Pair<'_>]) -> Vec<String> {
    let total = |side: fn(&Pair<'_>) -> (usize, usize)| {
        pairs
            .iter()
            .map(side)
            .fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1))
    };
    let before = total(|p| count(&p.change.path, p.old));
    let after = total(|p| count(&p.change.path, p.new));
    let mut told = Vec::new();
    if after.0 < before.0 {
        told.push(format!(
            "fewer tests than before: {} instead of {} in the changed files",
            after.0, before.0
        ));
    }
    if after.1 > before.1 {
        told.push(format!(
            "more tests that are skipped or run alone: {} instead of {}",
            after.1, before.1
        ));
    }
    told
}
