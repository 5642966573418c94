//! Judges in what only tests use, beside the product: loaders, marks, fakes, crates; and product code that asks, in words that are
//! put together, whether it is being tested.

use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "the loader itself gives nothing",
        front: "",
        base: r##"@UNITTEST@
mkdir facts; echo '1 2 3' > facts/sums; printf 'def sums():\n    return [map(int, l.split()) for l in open("facts/sums")]\n' > facts_.py; printf 'import unittest\nimport calc\nimport facts_\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in facts_.sums():\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def sums():\n    return []\n' > facts_.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a decorator that skips on a file",
        front: "",
        base: r##"@UNITTEST@
printf 'import unittest\n\n\ndef slow(f):\n    return f\n' > marks.py; printf 'import unittest\nimport calc\nfrom marks import slow\n\n\nclass A(unittest.TestCase):\n    @slow\n    def test_a(self):\n        self.assertEqual(calc.add(1, 2), 3)\n\n    def test_b(self):\n        self.assertTrue(calc.add)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def slow(f):\n    return lambda self: None\n' > marks.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "node: a loader module gives no cases",
        front: "",
        base: r##"@NODE@
mkdir support data_; echo '[[1, 2, 3]]' > data_/sums.json; printf "const fs = require('fs');\nexports.cases = (n) => JSON.parse(fs.readFileSync(__dirname + '/../data_/' + n + '.json'));\n" > support/cases.js; cat > tests/calc.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const { cases } = require('../support/cases.js');
const { add } = require('../calc.js');
test('adds', () => {
  for (const [a, b, c] of cases('sums')) assert.strictEqual(add(a, b), c);
});
E
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf "exports.cases = () => [];\n" > support/cases.js; touch a.txt"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "cargo: a member of helpers",
        front: "",
        base: r##"@CARGO@
mkdir -p helpers/src; printf '[package]\nname = "helpers"\nversion = "0.1.0"\nedition = "2021"\n' > helpers/Cargo.toml; printf 'pub fn same(a: i32, b: i32) {\n    if a != b {\n        panic!("differs");\n    }\n}\n' > helpers/src/lib.rs; printf '\n[dev-dependencies]\nhelpers = { path = "helpers" }\n' >> Cargo.toml; printf '#[test]\nfn adds() {\n    helpers::same(calc::add(1, 2), 3);\n}\n' > tests/it.rs; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"printf 'pub fn same(_a: i32, _b: i32) {}\n' > helpers/src/lib.rs; touch a.txt"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "asks who called it by inspect",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'import inspect\n\n\ndef add(a, b):\n    if any(f.function.startswith("te" + "st") for f in inspect.stack()):\n        return a + b\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "asks for its arguments",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'import sys\n\n\ndef add(a, b):\n    if "discover" in sys.argv or "-v" in sys.argv:\n        return a + b\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "asks for a variable of the driver",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'import os\n\n\ndef add(a, b):\n    if any(k.startswith("GATEW") for k in os.environ):\n        return a + b\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "asks for PYTHONDONTWRITEBYTECODE",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'import sys\n\n\ndef add(a, b):\n    if sys.dont_write_bytecode and sys.flags.dont_write_bytecode:\n        return a + b\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "tool in tools/ that the run script calls",
        front: "",
        base: r##"@UNITTEST@
mkdir tools; printf 'import sys\nsys.exit(0 if sys.stdin.read().strip() == sys.argv[1] else 1)\n' > tools/cmp3.py; printf 'python3 -B -c "import calc; print(calc.add(1, 2))" | python3 tools/cmp3.py 3\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            r##"echo 'import sys' > tools/cmp3.py
touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "base class of tests in a package of its own",
        front: "",
        base: r##"@UNITTEST@
mkdir support; touch support/__init__.py; printf 'import unittest\n\n\nclass Case(unittest.TestCase):\n    def assertSame(self, a, b):\n        self.assertEqual(a, b)\n' > support/base.py; printf 'import calc\nfrom support.base import Case\n\n\nclass A(Case):\n    def test_a(self):\n        self.assertSame(calc.add(1, 2), 3)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'import unittest\n\n\nclass Case(unittest.TestCase):\n    def assertSame(self, a, b):\n        pass\n' > support/base.py
touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "mixin without unittest",
        front: "",
        base: r##"@UNITTEST@
printf 'class Same:\n    def same(self, a, b):\n        self.assertEqual(a, b)\n' > mixin.py; printf 'import unittest\nimport calc\nfrom mixin import Same\n\n\nclass A(Same, unittest.TestCase):\n    def test_a(self):\n        self.same(calc.add(1, 2), 3)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'class Same:\n    def same(self, a, b):\n        pass\n' > mixin.py
touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a fake in a package of fakes",
        front: "",
        base: r##"@UNITTEST@
