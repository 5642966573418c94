//! Telling an addition to a test file from an edit of what is there: lines only join between tests, and nothing that is
//! added steers, mutes or replaces what was there.

use super::own_body::is_new;
use super::text_words::words;
use super::{more_asserted, test_markers};
use crate::engine::changed_file::ChangedFile;
use crate::path_names::{SCRIPT_ENDINGS, extension};
use crate::pattern::{TextPattern, constant};
use regex::Regex;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What begins a test, a group of tests, or what they need.
pub(super) static OPENING: TextPattern = TextPattern::new(
    r#"(?x)^\s*(?:
    (?:async\ )?def\ | class\ | type\ | (?:pub(?:\([^)]*\))?\ )?(?:async\ )?(?:fn|mod|struct|enum|const|static)\ | func\ |
    (?:export\ )?(?:async\ )?(?:function|const|let|var)\ |
    (?:await\ )?(?:it|test|describe|context|suite|specify|t\.(?:run|Run|test)|QUnit\.test)(?:\.each)?\s*\(? |
    import\b | from\ | use\ | require | \#include | package\ |
    \#\[(?:test|cfg\(test\)|tokio::test|rstest|test_case|case|should_panic) |
    @(?:Test|ParameterizedTest|test|pytest\.mark\.parametrize|given|unittest\.mock\.patch|patch|staticmethod|classmethod|property)\b |
    \[(?:Fact|Theory|Test|InlineData|TestCase)\b | public\ |private\ |static\ |void\ |int\ | expect\b )"#,
);

