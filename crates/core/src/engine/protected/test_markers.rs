//! How many tests a file holds and how many of them do not run, by the marks of each language.
//! Counts only decide what is reported, never what is refused.

use super::asked_state;
use super::spelt_whole::spelt_whole_in;
use crate::engine::changed_file::ChangedFile;
use crate::engine::evidence::{NAMED, first_named};
use crate::path_names::file_name;
use crate::pattern::TextPattern;
use regex::Regex;
use std::ops::Range;

/// Extensions, what marks a test, what marks one that does not run or that keeps others from it.
type TestMarkers = (&'static [&'static str], TextPattern, TextPattern);

static ROWS: [TestMarkers; 8] = [
    (
        &["rs"],
        TextPattern::new(r"#\[(?:\w+::)*(?:test|rstest|test_case|proptest)\b"),
        TextPattern::new(r"#\[ignore|#!?\[cfg\(any\(\)\)"),
    ),
    (
        &["py"],
        TextPattern::new(r"(?m)^\s*(?:async )?def test"),
        TextPattern::new(
            r"mark\.(?:skip|xfail)|@(?:unittest\.)?skip|\bskipTest\(|pytest\.skip\(|\bSkipTest\b|__test__ = False",
        ),
    ),
    (
        &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue"],
        // A pattern is tried by `pattern.test(…)`, which is none.
        TextPattern::new(r"(?m)(?:^|[^.\w$])(?:it|test)(?:\.\w+)*\(|\bt\.test\("),
        TextPattern::new(
            r"\b(?:it|test|describe|suite|context)\.(?:skip|only|todo|fails)\b|\b[xf](?:it|describe|test|context)\(",
        ),
    ),
    (
        &["go"],
        TextPattern::new(r"(?m)^func (?:Test|Fuzz|Example)"),
        TextPattern::new(r"\.Skip(?:f|Now)?\("),
    ),
    (
        &["java", "kt", "kts", "groovy", "scala", "cs", "fs", "vb"],
        TextPattern::new(r"@(?:Parameterized)?Test\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b"),
        TextPattern::new(r"@(?:Disabled|Ignore)\b|\[Ignore|Skip\s*=|\bAssume\.|\bassumeTrue\("),
    ),
    (
        &["rb"],
        TextPattern::new(r"(?m)^\s*(?:it|test|specify|def test_)"),
        TextPattern::new(r"\b[xf](?:it|describe|context)\b|(?m)^\s*(?:skip|pending)\b"),
    ),
    (
        &["php"],
        TextPattern::new(r"function test|#\[Test\]|@test\b"),
        TextPattern::new(r"markTest(?:Skipped|Incomplete)|#\[Ignore"),
    ),
    (
        &["bats"],
        TextPattern::new(r"(?m)^@test "),
        TextPattern::new(r"(?m)^\s*skip\b"),
    ),
];

/// Returns how many tests a text holds, and how many skips.
pub(super) fn count(path: &str, text: Option<&[u8]>) -> (usize, usize) {
    let extension = path.rsplit('.').next().unwrap_or_default();
    let row = ROWS.iter().find(|(all, ..)| all.contains(&extension));
    let (Some((_, test, skip)), Some(bytes)) = (row, text) else {
        return (0, 0);
    };
    let text = String::from_utf8_lossy(bytes);
    (test.find_iter(&text).count(), skip.find_iter(&text).count())
}

/// Returns what the counts of a whole diff tell.
pub(super) fn notices(pairs: &[ChangedFile<'_>]) -> Vec<String> {
    let total = |side: fn(&ChangedFile<'_>) -> (usize, usize)| {
        pairs
            .iter()
            .map(side)
            .fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1))
    };
    let before = total(|p| count(&p.change.path, p.old));
    let after = total(|p| count(&p.change.path, p.new));
    let mut notices = Vec::new();
    if after.0 < before.0 {
        notices.push(format!(
            "fewer tests than before: {} instead of {} in the changed files",
            after.0, before.0
        ));
    }
    if after.1 > before.1 {
        notices.push(format!(
            "more tests that are skipped or run alone: {} instead of {}",
            after.1, before.1
        ));
    }
    notices
}

