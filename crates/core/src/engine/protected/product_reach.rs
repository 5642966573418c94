//! Product code that reaches into what judges it: that takes assertions' place, ends the run that it is part of, or asks
//! whether it is being tested. By the ways that are known: a run that shows less than on the base is found without them.

mod blind;
mod broad_equality;
mod empty_equality;
mod for_tests_alone;
mod moved_away;
mod own_answers;
mod replaced_functions;
mod uncaught_hooks;
use super::asked_state;
use super::callers_file;
use super::refusal::RefusalCause;
use super::second_answers::second_answers;
use super::source_encoding;
use super::spelt_whole::spelt_whole_in;
use super::test_markers;
use super::text_lines::TextLines;
use crate::engine::changed_file::ChangedFile;
use crate::path_names::{extension, file_name};
use crate::pattern::{self, TextPattern};
use regex::Regex;
use std::sync::LazyLock;

/// Extensions, and what reaches out of such a file.
type Reach = (&'static [&'static str], TextPattern);

/// Stands for the endings of no language: some include a file whatever it is called.
const INCLUDED: &str = "*";

static ROWS: [Reach; 9] = [
    (
        &["py", "pyw", "pyx"],
        TextPattern::new(
            r#"(?xm)
        \b(?:unittest|pytest|_pytest|doctest|numpy\.testing)(?:\.\w+)*\s*=[^=\n] |
        \bTestCase\.\w+\s*=[^=\n] | \bTestResult\.\w+\s*=[^=\n] |
        \bsetattr\(\s*(?:unittest|pytest|_pytest|doctest|builtins|sys|os)\b | \b(?:builtins|__builtins__)\.\w+\s*=[^=\n] |
        \.(?:assert[A-Z]\w*|failureException|wasSuccessful|addFailure|addError)\s*=[^=\n] |
        \b(?:vars\(|__dict__)[^\n]*\b(?:unittest|TestCase|pytest)\b | \b(?:unittest|TestCase|pytest)\b[^\n]*__dict__ |
        \bsys\.exit\s*=[^=\n] | \bos\._exit\s*=[^=\n] | ^os\._exit\( | ^(?:import\ \w+;\s*)+os\._exit\( |
        \batexit\.register\([^\n]*\b_exit\b | \bexcinfo\s*=\s*None\b | \.outcome\s*=\s*["']passed | \bsys\.modules\[["'](?:unittest|pytest|_pytest) |
        \bgc\.get_(?:objects|referrers)\( | \btype\.__setattr__\( | \bsetattr\(\s*(?:importlib\.import_module|__import__)\( |
        \bdef\ __(?:eq__\([^)]*\)[^:\n]*:\s*return\ True|ne__\([^)]*\)[^:\n]*:\s*return\ False)\s*$ |
        \b__eq__\s*=\s*\w+\.__(?:[a-df-z]|e[a-pr-z])\w*__\s*$ | \b__eq__["']?\s*[=:]\s*lambda\b[^:\n]*:\s*(?:True\b|isinstance\(\w+,\s*(?:object|int|float|str|list|dict|tuple)\b) |
        \b_ShouldStop\b | ^\s*(?:import|from)\s+tests\b | \b__eq__\.(?:return_value|side_effect)\b | \bmock\.ANY\b | \bimport\b[^\n]*\b(?:ANY|approx)\b | \bpytest\.approx\( | \bsettings\.(?:register|load)_profile\("#,
        ),
    ),
    (
        &[
            "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte",
        ],
        TextPattern::new(
            r#"(?xm)
        \b(?:globalThis|global|window)\.(?:expect|test|it|describe|assert)\s*=[^=] |
        \brequire\(\s*["'](?:node:)?(?:assert|test)(?:/strict)?["']\s*\)(?:\.\w+)+\s*=[^=>] |
        \b(?:assert|expect)(?:\.strict)?\.\w+\s*=[^=>] |
        ^[^\n]*\bexpect\.extend\( | \bObject\.(?:assign|defineProperty)\(\s*(?:assert|expect|require\(\s*["'](?:node:)?assert) |
        \b(?:Object|Reflect|JSON|Math)\.\w+\s*=[^=>] | \brequire\(\s*["'](?:node:)?assert(?:/strict)?["']\s*\)(?:\.\w+)*\s*\[[^\]\n]+\]\s*=[^=>] |
        ^\s*(?:Array|Boolean|Error|Function|Map|Number|Object|Promise|RegExp|Set|String)\.prototype\.\w+\s*=[^=>] | \bprototype\.(?:run|runTest|runTests|fail)\s*=[^=>] |
        \bprocess\.(?:exit|reallyExit)\s*=[^=] | \bprocess\.(?:on|once)\(\s*["'](?:exit|beforeExit)["'][^\n]*exitCode\s*=\s*0 |
        \basymmetricMatch\b | \bSymbol\.for\(\s*["']jest\. |
        (?:\b(?:valueOf|toJSON)|\[Symbol\.toPrimitive\])\s*[=:]?\s*(?:function\s*)?(?:\(\s*\w*\s*\)|\w+\s*=>)\s*(?:=>)?\s*\{?\s*(?:return\s+)?-?\d[\d.]*\s*[;})\n,]"#,
        ),
    ),
    (
        &["go"],
        TextPattern::new(
            r#"(?xm)
        \bfunc\ init\(\)\s*\{[^}]*\bos\.(?:Exit\(|Args\s*=) | \bflag\.(?:CommandLine\.)?(?:Set|Lookup)\(\s*"test\. |
        "-test\.\w+ | \bsyscall\.Exit\( | \btesting\.Testing\(\) |
        ^\t(?:true|false|nil)\ +=[^=] | ^(?:func|type|var|const)\ +(?:append|bool|byte|cap|copy|delete|error|false|float(?:32|64)|int(?:8|16|32|64)?|iota|len|make|new|nil|panic|recover|rune|string|true|uint(?:8|16|32|64)?)(?:\(|\ +=|\ +[\w\[\]*]+\ +=|\ +(?:struct|func|interface|any|int|string)\b)"#,
        ),
    ),
    (
        &["rs", INCLUDED],
        TextPattern::new(
            r"\bmacro_rules!\s*(?:assert|assert_eq|assert_ne|assert_matches|debug_assert\w*|format|matches|panic|unreachable|vec)\b",
        ),
    ),
    (
        &["rs"],
        TextPattern::new(
            r"(?xm)
        \bcfg!\(\s*(?:not\(\s*)?test\b | \#\[cfg\(\s*not\(\s*test\b | \#!?\[cfg\(\s*(?:(?:any|all)\(\s*)*not\(\s*(?:(?:any|all)\(\s*)*test[\s,)]*\] |
        \#!?\[cfg_attr\([^\]\n]*\btest\b[^\]\n]*,\s*path\s*= |
        \bfn\ eq\(&self,\s*\w+\s*:[^{]*\{(?:[^{}|=]|\blet\ _\ =)*\btrue\s*\}",
        ),
    ),
    (
        &["sh", "bash", "ksh", "zsh", ""],
        TextPattern::new(
            r"(?xm)
        ^\s*(?:function\s+)?(?:test|\[|\[\[|diff|cmp|grep|false|exit|assert\w*)\s*\(\) |
        \balias\s+(?:test|diff|cmp|grep|false|exit)= | \btrap\b[^\n]*\bexit\s+0[^\n]*\b(?:EXIT|ERR|0)\s*$ |
        \benable\s+-n\b | \bhash\s+-p\b | \$\{?(?:BATS_\w+|MAKELEVEL)\b | /proc/\$\{?PPID\b | \bBASH_SOURCE\[[^0\]\n][^\n]*(?:\s=[=~]?\s|\bin\b) |
        ^\s*(?:readonly|(?:declare|typeset)\s+-\w*r\w*)\s+(?:\w+(?:=\S*)?\s+)*(?:n_?|num_?)?(?:failures?|fails?|failed|failing|passed|errors|errs|not_ok)(?:_count)?\b |
        \btrap\b[^\n]*\bDEBUG\b | \bshopt\s+-s\b[^\n]*\bextdebug\b |
        ^\s*(?:function\s+)?(?:fail|die|error|abort|bail\w*|wrong|not_ok|expect\w*|check\w*)\s*\(\)\s*\{\s*(?::|true|return(?:\s+0)?)?\s*;?\s*\}",
        ),
    ),
    (
        &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", INCLUDED],
        TextPattern::new(
            r"(?xm)
        ^\s*\#\s*define(?:\s|\\\n)+(?:if|else|while|return)\b | ^\s*\#\s*define(?:\s|\\\n)+(?:NDEBUG|assert|(?:ASSERT|EXPECT)_(?:EQ|NE|TRUE|FALSE|THAT))\b |
        __attribute__\s*\(\(\s*(?:constructor|destructor)\b[^\n]*_?exit\s*\( |
        __attribute__\s*\(\(\s*constructor\b[^)\n]*\)\)\s*(?:static\s+|inline\s+)*void\s+\w+\s*\(\s*int\b | \bvoid\s+\w+\s*\(\s*int\b[^)\n]*\)\s*__attribute__\s*\(\(\s*constructor\b | \b__libc_argv\b | \bdl_iterate_phdr\(",
        ),
    ),
    (
        &["java", "kt", "kts", "groovy", "scala"],
        TextPattern::new(
            r"(?xm)
        \bset(?:Default)?UncaughtExceptionHandler\([^\n]*\b(?:exit|halt|exitProcess)\(\s*0 |
        \bset(?:Default|Package|Class)AssertionStatus\([^\n]*\bfalse\b | \bRuntime\.getRuntime\(\)\.halt\(\s*0",
        ),
    ),
    (
        &["rb", "rake"],
        TextPattern::new(
            r"(?xm) \bat_exit\b[^\n]*\bexit!?\s*\(?\s*0? | \b(?:Minitest|RSpec|Test::Unit)\b[^\n]*(?:define_method|class_eval|prepend) |
        ^\s*(?:module|class)\s+(?:Minitest|RSpec|Test::Unit)\b | \b(?:Minitest|RSpec|Test::Unit)\b[^\n]*\.(?:\w*send|define_singleton_method|instance_variable_set|module_eval|class_exec|include)\b |
        ^\s*class\s+(?:::)?(?:Integer|Float|Numeric|String|Symbol|Array|Hash|Object|BasicObject|NilClass)\b[^\n]*\n(?:[\ \t]+[^\n]*\n|\n){0,40}?[\ \t]+(?:def\s+|alias(?:_method)?\s+:?)(?:==|eql\?|equal\?|===|!=|!)[\s(,]",
        ),
    ),
];

/// What names the assertions of JavaScript, or the builtins of Python, otherwise.
static ALIAS: TextPattern = TextPattern::new(
    r#"(?xm)
    \b(?:const|let|var)\s+(\w+)\s*=\s*require\(\s*["'](?:node:)?assert(?:/strict)?["']\s*\)\s*(?:;|$) |
    ^\s*import\s+(?:\*\s*as\s+)?(\w+)\s+from\s+["'](?:node:)?assert(?:/strict)?["'] |
    ^\s*import\s+(?:builtins|unittest|pytest)(?:\.\w+)*\s+as\s+(\w+)"#,
);

/// The report of a runner, written out.
static REPORT: TextPattern = TextPattern::new(
    r"(?x)
    Ran\ \d+\ tests?\ in\ | \b\d+\ passed\ in\ | test\ result:\ ok | \#\ pass\ \d | \b\d+\ passing\b |
    Tests:\s+\d+\ passed | \btestcase\b[^\n]*\bname= | ok\ \d+\ -\  | \bAction\W{1,4}:\W{0,4}pass\b",
);

/// What ends or replaces the process, so that no runner comes to report.
static LAST_CALL: TextPattern = TextPattern::new(
    r"(?x)
    \bos\._exit\( | \bos\.exec[lv]\w*\( | \bprocess\.(?:exit|reallyExit)\( | \bprocess::exit\( |
    \b(?:os|syscall)\.Exit\( | \bexit!",
);

/// What reads tests, and what writes them.
static TESTS_READ: LazyLock<Regex> = LazyLock::new(|| {
    let test = r#"["'`](?:[\w.*-]+/)*(?:tests?|specs?|__tests__|test_[\w*]+\.py|[\w*]+_test\.(?:py|go|sh)|[\w*]+\.(?:test|spec)\.[jt]sx?)(?:/[^"'`\n]*)?["'`]"#;
    let reader = r"(?:open|[ri]?glob|globSync|read_text|listdir|scandir|walk|readFile\w*|readdir\w*|createReadStream|ReadFile|ReadDir)";
    let written = r#"(?:\s*,\s*(?P<write>(?:mode\s*=\s*)?["'][wax]))?"#;
    let place = r"\s*\)[^\n]{0,60}\.(?:r?glob|iterdir|read_\w+|open)\(";
    let pattern = format!(r"\b{reader}\([^\n]{{0,60}}?{test}{written}|\bPath\(\s*{test}{place}");
    pattern::constant(&pattern)
});

/// Endings of what is read by people and tools alone: no source includes it.
const PROSE: [&str; 14] = [
    "md", "markdown", "rst", "adoc", "org", "tex", "html", "htm", "ipynb", "patch", "diff", "po",
    "lock", "log",
];

/// Returns how much of a file with an ending of no language reaches out, were it part of a source that includes it.
fn included(extension: &str, text: &str) -> usize {
    if PROSE.contains(&extension) || text.contains('\0') {
        return 0;
    }
    let rows = ROWS.iter();
    let rows = rows.filter(|(ends, _)| ends.contains(&INCLUDED));
    rows.map(|(_, pattern)| pattern.find_iter(text).count())
        .sum()
}

/// How often a text does something, by what it would be refused for.
type Counts = Vec<(RefusalCause, usize)>;

/// Returns for what a file of the product is refused that does so more than before.
pub(super) fn reached(pair: &ChangedFile<'_>) -> Option<RefusalCause> {
    let extension = extension(&pair.change.path);
    if extension.is_empty() && pair.new.is_some_and(|new| new.contains(&0)) {
        return None;
    }
    let rows = ROWS.iter();
    let rows: Vec<&TextPattern> = rows
        .filter(|(ends, _)| ends.contains(&extension))
        .map(|(_, pattern)| pattern)
        .collect();
    let Some(new) = pair.new else {
        // What is too large to be looked at is not let by.
        let unread = !rows.is_empty() && !extension.is_empty() && pair.change.regular;
        return unread.then_some(RefusalCause::Replaced);
    };
    let count = |bytes: &[u8]| counts(pair, &rows, &String::from_utf8_lossy(bytes));
    let now = count(new);
    let before = pair.old.map(count).unwrap_or_default();
    let sum = |counts: &Counts| -> usize { counts.iter().map(|(_, count)| count).sum() };
    if sum(&now) > sum(&before) {
        let had = |at: usize| before.get(at).map_or(0, |(_, count)| *count);
        let mut grew = now.iter().enumerate();
        let grew = grew.find(|(at, (_, count))| *count > had(*at));
        return grew.map(|(_, (cause, _))| *cause);
    }
    test_markers::asks(pair).then_some(RefusalCause::AskedWhetherTested)
}

/// Counts it in a text of a file; always in the same order.
fn counts(pair: &ChangedFile<'_>, rows: &[&TextPattern], text: &str) -> Counts {
    let (path, extension) = (&pair.change.path, extension(&pair.change.path));
    let text = spelt_whole_in(path, text);
    if rows.is_empty() {
        return vec![
            (RefusalCause::MutedAssertions, muted_assertions(path, &text)),
            (RefusalCause::Replaced, included(extension, &text)),
        ];
    }
    let named: usize = rows.iter().map(|p| p.find_iter(&text).count()).sum();
    let empty = match extension {
        "rs" => empty_equality::count(&text),
        _ => 0,
    };
    let mut counts = vec![(RefusalCause::Replaced, named.saturating_sub(empty))];
    match extension {
        "py" => counts.extend([
            (
                RefusalCause::Encoding,
                usize::from(source_encoding::hides(&text)),
            ),
            (RefusalCause::Replaced, replaced_functions::count(&text)),
            (RefusalCause::EndHook, uncaught_hooks::that_end(&text)),
            (RefusalCause::BlindEquality, blind::equalities(&text)),
        ]),
        "sh" | "bash" | "" => counts.extend([
            (RefusalCause::BlindEquality, blind::tools(&text)),
            (
                RefusalCause::TestState,
                asked_state::variables_of_tests(&text),
            ),
        ]),
        "rb" => counts.push((
            RefusalCause::BlindEquality,
            blind::equalities_of_ruby(&text),
        )),
        "rs" => {
            let brought = pair
                .old
                .map_or(0, |old| for_tests_alone::brought(old, &text));
            counts.extend([
                (
                    RefusalCause::ForTestsAlone,
                    brought + for_tests_alone::shadowed(&text),
                ),
                (
                    RefusalCause::BlindEquality,
                    blind::comparisons(&text).saturating_sub(empty),
                ),
            ]);
        }
        _ => counts.push((RefusalCause::BlindEquality, blind::comparisons(&text))),
    }
    let lines = TextLines::of(&text);
    counts.extend([
        (
            RefusalCause::OwnAnswer,
            own_answers::count(extension, &text),
        ),
        (RefusalCause::OwnAnswer, answers_otherwise(pair, &text)),
        (RefusalCause::MovedAway, moved_away::count(extension, &text)),
        (
            RefusalCause::SecondAnswer,
            second_answers(extension, &lines),
        ),
        (RefusalCause::Replaced, by_aliases(&text)),
        (RefusalCause::ForgedReport, usize::from(forges(&text))),
        (RefusalCause::TestsRead, read_tests(extension, &text)),
        (
            RefusalCause::CallersFile,
            callers_file::count(extension, &text),
        ),
    ]);
    counts
}

/// Returns how much a text says of itself, or makes one, otherwise than before the change.
fn answers_otherwise(pair: &ChangedFile<'_>, text: &str) -> usize {
    let is_python = extension(&pair.change.path) == "py";
    let asks = ["Symbol.hasInstance", "__instancecheck__"];
    if !is_python && !asks.iter().any(|word| text.contains(word)) {
        return 0;
    }
    let old = String::from_utf8_lossy(pair.old.unwrap_or_default());
    let old = spelt_whole_in(&pair.change.path, &old);
    let made_one = match is_python {
        true => own_answers::made_one(&old, text),
        false => 0,
    };
    made_one + own_answers::newly_asked(&old, text)
}

/// Returns how often a text replaces a part of what it has another name for.
fn by_aliases(text: &str) -> usize {
    let aliases = ALIAS.captures_iter(text);
    let names = aliases.filter_map(|found| found.iter().skip(1).flatten().next());
    names
        .filter_map(|name| {
            let name = regex::escape(name.as_str());
            let reached = r"\b(?:Reflect\.\w+|Object\.(?:assign|define\w+)|setattr)\(\s*";
            Regex::new(&format!(
                r"\b{name}(?:\.\w+|\[[^\]\n]+\])+\s*=[^=>]|{reached}{name}\b"
            ))
            .ok()
        })
        .map(|replaces| replaces.find_iter(text).count())
        .sum()
}

/// Returns how often a build takes the assertions out of what it builds, other than in a build for release alone.
fn muted_assertions(path: &str, text: &str) -> usize {
    let builds = [
        "cmake", "mk", "am", "ac", "build", "gyp", "gypi", "bzl", "bazel", "pro",
    ];
    if file_name(path) != "CMakeLists.txt" && !builds.contains(&extension(path)) {
        return 0;
    }
    let mutes = |line: &&str| {
        let line = line.trim_start();
        let lower = line.to_ascii_lowercase();
        let lets_by = ["#", "dnl", "//"].iter().any(|mark| line.starts_with(mark))
            || ["release", "minsize", "relwith", "undebug", "optimized"]
                .iter()
                .any(|word| lower.contains(word));
        line.contains("NDEBUG") && !lets_by
    };
    text.lines().filter(mutes).count()
}

/// Returns how often a text reads tests: what they expect is theirs to know.
fn read_tests(extension: &str, text: &str) -> usize {
    // Sources of Rust hold tests, which read theirs.
    if matches!(extension, "rs" | "sh" | "bash" | "") {
        return 0;
    }
    let remark = if matches!(extension, "py" | "rb") {
        "#"
    } else {
        "//"
    };
    let is_remark = |at: usize| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        text[line..]
            .trim_start_matches([' ', '\t'])
            .starts_with(remark)
    };
    let found = TESTS_READ.captures_iter(text);
    let found = found.filter(|found| !is_remark(found.get_match().start()));
    found.filter(|found| found.name("write").is_none()).count()
}

/// Returns whether a text holds the report of a runner and what ends the run before that reports itself.
fn forges(text: &str) -> bool {
    REPORT.is_match(text) && LAST_CALL.is_match(text)
}

#[cfg(test)]
mod tests;
