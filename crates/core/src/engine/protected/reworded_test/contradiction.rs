//! Tests that want another value than they compare with: whoever makes what is compared, such a test fails. Where one passes, what
//! it compares by says yes to more than what is equal, or nobody hears it.

use super::wording::Wording;
use crate::pattern::TextPattern;
use regex::Captures;
use std::ops::Range;

/// What says in a line that two values are the same, or that one holds the other.
static SAME: TextPattern = TextPattern::new(
    r"(?x)
    \b(?:assertEquals?|assertIn|assert_equal|assert_includes|assert_eq!|toBe|toEqual|toStrictEqual|toContain|(?:deep|strict|deepStrict)?[eE]qual|deepStrictEqual|strictEqual|includes|is|is_deeply)\s*!?\s*\( |
    \bassert_(?:equal|includes)\s | [=!]==?",
);
/// What is given first what it wants.
static WANTED_FIRST: TextPattern =
    TextPattern::new(r"\b(?:assertIn\s*\(|assert_equal[\s(]|assertEquals\s*\()\s*$");
/// What may stand behind the last value of a line.
static CLOSED: TextPattern = TextPattern::new(r"^[\s)\]};,:{]*$");
static SHELL: TextPattern = TextPattern::new(
    r#"((?:\s==?|\s-eq)\s+)(?:(0|[1-9][0-9]{0,15})|"(0|[1-9][0-9]{0,15})"|"([A-Za-z0-9_ ,.:-]+)"|([A-Za-z][A-Za-z0-9_]*))(\s+\]|\s*\)|\s*$)"#,
);

/// What says when something is done: where that is turned, a script does what it is not to do, and a loop may have no end.
static CONDITION: TextPattern = TextPattern::new(
    r"^[\s}]*(?:if|elif|elsif|else\s+if|unless|while|until|for|loop|case|when|switch|match|do)\b|\b(?:while|until)\b",
);
/// A condition of a test by which it fails.
static FAILS_BY: TextPattern = TextPattern::new(r"^[\s}]*if\b[^\n]*!=");
/// Such a line of a shell: it says no by itself.
static SAYS_NO: TextPattern = TextPattern::new(
    r"^\s*(?:\[\[?|test)\s[^|&;]*(?:\|\|\s*(?:(?:exit|return|fail|die|false)\b|\{[^\n]*\b(?:exit|return)\b)[^\n]*)?\s*$",
);

/// Returns a text of tests that wants other values. A `script` may do something by what it compares.
pub(super) fn contradicted(wording: Wording, text: &str, script: bool) -> String {
    let may_turn = |line: &str| !CONDITION.is_match(line) || !script && FAILS_BY.is_match(line);
    wording.with_lines(text, |line| match wording {
        Wording::Shell if SAYS_NO.is_match(line) => of_shell(line),
        Wording::Shell => line.to_owned(),
        _ if SAME.is_match(line) && may_turn(line) => of_line(wording, line),
        _ => line.to_owned(),
    })
}

fn of_line(wording: Wording, line: &str) -> String {
    let values = wording.values(line).into_iter().map(|(at, _)| at);
    let values: Vec<Range<usize>> = values.filter(|at| !is_index(&line[..at.start])).collect();
    let other =
        wanted(wording, line, &values).and_then(|at| Some((at, another_value(&line[at.clone()])?)));
    match other {
        Some((at, value)) => format!("{}{value}{}", &line[..at.start], &line[at.end..]),
        None => line.to_owned(),
    }
}

/// Returns which of the values of a line is the one that another one is held against.
fn wanted<'v>(
    wording: Wording,
    line: &str,
    values: &'v [Range<usize>],
) -> Option<&'v Range<usize>> {
    let first = values
        .iter()
        .find(|at| WANTED_FIRST.is_match(&line[..at.start]));
    if first.is_some() {
        return first;
    }
    let last = values
        .last()
        .filter(|at| CLOSED.is_match(&line[at.end..]))?;
    // The last one of Perl's is what the test is called.
    let is_name = wording == Wording::Perl
        && values.len() > 1
        && !line[last.clone()].starts_with(char::is_numeric);
    match is_name {
        true => values.iter().rev().nth(1),
        false => Some(last),
    }
}

/// Returns whether what follows a text says which part of something is meant.
fn is_index(before: &str) -> bool {
    let of = before.trim_end().strip_suffix('[');
    of.is_some_and(|of| of.ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c)))
}

