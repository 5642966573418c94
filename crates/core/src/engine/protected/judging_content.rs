//! What the content of a file shows of its part in the judging, wherever it stands: tests, and scripts that decide.

use crate::path_names::{SCRIPT_ENDINGS, extension};
use crate::pattern::TextPattern;
use std::collections::BTreeSet;

/// Extensions, what such a file asks for where it holds tests, and what it then has, too.
type TestContent = (&'static [&'static str], TextPattern, TextPattern);

static ROWS: [TestContent; 15] = [
    (
        &["py"],
        TextPattern::new(
            r"(?m)^\s*(?:import|from)\s+(?:unittest|pytest|doctest|hypothesis|nose2?|testtools|behave)\b",
        ),
        TextPattern::new(r"(?m)\bTestCase\b|^\s*(?:async )?def test_?\w*\(|^\s*self\.assert\w+\("),
    ),
    (
        &SCRIPT_ENDINGS,
        TextPattern::new(
            r#"(?:\brequire\(|\bfrom)\s*["'](?:node:test|bun:test|vitest|mocha|tape|ava|uvu|chai|expect|@jest/globals|@playwright/test)["']"#,
        ),
        TextPattern::new(
            r"(?m)^\s*(?:await\s+)?(?:describe|it|test|suite)\w*(?:\.\w+)*\(|\bexpect\(|\bassert\b",
        ),
    ),
    (
        &["go"],
        TextPattern::new(r#"(?m)^\s*(?:import\s+)?"testing"$"#),
        TextPattern::new(r"\btesting\.(?:T|TB|B|F)\b"),
    ),
    (
        &["pl", "pm"],
        TextPattern::new(r"(?m)^\s*use\s+Test[0-9]*::"),
        TextPattern::new(""),
    ),
    (
        &["rb"],
        TextPattern::new(r#"\brequire\s*\(?["'](?:minitest|test/unit|rspec)"#),
        TextPattern::new(""),
    ),
    (
        &["php"],
        TextPattern::new(r"\bPHPUnit\\Framework\b"),
        TextPattern::new(""),
    ),
    (
        &["java", "kt", "kts", "groovy", "scala"],
        TextPattern::new(
            r"\bimport\s+(?:static\s+)?(?:org\.junit|org\.testng|org\.scalatest|io\.kotest|spock\.)",
        ),
        TextPattern::new(""),
    ),
    (
        &["c", "cc", "cpp", "cxx", "h", "hpp"],
        TextPattern::new(
            r#"#\s*include\s*[<"](?:gtest/|gmock/|catch2/|catch\.hpp|doctest|cmocka|unity\.h|check\.h|boost/test)"#,
        ),
        TextPattern::new(""),
    ),
    (
        &["cs", "fs", "vb"],
        TextPattern::new(
            r"\b(?:using|open|Imports)\s+(?:Xunit|NUnit|Microsoft\.VisualStudio\.TestTools)",
        ),
        TextPattern::new(""),
    ),
    (
        &["ex", "exs"],
        TextPattern::new(r"\buse ExUnit\.Case\b"),
        TextPattern::new(""),
    ),
    (
        &["swift"],
        TextPattern::new(r"\bimport (?:XCTest|Testing)\b"),
        TextPattern::new(""),
    ),
    (
        &["dart"],
        TextPattern::new(r"package:(?:flutter_)?test/"),
        TextPattern::new(""),
    ),
    (
        &["lua"],
        TextPattern::new(r#"\brequire\s*\(?\s*["'](?:busted|luaunit)"#),
        TextPattern::new(""),
    ),
    (
        &["hs"],
        TextPattern::new(r"\bimport\s+(?:qualified\s+)?Test\.(?:Hspec|Tasty|HUnit|QuickCheck)"),
        TextPattern::new(""),
    ),
    (
        &["sh", "bash", ""],
        TextPattern::new(r"\b(?:shunit2|bats-core|env bats)\b"),
        TextPattern::new(""),
    ),
];

/// What a script says that decides by how it ends.
const DECIDING: &str = r"(?xm)
    ^\s*(?:if\s+|elif\s+|while\s+|!\s*)?(?:test|\[|\[\[|diff|cmp|grep|false)\s | (?:&&|\|\|)\s*(?:exit|false|test|\[)\b | ;\s*(?:test|\[\[?)\s | \bexit\s*\(?\s*[1-9\{] |
    ^\s*assert\b | \bassert(?:\.\w+)?\( | \bdie\b | \braise\s+(?:SystemExit|AssertionError) | \bsys\.exit\(\s*(?:[1-9\x22']|[01]\s+if\b|not\b|[^()\n]*[!=]=) | \bprocess\.exit(?:\(\s*|Code\s*=\s*)[^;\n]*(?:[!=]==?|\?\s*[01]\s*:) |
    \bprocess\.exit(?:\(\s*|Code\s*=\s*)[1-9] | \bthrow\s+new\b";

/// Returns whether a file holds tests, or what only tests are made of.
pub(super) fn holds_tests(path: &str, bytes: Option<&[u8]>) -> bool {
    let extension = extension(path);
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    let mut rows = ROWS.iter().filter(|(ends, ..)| ends.contains(&extension));
    rows.any(|(_, asks, has)| asks.is_match(&text) && has.is_match(&text))
}

/// Returns whether a script decides by how it ends, rather than only does something.
pub(crate) fn decides(text: &str) -> bool {
    static PATTERN: TextPattern = TextPattern::new(DECIDING);
    PATTERN.is_match(text)
}

/// Returns whether a module of JavaScript compares for others: product code asserts, too, but seldom what something equals.
pub(super) fn compares(path: &str, text: &str) -> bool {
    static PATTERN: TextPattern = TextPattern::new(
        r"\bassert(?:\.strict)?\.(?:strictEqual|deepEqual|deepStrictEqual|equal|notEqual|throws|rejects|match)\b",
    );
    [".js", ".mjs", ".cjs", ".ts"]
        .iter()
        .any(|end| path.ends_with(end))
        && PATTERN.is_match(text)
}

/// Returns whether source code fails where two values that it was given are not the same, as helpers of tests do.
pub(super) fn compares_in(path: &str, text: &str) -> bool {
    static HEAD: TextPattern = TextPattern::new(
        r"\(([^()\n]{1,200})\)\s*(?:->[^\n:{]*|:\s*\w+\s*)?(?:\{|=>|:|$)|\bmy\s*\(([^()\n]*)\)\s*=\s*@_",
    );
    static COMPARED: TextPattern = TextPattern::new(
        r"(?xm)\bassert\s+([^\n,]*==[^\n,]*) |
        ((?:!==?|===?|\b(?:is|eq|ne|isDeepStrictEqual|deepEqual)\b)[^;\n{]{0,60})[)\s]\s*(?::|\{|then)?\s*\n?\s*(?:throw|raise|panic!?|die|process\.exit)\b",
    );
    static REFUSED: TextPattern = TextPattern::new(r"\braise\s+AssertionError\b");
    static WORD: TextPattern = TextPattern::new(r"[A-Za-z_]\w*");
    if compares(path, text) || REFUSED.is_match(text) {
        return true;
    }
    let words = |text: &str| -> BTreeSet<String> {
        let found = WORD.find_iter(text);
        found.map(|word| word.as_str().to_owned()).collect()
    };
    let heads = HEAD.captures_iter(text);
    let heads = heads.filter_map(|head| head.get(1).or(head.get(2)));
    let heads: Vec<BTreeSet<String>> = heads
        .filter(|head| !head.as_str().contains("==") && !head.as_str().contains("!="))
        .map(|head| words(head.as_str()))
        .collect();
    COMPARED.find_iter(text).any(|found| {
        let line = text[..found.start()].rfind('\n').map_or(0, |at| at + 1);
        let compared = words(&text[line..found.end()]);
        let both = |head: &BTreeSet<String>| head.intersection(&compared).count() > 1;
        heads.iter().any(both)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_what_they_ask_for() {
        for (path, text, want) in [
            (
                "a.py",
                "import unittest\nclass A(unittest.TestCase):\n",
                true,
            ),
            ("a.py", "from pytest import raises\ndef test_a():\n", true),
            (
                "a.py",
                "import pytest\n@pytest.fixture\ndef two():\n",
                false,
            ),
            (
                "a.py",
                "from unittest import mock\nx = mock.Mock()\n",
                false,
            ),
            ("a.py", "import unittests\ndef test():\n", false),
            (
                "a.js",
                "const test = require('node:test');\ntest('a', f);\n",
                true,
            ),
            (
                "a.ts",
                "import { it } from \"vitest\";\nit('a', f);\n",
                true,
            ),
            (
                "a.js",
                "const assert = require('node:assert');\nassert(a);\n",
                false,
            ),
            (
                "a.go",
                "import \"testing\"\nfunc Same(t *testing.T) {}\n",
                true,
            ),
            (
                "a.go",
                "import (\n\t\"testing\"\n)\nvar short = testing.Short\n",
                false,
            ),
            ("a.pl", "use Test::More;\n", true),
            ("a.rb", "require 'minitest/autorun'\n", true),
            ("A.java", "import org.junit.Test;\n", true),
            ("a.md", "import unittest, TestCase\n", false),
        ] {
            assert_eq!(
                holds_tests(path, Some(text.as_bytes())),
                want,
                "{path}: {text}"
            );
        }
    }

    #[test]
    fn a_script_that_decides_is_told_from_one_that_does_something() {
        for (text, want) in [
            ("test \"$(sh add.sh 1 2)\" = 3\n", true),
            ("[ -f x ] || exit 1\n", true),
            ("diff a b\n", true),
            ("import calc\nassert calc.add(1, 2) == 3\n", true),
            ("die \"wrong\" unless $sum == 3;\n", true),
            ("$1 != 3 { exit 1 }\n", true),
            ("sys.exit(0 if got == want else 1)\n", true),
            ("process.exit(got === want ? 0 : 1);\n", true),
            ("if __name__ == '__main__':\n    sys.exit(main())\n", false),
            ("sys.exit()\nsys.exit(0)\n", false),
            ("set -e\nmkdir -p build\ncp add.sh build/\n", false),
            ("import calc\nprint(calc.add(1, 2))\n", false),
            ("expr $1 + $2\n", false),
        ] {
            assert_eq!(decides(text), want, "{text}");
        }
    }
}
