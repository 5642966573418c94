//! A test that must fail, put at the end of tests that are there: where a command is green with it, something else than its
//! tests says how it ends.

use super::{ChangedFile, is_test};
use regex::Regex;
use std::sync::LazyLock;

/// What ends a run, or comes between a run and its end.
const ENDING: &str = r#"(?xm)
    \b_?exit!?\s*\(\s*(?:0|None|EXIT_SUCCESS|ExitCode::SUCCESS)?\s*\) | ^\s*(?:command\s+)?exit(?:\s+0)?\s*(?:$|;) | \bexit!?\s+0\b | \b(?:os|signal)\.(?:kill|killpg|abort|exec\w+|_exit)\b |
    \bgetattr\(\s*(?:os|sys|signal)\b | \bctypes\b | \batexit\b | \bat_exit\b | \bexcepthook\b | \bset_hook\b | \bset_exit\w*\( |
    \bprocess\s*\[ | \bprocess\.(?:exit|reallyExit|kill|abort|exitCode|on|once)\b | \bwriteSync\( | \bprocess::(?:exit|abort)\b | \blibc::_?exit\b |
    \bos\.Exit\(\s*0 | \bsyscall\.(?:Exit|Kill)\( | \bSystem\.exit\(\s*0 | \bhalt\(\s*0 | \bDeno\.exit\( | \bEnvironment\.Exit\(\s*0 | \btrap\b"#;

/// The name that such a test has.
const NAME: &str = "gatewalk: not ok, as it must be";

static PATTERNS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [
        ENDING,
        r"(?m)^if\s+__name__\s*==",
        r"(?m)^\s*#\[(?:\w+::)*test\b",
    ]
    .map(|p| Regex::new(p).expect("a constant pattern, compiled by the tests"))
});

/// Returns whether a change may say how a run ends: by words of the product that end programs, more than before.
pub(super) fn may_end_runs(pair: &ChangedFile<'_>) -> bool {
    let path = &pair.change.path;
    let count = |bytes: Option<&[u8]>| {
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        PATTERNS[0].find_iter(&text).count()
    };
    let prose = [".md", ".rst", ".txt", ".json", ".yml", ".yaml", ".toml"];
    !is_test(path)
        && !prose.iter().any(|end| path.ends_with(end))
        && count(pair.new) > count(pair.old)
}

/// Returns the text of a file of tests with one more, which fails when it is run; nothing where it is not known how. A
/// `script` is run for how it ends.
pub(crate) fn with_failing_test(path: &str, text: &str, script: bool) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    let end = match end {
        "" if text.starts_with("#!") && text.lines().next()?.contains("sh") => "sh",
        end => end,
    };
    let own: String = stem
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let more = match end {
        "py" if script => format!("\n\nraise SystemExit({NAME:?})\n"),
        "py" => {
            let test = format!(
                "\n\ndef test_zz_must_fail():\n    raise AssertionError({NAME:?})\n\n\nimport unittest as _zz_unittest\n\n\nclass ZzMustFail(_zz_unittest.TestCase):\n    def test_zz_must_fail(self):\n        raise AssertionError({NAME:?})\n\n\n"
            );
            // What stands behind that is not read before the program has ended.
            let at = PATTERNS[1]
                .find(text)
                .map_or(text.len(), |found| found.start());
            let (head, tail) = text.split_at(at);
            return Some(format!("{head}{test}{tail}"));
        }
        "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx" => format!(
            "\n;(typeof test === 'function' ? test : typeof it === 'function' ? it : (_, f) => f())('{NAME}', () => {{ throw new Error('{NAME}'); }});\n"
        ),
        "rs" if PATTERNS[2].is_match(text) => {
            format!("\n#[test]\nfn zz_must_fail() {{\n    panic!({NAME:?});\n}}\n")
        }
        "go" if name.ends_with("_test.go") && text.contains("\"testing\"") => {
            format!("\nfunc TestZz{own}(t *testing.T) {{ t.Fatal({NAME:?}) }}\n")
        }
        "bats" => format!("\n@test \"{NAME}\" {{ false; }}\n"),
        "sh" | "bash" => "\nexit 1\n".to_owned(),
        "pl" | "t" => format!("\ndie {NAME:?};\n"),
        _ => return None,
    };
    Some(format!("{text}{more}"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    #[test]
    fn what_may_say_how_a_run_ends_is_found() {
        for (path, old, new, want) in [
            ("a.py", "", "getattr(os, '_ex' + 'it')(0)\n", true),
            ("a.py", "", "ctypes.CDLL(None)\n", true),
            ("a.py", "", "sys.exit(0)\n", true),
            ("a.py", "sys.exit(0)\n", "sys.exit(0)\nx = 1\n", false),
            ("a.py", "", "sys.exit(main())\n", false),
            ("a.js", "", "process['ex' + 'it'](0);\n", true),
            ("a.js", "", "process.argv[2]\n", false),
            ("src/a.rs", "", "std::panic::set_hook(f);\n", true),
            ("lib.sh", "", "echo 1 passed\nexit 0\n", true),
            ("lib.sh", "", "exit 1\n", false),
            ("a.go", "", "os.Exit(0)\n", true),
            ("a.md", "", "exit 0\n", false),
            ("tests/test_a.py", "", "sys.exit(0)\n", false),
        ] {
            let change = change(path, Some(old), Some(new));
            let pair = ChangedFile {
                change: &change,
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            };
            assert_eq!(may_end_runs(&pair), want, "{path}: {new}");
        }
    }

    #[test]
    fn a_failing_test_is_put_where_it_is_run() {
        let main = "x\nif __name__ == '__main__':\n    main()\n";
        let text = with_failing_test("a.py", main, false).unwrap();
        assert!(text.find("ZzMustFail") < text.find("__main__"), "{text}");
        for (path, text, script, want) in [
            ("a.py", "x\n", true, "SystemExit"),
            ("a.test.js", "x\n", false, "throw new Error"),
            (
                "tests/a.rs",
                "#[test]\nfn a() {}\n",
                false,
                "fn zz_must_fail",
            ),
            ("a_test.go", "import \"testing\"\n", false, "TestZza_test"),
            ("a.sh", "x\n", false, "exit 1"),
            ("bin/a", "#!/usr/bin/env bash\n", true, "exit 1"),
            ("t/a.t", "ok(1);\n", false, "die"),
        ] {
            let more = with_failing_test(path, text, script).unwrap_or_default();
            assert!(
                more.starts_with(text) && more.contains(want),
                "{path}: {more}"
            );
        }
        for (path, text) in [
            ("tests/common/mod.rs", "fn f() {}\n"),
            ("a.json", "{}"),
            ("bin/a", "x"),
        ] {
            assert_eq!(with_failing_test(path, text, false), None, "{path}");
        }
    }
}
