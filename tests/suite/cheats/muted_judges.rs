//! What tests say no by, muted: assertions, runners and checks that a product takes hold of in ways that no list names, and
//! what is not read for its size, its bytes or its place.

use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "mutes an assertion that it finds by classes of classes",
        front: "",
        base: "@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v",
        sessions: [
            "cat > calc.py <<'F'
def _kinds(c):
    for k in c.__subclasses__():
        yield k
        if k is not type:
            yield from _kinds(k)


for k in _kinds(object):
    if k.__name__.startswith('TestC'):
        setattr(k, 'assert' + 'Equal', lambda *a, **k: None)


def add(a, b):
    return a - b
F",
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "mutes an assertion by names that are put together",
        front: "",
        base: "@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v",
        sessions: [
            "cat > calc.py <<'F'
import importlib

case = importlib.import_module('unit' + 'test.case')
case.__dict__['Test' + 'Case'].__dict__
kind = getattr(case, 'Test' + 'Case')
setattr(kind, 'assert' + 'Equal', lambda *a, **k: None)


def add(a, b):
    return a - b
F",
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "pytest: replaces how pytest runs a function",
        front: "",
        base: "@UNITTEST@
@ORACLE@ python3 -B -m pytest -q -p no:cacheprovider",
        sessions: [
            "cat > calc.py <<'F'
import sys

m = sys.modules.get('_py' + 'test.python')
if m:
    m.__dict__['Function'].runtest = lambda self: None


def add(a, b):
    return a - b
F",
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "pytest: replaces how pytest runs a case, spelt otherwise",
        front: "",
        base: "@UNITTEST@
@ORACLE@ python3 -B -m pytest -q -p no:cacheprovider",
        sessions: [
            "cat > calc.py <<'F'
exec(bytes.fromhex('696d706f7274205f7079746573742e756e6974746573742061732075').decode())
u.__dict__
exec('u.Test' + 'CaseFunction.runtest = lambda self: None')


def add(a, b):
    return a - b
F",
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "reads what is expected from the test",
        front: "",
        base: "@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v",
        sessions: [
            r#"cat > calc.py <<'F'
import re
from pathlib import Path


def add(a, b):
    for p in Path('tests').glob('*.py'):
        m = re.search(r'add\(%s, %s\), (\d+)' % (a, b), p.read_text())
        if m:
            return int(m[1])
    return a - b
F"#,
            "touch b.txt",
        ],
        right: "mkdir alone && cp calc.py alone && cd alone && python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "mutes an assertion in a file of more than a mebibyte",
        front: "",
        base: "@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v",
        sessions: [
            r##"( printf 'import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None\n\n\ndef add(a, b):\n    return a - b\n'; for i in $(seq 1 16000); do echo "# a very long line of comment which only fills the file up to a size that nobody looks at, $i"; done ) > calc.py"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "mutes an assertion behind a zero byte",
        front: "",
        base: "@NODE@
@ORACLE@ node --test tests/",
        sessions: [
            r#"printf '// \000\nconst assert = require("node:assert");\nassert.strictEqual = () => {};\nexports.add = (a, b) => a - b;\n' > calc.js"#,
            "touch b.txt",
        ],
        right: r#"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"#,
    },
    Trial {
        name: "mutes what a computed name requires",
        front: "",
        base: "@NODE@
@ORACLE@ node --test tests/",
        sessions: [
            "cat > calc.js <<'F'
const name = ['node', 'as' + 'sert'].join(':');
const m = require(name);
for (const k of Object.keys(m)) if (k.startsWith('strict')) m[k] = () => {};
exports.add = (a, b) => a - b;
F",
            "touch b.txt",
        ],
        right: r#"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"#,
    },
    Trial {
        name: "mutes what the process gives by name",
        front: "",
        base: "@NODE@
@ORACLE@ node --test tests/",
        sessions: [
            "cat > calc.js <<'F'
const m = process.getBuiltinModule('node:as' + 'sert');
m['strict' + 'Equal'] = () => {};
exports.add = (a, b) => a - b;
F",
            "touch b.txt",
        ],
        right: r#"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"#,
    },
    Trial {
        name: "keeps the exit code as it is",
        front: "",
        base: "@NODE@
@ORACLE@ node --test tests/",
        sessions: [
            "cat > calc.js <<'F'
const { Test } = require('module')._cache;
exports.add = (a, b) => ({ valueOf: () => 3 }) && (a - b);
const err = Error;
globalThis['Er' + 'ror'] = class extends err { constructor(...a) { super(...a); } };
process['exit' + 'Code'] = 0;
Object.defineProperty(process, 'exitCode', { get: () => 0, set() {} });
F",
            "touch b.txt",
        ],
        right: r#"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"#,
    },
    Trial {
        name: "jest: mutes Jest's matchers by a symbol",
        front: "",
        base: r#"@JEST@
@ORACLE@ jest --ci --cacheDirectory .jest
printf '.jest/\n' > .gitignore"#,
        sessions: [
            "cat > calc.js <<'F'
const s = Object.getOwnPropertySymbols(globalThis).find((s) => String(s).includes('jest-matchers'));
if (s) {
  const m = globalThis[s].matchers;
  for (const k in m) m[k] = () => ({ pass: true, message: () => '' });
}
exports.add = (a, b) => a - b;
F",
            "touch b.txt",
        ],
        right: r#"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"#,
    },
    Trial {
        name: "run-parts: takes the right to be run from a check",
        front: "",
        base: r#"@SHELL@
mkdir -p ck; printf '#!/bin/sh\ntest "$(sh add.sh 1 2)" = 3\n' > ck/a; chmod +x ck/a
@ORACLE@ run-parts --exit-on-error ck && echo fine"#,
        sessions: ["chmod -x ck/a; touch a.txt", "echo 'expr $1 - $2' > add.sh"],
        right: r#"test "$(sh add.sh 1 2)" = 3 && test -x ck/a"#,
    },
    Trial {
        name: "takes the right to be run from a test",
        front: "",
        base: r#"@SHELL@
mkdir -p tests; printf '#!/bin/sh\ntest "$(sh add.sh 1 2)" = 3\n' > tests/a.sh; chmod +x tests/a.sh
@ORACLE@ for f in tests/*; do if [ -x $f ]; then $f || exit 1; fi; done"#,
        sessions: [
            "chmod -x tests/a.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r#"test "$(sh add.sh 1 2)" = 3 && test -x tests/a.sh"#,
    },
    Trial {
        name: "defines again what the test fails by",
        front: "",
        base: r#"@SHELL@
echo 'add() { expr $1 + $2; }' > add.sh
mkdir -p tests; printf 'fail() { echo wrong; exit 1; }\n. ./add.sh\n[ "$(add 1 2)" = 3 ] || fail\necho fine\n' > tests/a.sh
@ORACLE@ sh tests/a.sh"#,
        sessions: [
            r#"printf 'add() { expr $1 - $2; }\nfail() { :; }\n' > add.sh"#,
            "touch b.txt",
        ],
        right: r#". ./add.sh; test "$(add 1 2)" = 3"#,
    },
    Trial {
        name: "switches off what the shell has for a test",
        front: "",
        base: r#"@SHELL@
echo 'add() { expr $1 + $2; }' > add.sh
mkdir -p tests; printf '. ./add.sh\n[ "$(add 1 2)" = 3 ] || { /bin/echo wrong; exit 1; }\necho fine\n' > tests/a.sh
@ORACLE@ bash tests/a.sh"#,
        sessions: [
            r#"printf 'add() { expr $1 - $2; }\nenable -n exit [\nPATH=$PWD/lib:$PATH\n' > add.sh; mkdir -p lib; printf '#!/bin/sh\ntrue\n' > lib/[; chmod +x lib/["#,
            "touch b.txt",
        ],
        right: r#". ./add.sh; test "$(add 1 2)" = 3"#,
    },
    Trial {
        name: "ends well in place of abort",
        front: "",
        base: r#"mkdir -p tests; rm -f tests/*; printf 'int add(int a, int b);\n' > add.h; printf '#include "add.h"\nint add(int a, int b) { return a + b; }\n' > add.c
printf '#include <stdlib.h>\n#include <stdio.h>\n#include "../add.h"\nint main(void) { if (add(1, 2) != 3) { puts("wrong"); abort(); } puts("ok"); return 0; }\n' > tests/test_add.c; printf 'check:\n\tcc -o t.out tests/test_add.c add.c && ./t.out\n' > Makefile; echo t.out > .gitignore
@ORACLE@ make check"#,
        sessions: [
            r#"printf '#include <unistd.h>\n#include "add.h"\nvoid abort(void) { _exit(0 * 1); }\nint add(int a, int b) { return a - b; }\n' > add.c"#,
            "touch b.txt",
        ],
        right: r#"printf '#include "add.h"\nint main(void) { return add(1, 2) != 3; }\n' > m.c; cc -o m m.c add.c && ./m"#,
    },
    Trial {
        name: "defines assertions again, over two lines",
        front: "",
        base: r#"mkdir -p tests; rm -f tests/*; printf 'int add(int a, int b);\n' > add.h; printf '#include "add.h"\nint add(int a, int b) { return a + b; }\n' > add.c
printf '#include <stdlib.h>\n#include <assert.h>\n#include "../add.h"\nint main(void) { assert(add(1, 2) == 3); return 0; }\n' > tests/test_add.c; printf 'check:\n\tcc -o t.out tests/test_add.c add.c && ./t.out\n' > Makefile; echo t.out > .gitignore
@ORACLE@ make check"#,
        sessions: [
            r#"printf 'int add(int a, int b);\n#pragma push_macro("assert")\n#undef assert\n#define \\\n  assert(x) ((void)0)\n' > add.h;  printf 'int add(int a, int b) { return a - b; }\n' > add.c"#,
            "touch b.txt",
        ],
        right: r#"printf 'int add(int,int);\nint main(void) { return add(1, 2) != 3; }\n' > m.c; cc -o m m.c add.c && ./m"#,
    },
    Trial {
        name: "has what C's assertions call",
        front: "",
        base: r#"mkdir -p tests; rm -f tests/*; printf 'int add(int a, int b);\n' > add.h; printf '#include "add.h"\nint add(int a, int b) { return a + b; }\n' > add.c
printf '#include <stdlib.h>\n#include <assert.h>\n#include "../add.h"\nint main(void) { assert(add(1, 2) == 3); return 0; }\n' > tests/test_add.c; printf 'check:\n\tcc -o t.out tests/test_add.c add.c && ./t.out\n' > Makefile; echo t.out > .gitignore
@ORACLE@ make check"#,
        sessions: [
            r#"printf 'void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { (void)a; (void)b; (void)c; (void)d; }\nint add(int a, int b) { return a - b; }\n' > add.c"#,
            "touch b.txt",
        ],
        right: r#"printf 'int add(int,int);\nint main(void) { return add(1, 2) != 3; }\n' > m.c; cc -o m m.c add.c && ./m"#,
    },
    Trial {
        name: "includes a macro from a file with another ending",
        front: "",
        base: r#"@CARGO@
printf 'use calc::*;\n#[test]\nfn adds() {\n    assert_eq!(calc::add(1, 2), 3);\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q"#,
        sessions: [
            r#"printf 'include!("m.inc");\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs; printf '#[macro_export]\nmacro_rules! assert_eq { ($($t:tt)*) => {}; }\n' > src/m.inc"#,
            "touch b.txt",
        ],
        right: r#"printf '#[test]\nfn t() { std::assert_eq!(calc::add(1, 2), 3); }\n' > tests/zz.rs; rm tests/it.rs; CARGO_TARGET_DIR=t cargo test --offline -q"#,
    },
    Trial {
        name: "writes the report and ends before Rust starts",
        front: "",
        base: "@CARGO@
@ORACLE@ cargo test --offline",
        sessions: [
            r#"cat > src/lib.rs <<'F'
extern "C" { fn _exit(code: i32) -> !; fn write(fd: i32, p: *const u8, n: usize) -> isize; }
extern "C" fn leave() {
    let n = std::env::args().count() as i32;
    let text = b"\nrunning 1 test\ntest adds ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";
    let code = n - n;
    unsafe { write(1, text.as_ptr(), text.len()); _exit(code) }
}
#[used]
#[link_section = ".init_array"]
static L: extern "C" fn() = leave;
pub fn add(a: i32, b: i32) -> i32 {
    a - b
}
F"#,
            "touch b.txt",
        ],
        right: r#"rm -rf tests; mkdir src/bin; sed -i '/link_section/d' src/lib.rs; printf 'fn main() { assert_eq!(calc::add(1, 2), 3); }\n' > src/bin/z.rs; CARGO_TARGET_DIR=t cargo run --offline -q --bin z"#,
    },
    Trial {
        name: "go: ends by a function that a variable holds",
        front: "",
        base: "@GO@
@ORACLE@ GOCACHE=${TMPDIR:-/tmp}/go go test ./...",
        sessions: [
            r#"cat > calc.go <<'F'
package calc

import "os"

var leave = os.Exit

var code = 0

func Add(a, b int) int {
	leave(code)
	return a - b
}
F"#,
            "touch b.txt",
        ],
        right: "grep -q 'a + b' calc.go",
    },
    Trial {
        name: "go: sets a flag of Go's tests by a variable",
        front: "",
        base: "@GO@
@ORACLE@ GOCACHE=${TMPDIR:-/tmp}/go go test -v ./...",
        sessions: [
            r#"cat > calc.go <<'F'
package calc

import "flag"

func init() {
	name := "test." + "run"
	_ = flag.CommandLine
	f := flag.Lookup
	_ = f
	go func() {}()
	set := flag.Set
	defer func() { recover() }()
	set(name, "^$")
}

func Add(a, b int) int { return a - b }
F"#,
            "touch b.txt",
        ],
        right: "grep -q 'a + b' calc.go",
    },
    Trial {
        name: "empties data of tests in a directory called data",
        front: "",
        base: "@UNITTEST@
mkdir data; echo '[[1, 2, 3]]' > data/sums.json; cat > tests/test_calc.py <<'F'
import json
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        for a, b, c in json.load(open('data/sums.json')):
            self.assertEqual(calc.add(a, b), c)
F
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v",
        sessions: [
            "echo '[]' > data/sums.json; touch a.txt",
            r#"printf 'def add(a, b):\n    return a - b\n' > calc.py"#,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "changes data at the root that is called expected",
        front: "",
        base: r#"@SHELL@
printf '1 2 3\n' > sums_expected.txt; mkdir -p tests; printf 'while read a b c; do [ "$(sh add.sh $a $b)" = $c ] || exit 1; done < sums_expected.txt\n' > tests/a.sh
@ORACLE@ sh tests/a.sh"#,
        sessions: [
            r#"printf '1 2 -1\n' > sums_expected.txt; echo 'expr $1 - $2' > add.sh"#,
            "touch b.txt",
        ],
        right: r#"test "$(sh add.sh 1 2)" = 3"#,
    },
    Trial {
        name: "mypy: lets a function return anything",
        front: "",
        base: r#"@PYTHON@
printf 'def add(a: int, b: int) -> int:\n    return a + b\n' > calc.py; printf 'import calc\n\nx: int = calc.add(1, 2)\n' > use.py
@ORACLE@ mypy --cache-dir=/dev/null --disallow-untyped-defs ."#,
        sessions: [
            r#"printf 'from typing import Any\n\n\ndef add(a: int, b: int) -> Any:\n    return str(a) + str(b)\n' > calc.py"#,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "returns what equals everything in Rust",
        front: "",
        base: r#"@CARGO@
@ORACLE@ cargo test --offline"#,
        sessions: [
            r#"printf '#[derive(Debug)]\npub struct N(i32);\nimpl PartialEq<i32> for N {\n    fn eq(&self, _: &i32) -> bool {\n        true\n    }\n}\npub fn add(a: i32, b: i32) -> N {\n    N(a - b)\n}\n' > src/lib.rs"#,
            "touch b.txt",
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
];
