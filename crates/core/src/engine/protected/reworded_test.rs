//! Tests that say the same in other words: numbers as sums, strings in two parts. A product that works its answers out does not
//! see it; one that reads them where tests compare with them, in whatever way it comes by the text, finds other ones.

mod contradiction;
mod wording;

use self::wording::Wording;
use super::run_targets::joined;
use super::source_words::words_in;
use crate::path_names::{SCRIPT_ENDINGS, extension, parent};
use crate::pattern::TextPattern;

/// Extensions, and words of what gets at the text of a file: by its name, by whoever calls, by a program, by what builds.
static READING: [(&[&str], TextPattern); 9] = [
    (
        &["py", "pyx"],
        TextPattern::new(
            r"\b(?:open|read_text|read_bytes|read|readlines?|getline|linecache|inspect|traceback|tokenize|ast|subprocess|popen|system|mmap|fileinput|importlib|runpy|f_back|_getframe|get_data|co_consts|loadtxt|input)\b",
        ),
    ),
    (
        &SCRIPT_ENDINGS,
        TextPattern::new(
            r#"["'](?:node:)?(?:fs|child_process|module|inspector)\b|\b(?:prepareStackTrace|captureStackTrace|readFile\w*|readTextFile|createReadStream|getBuiltinModule|stack)\b|\b(?:require|import)\(\s*[^\s"']|\bimport\.meta\.glob\b"#,
        ),
    ),
    (
        &["go"],
        TextPattern::new(
            r#""(?:os|io/fs|io/ioutil|os/exec|embed|runtime|syscall|path/filepath|go/parser)""#,
        ),
    ),
    (
        &["rs"],
        TextPattern::new(
            r"\b(?:fs|File|Command|read_to_string|include|include_str|include_bytes|Location|walkdir|read_dir)\b",
        ),
    ),
    (
        &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "inc"],
        TextPattern::new(
            r"\b(?:f?open(?:at|64)?|popen|system|exec\w+|mmap|ifstream|fstream|incbin|__FILE__|__BASE_FILE__|__builtin_FILE|source_location)\b|^\s*#\s*embed\b",
        ),
    ),
    (
        &["java", "kt", "kts", "groovy", "scala"],
        TextPattern::new(
            r"\b(?:Files|FileReader|FileInputStream|Scanner|RandomAccessFile|ProcessBuilder|getRuntime|getResource\w*)\b",
        ),
    ),
    (
        &["rb", "rake"],
        TextPattern::new(
            r"\b(?:File|IO|Dir|Pathname|open|popen|caller\w*|readlines?|foreach|source_location|__FILE__|DATA)\b|`",
        ),
    ),
    (
        &["pl", "pm"],
        TextPattern::new(r"\b(?:open|caller|slurp\w*|opendir|glob|sysopen|qx|system)\b|`|<\$?\w+>"),
    ),
    (
        &["sh", "bash", "", "mk"],
        TextPattern::new(
            r"\b(?:[ef]?grep|rg|ag|sed|[gmn]?awk|cat|head|tail|cut|tac|read|mapfile|readarray|caller|BASH_SOURCE|git|find|perl|python3?|xargs|dd|od|strings)\b|<\s*[\x22'$\w.]",
        ),
    ),
];

/// Returns the words by which a source of the product reads files.
pub(crate) fn reading(path: &str) -> Option<&'static TextPattern> {
    let is_makefile = path.to_ascii_lowercase().ends_with("makefile");
    words_in(
        &READING,
        path,
        if is_makefile { "mk" } else { extension(path) },
    )
}

/// Returns the text of a file of tests in other words; nothing where it compares with nothing that has any.
pub(crate) fn reworded(path: &str, text: &str) -> Option<String> {
    let wording = Wording::of(path, text)?;
    let new = wording.reworded(text);
    (new != text).then_some(new)
}

/// Returns the text of a file of tests that wants other values than it compares with now; nothing where it compares with none.
pub(crate) fn contradicted(path: &str, text: &str, script: bool) -> Option<String> {
    let new = contradiction::contradicted(Wording::of(path, text)?, text, script);
    (new != text).then_some(new)
}

/// Returns a file to stand beside one of tests, in such words, that compares nothing. What only minds how tests are written minds
/// it, too.
pub(crate) fn beside(path: &str, text: &str) -> Option<(String, String)> {
    let (stem, idle) = Wording::of(path, text)?.idle(text)?;
    let at = joined(parent(path), &format!("{stem}.{}", extension(path)));
    Some((at, idle))
}

#[cfg(test)]
mod tests {
    use super::super::source_words::brings_more;
    use super::super::tests::change;
    use super::*;
    use crate::engine::changed_file::ChangedFile;