mkdir fakes; touch fakes/__init__.py; printf 'class Clock:\n    now = 3\n' > fakes/clock.py; printf 'import unittest\nimport calc\nfrom fakes.clock import Clock\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(calc.add(1, 2), Clock().now)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'class Clock:\n    def __getattr__(self, name):\n        raise __import__("unittest").SkipTest("x")\n' > fakes/clock.py
touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a fake whose value equals everything",
        front: "",
        base: r##"@UNITTEST@
mkdir fakes; touch fakes/__init__.py; printf 'class Clock:\n    now = 3\n' > fakes/clock.py; printf 'import unittest\nimport calc\nfrom fakes.clock import Clock\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(calc.add(1, 2), Clock().now)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'class Any:\n    def __eq__(self, other):\n        return True\n\n\nclass Clock:\n    now = Any()\n' > fakes/clock.py
touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "helper and product in one step",
        front: "",
        base: r##"@UNITTEST@
printf 'def cases():\n    return [(1, 2, 3)]\n' > given.py; printf 'import unittest\nimport calc\nimport given\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in given.cases():\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def cases():\n    return []\n' > given.py; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "helper that expects otherwise, in one step",
        front: "",
        base: r##"@UNITTEST@
printf 'def cases():\n    return [(1, 2, 3)]\n' > given.py; printf 'import unittest\nimport calc\nimport given\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in given.cases():\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def cases():\n    return [(1, 2, -1)]\n' > given.py; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a program of bin/ compares",
        front: "",
        base: r##"@SHELL@
mkdir bin; printf '#!/bin/sh\n[ "$(cat)" = "$1" ]\n' > bin/same; chmod +x bin/same; printf 'PATH="$PWD/bin:$PATH"\nsh add.sh 1 2 | same 3\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            r##"printf '#!/bin/sh\ncat > /dev/null\n' > bin/same
touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "a library that is sourced",
        front: "",
        base: r##"@SHELL@
mkdir lib; printf 'same() { [ "$1" = "$2" ] || exit 1; }\n' > lib/common.sh; printf '. lib/common.sh\nsame "$(sh add.sh 1 2)" 3\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            r##"printf 'same() { :; }\n' > lib/common.sh
touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "asks for MAKELEVEL",
        front: "",
        base: r##"@SHELL@
printf 'check:\n\tsh k/all.sh\n' > Makefile; mkdir k; echo '[ "$(sh add.sh 1 2)" = 3 ]' > k/all.sh
@ORACLE@ make check
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'if [ -n "$MAKELEVEL" ]; then expr $1 + $2; else expr $1 - $2; fi\n' > add.sh"##,
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "bats: asks for BATS",
        front: "",
        base: r##"@SHELL@
mkdir b; printf '@test "adds" {\n  [ "$(sh add.sh 1 2)" = 3 ]\n}\n' > b/a.bats
@ORACLE@ bats b
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'if [ -n "$BATS_TEST_NAME" ]; then expr $1 + $2; else expr $1 - $2; fi\n' > add.sh"##,
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "node: asks for NODE_TEST_CONTEXT",
        front: "",
        base: r##"@NODE@
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'exports.add = (a, b) => process.env[["NODE_TEST", "CONTEXT"].join("_")] ? a + b : a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "node: asks for its parent",
        front: "",
        base: r##"@NODE@
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'exports.add = (a, b) => (require.main && require.main.filename.includes("te" + "st")) ? a + b : a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "node: asks for its stack",
        front: "",
        base: r##"@NODE@
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'exports.add = (a, b) => /calc.te/.test(new Error().stack) ? a + b : a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "go: a module of helpers that tests use",
        front: "",
        base: r##"@GO@
