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
    let code = without_remarks(extension(path), &lines);
    let said =
        (0..lines.len()).filter(|at| words.is_match(lines[*at]) && words.is_match(code[*at]));
    said.into_iter().any(|at| {
        let around = at.saturating_sub(AROUND)..lines.len().min(at + AROUND + 1);
        around.into_iter().any(|at| changed(&at))
    })
}

/// Returns lines without what is only said in them, or behind their code. Where a string may go over lines, all is code.
fn without_remarks<'t>(extension: &str, lines: &[&'t str]) -> Vec<&'t str> {
    static HASH: TextPattern = TextPattern::new(r"^\s*#\s|\s#\s[^\x22'`]*$");
    static SLASHES: TextPattern = TextPattern::new(r"^\s*//|\s//\s[^\x22'`]*$");
    let has_slashes = !["py", "pyx", "rb", "pl", "pm"].contains(&extension);
    let remark = if has_slashes { &SLASHES } else { &HASH };
    let (mut in_remark, mut strings) = (false, OpenStrings::default());
    let mut code = |line: &&'t str| {
        let text = line.trim_start();
        let goes_on = in_remark || has_slashes && text.starts_with("/*");
        if strings.is_open() {
        } else if let Some((_, behind)) = text.split_once("*/").filter(|_| has_slashes) {
            in_remark = false;
            if goes_on && behind.trim().is_empty() {
                return "";
            }
        } else if goes_on {
            in_remark = true;
            return "";
        } else if let Some(found) = remark.find(line) {
            strings.read(extension, &line[..found.start()]);
            return &line[..found.start()];
        }
        strings.read(extension, line);
        *line
    };
    lines.iter().map(&mut code).collect()
}

/// Strings that go over lines, as far as quotes that do not match tell.
#[derive(Default)]
struct OpenStrings {
    /// The quotes of Python that are open.
    mark: Option<&'static str>,
    /// Whether it can no longer be told.
    unsure: bool,
}

impl OpenStrings {
    fn is_open(&self) -> bool {
        self.unsure || self.mark.is_some()
    }

    fn read(&mut self, extension: &str, code: &str) {
        let odd = |mark: &str| code.matches(mark).count() % 2 == 1;
        if !["py", "pyx"].contains(&extension) {
            self.unsure |=
                odd("\"") || odd("`") || ["rb", "pl", "pm"].contains(&extension) && odd("'");
            return;
        }
        let found: Vec<&'static str> = ["\"\"\"", "'''"]
            .into_iter()
            .filter(|mark| code.contains(mark))
            .collect();
        self.unsure |= code.ends_with('\\') || found.len() > 1;
        let [mark] = found[..] else { return };
        self.unsure |= code.contains('#') || self.mark.is_some_and(|open| open != mark);
        if odd(mark) {
            self.mark = self.mark.is_none().then_some(mark);
        }
    }
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
            ("a.js", "", "/**/ try { f(); } catch {}\n", true),
            (
                "a.js",
                "",
                "/* It is\n quiet. */ try { f(); } catch {}\n",
                true,
            ),
            ("a.js", "", "/* We\n   catch nothing.\n */\n", false),
            ("a.js", "", "f(); /*\n// */ try { f(); } catch {}\n", true),
            (
                "a.js",
                "",
                "class A {\n  * [Symbol.iterator]() {\n  }\n}\n",
                true,
            ),
            (
                "a.js",
                "",
                "const a = `\n// ${(() => { try { f(); } catch {} })()}`;\n",
                true,
            ),
            ("a.go", "", "// It calls recover().\n", false),
            ("a.py", "", "a = (b\n     // c.__eq__(d))\n", true),
            ("a.py", "", "a = b // c.__eq__(d)\n", true),
            (
                "a.py",
                "",
                "def f():\n    \"\"\"Say.\n    \"\"\"\n    # no __eq__\n",
                false,
            ),
            ("a.py", "", "a = f\"\"\"\n# {b.__eq__(c)}\n\"\"\"\n", true),
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