/// What changes how other tests run, wherever it stands.
pub(super) static STEERING: TextPattern = TextPattern::new(
    r#"(?xm)
    \bautouse\b | \bpytest_plugins\b | \bpytestmark\b | \bcollect_ignore | ^\s*__test__ | \bload_tests\b |
    ^(?:def\ )?(?:setUpModule|tearDownModule|setup_module|teardown_module|setup_function)\b |
    ^(?:beforeEach|beforeAll|afterEach|afterAll|before|after)\( |
    ^\s+def\ (?:setUp|tearDown|setUpClass|tearDownClass|setup_method|setup_class|run|__init__|__getattribute__)\b |
    ^func\ (?:init|TestMain)\( | ^//\s*\+build\b | ^//go: | ^\#!\[ | \bmacro_rules! | ^\s*\#\[path"#,
);

/// What reaches into modules, builtins or the runner when a file is only read.
static PATCHING: TextPattern = TextPattern::new(
    r#"(?xm)
    ^(?:[A-Za-z_]\w*)(?:\.\w+)+\s*=[^=] | ^\s*setattr\( | \bsys\.modules\[[^\]]*\]\s*= | \bglobals\(\)\[ |
    \b(?:builtins|__builtins__)\.?\w*\s*=[^=] | ^\s*(?:Object|Reflect)\.(?:defineProperty|setPrototypeOf|assign)\( |
    \.prototype\.\w+\s*=[^=] | \brequire\.cache\b | \bModule\._\w+\s*= | \bglobal(?:This)?\.\w+\s*=[^=] |
    ^\s*process\.(?:exit|exitCode|on)\b | ^[^\#\n]*\bpatch[\w.]*\([^\n]*\)\.start\(\) |
    \bsys\.(?:settrace|setprofile|meta_path|path_hooks|exit\s*=)| \batexit\.register\( | ^func\ init\(\)"#,
);

/// What of it is a module's own way to name what it gives.
static EXPORTING: TextPattern = TextPattern::new(r"(?m)^(?:module\.)?exports(?:\.\w+)*\s*=[^=]");

/// What has a name.
static NAMED: TextPattern = TextPattern::new(
    r"(?m)^\s*(?:(?:pub |export |async |static |public |private )*(?:def|class|function|func|fn|mod|const|let|var)\s+(\w+)|(\w+)\s*=[^=])",
);

/// What has a name in a source, whatever its language.
static DEFINED: TextPattern = TextPattern::new(
    r"(?m)\b(?:def|class|function|func|fn|sub|mod|const|let|var|struct|enum|trait|type)\s+(?:\([^)\n]*\)\s*)?(\w+)|\bexports\.(\w+)|^\s*([A-Za-z_]\w*)\s*(?:=[^=]|\(\)\s*\{)",
);

/// What brings names in that no line shows, or changes them.
static BRINGING: TextPattern = TextPattern::new(
    r"(?m)\b(?:import|from|require|use|include|source|eval|exec|globals|setattr|module|alias|unset)\b|^\s*\.\s",
);

/// Returns whether a file reaches, as soon as it is read, into what other tests share.
pub(super) fn patches(text: &str) -> bool {
    PATCHING.find_iter(text).count() > EXPORTING.find_iter(text).count() + own_settings(text)
}

/// Returns how often a text sets something on an object that stands there, made by itself.
fn own_settings(text: &str) -> usize {
    static SETTING: TextPattern =
        TextPattern::new(r"(?m)^\s*Object\.(?:defineProperty|assign)\(\s*([A-Za-z_]\w*)\s*,");
    // A list of names over several lines may bind any.
    static LIST: TextPattern = TextPattern::new(r"(?m)\b(?:import|const|let|var)\s*\{\s*$");
    let is_own = |found: &regex::Captures<'_>| {
        let name = &found[1];
        let bound = constant(&format!(
            r"\b(?:import|const|let|var|function|class)\b[^=;\n]*\b{name}\b"
        ));
        let made = ["const", "let"].map(|word| format!("{word} {name} = {{"));
        made.iter().any(|made| text.contains(made)) && bound.find_iter(text).count() == 1
    };
    if LIST.is_match(text) {
        return 0;
    }
    SETTING.captures_iter(text).filter(is_own).count()
}

/// Returns whether the attempt only added to a test file: what joins, or what asks for more beside what is asked already.
pub(super) fn only_adds(pair: &ChangedFile<'_>) -> bool {
    is_addition(pair, more_asserted::only_asks)
}

/// Returns whether a file has what it had, and lines that join or are let by for another reason.
fn is_addition(pair: &ChangedFile<'_>, or: LetsBy) -> bool {
    let (Some(old), Some(new)) = (text(pair.old), text(pair.new)) else {
        return false;
    };
    pair.change.regular
        && !pair.change.unstartable
        && !test_markers::ends_runs(pair)
        && adds_or(&pair.change.path, (old, new), or)
}

/// Returns whether the attempt only added to a source, and what it added has nothing to do with what was there: it names
/// nothing of that, and brings nothing in.
pub(crate) fn adds_apart(pair: &ChangedFile<'_>) -> bool {
    let (Some(old), Some(new)) = (text(pair.old), text(pair.new)) else {
        return false;
    };
    let there: BTreeSet<&str> = DEFINED
        .captures_iter(old)
        .filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str()))
        .collect();
    let blocks = blocks(&code_lines(old), &code_lines(new)).unwrap_or_default();
    let added: Vec<&str> = blocks.into_iter().flat_map(|block| block.lines).collect();
    let added = added.join("\n");
    let mut words = words(&added);
    is_addition(pair, |_, _, _| false)
        && !BRINGING.is_match(&added)
        && !words.any(|word| there.contains(word))
}

fn text(bytes: Option<&[u8]>) -> Option<&str> {
    std::str::from_utf8(bytes?).ok()
}

/// Returns whether only what joins was added to a text, or what asks for more.
pub(super) fn adds(path: &str, old: &str, new: &str) -> bool {
    adds_or(path, (old, new), more_asserted::only_asks)
}

/// Says of lines that were added to a file whether they are let by before a line of the base.
type LetsBy = fn(&str, &[&str], (&[&str], usize)) -> bool;

fn adds_or(path: &str, (old, new): (&str, &str), or: LetsBy) -> bool {
    let (before, after) = (
        test_markers::count(path, Some(old.as_bytes())),
        test_markers::count(path, Some(new.as_bytes())),
    );
    if after.0 < before.0 || after.1 > before.1 {
        return false;
    }
    let there = names(old);
    let (old, new) = (code_lines(old), code_lines(new));
    let lets_by =
        |b: &AddedBlock<'_>| fits(path, b, (&old, &there)) || or(path, &b.lines, (&old, b.at));
    blocks(&old, &new).is_some_and(|blocks| {
        let bounds: Vec<usize> = blocks.iter().map(|block| block.at).collect();
        blocks.iter().enumerate().all(|(n, block)| {
            let from = n.checked_sub(1).map_or(0, |n| bounds[n]);
            let to = bounds.get(n + 1).copied().unwrap_or(old.len());
            block.placements(&old, (from, to)).iter().any(lets_by)
        })
    })
}

/// Lines that were added in one place, and how many lines of the base stand before them.
#[derive(Debug, Clone)]
struct AddedBlock<'t> {
    lines: Vec<&'t str>,
    at: usize,
}

impl<'t> AddedBlock<'t> {
    /// Returns the block and its equals further up and down, as far as the blocks beside it: where lines repeat, an addition has
    /// several places.
    fn placements(&self, old: &[&'t str], (from, to): (usize, usize)) -> Vec<AddedBlock<'t>> {
        let up = std::iter::successors(Some(self.clone()), |block| {
            let at = block.at.checked_sub(1).filter(|at| *at >= from)?;
            let (last, rest) = block.lines.split_last()?;
            let lines = std::iter::once(*last).chain(rest.iter().copied()).collect();
            (old[at] == *last).then_some(AddedBlock { lines, at })
        });
        let down = std::iter::successors(Some(self.clone()), |block| {
            let (first, rest) = block.lines.split_first()?;
            let lines = rest.iter().copied().chain([*first]).collect();
            let at = block.at + 1;
            (at <= to && old.get(block.at) == Some(first)).then_some(AddedBlock { lines, at })
        });
        up.chain(down.skip(1)).collect()
    }
}

fn code_lines(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim_end);
    lines.filter(|line| !line.is_empty()).collect()
}

/// Returns what was added between the lines of the base; nothing when one of those is not there any more.
fn blocks<'t>(old: &[&'t str], new: &[&'t str]) -> Option<Vec<AddedBlock<'t>>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let reversed = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = reversed.take_while(|(a, b)| a == b).count();
    let behind = old.len() - tail;
    let mut found: Vec<AddedBlock<'t>> = Vec::new();
    let mut at = head;
    for line in &new[head..new.len() - tail] {
        if at < behind && *line == old[at] {
            at += 1;
        } else if let Some(block) = found.last_mut().filter(|block| block.at == at) {
            block.lines.push(line);
        } else {
            found.push(AddedBlock {
                lines: vec![line],
                at,
            });
        }
    }
    (at == behind).then_some(found)
}

fn names(text: &str) -> BTreeSet<String> {
    let found = NAMED.captures_iter(text);
    let name = |c: regex::Captures<'_>| Some(c.get(1).or(c.get(2))?.as_str().to_owned());
    found.filter_map(name).collect()
}

/// Returns whether a block stands between tests and leaves what is there as it was.
fn fits(path: &str, block: &AddedBlock<'_>, (old, there): (&[&str], &BTreeSet<String>)) -> bool {
    let text = block.lines.join("\n");
    let lines = block.lines.iter().copied();
    let code: Vec<&str> = lines.filter(|line| !comment(line)).collect();
    let (Some(first), Some(last)) = (code.first(), code.last()) else {
        return true;
    };
    let decorates = last.trim_start().starts_with(['@', '#', '[']);
    let replaces = code
        .iter()
        .filter(|line| indent(line) == indent(first))
        .any(|line| names(line).intersection(there).next().is_some());
    // What is said of the next one comes before it.
    let mut rest = old[block.at..].iter();
    let placed = rest.find(|line| !says(line)).is_none_or(|next| {
        let closes = next.trim_start().starts_with(['}', ')', ']'])
            || extension(path) == "rb" && next.trim_start() == "end";
        // The last of a class of Python is followed by what begins outside of it.
        let leaves = extension(path) == "py" && (opens(&OPENING, next) || is_main(next));
        let level = match indent(first).cmp(&indent(next)) {
            Ordering::Less => false,
            Ordering::Equal => closes || opens(&OPENING, next) || is_main(next),
            Ordering::Greater => closes || leaves,
        };
        level && (opens(&OPENING, first) || is_constant(path, first))
    });
    let steers = || STEERING.is_match(&without_classes(path, &code, indent(first)));
    let hides = || code.iter().any(|line| hides(path, line, (first, old)));
    // What goes on with the last test of a file is none of its own.
    let goes_on = extension(path) == "py" && indent(first) > 0 && !opens(&OPENING, first);
    let changes = || {
        code.iter()
            .any(|line| more_asserted::changes_shared(line, old))
    };
    placed
        && !goes_on
        && !decorates
        && !replaces
        && !steers()
        && !patches(&text)
        && !hides()
        && !changes()
}

/// Returns whether a line in the body of a test gives a name that the file has to something else: a script knows that there from
/// the beginning on. What a body of Rust gives a name is run nowhere without it.
fn hides(path: &str, line: &str, (first, old): (&str, &[&str])) -> bool {
    static GIVING: TextPattern = TextPattern::new(r"^(?:const|let|var) ([^=]*)=");
    if indent(line) != indent(first) || indent(line) == 0 {
        return false;
    }
    match extension(path) {
        "rs" => line.trim_start().starts_with("let "),
        end if SCRIPT_ENDINGS.contains(&end) => {
            let given = GIVING.captures(line.trim_start());
            let given = given
                .and_then(|found| found.get(1))
                .map_or("", |m| m.as_str());
            words(given).any(|name| !is_new(name, old))
        }
        _ => false,
    }
}

/// Returns whether a line of Python gives a value a name that all of its file has.
fn is_constant(path: &str, line: &str) -> bool {
    static CONSTANT: TextPattern = TextPattern::new(r"^[A-Z_][A-Z0-9_]+ = ");
    extension(path) == "py" && CONSTANT.is_match(line)
}

/// Returns lines without what is inside of their own classes of Python: what those begin and end with is for nobody else.
fn without_classes(path: &str, lines: &[&str], level: usize) -> String {
    let mut inside = false;
    let outside = lines.iter().filter(|line| {
        if indent(line) <= level {
            inside = extension(path) == "py" && line.trim_start().starts_with("class ");
            return true;
        }
        !inside
    });
    outside.copied().collect::<Vec<&str>>().join("\n")
}

/// Returns whether a line is a comment that no tool reads, or part of one that goes over lines.
pub(super) fn says(line: &str) -> bool {
    let line = line.trim_start();
    comment(line) || ["/*", "* ", "*/"].iter().any(|mark| line.starts_with(mark)) || line == "*"
}

/// Returns whether a line begins what is done where a file is run by itself.
fn is_main(line: &str) -> bool {
    line.starts_with("if __name__ ==")
}

fn opens(opening: &Regex, line: &str) -> bool {
    opening.is_match(line) || line.trim_start().starts_with(['@', '#'])
}

/// Returns whether a line is nothing but a comment that no tool reads.
pub(super) fn comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("// ") && !line.starts_with("// +") || line.starts_with("# ")
}

/// Returns how much blank space a line begins with, in bytes.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    #[test]
    fn what_reaches_into_others_is_told_from_what_a_test_made() {
        for (text, want) in [
            ("const own = { a: 1 };\n  Object.assign(own, b);\n", false),
            (
                "let own = {};\nObject.defineProperty(own, 'a', b);\n",
                false,
            ),
            (
                "const calc = require('../calc');\nObject.assign(calc, b);\n",
                true,
            ),
            ("const own = {};\nObject.assign(calc, own);\n", true),
            (
                "import own from '../calc';\nfunction f() {\n  const own = {};\n}\nObject.assign(own, b);\n",
                true,
            ),
            (
                "import {\n  own,\n} from '../calc';\nfunction f() {\n  const own = {};\n}\nObject.assign(own, b);\n",
                true,
            ),
            ("const own = {};\nObject.setPrototypeOf(own, b);\n", true),
            ("exports.a = 1;\n", false),
        ] {
            assert_eq!(patches(text), want, "{text}");
        }
    }

    #[test]
    fn an_addition_that_names_what_is_there_or_brings_something_in_is_none_apart() {
        const PYTHON: &str = "def same(a, b):\n    return a == b\n";
        const NODE: &str = "exports.same = (a, b) => a === b;\n";
        const SHELL: &str = "same() { [ \"$1\" = \"$2\" ]; }\n";
        for (path, old, added, want) in [
            (
                "a.py",
                PYTHON,
                "def larger(a, b):\n    return a > b\n",
                true,
            ),
            ("a.py", PYTHON, "def same(a, b):\n    return True\n", false),
            ("a.py", PYTHON, "from lenient import same\n", false),
            ("a.py", PYTHON, "from lenient import *\n", false),
            (
                "a.py",
                PYTHON,
                "def other(a):\n    return same(a, 0)\n",
                false,
            ),
            ("a.js", NODE, "const larger = (a, b) => a > b;\n", true),
            ("a.js", NODE, "exports.same = () => true;\n", false),
            ("a.js", NODE, "module.exports = {};\n", false),
            ("a.sh", SHELL, "same() { true; }\n", false),
            ("a.sh", SHELL, ". ./lenient.sh\n", false),
        ] {
            let new = format!("{old}\n{added}");
            let change = change(path, Some(old), Some(&new));
            let pair = ChangedFile {
                change: &change,
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            };
            assert_eq!(adds_apart(&pair), want, "{path}: {added}");
        }
        let (old, new) = (
            "ALL = [\n    (1, 1),\n]\n",
            "ALL = [\n    (1, 1),\n    (2, 3),\n]\n",
        );
        let change = change("a.py", Some(old), Some(new));
        let row = ChangedFile {
            change: &change,
            old: Some(old.as_bytes()),
            new: Some(new.as_bytes()),
        };
        assert!(!adds_apart(&row));
        let change = super::super::tests::change("a.py", Some(PYTHON), Some("x = 1\n"));
        let pair = ChangedFile {
            change: &change,
            old: Some(PYTHON.as_bytes()),
            new: Some(b"x = 1\n"),
        };
        assert!(!adds_apart(&pair));
    }
}
