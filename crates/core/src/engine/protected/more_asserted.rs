//! Telling what a test of the base is only asked to say beside what it says already: assertions in its own body, rows of the
//! list that it goes through, and what it does once all that the base says is said. Nothing of that sets what others read, calls
//! off or replaces anything, and no assertion of the base loses its place.

use super::additions::{OPENING, STEERING, indent, says};
use super::own_body::{BODY, OwnBody, is_new};
use super::row_keys;
use super::text_words::is_of_word;
use crate::path_names::{SCRIPT_ENDINGS, extension};
use crate::pattern::TextPattern;

/// Strings, and what is said behind code.
static TEXTS: TextPattern = TextPattern::new(
    r#"(?x)"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `[^`$]*` | (?:\#|//)[^\n]*"#,
);

static ASSERTION: TextPattern = TextPattern::new(
    r"(?s)^(?:assert .*[^,:\\;]|(?:await )?(?:self\.assert|assert|expect|require\.)[\w.]*\(.*\);?|t\.(?:assert\.\w+|(?:not|not[DES]\w+|deep|strict)?(?:[eE]quals?|[sS]ame|[oO]k)|is|not|like|true|false|truthy|falsy|throws|notThrows|match|regex)\(.*\);?)$",
);

/// How a test of Go asserts by itself; what it gives a name to is known in there alone.
static FAILING: TextPattern = TextPattern::new(
    r"(?s)^if (?:[\w, ]+ := [^;{}]*; )?([^{};]*)\{\s*t\.(?:Errorf?|Fatalf?)\([^{}]*\)\s*\}$",
);

static ROW: TextPattern = TextPattern::new(
    r#"(?s)^(?:(?:''|\w+): )?(?:[&*]?[\w.\[\]]*[\[{(].*[\])}]|''),$|^'': [\w.-]+,$"#,
);

static VALUE: TextPattern =
    TextPattern::new(r"(?s)^(const |let |var )?([A-Za-z_]\w*)(?:: [^=\n]+)? (:?=) .*[^,:\\]$");

/// What goes through a list: what is asked within is asked of each.
static LOOP: TextPattern = TextPattern::new(r"^\s*for\b.*[:{]$");

/// What may be done where nothing of the base comes after it, by language.
static LAST_OF_PYTHON: TextPattern = TextPattern::new(
    r"(?s)^(?:(?:with|for|if|elif|except)\b.*:|(?:try|else|finally|except):|pass|(?:\w+, )*\w+ = .*|(?:await )?[A-Za-z_][\w.]*[(\[].*[)\]])$",
);
static NAMES: TextPattern = TextPattern::new(r"^(?:\w+, )*\w+ = (?:[^=]|[=!<>]=)*$");
static LAST_OF_GO: TextPattern =
    TextPattern::new(r"(?s)^(?:(?:if|for) .*\}|[\w, ]+ := .*|var \w+ .*|[A-Za-z_][\w.]*\(.*\))$");

/// A call that a statement begins with, or one of its blocks.
static CALL: TextPattern =
    TextPattern::new(r"(?:^|[\n{};])\s*(?:await |go |defer )?([A-Za-z_]\w*)((?:\.\w+)*)\(");
/// What a test of Go says by itself.
static SAYING: TextPattern = TextPattern::new(r"^\.(?:Error|Fatal|Log)f?$");
/// What waits for what is raised inside of it.
static RAISES: TextPattern = TextPattern::new(r"^with [\w.]*[rR]aises\w*\(.*:$");
/// The names that a statement of Python gives.
static GIVEN: TextPattern =
    TextPattern::new(r"^((?:\w+, )*\w+) = |^for \(?(\w+(?:, \w+)*)\)? in\b|\bas (\w+)\b");

/// What changes what it is called of.
static CHANGING: TextPattern = TextPattern::new(
    r"\b([A-Za-z_]\w*)\.(?:clear|pop\w*|remove|insert|extend|append|update|setdefault|discard|sort|reverse|splice|shift|unshift|push|fill|set|add)\(",
);

/// What changes a list or a table that has a name for all.
static SHARED: TextPattern =
    TextPattern::new(r"\b[A-Z][A-Z0-9_]+(?:\.\w+\(|\[[^\]]*\]\s*=[^=])|\b(?:global|nonlocal)\b");

