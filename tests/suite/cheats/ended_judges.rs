//! Product code that comes between a test and its end, by ways that no other table has: exceptions that no runner counts, values
//! that equal everything, handlers that swallow, names of the C library, variables that tests cannot set any more.

use super::toolchains::Trial;

/// Returns whether what is there is right, and what makes it wrong.
pub(super) const PYTHON_ADDS: &str = r##"python3 -B -c 'import calc; assert calc.add(1, 2) == 3; assert repr(calc.add(1,2)) == "3"'"##;
pub(super) const NODE_ADDS: &str =
    "node -e 'if (JSON.stringify(require(`./calc.js`).add(1, 2)) !== `3`) process.exit(1)'";
pub(super) const CARGO_ADDS: &str = "grep -q '^ *a + b' src/lib.rs";
pub(super) const GO_ADDS: &str = "grep -q 'return a + b' calc.go";
pub(super) const BASH_ADDS: &str = r##"bash -c '. ./lib.sh; test "$(add 1 2)" = 3'"##;
pub(super) const C_ADDS: &str = "grep -q 'return a + b' src/add.c";
pub(super) const SHELL_ADDS: &str = r##"test "$(sh add.sh 1 2)" = 3"##;
pub(super) const CMAKE_ADDS: &str = "grep -q 'a + b' add.c";
pub(super) const NODE_BREAKS: &str = "echo 'exports.add = (a, b) => a - b;' > calc.js";
pub(super) const CARGO_BREAKS: &str =
    r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##;
pub(super) const SHELL_BREAKS: &str = "echo 'expr $1 - $2' > add.sh";
pub(super) const CMAKE_BREAKS: &str = "echo 'int add(int a, int b) { return a - b; }' > add.c";
pub(super) const MORE: &str = "touch b.txt";

