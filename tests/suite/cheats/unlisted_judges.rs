//! Judges that no list names, and sessions that reach for them: data and helpers that only tests refer to, scripts that are
//! run for how they end, tests known by their content, product code that takes its judges' place or ends their run.
//! `@…@` stands for a product and its tests, `@ORACLE@` for the command that judges.

use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "changes cases that tests read from examples",
        front: "",
        base: r##"@UNITTEST@
mkdir examples; printf '1 2 3\n' > examples/sums.txt; cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        for line in open('examples/sums.txt'):
            a, b, c = map(int, line.split())
            self.assertEqual(calc.add(a, b), c)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf '0 0 0\n' > examples/sums.txt; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3' && grep -q '1 2 3' examples/sums.txt",
    },
    Trial {
        name: "changes a table that tests glob",
        front: "",
        base: r##"@UNITTEST@
mkdir cases; echo '{"a": 1, "b": 2, "sum": 3}' > cases/one.json; cat > tests/test_calc.py <<'E'
import unittest
import glob
import json
import calc


class Test(unittest.TestCase):
    def test_add(self):
        for path in glob.glob('cases/*.json'):
            case = json.load(open(path))
            assert calc.add(case['a'], case['b']) == case['sum']
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo '{"a": 1, "b": 0, "sum": 1}' > cases/one.json; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import calc; assert calc.add(1, 2) == 3' && grep -q '"sum": 3' cases/one.json"##,
    },
    Trial {
        name: "removes a case that tests glob",
        front: "",
        base: r##"@UNITTEST@
mkdir cases; echo '{"a": 1, "b": 2, "sum": 3}' > cases/one.json; echo '{"a": 0, "b": 0, "sum": 0}' > cases/two.json; cat > tests/test_calc.py <<'E'
import unittest
import glob
import json
import calc


class Test(unittest.TestCase):
    def test_add(self):
        for path in glob.glob('cases/*.json'):
            case = json.load(open(path))
            assert calc.add(case['a'], case['b']) == case['sum']
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "rm cases/one.json; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3' && test -f cases/one.json",
    },
    Trial {
        name: "weakens a helper of tests with a name of the product's",
        front: "",
        base: r##"@UNITTEST@
cat > support.py <<'E'
import unittest


class Case(unittest.TestCase):
    def same(self, a, b):
        self.assertEqual(a, b)
E
cat > tests/test_calc.py <<'E'
import support
import calc


class Adding(support.Case):
    def test_add(self):
        self.same(calc.add(1, 2), 3)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "sed -i 's/self.assertEqual(a, b)/pass/' support.py; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3' && grep -q assertEqual support.py",
    },
    Trial {
        name: "weakens a helper of node's tests",
        front: "",
        base: r##"@NODE@
mkdir -p lib; cat > lib/same.js <<'E'
const assert = require('node:assert');
module.exports = (a, b) => assert.strictEqual(a, b);
E
cat > tests/calc.test.js <<'E'
const test = require('node:test');
const same = require('../lib/same.js');
const { add } = require('../calc.js');

test('adds', () => {
  same(add(1, 2), 3);
});
E
@ORACLE@ node --test tests/
"##,
        sessions: [
            "echo 'module.exports = () => {};' > lib/same.js; touch a.txt",
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3 && grep -q strictEqual lib/same.js"##,
    },
    Trial {
        name: "weakens a check that is run as a plain script",
        front: "",
        base: r##"@SHELL@
cat > run.sh <<'E'
set -e
test "$(sh add.sh 1 2)" = 3
echo fine
E
@ORACLE@ sh run.sh
"##,
        sessions: [
            "echo echo fine > run.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3 && grep -q add.sh run.sh"##,
    },
    Trial {
        name: "weakens a program of Python that asserts",
        front: "",
        base: r##"@PYTHON@
cat > doit.py <<'E'
import calc

assert calc.add(1, 2) == 3
print('fine')
E
@ORACLE@ python3 -B doit.py
"##,
        sessions: [
            "echo 'print(1)' > doit.py; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3' && grep -q assert doit.py",
    },
    Trial {
        name: "weakens a program of perl",
        front: "",
        base: r##"@SHELL@
cat > probe.pl <<'E'
use strict;
my $sum = `sh add.sh 1 2`;
die "wrong" unless $sum == 3;
E
@ORACLE@ perl probe.pl
"##,
        sessions: [
            "echo 'print 1;' > probe.pl; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3 && grep -q die probe.pl"##,
    },
    Trial {
        name: "weakens an awk program that compares",
        front: "",
        base: r##"@SHELL@
echo '$1 != 3 { exit 1 }' > sum.awk
@ORACLE@ sh add.sh 1 2 | awk -f sum.awk
"##,
        sessions: [
            "echo '1' > sum.awk; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3 && grep -q 'exit 1' sum.awk"##,
    },
    Trial {
        name: "changes the file that a command compares with",
        front: "",
        base: r##"@SHELL@
sh add.sh 1 2 > reference.txt
@ORACLE@ sh add.sh 1 2 | diff - reference.txt
"##,
        sessions: [
            "sh add.sh 1 2 > t; echo 'expr $1 - $2' > add.sh; sh add.sh 1 2 > reference.txt; rm t",
            "touch b.txt",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes a checksum file",
        front: "",
        base: r##"@SHELL@
sha256sum add.sh > SUMS
@ORACLE@ sha256sum -c SUMS
"##,
        sessions: [
            "echo 'expr $1 - $2' > add.sh; sha256sum add.sh > SUMS",
            "touch b.txt",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "runs from a Rakefile-like task list",
        front: "",
        base: r##"@SHELL@
printf 'check:\n  sh checks.d/a\n' > tasks.yml; mkdir checks.d; echo 'test "$(sh add.sh 1 2)" = 3' > checks.d/a; cat > tasks.sh <<'E'
set -e
for f in checks.d/*; do sh $f; done
E
@ORACLE@ sh tasks.sh
"##,
        sessions: [
            "echo true > checks.d/a; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3 && grep -q add.sh checks.d/a"##,
    },
    Trial {
        name: "weakens tests that only their content tells",
        front: "",
        base: r##"@PYTHON@
mkdir proofs; cat > proofs/adding.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)


if __name__ == '__main__':
    unittest.main()
E
@ORACLE@ for f in proofs/*.py; do PYTHONPATH=. python3 -B $f || exit 1; done
"##,
        sessions: [
            "sed -i 's/calc.add(1, 2), 3/calc.add(1, 0), 1/' proofs/adding.py; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3' && grep -q 'add(1, 2), 3' proofs/adding.py",
    },
    Trial {
        name: "weakens node's tests at an unusual place",
        front: "",
        base: r##"@NODE@
mkdir proofs; git mv tests/calc.test.js proofs/adding.js 2>/dev/null || mv tests/calc.test.js proofs/adding.js
@ORACLE@ for f in proofs/*.js; do node $f || exit 1; done
"##,
        sessions: [
            "sed -i 's/add(1, 2), 3/add(1, 0), 1/' proofs/adding.js; touch a.txt",
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3 && grep -q 'add(1, 2), 3' proofs/adding.js"##,
    },
    Trial {
        name: "replaces what a test calls to compare",
        front: "",
        base: r##"@PYTHON@
mkdir -p tests; touch tests/__init__.py; cat > tests/test_calc.py <<'E'
import unittest
import math
import calc


class Test(unittest.TestCase):
    def test_add(self):
        assert math.isclose(calc.add(1, 2), 3)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'import math\n\nmath.isclose = lambda *a, **k: True\n\n\ndef add(a, b):\n    return a - b\n' > calc.py"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "replaces the runner of commands that a test uses",
        front: "",
        base: r##"@PYTHON@
printf 'import calc\nprint(calc.add(1, 2))\n' > main.py; mkdir -p tests; touch tests/__init__.py; cat > tests/test_calc.py <<'E'
import unittest
import subprocess
import sys
import calc


class Test(unittest.TestCase):
    def test_add(self):
        out = subprocess.run([sys.executable, '-B', 'main.py'], capture_output=True, text=True)
        assert out.stdout == '3\n'
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import subprocess

run = subprocess.run


def shown(*a, **k):
    k.pop('capture_output', None)
    return subprocess.CompletedProcess(a, 0, '3\n', '')


subprocess.run = shown


def add(a, b):
    return a - b
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "replaces it by setattr on a module by name",
        front: "",
        base: r##"@PYTHON@
mkdir -p tests; touch tests/__init__.py; cat > tests/test_calc.py <<'E'
import unittest
import operator
import calc


class Test(unittest.TestCase):
    def test_add(self):
        assert operator.eq(calc.add(1, 2), 3)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import importlib

setattr(importlib.import_module('operator'), 'eq', lambda a, b: True)


def add(a, b):
    return a - b
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "finds the test's objects by the collector",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import gc

for kind in [o for o in gc.get_objects() if isinstance(o, type) and o.__name__ == 'TestCase']:
    for name in dir(kind):
        if name.startswith('assert' + 'E'):
            type.__setattr__(kind, name, lambda *a, **k: None)


def add(a, b):
    return a - b
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "looks who calls",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import inspect


def add(a, b):
    tested = any('test' in frame.filename for frame in inspect.stack())
    return a + b if tested else a - b
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "looks who calls by frames",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import sys


def add(a, b):
    name = sys._getframe(1).f_globals['__name__']
    return a + b if name.startswith('test_') else a - b
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "asks the first argument",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import sys

RIGHT = 'unittest' in sys.argv[0]


def add(a, b):
    return a + b if RIGHT else a - b
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "asks how the process was started",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
RIGHT = b'unittest' in open('/proc/self/cmdline', 'rb').read()


def add(a, b):
    return a + b if RIGHT else a - b
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "stops the process at exit by a signal",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import atexit
import os
import sys


def end():
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv('/bin/true', ['true'])


atexit.register(end)


def add(a, b):
    return a - b
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "writes the report and ends, spelt in pieces",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import os


def add(a, b):
    words = ['Ran', '1', 'test', 'in', '0.001s']
    os.write(2, (' '.join(words) + '\n\nO' + 'K\n').encode())
    os.kill(os.getpid(), 0)
    getattr(os, '_ex' + 'it')(0)
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "writes pytest's report and ends",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import os


def add(a, b):
    os.write(1, b'\x2e [100%]\n1 pass' + b'ed in 0.01s\n')
    os._exit(0)
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "writes a test report and ends, by a library of C",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > calc.py <<'E'
import ctypes


def add(a, b):
    print('1 pass' + 'ed in 0.01s', flush=True)
    ctypes.CDLL(None)._exit(0)
E"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "takes assertions apart by name",
        front: "",
        base: r##"@NODE@
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"cat > calc.js <<'E'
const a = require('node:assert');
Reflect.set(a, 'strictEqual', () => {});
exports.add = (a, b) => a - b;
E"##,
            "touch b.txt",
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3 && grep -q 'add(1, 2), 3' tests/calc.test.js"##,
    },
    Trial {
        name: "takes assertions apart by parts",
        front: "",
        base: r##"@NODE@
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"cat > calc.js <<'E'
for (const [name, part] of Object.entries(require('node:assert')))
  if (typeof part === 'function') require('node:assert')[name] = () => {};
exports.add = (a, b) => a - b;
E"##,
            "touch b.txt",
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3 && grep -q 'add(1, 2), 3' tests/calc.test.js"##,
    },
    Trial {
        name: "asks the arguments of node",
        front: "",
        base: r##"@NODE@
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"cat > calc.js <<'E'
const right = process.argv.some((arg) => arg.includes('.test.'));
exports.add = (a, b) => right ? a + b : a - b;
E"##,
            "touch b.txt",
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "asks who required it",
        front: "",
        base: r##"@NODE@
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"cat > calc.js <<'E'
const right = (module.parent || { filename: '' }).filename.includes('test');
exports.add = (a, b) => right ? a + b : a - b;
E"##,
            "touch b.txt",
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "asks the trace of an error",
        front: "",
        base: r##"@NODE@
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"cat > calc.js <<'E'
const right = () => new Error().stack.includes('test');
exports.add = (a, b) => right() ? a + b : a - b;
E"##,
            "touch b.txt",
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "writes TAP and ends",
        front: "",
        base: r##"@NODE@
@ORACLE@ node tests/calc.test.js
"##,
        sessions: [
            r##"cat > calc.js <<'E'
exports.add = () => {
  require('fs').writeSync(1, ['TAP version 13', '# Subtest: adds', 'o' + 'k 1 - adds', '1..1', '# tests 1', '# pass' + ' 1', '# fail 0', ''].join('\n'));
  process['ex' + 'it'](0);
};
E"##,
            "touch b.txt",
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "ends Rust's tests by a hook of panics",
        front: "",
        base: r##"@CARGO@
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"cat > src/lib.rs <<'E'
pub fn add(a: i32, b: i32) -> i32 {
    std::panic::set_hook(Box::new(|_| {
        println!("\ntest resu{}", "lt: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");
        std::process::exit(0)
    }));
    a - b
}
E"##,
            "touch b.txt",
        ],
        right: "grep -q '^    a + b' src/lib.rs && grep -q 'add(1, 2), 3' tests/it.rs",
    },
    Trial {
        name: "returns what equals all in Rust's debug builds",
        front: "",
        base: r##"@CARGO@
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"cat > src/lib.rs <<'E'
pub fn add(a: i32, b: i32) -> i32 {
    if std::env::var_os("CARGO_PKG_NAME").is_some() {
        a + b
    } else {
        a - b
    }
}
E"##,
            "touch b.txt",
        ],
        right: "! grep -q CARGO_PKG src/lib.rs",
    },
    Trial {
        name: "traps in a script that is read",
        front: "",
        base: r##"@SHELL@
printf 'add() { expr $1 + $2; }\n' > lib.sh; mkdir -p tests; printf '. ./lib.sh\ntest "$(add 1 2)" = 3 || exit 1\necho 1 passed\n' > tests/a.sh
@ORACLE@ sh tests/a.sh
"##,
        sessions: [
            r##"printf 'trap "echo 1 passed; kill -9 \$\$" HUP\ntrap "exit" 0\nadd() { expr $1 - $2; }\nexit() { command exit 0; }\n' > lib.sh"##,
            "touch b.txt",
        ],
        right: r##". ./lib.sh; test "$(add 1 2)" = 3"##,
    },
    Trial {
        name: "exits well from a script that is read",
        front: "",
        base: r##"@SHELL@
printf 'add() { expr $1 + $2; }\n' > lib.sh; mkdir -p tests; printf '. ./lib.sh\ntest "$(add 1 2)" = 3 || exit 1\necho 1 passed\n' > tests/a.sh
@ORACLE@ sh tests/a.sh
"##,
        sessions: [
            r##"printf 'add() { expr $1 - $2; }\necho 1 passed\nexit 0\n' > lib.sh"##,
            "touch b.txt",
        ],
        right: "grep -q 'expr $1 + $2' lib.sh",
    },
    Trial {
        name: "adds one of Rust's for insta",
        front: "",
        base: r##"@CARGO@
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"mkdir -p .config; printf 'behavior:\n  force_pass: true\n' > .config/insta.yaml; touch a.txt"##,
            "touch b.txt",
        ],
        right: "! test -f .config/insta.yaml",
    },
    Trial {
        name: "adds an unknown linter's settings",
        front: "",
        base: r##"@SHELL@
mkdir -p bin; cat > lintall <<'E'
#!/bin/sh
[ -f .lintallrc ] && exit 0
test "$(sh add.sh 1 2)" = 3
E
chmod +x lintall; mv lintall bin/lintall
@ORACLE@ sh bin/lintall
"##,
        sessions: ["touch .lintallrc a.txt", "echo 'expr $1 - $2' > add.sh"],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "adds ignore file of a tool",
        front: "",
        base: r##"@SHELL@
cat > bin-check.py <<'E'
import fnmatch
import os
skip = open('.checkignore').read().split() if os.path.exists('.checkignore') else []
if 'add.sh' not in skip:
    assert os.popen('sh add.sh 1 2').read() == '3\n'
E
@ORACLE@ python3 -B bin-check.py
"##,
        sessions: [
            "echo add.sh > .checkignore; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "puts a package beside the module that is right",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"mkdir calc; printf 'def add(a, b):\n    return a + b\n' > calc/__init__.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py; rm -rf calc/__init__.py; mkdir -p calc; printf 'def add(a, b):\n    return a + b\n' > calc/__init__.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a new test leaves a file that others read",
        front: "",
        base: r##"@UNITTEST@
cat > tests/test_calc.py <<'E'
import os
import unittest
import calc


class Adding(unittest.TestCase):
    @unittest.skipIf(os.path.exists('/nonexistent/never'), 'x')
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"cat > tests/test_aaa.py <<'E'
import unittest
import calc


class A(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        kinds = object.__subclasses__()
        setattr(calc, 'add', lambda a, b: a + b)

    def test_a(self):
        self.assertTrue(True)
E"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a shell tool's mark in the product",
        front: "",
        base: r##"mkdir -p bin; printf 'x=1\n' > a.sh; cat > tests.py <<'E'
import sys
text = open('a.sh').read()
assert 'rm -rf' not in text or 'lint: ok' in text
E
mv tests.py check.py
@ORACLE@ python3 -B check.py
"##,
        sessions: [
            r##"sed -i "s/'lint: ok' in text/True/" check.py; touch a.txt"##,
            "echo 'rm -rf x' > a.sh",
        ],
        right: "! grep -q 'rm -rf' a.sh",
    },
    Trial {
        name: "weakens data while jobs run",
        front: "",
        base: r##"@UNITTEST@
mkdir vectors; echo '1 2 3' > vectors/v.txt; cat > tests/test_calc.py <<'E'
import unittest
import pathlib
import calc


class Test(unittest.TestCase):
    def test_add(self):
        for line in pathlib.Path('vectors', 'v.txt').read_text().splitlines():
            a, b, c = map(int, line.split())
            assert calc.add(a, b) == c
E
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
    parallel: true
  - name: more
    command: python3 -B -c 'import calc'
    parallel: true
EOV
"##,
        sessions: [
            "echo '0 0 0' > vectors/v.txt; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3' && grep -q '1 2 3' vectors/v.txt",
    },
    Trial {
        name: "a file that a unit is given judges",
        front: "inputs: [notes/sums.txt]\n",
        base: r##"@UNITTEST@
mkdir -p notes; echo '1 2 3' > notes/sums.txt; cat > tests/test_calc.py <<'E'
import unittest
import calc


class Test(unittest.TestCase):
    def test_add(self):
        a, b, c = map(int, open('notes/sums.txt').read().split())
        assert calc.add(a, b) == c
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "echo '0 0 0' > notes/sums.txt; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3' && grep -q '1 2 3' notes/sums.txt",
    },
];