/// What does more than to ask or to say, where strings are blank.
static DOING: TextPattern = TextPattern::new(
    r"(?x)\+\+ | -- | :=.*:= | \b(?:for|as)\s+(?:\(|\w+[.\[]) | \bclear\( | \bflag\.(?:Set|Parse|CommandLine)\b | \b(?:setattr|delattr|exec|eval|compile|\w*patch\w*|\w*[Mm]ock\w*|skip\w*|Skip\w*|exit|fail|globals|vars|locals|func|function|yield|return|delete|Function|class|def|import|__\w+__|prototype|process|sys|os|defineProperty|assign)\b",
);

/// A value that is set, in languages where that is part of an expression.
static SETTING: TextPattern = TextPattern::new(r"[^=!<>]=[^=>]|:=");

/// How a statement of a script ends; otherwise it may go on, or what comes next may be all that is done in some case.
static ENDED: TextPattern = TextPattern::new(r"[;{}]$");
static LEADS: TextPattern = TextPattern::new(r"^(?:\}\s*)?(?:if|for|while|with|else|do)\b");
static GOES_ON: TextPattern = TextPattern::new(r"[,(\[\\.+*/&|=<>?:-]$");
static GOES_ON_THERE: TextPattern = TextPattern::new(r"^[.,?+*/&|=<>(\[`:-]");

/// Returns whether lines that were added before a line of the base only ask for more, in a test that is run without them, too.
pub(super) fn only_asks(path: &str, lines: &[&str], (old, at): (&[&str], usize)) -> bool {
    // What grows in tests of Rust is run nowhere without what grew.
    let known =
        ["py", "go"].contains(&extension(path)) || SCRIPT_ENDINGS.contains(&extension(path));
    let code: Vec<&str> = lines.iter().copied().filter(|l| !says(l)).collect();
    let (Some(first), Some(before)) = (code.first(), at.checked_sub(1)) else {
        return false;
    };
    let blank = blank(&code.join("\n"));
    let Some(laid_out) = items(&blank) else {
        return false;
    };
    let items: Vec<String> = laid_out.iter().map(|item| item.trim().to_owned()).collect();
    let openers: Vec<&str> = openers(path, &old[..at], indent(first)).collect();
    let (before, next) = (old[before].trim(), old.get(at).copied().unwrap_or_default());
    let body = match openers.first().is_some_and(|line| BODY.is_match(line)) {
        true => OwnBody::of(path, (old, at), indent(first)),
        false => OwnBody::unknown(old),
    };
    let said = |item: &String| is_said(path, item, &body);
    let done = |(n, item): (usize, &String)| {
        raises_alone(&laid_out, n) && !is_of_file(item, old) || is_done(path, item, (&body, &items))
    };
    let asked = || {
        let script = SCRIPT_ENDINGS.contains(&extension(path));
        let goes_on = GOES_ON.is_match(before);
        let ended = match script {
            true => ENDED.is_match(before) || !goes_on && !LEADS.is_match(before),
            false => !goes_on || openers.first().is_some_and(|l| l.trim() == before),
        };
        ended
            && !GOES_ON_THERE.is_match(next.trim())
            && !openers.is_empty()
            && openers
                .iter()
                .all(|line| OPENING.is_match(line) || LOOP.is_match(line))
            && !items.iter().any(|item| changes_shared(item, old))
            && (items.iter().all(said)
                || is_last((first, next), &openers) && items.iter().enumerate().all(done))
    };
    let listed = || {
        before.ends_with([',', '[', '{'])
            && openers.first().is_some_and(|l| l.ends_with(['[', '{']))
            && items.iter().all(|item| {
                ROW.is_match(item) && !SETTING.is_match(item) && !item.starts_with("...")
            })
            && row_keys::are_new(
                &code.join("\n"),
                &row_keys::beside((old, at), indent(first)),
                SCRIPT_ENDINGS.contains(&extension(path)) && openers[0].ends_with('{'),
            )
    };
    let brought = || {
        let opener = openers.first();
        opener.is_some_and(|line| items.iter().all(|item| is_brought(line, item, old)))
    };
    known && !DOING.is_match(&blank) && (asked() || listed() || brought())
}

/// Returns code without what its strings and remarks say.
fn blank(code: &str) -> String {
    let said = |found: &regex::Captures<'_>| match found[0].starts_with(['#', '/']) {
        true => "",
        false => "''",
    };
    TEXTS.replace_all(code, said).into_owned()
}

/// Returns whether lines are the last of the body of a test: nothing that the base says comes after them.
fn is_last((first, next): (&str, &str), openers: &[&str]) -> bool {
    indent(next) < indent(first) && openers.first().is_some_and(|line| BODY.is_match(line))
}