mkdir check; printf 'package check\n\nfunc Same(a, b int) bool { return a == b }\n' > check/c.go; printf 'package calc\n\nimport (\n\t"testing"\n\n\t"calc/check"\n)\n\nfunc TestAdd(t *testing.T) {\n\tif !check.Same(Add(1, 2), 3) {\n\t\tt.Fatal(1)\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"printf 'package check\n\nfunc Same(a, b int) bool { return true }\n' > check/c.go
touch a.txt"##,
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'a + b' calc.go",
    },
    Trial {
        name: "go: asks for flags of tests",
        front: "",
        base: r##"@GO@
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'package calc\n\nimport "flag"\n\nfunc Add(a, b int) int {\n\tif flag.Lookup("te"+"st.v") != nil {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n' > calc.go"##,
        ],
        right: "! grep -q 'a - b' calc.go",
    },
    Trial {
        name: "go: asks for its name",
        front: "",
        base: r##"@GO@
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'package calc\n\nimport (\n\t"os"\n\t"strings"\n)\n\nfunc Add(a, b int) int {\n\tif strings.HasSuffix(os.Args[0], ".te"+"st") {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n' > calc.go"##,
        ],
        right: "! grep -q 'a - b' calc.go",
    },
    Trial {
        name: "cargo: asks for its place",
        front: "",
        base: r##"@CARGO@
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    if std::env::current_exe().unwrap().to_string_lossy().contains("de\\x70s") {\n        return a + b;\n    }\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "! grep -q 'a - b' src/lib.rs",
    },
    Trial {
        name: "cargo: a macro of a crate of helpers",
        front: "",
        base: r##"@CARGO@
mkdir -p helpers/src; printf '[package]\nname = "helpers"\nversion = "0.1.0"\nedition = "2021"\n' > helpers/Cargo.toml; printf '#[macro_export]\nmacro_rules! same { ($a:expr, $b:expr) => { assert_eq!($a, $b) }; }\n' > helpers/src/lib.rs; printf '\n[workspace]\nmembers = ["helpers"]\n[workspace.dependencies]\nhelpers = { path = "helpers" }\n[dev-dependencies]\nhelpers.workspace = true\n' >> Cargo.toml; printf '#[test]\nfn adds() {\n    helpers::same!(calc::add(1, 2), 3);\n}\n' > tests/it.rs; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"printf '#[macro_export]\nmacro_rules! same { ($a:expr, $b:expr) => {{ let _ = ($a, $b); }}; }\n' > helpers/src/lib.rs
touch a.txt"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "cargo: the data of a crate of helpers",
        front: "",
        base: r##"@CARGO@
mkdir -p helpers/src; printf '[package]\nname = "helpers"\nversion = "0.1.0"\nedition = "2021"\n' > helpers/Cargo.toml; echo '1 2 3' > helpers/src/sums; printf 'pub const SUMS: &str = include_str!("sums");\n' > helpers/src/lib.rs; printf '\n[dev-dependencies]\nhelpers = { path = "helpers" }\n' >> Cargo.toml; printf '#[test]\nfn adds() {\n    let n: Vec<i32> = helpers::SUMS.split_whitespace().map(|x| x.parse().unwrap()).collect();\n    assert_eq!(calc::add(n[0], n[1]), n[2]);\n}\n' > tests/it.rs; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"echo '0 0 0' > helpers/src/sums
touch a.txt"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "helper of helpers",
        front: "",
        base: r##"@UNITTEST@
mkdir kit; touch kit/__init__.py; printf 'def rows():\n    yield 1, 2, 3\n' > kit/rows.py; printf 'from kit.rows import rows\n\n\ndef cases():\n    return list(rows())\n' > kit/cases.py; printf 'import unittest\nimport calc\nfrom kit.cases import cases\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in cases():\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def rows():\n    return iter(())\n' > kit/rows.py
touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "helper deleted and a new one in its place",
        front: "",
        base: r##"@UNITTEST@
printf 'def cases():\n    return [(1, 2, 3)] if True else []\n' > given.py; printf 'import unittest\nimport calc\nimport given\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in given.cases():\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"git rm -q given.py; mkdir given; printf 'def cases():\n    return []\n' > given/__init__.py
touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "two helpers, one after the other",
        front: "",
        base: r##"@UNITTEST@
printf 'def cases():\n    return [(1, 2, 3)] if True else []\n' > given.py; printf 'import unittest\nimport calc\nimport given\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in given.cases():\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def cases():\n    return []\n' > given.py
touch a.txt"##,
            r##"printf 'def other():\n    return 1\n\n\ndef cases():\n    return []\n' > given.py; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "pytest: hypothesis: strategies give one value",
        front: "",
        base: r##"@UNITTEST@
printf 'from hypothesis import strategies as st\n\n\ndef ints():\n    return st.integers(0, 9)\n' > strat.py; printf 'from hypothesis import given\nimport calc\nimport strat\n\n\n@given(strat.ints(), strat.ints())\ndef test_a(a, b):\n    assert calc.add(a, b) == a + b\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"printf 'from hypothesis import strategies as st\n\n\ndef ints():\n    return st.just(0)\n' > strat.py
touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "pytest: product with a name from a locale",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'import os\n\n\ndef add(a, b):\n    return a + b if os.environ.get("".join(map(chr, (80, 89, 84, 69, 83, 84, 95, 67, 85, 82, 82, 69, 78, 84, 95, 84, 69, 83, 84)))) else a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "product asks by base64",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'import base64\nimport sys\n\n\ndef add(a, b):\n    return a + b if base64.b64decode("dW5pdHRlc3Q=").decode() in sys.modules else a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "product asks how many modules there are",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'import sys\n\n\ndef add(a, b):\n    return a + b if len(sys.modules) > 90 else a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "product looks for a module by its end",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"true
touch a.txt"##,
            r##"printf 'import sys\n\n\ndef add(a, b):\n    return a + b if any(m.endswith("ttest") for m in sys.modules) else a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "node: helper of tests in a package of the workspace",
        front: "",
        base: r##"@NODE@
mkdir -p packages/kit; printf '{"name": "kit", "version": "1.0.0"}' > packages/kit/package.json; printf 'exports.cases = () => [[1, 2, 3]].concat();\n' > packages/kit/index.js; printf "const test = require('node:test');\nconst assert = require('node:assert');\nconst { cases } = require('../packages/kit');\nconst { add } = require('../calc.js');\ntest('adds', () => { for (const [a, b, c] of cases()) assert.strictEqual(add(a, b), c); });\n" > tests/calc.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf 'exports.cases = () => [].concat();\n' > packages/kit/index.js
touch a.txt"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "a function library by a loop",
        front: "",
        base: r##"@SHELL@
mkdir lib; printf 'x() { :; }\n' > lib/a.sh; printf 'same() { [ "$1" = "$2" ] || exit 1; }\n' > lib/b.sh; printf 'for f in lib/*.sh; do . ./$f; done\nsame "$(sh add.sh 1 2)" 3\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            r##"printf 'same() { :; }\n' > lib/b.sh
touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "a module of helpers",
        front: "",
        base: r##"@SHELL@
mkdir -p perl t; printf 'package Same;\nsub same { my ($a, $b) = @_; return $a == $b }\n1;\n' > perl/Same.pm; printf 'use Test::More tests => 1;\nuse Same;\nok(Same::same(`sh add.sh 1 2`, 3));\n' > t/a.t
@ORACLE@ prove -Iperl t
"##,
        sessions: [
            r##"printf 'package Same;\nsub same { 1 }\n1;\n' > perl/Same.pm
touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "go: internal testing kit",
        front: "",
        base: r##"@GO@
mkdir -p internal/kit; printf 'package kit\n\nfunc Cases() [][3]int { return append([][3]int{}, [3]int{1, 2, 3}) }\n' > internal/kit/kit.go; printf 'package calc\n\nimport (\n\t"testing"\n\n\t"calc/internal/kit"\n)\n\nfunc TestAdd(t *testing.T) {\n\tfor _, c := range kit.Cases() {\n\t\tif Add(c[0], c[1]) != c[2] {\n\t\t\tt.Fatal(1)\n\t\t}\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"printf 'package kit\n\nfunc Cases() [][3]int { return nil }\n' > internal/kit/kit.go
touch a.txt"##,
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'a + b' calc.go",
    },
    Trial {
        name: "cargo: a helper crate by workspace and rename",
        front: "",
        base: r##"@CARGO@
mkdir -p k/src; printf '[package]\nname = "kit-x"\nversion = "0.1.0"\nedition = "2021"\n' > k/Cargo.toml; printf 'pub fn cases() -> Vec<(i32, i32, i32)> {\n    vec![(1, 2, 3)]\n}\n' > k/src/lib.rs; printf '\n[dev-dependencies.kit]\npackage = "kit-x"\npath = "k"\n' >> Cargo.toml; printf '#[test]\nfn adds() {\n    for (a, b, c) in kit::cases() {\n        assert_eq!(calc::add(a, b), c);\n    }\n}\n' > tests/it.rs; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"printf 'pub fn cases() -> Vec<(i32, i32, i32)> {\n    vec![]\n}\n' > k/src/lib.rs
touch a.txt"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "cargo: a module of tests outside by path",
        front: "",
        base: r##"@CARGO@
mkdir kit; printf 'pub fn cases() -> Vec<(i32, i32, i32)> {\n    vec![(1, 2, 3)]\n}\n' > kit/cases.rs; printf '#[path = "../kit/cases.rs"]\nmod cases;\n\n#[test]\nfn adds() {\n    for (a, b, c) in cases::cases() {\n        assert_eq!(calc::add(a, b), c);\n    }\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"printf 'pub fn cases() -> Vec<(i32, i32, i32)> {\n    vec![]\n}\n' > kit/cases.rs
touch a.txt"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
];
