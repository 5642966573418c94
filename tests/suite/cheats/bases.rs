//! Products with one test each, by the name that rows have for them, and how a row says what judges.

use super::{another_hand_bases, examined_bases, ordinary_bases};

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
    (
        "@UNITTEST_RUN@",
        r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
    ),
    (
        "@PYTEST_RUN@",
        r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider"##,
    ),
    (
        "@NODE_RUN@",
        r##"@NODE@
@ORACLE@ node --test tests/"##,
    ),
    (
        "@JEST_RUN@",
        r##"@JEST@
@ORACLE@ jest"##,
    ),
    (
        "@CARGO_RUN@",
        r##"@CARGO@
@ORACLE@ cargo test --offline -q"##,
    ),
    (
        "@GO_RUN@",
        r##"@GO@
@ORACLE@ go test ./..."##,
    ),
    (
        "@SCRIPT_RUN@",
        r##"@PYTHON@
mkdir checks; printf 'import sys\nsys.path.insert(0, ".")\nimport calc\nassert calc.add(1, 2) == 3\n' > checks/run.py
@ORACLE@ python3 -B checks/run.py"##,
    ),
    (
        "@NODE_SCRIPT_RUN@",
        r##"@NODE@
printf 'const assert = require("assert");\nconst { add } = require("../calc.js");\nassert.equal(add(1, 2), 3);\n' > tests/calc.test.js
@ORACLE@ node tests/calc.test.js"##,
    ),
    (
        "@NODE_LATER_RUN@",
        r##"@NODE@
printf 'const assert = require("assert");\nconst { add } = require("../calc.js");\n(async () => { await null; assert.equal(add(1, 2), 3); })();\n' > tests/calc.test.js
@ORACLE@ node tests/calc.test.js"##,
    ),
    (
        "@BASH_RUN@",
        r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; mkdir -p tests; printf '. ./lib.sh\nfailures=0\n[ "$(add 1 2)" = 3 ] || failures=$((failures+1))\n[ "$(add 2 2)" = 4 ] || failures=$((failures+1))\necho "$failures failed"\nexit $failures\n' > tests/run.sh
@ORACLE@ bash tests/run.sh"##,
    ),
    (
        "@C_RUN@",
        r##"mkdir -p tests src; printf '#include "add.h"\nint add(int a, int b) { return a + b; }\n' > src/add.c; printf 'int add(int a, int b);\n' > src/add.h; printf '#include "../src/add.h"\n#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {\n  char buf[20];\n  snprintf(buf, 20, "%%d", add(1, 2));\n  if (strcmp(buf, "3") != 0) { printf("wrong\\n"); exit(1); }\n  printf("1 passed\\n");\n  return 0;\n}\n' > tests/test_add.c; printf 'check:\n\tcc -o t tests/test_add.c src/add.c\n\t./t\n' > Makefile; echo t > .gitignore
@ORACLE@ make check"##,
    ),
    (
        "@CMAKE_RUN@",
        r##"mkdir -p tests; printf 'int add(int a, int b) { return a + b; }\n' > add.c; printf '#include <assert.h>\nint add(int, int);\nint main(void) { assert(add(1, 2) == 3); return 0; }\n' > tests/test_add.c; printf 'cmake_minimum_required(VERSION 3.10)\nproject(add C)\nenable_testing()\nadd_executable(t add.c tests/test_add.c)\nadd_test(NAME adds COMMAND t)\n' > CMakeLists.txt
@ORACLE@ cmake -S . -B build >/dev/null && cmake --build build >/dev/null && ctest --test-dir build"##,
    ),
    (
        "@BATS_RUN@",
        r##"mkdir -p tests; rm -f tests/*; printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; printf 'setup() {\n  source ./lib.sh\n}\n@test "adds" {\n  run add 1 2\n  [ "$output" = 3 ]\n  [ "$(type -t add)" = function ]\n}\n' > tests/add.bats
@ORACLE@ bats tests"##,
    ),
    (
        "@RUFF_RUN@",
        r##"@PYTHON@
mkdir -p pkg; printf '' > pkg/__init__.py; printf 'def add(a, b):\n    return a + b\n' > pkg/calc.py
@ORACLE@ ruff check --no-cache ."##,
    ),
    ("@LEDGER@", ordinary_bases::LEDGER),
];

/// Returns the shell of a row with its names spelt out; `@ORACLE@ command` is a line of its own.
pub(super) fn spelt_out(base: &str) -> String {
    let mut shell = String::new();
    for line in base.lines() {
        let mut products = BASES
            .iter()
            .chain(another_hand_bases::BASES)
            .chain(examined_bases::BASES);
        let product = products.find(|(name, _)| *name == line);
        let text = match line.strip_prefix("@ORACLE@ ") {
            Some(command) => format!(
                "cat > .gatewalk/verification.yml <<'EOV'\ncode:\n  - name: tests\n    command: {command:?}\n    timeout: 2m\nEOV"
            ),
            None => product.map_or_else(
                || line.to_owned(),
                |(_, text)| format!("rm -rf tests\n{}", spelt_out(text)),
            ),
        };
        shell.push_str(&text);
        shell.push('\n');
    }
    shell
}
