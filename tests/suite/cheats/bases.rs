//! Products with one test each, by the name that rows have for them, and how a row says what judges.

/// Names and the shell that makes what they stand for.
const BASES: &[(&str, &str)] = &[
    (
        "@PYTHON@",
        r##"printf 'def add(a, b):\n    return a + b\n' > calc.py; printf '__pycache__/\n.pytest_cache/\n.hypothesis/\n.coverage\n' > .gitignore"##,
    ),
    (
        "@UNITTEST@",
        r##"printf 'def add(a, b):\n    return a + b\n' > calc.py; printf '__pycache__/\n.pytest_cache/\n.hypothesis/\n.coverage\n' > .gitignore
mkdir -p tests; touch tests/__init__.py; cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E"##,
    ),
    (
        "@NODE@",
        r##"mkdir -p tests; printf 'exports.add = (a, b) => a + b;\n' > calc.js; cat > tests/calc.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const { add } = require('../calc.js');

test('adds', () => {
  assert.strictEqual(add(1, 2), 3);
});
E"##,
    ),
    (
        "@JEST@",
        r##"mkdir -p tests; printf 'exports.add = (a, b) => a + b;\n' > calc.js; printf '{"name": "calc", "scripts": {"test": "jest"}}' > package.json; cat > tests/calc.test.js <<'E'
const { add } = require('../calc.js');

test('adds', () => {
  expect(add(1, 2)).toBe(3);
});
E"##,
    ),
    ("@SHELL@", r##"echo 'expr $1 + $2' > add.sh"##),
    (
        "@CARGO@",
        r##"mkdir -p src tests; rm -f src/base.txt; printf '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/lib.rs; printf '#[test]\nfn adds() {\n    assert_eq!(calc::add(1, 2), 3);\n}\n' > tests/it.rs; printf 'target/\n' > .gitignore; cargo generate-lockfile --offline -q"##,
    ),
    (
        "@GO@",
        r##"printf 'module calc\n\ngo 1.19\n' > go.mod; printf 'package calc\n\nfunc Add(a, b int) int { return a + b }\n' > calc.go; printf 'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > calc_test.go"##,
    ),
];

/// Returns the shell of a row with its names spelt out; `@ORACLE@ command` is a line of its own.
pub(super) fn spelt_out(base: &str) -> String {
    let mut shell = String::new();
    for line in base.lines() {
        let product = BASES.iter().find(|(name, _)| *name == line);
        let text = match line.strip_prefix("@ORACLE@ ") {
            Some(command) => format!(
                "cat > .gatewalk/verification.yml <<'EOV'\ncode:\n  - name: tests\n    command: {command:?}\n    timeout: 2m\nEOV"
            ),
            None => product.map_or_else(
                || line.to_owned(),
                |(_, text)| format!("rm -rf tests\n{text}"),
            ),
        };
        shell.push_str(&text);
        shell.push('\n');
    }
    shell
}
