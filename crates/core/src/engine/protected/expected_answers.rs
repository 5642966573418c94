//! Product that takes its answers from what tests compare with: a link that leads there, or a source that brings such a file
//! into what is built. Whatever they expect is right then. What a source opens as it runs is asked for in `product_reach`.

use super::run_targets::joined;
use super::{judge_paths, rust};
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::path_names::{extension, parent};
use crate::pattern::TextPattern;
use std::collections::BTreeSet;

/// Words for what stands beside the product and may show what tests have.
const ASIDE: [&str; 16] = [
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "demo",
    "demos",
    "doc",
    "docs",
    "example",
    "examples",
    "fuzz",
    "mock",
    "mocks",
    "scripts",
    "stories",
    "story",
];

static OF_GO: TextPattern = TextPattern::new(r"(?m)^//go:embed[ \t]+([^\n]+)$");
static OF_RUST: TextPattern = TextPattern::new(
    r#"(?m)^(?P<line>[^\n]*)\binclude(?:_str|_bytes)?!\s*\(\s*(?P<root>concat!\(\s*env!\(\s*"CARGO_MANIFEST_DIR"\s*\)\s*,\s*)?"(?P<path>[^"\n]+)""#,
);
/// What stands before a text that is shown as documentation.
static DOCUMENTS: TextPattern = TextPattern::new(r"[\[(,]\s*doc\s*=\s*$");
static OF_JAVASCRIPT: TextPattern = TextPattern::new(
    r#"\b(?:require(?:\.resolve)?\(|from\s|import\(|import\s)\s*["'`](\.{1,2}/[^"'`\n]+)["'`]"#,
);
static OF_C: TextPattern = TextPattern::new(r#"(?m)^\s*#\s*(?:include|embed)\s+"([^"\n]+)""#);

/// Returns whether a file of the product newly brings in what the base's tests compare with. Data that joins with it is its own.
pub(super) fn takes(pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
    let path = pair.change.path.as_str();
    if is_aside(path) {
        return false;
    }
    let [old, new] =
        [pair.old, pair.new].map(|bytes| bytes.map(String::from_utf8_lossy).unwrap_or_default());
    let found = match (pair.change.kind, pair.change.regular) {
        (ChangedPathKind::Deleted | ChangedPathKind::Submodule, _) => return false,
        (_, true) => brought(path, &new),
        (_, false) => BTreeSet::from([joined(parent(path), &new)]),
    };
    let before = brought(path, &old);
    let joins = |named: &String| {
        let mut changes = pairs.iter().map(|pair| pair.change);
        changes.any(|change| change.kind == ChangedPathKind::Added && change.path == *named)
    };
    let mut expected = found.iter().filter(|named| is_expected(named));
    expected.any(|named| !before.contains(named) && !joins(named))
}

/// Returns whether a file stands beside the product, and may show what tests have.
pub(super) fn is_aside(path: &str) -> bool {
    let mut words = path.split(['/', '.', '-', '_']);
    words.any(|word| ASIDE.contains(&word))
}

/// Returns whether tests compare with what is at a path, or with what is in it.
fn is_expected(path: &str) -> bool {
    judge_paths::is_test(path) || judge_paths::is_test(&format!("{path}/_"))
}

/// Returns the paths of the files that a source brings into what is built.
fn brought(path: &str, text: &str) -> BTreeSet<String> {
    let first = |pattern: &TextPattern| {
        let found = pattern.captures_iter(text);
        found.map(|found| found[1].to_owned()).collect::<Vec<_>>()
    };
    let named = match extension(path) {
        "go" => {
            let lines = first(&OF_GO);
            let words = lines.iter().flat_map(|line| line.split_whitespace());
            let words = words.map(|word| word.trim_matches(['"', '`']));
            words
                .map(|word| word.strip_prefix("all:").unwrap_or(word).to_owned())
                .collect()
        }
        "rs" => return brought_in_rust(path, text),
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" | "vue" | "svelte" => {
            first(&OF_JAVASCRIPT)
        }
        "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" => first(&OF_C),
        _ => vec![],
    };
    named
        .iter()
        .map(|named| joined(parent(path), named))
        .collect()
}

