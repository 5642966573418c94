//! Tests by another hand: a small runner of our own runs what they say in a process that no runner started, with none of a
//! runner's modules, variables, names and callers around it. A product that answers otherwise where it is judged is found by
//! that, however it knows. What the small runner does not know ends a test without an answer, never with a wrong one.

mod python_hand;
mod script_hand;

use super::source_words::words_in;
use crate::path_names::{SCRIPT_ENDINGS, extension};
use crate::pattern::TextPattern;

/// Who runs what a file of tests says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hand {
    /// The small runner, in a process of its own.
    Plain,
    /// The small runner within the tests' own runner. What is red here, too, is not known to mind who runs it.
    Within,
    /// As [`Hand::Plain`], whatever comes of it. What is red here, too, minds that its runner runs less.
    Mute,
}

/// What stands before the path of a test in what it says when another hand is red.
pub(crate) const NAMES_TESTS_BY: &str = "another answer where no runner is: ";

/// Extensions, and words of what is around a program: its process, its callers, what else is loaded, the time.
static AROUND: [(&[&str], TextPattern); 2] = [
    (
        &["py"],
        TextPattern::new(
            r#"(?xm)
        ^\s*(?:import|from)\s+(?:[\w.]+\s*,\s*)*(?:sys|os|io|gc|inspect|traceback|threading|builtins|importlib|warnings|logging|atexit|signal|subprocess|site|sysconfig|
            platform|socket|linecache|tokenize|ast|weakref|faulthandler|tracemalloc|multiprocessing|runpy|pkgutil|unittest|pytest|doctest|contextvars|asyncio|
            time|datetime|resource|ctypes|code|dis|symtable|trace|pdb|bdb|getpass|pwd|tempfile|pathlib|glob|shutil|random|_[a-z]\w*|__main__)\b |
        \b__(?:import|builtins|debug|loader|spec|file|cached|traceback|subclasses|code|closure|globals)__ |
        (?:^|[^.\w])(?:globals|locals|vars|eval|exec|compile|open|breakpoint)\( |
        \b(?:[fg]i?_(?:back|code|frame|globals|locals)|tb_(?:frame|next)|cr_frame|std(?:in|out|err)|(?:except|display|trace)hook)\b"#,
        ),
    ),
    (
        &SCRIPT_ENDINGS,
        TextPattern::new(
            r#"(?xm)
        \b(?:process|globalThis|global|window|self|document|navigator|stack|stackTraceLimit|captureStackTrace|prepareStackTrace|caller|callee|eval|Function|
            performance|hrtime|getBuiltinModule|prototype|[gs]etPrototypeOf|__proto__|Reflect|Proxy|WeakRef|FinalizationRegistry|
            set(?:Timeout|Interval|Immediate)|queueMicrotask|describe|expect|jest|jasmine|vi|vitest|mocha|chai|(?:before|after)(?:Each|All)|__[a-z]\w*)\b |
        \b(?:import\.meta\b|Date\.now\b|Symbol\.for\b|Math\.random\b|new\s+Date\(\s*\)|module\.[a-df-z]|require\.\w) |
        \.constructor\b | \.toString\(\s*\) | \bconsole\.\w+\.\w | \bconsole\[ | \b(?:require|import)\(\s*[^\s"'`] | \binstanceof\s+(?:Object|Array|Error|Function|RegExp|Promise|Map|Set|Date|Uint8Array)\b |
        \btypeof\s+(?:it|test|suite|before|after|require|module|exports|define)\b | (?:\bfrom\s*|\brequire\(\s*|\bimport\s*\(?\s*)["'](?:node:|[^./"'])"#,
        ),
    ),
];

/// Returns the words by which a source of the product may know who runs it.
pub(crate) fn around(path: &str) -> Option<&'static TextPattern> {
    words_in(&AROUND, path, extension(path))
}

/// Returns the text of a file of tests that has what it says run by another hand; nothing where that is not known to be possible.
pub(crate) fn by_another_hand(path: &str, text: &str, hand: Hand) -> Option<String> {
    match extension(path) {
        "py" => python_hand::by_another_hand(path, text, hand),
        end if SCRIPT_ENDINGS.contains(&end) => script_hand::by_another_hand(path, text, hand),
        _ => None,
    }
}

/// Returns what a test says where another hand is red.
fn says(path: &str) -> String {
    format!("{NAMES_TESTS_BY}{path}")
}

/// Returns a text as both languages write one.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::source_words::brings_more;
    use super::super::tests::change;
    use super::*;
    use crate::engine::changed_file::ChangedFile;

    #[test]
    fn what_may_know_its_runner_is_found() {
        for (path, old, new, want) in [
            ("calc.py", "", "import sys\n", true),
            ("calc.py", "", "    from os import environ\n", true),
            ("calc.py", "", "import math, gc\n", true),
            ("calc.py", "import sys\n", "import sys\nx = 1\n", false),
            ("calc.py", "", "import math\nx = re.compile(y)\n", false),
            ("calc.js", "", "const x = process.uptime();\n", true),
            ("calc.js", "", "if (require.name) x();\n", true),
            ("calc.js", "", "const colour = require('is-ci');\n", true),
            (
                "calc.js",
                "",
                "const { y } = require('./y');\nmodule.exports = { x };\n",
                false,
            ),
            (
                "calc.ts",
                "",
                "import { y } from '../y';\nexport const x = y;\n",
                false,
            ),
            ("calc.test.js", "", "process.env.X = 1;\n", false),
            ("calc.go", "", "import \"os\"\n", false),
        ] {
            let change = change(path, Some(old), Some(new));
            let pair = ChangedFile {
                change: &change,
                old: Some(old.as_bytes()),
                new: Some(new.as_bytes()),
            };
            assert_eq!(brings_more(around, &pair), want, "{path}: {new}");
            assert_eq!(
                around(path).is_some_and(|words| words.is_match(new)),
                want || old.contains("sys"),
                "{path}: {new}"
            );
        }
        assert_eq!(
            ["a.ts", "a.go", "test_a.py"].map(|path| around(path).is_some()),
            [true, false, false]
        );
    }

    #[test]
    fn a_runner_is_replaced_where_a_test_names_it() {
        for (path, text, parts) in [
            (
                "a.test.js",
                "const test = require('node:test');\ntest('a', () => {});",
                &[
                    "const test = Object.assign(",
                    "require('node:test');\nconst load = async",
                ][..],
            ),
            (
                "a.test.mjs",
                "import { it as is, expect } from 'vitest';\nis('a', () => {});\ntest(b);",
                &[
                    "const { it: is, expect } = hand$;",
                    "import { it as real$ } from 'vitest';",
                ],
            ),
            (
                "a.spec.js",
                "import { expect } from 'chai';\ndescribe('a', () => { it('b', () => { expect(f()).to.equal(1); }); });",
                &[
                    "const { describe, it } = hand$;",
                    "globalThis.it ?? globalThis.test",
                ],
            ),
            (
                "test_a.py",
                "from __future__ import annotations\nimport pytest\n\ndef test_a():\n    assert f()",
                &[
                    "= \"from __future__ import annotations\\nimport sys",
                    "pytest = _hand.pytest",
                    "def step_a",
                ],
            ),
            (
                "test_a.py",
                "from unittest import TestCase, main\n\nclass A(TestCase):\n    async def test_a(self):\n        pass",
                &[
                    "TestCase = _hand.unittest.TestCase; main = _hand.unittest.main",
                    "async def step_a",
                ],
            ),
        ] {
            // What is written for another process stands in it as a text.
            let plain = by_another_hand(path, text, Hand::Plain).unwrap();
            for part in parts {
                assert!(plain.contains(part), "{path}: {part} in {plain}");
            }
            let mute = by_another_hand(path, text, Hand::Mute).unwrap();
            assert_ne!(plain, mute, "{path}");
            assert!(
                plain.contains(&format!("{NAMES_TESTS_BY}{path}")),
                "{path}: {plain}"
            );
            let within = by_another_hand(path, text, Hand::Within).unwrap();
            assert!(
                !within.contains("step_a") && !within.contains("spawnSync"),
                "{within}"
            );
        }
    }

    #[test]
    fn what_the_small_runner_does_not_know_stays() {
        for (path, text) in [
            ("a.test.js", "const x = 1;"),
            ("a.test.js", "test('a', () => { jest.useFakeTimers(); });"),
            ("a.test.js", "test.only('a', () => {});"),
            ("a.test.js", "it('a', function () { this.timeout(9); });"),
            (
                "a.test.js",
                "it('a', () => { expect(f()).toMatchSnapshot(); });",
            ),
            (
                "a.test.js",
                "import * as all from 'vitest';\nall.test('a', f);",
            ),
            ("a.test.js", "test('a', f);\nmodule.exports = { f };"),
            ("test_a.py", "def helper(): pass"),
            ("test_a.py", "import unittest.mock\n\ndef test_a(): pass"),
            ("test_a.py", "from . import helpers\n\ndef test_a(): pass"),
            ("test_a.py", "import unittest as u\n\ndef test_a(): pass"),
            ("a_test.go", "func TestA(t *testing.T) {}"),
        ] {
            assert_eq!(
                by_another_hand(path, text, Hand::Plain),
                None,
                "{path}: {text}"
            );
        }
    }
}