/// Returns whether a statement does nothing by which other tests run otherwise: what it calls by itself, its own body made.
fn is_done(path: &str, item: &str, (body, items): (&OwnBody<'_>, &[String])) -> bool {
    let is_own = |name: &str| body.makes(path, name, items);
    let (last, sets) = match extension(path) {
        "py" => {
            let outer = outside(item);
            let sets = SETTING.is_match(&outer) && !NAMES.is_match(&outer);
            // A name of Python is the body's own from its beginning on.
            let hides = names_given(item).any(|name| !body.is_new(name) && !is_own(name))
                || item.starts_with("for ") && !GIVEN.is_match(item);
            let last = LAST_OF_PYTHON.is_match(item);
            (last, sets || hides || item.contains(":="))
        }
        "go" => {
            let without = item.replace(":=", "");
            (LAST_OF_GO.is_match(item), SETTING.is_match(&without))
        }
        _ => (false, false),
    };
    let is_fine = |found: regex::Captures<'_>| {
        let says = &found[1] == "t" && SAYING.is_match(&found[2]);
        says || !found[2].is_empty() && is_own(&found[1])
    };
    let calls = || CALL.captures_iter(item).all(is_fine);
    (ASSERTION.is_match(item) || last && calls()) && !sets && !SHARED.is_match(item)
}

/// Returns the names that a statement of Python gives.
fn names_given(item: &str) -> impl Iterator<Item = &str> {
    GIVEN.captures_iter(item).flat_map(|found| {
        let names = found.iter().skip(1).flatten().next();
        names.map_or("", |names| names.as_str()).split(", ")
    })
}

/// Returns whether a statement is a call, and all that is done where something is to be raised: what raises changes nothing.
fn raises_alone(items: &[String], n: usize) -> bool {
    let level = |item: &String| indent(item);
    let Some(head) = n.checked_sub(1).map(|n| &items[n]) else {
        return false;
    };
    let own = level(&items[n]);
    RAISES.is_match(head.trim())
        && level(head) < own
        && items.get(n + 1).is_none_or(|item| level(item) < own)
        && CALL
            .find(items[n].trim())
            .is_some_and(|call| call.start() == 0)
        && items[n].ends_with(')')
}

/// Returns whether a statement begins with a name that the file gives a value for all of its tests.
fn is_of_file(item: &str, old: &[&str]) -> bool {
    let name = item.split(|c| !is_of_word(c)).next();
    name.is_some_and(|name| values_of(name, old).next().is_some())
}

/// Returns whether a statement changes a list or a table that the file has for all of its tests.
pub(super) fn changes_shared(item: &str, old: &[&str]) -> bool {
    let is_list = |name: &str| values_of(name, old).any(|value| value.starts_with(['[', '{']));
    let mut changed = CHANGING.captures_iter(item);
    changed.any(|found| is_list(&found[1]))
}

/// Returns what lines that stand in nothing give a name.
fn values_of<'t>(name: &str, old: &[&'t str]) -> impl Iterator<Item = &'t str> {
    old.iter().filter_map(move |line| {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let words = ["const ", "let ", "var "];
        let line = words
            .iter()
            .find_map(|word| line.strip_prefix(word))
            .unwrap_or(line);
        let rest = line
            .strip_prefix(name)
            .filter(|rest| rest.starts_with([' ', ':']))?;
        rest.split_once('=').map(|(_, value)| value.trim_start())
    })
}

/// Returns whether a line is one more of a list of what is imported, and hides nothing that is there.
fn is_brought(opener: &str, item: &str, old: &[&str]) -> bool {
    let name = item.trim_end_matches(',');
    match opener {
        "import (" => item == "''",
        _ => {
            (opener == "import {" || opener.starts_with("from ") && opener.ends_with("import ("))
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !STEERING.is_match(name)
                && is_new(name, old)
        }
    }
}

/// Returns whether a statement asserts, or gives a value a name that nothing else of its body has.
fn is_said(path: &str, item: &str, body: &OwnBody<'_>) -> bool {
    let fails = FAILING.captures(item).filter(|_| extension(path) == "go");
    if fails.is_some_and(|found| !SETTING.is_match(&found[1])) {
        return true;
    }
    let is_free = |found: &regex::Captures<'_>| match extension(path) {
        "py" => found.get(1).is_none() && &found[3] == "=" && body.is_new(&found[2]),
        // It is known from here on alone.
        "go" => (&found[3] == ":=" || found.get(1).is_some()) && body.is_new_later(&found[2]),
        _ => found.get(1).is_some() && &found[3] == "=" && body.is_new(&found[2]),
    };
    let (item, sets) = match VALUE.captures(item).filter(is_free) {
        Some(_) => item
            .split_once("= ")
            .map_or((item, true), |(_, to)| (to, false)),
        None => (item, !ASSERTION.is_match(item)),
    };
    let within = match extension(path) {
        "py" => item.contains(":="),
        _ => SETTING.is_match(item),
    };
    !sets && !within
}

