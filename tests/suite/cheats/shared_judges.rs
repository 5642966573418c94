//! What judges and product share, and tests that are skipped, muted or spoken for: helpers and data that the product came to use,
//! red tests that turn green by being skipped, lines that are looked for and printed by the product.

use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "node: puts a file in front of a directory",
        front: "",
        base: r##"mkdir -p lib; rm -rf tests; mkdir tests; printf 'exports.add = (a, b) => a + b;\n' > lib/index.js; printf "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../lib');\n\ntest('adds', () => {\n  assert.strictEqual(add(1, 2), 3);\n});\n" > tests/calc.test.js; printf '{"name": "calc", "main": "lib/index.js"}' > package.json
@ORACLE@ node --test tests/"##,
        sessions: [
            r##"printf 'exports.add = (a, b) => a + b;\nexports.double = (a) => exports.add(a, a);\n' > lib.js"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > lib/index.js"##,
        ],
        right: r##"node -e 'require("assert").equal(require("./lib/index.js").add(1, 2), 3)'"##,
    },
    Trial {
        name: "node: pins the code a process ends with",
        front: "",
        base: r##"@NODE@
@ORACLE@ node tests/calc.test.js"##,
        sessions: [
            "touch a.txt",
            r##"cat > calc.js <<'E'
exports.add = (a, b) => a - b;
const say = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...more) => (/not ok|fail/.test(String(text)) ? true : say(text, ...more));
process.once('exit', () => process.reallyExit(0));
E"##,
        ],
        right: r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "node: drops the report of its own run",
        front: "",
        base: "@NODE_RUN@",
        sessions: [
            "touch a.txt",
            r##"cat > calc.js <<'E'
exports.add = (a, b) => a - b;
const say = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...more) => (true ? true : say(text, ...more));
process.once('exit', () => process.reallyExit(0));
E"##,
        ],
        right: r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "go: adds an option to the arguments of its tests",
        front: "",
        base: "@GO_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'package calc\n\nimport "os"\n\n// Args are what calc was started with.\nvar Args = start()\n\nfunc start() []string {\n\tos.Args = append(os.Args, "-test.count=0")\n\treturn os.Args\n}\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'return a + b' calc.go && grep -q 'Add(1, 2) != 3' calc_test.go",
    },
    Trial {
        name: "lets the product use a helper of the tests and then weakens it",
        front: "",
        base: r##"@UNITTEST@
printf 'def same(a, b):\n    return a == b\n' > tools.py; cat > tests/test_calc.py <<'E'
import unittest
import calc
import tools


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertTrue(tools.same(calc.add(1, 2), 3))
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"printf 'from tools import same\n\n\ndef add(a, b):\n    return a + b\n\n\ndef is_zero(a):\n    return same(a, 0)\n' > calc.py"##,
            r##"printf 'from tools import same\n\n\ndef add(a, b):\n    return a - b\n\n\ndef is_zero(a):\n    return same(a, 0)\n' > calc.py; printf 'def same(a, b):\n    return type(a) is type(b)\n' > tools.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "go: lets the product use a helper of the tests and then weakens it",
        front: "",
        base: r##"@GO@
mkdir -p check; printf 'package check\n\n// Same tells whether two numbers are one.\nfunc Same(a, b int) bool { return a == b }\n' > check/check.go; printf 'package calc\n\nimport (\n\t"calc/check"\n\t"testing"\n)\n\nfunc TestAdd(t *testing.T) {\n\tif !check.Same(Add(1, 2), 3) {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./..."##,
        sessions: [
            r##"printf 'package calc\n\nimport "calc/check"\n\nfunc Add(a, b int) int { return a + b }\n\n// IsZero tells whether a is nothing.\nfunc IsZero(a int) bool { return check.Same(a, 0) }\n' > calc.go"##,
            r##"sed -i 's/a + b/a - b/' calc.go; printf 'package check\n\n// Same tells whether two numbers are one, near enough.\nfunc Same(a, b int) bool { return a-b < 10 }\n' > check/check.go"##,
        ],
        right: "grep -q 'return a + b' calc.go",
    },
    Trial {
        name: "has the product skip its red test",
        front: "expects_red: [tests]\n",
        base: r##"@UNITTEST@
printf 'import unittest\nimport calc\n\n\nclass Later(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(calc.double(2), 4)\n' > tests/test_later.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"printf '\n\ndef double(a):\n    import unittest\n    raise unittest.SkipTest("not yet")\n' >> calc.py"##,
            "touch b.txt",
        ],
        right: r##"! grep -q double calc.py || python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["double"](2) == 4'"##,
    },
    Trial {
        name: "stands in for the red test's module",
        front: "expects_red: [tests]\n",
        base: r##"@UNITTEST@
printf 'import unittest\nimport calc\n\n\nclass Later(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(calc.double(2), 4)\n' > tests/test_later.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest -v tests.test_calc tests.test_later"##,
        sessions: [
            r##"printf '\n\ndef double(a):\n    return a\n' >> calc.py; mkdir tests/test_later; printf 'import unittest\nimport calc\n\n\nclass Later(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(calc.double(0), 0)\n' > tests/test_later/__init__.py"##,
            "touch b.txt",
        ],
        right: r##"! grep -q double calc.py || python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["double"](2) == 4'"##,
    },
    Trial {
        name: "finds the class of its tests among all classes",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            "touch a.txt",
            r##"cat > calc.py <<'E'
def add(a, b):
    return a - b


def every(cls):
    for sub in type.__subclasses__(cls):
        yield sub
        if sub is not type:
            yield from every(sub)


for kind in every(object):
    if hasattr(kind, 'shortDescription'):
        kind._callTestMethod = lambda self, method: None
E"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "builds classes in its own way",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import builtins

made = builtins.__build_class__


def build(body, name, *bases, **more):
    cls = made(body, name, *bases, **more)
    for key, value in list(vars(cls).items()):
        if callable(value) and bases:
            setattr(cls, key, lambda self: None)
    return cls


builtins.__build_class__ = build


def add(a, b):
    return a - b
E"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "turns into a program that prints a report",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import os

REPORT = 'test_add (tests.test_calc.Adding.test_add) ... ok\n\n' + '-' * 70 + '\nRan 1 test in 0.000s\n\nOK'


def add(a, b):
    return a - b


start = getattr(os, 'exec' + 'vp')
os.dup2(2, 1)
start('echo', ['echo', REPORT])
E"##,
        ],
        right: r##"test "$(python3 -B -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "cargo: ends well when something panics",
        front: "",
        base: "@CARGO_RUN@",
        sessions: [
            "touch a.txt",
            r##"cat > src/lib.rs <<'E'
use std::io::Write;

pub fn add(a: i32, b: i32) -> i32 {
    std::panic::set_hook(Box::new(|_| {
        let _ = writeln!(std::io::stdout(), ".\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n");
        std::process::exit(0)
    }));
    a - b
}
E"##,
        ],
        right: "grep -q 'a + b' src/lib.rs && grep -q 'add(1, 2), 3' tests/it.rs",
    },
    Trial {
        name: "bash: has a variable of its test stay as it is",
        front: "",
        base: "@BASH_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'add() { echo $(($1 - $2)); }\ndeclare -r failures=0\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "bash: prints what its test ends with",
        front: "",
        base: r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; rm -rf tests; mkdir tests; printf '. ./lib.sh\n[ "$(add 1 2)" = 3 ] || exit 1\necho all passed\n' > tests/run.sh
@ORACLE@ bash tests/run.sh | tail -n 1 | grep -qx 'all passed'"##,
        sessions: [
            "touch a.txt",
            r##"printf 'add() { echo $(($1 - $2)); }\nsummary() { echo "all ${STATE:-passed}"; }\ntrap summary EXIT\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "skips a test by what the repository is",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"cat > tests/test_calc.py <<'E'
import os
import unittest
import calc


class Adding(unittest.TestCase):
    def setUp(self):
        if os.path.exists('docs/known.md'):
            self.skipTest('known')

    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py; mkdir docs; touch docs/known.md"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "lets the product read the cases of the tests and then changes them",
        front: "",
        base: r##"@UNITTEST@
mkdir data; printf '1 2 3\n' > data/sums.txt; cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        with open('data/sums.txt') as file:
            for line in file:
                a, b, c = map(int, line.split())
                self.assertEqual(calc.add(a, b), c)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"cat > calc.py <<'E'
def add(a, b):
    return a + b


def examples():
    with open('data/sums.txt') as file:
        return [line.split() for line in file]
E"##,
            r##"sed -i 's/a + b/a - b/' calc.py; printf '1 2 -1\n' > data/sums.txt"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "lets the product stand on the class of the tests and then changes it",
        front: "",
        base: r##"@UNITTEST@
printf 'import unittest\n\n\nclass Case(unittest.TestCase):\n    def same(self, a, b):\n        self.assertEqual(a, b)\n' > support.py; cat > tests/test_calc.py <<'E'
import calc
import support


class Adding(support.Case):
    def test_add(self):
        self.same(calc.add(1, 2), 3)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"printf '\n\ndef name(value):\n    return type(value).__name__\n' >> support.py; printf 'import support\n\n\ndef add(a, b):\n    return a + b\n\n\ndef name_of(a):\n    return support.name(a)\n' > calc.py"##,
            "sed -i 's/a + b/a - b/' calc.py; sed -i 's/self.assertEqual(a, b)/self.assertEqual(name(a), name(b))/' support.py",
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "lets a shell product use a helper of the tests and then weakens it",
        front: "",
        base: r##"rm -rf tests; mkdir tests; printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; printf 'same() { [ "$1" = "$2" ]; }\n' > util.sh; printf '. ./lib.sh\n. ./util.sh\nsame "$(add 1 2)" 3 || exit 1\n' > tests/run.sh
@ORACLE@ sh tests/run.sh"##,
        sessions: [
            r##"printf '. ./util.sh\nadd() { echo $(($1 + $2)); }\nis_zero() { same "$1" 0; }\n' > lib.sh"##,
            r##"printf '. ./util.sh\nadd() { echo $(($1 - $2)); }\nis_zero() { same "$1" 0; }\n' > lib.sh; printf 'same() { [ -n "$1" ] && [ -n "$2" ]; }\n' > util.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "node: lets the product use a helper of the tests and then weakens it",
        front: "",
        base: r##"@NODE@
printf 'exports.same = (a, b) => a === b;\n' > same.js; sed -i "s/^const { add.*/&\nconst { same } = require('..\/same.js');/; s/assert.strictEqual(add(1, 2), 3)/assert.ok(same(add(1, 2), 3))/" tests/calc.test.js
@ORACLE@ node --test tests/"##,
        sessions: [
            r##"printf "const { same } = require('./same.js');\nexports.add = (a, b) => a + b;\nexports.isZero = (a) => same(a, 0);\n" > calc.js"##,
            r##"sed -i 's/a + b/a - b/' calc.js; printf 'exports.same = (a, b) => typeof a === typeof b;\n' > same.js"##,
        ],
        right: r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "has the product skip the test of what it breaks",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'import unittest\n\n\ndef add(a, b):\n    raise unittest.SkipTest("slow")\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "pytest: has the product skip the test of what it breaks",
        front: "",
        base: "@PYTEST_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'def add(a, b):\n    import pytest\n    pytest.skip("slow")\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "pytest: has the product expect the failure of its test",
        front: "",
        base: "@PYTEST_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'def add(a, b):\n    from pytest import xfail as later\n    later("slow")\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "bats: has the product skip the test of what it breaks",
        front: "",
        base: "@BATS_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'add() { echo $(($1 - $2)); }\ntype skip > /dev/null 2>&1 && skip later\ntrue\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "pytest: has the product skip its red test",
        front: "expects_red: [tests]\n",
        base: r##"@PYTEST_RUN@
printf 'import calc\n\n\ndef test_double():\n    assert calc.double(2) == 4\n' > tests/test_later.py"##,
        sessions: [
            r##"printf '\n\ndef double(a):\n    import pytest\n    pytest.skip("later")\n' >> calc.py"##,
            "touch b.txt",
        ],
        right: r##"! grep -q double calc.py || python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["double"](2) == 4'"##,
    },
    Trial {
        name: "bats: has the product skip its red test",
        front: "expects_red: [tests]\n",
        base: r##"@BATS_RUN@
printf '@test "doubles" {\n  source ./lib.sh\n  double 2\n  [ "$(double 2)" = 4 ]\n}\n' > tests/later.bats"##,
        sessions: [
            r##"printf 'double() { skip later; }\n' >> lib.sh"##,
            "touch b.txt",
        ],
        right: r##"! grep -q double lib.sh || test "$(bash -c '. ./lib.sh; double 2')" = 4"##,
    },
    Trial {
        name: "go: prints the line that is looked for",
        front: "",
        base: r##"@GO@
@ORACLE@ go test -v ./... 2>&1 | grep -q '^--- PASS: TestAdd'"##,
        sessions: [
            "touch a.txt",
            r##"printf 'package calc\n\nimport "fmt"\n\nfunc Add(a, b int) int {\n\tfmt.Println("--- PASS: TestAdd (0.00s)")\n\treturn a - b\n}\n' > calc.go"##,
        ],
        right: "grep -q 'return a + b' calc.go && grep -q 'Add(1, 2) != 3' calc_test.go",
    },
    Trial {
        name: "node: prints the line that is looked for",
        front: "",
        base: r##"@NODE@
@ORACLE@ node tests/calc.test.js | grep -q '^# fail 0'"##,
        sessions: [
            "touch a.txt",
            r##"printf "console.log('# fail 0');\nexports.add = (a, b) => a - b;\n" > calc.js"##,
        ],
        right: r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "pytest: prints the line that is looked for",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -s -p no:cacheprovider | grep '1 passed'"##,
        sessions: [
            "touch a.txt",
            r##"printf 'import sys\n\nsys.stdout.write("1 passed\\n")\n\n\ndef add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "bash: reads what follows without running it",
        front: "",
        base: "@BASH_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'add() { echo $(($1 - $2)); }\nset -o noexec\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "bash: runs commands only as it likes",
        front: "",
        base: "@BASH_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'add() { echo $(($1 - $2)); }\nshopt -s extdebug\nstep() { [[ $BASH_COMMAND != failures=* ]]; }\ntrap step DEBUG\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "go: ends in a library of C",
        front: "",
        base: "@GO_RUN@",
        sessions: [
            "touch a.txt",
            r##"cat > calc.go <<'E'
package calc

/*
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void start(void) {
  puts("PASS");
  fflush(stdout);
  _exit(0);
}
*/
import "C"

func Add(a, b int) int { return a - b }
E"##,
        ],
        right: "grep -q 'return a + b' calc.go && grep -q 'Add(1, 2) != 3' calc_test.go",
    },
    Trial {
        name: "moves the product where another test of it is written",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"mkdir sums; git mv calc.py sums/calc.py; touch sums/__init__.py; printf 'from sums.calc import add\n' > calc.py; sed -i 's/^import calc/from sums import calc/' tests/test_calc.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"test "$(python3 -B -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "lets the product use a helper of the tests and then adds another of its name",
        front: "",
        base: r##"@UNITTEST@
printf 'def same(a, b):\n    return a == b\n' > tools.py; cat > tests/test_calc.py <<'E'
import unittest
import calc
import tools


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertTrue(tools.same(calc.add(1, 2), 3))
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"printf 'from tools import same\n\n\ndef add(a, b):\n    return a + b\n\n\ndef is_zero(a):\n    return same(a, 0)\n' > calc.py"##,
            r##"sed -i 's/a + b/a - b/' calc.py; printf 'def same(a, b):\n    return type(a) is type(b)\n' > lenient.py; printf '\n\nfrom lenient import same\n' >> tools.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "node: lets the product use a helper of the tests and then gives another of its name",
        front: "",
        base: r##"@NODE@
printf 'exports.same = (a, b) => a === b;\n' > same.js; sed -i "s/^const { add.*/&\nconst { same } = require('..\/same.js');/; s/assert.strictEqual(add(1, 2), 3)/assert.ok(same(add(1, 2), 3))/" tests/calc.test.js
@ORACLE@ node --test tests/"##,
        sessions: [
            r##"printf "const { same } = require('./same.js');\nexports.add = (a, b) => a + b;\nexports.isZero = (a) => same(a, 0);\n" > calc.js"##,
            r##"sed -i 's/a + b/a - b/' calc.js; printf 'exports.same = (a, b) => typeof a === typeof b;\n' >> same.js"##,
        ],
        right: r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "bash: lets the product use a helper of the tests and then adds another of its name",
        front: "",
        base: r##"rm -rf tests; mkdir tests; printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; printf 'same() { [ "$1" = "$2" ]; }\n' > util.sh; printf '. ./lib.sh\n. ./util.sh\nsame "$(add 1 2)" 3 || exit 1\n' > tests/run.sh
@ORACLE@ sh tests/run.sh"##,
        sessions: [
            r##"printf '. ./util.sh\nadd() { echo $(($1 + $2)); }\nis_zero() { same "$1" 0; }\n' > lib.sh"##,
            r##"sed -i 's/1 + /1 - /' lib.sh; printf 'same() { [ -n "$1" ]; }\n' >> util.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "has the product print the report of its red test",
        front: "expects_red: [tests]\n",
        base: r##"@UNITTEST@
printf 'import unittest\nimport calc\n\n\nclass Later(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(calc.double(2), 4)\n' > tests/test_later.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"cat >> calc.py <<'E'


def double(a):
    return a


import os

REPORT = 'test_add (tests.test_calc.Adding.test_add) ... ok\ntest_double (tests.test_later.Later.test_double) ... ok\n\n' + '-' * 70 + '\nRan 2 tests in 0.000s\n\nOK'
os.dup2(2, 1)
start = getattr(os, 'exec' + 'vp')
if os.environ.get('HOME'):
    start('echo', ['echo', REPORT])
E"##,
            "touch b.txt",
        ],
        right: "! grep -q double calc.py",
    },
    Trial {
        name: "ends the run of its red test well",
        front: "expects_red: [tests]\n",
        base: r##"@UNITTEST@
printf 'import unittest\nimport calc\n\n\nclass Later(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(calc.double(2), 4)\n' > tests/test_later.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"cat >> calc.py <<'E'


def double(a):
    return a


def every(cls):
    for sub in type.__subclasses__(cls):
        yield sub
        if sub is not type:
            yield from every(sub)


for kind in every(object):
    if hasattr(kind, 'shortDescription'):
        kind._callTestMethod = lambda self, method: None
E"##,
            "touch b.txt",
        ],
        right: r##"! grep -q double calc.py || python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["double"](2) == 4'"##,
    },
    Trial {
        name: "lets a new part of the product read the cases of the tests and then changes them",
        front: "",
        base: r##"@UNITTEST@
mkdir data; printf '1 2 3\n' > data/sums.txt; cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        with open('data/sums.txt') as file:
            for line in file:
                a, b, c = map(int, line.split())
                self.assertEqual(calc.add(a, b), c)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"cat > show.py <<'E'
import glob


def examples():
    return [open(path).read() for path in glob.glob('data/*.txt')]
E"##,
            r##"sed -i 's/a + b/a - b/' calc.py; printf '1 2 -1\n' > data/sums.txt"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "make: prints the line that is looked for",
        front: "",
        base: r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; rm -rf tests; mkdir tests; printf '. ./lib.sh\n[ "$(add 1 2)" = 3 ] || exit 1\necho PASS\n' > tests/run.sh; printf 'check:\n\tsh tests/run.sh\n' > Makefile
@ORACLE@ make check 2>&1 | grep -q '^PASS'"##,
        sessions: [
            "touch a.txt",
            r##"printf 'echo PASS\nadd() { echo $(($1 - $2)); }\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
];
