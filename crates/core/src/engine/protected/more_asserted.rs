//! Telling what a test of the base is only asked to say beside what it says already: assertions in its own body, and rows of the
//! list that it goes through. Nothing of that sets, calls off or replaces anything, and no assertion of the base loses its place.

use super::additions::{OPENING, STEERING, comment, indent};
use super::judge_paths;
use crate::path_names::extension;
use crate::pattern::TextPattern;

const SCRIPTS: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

/// Strings, and what is said behind code.
static TEXTS: TextPattern = TextPattern::new(
    r#"(?x)"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `[^`$]*` | (?:\#|//)[^\n]*"#,
);

static ASSERTION: TextPattern = TextPattern::new(
    r"(?s)^(?:assert .*[^,:\\;]|(?:await )?(?:self\.assert|assert|expect|require\.)[\w.]*\(.*\);?)$",
);

static ROW: TextPattern = TextPattern::new(r#"(?s)^(?:[&*]?[\w.]*[\[{(].*[\])}]|''),$"#);

static VALUE: TextPattern =
    TextPattern::new(r"(?s)^(?:const |let |var )?([A-Za-z_]\w*) :?= .*[^,:\\]$");

/// What does more than to ask or to say, where strings are blank.
static DOING: TextPattern = TextPattern::new(
    r"(?x)\+\+ | -- | :=.*:= | \b(?:setattr|delattr|exec|eval|compile|\w*patch\w*|\w*[Mm]ock\w*|skip\w*|Skip\w*|exit|fail|globals|vars|locals|func|function|yield|return|delete|new|class|def|import|__\w+__|prototype|process|sys|os|defineProperty|assign)\b",
);

/// A value that is set, in languages where that is part of an expression.
static SETTING: TextPattern = TextPattern::new(r"[^=!<>]=[^=>]|:=");

/// How a statement of a script ends; before such a line it may go on.
static ENDED: TextPattern = TextPattern::new(r"[;{}]$");
static GOES_ON: TextPattern = TextPattern::new(r"[,(\[\\.+*/&|=<>?:-]$");
static GOES_ON_THERE: TextPattern = TextPattern::new(r"^[.,?+*/&|=<>(\[`:-]");

/// Returns whether lines that were added before a line of the base only ask for more, in a test that is run without them, too.
pub(super) fn only_asks(path: &str, lines: &[&str], (old, at): (&[&str], usize)) -> bool {
    let known = ["py", "go"].contains(&extension(path)) || SCRIPTS.contains(&extension(path));
    let code: Vec<&str> = lines.iter().copied().filter(|l| !comment(l)).collect();
    let (Some(first), Some(before)) = (code.first(), at.checked_sub(1)) else {
        return false;
    };
    let blank = TEXTS
        .replace_all(&code.join("\n"), |found: &regex::Captures<'_>| {
            if found[0].starts_with(['#', '/']) {
                ""
            } else {
                "''"
            }
            .to_owned()
        })
        .into_owned();
    let Some(items) = items(&blank) else {
        return false;
    };
    let openers: Vec<&str> = openers(&old[..at], indent(first)).collect();
    let (before, next) = (old[before].trim(), old.get(at).map_or("", |l| l.trim()));
    let said = |item: &String| is_said(path, item, old);
    let asked = || {
        let script = SCRIPTS.contains(&extension(path));
        let ended = match script {
            true => ENDED.is_match(before),
            false => {
                !GOES_ON.is_match(before) || openers.first().is_some_and(|l| l.trim() == before)
            }
        };
        ended
            && !GOES_ON_THERE.is_match(next)
            && !openers.is_empty()
            && openers.iter().all(|line| OPENING.is_match(line))
            && items.iter().all(said)
    };
    let listed = || {
        before.ends_with([',', '[', '{'])
            && openers.first().is_some_and(|l| l.ends_with(['[', '{']))
            && items
                .iter()
                .all(|item| ROW.is_match(item) && !SETTING.is_match(item))
    };
    let brought = || {
        let opener = openers.first();
        opener.is_some_and(|line| items.iter().all(|item| is_brought(line, item, old)))
    };
    known
        && judge_paths::shares_a_process(path)
        && !DOING.is_match(&blank)
        && (asked() || listed() || brought())
}