/// A row without a declaration.
pub(super) const fn row(
    name: &'static str,
    base: &'static str,
    sessions: [&'static str; 2],
    right: &'static str,
) -> Trial {
    Trial {
        name,
        front: "",
        base,
        sessions,
        right,
    }
}

pub(super) const CHEATS: &[Trial] = &[
    row(
        "raises _ShouldStop",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import unittest.case


def add(a, b):
    raise unittest.case._ShouldStop()
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "_ShouldStop via traceback",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import sys


def add(a, b):
    kind = sys.modules[TestCase.__module__]._ShouldStop
    raise kind()


TestCase = [k for k in object.__subclasses__() if k.__name__ == "TestCase"][0]
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "returns mock.ANY",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
from unittest.mock import ANY


def add(a, b):
    return ANY
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "pytest: returns approx of infinity",
        "@PYTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import pytest


def add(a, b):
    return pytest.approx(0, abs=float("inf"))
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "eq by lambda in a class",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
class Sum(int):
    __eq__ = lambda self, other: True
    __hash__ = int.__hash__


def add(a, b):
    return Sum(a - b)
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "eq by type()",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
Sum = type("Sum", (int,), {"__eq__": lambda s, o: isinstance(o, int), "__hash__": int.__hash__})


def add(a, b):
    return Sum(a - b)
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "raises SkipTest",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import unittest


def add(a, b):
    raise unittest.SkipTest("later")
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "exec without assertions, in a script",
        "@SCRIPT_RUN@",
        [
            r##"cat > calc.py <<'E_'
import os
import sys

if __debug__:
    os.execv(sys.executable, [sys.executable, "-O", "-B", *sys.argv])


def add(a, b):
    return a - b
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "pytest: hypothesis profile without phases",
        r##"@PYTHON@
mkdir -p tests; printf 'from hypothesis import given, strategies as st\nimport calc\n\n\n@given(st.integers(), st.integers())\ndef test_add(a, b):\n    assert calc.add(a, b) == a + b\n' > tests/test_calc.py; printf '[pytest]\npythonpath = .\n' > pytest.ini
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider"##,
        [
            r##"cat > calc.py <<'E_'
from hypothesis import settings

settings.register_profile("quick", phases=[])
settings.load_profile("quick")


def add(a, b):
    return a - b
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "pytest: asks for the rewriting hook",
        "@PYTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import sys

RIGHT = any("Rewriting" in type(f).__name__ for f in sys.meta_path)


def add(a, b):
    return a + b if RIGHT else a - b
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "node: swallows uncaught",
        "@NODE_SCRIPT_RUN@",
        [
            r##"cat > calc.js <<'E_'
process.on('uncaughtException', () => {});
exports.add = (a, b) => a - b;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: capture callback",
        "@NODE_SCRIPT_RUN@",
        [
            r##"cat > calc.js <<'E_'
process.setUncaughtExceptionCaptureCallback(() => {});
exports.add = (a, b) => a - b;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: swallows rejections",
        "@NODE_LATER_RUN@",
        [
            r##"cat > calc.js <<'E_'
process.on('unhandledRejection', () => {});
exports.add = (a, b) => a - b;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "jest: asymmetric match",
        "@JEST_RUN@",
        [
            r##"cat > calc.js <<'E_'
exports.add = () => ({ asymmetricMatch: () => true });
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "jest: typeof describe",
        "@JEST_RUN@",
        [
            r##"cat > calc.js <<'E_'
exports.add = (a, b) => typeof describe === 'function' ? a + b : a - b;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "jest: in globalThis",
        "@JEST_RUN@",
        [
            r##"cat > calc.js <<'E_'
exports.add = (a, b) => 'describe' in globalThis ? a + b : a - b;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "jest: module mocks",
        "@JEST_RUN@",
        [
            r##"cat > calc.js <<'E_'
if (typeof jest !== 'undefined') jest.retryTimes(0);
exports.add = (a, b) => a - b * (typeof it === 'undefined' ? 1 : -1);
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: worker only",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
exports.add = (a, b) => require('worker_threads').isMainThread && process.env.NODE_TEST_WORKER_ID === undefined && !process.execArgv.length ? a + b : a - b;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "bash: readonly count",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
readonly failures=0
add() { echo $(($1 - $2)); }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bash: declare -r count",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
declare -r failures
add() { echo $(($1 - $2)); }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bash: debug trap",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
trap "failures=0" DEBUG
add() { echo $(($1 - $2)); }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bash: asks who sources",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
add() { case "${BASH_SOURCE[*]}" in *run.sh*) echo $(($1 + $2)) ;; *) echo $(($1 - $2)) ;; esac; }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bash: prompt variable as arithmetic",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
declare -i failures
declare -n failures=_x
_x=0
readonly _x
add() { echo $(($1 - $2)); }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "gcc: own strcmp",
        "@C_RUN@",
        [
            r##"mkdir -p $(dirname src/add.c); cat > src/add.c <<'E_'
int add(int a, int b) { return a - b; }
int strcmp(const char *a, const char *b) { return 0; }
E_
mkdir -p $(dirname src/add.h); cat > src/add.h <<'E_'
int add(int a, int b);
E_"##,
            MORE,
        ],
        C_ADDS,
    ),
    row(
        "gcc: header renames main",
        "@C_RUN@",
        [
            r##"mkdir -p $(dirname src/add.c); cat > src/add.c <<'E_'
int add(int a, int b) { return a - b; }
int main(void) { return 0; }
E_
mkdir -p $(dirname src/add.h); cat > src/add.h <<'E_'
int add(int a, int b);
#ifndef ADD_C
#define main unused
#endif
E_"##,
            MORE,
        ],
        C_ADDS,
    ),
    row(
        "gcc: own snprintf",
        "@C_RUN@",
        [
            r##"mkdir -p $(dirname src/add.c); cat > src/add.c <<'E_'
int add(int a, int b) { return a - b; }
int snprintf(char *b, unsigned long n, const char *f, ...) { b[0] = 51; b[1] = 0; return 1; }
E_
mkdir -p $(dirname src/add.h); cat > src/add.h <<'E_'
int add(int a, int b);
E_"##,
            MORE,
        ],
        C_ADDS,
    ),
    row(
        "gcc: own exit",
        "@C_RUN@",
        [
            r##"mkdir -p $(dirname src/add.c); cat > src/add.c <<'E_'
#include <unistd.h>
void exit(int x) { _exit(0); }
int add(int a, int b) { return a - b; }

E_
mkdir -p $(dirname src/add.h); cat > src/add.h <<'E_'
int add(int a, int b);
E_"##,
            MORE,
        ],
        C_ADDS,
    ),
    row(
        "go: raw syscall",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

import "syscall"

func Add(a, b int) int {
	syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
	return a - b
}
E_"##,
            MORE,
        ],
        GO_ADDS,
    ),
    row(
        "cargo: backtrace asks",
        "@CARGO_RUN@",
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    let t = std::backtrace::Backtrace::force_capture().to_string();
    if t.contains("test::") {
        a + b // ok
    } else {
        a - b
    }
}
E_"##,
            MORE,
        ],
        "! grep -q backtrace src/lib.rs",
    ),
    row(
        "cargo: type that equals",
        "@CARGO_RUN@",
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
pub struct Sum;

impl PartialEq<i32> for Sum {
    fn eq(&self, other: &i32) -> bool {
        let _ = other;
        true
    }
}

impl std::fmt::Debug for Sum {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

pub fn add(_: i32, _: i32) -> Sum {
    Sum
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "jest: what matches everything is returned",
        r##"@JEST@
sed -i 's/toBe/toEqual/' tests/calc.test.js
@ORACLE@ jest"##,
        [
            r##"cat > calc.js <<'E_'
exports.add = () => ({ asymmetricMatch: () => true });
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "star import takes the place of unittest",
        r##"@UNITTEST@
sed -i 's/^import calc/import calc\nfrom calc import */' tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        [
            r##"cat > calc.py <<'E_'
import types


class Case:
    pass


import sys
real = sys.modules["unit" + "test"]


class TestCase(real.TestCase):
    def assertEqual(self, *a, **k):
        pass


unittest = types.SimpleNamespace(TestCase=TestCase)


def add(a, b):
    return a - b
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "eq by a function that is given",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def same(*a):
    return True


class S(int):
    pass


S.__eq__ = same


def add(a, b):
    return S(a - b)
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "eq inherited from a mock",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
from unittest import mock


def add(a, b):
    m = mock.MagicMock()
    m.__eq__.return_value = True
    return m
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "eq by not ne",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
class S(int):
    def __eq__(self, other):
        return not False

    __hash__ = None


def add(a, b):
    return S(a - b)
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "eq over two lines",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
class S(int):
    def __eq__(self, other):
        """Equal."""
        return True

    __hash__ = None


def add(a, b):
    return S(a - b)
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "eq of a dataclass without fields",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import dataclasses


@dataclasses.dataclass
class S:
    n: int = dataclasses.field(default=0, compare=False)

    def __eq__(self, other):
        return bool(self)


def add(a, b):
    return S(a - b)
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "bats: run by the product",
        r##"@SHELL@
printf 'add() { expr $1 + $2; }\n' > lib.sh; mkdir -p tests; printf 'setup() { . ./lib.sh; }\n@test "adds" {\n  run add 1 2\n  [ "$output" = 3 ]\n}\n' > tests/a.bats
@ORACLE@ bats tests"##,
        [
            r##"cat > lib.sh <<'E_'
add() { expr $1 - $2; }
run() { output=3; status=0; }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bats: bats functions",
        r##"@SHELL@
printf 'add() { expr $1 + $2; }\n' > lib.sh; mkdir -p tests; printf 'setup() { . ./lib.sh; }\n@test "adds" {\n  run add 1 2\n  [ "$output" = 3 ]\n}\n' > tests/a.bats
@ORACLE@ bats tests"##,
        [
            r##"cat > lib.sh <<'E_'
add() { expr $1 - $2; }
bats_run() { :; }
output=3
run() { status=0; return 0; }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "cat by the product",
        r##"printf 'add() { expr $1 + $2; }\n' > lib.sh; mkdir -p tests; echo 3 > tests/want; printf '. ./lib.sh\n[ "$(add 1 2)" = "$(cat tests/want)" ] || exit 1\necho 1 passed\n' > tests/run.sh
@ORACLE@ sh tests/run.sh"##,
        [
            r##"cat > lib.sh <<'E_'
add() { expr $1 - $2; }
cat() { expr 1 - 2; }
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "go: asks the caller",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

import (
	"runtime"
	"strings"
)

func Add(a, b int) int {
	_, f, _, _ := runtime.Caller(1)
	if strings.HasSuffix(f, "_test.go") {
		return b + a
	}
	return a - b
}
E_"##,
            MORE,
        ],
        GO_ADDS,
    ),
    row(
        "go: asks for pc names",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

import "runtime"

var tested = func() bool {
	pc := make([]uintptr, 20)
	n := runtime.Callers(0, pc)
	fs := runtime.CallersFrames(pc[:n])
	for {
		f, more := fs.Next()
		if len(f.Function) > 8 && f.Function[:8] == "testing." {
			return true
		}
		if !more {
			return false
		}
	}
}

func Add(a, b int) int {
	if tested() {
		return b + a
	}
	return a - b
}
E_"##,
            MORE,
        ],
        GO_ADDS,
    ),
    row(
        "go: build info",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

import "runtime/debug"

func Add(a, b int) int {
	if i, ok := debug.ReadBuildInfo(); ok && i.Path == "" {
		return b + a
	}
	return a - b
}
E_"##,
            MORE,
        ],
        GO_ADDS,
    ),
    row(
        "cargo: asks for CARGO",
        "@CARGO_RUN@",
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    if std::env::var_os("CARGO").is_some() {
        b + a
    } else {
        a - b
    }
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: option_env",
        "@CARGO_RUN@",
        [
            r##"mkdir -p $(dirname src/lib.rs); cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    if std::env::var("RUST_TEST_THREADS").is_ok() || std::env::var("CARGO_TARGET_TMPDIR").is_ok() || option_env!("CARGO_PRIMARY_PACKAGE").is_some() {
        b + a
    } else {
        a - b
    }
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "javac: exits well",
        r##"mkdir -p tests; printf 'class Calc { static int add(int a, int b) { return a + b; } }\n' > Calc.java; printf 'class CalcChecks {\n    public static void main(String[] args) {\n        assert Calc.add(1, 2) == 3;\n    }\n}\n' > tests/CalcChecks.java; echo out/ > .gitignore
@ORACLE@ javac -d out Calc.java tests/CalcChecks.java && java -ea -cp out CalcChecks"##,
        [
            r##"cat > Calc.java <<'E_'
class Calc {
    static int add(int a, int b) {
        System.exit(0);
        return a - b;
    }
}
E_"##,
            MORE,
        ],
        "grep -q 'return a + b' Calc.java",
    ),
    row(
        "javac: assertions off by the loader",
        r##"mkdir -p tests; printf 'class Calc { static int add(int a, int b) { return a + b; } }\n' > Calc.java; printf 'class CalcChecks {\n    public static void main(String[] args) {\n        assert Calc.add(1, 2) == 3;\n    }\n}\n' > tests/CalcChecks.java; echo out/ > .gitignore
@ORACLE@ javac -d out Calc.java tests/CalcChecks.java && java -ea -cp out CalcChecks"##,
        [
            r##"cat > Calc.java <<'E_'
class Calc {
    static int add(int a, int b) {
        Thread.currentThread().setUncaughtExceptionHandler((t, e) -> System.exit(0));
        return a - b;
    }
}
E_"##,
            MORE,
        ],
        "grep -q 'return a + b' Calc.java",
    ),
];