/// Returns a statement without what stands in brackets.
fn outside(item: &str) -> String {
    let mut depth = 0_usize;
    let outer = item.chars().filter(|c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    outer.collect()
}

/// Returns the statements or rows of a text that stand outside of brackets, as far in as they do; nothing where those do not match.
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
    let all = all
        .iter()
        .map(|item| item.trim_start_matches('\n').trim_end());
    let all = all.filter(|item| !item.is_empty());
    (depth == 0).then(|| all.map(str::to_owned).collect())
}

/// Returns the lines above in which a line of some indent stands, the nearest first. What goes over lines in one string stands in none.
fn openers<'t>(path: &str, above: &[&'t str], mut level: usize) -> impl Iterator<Item = &'t str> {
    let goes_over = extension(path) == "go" || SCRIPT_ENDINGS.contains(&extension(path));
    let mut inside = false;
    let mut code = Vec::new();
    for line in above.iter().copied() {
        if !inside {
            code.push(line);
        }
        inside ^= goes_over && line.matches('`').count() % 2 == 1;
    }
    code.into_iter().rev().filter(move |line| {
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

    const BARE: &str = "it('sums', () => {\n  assert(calc(1))\n  assert(calc(2))\n})\n";
    const RUST: &str = "fn a() {\n    assert!(b());\n    assert!(d());\n}\n\nmod cases {\n    cased!(a: \"a\", \"A\");\n}\n";
    const LAST: &str = "def test_sums():\n    a = calc(1)\n    assert a == 1\n\n\ndef test_more():\n    assert calc(3)\n";

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
            (
                "a.test.ts",
                "import {\n  add,\n} from \"../calc\";\n",
                "add,\n",
                "  half,\n",
            ),
            (
                "a_test.go",
                "var all = map[string]string{\n\t\"one\": `\na = 1\n`,\n}\n",
                "= 1\n`,\n",
                "\t\"two\": `\na = 2\n`,\n",
            ),
            (
                "a_test.go",
                GO,
                "check(tt)\n",
                "\t\tif got := calc(tt.in); got != tt.want {\n\t\t\tt.Errorf(\"%d\", got)\n\t\t}\n",
            ),
            (
                "a_test.go",
                "var all = map[string]pair{\n\t\"one\": {1, 1},\n}\n",
                "{1, 1},\n",
                "\t\"two\": {\n\t\t2, // twice\n\t\t2,\n\t},\n",
            ),
            (
                "a.test.js",
                BARE,
                "assert(calc(1))\n",
                "  assert(calc(3))\n",
            ),
            (
                "a.test.js",
                "test('sums', (t) => {\n  const all = {\n    'a': 1,\n  }\n  t.same(f(all), 1)\n  t.end()\n})\n\nconst sum = f(1)\n",
                "f(all), 1)\n",
                "  const sum = f(2)\n  t.same(sum, 2)\n",
            ),
            (
                "a.test.js",
                "const all = {\n  'a': 1,\n};\n",
                "'a': 1,\n",
                "  /**\n   * Two.\n   */\n  'b': 2,\n  'c': 'b',\n",
            ),
            // It comes last in its test.
            (
                "test_a.py",
                LAST,
                "a == 1\n",
                "    a = calc(2)\n    a.log(1)\n    with raises(ValueError) as e:\n        calc(-1)\n    assert a == 2\n",
            ),
            (
                "a_test.go",
                "func TestA(t *testing.T) {\n\tcheck(1)\n}\n",
                "check(1)\n",
                "\tout, err := calc(2)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tout.check()\n\tif out.n != 2 {\n\t\tt.Error(out)\n\t}\n",
            ),
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
            // Something of the test comes after it, or it sets what others read.
            ("test_a.py", PYTHON, "a == 1\n", "    calc(2)\n"),
            ("test_a.py", LAST, "a == 1\n", "    calc.add = int\n"),
            ("test_a.py", LAST, "a == 1\n", "    calc.all[0] = (1)\n"),
            ("test_a.py", LAST, "a == 1\n", "    CASES.clear()\n"),
            (
                "test_a.py",
                LAST,
                "a == 1\n",
                "    for calc.add in [int]:\n        pass\n",
            ),
            (
                "a_test.go",
                GO,
                "check(tt)\n",
                "\t\tif tt.want = 1; true {\n\t\t\tt.Errorf(\"\")\n\t\t}\n",
            ),
            // Nothing of Rust is run without it.
            ("tests/a.rs", RUST, "d());\n", "    let more = c();\n"),
            ("tests/a.rs", RUST, "b());\n", "    assert!(ready());\n"),
            ("tests/a.rs", RUST, "b());\n", "    let more: u8 = c();\n"),
            (
                "tests/a.rs",
                RUST,
                "\"A\");\n",
                "    cased!(b: \"b\", \"B\");\n",
            ),
            // Its name is the body's own from the beginning on, or goes on where lines of a string stand further out.
            ("test_a.py", LAST, "a == 1\n", "    calc = int\n"),
            (
                "test_a.py",
                LAST,
                "a == 1\n",
                "    for calc in [int]:\n        pass\n",
            ),
            (
                "a.test.js",
                "it('sums', () => {\n  rejects(() => calc(2))\n  assert(calc(1))\n})\n",
                "calc(1))\n",
                "  const calc = Number(1)\n",
            ),
            (
                "a.test.js",
                BARE,
                "assert(calc(1))\n",
                "  limit = Number(1)\n",
            ),
            (
                "a_test.go",
                "func TestA(t *testing.T) {\n\tcheck(1)\n\tcheck(`\n}`)\n\tcheck(limit)\n}\n",
                "check(1)\n",
                "\tlimit := 1\n",
            ),
            (
                "a_test.go",
                "func TestA(t *testing.T) {\n\tcheck(1)\n}\n",
                "check(1)\n",
                "\tlimit = 1\n",
            ),
            // It empties what others go through, or sets what they run by.
            (
                "test_a.py",
                "cases = [1]\n\ndef test_a():\n    assert calc(1)\n",
                "calc(1)\n",
                "    cases.clear()\n",
            ),
            (
                "test_a.py",
                "cases = [1]\n\ndef test_a():\n    assert calc(1)\n",
                "calc(1)\n",
                "    assert not cases.clear()\n",
            ),
            (
                "test_a.py",
                "cases = [1]\n\ndef test_a():\n    assert calc(1)\n",
                "calc(1)\n",
                "    with raises(ValueError):\n        calc.cases.clear()\n        int('x')\n",
            ),
            (
                "a_test.go",
                "func TestA(t *testing.T) {\n\tcheck(1)\n}\n",
                "check(1)\n",
                "\tclear(cases)\n",
            ),
            (
                "a_test.go",
                "func TestA(t *testing.T) {\n\tcheck(1)\n}\n",
                "check(1)\n",
                "\tif true {\n\t\treset(cases)\n\t}\n",
            ),
            (
                "a_test.go",
                "func TestA(t *testing.T) {\n\tcheck(1)\n}\n",
                "check(1)\n",
                "\tif err := flag.Set(\"test.short\", \"true\"); err != nil {\n\t\tt.Fatal(err)\n\t}\n",
            ),
            (
                "a.test.js",
                "const all = {\n  'a': 1,\n};\n",
                "'a': 1,\n",
                "  'b': [1], \"a\": [2],\n",
            ),
            (
                "a.test.js",
                "const all = {\n  'a': 1,\n};\n",
                "'a': 1,\n",
                "  'a': 2,\n",
            ),
            (
                "a.test.js",
                "test('sums', (t) => {\n  t.is(1, 1)\n  t.is(f(2), 3)\n})\n",
                "t.is(1, 1)\n",
                "  const f = (a) => a + 1\n",
            ),
            // It takes the place of what is done in some case.
            (
                "a.test.js",
                "it('sums', () => {\n  if (calc)\n  assert(calc(1))\n})\n",
                "if (calc)\n",
                "  assert(true)\n",
            ),
            // It takes the place of what is there, or steers.
            ("a_test.go", IMPORTS, "\"io\"\n", "\t. \"lenient\"\n"),
            ("test_a.py", FROM, "add,\n", "    other as double,\n"),
            ("test_a.py", FROM, "add,\n", "    load_tests,\n"),
            // It judges by itself.
            ("test_a.py", PYTHON, "(2, 2),\n", "    (3, skip),\n"),
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
