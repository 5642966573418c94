//! Code of the product by which tests may be agreed with: values that answer for themselves, and what keeps to itself what is
//! raised inside of it. A run with tests that want other values shows whether any test is heard less by it.

use super::source_words::words_in;
use crate::engine::changed_file::ChangedFile;
use crate::path_names::extension;
use crate::pattern::TextPattern;
use std::collections::HashSet;

/// How far from a changed line such words are looked for.
const AROUND: usize = 8;

static AGREEING: [(&[&str], TextPattern); 7] = [
    (
        &["py", "pyx"],
        TextPattern::new(
            r"\b__(?:a?exit|eq|ne|contains|bool|len|class|getattr|getattribute)__\b|\bcontextmanager\b|\bsuppress\(|\bexcept\s*(?::|\(?\s*(?:Base)?Exception\b)|\bAssertionError\b|\bcompare\s*=\s*False|\beq\s*=\s*False|\bfinally\s*:",
        ),
    ),
    (
        &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"],
        TextPattern::new(
            r"#\w+\s*[;=(]|\bWeakMap\b|\bdefinePropert(?:y|ies)\b|\bSymbol\.\w+|\bnew\s+Proxy\b|\bcatch\b|\bfinally\b|\ballSettled\b",
        ),
    ),
    (
        &["rs"],
        TextPattern::new(r"\bcatch_unwind\b|\bPartialEq\b|\bfn\s+(?:eq|partial_cmp|cmp)\b"),
    ),
    (
        &["go"],
        TextPattern::new(r"\brecover\(\)|\)\s*(?:Is|Equals?)\("),
    ),
    (
        &["java", "kt", "kts", "groovy", "scala"],
        TextPattern::new(r"\bcatch\b|\bequals\s*\(|\bcompareTo\s*\("),
    ),
    (
        &["rb"],
        TextPattern::new(
            r"\brescue\b|\bensure\b|\bdef\s+(?:<=>|===?|eql\?|include\?|respond_to\?|method_missing)",
        ),
    ),
    (&["pl", "pm"], TextPattern::new(r"\boverload\b|\beval\b")),
];

/// Returns whether a source of the product changes where it has such words.
pub(crate) fn may_agree(pair: &ChangedFile<'_>) -> bool {
    let path = &pair.change.path;
    let (Some(words), Some(new)) = (words_in(&AGREEING, path, extension(path)), pair.new) else {
        return false;
    };
    let new = String::from_utf8_lossy(new);
    if !words.is_match(&new) {
        return false;
    }
    let old = String::from_utf8_lossy(pair.old.unwrap_or_default());
    let old: HashSet<&str> = old.lines().map(str::trim).collect();
    let lines: Vec<&str> = new.lines().collect();
    let changed = |at: &usize| !lines[*at].trim().is_empty() && !old.contains(lines[*at].trim());
    let said = (0..lines.len())
        .filter(|at| words.is_match(lines[*at]) && words.is_match(without_remark(lines[*at])));
    said.into_iter().any(|at| {
        let around = at.saturating_sub(AROUND)..lines.len().min(at + AROUND + 1);
        around.into_iter().any(|at| changed(&at))
    })
}

/// Returns a line without what is only said behind its code, or all of it.
fn without_remark(line: &str) -> &str {
    static REMARK: TextPattern =
        TextPattern::new(r"^\s*(?:#\s|//|/\*|\*\s)|\s(?:#|//)\s[^\x22'`]*$");
    REMARK
        .find(line)
        .map_or(line, |found| &line[..found.start()])
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    #[test]
    fn what_may_agree_with_tests_is_found_where_it_changes() {
        let retry = "try:\n    return f()\nexcept Exception:\n    if not left:\n        raise\n";
        let quiet = retry.replace("not left", "not left and slow");
        let far = format!("{retry}{}x = 1\n", "\n".repeat(9));
        for (path, old, new, want) in [
            ("a.py", "", "class A:\n    def __eq__(self, o):\n", true),
            ("a.py", retry, &quiet, true),
            ("a.py", retry, &far, false),
            ("a.py", "", "def add(a, b):\n    return a + b\n", false),
            ("a.js", "", "class A {\n  #n;\n}\n", true),
            ("a.js", "", "const a = '#';\n", false),
            ("src/a.rs", "", "catch_unwind(f)\n", true),
            ("A.pm", "", "use overload eq => sub { 1 };\n", true),
            (
                "tests/test_a.py",
                "",
                "class A:\n    def __eq__(self, o):\n",
                false,
            ),
            ("a.md", "", "`__eq__`\n", false),
            ("a.js", "", "  // We catch nothing here.\n  f();\n", false),
            ("a.js", "", "/**\n * To catch errors.\n */\n", false),
            ("a.js", "", "f(); // catch it\n", false),
            ("a.js", "", "try { f(); } catch { // it's quiet\n}\n", true),
            ("a.py", "", "# It has no __eq__.\n", false),
            ("a.rb", "", "x = 1 # rescue\n", false),
        ] {
            let change = change(path, Some(old), Some(new));
            let pair = ChangedFile {
                change: &change,
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            };
            assert_eq!(may_agree(&pair), want, "{path}: {new}");
        }
    }
}