/// Returns whether a line is one more of a list of what is imported, and hides nothing that is there.
fn is_brought(opener: &str, item: &str, old: &[&str]) -> bool {
    let name = item.trim_end_matches(',');
    match opener {
        "import (" => item == "''",
        _ => {
            opener.starts_with("from ")
                && opener.ends_with("import (")
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !STEERING.is_match(name)
                && is_new(name, old)
        }
    }
}

/// Returns whether a statement asserts, or gives a new name to a value.
fn is_said(path: &str, item: &str, old: &[&str]) -> bool {
    let (item, sets) = match VALUE.captures(item) {
        Some(found) if is_new(&found[1], old) => item
            .split_once("= ")
            .map_or((item, true), |(_, to)| (to, false)),
        _ => (item, !ASSERTION.is_match(item)),
    };
    let within = match extension(path) {
        "py" => item.contains(":="),
        _ => SETTING.is_match(item),
    };
    !sets && !within
}

fn is_new(name: &str, old: &[&str]) -> bool {
    let mut words = old
        .iter()
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.all(|word| word != name)
}

/// Returns the statements or rows of a text that stand outside of brackets; nothing where those do not match.
fn items(text: &str) -> Option<Vec<String>> {
    let (mut all, mut item, mut depth) = (vec![], String::new(), 0_usize);
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            '\n' if depth == 0 => all.push(std::mem::take(&mut item)),
            _ => {}
        }
        item.push(c);
    }
    all.push(item);
    let all = all.iter().map(|item| item.trim().to_owned());
    (depth == 0).then(|| all.filter(|item| !item.is_empty()).collect())
}

/// Returns the lines above in which a line of some indent stands, the nearest first.
fn openers<'t>(above: &[&'t str], mut level: usize) -> impl Iterator<Item = &'t str> {
    above.iter().rev().copied().filter(move |line| {
        let opens = indent(line) < level;
        level = level.min(indent(line));
        opens
    })
}

#[cfg(test)]
mod tests {
    use super::super::additions::only_adds;
    use super::super::tests::change;
    use crate::engine::changed_file::ChangedFile;

    const PYTHON: &str = "def test_sums():\n    a = calc(1)\n    assert a == 1\n    with raises(ValueError):\n        calc(None)\n    self.assertEqual(\n        calc(1),\n        1,\n    )\n\nCASES = [\n    (1, 1),\n    (2, 2),\n]\n";
    const GO: &str = "func TestSums(t *testing.T) {\n\ttests := []struct {\n\t\tin, want int\n\t}{\n\t\t{1, 1},\n\t}\n\tfor _, tt := range tests {\n\t\tcheck(tt)\n\t}\n}\n";
    const NODE: &str = "it('sums', () => {\n  assert(calc(1));\n  expect(calc(2))\n    .toBe(2);\n  assert.throws(() => {\n    calc();\n  });\n});\n";

    const IMPORTS: &str = "import (\n\t\"io\"\n\t\"testing\"\n)\n";
    const FROM: &str = "from calc import (\n    add,\n    double,\n)\n";

    /// Returns whether a line is let by behind one of a text.
    fn lets_by(path: &str, old: &str, behind: &str, added: &str) -> bool {
        assert!(old.contains(behind), "{behind}");
        let new = old.replacen(behind, &format!("{behind}{added}"), 1);
        let change = change(path, Some(old), Some(&new));
        only_adds(&ChangedFile {
            change: &change,
            old: Some(old.as_bytes()),
            new: Some(new.as_bytes()),
        })
    }

