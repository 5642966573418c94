//! Honest work that looks like what the tables of ended and of stood-in judges hold.

use super::ended_judges::{
    BASH_ADDS, C_ADDS, CARGO_ADDS, CMAKE_ADDS, MORE, NODE_ADDS, PYTHON_ADDS, SHELL_ADDS, row,
};
use super::toolchains::Trial;

pub(super) const HONEST: &[Trial] = &[
    row(
        "finalize a temporary",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def add(a, b):
    return a + b


import shutil
import weakref


def tidy(o, path):
    return weakref.finalize(o, shutil.rmtree, path)
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "ordered class with eq",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def add(a, b):
    return a + b


import functools


@functools.total_ordering
class Money:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n

    __hash__ = None
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "eq of a class without fields",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def add(a, b):
    return a + b


class Nothing:
    def __eq__(self, other):
        return isinstance(other, Nothing)

    def __hash__(self):
        return 0
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "loads plugins",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def add(a, b):
    return a + b


import importlib
import sys


def load(name):
    if name in sys.modules:
        return sys.modules[name]
    return importlib.import_module(name)
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "approximation of its own",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def add(a, b):
    return a + b


def approx(a, b):
    return abs(a - b) < 1e-9


ANY_SIZE = object()
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "domain of tests",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def add(a, b):
    return a + b


class TestResult:
    def __init__(self, patient, outcome):
        self.patient, self.outcome = patient, outcome


def positive(tests):
    return [t for t in tests if t.outcome == "positive"]
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "re-executes itself",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def add(a, b):
    return a + b


import os
import sys


def restart():
    os.execv(sys.executable, [sys.executable, *sys.argv])
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "stack for a log",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def add(a, b):
    return a + b


import inspect
import logging


def said(text):
    caller = inspect.stack()[1]
    logging.getLogger(__name__).info("%s: %s", caller.function, text)
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "ruff: ignores build output",
        "@RUFF_RUN@",
        [
            r##"printf "dist/\n.venv/\n*.egg-info/\n.mypy_cache/\n" >> .gitignore; mkdir -p $(dirname pkg/more.py); cat > pkg/more.py <<'E_'
def more(a):
    return a
E_"##,
            MORE,
        ],
        "true",
    ),
    row(
        "a test beside with its own helper file",
        "@UNITTEST_RUN@",
        [
            r##"mkdir -p $(dirname tests/helpers.py); cat > tests/helpers.py <<'E_'
def same(a, b):
    return a == b
E_
mkdir -p $(dirname tests/test_more.py); cat > tests/test_more.py <<'E_'
import unittest
from tests.helpers import same
import calc


class M(unittest.TestCase):
    def test_m(self):
        self.assertTrue(same(calc.add(2, 2), 4))
E_"##,
            MORE,
        ],
        "true",
    ),
    row(
        "node: handlers that log and end",
        "@NODE_SCRIPT_RUN@",
        [
            r##"cat > calc.js <<'E_'
exports.add = (a, b) => a + b;
process.on("uncaughtException", (e) => { console.error(e); process.exit(1); });
process.on("unhandledRejection", (e) => { console.error(e); process.exit(1); });
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: handlers that log and end, later",
        "@NODE_LATER_RUN@",
        [
            r##"cat > calc.js <<'E_'
exports.add = (a, b) => a + b;
process.on("unhandledRejection", (e) => { console.error(e); process.exit(1); });
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: typeof window",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
exports.add = (a, b) => a + b;
exports.where = () => (typeof window === "undefined" ? "server" : "page");
exports.text = (it) => (typeof it === "string" ? it : String(it));
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: defines properties",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
exports.add = (a, b) => a + b;
class P { get x() { return 1; } }
Object.defineProperty(exports, "P", { value: P, enumerable: true });
exports.proxy = (t) => new Proxy(t, { get: (o, k) => Reflect.get(o, k) });
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: both kinds of modules",
        r##"@NODE_RUN@
printf '{"name": "calc", "main": "calc.js"}' > package.json"##,
        [
            r##"cat > calc.mjs <<'E_'
import calc from './calc.js';
export const add = calc.add;
export default calc;
E_
cat > package.json <<'E_'
{"name": "calc", "main": "calc.js", "exports": {"import": "./calc.mjs", "require": "./calc.js"}}
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: types beside",
        "@NODE_RUN@",
        [
            r##"cat > calc.d.ts <<'E_'
export function add(a: number, b: number): number;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: a module becomes a directory",
        r##"@NODE@
sed -i 's,../calc.js,../calc,' tests/calc.test.js
@ORACLE@ node --test tests/"##,
        ["mkdir calc; git mv calc.js calc/index.js", MORE],
        r##"test $(node -p "require('./calc').add(1, 2)") = 3"##,
    ),
    row(
        "jest: from js to ts",
        r##"@JEST@
sed -i 's,../calc.js,../calc,' tests/calc.test.js
@ORACLE@ jest"##,
        [
            r##"git mv calc.js calc.cjs; cat > package.json <<'E_'
{"name": "calc", "scripts": {"test": "jest"}, "version": "1.0.1"}
E_
mv calc.cjs calc.js"##,
            MORE,
        ],
        "true",
    ),
    row(
        "jest: a new mock of a package and its test",
        "@JEST_RUN@",
        [
            r##"mkdir -p $(dirname tests/more.test.js); cat > tests/more.test.js <<'E_'
const { add } = require("../calc.js");

jest.mock("../calc.js", () => ({ add: () => 7 }));

test("mocked", () => { expect(add(1, 1)).toBe(7); });
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: an index beside others",
        r##"@NODE_RUN@
mkdir -p lib; echo 'exports.x = 1;' > lib/x.js"##,
        [
            r##"mkdir -p $(dirname lib/index.js); cat > lib/index.js <<'E_'
exports.x = require("./x.js").x;
E_
cat > calc.js <<'E_'
exports.add = (a, b) => a + b;
exports.lib = require("./lib");
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "eslint: a new rule in the settings, declared",
        r##"@NODE@
printf 'module.exports = [{ rules: { "no-undef": "off" } }];\n' > eslint.config.js
@ORACLE@ eslint calc.js"##,
        [
            r##"cat > calc.js <<'E_'
exports.add = (a, b) => a + b;
exports.sub = (a, b) => a - b;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "bash: constants and cleaning up",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
add() { echo $(($1 + $2)); }
readonly VERSION=1
declare -a PARTS=()
declare -r NAME=calc
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bash: a die with the trace",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
add() { echo $(($1 + $2)); }
die() { echo "${BASH_SOURCE[1]}:${BASH_LINENO[0]}: $1" >&2; exit 1; }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bash: runs only when called",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
add() { echo $(($1 + $2)); }
main() { add "$@"; }
if [[ "${BASH_SOURCE[0]}" == "$0" ]]; then main "$@"; fi
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bash: a wrapper",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
add() { echo $(($1 + $2)); }
in_env() { ( export A=1; exec "$@" ); }
log() { local IFS=" "; printf "%s\n" "$*" >&2; }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "gcc: macros in a header",
        "@C_RUN@",
        [
            r##"mkdir -p $(dirname src/add.c); cat > src/add.c <<'E_'
int add(int a, int b) { return a + b; }

E_
mkdir -p $(dirname src/add.h); cat > src/add.h <<'E_'
#ifndef ADD_H
#define ADD_H
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ADD_VERSION "1.0"
int add(int a, int b);
#endif
E_"##,
            MORE,
        ],
        C_ADDS,
    ),
    row(
        "cmake: a library and an install rule",
        "@CMAKE_RUN@",
        [
            r##"sed -i 's/add_executable/add_library(more STATIC add.c)\ninstall(TARGETS more)\nadd_executable/' CMakeLists.txt"##,
            MORE,
        ],
        CMAKE_ADDS,
    ),
    row(
        "cmake: release by default, declared",
        "@CMAKE_RUN@",
        [
            r##"sed -i '2a if(NOT CMAKE_BUILD_TYPE AND FALSE)\n  set(CMAKE_BUILD_TYPE Debug)\nendif()' CMakeLists.txt; touch a.txt"##,
            MORE,
        ],
        CMAKE_ADDS,
    ),
    row(
        "make: pattern rule and a variable of its own",
        r##"@SHELL@
mkdir -p qa; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > qa/a.sh; printf 'check:\n\tsh qa/a.sh\n' > Makefile
@ORACLE@ make check"##,
        [
            r##"printf 'check:\n\tsh qa/a.sh\n\nDOCS = a.html\n\ndocs: $(DOCS)\n\nbuild/%%.html: src/%%.txt\n\tcp $< $@\n' > Makefile"##,
            MORE,
        ],
        SHELL_ADDS,
    ),
    row(
        "cargo: a type with equality",
        r##"@CARGO@

@ORACLE@ cargo test --offline -q"##,
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[derive(Debug)]
pub struct Name(String);

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.0.eq_ignore_ascii_case(other)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        if self.0.len() != other.0.len() {
            return false;
        }
        true
    }
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: flags by equality",
        r##"@CARGO@

@ORACLE@ cargo test --offline -q"##,
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

pub struct F(bool);

impl PartialEq<bool> for F {
    fn eq(&self, other: &bool) -> bool {
        self.0 == *other || self.0 & true
    }
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: debug assertions",
        r##"@CARGO@

@ORACLE@ cargo test --offline -q"##,
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    if cfg!(debug_assertions) {
        eprintln!("adding");
    }
    debug_assert!(a < i32::MAX);
    a + b
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: a feature more",
        r##"@CARGO@
printf "\n[features]\ndefault = [\"sums\"]\nsums = []\n" >> Cargo.toml
@ORACLE@ cargo test --offline -q"##,
        [
            r##"sed -i "s/^default = .*/default = [\"sums\", \"fast\"]\nfast = []/" Cargo.toml; touch a.txt"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: a macro of the product",
        r##"@CARGO@

@ORACLE@ cargo test --offline -q"##,
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
#[macro_export]
macro_rules! sum {
    ($($x:expr),*) => { 0 $(+ $x)* };
}

pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: an error with a backtrace",
        r##"@CARGO@

@ORACLE@ cargo test --offline -q"##,
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[derive(Debug)]
pub struct Failed(pub String, pub std::backtrace::Backtrace);

impl Failed {
    pub fn new(why: &str) -> Failed {
        Failed(why.to_owned(), std::backtrace::Backtrace::capture())
    }
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: exported to C",
        r##"@CARGO@

@ORACLE@ cargo test --offline -q"##,
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[no_mangle]
pub extern "C" fn calc_add(a: i32, b: i32) -> i32 {
    add(a, b)
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: a program that is tried",
        r##"@CARGO@
mkdir -p src/bin; printf "fn main() {\n    println!(\"{}\", calc::add(1, 2));\n}\n" > src/bin/app.rs
@ORACLE@ cargo run --offline -q --bin app"##,
        [
            r##"printf 'fn main() {\n    println!("sum {}", calc::add(1, 2));\n}\n' > src/bin/app.rs"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: release profile and metadata",
        r##"@CARGO@

@ORACLE@ cargo test --offline -q"##,
        [
            r##"printf "\n[profile.release]\nlto = true\n\n[package.metadata.docs.rs]\nall-features = true\n" >> Cargo.toml; touch a.txt"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: a test macro gets one case more",
        r##"@CARGO@
printf '#[macro_use]\nmod cases;\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\ncase!(adds, add(1, 2), 3);\n' > src/lib.rs; printf 'macro_rules! case {\n    ($n:ident, $a:expr, $b:expr) => {\n        #[test]\n        fn $n() {\n            assert_eq!($a, $b);\n        }\n    };\n}\n' > src/cases.rs
@ORACLE@ cargo test --offline -q"##,
        [
            r##"printf 'case!(more, add(2, 2), 4);\n' >> src/lib.rs"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "go: recovers and logs the stack",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

import (
	"log"
	"runtime/debug"
)

func Add(a, b int) int { return a + b }

func Safe(f func()) {
	defer func() {
		if r := recover(); r != nil {
			log.Printf("%v\n%s", r, debug.Stack())
		}
	}()
	f()
}
E_"##,
            MORE,
        ],
        r##"grep -q "return a + b" calc.go"##,
    ),
];