/// Tests in a source have what they compare with, and documentation shows it.
fn brought_in_rust(path: &str, text: &str) -> BTreeSet<String> {
    let tests = rust::test_ranges(text);
    let root = match path.split_once("src/") {
        Some((root, _)) => root,
        None => parent(path),
    };
    let found = OF_RUST.captures_iter(text).filter(|found| {
        let at = found.get(0).map_or(0, |whole| whole.start());
        !DOCUMENTS.is_match(&found["line"]) && !tests.iter().any(|range| range.contains(&at))
    });
    found
        .map(|found| match found.name("root") {
            Some(_) => format!("{root}{}", found["path"].trim_start_matches('/')),
            None => joined(parent(path), &found["path"]),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    fn takes_with(path: &str, old: Option<&str>, new: &str, joined: &[&str], link: bool) -> bool {
        let mut changes = vec![change(path, old, Some(new))];
        changes[0].regular = !link;
        changes.extend(joined.iter().map(|path| change(path, None, Some(""))));
        let pairs: Vec<ChangedFile<'_>> = changes
            .iter()
            .enumerate()
            .map(|(at, change)| ChangedFile {
                change,
                old: old.filter(|_| at == 0).map(str::as_bytes),
                new: Some(if at == 0 { new.as_bytes() } else { b"" }),
            })
            .collect();
        takes(&pairs[0], &pairs)
    }

    #[test]
    fn a_source_that_brings_in_what_tests_compare_with_is_found() {
        for (path, text, want) in [
            (
                "show.go",
                "//go:embed testdata/want.txt\nvar a string\n",
                true,
            ),
            ("show.go", "//go:embed texts/*.tmpl \"testdata\"\n", true),
            ("show.go", "//go:embed texts/*.tmpl\n", false),
            ("show.go", "// As in testdata/want.txt.\n", false),
            (
                "src/lib.rs",
                "const A: &str = include_str!(\"../tests/want.txt\");\n",
                true,
            ),
            (
                "a/src/lib.rs",
                "const A: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/tests/want.txt\"));\n",
                true,
            ),
            (
                "src/lib.rs",
                "const A: &str = include_str!(\"../data/list.txt\");\n",
                false,
            ),
            (
                "src/lib.rs",
                "#![doc = include_str!(\"../tests/README.md\")]\n",
                false,
            ),
            (
                "src/lib.rs",
                "#![cfg_attr(feature = \"a\", doc = include_str!(\"../tests/README.md\"))]\n",
                false,
            ),
            (
                "src/lib.rs",
                "#[doc(hidden)]\nlet doc = include_str!(\"../tests/want.txt\");\n",
                true,
            ),
            (
                "src/lib.rs",
                "#[cfg(test)]\nmod tests {\n    const A: &str = include_str!(\"../tests/want.txt\");\n}\n",
                false,
            ),
            (
                "benches/a.rs",
                "const A: &str = include_str!(\"../tests/want.txt\");\n",
                false,
            ),
            (
                "lib/calc.js",
                "exports.all = require('../test/want.json');\n",
                true,
            ),
            (
                "lib/calc.mjs",
                "import all from '../test/want.json' with { type: 'json' };\n",
                true,
            ),
            ("lib/calc.js", "const { test } = require('./test');\n", true),
            (
                "lib/calc.js",
                "const { test } = require('./testing');\n",
                true,
            ),
            (
                "lib/calc.js",
                "const a = require('./data/list.json');\n",
                false,
            ),
            ("src/a.c", "#include \"../tests/want.inc\"\n", true),
            ("src/a.c", "#include \"add.h\"\n", false),
        ] {
            assert_eq!(
                takes_with(path, None, text, &[], false),
                want,
                "{path}: {text}"
            );
            assert!(!takes_with(path, Some(text), text, &[], false), "{path}");
        }
    }

    #[test]
    fn what_joins_with_its_data_has_its_own() {
        let text = "//go:embed fixtures/seed.sql\n";
        assert!(takes_with(
            "db.go",
            None,
            text,
            &["fixtures/other.sql"],
            false
        ));
        assert!(!takes_with(
            "db.go",
            None,
            text,
            &["fixtures/seed.sql"],
            false
        ));
    }

    #[test]
    fn a_link_to_what_tests_compare_with_is_found() {
        for (path, to, want) in [
            ("src/answer.txt", "../golden/answer.txt", true),
            ("data", "tests/data", true),
            ("src/answer.txt", "base.txt", false),
            ("docs/answer.txt", "../golden/answer.txt", false),
        ] {
            assert_eq!(takes_with(path, None, to, &[], true), want, "{path}: {to}");
        }
    }
}