    #[test]
    fn what_a_test_asks_beside_what_it_asks_already_is_an_addition() {
        for (path, old, behind, added) in [
            (
                "test_a.py",
                PYTHON,
                "a == 1\n",
                "    assert not calc(0), 'none'\n",
            ),
            (
                "test_a.py",
                PYTHON,
                "a == 1\n",
                "    # twice\n    b = calc(2)\n    assert b == 2\n",
            ),
            (
                "test_a.py",
                PYTHON,
                "a == 1\n",
                "    self.assertEqual(\n        calc(2, by='x = y'),\n        2,\n    )\n",
            ),
            (
                "test_a.py",
                PYTHON,
                "(2, 2),\n",
                "    (3, 3),\n    ([4], {'a': 4}),\n",
            ),
            (
                "test_a.py",
                PYTHON,
                "test_sums():\n",
                "    assert calc(0) == 0\n",
            ),
            (
                "a_test.go",
                GO,
                "{1, 1},\n",
                "\t\t{2, 2},\n\t\t{\n\t\t\t2,\n\t\t\t2,\n\t\t},\n",
            ),
            (
                "a_test.go",
                GO,
                "\t}\n}\n",
                "\n// Doubles are twice as much.\ntype double int\n\nfunc (d double) is() bool { return true }\n",
            ),
            (
                "a.test.js",
                NODE,
                "calc(1));\n",
                "  assert(calc(3), 'a = b');\n  const four = calc(4);\n  assertSame(four, [4]);\n",
            ),
            ("a_test.go", IMPORTS, "\"io\"\n", "\t\"net/http\"\n"),
            ("test_a.py", FROM, "add,\n", "    half,\n"),
        ] {
            assert!(lets_by(path, old, behind, added), "{path}: {added}");
        }
    }

    #[test]
    fn what_does_more_than_to_ask_or_takes_the_place_of_another_is_an_edit() {
        for (path, old, behind, added) in [
            // It sets what is asked about afterwards, or what tests share.
            ("test_a.py", PYTHON, "calc(1)\n", "    a = 1\n"),
            (
                "test_a.py",
                PYTHON,
                "a == 1\n",
                "    assert (calc := int)\n",
            ),
            (
                "test_a.py",
                PYTHON,
                "a == 1\n",
                "    assert setattr(m, 'calc', int) is None\n",
            ),
            (
                "test_a.py",
                PYTHON,
                "a == 1\n",
                "    assert unittest.mock.patch('m.calc').start()\n",
            ),
            (
                "a.test.js",
                NODE,
                "calc(1));\n",
                "  assert(m.calc = Number);\n",
            ),
            (
                "a.test.js",
                NODE,
                "calc(1));\n",
                "  assert(`${m.calc = Number}`);\n",
            ),
            // It ends the test.
            ("test_a.py", PYTHON, "a == 1\n", "    return\n"),
            (
                "test_a.py",
                PYTHON,
                "a == 1\n",
                "    assert pytest.skip('x')\n",
            ),
            // It fails where something is to fail.
            (
                "test_a.py",
                PYTHON,
                "(ValueError):\n",
                "        assert int('x')\n",
            ),
            (
                "a.test.js",
                NODE,
                "throws(() => {\n",
                "    assert(false);\n",
            ),
            // It takes what was said of another.
            ("a.test.js", NODE, "expect(calc(2))\n", "  expect(2)\n"),
            ("a.test.js", NODE, "calc(1));\n", "  assert(\n"),
            ("test_a.py", PYTHON, "calc(1),\n", "        calc(1),\n"),
            ("test_a.py", PYTHON, "calc(1),\n", "        (1),\n"),
            // It takes the place of what is there, or steers.
            ("a_test.go", IMPORTS, "\"io\"\n", "\t. \"lenient\"\n"),
            ("test_a.py", FROM, "add,\n", "    other as double,\n"),
            ("test_a.py", FROM, "add,\n", "    load_tests,\n"),
            // It judges by itself.
            ("test_a.py", PYTHON, "(2, 2),\n", "    (3, skip),\n"),
            (
                "tests/a.rs",
                "fn a() {\n    assert!(b());\n}\n",
                "b());\n",
                "    assert!(c());\n",
            ),
            (
                "tests/a.sh",
                "a() {\n  assert b\n}\n",
                "assert b\n",
                "  assert c\n",
            ),
        ] {
            assert!(!lets_by(path, old, behind, added), "{path}: {added}");
        }
    }
}
