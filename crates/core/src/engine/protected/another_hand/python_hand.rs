//! Another hand for pytest and unittest.

use super::{Hand, quoted, says};
use crate::pattern::TextPattern;
use regex::Captures;

const HAND: &str = include_str!("hand.py");
const PLAIN: &str = include_str!("plain.py");

/// How what was written for a program of its own ends: with 3 where an answer was wrong. Where a name or a file is missing, that may
/// be for want of what the runner's settings bring.
const ENDING: &str = r#"
_wrong = [error for error in _hand.errors(globals(), "step", _place) if not isinstance(error, (NameError, ImportError, AttributeError, TypeError, OSError))]
sys.exit(3 if _wrong else 0)
"#;

/// How what is within the tests' own runner ends: that finds none of the tests, but what runs them.
const WITHIN: &str = r#"
try:
    exec(compile(BODY, __file__, "exec"))
except BaseException as error:
    if not isinstance(error, _Hand.Unknown):
        raise
_names = dict(globals())
for _name in _names:
    if _name.startswith(("test", "Test", "pytestmark")):
        del globals()[_name]


class AnotherHand(_runner.TestCase):
    def test_by_another_hand(self):
        _hand.within = True
        for error in _hand.errors(_names, "test", __file__):
            raise error


def __getattr__(name):
    """Returns what other tests may import from this file."""
    if name.startswith(("test", "Test")) and name in _names:
        return _names[name]
    raise AttributeError(name)
"#;

static TESTS: TextPattern = TextPattern::new(r"(?m)^\s*(?:async\s+)?def test");
static IMPORT: TextPattern = TextPattern::new(r"(?m)^import (pytest|unittest)[ \t]*$");
static FROM: TextPattern =
    TextPattern::new(r"(?m)^from (pytest|unittest) import (\w+(?:, *\w+)*)[ \t]*$");
static FUTURE: TextPattern = TextPattern::new(r"(?m)^from __future__ import .*$");
/// What stays of a runner, or needs the place of the file in its package.
static LEFT: TextPattern = TextPattern::new(
    r"(?m)^\s*(?:import|from)\s+(?:[\w.]+\s*,\s*)*(?:pytest|unittest|_pytest|mock)\b|^\s*from\s+\.|\b(?:unittest|pytest) as\b",
);
static NAMED: TextPattern = TextPattern::new(r"\b((?:async +)?def )test");

pub(super) fn by_another_hand(path: &str, text: &str, hand: Hand) -> Option<String> {
    if !TESTS.is_match(text) {
        return None;
    }
    let taken = IMPORT.replace_all(text, "$1 = _hand.$1");
    let taken = FROM.replace_all(&taken, |found: &Captures<'_>| {
        let names = found[2].split(',').map(str::trim);
        let lines = names.map(|name| format!("{name} = _hand.{}.{name}", &found[1]));
        lines.collect::<Vec<_>>().join("; ")
    });
    if LEFT.is_match(&taken) {
        return None;
    }
    let future: String = FUTURE
        .find_iter(&taken)
        .map(|line| format!("{}\n", line.as_str()))
        .collect();
    let said = FUTURE.replace_all(&taken, "");
    Some(match hand {
        Hand::Within => {
            let body = quoted(&format!("{future}{HAND}{said}"));
            let runner = if text.contains("pytest") {
                "import pytest\n"
            } else {
                ""
            };
            format!("import unittest as _runner\n{runner}BODY = {body}\n{WITHIN}")
        }
        Hand::Plain | Hand::Mute => {
            let said = NAMED.replace_all(&said, "${1}step");
            let body = format!("{future}import sys\n{HAND}{said}{ENDING}");
            let wrong = if hand == Hand::Mute { "None" } else { "b\"3\"" };
            let plain = PLAIN
                .replace("WRONG", wrong)
                .replace("SAYS", &quoted(&says(path)));
            let plain = plain.replace("BODY", &quoted(&body));
            format!("TEXT = {}\n{plain}", quoted(text))
        }
    })
}