/// Returns a value that no value equals which equals this one.
fn another_value(value: &str) -> Option<String> {
    match value.parse::<u64>() {
        Ok(number) => Some((number.checked_add(1)?).to_string()),
        Err(_) => {
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            Some(format!("{} ~{quote}", value.strip_suffix(quote)?))
        }
    }
}

fn of_shell(line: &str) -> String {
    let other = |found: &Captures<'_>| {
        let group = |at: usize| found.get(at).map(|found| found.as_str());
        let value = match (group(2).or(group(3)), group(4).or(group(5))) {
            (Some(number), _) => number.parse::<u64>().unwrap_or_default() + 1,
            (_, Some(text)) => return format!("{}\"{text} ~\"{}", &found[1], &found[6]),
            _ => return found[0].to_owned(),
        };
        format!("{}{value}{}", &found[1], &found[6])
    };
    SHELL.replace_all(line, other).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::contradicted;

    #[test]
    fn a_test_wants_another_value_than_it_compares_with() {
        for (path, text, want) in [
            (
                "a.py",
                "self.assertEqual(add(1, 2), 3)",
                "self.assertEqual(add(1, 2), 4)",
            ),
            (
                "a.py",
                "self.assertIn(\"b\", list(2))",
                "self.assertIn(\"b ~\", list(2))",
            ),
            (
                "a.py",
                "    assert add(1, 2) == 3\n",
                "    assert add(1, 2) == 4\n",
            ),
            (
                "a.js",
                "assert.deepStrictEqual(new A(1).plus(new A(2)), new A(3));",
                "assert.deepStrictEqual(new A(1).plus(new A(2)), new A(4));",
            ),
            (
                "a.mjs",
                "expect(f(1)).toEqual(new A('ab'))",
                "expect(f(1)).toEqual(new A('ab ~'))",
            ),
            (
                "a_test.go",
                "\tif Double(2) != 4 {",
                "\tif Double(2) != 5 {",
            ),
            (
                "a.rs",
                "    span(|| assert_eq!(add(1, 2), 3));",
                "    span(|| assert_eq!(add(1, 2), 4));",
            ),
            (
                "a.rb",
                "assert_equal 3, add(1, 2)",
                "assert_equal 4, add(1, 2)",
            ),
            (
                "a.t",
                "is(add(1, 2), \"3\", \"adds\");",
                "is(add(1, 2), \"3 ~\", \"adds\");",
            ),
            (
                "a.c",
                "  assert(add(1, 2) == 3);",
                "  assert(add(1, 2) == 4);",
            ),
            ("a.sh", "[ \"$(add 1 2)\" = 3 ]", "[ \"$(add 1 2)\" = 4 ]"),
            (
                "a.sh",
                "[ \"$(upper hi)\" = HI ]",
                "[ \"$(upper hi)\" = \"HI ~\" ]",
            ),
        ] {
            assert_eq!(
                contradicted(path, text, false).as_deref(),
                Some(want),
                "{path}"
            );
        }
    }

    #[test]
    fn what_says_nothing_of_a_value_stays() {
        for (path, text) in [
            ("a.py", "self.assertTrue(f(5))"),
            ("a.py", "self.assertRaises(ValueError, f, 5)"),
            ("a.py", "assert rows[0] == rows[1]"),
            ("a.py", "self.assertLess(f(5), 7)"),
            ("a.py", "# assert f(5) == 7"),
            ("a.js", "assert.ok(f(5));"),
            ("a.sh", "add 1 2"),
            ("a.md", "assert f(5) == 7"),
        ] {
            assert_eq!(contradicted(path, text, false), None, "{path}: {text}");
        }
    }

    #[test]
    fn what_is_done_by_a_comparison_is_not_turned() {
        for (path, text, script, want) in [
            ("a.go", "\tif Double(2) != 4 {", true, false),
            ("a.go", "\tif Double(2) != 4 {", false, true),
            ("a.py", "if mode() == 4:", false, false),
            ("a.py", "assert mode() == 4", true, true),
            ("a.js", "while (size() !== 4) {", false, false),
            ("a.sh", "if [ \"$mode\" = dry ]; then", false, false),
            ("a.sh", "[ \"$mode\" = dry ] || publish", false, false),
            ("a.sh", "[ \"$mode\" = dry ] || exit 1", false, true),
            (
                "a.sh",
                "[ \"$mode\" = dry ] || { echo no; exit 1; }",
                true,
                true,
            ),
            ("a.sh", "[ \"$mode\" = dry ] || { publish; }", true, false),
        ] {
            let turned = contradicted(path, text, script).is_some();
            assert_eq!(turned, want, "{path}: {text}");
        }
    }
}
