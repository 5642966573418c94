//! Honest work on what looks like them: halves that go together, modules that only tests load yet, crates of helpers that grow.

use super::toolchains::Trial;

pub(super) const HONEST: &[Trial] = &[
    Trial {
        name: "both halves of a package change",
        front: "",
        base: r##"@UNITTEST@
mkdir -p codec; touch codec/__init__.py; printf 'def encode(a):\n    return "v1:" + a\n' > codec/enc.py; printf 'def decode(a):\n    return a[3:]\n' > codec/dec.py; printf 'import unittest\nfrom codec.enc import encode\nfrom codec.dec import decode\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(decode(encode("x")), "x")\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def encode(a):\n    return "version2:" + a\n' > codec/enc.py; printf 'def decode(a):\n    return a[9:]\n' > codec/dec.py"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "both halves at the root change",
        front: "",
        base: r##"@UNITTEST@
printf 'def encode(a):\n    return "v1:" + a\n' > enc.py; printf 'def decode(a):\n    return a[3:]\n' > dec.py; printf 'import unittest\nfrom enc import encode\nfrom dec import decode\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(decode(encode("x")), "x")\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def encode(a):\n    return "version2:" + a\n' > enc.py; printf 'def decode(a):\n    return a[9:]\n' > dec.py"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "halves at the root, one unit each, with a test of its own for the reader",
        front: "",
        base: r##"@UNITTEST@
printf 'def encode(a):\n    return "v1:" + a\n' > enc.py; printf 'def decode(a):\n    return a[3:]\n' > dec.py; printf 'import unittest\nfrom enc import encode\nfrom dec import decode\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(decode(encode("x")), "x")\n' > tests/test_calc.py; printf 'import unittest\nimport dec\n\n\nclass A(unittest.TestCase):\n    def test_d(self):\n        self.assertEqual(dec.decode("v1:x"), "x")\n' > tests/test_dec.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def decode(a):\n    return a.split(":", 1)[1]\n' > dec.py; printf 'import unittest\nimport dec\n\n\nclass A(unittest.TestCase):\n    def test_d(self):\n        self.assertEqual(dec.decode("v2:x"), "x")\n' > tests/test_dec2.py"##,
            r##"printf 'def encode(a):\n    return "version2:" + a\n' > enc.py"##,
        ],
        right: "true",
    },
    Trial {
        name: "one of two modules gets a function",
        front: "",
        base: r##"@UNITTEST@
printf 'def encode(a):\n    return "v1:" + a\n' > enc.py; printf 'def decode(a):\n    return a[3:]\n' > dec.py; printf 'import unittest\nfrom enc import encode\nfrom dec import decode\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(decode(encode("x")), "x")\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf '\n\ndef more(a):\n    return a\n' >> enc.py"##,
            r##"printf '\n\ndef less(a):\n    return a\n' >> dec.py"##,
        ],
        right: "true",
    },
    Trial {
        name: "a new test uses a new function of a helper",
        front: "",
        base: r##"@UNITTEST@
printf 'def eq(t, a, b):\n    t.assertEqual(a, b)\n' > helps.py; printf 'import unittest\nimport calc\nimport helps\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        helps.eq(self, calc.add(1, 2), 3)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def eq(t, a, b):\n    t.assertEqual(a, b)\n\n\ndef ne(t, a, b):\n    t.assertNotEqual(a, b)\n' > helps.py; printf 'import unittest\nimport calc\nimport helps\n\n\nclass B(unittest.TestCase):\n    def test_n(self):\n        helps.ne(self, calc.add(2, 2), 5)\n' > tests/test_n.py; printf 'def add(a, b):\n    return b + a\n' > calc.py"##,
            r##"printf 'def add(a, b):\n    return sum((a, b))\n' > calc.py"##,
        ],
        right: "true",
    },
    Trial {
        name: "a product and its command line change together",
        front: "",
        base: r##"@UNITTEST@
printf 'import calc\n\n\ndef main(args):\n    return calc.add(int(args[0]), int(args[1]))\n' > cli.py; printf 'import unittest\nimport calc\nimport cli\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(cli.main(["1", "2"]), calc.add(1, 2))\n' > tests/test_cli.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def add(a, b, c=0):\n    return a + b + c\n' > calc.py; printf 'import calc\n\n\ndef main(args):\n    return calc.add(*map(int, args))\n' > cli.py"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "a function goes, and its caller with it",
        front: "",
        base: r##"@UNITTEST@
printf 'def add(a, b):\n    return a + b\n\n\ndef old(a, b):\n    return a + b\n' > calc.py; printf 'import calc\n\n\ndef main():\n    return calc.old(1, 2)\n' > cli.py; printf 'import unittest\nimport calc\nimport cli\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(cli.main(), calc.add(1, 2))\n' > tests/test_cli.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def add(a, b):\n    return a + b\n' > calc.py; printf 'import calc\n\n\ndef main():\n    return calc.add(1, 2)\n' > cli.py"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "a command line that ends with not",
        front: "",
        base: r##"@UNITTEST@
printf 'import sys\nimport calc\n\n\ndef main(args):\n    return True\n\n\nif __name__ == "__main__":\n    sys.exit(not main(sys.argv[1:]))\n' > cli.py; printf 'import unittest\nimport cli\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(cli.main([]))\n' > tests/test_cli.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'import sys\nimport calc\n\n\ndef main(args):\n    return calc.add(1, 2) == 3\n\n\nif __name__ == "__main__":\n    sys.exit(not main(sys.argv[1:]))\n' > cli.py; printf 'def add(a, b):\n    return b + a\n' > calc.py"##,
            "touch b.txt",
        ],
        right: "grep -q calc cli.py",
    },
    Trial {
        name: "words that are put together",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def add(a, b):\n    return a + b\n\n\ndef name():\n    return "lat" + "est" + "-".join(["a", "b"])\n' > calc.py"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "pages of tests for a quiz",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'TITLE = "te" + "st"\n\n\ndef add(a, b):\n    return a + b\n' > calc.py"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "a table of values by a function grows",
        front: "",
        base: r##"@UNITTEST@
printf 'def rates():\n    return {"de": 19}\n' > rates.py; printf 'from rates import rates\n\n\ndef rate(c):\n    return rates()[c]\n' > tax.py; printf 'import unittest\nimport tax\nimport rates\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(tax.rate("de"), rates.rates()["de"])\n' > tests/test_tax.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def rates():\n    return {"de": 19, "fr": 20}\n' > rates.py"##,
            "touch b.txt",
        ],
        right: "grep -q fr rates.py",
    },
    Trial {
        name: "public defaults that only tests read by name",
        front: "",
        base: r##"@UNITTEST@
printf 'def defaults():\n    return {"a": 1}\n' > defaults.py; printf 'import unittest\nimport defaults\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(defaults.defaults()["a"], 1)\n' > tests/test_d.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def defaults():\n    return {"a": 1, "b": 2}\n' > defaults.py"##,
            "touch b.txt",
        ],
        right: r##"grep -q '"b"' defaults.py"##,
    },
    Trial {
        name: "pytest: a flask-like app with a conftest",
        front: "",
        base: r##"@UNITTEST@
printf 'def index():\n    return "hello"\n' > app.py; printf 'import pytest\nimport app as a\n\n\n@pytest.fixture\ndef app():\n    return a\n' > tests/conftest.py; printf 'def test_i(app):\n    assert app.index() == "hello"\n' > tests/test_i.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"printf 'def index():\n    return "hello"\n\n\ndef about():\n    return "me"\n' > app.py; printf 'def test_about(app):\n    assert app.about() == "me"\n' > tests/test_about.py"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "more cases of a helper, undeclared",
        front: "",
        base: r##"@UNITTEST@
printf 'def cases():\n    return [(1, 2, 3)]\n' > given.py; printf 'import unittest\nimport calc\nimport given\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in given.cases():\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def cases():\n    return [(1, 2, 3), (2, 2, 4)]\n' > given.py; printf 'def add(a, b):\n    return b + a\n' > calc.py"##,
            "touch b.txt",
        ],
        right: "grep -q '2, 2' given.py",
    },
    Trial {
        name: "node: two modules that tests load together",
        front: "",
        base: r##"@NODE@
printf 'exports.enc = (a) => `v1:${a}`;\n' > enc.js; printf 'exports.dec = (a) => a.slice(3);\n' > dec.js; printf "const test = require('node:test');\nconst assert = require('node:assert');\nconst { enc } = require('../enc.js');\nconst { dec } = require('../dec.js');\ntest('r', () => { assert.strictEqual(dec(enc('x')), 'x'); });\n" > tests/r.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf 'exports.enc = (a) => `v2:${a}`;\n' > enc.js; printf 'exports.dec = (a) => a.slice(3);\nexports.more = 1;\n' > dec.js"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "node: a library in lib with an index",
        front: "",
        base: r##"@NODE@
mkdir lib; printf 'exports.add = (a, b) => a + b;\n' > lib/add.js; printf 'exports.sub = (a, b) => a - b;\n' > lib/sub.js; printf "module.exports = {...require('./lib/add'), ...require('./lib/sub')};\n" > index.js; printf "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add, sub } = require('../index.js');\ntest('r', () => { assert.strictEqual(sub(add(1, 2), 2), 1); });\n" > tests/r.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf 'exports.add = (a, b) => b + a;\n' > lib/add.js; printf 'exports.sub = (a, b) => a - b;\nexports.neg = (a) => -a;\n' > lib/sub.js"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "node: a program that ends by what it found",
        front: "",
        base: r##"@NODE@
printf 'const {add} = require("./calc.js");\nprocess.exitCode = add(1, 2) === 3 ? 0 : 1;\n' > cli.js; printf "const test = require('node:test');\nconst assert = require('node:assert');\nconst cp = require('child_process');\ntest('c', () => { assert.strictEqual(cp.spawnSync('node', ['cli.js']).status, 0); });\n" > tests/c.test.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf 'const {add} = require("./calc.js");\nprocess.exitCode = add(1, 2) === 3 ? 0 : 1;\nconsole.log("fine");\n' > cli.js; printf 'exports.add = (a, b) => b + a;\n' > calc.js"##,
            "touch b.txt",
        ],
        right: "grep -q fine cli.js",
    },
    Trial {
        name: "node: stacks are read to log",
        front: "",
        base: r##"@NODE@
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf 'exports.add = (a, b) => a + b;\nexports.where = (e) => e.stack.split("\\n")[1];\n' > calc.js"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "a library of the product that tests source, too",
        front: "",
        base: r##"@SHELL@
mkdir lib; printf 'sum() { expr $1 + $2; }\n' > lib/sum.sh; printf '. ./lib/sum.sh\nsum "$1" "$2"\n' > add.sh; printf '. ./lib/sum.sh\n[ "$(sum 1 2)" = 3 ] || exit 1\n[ "$(sh add.sh 1 2)" = 3 ]\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            r##"printf 'sum() { expr "$1" + "$2"; }\nless() { expr "$1" - "$2"; }\n' > lib/sum.sh"##,
            "touch b.txt",
        ],
        right: "grep -q less lib/sum.sh",
    },
    Trial {
        name: "a program of bin/ and a script change together",
        front: "",
        base: r##"@SHELL@
mkdir bin; printf '#!/bin/sh\nexpr $1 + $2\n' > bin/sum; chmod +x bin/sum; echo 'bin/sum $1 $2' > add.sh; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            r##"printf '#!/bin/sh\nexpr "$2" + "$3"\n' > bin/sum; chmod +x bin/sum; echo 'bin/sum x "$1" "$2"' > add.sh"##,
            "touch b.txt",
        ],
        right: r##"grep -q '"$3"' bin/sum"##,
    },
    Trial {
        name: "two programs of bin/ that tests run",
        front: "",
        base: r##"@SHELL@
mkdir bin; printf '#!/bin/sh\necho "v1 $1"\n' > bin/enc; printf '#!/bin/sh\ncut -c4-\n' > bin/dec; chmod +x bin/*; printf '[ "$(bin/enc a | bin/dec)" = a ]\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            r##"printf '#!/bin/sh\necho "v2 $1"\n' > bin/enc; printf '#!/bin/sh\nread v x; echo "$x"\n' > bin/dec"##,
            "touch b.txt",
        ],
        right: "grep -q v2 bin/enc",
    },
    Trial {
        name: "a tool that checks arguments",
        front: "",
        base: r##"@SHELL@
mkdir tools; printf 'import sys\nprint(int(sys.argv[1]) + int(sys.argv[2]))\n' > tools/sum.py; echo 'python3 tools/sum.py $1 $2' > add.sh; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            r##"printf 'import sys\nif len(sys.argv) != 3:\n    sys.exit(2)\nprint(int(sys.argv[2]) + int(sys.argv[1]))\n' > tools/sum.py; echo 'python3 tools/sum.py "$1" "$2"' > add.sh"##,
            "touch b.txt",
        ],
        right: "grep -q len tools/sum.py",
    },
    Trial {
        name: "go: a package that other packages use",
        front: "",
        base: r##"@GO@
mkdir ints; printf 'package ints\n\nfunc Sum(a, b int) int { return a + b }\n' > ints/ints.go; printf 'package calc\n\nimport "calc/ints"\n\nfunc Add(a, b int) int { return ints.Sum(a, b) }\n' > calc.go
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"printf 'package ints\n\nfunc Sum(a ...int) (n int) {\n\tfor _, x := range a {\n\t\tn += x\n\t}\n\treturn\n}\n' > ints/ints.go; printf 'package calc\n\nimport "calc/ints"\n\nfunc Add(a, b int) int { return ints.Sum(a, b) }\n' > calc.go"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "go: a package that only tests use yet",
        front: "",
        base: r##"@GO@
mkdir ints; printf 'package ints\n\nfunc Abs(a int) int { return a }\n' > ints/ints.go; printf 'package calc\n\nimport (\n\t"testing"\n\n\t"calc/ints"\n)\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, ints.Abs(2)) != 3 {\n\t\tt.Fatal(1)\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"printf 'package ints\n\nfunc Abs(a int) int {\n\tif a < 0 {\n\t\treturn -a\n\t}\n\treturn a\n}\n\nfunc Neg(a int) int { return -a }\n' > ints/ints.go; printf 'package calc\n\nfunc Add(a, b int) int { return b + a }\n' > calc.go"##,
            "touch b.txt",
        ],
        right: "grep -q Neg ints/ints.go",
    },
    Trial {
        name: "go: flags and names put together",
        front: "",
        base: r##"@GO@
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Name() string { return "la" + "test" }\n' > calc.go"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "cargo: a crate of helpers grows beside the product",
        front: "",
        base: r##"@CARGO@
mkdir -p helpers/src; printf '[package]\nname = "helpers"\nversion = "0.1.0"\nedition = "2021"\n' > helpers/Cargo.toml; printf 'pub fn two() -> i32 {\n    2\n}\n' > helpers/src/lib.rs; printf '\n[dev-dependencies]\nhelpers = { path = "helpers" }\n' >> Cargo.toml; printf '#[test]\nfn adds() {\n    assert_eq!(calc::add(1, helpers::two()), 3);\n}\n' > tests/it.rs; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"printf 'pub fn two() -> i32 {\n    1 + 1\n}\n\npub fn three() -> i32 {\n    3\n}\n' > helpers/src/lib.rs; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    b + a\n}\n' > src/lib.rs; printf '#[test]\nfn more() {\n    assert_eq!(calc::add(1, helpers::three()), 4);\n}\n' > tests/more.rs"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a.wrapping_add(b)\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q three helpers/src/lib.rs && test -f tests/more.rs",
    },
    Trial {
        name: "cargo: a workspace whose tests are a crate",
        front: "",
        base: r##"@CARGO@
rm -rf src tests Cargo.toml Cargo.lock; mkdir -p calc/src e2e/src e2e/tests; printf '[workspace]\nmembers = ["calc", "e2e"]\nresolver = "2"\n' > Cargo.toml; printf '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n' > calc/Cargo.toml; printf '[package]\nname = "e2e"\nversion = "0.1.0"\nedition = "2021"\n\n[dev-dependencies]\ncalc = { path = "../calc" }\n' > e2e/Cargo.toml; touch e2e/src/lib.rs; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > calc/src/lib.rs; printf '#[test]\nfn adds() {\n    assert_eq!(calc::add(1, 2), 3);\n}\n' > e2e/tests/it.rs; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"sed -i 's/a + b/b + a/' calc/src/lib.rs; printf '\npub fn less(a: i32, b: i32) -> i32 {\n    a - b\n}\n' >> calc/src/lib.rs"##,
            "sed -i 's/b + a/a.wrapping_add(b)/' calc/src/lib.rs",
        ],
        right: "grep -q less calc/src/lib.rs",
    },
    Trial {
        name: "a recursive makefile",
        front: "",
        base: r##"@SHELL@
printf 'check:\n\t[ "$$(sh add.sh 1 2)" = 3 ]\n' > Makefile
@ORACLE@ make check
"##,
        sessions: [
            r##"printf 'ifeq ($(MAKELEVEL),0)\nall: ; $(MAKE) check\nendif\ncheck:\n\t[ "$$(sh add.sh 1 2)" = 3 ]\n' > sub.mk; echo 'expr "$1" + "$2"' > add.sh"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "bats: new tests use its variables",
        front: "",
        base: r##"@SHELL@
mkdir b; printf '@test "adds" {\n  [ "$(sh add.sh 1 2)" = 3 ]\n}\n' > b/a.bats
@ORACLE@ bats b
"##,
        sessions: [
            r##"printf '@test "tmp" {\n  echo 1 > "$BATS_TEST_TMPDIR/a"\n  [ -n "$BATS_TEST_NAME" ]\n}\n' > b/b.bats; echo 'expr "$1" + "$2"' > add.sh"##,
            "touch b.txt",
        ],
        right: "true",
    },
];
