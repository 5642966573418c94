//! A test that must fail, put at the end of tests that are there: where a command is green with it, something else than its
//! tests says how it ends.

mod canaries;

use super::spelt_whole::spelt_whole_in;
use super::{is_test, rust};
use crate::engine::changed_file::ChangedFile;
use crate::path_names::{SCRIPT_ENDINGS, extension, file_name};
use crate::pattern::TextPattern;
use regex::Regex;

/// What ends a run, or comes between a run and its end.
static ENDING: TextPattern = TextPattern::new(
    r#"(?xm)
    \b_?exit!?\s*\(\s*(?:0|None|EXIT_SUCCESS|ExitCode::SUCCESS)?\s*\) | ^\s*(?:command\s+)?exit(?:\s+0)?\s*(?:$|;) | \bexit!?\s+0\b | \b(?:os|signal)\.(?:kill|killpg|abort|exec\w+|_exit)\b |
    \bgetattr\(\s*(?:os|sys|signal)\b | \bctypes\b | \batexit\b | \bat_exit\b | \bexcepthook\b | \bset_hook\b | \bset_exit\w*\( |
    \bprocess\s*\[ | \bprocess\.(?:exit|reallyExit|kill|abort|exitCode|on|once|set\w+)\b | \bwriteSync\( | \bprocess::(?:exit|abort)\b | \blibc::_?exit\b |
    \bos\.Exit\(\s*0 | \bos\.Exit\s*(?:$|[,;)]) | \bsyscall\.(?:Exit|Kill)\b | \bSystem\.exit\(\s*0 | \bhalt\(\s*0 | \bDeno\.exit\( | \bEnvironment\.Exit\(\s*0 | \btrap\b"#,
);

/// Extensions, and the ways by which such a file gets hold of what is not its own: of what tests assert by, or of the
/// process that it is part of.
static REACHING: [(&[&str], TextPattern); 9] = [
    (
        &["py", "pyi", "pyx"],
        TextPattern::new(
            r#"(?xm)
        \b__(?:subclasses|dict|class|bases|base|mro|code|globals|builtins|import|getattribute|setattr|eq|ne|bool)__ |
        \b(?:setattr|delattr|vars|globals|exec|eval|compile|import_module|__import__)\( | \bsys\.(?:modules|set\w+|meta_path|path_hooks|_\w+) |
        \b(?:builtins|gc|inspect|marshal|runpy|threading\.set\w+|weakref|unittest|pytest|_pytest|mock|faulthandler)\b | \bfromhex\( | \bb(?:16|32|64|85)decode\( |
        \bcodecs\. | \btypes\.\w+Type\b | \bpickle\.loads?\( | \bsignal\. | \bos\.(?:fork|dup2?|close|environ\[)"#,
        ),
    ),
    (
        &SCRIPT_ENDINGS,
        TextPattern::new(
            r#"(?xm)
        \b(?:require|import)\(\s*[^\s"'`)] | ["'](?:node:)?(?:assert|test|vm|module|inspector|domain|async_hooks)(?:/\w+)?["'] | ["'](?:@jest/|vitest|chai|expect|mocha) |
        \b(?:globalThis|global)\b | \bgetBuiltinModule\b | \beval\( | \bFunction\( | \b__proto__\b | \b[gs]etPrototypeOf\b | \bgetOwnProperty\w+\( | \.constructor\b |
        \bReflect\. | \bProxy\( | \bdefinePropert\w+\( | \.prototype\b | \bmodule\.(?:children|parent|constructor|paths)\b | \brequire\.(?:cache|main|resolve)\b |
        \bSymbol\.(?:for|toPrimitive|hasInstance|species)\b | \bprocess\.(?:binding|_\w+|mainModule|emit|stdout|stderr)\b | \bvalueOf\b | \bprepareStackTrace\b"#,
        ),
    ),
    (
        &["rs"],
        TextPattern::new(
            r#"(?xm)
        \bextern\s+"C" | \b(?:link_section|no_mangle|export_name|global_asm|asm|macro_export|macro_rules|include)\b | \bcatch_unwind\b | \bpanic::\w |
        \blibc\b | \bimpl(?:<[^>\n]*>)?\s+PartialEq\b | \b_exit\b"#,
        ),
    ),
    (
        &["go"],
        TextPattern::new(
            r#"(?xm)
        "(?:unsafe|syscall|reflect|plugin|testing|flag|os/signal|runtime)" | //go:linkname | \bos\.(?:Exit|Args|Stdout|Stderr)\b"#,
        ),
    ),
    (
        &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "inc"],
        TextPattern::new(
            r#"(?xm)
        ^\s*\#\s*(?:define|undef|pragma)\b | \b__attribute__\b | \[\[gnu:: | \b_Exit\b | \b_exit\b | \b__assert\w*\b | \b(?:__)?asm(?:__)?\b | \b_Pragma\b | \bsig(?:nal|action|longjmp)\b | \boperator\s*[!=]= |
        \b(?:abort|exit|raise|str\w+|mem\w+|\w*printf|f?puts|write)\s*\([^;{}]*\)\s*\{"#,
        ),
    ),
    (
        // A build for release has no assertions.
        &["cmake", "build", "am", "ac", "mk"],
        TextPattern::new(r"\bCMAKE_BUILD_TYPE\b|\bbuildtype\b|\bb_ndebug\b"),
    ),
    (
        &["pl", "pm", "t"],
        TextPattern::new(
            r#"(?xm)
        \*\s*\{ | \*[\w:]+\s*= | \bno\s+strict\b | \bCORE::GLOBAL\b | ^\s*(?:END|INIT|CHECK|UNITCHECK)\s*\{ | \$\?\s*= | \beval\b | \$SIG\b | \bTest(?:::|2\b) |
        \bPOSIX\b | \bsub\s+\w+::\w | \bpackage\s+(?:main|CORE|UNIVERSAL)\b | \boverload\b | \b(?:exec|fork|kill|syscall|require)\b | \bB::\w | %(?:main|INC)\b | \$INC\b | \bSymbol\b | \bAUTOLOAD\b | \bselect\b | \btie\b"#,
        ),
    ),
    (
        &["rb", "rake"],
        TextPattern::new(
            r#"(?xm)
        \b(?:ObjectSpace|TracePoint|define_method|define_singleton_method|singleton_class|class_eval|module_eval|class_exec|module_exec|instance_eval|instance_exec|
        prepend|refine|alias_method|const_get|const_set|remove_method|undef_method|remove_const|__send__|send|public_send|instance_variable_set|method_missing|
        set_trace_func|subclasses|constants|eval|binding|fork|abort|at_exit|Kernel|BasicObject|Comparable)\b | ^\s*alias\b | \bdef\s+(?:self\.)?(?:==|===|eql\?|!=|raise)"#,
        ),
    ),
    (
        &["sh", "bash", ""],
        TextPattern::new(
            r#"(?xm)
        ^\s*(?:function\s+)?[\w.:@\[+-]+\s*\(\)\s*[{(]? | \b(?:alias|enable|builtin|hash|eval|unset|exec|shopt|readonly|declare|typeset|return|kill)\b | \bPATH= | \bset\s+[-+]"#,
        ),
    ),
];

/// The name that such a test has.
const NAME: &str = "gatewalk: not ok, as it must be";

static MAIN_OF_PYTHON: TextPattern = TextPattern::new(r"(?m)^if\s+__name__\s*==");
static FUNCTIONS_OF_PYTHON: TextPattern =
    TextPattern::new(r"(?m)^(?:async )?def test|^\s*class\s+\w+\s*:");
static CASES_OF_PYTHON: TextPattern = TextPattern::new(r"(?m)^\s*class\s+\w+\s*\(");
static TEST_OF_RUST: TextPattern = TextPattern::new(r"(?m)^\s*#\[(?:\w+::)*test\b");
static MAIN_OF_C: TextPattern = TextPattern::new(r"(?m)^\s*(?:int|void)\s+main\s*\(");
static MAIN_OF_JAVA: TextPattern = TextPattern::new(r"\bstatic\s+void\s+main\s*\([^)]*\)[^{;]*\{");
static END_OF_PERL: TextPattern = TextPattern::new(r"(?m)^__(?:END|DATA)__\s*$|^exit\b[^\n]*\s*\z");
static END_OF_RUBY: TextPattern = TextPattern::new(r"(?m)^__END__\s*$");
static LAST_EXIT: TextPattern = TextPattern::new(r"(?m)^(?:exit\b|\[\[?\s|test\s|\(\()[^\n]*\s*\z");
static ENDS_UNASKED: TextPattern =
    TextPattern::new(r"(?m)^(?:#!.*\s-\w*e|\s*set\s+(?:-\w*e|(?:-\w+\s+)*-o\s+errexit))");
static COUNTED_EXIT: TextPattern = TextPattern::new(
    r#"(?xm)^(?:
    exit\s+"?\$\{?([A-Za-z_]\w*)\}?"? | exit\s+\$\(\(\s*\$?\{?([A-Za-z_]\w*)[^()\n]*\)\) | \(\(\s*\$?([A-Za-z_]\w*)\s*==\s*0\s*\)\) |
    (?:\[\[?|test)\s+(?:-z\s+)?"?\$\{?([A-Za-z_]\w*)\}?"?(?:\s+(?:==?|-eq|-le)\s+"?0"?)?(?:\s+\]\]?)? )\s*\z"#,
);
static LATER: TextPattern = TextPattern::new(r"\b(?:async|await|Promise)\b|\.then\(");

/// Returns whether a change may say how a run ends, or mute what tests say no by: by words of the product that end
/// programs or get hold of what is not theirs, more than before. Too many are better than too few, for a run decides.
pub(super) fn may_end_runs(pair: &ChangedFile<'_>) -> bool {
    let path = &pair.change.path;
    let extension = match file_name(path) {
        "CMakeLists.txt" => "cmake",
        _ => extension(path),
    };
    let prose = ["md", "rst", "txt", "json", "yml", "yaml", "toml"];
    if is_test(path) || prose.contains(&extension) {
        return false;
    }
    let reaches = REACHING.iter().find(|(ends, _)| ends.contains(&extension));
    let count = |bytes: Option<&[u8]>| {
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        let in_text = |text: &str| {
            let reached = reaches.map_or(0, |(_, pattern)| pattern.find_iter(text).count());
            ENDING.find_iter(text).count() + reached
        };
        // Words may be put together, and what stands between their parts says something, too.
        in_text(&text) + in_text(&spelt_whole_in(path, &text))
    };
    count(pair.new) > count(pair.old)
}

/// What tests a failing one is put to. Each kind is tried alone: where some still fail, others may be muted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailingKind {
    PythonCases,
    PythonFunctions,
    JavaScript,
    /// What fails after its own run: a promise that nobody waits for.
    JavaScriptLater,
    Rust,
    Go,
    C,
    Java,
    Shell,
    /// What fails where nothing asks: the script is to end by it.
    ShellUnasked,
    Perl,
    Ruby,
}

impl FailingKind {
    pub(crate) const ALL: [FailingKind; 12] = [
        FailingKind::PythonCases,
        FailingKind::PythonFunctions,
        FailingKind::JavaScript,
        FailingKind::JavaScriptLater,
        FailingKind::Rust,
        FailingKind::Go,
        FailingKind::C,
        FailingKind::Java,
        FailingKind::Shell,
        FailingKind::ShellUnasked,
        FailingKind::Perl,
        FailingKind::Ruby,
    ];

    /// Returns whether a test of this kind can be put to a file with this ending.
    fn fits(self, end: &str, text: &str, script: bool) -> bool {
        match self {
            FailingKind::PythonCases => end == "py" && (script || CASES_OF_PYTHON.is_match(text)),
            FailingKind::PythonFunctions => {
                end == "py"
                    && !script
                    && (FUNCTIONS_OF_PYTHON.is_match(text) || !CASES_OF_PYTHON.is_match(text))
            }
            FailingKind::JavaScript => SCRIPT_ENDINGS.contains(&end),
            FailingKind::JavaScriptLater => SCRIPT_ENDINGS.contains(&end) && LATER.is_match(text),
            FailingKind::Rust => end == "rs" && TEST_OF_RUST.is_match(text),
            FailingKind::Go => end == "go" && text.contains("\"testing\""),
            FailingKind::C => ["c", "cc", "cpp", "cxx"].contains(&end) && MAIN_OF_C.is_match(text),
            FailingKind::Java => end == "java" && MAIN_OF_JAVA.is_match(text),
            FailingKind::Shell => ["sh", "bash", "bats"].contains(&end),
            FailingKind::ShellUnasked => {
                ["sh", "bash"].contains(&end) && ENDS_UNASKED.is_match(text)
            }
            FailingKind::Perl => ["pl", "t"].contains(&end),
            FailingKind::Ruby => end == "rb",
        }
    }
}

/// Returns the text of a file of tests with one more of a kind, which fails when it is run; nothing where none fits. A
/// `script` is run for how it ends.
pub(crate) fn with_failing_test(
    kind: FailingKind,
    path: &str,
    text: &str,
    script: bool,
) -> Option<String> {
    let name = file_name(path);
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    let end = match end {
        "" if text.starts_with("#!") && text.lines().next()?.contains("sh") => "sh",
        // The only files of Go whose tests are run.
        "go" if !stem.ends_with("_test") => return None,
        end => end,
    };
    if !kind.fits(end, text, script) {
        return None;
    }
    let more = match kind {
        FailingKind::PythonCases if script => {
            "\n\ntry:\n    assert False\nexcept AssertionError:\n    raise SystemExit(\"@NAME@\") from None\n"
        }
        // What stands behind that is not read before the program has ended.
        FailingKind::PythonCases => return Some(before(text, &MAIN_OF_PYTHON, canaries::CASES)),
        FailingKind::PythonFunctions => {
            return Some(before(text, &MAIN_OF_PYTHON, canaries::FUNCTIONS));
        }
        FailingKind::JavaScript => canaries::SCRIPT,
        FailingKind::JavaScriptLater => "\n;Promise.reject(new Error('@NAME@'));\n",
        FailingKind::Rust => canaries::RUST,
        FailingKind::Go => "\nfunc TestZz@OWN@(t *testing.T) { t.Fatal(\"@NAME@\") }\n",
        FailingKind::C => canaries::C,
        FailingKind::Java => {
            let body = MAIN_OF_JAVA.find(text)?.end();
            let end = rust::closing(text, body).checked_sub(1)?;
            let more = canaries::JAVA.replace("@NAME@", NAME);
            return Some(format!("{}{more}{}", &text[..end], &text[end..]));
        }
        FailingKind::Shell if end == "bats" => {
            if let Some(within) = canaries::within_bats(text) {
                return Some(within);
            }
            "\n@test \"@NAME@\" { false; }\n"
        }
        FailingKind::Shell => {
            // What it ends by says no as before, if it can still be set.
            let ends = COUNTED_EXIT
                .captures(text)
                .and_then(|found| Some(found.iter().skip(1).flatten().next()?.as_str()))
                .map_or_else(|| "exit 1".to_owned(), |name| format!("{name}=1"));
            let more = canaries::SHELL.replace("@ENDS@", &ends);
            return Some(before(text, &LAST_EXIT, &more));
        }
        FailingKind::ShellUnasked => {
            return Some(before(text, &LAST_EXIT, "\n[ 1 = 2 ]\n:\n"));
        }
        FailingKind::Perl => return Some(before(text, &END_OF_PERL, canaries::PERL)),
        FailingKind::Ruby => return Some(before(text, &END_OF_RUBY, canaries::RUBY)),
    };
    let own = stem.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let more = more.replace("@NAME@", NAME).replace("@OWN@", &own);
    Some(format!("{text}{more}"))
}

/// Returns a text with more in front of what is found, or at its end.
fn before(text: &str, found: &Regex, more: &str) -> String {
    let at = found.find(text).map_or(text.len(), |found| found.start());
    let (head, tail) = text.split_at(at);
    format!("{head}{}{tail}", more.replace("@NAME@", NAME))
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
            ("A.pm", "", "*{$name} = sub { 1 };\n", true),
            (
                "CMakeLists.txt",
                "",
                "set(CMAKE_BUILD_TYPE Release)\n",
                true,
            ),
            ("CMakeLists.txt", "", "add_library(a a.c)\n", false),
            ("a.sh", "", "declare -n failed=x\n", true),
            (
                "lib/a.rb",
                "",
                "ObjectSpace.each_object(Class) { |k| k.send(name) }\n",
                true,
            ),
            ("lib/a.rb", "", "def add(a, b) = a + b\n", false),
            ("a.c", "", "int snprintf(char *b) { return 0; }\n", true),
            (
                "a.js",
                "",
                "process.setUncaughtExceptionCaptureCallback(f)\n",
                true,
            ),
            ("A.pm", "", "sub add { $_[0] + $_[1] }\n", false),
            ("a.py", "sys.exit(0)\n", "sys.exit(0)\nx = 1\n", false),
            ("a.py", "", "sys.exit(main())\n", false),
            ("a.py", "", "for k in object.__subclasses__():\n", true),
            ("a.py", "", "m = importlib.import_module(name)\n", true),
            ("a.py", "", "x.y = [z for z in w]\n", false),
            ("a.js", "", "const m = require(name);\n", true),
            ("a.js", "", "const m = require('./calc.js');\n", false),
            (
                "a.ts",
                "",
                "Object.getOwnPropertySymbols(globalThis)\n",
                true,
            ),
            ("src/a.rs", "", "extern \"C\" { fn f(); }\n", true),
            ("src/a.rs", "", "pub fn add(a: i32) -> i32 { a }\n", false),
            ("a.go", "", "var leave = os.Exit\n", true),
            ("a.c", "", "void abort(void) { _Exit(n); }\n", true),
            ("a.c", "", "int add(int a) { return a; }\n", false),
            ("a.h", "", "%:def\\\nine X 1\n", true),
            ("a.h", "", "int f(int) __asm__(\"g\");\n", true),
            ("lib.sh", "", "e''xit 0\n", true),
            ("lib.sh", "", "fail() { :; }\n", true),
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

    /// Returns a file with each kind of failing test that fits it.
    fn failing(path: &str, text: &str, script: bool) -> Vec<String> {
        let kinds = FailingKind::ALL.into_iter();
        kinds
            .filter_map(|kind| with_failing_test(kind, path, text, script))
            .collect()
    }

    #[test]
    fn a_failing_test_is_put_where_it_is_run() {
        let main = "class A(B):\n    x = 1\nif __name__ == '__main__':\n    main()\n";
        let text = with_failing_test(FailingKind::PythonCases, "a.py", main, false).unwrap();
        assert!(text.find("ZzMustFail") < text.find("__main__"), "{text}");
        // What ends a script otherwise than by its checks comes after them.
        let text = with_failing_test(FailingKind::Shell, "a.sh", "x\nexit 0\n", false).unwrap();
        assert!(text.find("zz_muted") < text.find("exit 0"), "{text}");
        // What a script counts by says no as its checks do.
        for (last, want) in [
            ("exit $failed", "failed=1"),
            ("[ \"$failed\" = 0 ]", "failed=1"),
            ("[[ -z $wrong ]]", "wrong=1"),
            ("test \"${bad}\" -eq 0", "bad=1"),
            ("((bad == 0))", "bad=1"),
            ("exit $((bad > 0))", "bad=1"),
            ("[ \"$(add 1 2)\" = 3 ]", "exit 1"),
        ] {
            let text = format!("x\n{last}\n");
            let more = with_failing_test(FailingKind::Shell, "a.sh", &text, false).unwrap();
            assert!(more.contains(&format!("'') {want} ;;")), "{more}");
            assert!(more.find("zz_muted") < more.find(last), "{more}");
        }
        for (path, text, script, want) in [
            ("a.py", "x\n", true, "SystemExit"),
            ("a.py", "class A(B):\n", false, "class ZzMustFail"),
            ("a.py", "def test_a():\n", false, "def test_zz_must_fail"),
            ("a.c", "int main(void) {\n}\n", false, "SIGKILL"),
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
            ("test/test_a.rb", "class A < B\nend\n", false, "ZzMustFail"),
            ("a.bats", "@test \"a\" {\n  true\n}\n", false, "{ false; }"),
        ] {
            let all = failing(path, text, script);
            let [more] = &all[..] else {
                panic!("{path}: {all:?}");
            };
            assert!(
                more.starts_with(text) && more.contains(want),
                "{path}: {more}"
            );
        }
        // What nothing asks about ends a script, too, where it says so.
        for text in ["set -eu\nx\n", "#!/bin/sh -e\nx\n", "set -o errexit\nx\n"] {
            let all = failing("a.sh", text, false);
            assert_eq!(all.len(), 2, "{all:?}");
            assert!(all[1].ends_with("x\n\n[ 1 = 2 ]\n:\n"), "{all:?}");
        }
        // What a test read may have changed what it says no by.
        for (text, want) in [
            (
                "@test \"a\" {\n  source ./lib.sh\n  [ x ]\n}\n@test \"b\" {\n  true\n}\n",
                1,
            ),
            (
                "setup() {\n  load lib\n}\n@test \"a\" {\n  x\n}\n@test \"b\" {\n  x\n}\n",
                2,
            ),
        ] {
            let all = failing("a.bats", text, false);
            let times = all
                .first()
                .map_or(0, |more| more.matches("zz_muted=\n").count());
            assert_eq!(times, want, "{all:?}");
        }
        for (path, text) in [
            ("tests/common/mod.rs", "fn f() {}\n"),
            ("a.json", "{}"),
            ("bin/a", "x"),
            ("tests/help.c", "int f(void);\n"),
        ] {
            assert!(failing(path, text, false).is_empty(), "{path}");
        }
    }
}