/// What ends a whole run of tests, or swallows how it ended, wherever a test file says it.
static ENDING: TextPattern = TextPattern::new(
    r"(?x)
    \bos\._exit\( | \bsys\.exit\(\s*(?:0|None)?\s*\) | \bpytest\.exit\( | \bprocess\.(?:exit|reallyExit)\(
    | \bos\.Exit\(\s*0 | \bfunc\ TestMain\( | \bprocess::(?:exit|abort)\( | \bSystem\.exit\(\s*0 | \bEnvironment\.Exit\(\s*0
    | \bexit!\s*\(?0? | \bDeno\.exit\( | \btrap\b[^\n]*\bexit\s+0[^\n]*\b(?:EXIT|ERR|0)\b
    | \bpytest_(?:collection_modifyitems|runtest_|sessionfinish|ignore_collect)",
);

/// What asks whether it is being judged, and may do so some way behind the word that shows it: a pattern that looks so far takes
/// long to compile, so it is compiled where there is such a word.
struct FarQuestion {
    /// One of these is in every text that asks so.
    begins: &'static [&'static str],
    pattern: TextPattern,
}

static FAR_QUESTIONS: [FarQuestion; 11] = [
    FarQuestion {
        begins: &["Backtrace::"],
        pattern: TextPattern::new(
            r#"(?s)\bBacktrace::(?:force_)?capture\(\).{0,250}?\.contains\("#,
        ),
    },
    FarQuestion {
        begins: &["inspect.", "_getframe", "extract_stack"],
        pattern: TextPattern::new(
            r#"(?sx)\b(?:inspect\.(?:stack|currentframe)|_getframe|extract_stack)\b.{0,250}?["'][\w./-]*test
            | ["'][\w./-]*test[\w./-]*["']\s+in\s[^\n]{0,80}\b(?:inspect\.(?:stack|currentframe)|_getframe|extract_stack)\b
            | \bstartswith\(\s*["']test[^\n]{0,80}\b(?:inspect\.stack|_getframe|extract_stack)\b"#,
        ),
    },
    FarQuestion {
        begins: &["runtime."],
        pattern: TextPattern::new(
            r#"(?s)\bruntime\.(?:Callers?|CallersFrames|FuncForPC)\(.{0,400}?"[^"\n]*(?:_test\b|testing\.)"#,
        ),
    },
    FarQuestion {
        begins: &["captureStackTrace("],
        pattern: TextPattern::new(
            r#"(?s)\bcaptureStackTrace\((\w+).{0,250}?(?:\.(?:test|match|exec)\(\s*\w+\.stack\b|\.stack\.(?:includes|match|indexOf|search)\()"#,
        ),
    },
    FarQuestion {
        begins: &["Location::caller"],
        pattern: TextPattern::new(
            r#"(?s)\bLocation::caller\(\).{0,250}?\.(?:file|line|column)\(\)\s*(?:[!=<>]=|[<>]\s|\.(?:contains|starts_with|ends_with)\()"#,
        ),
    },
    FarQuestion {
        begins: &["sys.modules", "sys.argv", "sys.orig_argv"],
        pattern: TextPattern::new(
            r#"(?x)\b_?(?:pytest|unittest)\b[^\n]{0,60}\bsys\.(?:modules|orig_argv|argv)\b
            | \b(?:any|all|next|sum)\([^\n]{0,80}\bin\s+(?:(?:list|tuple|sorted)\()?sys\.modules\b
            | (?:\bdecode\(|\bchr\b|\bfromhex\()[^\n]{0,80}\bin\s+sys\.(?:modules|argv|orig_argv)\b"#,
        ),
    },
    FarQuestion {
        begins: &["chr", "b64decode", "fromhex("],
        pattern: TextPattern::new(
            r#"\b(?:environ|getenv)\b[^\n]{0,60}(?:\bchr\b|b64decode|\bfromhex\()"#,
        ),
    },
    FarQuestion {
        begins: &["process."],
        pattern: TextPattern::new(
            r#"\bprocess\.(?:argv|execArgv)\b[^\n]{0,60}["'`][^-"'`\n]{0,40}test"#,
        ),
    },
    FarQuestion {
        begins: &["module.parent", "require.main", ".stack"],
        pattern: TextPattern::new(
            r#"(?x)\b(?:module\.parent|require\.main)\b[^\n]{0,60}test | \.stack\b[^\n;]{0,40}test
            | \bmodule\.parent\.(?:id|filename|path|children)\b[^\n]{0,20}[!=]==?"#,
        ),
    },
    FarQuestion {
        begins: &["catch_warnings("],
        pattern: TextPattern::new(
            r#"\bcatch_warnings\(\s*record\s*=\s*True(?:[^\n]*\n){0,12}?[^\n]*\.(?:lineno|filename|line)\b\s*(?:[!=<>]=|[<>]|\.(?:ends|starts)with\()"#,
        ),
    },
    FarQuestion {
        begins: &["flag.Visit"],
        pattern: TextPattern::new(r#"\bflag\.Visit(?:All)?\((?:[^\n]*\n){0,6}?[^\n]*["`]test"#),
    },
];

impl FarQuestion {
    fn find_in(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let may_be_there = self.begins.iter().any(|word| text.contains(word));
        let found = may_be_there.then(|| self.pattern.find_iter(text));
        found.into_iter().flatten().map(|found| found.range())
    }
}

/// What asks whether it is being judged.
static ASKING: TextPattern = TextPattern::new(
    r#"(?x)
    PYTEST_(?:CURRENT_TEST|VERSION) | ["']_?(?:pytest|unittest)["']\s+in\s+sys\.modules | \bsys\.modules\.get\(\s*["']_?(?:pytest|unittest)
    | \b(?:pytest|unittest)["']\s+in\s+(?:sys\.argv|["'\x20]*\.join\(sys\.argv) | NODE_TEST_\w+ | JEST_WORKER_ID | \btypeof\s+(?:describe|expect|jest|vi|beforeEach|afterEach)\b | \btypeof\s+(?:it|test)\s*[!=]==?\s*["'`](?:function|undefined)
    | ["'`](?:describe|expect|jest|beforeEach)["'`]\s+in\s+global(?:This)?\b | ["']_?(?:AssertionRewrit\w*|Rewrit(?:ing\w*)?)["'] | \bVITEST(?:_WORKER_ID)?\b
    | \b__main__\.__(?:package|spec|file)__
    | \bNODE_ENV["'\])]*\s*[!=]==?\s*["'`]test | \bnpm_lifecycle_(?:event|script)\b | \bos\.Args\[0\][^\n]*\.test\b
    | \bthread::current\(\)\.name\(\)\s*(?:[!=]=|\.is_some_and|\.map_or|\.is_none_or) | \bcurrent_exe\(\)[^\n]*\bdeps\b
    | /proc/self/(?:cmdline|exe|comm)\b
    | ["'][^"'\n]*test[^"'\n]*["']\s+in\s+sys\.argv\[0\]
    | \b(?:RUST_TEST_THREADS|CARGO_TARGET_TMPDIR|CARGO_PRIMARY_PACKAGE)\b | \benv::var(?:_os)?\(\s*"(?:CARGO|RUSTUP_TOOLCHAIN)"\s*\)\s*\.is_
    | \bReadBuildInfo\(\)[^\n]*\.Path\s*[!=]=
    | \benv::var(?:_os)?\(\s*"CARGO_(?:PKG_|MANIFEST_|CRATE_|BIN_) | \btesting\.Testing\(\) | GATEWALK_[A-Z]+ | ["']GATEW(?:ALK)?_?["'] | ["']discover["']\s+in\s+sys\.(?:orig_)?argv | \bif\b[^\n]*\bsys\.(?:flags\.)?dont_write_bytecode\b
    | \blen\(\s*sys\.modules\b
    | \bin\s+(?:list\(|tuple\()?sys\.orig_argv\b | \bgetattr\(\s*__main__\s*,\s*["']__(?:package|spec|file)__ | ["'](?:[^"'\n]*[^\w"'\n])?_?test[^"'\n]*["']\s+in\s+[\w.\[\]]+\.(?:filename|pathname|co_filename)\b
    | \bco_consts\b | \btb_frame\.f_back\b | \b(?:gi|cr|ag)_frame\.f_back\b | \b(?:walk_stack|extract_stack|inspect\.stack)\([^)\n]*\)\)+\s*[<>=!]
    | \bextract_stack\(\)\[-?\d+\]\.line\b | \btype\(\s*sys\.std(?:in|out|err)\s*\)\.__ | ["']PYTHONDONTWRITEBYTECODE["']\s+(?:not\s+)?in\b | \b(?:environ\.get|getenv)\(\s*["']PYTHONDONTWRITEBYTECODE
    | \bsys\.argv\[0\]\)?\.(?:starts|ends)with\( | \bsys\.argv\s*[!=]= | \bkeys\(\s*require\.cache\s*\)\.length
    | \bexecArgv\.(?:length|some|includes|indexOf|join)\b
    | \bruntime\.Callers\([^)\n]*\)\s*[!=<>]
    | \.(?:test|match|exec)\(\s*new\ Error\([^)\n]*\)\.stack\b | NEXTEST(?:_RUN_ID)?\b | \bunittest["']\s+in\s+sys\.modules
    | \bdefined\?\(?\s*(?:::)?(?:Minitest|RSpec|Test::Unit)\b | \bconst_defined\?\(\s*[:"']+(?:Minitest|RSpec)\b
    | \b(?:startsWith|starts_with|startswith|HasPrefix|start_with\?)\(\s*(?:\w+\s*,\s*)?["'`](?:NODE_T\w*|JEST\w*|VITEST\w*|CARGO_?|CARGO_(?:PKG|MANIFEST|BIN)\w*|RUST_T\w*|PYTEST\w*|BATS\w*|GATEW\w*)["'`] | /\^(?:NODE_T|JEST|VITEST|PYTEST|BATS)"#,
);

/// What decides by a day, by how it was built, by a repository around it or by a terminal.
static CIRCUMSTANCES: TextPattern = TextPattern::new(
    r#"(?x)
    \b(?:now|today|utcnow)\([^()\n]*\)(?:\.date\(\))?\s*[<>]=?\s*(?:datetime\.|date\.|dt\.)*(?:datetime|date|Date)\(\s*["']?20\d\d | \btime\.time\(\)\s*[<>]=?\s*\d{9}
    | \bDate\.now\(\)\s*[<>]=?\s*(?:\d{12}|Date\.|new\ Date\(\s*["']?20) | (?:\.tm_year|\.year|\bgetFullYear\(\)|\.Year\(\))\s*[<>=!]=?\s*20\d\d
    | \bdebug_assert(?:_eq|_ne)?!\(\s*\{\s*(?:\w+\s*[-+*|&^]?=[^=]|[\w.]+\.(?:set|store|push|insert)\() | (?s:\bif\ cfg!\(\s*(?:not\()?debug_assertions\b[^}]{0,200}\}\s*else\b) | \bif\s+(?:not\s+)?__debug__\s+else\b | (?s:\bif\s+__debug__\s*:[^:]{0,200}\belse\s*:)
    | \b(?:exists|isdir|isfile|existsSync|Stat)\(\s*["'](?:\./)?\.git["'] | \b(?:getcwd|cwd|current_dir|Getwd)\(\)[^\n]{0,20}[!=]==?\s*["'] | \bsys\.get(?:trace|profile)\(\)"#,
);
/// A terminal that is asked for, and what has to do with one.
static TERMINAL: TextPattern =
    TextPattern::new(r"\.isatty\(|\bisatty\(|\.isTTY\b|\bis_terminal\(|\bIsTerminal\(");
static SHOWING: TextPattern = TextPattern::new(
    r"(?i)colou?r|ansi|\\x1b|\\033|\\e\[|print|write|echo|progress|spinner|width|columns|style|prompt|input|password|pager|logg|console",
);

/// Returns how often a text decides by circumstances that are others when a command judges it.
fn circumstances(bytes: Option<&[u8]>) -> usize {
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    let shows = SHOWING.is_match(&text);
    let terminals = TERMINAL.find_iter(&text).filter(|_| !shows).count();
    CIRCUMSTANCES.find_iter(&text).count() + terminals
}

/// Marks that turn the direction of text around, so that a user reads something else than the machine.
static TURNING: TextPattern = TextPattern::new("[\u{202a}-\u{202e}\u{2066}-\u{2069}]");

fn more(pattern: &Regex, pair: &ChangedFile<'_>) -> bool {
    let of = |bytes: Option<&[u8]>| {
        bytes.map_or(0, |bytes| {
            pattern.find_iter(&String::from_utf8_lossy(bytes)).count()
        })
    };
    of(pair.new) > of(pair.old)
}

/// Returns whether a file now does more than before to end the run that it is part of.
pub(super) fn ends_runs(pair: &ChangedFile<'_>) -> bool {
    // A main of Go's tests that runs them all and ends as they did ends nothing.
    let text = pair.new.map(String::from_utf8_lossy).unwrap_or_default();
    if pair.change.path.ends_with("_test.go") && text.contains("os.Exit(m.Run())") {
        return false;
    }
    more(&ENDING, pair)
}

/// Returns whether a file of code asks more than before whether it is being judged.
pub(super) fn asks(pair: &ChangedFile<'_>) -> bool {
    let path = &pair.change.path;
    let settings = [".yml", ".yaml", ".toml", ".json", ".cfg", ".ini", ".txt"];
    !is_prose(path)
        && !settings.iter().any(|end| path.ends_with(end))
        && questions(path, pair.new) > questions(path, pair.old)
}

/// Returns how often a text asks; that it does not start or log while it is tested says nothing of what it does.
fn questions(path: &str, bytes: Option<&[u8]>) -> usize {
    static AT_START: TextPattern = TextPattern::new(
        r#"(?x)\bif\s*\(\s*process\.env\.NODE_ENV\s*!==?\s*["'`]test["'`]\s*\)\s*
            (?:\{(?:\s*[\w.]*(?:console|listen|log|main|serve|start|use)\w*(?:\.\w+)*\([^;{}=]*\);?)+\s*\} | [\w.]*(?:console|listen|log|main|serve|start|use)\w*(?:\.\w+)*\([^;{}=]*\);?)"#,
    );
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    let text = spelt_whole_in(path, &text);
    let at_start = match text.contains("NODE_ENV") {
        true => AT_START.find_iter(&text).count(),
        false => 0,
    };
    let far = FAR_QUESTIONS
        .iter()
        .flat_map(|question| question.find_in(&text));
    let near = ASKING.find_iter(&text).map(|found| found.range());
    apart(near.chain(far).collect()).saturating_sub(at_start)
}

/// Returns how many ranges there are of which none begins in another: two patterns may find the same words.
fn apart(mut found: Vec<Range<usize>>) -> usize {
    found.sort_by_key(|range| range.start);
    let mut end = 0;
    let starts_behind = |range: &Range<usize>| {
        let is_behind = range.start >= end;
        if is_behind {
            end = range.end;
        }
        is_behind
    };
    found.into_iter().filter(starts_behind).count()
}

/// Returns what the texts of a diff hold beside their tests.
pub(super) fn odd_texts(pairs: &[ChangedFile<'_>]) -> Vec<String> {
    let script = |path: &str| path.ends_with(".sh") || !file_name(path).contains('.');
    type Marker<'a> = (&'a str, &'a dyn Fn(&ChangedFile<'_>) -> bool);
    let markers: [Marker<'_>; 5] = [
        (
            "decides by circumstances that are others when it is used: a day, how it was built, a repository around it, a debugger, a terminal",
            &|p| {
                super::process_questions::is_asked(&p.change.path)
                    && !super::is_test(&p.change.path)
                    && circumstances(p.new) > circumstances(p.old)
            },
        ),
        (
            "decides by a mark that it leaves itself, or by a variable of whoever reads it",
            &|p| {
                super::process_questions::is_asked(&p.change.path)
                    && !super::is_test(&p.change.path)
                    && asked_state::count(&p.change.path, p.new)
                        > asked_state::count(&p.change.path, p.old)
            },
        ),
        ("asks whether it is being tested", &|p| {
            let path = &p.change.path;
            !is_prose(path) && questions(path, p.new) > questions(path, p.old)
        }),
        ("says how the script that reads it ends", &|p| {
            script(&p.change.path) && more(&ENDING, p)
        }),
        (
            "holds marks that show text in another order than it is read",
            &|p| more(&TURNING, p),
        ),
    ];
    let mut notices = Vec::new();
    for (what, is) in markers {
        let paths: Vec<&str> = pairs
            .iter()
            .filter(|p| p.new.is_some_and(|new| !new.contains(&0)) && is(p))
            .map(|p| p.change.path.as_str())
            .collect();
        if !paths.is_empty() {
            notices.push(format!("{what}: {}", first_named(&paths, NAMED)));
        }
    }
    notices
}

fn is_prose(path: &str) -> bool {
    [".md", ".rst", ".adoc"]
        .iter()
        .any(|end| path.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_by_circumstances_is_told_from_what_only_reads_them() {
        for (text, want) in [
            ("x = a if date.today() < date(2026, 1, 1) else b\n", 1),
            ("x = a if time.time() > 1700000000 else b\n", 1),
            ("if cfg!(debug_assertions) { a + b } else { a - b }\n", 1),
            ("debug_assert!({\n    right = true;\n    right\n});\n", 1),
            ("debug_assert!({ a == b });\n", 0),
            ("return a if sys.stdout.isatty() else b\n", 1),
            ("if os.path.exists('.git'):\n", 1),
            ("if cfg!(debug_assertions) { check(); }\n", 0),
            ("print(bold(x) if sys.stdout.isatty() else x)\n", 0),
            ("if date.today() > card.expires:\n", 0),
            ("if time.time() - start > 1000:\n", 0),
            ("if (p / '.git').exists():\n", 0),
            ("YEAR = date.today().year\n", 0),
        ] {
            assert_eq!(circumstances(Some(text.as_bytes())), want, "{text}");
        }
    }

    #[test]
    fn what_asks_some_way_behind_the_word_that_shows_it_is_counted() {
        let rows = [
            (
                "Backtrace::force_capture().to_string()\n.contains(\"t\")",
                1,
            ),
            ("inspect.currentframe().f_back\nif name == 'test_it'", 1),
            ("sys._getframe(1).f_code\nif name == 'test_it'", 1),
            ("traceback.extract_stack()\nif name == 'test_it'", 1),
            ("runtime.FuncForPC(pc)\nif name == \"add_test\"", 1),
            ("Error.captureStackTrace(e)\nif (/t/.test(e.stack))", 1),
            ("Location::caller()\n.file().contains(\"t\")", 1),
            ("if 'test_it' in [f.name for f in extract_stack()]:", 1),
            ("any(f.name.startswith('test') for f in inspect.stack())", 1),
            ("if any('pytest' in m for m in sys.modules):", 1),
            ("if any(m[0] == 'p' for m in list(sys.modules)):", 1),
            ("if b.decode() in sys.argv:", 1),
            ("os.environ.get(chr(80) + name)", 1),
            ("if (process.argv.some(a => a === 'my/test')) {", 1),
            ("if (require.main.filename.endsWith('test.js')) {", 1),
            ("if (module.parent.filename === null) {", 1),
            ("if (e.stack.includes('.test.')) {", 1),
            (
                "with warnings.catch_warnings(record=True) as w:\n    pass\nif w[0].lineno > 3:",
                1,
            ),
            (
                "flag.VisitAll(func(f *flag.Flag) {\n\tx = f.Name == \"test.v\"",
                1,
            ),
            // Words that two patterns find are one question.
            ("if 'pytest' in sys.modules:", 1),
            ("os.environ.get('HOME')", 0),
            ("process.argv.slice(2)", 0),
            ("inspect.signature(f)\nif name == 'test_it'", 0),
            ("runtime.GC()\nif name == \"add_test\"", 0),
            ("Backtrace::capture()", 0),
        ];
        for (text, count) in rows {
            assert_eq!(questions("a.py", Some(text.as_bytes())), count, "{text}");
        }
        let twice = [rows[0].0, rows[4].0].join("\n");
        assert_eq!(questions("a.py", Some(twice.as_bytes())), 2);
    }
}
