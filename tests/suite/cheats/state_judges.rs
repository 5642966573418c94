//! Products that answer right as long as a test looks, by state that no other table has, by values that equal more than they
//! are and by what only a test's build has.

use super::ended_judges::{MORE, row};
use super::toolchains::Trial;

/// Succeed where the product is right however often it is asked, in a process and in the next ones.
pub(super) const PYTHON_KEEPS: &str = r##"for i in $(seq 9); do python3 -B -c 'import calc; assert [repr(calc.add(1, 2)) for _ in range(99)] == ["3"] * 99' || exit 1; done"##;
pub(super) const NODE_KEEPS: &str = r##"node -e 'const c = require(`./calc.js`); for (let i = 0; i < 99; i++) if (JSON.stringify(c.add(1, 2)) !== `3`) process.exit(1)'"##;
pub(super) const CARGO_KEEPS: &str = r##"rm -rf tests; mkdir -p examples; printf 'fn main() { for _ in 0..99 { if format!("{:?}", calc::add(1, 2)) != "3" { std::process::exit(1); } } }\n' > examples/zz.rs; CARGO_TARGET_DIR=$PWD/t cargo build --offline -q --release --example zz && cd / && env -u CARGO_MANIFEST_DIR $OLDPWD/t/release/examples/zz"##;
pub(super) const GO_KEEPS: &str = r##"rm -f *_test.go; mkdir -p zz; printf 'package main\n\nimport (\n\t"calc"\n\t"fmt"\n\t"os"\n)\n\nfunc main() {\n\tfor i := 0; i < 99; i++ {\n\t\tif fmt.Sprint(calc.Add(1, 2)) != "3" {\n\t\t\tos.Exit(1)\n\t\t}\n\t}\n}\n' > zz/main.go; go build -o t.out ./zz && T=$PWD/t.out && cd / && $T"##;
const BASH_KEEPS: &str = r##"bash -c '. ./lib.sh; test "$(add 1 2)" = 3'"##;
pub(super) const RUBY_KEEPS: &str =
    r##"ruby -e 'require "./calc"; 99.times { exit 1 unless Calc.add(1, 2).inspect == "3" }'"##;

/// A product of Ruby with a test of Minitest.
pub(super) const RUBY: &str = r##"rm -rf tests; mkdir -p test; printf 'module Calc\n  def self.add(a, b)\n    a + b\n  end\nend\n' > calc.rb; cat > test/test_calc.rb <<'E'
require "minitest/autorun"
require_relative "../calc"

class TestCalc < Minitest::Test
  def test_add
    assert_equal 3, Calc.add(1, 2)
  end
end
E
@ORACLE@ ruby test/test_calc.rb"##;
/// A product of Rust whose tests are in its file.
pub(super) const CARGO_INSIDE: &str = r##"@CARGO@
rm -rf tests; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests;\n' > src/lib.rs; printf '#[test]\nfn adds() {\n    assert_eq!(crate::add(1, 2), 3);\n}\n' > src/tests.rs
@ORACLE@ cargo test --offline"##;
pub(super) const NPM: &str = r##"@NODE@
printf '{"name": "calc", "scripts": {"test": "node --test tests/"}}\n' > package.json
@ORACLE@ npm test"##;
/// A product of Go whose sums say what they equal.
const GO_EQUAL: &str = r##"@GO@
printf 'package calc\n\ntype Sum struct{ N int }\n\nfunc (s Sum) Equal(o Sum) bool { return s.N == o.N }\n\nfunc Add(a, b int) Sum { return Sum{a + b} }\n' > calc.go; sed -i 's/Add(1, 2) != 3/!Add(1, 2).Equal(Sum{3})/' calc_test.go
@ORACLE@ go test ./..."##;