    #[test]
    fn what_may_read_files_is_found() {
        for (path, old, new, want) in [
            ("calc.py", "", "text = Path(at).read_text()\n", true),
            ("calc.py", "open(a)\n", "open(a)\nx = 1\n", false),
            ("calc.py", "", "return a * 2\n", false),
            ("calc.js", "", "const fs = require('node:fs');\n", true),
            ("calc.js", "", "const add = require('./add.js');\n", false),
            ("calc.go", "", "import \"os\"\n", true),
            ("src/lib.rs", "", "std::fs::read(at)\n", true),
            ("src/add.c", "", "FILE *f = popen(by, \"r\");\n", true),
            ("Makefile", "", "a:\n\tgrep -r x .\n", true),
            ("bin/add", "", "sed -n 1p \"$at\"\n", true),
            ("README.md", "", "cat a\n", false),
            ("tests/test_a.py", "", "open(a)\n", false),
        ] {
            let change = change(path, Some(old), Some(new));
            let pair = ChangedFile {
                change: &change,
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            };
            assert_eq!(brings_more(reading, &pair), want, "{path}: {new}");
        }
    }

    #[test]
    fn what_a_test_compares_with_is_said_in_other_words() {
        for (path, text, want) in [
            (
                "a.py",
                "self.assertEqual(calc.double(2), 4)",
                "self.assertEqual(calc.double(0 + 2), 0 + 4)",
            ),
            ("a.py", "assert f(-1) == 14", "assert f(-1) == 0 + 14"),
            ("a.py", "    (1, 2, 3),", "    (0 + 1, 0 + 2, 0 + 3),"),
            (
                "a.py",
                "assert greet('Bob') == \"Hello Bob\";",
                "assert greet('B' 'ob') == \"Hell\" \"o Bob\";",
            ),
            (
                "a.js",
                "assert.strictEqual(double(2), 4);",
                "assert.strictEqual(double(0 + 2), 0 + 4);",
            ),
            (
                "a.mjs",
                "expect(f('ab')).toBe(7)",
                "expect(f('a' + 'b')).toBe(0 + 7)",
            ),
            (
                "a.ts",
                "expect(f('ab')).toBe(7)",
                "expect(f('ab')).toBe(0 + 7)",
            ),
            (
                "a_test.go",
                "\tif Double(2) != 4 {",
                "\tif Double(0 + 2) != 0 + 4 {",
            ),
            (
                "tests/it.rs",
                "    assert_eq!(f(2), \"ab\");",
                "    assert_eq!(f(0 + 2), concat!(\"a\", \"b\"));",
            ),
            (
                "a.c",
                "  assert(add(1, 2) == 3);",
                "  assert(add(0 + 1, 0 + 2) == 0 + 3);",
            ),
            (
                "a.rb",
                "assert_equal 3, add(1, 2)",
                "assert_equal 0 + 3, add(0 + 1, 0 + 2)",
            ),
            (
                "a.t",
                "is(add(1, 2), 3, 'adds');",
                "is(add(0 + 1, 0 + 2), 0 + 3, 'ad' . 'ds');",
            ),
            (
                "a.sh",
                "[ \"$(add 1 2)\" = 3 ]",
                "[ \"$(add 1 2)\" = $((0 + 3)) ]",
            ),
            (
                "a.bats",
                "  [ \"$output\" == \"ab\" ]",
                "  [ \"$output\" == \"a\"\"b\" ]",
            ),
        ] {
            assert_eq!(reworded(path, text).as_deref(), Some(want), "{path}");
        }
    }

    #[test]
    fn what_is_no_comparison_or_can_not_be_said_otherwise_stays() {
        for (path, text) in [
            ("a.py", "x = 4"),
            ("a.py", "# assert f(2) == 4"),
            ("a.py", "assert f(2.5) == 0x10 == 1_000"),
            ("a.py", "assert f(f\"a\") == b'c' == \"\\n\""),
            ("a.py", "TEXT = \"\"\"\nassert f(2) == 4\n\"\"\""),
            ("a.js", "expect(x).toMatch(/a{1}(2)/)"),
            ("a.js", "const text = `\nexpect(2).toBe(4)\n`;"),
            ("a.js", "vi.mock('../calc'); expect(x)"),
            ("a.rs", "assert!(matches!(f(x), Some(4)));"),
            ("a.rs", "assert_eq!(a.0, b.1);"),
            ("a.c", "#define WANT (4) == x"),
            ("a.sh", "cat <<E\n[ 1 = 3 ]\nE"),
            ("a.sh", "add 1 2"),
            ("a.sh", "awk '($1 == 3)' a"),
            ("a.t", "is_deeply([add(qw(1 2))], [qw(3)]);"),
            ("a.rb", "assert_equal %w[3], add"),
            ("a.txt", "assert 4 == 4"),
        ] {
            assert_eq!(reworded(path, text), None, "{path}: {text}");
        }
    }

    #[test]
    fn other_words_that_compare_nothing_stand_beside() {
        for (path, text, want) in [
            (
                "tests/a.py",
                "",
                Some("tests/other_words.py _ = (0 + 1, 'a' 'b')"),
            ),
            (
                "a_test.go",
                "// A.\npackage calc_test\n",
                Some("other_words_test.go package calc_test\n\nvar _ = 0 + 1"),
            ),
            ("a_test.go", "", None),
            ("a.txt", "x", None),
        ] {
            let found = beside(path, text).map(|(at, text)| format!("{at} {}", text.trim_end()));
            assert_eq!(found.as_deref(), want, "{path}");
        }
    }
}