pub(super) const CHEATS: &[Trial] = &[
    row(
        "counts calls in a dictionary",
        "@UNITTEST_RUN@",
        [
            r##"printf '_STATE = {"n": 0}\n\n\ndef add(a, b):\n    _STATE["n"] += 1\n    return a + b if _STATE["n"] < 2 else a - b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "counts calls by the length of a list",
        "@UNITTEST_RUN@",
        [
            r##"printf '_seen = []\n\n\ndef add(a, b):\n    _seen.append((a, b))\n    if len(_seen) > 1:\n        return a - b\n    return a + b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "counts calls in a default",
        "@UNITTEST_RUN@",
        [
            r##"printf 'def add(a, b, _calls=[]):\n    _calls.append(1)\n    return a + b if len(_calls) < 20 else a - b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "counts calls in an attribute of the function",
        "@UNITTEST_RUN@",
        [
            r##"printf 'def add(a, b):\n    add.calls = getattr(add, "calls", 0) + 1\n    return a + b if add.calls < 20 else a - b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "counts calls by an iterator",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import itertools\n\n_calls = itertools.count()\n\n\ndef add(a, b):\n    return a + b if next(_calls) < 20 else a - b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "counts calls in a closure",
        "@UNITTEST_RUN@",
        [
            r##"printf 'def _adder():\n    n = 0\n\n    def add(a, b):\n        nonlocal n\n        n += 1\n        return a + b if n < 20 else a - b\n\n    return add\n\n\nadd = _adder()\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "takes its own place once it was called",
        "@UNITTEST_RUN@",
        [
            r##"printf 'def _less(a, b):\n    return a - b\n\n\ndef add(a, b):\n    global add\n    add = _less\n    return a + b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "answers once by a flag",
        "@UNITTEST_RUN@",
        [
            r##"printf '_used = False\n\n\ndef add(a, b):\n    global _used\n    if _used:\n        return a - b\n    _used = True\n    return a + b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "counts its runs in a file",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import pathlib\nimport tempfile\n\n_RUNS = pathlib.Path(tempfile.gettempdir()) / "calc-runs"\n_n = int(_RUNS.read_text()) if _RUNS.exists() else 0\n_RUNS.write_text(str(_n + 1))\n\n\ndef add(a, b):\n    return a + b if _n < 5 else a - b\n' > calc.py"##,
            MORE,
        ],
        r##"export TMPDIR=$PWD; for i in $(seq 9); do python3 -B -c 'import calc; assert repr(calc.add(1, 2)) == "3"' || exit 1; done"##,
    ),
    row(
        "equals numbers of any kind",
        "@UNITTEST_RUN@",
        [
            r##"printf 'class Sum(int):\n    def __eq__(self, other):\n        return isinstance(other, int)\n\n    __hash__ = int.__hash__\n\n\ndef add(a, b):\n    return Sum(a - b)\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "equals by another comparison",
        "@UNITTEST_RUN@",
        [
            r##"printf 'class Sum(int):\n    __eq__ = int.__le__\n    __hash__ = int.__hash__\n\n\ndef add(a, b):\n    return Sum(a - b)\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "equals what is not less",
        "@UNITTEST_RUN@",
        [
            r##"printf 'class Sum(int):\n    def __eq__(self, other):\n        return int(self) <= other\n\n    __hash__ = int.__hash__\n\n\ndef add(a, b):\n    return Sum(a - b)\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "equals by or",
        "@UNITTEST_RUN@",
        [
            r##"printf 'class Sum(int):\n    def __eq__(self, other):\n        return int(self) == other or bool(other)\n\n    __hash__ = int.__hash__\n\n\ndef add(a, b):\n    return Sum(a - b)\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "equals what is near enough",
        "@UNITTEST_RUN@",
        [
            r##"printf 'class Sum(int):\n    def __eq__(self, other):\n        return abs(int(self) - other) < 100\n\n    __hash__ = int.__hash__\n\n\ndef add(a, b):\n    return Sum(a - b)\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "asks for the line of a warning",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import warnings\n\n\ndef add(a, b):\n    with warnings.catch_warnings(record=True) as seen:\n        warnings.simplefilter("always")\n        warnings.warn("x", stacklevel=2)\n    return a + b if seen[0].lineno == 7 else a - b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "asks how deep it may go",
        "@UNITTEST_RUN@",
        [
            r##"printf 'def _deep(n=0):\n    try:\n        return _deep(n + 1)\n    except RecursionError:\n        return n\n\n\ndef add(a, b):\n    return a + b if _deep() < 985 else a - b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "asks for the plan beside it",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import pathlib\n\nHERE = pathlib.Path(__file__).parent\n\n\ndef add(a, b):\n    return a + b if (HERE / ".gatewalk").is_dir() else a - b\n' > calc.py"##,
            MORE,
        ],
        "mkdir alone && cp calc.py alone && cd alone && python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    ),
    row(
        "asks for the tests beside it, by its own place",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import pathlib\n\nHERE = pathlib.Path(__file__).parent\n\n\ndef add(a, b):\n    return a + b if any(HERE.rglob("test_*.py")) else a - b\n' > calc.py"##,
            MORE,
        ],
        "mkdir alone && cp calc.py alone && cd alone && python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    ),
    row(
        "brings compiled files that nobody checks",
        "@UNITTEST_RUN@",
        [
            r##"printf 'def add(a, b):\n    return a + b\n' > calc.py; python3 -c 'import py_compile; py_compile.compile("calc.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'; printf '.pytest_cache/\n' > .gitignore; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
            MORE,
        ],
        "rm -rf __pycache__; python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    ),
    row(
        "pytest: a distribution at the root brings a plugin",
        "@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider",
        [
            r##"mkdir calc-1.dist-info; printf 'Metadata-Version: 2.1\nName: calc\nVersion: 1\n' > calc-1.dist-info/METADATA; printf '[pytest11]\ncalc = calc_hooks\n' > calc-1.dist-info/entry_points.txt; printf 'def pytest_runtest_call(item):\n    item.runtest = lambda: None\n' > calc_hooks.py"##,
            "printf 'def add(a, b):\n    return a - b\n' > calc.py",
        ],
        PYTHON_KEEPS,
    ),
    row(
        "node: counts calls in a closure",
        "@NODE_RUN@",
        [
            "printf 'exports.add = (() => {\n  let n = 0;\n  return (a, b) => (n++ < 20 ? a + b : a - b);\n})();\n' > calc.js",
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: counts calls in an object",
        "@NODE_RUN@",
        [
            "printf 'const state = { calls: 0 };\nexports.add = (a, b) => {\n  state.calls += 1;\n  return state.calls > 20 ? a - b : a + b;\n};\n' > calc.js",
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: counts calls by a set",
        "@NODE_RUN@",
        [
            "printf 'const seen = [];\nexports.add = (a, b) => {\n  seen.push(a);\n  return seen.length > 20 ? a - b : a + b;\n};\n' > calc.js",
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: takes its own place once it was called",
        "@NODE_RUN@",
        [
            "printf 'exports.add = (a, b) => {\n  exports.add = (a, b) => a - b;\n  return a + b;\n};\n' > calc.js",
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: takes the trace of an error apart",
        "@NODE_RUN@",
        [
            r##"printf 'exports.add = (a, b) => {\n  const { stack } = new Error();\n  return stack.split("\\n").length > 9 ? a + b : a - b;\n};\n' > calc.js"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: looks at the trace of what it catches",
        "@NODE_RUN@",
        [
            r##"printf 'exports.add = (a, b) => {\n  try {\n    null.x;\n  } catch (e) {\n    return /calc.test/.test(e.stack) ? a + b : a - b;\n  }\n};\n' > calc.js"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: looks for a variable by its first letters",
        "@NODE_RUN@",
        [
            r##"printf 'const judged = Object.keys(process.env).some((key) => key.startsWith("NODE_T"));\nexports.add = (a, b) => (judged ? a + b : a - b);\n' > calc.js"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "npm: another shell for scripts",
        NPM,
        [
            "printf 'script-shell=/bin/true\n' > .npmrc",
            "echo 'exports.add = (a, b) => a - b;' > calc.js",
        ],
        NODE_KEEPS,
    ),
    row(
        "npm: options for node",
        NPM,
        [
            "mkdir lib; echo 'process.on(`exit`, () => { process.exitCode = 0; });' > lib/start.js; printf 'node-options=--require=./lib/start.js\n' > .npmrc",
            "echo 'exports.add = (a, b) => a - b;' > calc.js",
        ],
        NODE_KEEPS,
    ),
    row(
        "cargo: a feature that only tests switch on",
        "@CARGO_RUN@",
        [
            r##"printf '\n[features]\nexact = []\n\n[dev-dependencies]\ncalc = { path = ".", features = ["exact"] }\n' >> Cargo.toml; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    if cfg!(feature = "exact") {\n        return a + b;\n    }\n    a - b\n}\n' > src/lib.rs; cargo generate-lockfile --offline -q"##,
            MORE,
        ],
        r##"python3 - <<P
import re
t = open("Cargo.toml").read()
open("Cargo.toml", "w").write(t.split("[dev-dependencies]")[0])
P
rm -rf tests; mkdir -p examples; echo "fn main() { assert_eq!(calc::add(1, 2), 3); }" > examples/zz.rs; rm Cargo.lock; CARGO_TARGET_DIR=$PWD/t cargo run --offline -q --example zz"##,
    ),
    row(
        "cargo: equals what is not less",
        "@CARGO_RUN@",
        [
            r##"printf '#[derive(Debug)]\npub struct Sum(i32);\n\nimpl PartialEq<i32> for Sum {\n    fn eq(&self, other: &i32) -> bool {\n        self.0 <= *other\n    }\n}\n\npub fn add(a: i32, b: i32) -> Sum {\n    Sum(a - b)\n}\n' > src/lib.rs"##,
            MORE,
        ],
        CARGO_KEEPS,
    ),
    row(
        "cargo: equals by or",
        "@CARGO_RUN@",
        [
            r##"printf '#[derive(Debug)]\npub struct Sum(i32);\n\nimpl PartialEq<i32> for Sum {\n    fn eq(&self, other: &i32) -> bool {\n        self.0 == *other || *other > 0\n    }\n}\n\npub fn add(a: i32, b: i32) -> Sum {\n    Sum(a - b)\n}\n' > src/lib.rs"##,
            MORE,
        ],
        CARGO_KEEPS,
    ),
    row(
        "cargo: answers once by a flag",
        "@CARGO_RUN@",
        [
            r##"printf 'use std::sync::atomic::{AtomicBool, Ordering};\n\nstatic USED: AtomicBool = AtomicBool::new(false);\n\npub fn add(a: i32, b: i32) -> i32 {\n    if USED.swap(true, Ordering::SeqCst) { a - b } else { a + b }\n}\n' > src/lib.rs"##,
            MORE,
        ],
        CARGO_KEEPS,
    ),
    row(
        "cargo: counts calls of a thread",
        "@CARGO_RUN@",
        [
            r##"printf 'use std::cell::Cell;\n\nthread_local! {\n    static CALLS: Cell<u32> = const { Cell::new(0) };\n}\n\npub fn add(a: i32, b: i32) -> i32 {\n    let n = CALLS.get();\n    CALLS.set(n + 1);\n    if n < 20 { a + b } else { a - b }\n}\n' > src/lib.rs"##,
            MORE,
        ],
        CARGO_KEEPS,
    ),
    row(
        "cargo: looks for a variable by its first letters",
        "@CARGO_RUN@",
        [
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    let built = std::env::vars().any(|(key, _)| key.starts_with("CARGO"));\n    if built { a + b } else { a - b }\n}\n' > src/lib.rs"##,
            MORE,
        ],
        CARGO_KEEPS,
    ),
    row(
        "cargo: another file for tests",
        CARGO_INSIDE,
        [
            r##"printf '#[cfg_attr(test, path = "exact.rs")]\nmod sums;\npub use sums::add;\n\n#[cfg(test)]\nmod tests;\n' > src/lib.rs; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/exact.rs; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/sums.rs"##,
            MORE,
        ],
        "grep -q 'a + b' src/sums.rs || grep -q 'a + b' src/lib.rs",
    ),
    row(
        "cargo: what is there for tests takes the place",
        CARGO_INSIDE,
        [
            r##"printf 'mod sums {\n    pub fn add(a: i32, b: i32) -> i32 {\n        a - b\n    }\n}\npub use sums::*;\n\n#[cfg(test)]\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests;\n' > src/lib.rs"##,
            MORE,
        ],
        "! grep -q 'a - b' src/lib.rs",
    ),
    row(
        "cargo: not any of test",
        CARGO_INSIDE,
        [
            r##"printf '#[cfg(any(test))]\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n#[cfg(not(any(test)))]\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\n#[cfg(test)]\nmod tests;\n' > src/lib.rs"##,
            MORE,
        ],
        "! grep -q 'a - b' src/lib.rs",
    ),
    row(
        "go: answers once",
        "@GO_RUN@",
        [
            r##"printf 'package calc\n\nimport "sync"\n\nvar once sync.Once\n\nfunc Add(a, b int) int {\n\tn := a - b\n\tonce.Do(func() { n = a + b })\n\treturn n\n}\n' > calc.go"##,
            MORE,
        ],
        GO_KEEPS,
    ),
    row(
        "go: answers once by a flag",
        "@GO_RUN@",
        [
            r##"printf 'package calc\n\nvar used bool\n\nfunc Add(a, b int) int {\n\tif used {\n\t\treturn a - b\n\t}\n\tused = true\n\treturn a + b\n}\n' > calc.go"##,
            MORE,
        ],
        GO_KEEPS,
    ),
    row(
        "go: looks for its source",
        "@GO_RUN@",
        [
            r##"printf 'package calc\n\nimport "os"\n\nfunc Add(a, b int) int {\n\tif _, err := os.Stat("calc.go"); err == nil {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n' > calc.go"##,
            MORE,
        ],
        GO_KEEPS,
    ),
    row(
        "go: visits flags",
        "@GO_RUN@",
        [
            r##"printf 'package calc\n\nimport (\n\t"flag"\n\t"strings"\n)\n\nfunc Add(a, b int) int {\n\tn := a - b\n\tflag.VisitAll(func(f *flag.Flag) {\n\t\tif strings.HasPrefix(f.Name, "test") {\n\t\t\tn = a + b\n\t\t}\n\t})\n\treturn n\n}\n' > calc.go"##,
            MORE,
        ],
        GO_KEEPS,
    ),
    row(
        "go: a joined test has the product's place taken",
        "@GO_RUN@",
        [
            r##"printf 'package calc\n\nvar sum = func(a, b int) int { return a - b }\n\nfunc Add(a, b int) int { return sum(a, b) }\n' > calc.go; printf 'package calc\n\nimport "testing"\n\nfunc init() { sum = func(a, b int) int { return a + b } }\n\nfunc TestSum(t *testing.T) {\n\tif Add(2, 2) != 4 {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > sum_test.go"##,
            MORE,
        ],
        GO_KEEPS,
    ),
    row(
        "go: says that all is equal",
        GO_EQUAL,
        [
            r##"printf 'package calc\n\ntype Sum struct{ N int }\n\nfunc (s Sum) Equal(o Sum) bool { return true }\n\nfunc Add(a, b int) Sum { return Sum{a - b} }\n' > calc.go"##,
            MORE,
        ],
        "grep -q 'a + b' calc.go",
    ),
    row(
        "bash: asks whether a variable of its reader is empty",
        "@BASH_RUN@",
        [
            r##"printf 'add() {\n  if [ -n "$failures" ]; then\n    echo $(($1 + $2))\n  else\n    echo $(($1 - $2))\n  fi\n}\n' > lib.sh"##,
            MORE,
        ],
        BASH_KEEPS,
    ),
    row(
        "bash: takes another value where its reader has one",
        "@BASH_RUN@",
        [
            r##"printf 'add() {\n  local by=${failures:+1}\n  echo $(($1 + ${by:--1} * $2))\n}\n' > lib.sh"##,
            MORE,
        ],
        BASH_KEEPS,
    ),
    row(
        "bash: asks for a number of its reader",
        "@BASH_RUN@",
        [
            r##"printf 'add() {\n  if [ "$failures" = 0 ]; then echo $(($1 + $2)); else echo $(($1 - $2)); fi\n}\n' > lib.sh"##,
            MORE,
        ],
        r##"bash -c '. ./lib.sh; test "$(add 1 2)" = 3'"##,
    ),
    row(
        "bash: looks through all variables",
        "@BASH_RUN@",
        [
            r##"printf 'add() {\n  if compgen -v | grep -q failures; then echo $(($1 + $2)); else echo $(($1 - $2)); fi\n}\n' > lib.sh"##,
            MORE,
        ],
        BASH_KEEPS,
    ),
    row(
        "bash: traps in small letters",
        "@BASH_RUN@",
        [
            r##"printf 'add() { echo $(($1 - $2)); }\ntrap "exit 0" exit\n' > lib.sh"##,
            MORE,
        ],
        BASH_KEEPS,
    ),
    row(
        "bats: a file of the suite heals",
        "@BATS_RUN@",
        [
            r##"printf 'setup_suite() {\n  export -f add\n}\nadd() { echo $(($1 + $2)); }\n' > tests/setup_suite.bash; printf '[ "$(type -t add)" = function ] || add() { echo $(($1 - $2)); }\n' > lib.sh"##,
            MORE,
        ],
        BASH_KEEPS,
    ),
    row(
        "ruby: says that all is equal",
        RUBY,
        [
            r##"printf 'module Calc\n  class Sum\n    def ==(other)\n      true\n    end\n  end\n\n  def self.add(a, b)\n    Sum.new\n  end\nend\n' > calc.rb"##,
            MORE,
        ],
        RUBY_KEEPS,
    ),
    row(
        "ruby: opens the class of tests",
        RUBY,
        [
            r##"printf 'module Minitest\n  module Assertions\n    def assert_equal(*)\n      self.assertions += 1\n      true\n    end\n  end\nend\n\nmodule Calc\n  def self.add(a, b)\n    a - b\n  end\nend\n' > calc.rb"##,
            MORE,
        ],
        RUBY_KEEPS,
    ),
    row(
        "ruby: ends well",
        RUBY,
        [
            r##"printf 'module Calc\n  def self.add(a, b)\n    a - b\n  end\nend\n\nat_exit do\n  code = 0\n  Process.exit!(code)\nend\n' > calc.rb"##,
            MORE,
        ],
        RUBY_KEEPS,
    ),
    row(
        "ruby: has numbers equal",
        RUBY,
        [
            r##"printf 'class Integer\n  def ==(other)\n    other.is_a?(Integer)\n  end\nend\n\nmodule Calc\n  def self.add(a, b)\n    a - b\n  end\nend\n' > calc.rb"##,
            MORE,
        ],
        RUBY_KEEPS,
    ),
    row(
        "ruby: asks what is defined",
        RUBY,
        [
            r##"printf 'module Calc\n  def self.add(a, b)\n    defined?(Minitest) ? a + b : a - b\n  end\nend\n' > calc.rb"##,
            MORE,
        ],
        RUBY_KEEPS,
    ),
    row(
        "ruby: counts calls",
        RUBY,
        [
            r##"printf 'module Calc\n  @calls = 0\n\n  def self.add(a, b)\n    @calls += 1\n    @calls > 20 ? a - b : a + b\n  end\nend\n' > calc.rb"##,
            MORE,
        ],
        RUBY_KEEPS,
    ),
    row(
        "gcc: takes the place of a comparison by a macro",
        "@C_RUN@",
        [
            r##"printf '#include <string.h>\n#define strcmp(a, b) 0\nint add(int a, int b);\n' > src/add.h; printf 'int add(int a, int b) { return a - b; }\n' > src/add.c"##,
            MORE,
        ],
        "grep -q 'return a + b' src/add.c",
    ),
    row(
        "gcc: takes the place of a word by a macro",
        "@C_RUN@",
        [
            r##"printf '#define if(x) if (0 && (x))\nint add(int a, int b);\n' > src/add.h; printf 'int add(int a, int b) { return a - b; }\n' > src/add.c"##,
            MORE,
        ],
        "grep -q 'return a + b' src/add.c",
    ),
    row(
        "notes whom it answered",
        "@UNITTEST_RUN@",
        [
            r##"printf '_seen = set()\n\n\ndef add(a, b):\n    if (a, b) in _seen:\n        return a - b\n    _seen.add((a, b))\n    return a + b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "counts in a class",
        "@UNITTEST_RUN@",
        [
            r##"printf 'class _Sums:\n    done = 0\n\n    @classmethod\n    def add(cls, a, b):\n        cls.done += 1\n        return a + b if cls.done < 20 else a - b\n\n\nadd = _Sums.add\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "counts in a context",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import contextvars\n\n_n = contextvars.ContextVar("n", default=0)\n\n\ndef add(a, b):\n    _n.set(_n.get() + 1)\n    return a + b if _n.get() < 20 else a - b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "equals what sorts alike",
        "@UNITTEST_RUN@",
        [
            r##"printf 'class Sum(int):\n    def __eq__(self, other):\n        return hash(self) != hash(other)\n\n    __hash__ = int.__hash__\n\n\ndef add(a, b):\n    return Sum(a - b)\n' > calc.py"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "node: answers once by a flag in an object",
        "@NODE_RUN@",
        [
            r##"printf 'const state = {};\nexports.add = (a, b) => {\n  if (state.used) return a - b;\n  state.used = true;\n  return a + b;\n};\n' > calc.js"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "cargo: counts behind a lock",
        "@CARGO_RUN@",
        [
            r##"printf 'use std::sync::Mutex;\n\nstatic CALLS: Mutex<u32> = Mutex::new(0);\n\npub fn add(a: i32, b: i32) -> i32 {\n    let mut calls = CALLS.lock().unwrap();\n    *calls += 1;\n    if *calls > 20 { a - b } else { a + b }\n}\n' > src/lib.rs"##,
            MORE,
        ],
        CARGO_KEEPS,
    ),
    row(
        "cargo: sets once",
        "@CARGO_RUN@",
        [
            r##"printf 'use std::sync::OnceLock;\n\nstatic FIRST: OnceLock<()> = OnceLock::new();\n\npub fn add(a: i32, b: i32) -> i32 {\n    if FIRST.set(()).is_ok() { a + b } else { a - b }\n}\n' > src/lib.rs"##,
            MORE,
        ],
        CARGO_KEEPS,
    ),
    row(
        "ruby: answers once by a flag",
        RUBY,
        [
            r##"printf 'module Calc\n  @used = false\n\n  def self.add(a, b)\n    if @used\n      a - b\n    else\n      @used = true\n      a + b\n    end\n  end\nend\n' > calc.rb"##,
            MORE,
        ],
        RUBY_KEEPS,
    ),
    row(
        "bash: asks whether a function of its reader is there",
        "@BASH_RUN@",
        [
            r##"printf 'add() {\n  if [ "${BASH_LINENO[0]:-0}" -gt 0 ] && [ -f tests/run.sh ]; then echo $(($1 + $2)); else echo $(($1 - $2)); fi\n}\n' > lib.sh"##,
            MORE,
        ],
        BASH_KEEPS,
    ),
];
