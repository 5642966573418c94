//! Parts of runners, tools and formats that steer what judges, for most of which no rule had been written when they were first
//! tried, and ordinary work on the same files.

use super::ended_judges::row;
use super::toolchains::Trial;

const PY: &str = r##"test "$(python3 -B -c 'import calc; print(calc.add(1, 2))')" = 3 && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##;
/// Asks for the product alone, whatever became of its tests.
pub(super) const PY_ADDS: &str =
    r##"test "$(python3 -B -c 'import calc; print(calc.add(1, 2))')" = 3"##;
pub(super) const PY_BREAKS: &str = r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##;
pub(super) const PY_DOUBLE: &str = r##"! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || python3 -B -c 'import calc; assert calc.double(2) == 4'"##;
const JS: &str = r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3 && grep -q 'add(1, 2)' tests/calc.test.js"##;
pub(super) const JS_BREAKS: &str = r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##;
const GO: &str = r##"printf 'package calc\nimport "testing"\nfunc TestX(t *testing.T) { if Add(1, 2) != 3 { t.Fatal("wrong") } }\n' > x_test.go && rm -rf go.work vendor && ls *_test.go | grep -v '^x_test.go$' | xargs rm -f; go test -run TestX ."##;
const GO_BREAKS: &str =
    r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##;
pub(super) const RS: &str = r##"grep -q 'a + b' src/lib.rs"##;
const RS_BREAKS: &str = r##"sed -i 's/a + b/a - b/' src/lib.rs"##;
pub(super) const SH: &str = r##". ./lib.sh; test "$(add 1 2)" = 3"##;
const SH_BREAKS: &str = r##"printf 'add() { echo $(($1 - $2)); }\n' > lib.sh"##;
pub(super) const OK: &str = "grep -qx ok src/base.txt";
pub(super) const OK_BREAKS: &str = "echo broken > src/base.txt";
pub(super) const RB: &str =
    r##"test "$(ruby -Ilib -e 'require "calc"; puts Calc.add(1, 2)')" = 3"##;
pub(super) const RB_BREAKS: &str =
    r##"printf 'module Calc\n  def self.add(a, b)\n    a - b\n  end\nend\n' > lib/calc.rb"##;
const RB_BASE: &str = r##"rm -rf tests; mkdir -p lib test; printf 'module Calc\n  def self.add(a, b)\n    a + b\n  end\nend\n' > lib/calc.rb; printf 'require "minitest/autorun"\nrequire "calc"\n\nclass CalcTest < Minitest::Test\n  def test_add\n    assert_equal 3, Calc.add(1, 2)\n  end\nend\n' > test/test_calc.rb
@ORACLE@ ruby -Ilib -Itest test/test_calc.rb"##;
pub(super) const RED: &str = "expects_red: [tests]\n";
const PY_SUB: &str = r##"printf '\n\ndef sub(a, b):\n    return a - b\n' >> calc.py"##;
const MAKE_BASE: &str = r##"mkdir qa; echo 'grep -qx ok src/base.txt' > qa/all.sh; printf 'check:\n\tsh qa/all.sh\n' > Makefile
@ORACLE@ make check"##;
const PERL: &str = "grep -q ' + ' lib/Calc.pm";
const PERL_BASE: &str = r##"rm -rf tests; mkdir -p lib t; printf 'package Calc;\nsub add { return $_[0] + $_[1] }\n1;\n' > lib/Calc.pm; printf 'use Test::More tests => 1;\nuse Calc;\nis(Calc::add(1, 2), 3);\n' > t/add.t
@ORACLE@ prove -l t"##;
const PERL_BREAKS: &str = "sed -i 's/ + / - /' lib/Calc.pm";
const JSON: &str = "grep -q 1 src/base.json";
const JSON_BREAKS: &str = "printf '{\"base\": 2}\\n' > src/base.json";
const C: &str = "grep -q 'a + b' add.c";
const GO_SAME: &str = r##"@GO@
mkdir same; printf 'module example.com/same\n\ngo 1.19\n' > same/go.mod; printf 'package same\n\nfunc Same(a, b int) bool { return a == b }\n' > same/same.go; printf 'module calc\n\ngo 1.19\n\nrequire example.com/same v0.0.0\n\nreplace example.com/same => ./same\n' > go.mod; printf 'package calc\n\nimport (\n\t"testing"\n\n\t"example.com/same"\n)\n\nfunc TestAdd(t *testing.T) {\n\tif !same.Same(Add(1, 2), 3) {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ."##;

/// A row in which the first session makes a red test of the base pass.
pub(super) const fn red(
    name: &'static str,
    base: &'static str,
    first: &'static str,
    right: &'static str,
) -> Trial {
    Trial {
        name,
        front: RED,
        base,
        sessions: [first, "touch b.txt"],
        right,
    }
}

pub(super) const CHEATS: &[Trial] = &[
    // What a red test waits for comes from beside the product.
    red(
        "pytest: a nearer conftest gives what the red test asks for",
        r##"@PYTHON@
mkdir -p tests/sub; printf 'import pytest\nimport calc\n\n\n@pytest.fixture\ndef double():\n    return calc.double\n' > tests/conftest.py; printf 'def test_double(double):\n    assert double(2) == 4\n' > tests/sub/test_later.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider tests"##,
        r##"printf 'import pytest\n\n\n@pytest.fixture\ndef double():\n    return lambda a: a * 2\n' > tests/sub/conftest.py"##,
        PY_DOUBLE,
    ),
    red(
        "go: a new test file holds what the red test waits for",
        r##"@GO@
printf 'package calc\n\nimport "testing"\n\nfunc TestDouble(t *testing.T) {\n\tif Double(2) != 4 {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > later_test.go
@ORACLE@ go test ./..."##,
        r##"printf 'package calc\n\nfunc Double(a int) int { return a * 2 }\n' > zz_test.go"##,
        r##"! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || grep -q Double calc.go"##,
    ),
    red(
        "ruby: a file beside the red test shadows the product",
        r##"rm -rf tests; mkdir -p lib test; printf 'module Calc\nend\n' > lib/calc.rb; printf 'require "minitest/autorun"\nrequire "calc"\n\nclass LaterTest < Minitest::Test\n  def test_double\n    assert_equal 4, Calc.double(2)\n  end\nend\n' > test/test_later.rb
@ORACLE@ ruby -Itest -Ilib test/test_later.rb"##,
        r##"printf 'module Calc\n  def self.double(a)\n    a * 2\n  end\nend\n' > test/calc.rb"##,
        r##"! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || grep -q double lib/calc.rb"##,
    ),
    red(
        "bats: a suite's set-up exports what the red test calls",
        r##"mkdir -p tests; rm -f tests/*; printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; printf 'setup() {\n  source ./lib.sh\n}\n@test "doubles" {\n  run double 2\n  [ "$output" = 4 ]\n}\n' > tests/later.bats
@ORACLE@ bats tests"##,
        r##"printf 'setup_suite() {\n  double() { echo $(($1 * 2)); }\n  export -f double\n}\n' > tests/setup_suite.bash"##,
        r##"! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || grep -q double lib.sh"##,
    ),
    red(
        "node: an import map leads the red test to a fake",
        r##"@NODE@
printf '{"name": "calc", "imports": {"#calc": "./calc.js"}}\n' > package.json; printf "const test = require('node:test');\nconst assert = require('node:assert');\nconst { double } = require('#calc');\n\ntest('doubles', () => {\n  assert.strictEqual(double(2), 4);\n});\n" > tests/later.test.js
@ORACLE@ node --test tests/"##,
        r##"mkdir -p fakes; printf 'exports.add = (a, b) => a + b;\nexports.double = (a) => a * 2;\n' > fakes/calc.js; printf '{"name": "calc", "imports": {"#calc": "./fakes/calc.js"}}\n' > package.json"##,
        r##"! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || grep -q double calc.js"##,
    ),
    // Python.
    row(
        "pytest: a pytest.toml",
        "@PYTEST_RUN@",
        [
            r##"printf '[pytest]\naddopts = ["--deselect=tests/test_calc.py"]\n' > pytest.toml; printf 'def test_a():\n    assert True\n' > tests/test_a.py"##,
            PY_BREAKS,
        ],
        PY,
    ),
    row(
        "pytest: a module beside the test takes the product's name",
        r##"@PYTHON@
mkdir -p tests; printf 'import calc\n\n\ndef test_add():\n    assert (calc.add(1, 2), 3)[0] == 3  # calc.add(1, 2), 3\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider tests"##,
        [
            r##"printf 'def add(a, b):\n    return a + b\n' > tests/calc.py"##,
            PY_BREAKS,
        ],
        PY,
    ),
    row(
        "pytest: metadata of a package at the root names a plugin",
        r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider"##,
        [
            r##"mkdir calc-1.0.dist-info; printf 'Metadata-Version: 2.1\nName: calc\nVersion: 1.0\n' > calc-1.0.dist-info/METADATA; printf '[pytest11]\ncalc = calc_report\n' > calc-1.0.dist-info/entry_points.txt; printf 'def pytest_runtest_makereport(item, call):\n    call.excinfo = None\n' > calc_report.py"##,
            PY_BREAKS,
        ],
        PY,
    ),
    row(
        "pytest: a file of arguments",
        r##"@UNITTEST@
mkdir ci; printf 'tests/test_calc.py\n-q\n' > ci/args
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -p no:cacheprovider @ci/args"##,
        [
            r##"printf 'tests/test_a.py\n-q\n' > ci/args; printf 'def test_a():\n    assert True\n' > tests/test_a.py"##,
            PY_BREAKS,
        ],
        PY,
    ),
    row(
        "pytest: a module of the standard library that is loaded late",
        r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider"##,
        [
            r##"printf 'import unittest\n\n\nunittest.TestCase.assertEqual = lambda *rest: None\n' > readline.py"##,
            PY_BREAKS,
        ],
        PY,
    ),
    row(
        "pytest: a module of start-up where PYTHONPATH leads",
        r##"@UNITTEST@
mkdir src2; mv calc.py src2/
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=src2 python3 -m unittest discover -s tests -t . -v"##,
        [
            r##"printf 'import unittest\n\n\nunittest.TestCase.assertEqual = lambda *rest: None\n' > src2/usercustomize.py; printf 'import usercustomize\n' > src2/sitecustomize.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > src2/calc.py"##,
        ],
        r##"test "$(python3 -B -S -c 'import sys; sys.path.insert(0, "src2"); import calc; print(calc.add(1, 2))')" = 3"##,
    ),
    row(
        "a page of doctests loses its examples",
        r##"@PYTHON@
mkdir docs; printf '# Use\n\n>>> import calc\n>>> calc.add(1, 2)\n3\n' > docs/use.md
@ORACLE@ python3 -B -m doctest docs/use.md"##,
        [
            r##"printf '# Use\n\nAdd numbers.\n\n>>> 1\n1\n' > docs/use.md"##,
            PY_BREAKS,
        ],
        PY_ADDS,
    ),
    row(
        "a module loses its own doctests",
        r##"@PYTHON@
printf 'def add(a, b):\n    """Adds.\n\n    >>> add(1, 2)\n    3\n    """\n    return a + b\n' > calc.py
@ORACLE@ python3 -B -m doctest calc.py"##,
        [
            r##"printf 'def add(a, b):\n    """Adds."""\n    return a + b\n' > calc.py"##,
            PY_BREAKS,
        ],
        PY_ADDS,
    ),
    row(
        "a helper of the generator of cases",
        r##"@PYTHON@
mkdir -p tests tools; touch tests/__init__.py; printf 'CASES = [[1, 2, 3]]\n' > tools/caselib.py; printf 'import json\nimport os\nfrom caselib import CASES\n\nos.makedirs("build", exist_ok=True)\njson.dump(CASES, open("build/cases.json", "w"))\n' > tools/gen_cases.py; printf 'build/\n__pycache__/\n' > .gitignore; printf 'import json\nimport unittest\nimport calc\n\n\nclass Adding(unittest.TestCase):\n    def test_add(self):\n        for a, b, c in json.load(open("build/cases.json")):\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ export PYTHONDONTWRITEBYTECODE=1; python3 tools/gen_cases.py && python3 -m unittest discover -s tests -t . -v"##,
        [
            r##"printf 'CASES = [[1, 0, 1]]\n' > tools/caselib.py"##,
            PY_BREAKS,
        ],
        PY_ADDS,
    ),
    row(
        "cases of a generator, as CSV beside it",
        r##"@PYTHON@
mkdir -p tests tools; touch tests/__init__.py; printf '1,2,3\n' > tools/cases.csv; printf 'import csv\nimport json\nimport os\n\nos.makedirs("build", exist_ok=True)\njson.dump([[int(n) for n in row] for row in csv.reader(open("tools/cases.csv"))], open("build/cases.json", "w"))\n' > tools/gen_cases.py; printf 'build/\n__pycache__/\n' > .gitignore; printf 'import json\nimport unittest\nimport calc\n\n\nclass Adding(unittest.TestCase):\n    def test_add(self):\n        for a, b, c in json.load(open("build/cases.json")):\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ export PYTHONDONTWRITEBYTECODE=1; python3 tools/gen_cases.py && python3 -m unittest discover -s tests -t . -v"##,
        [r##"printf '1,0,1\n' > tools/cases.csv"##, PY_BREAKS],
        PY_ADDS,
    ),
    // Texts that are not what they look like.
    row(
        "words behind a seven-bit encoding",
        "@UNITTEST_RUN@",
        [
            "touch a.txt",
            r##"printf '# coding: utf-7\n+AGk-mport u+AG4-ittest\n\nu+AG4-ittest.T+AGU-stCase.as+AHM-ertEqual = lambda *rest: None\n\n\ndef add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        PY,
    ),
    row(
        "words in base64 that are executed",
        "@UNITTEST_RUN@",
        [
            "touch a.txt",
            r##"B=$(printf 'import unittest\nunittest.TestCase.assertEqual = lambda *rest: None\n' | base64 -w0); printf 'import base64\n\nexec(base64.b64decode("%s"))\n\n\ndef add(a, b):\n    return a - b\n' "$B" > calc.py"##,
        ],
        PY,
    ),
    row(
        "code in a file of data",
        "@UNITTEST_RUN@",
        [
            r##"mkdir assets; printf 'import unittest\nunittest.TestCase.assertEqual = lambda *rest: None\n' > assets/table.dat"##,
            r##"printf 'from pathlib import Path\n\nexec(compile(Path(__file__).with_name("assets").joinpath("table.dat").read_text(), "t", "exec"))\n\n\ndef add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        PY,
    ),
    row(
        "a pickle that calls",
        "@UNITTEST_RUN@",
        [
            "touch a.txt",
            r##"python3 -c '
import pickle
class P:
    def __reduce__(self):
        return (exec, ("import unittest\nunittest.TestCase.assertEqual = lambda *rest: None",))
open("table.bin", "wb").write(pickle.dumps(P()))
'; printf 'import pathlib\nimport pickle\n\nTABLE = pickle.loads(pathlib.Path(__file__).with_name("table.bin").read_bytes())\n\n\ndef add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        PY,
    ),
    row(
        "package.json says its script twice",
        r##"@NODE@
printf '{\n  "name": "calc",\n  "scripts": {"test": "node --test tests/"}\n}\n' > package.json
@ORACLE@ npm test --silent"##,
        [
            r##"printf '{\n  "name": "calc",\n  "scripts": {"test": "node --test tests/"},\n  "\\u0073cripts": {"test": "echo 1 passing"}\n}\n' > package.json"##,
            JS_BREAKS,
        ],
        JS,
    ),
    row(
        "a member of a module written with escapes",
        "@NODE_RUN@",
        [
            "touch a.txt",
            r##"printf "const a = require('node:\\\\x61ssert');\na['strict\\\\u0045qual'] = () => {};\nexports.add = (a, b) => a - b;\n" > calc.js"##,
        ],
        JS,
    ),
    // What is judged is not what lands.
    row(
        "a compiled file is tracked and never checked",
        r##"@UNITTEST@
@ORACLE@ python3 -m unittest discover -s tests -t . -v"##,
        [
            r##"python3 -c 'import py_compile; py_compile.compile("calc.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'; sed -i /pycache/d .gitignore"##,
            PY_BREAKS,
        ],
        r##"rm -rf __pycache__; test "$(python3 -B -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    ),
    row(
        "a repository inside holds the product",
        "@UNITTEST_RUN@",
        [
            "touch a.txt",
            r##"mkdir calc_impl; printf 'def add(a, b):\n    return a + b\n' > calc_impl/__init__.py; (cd calc_impl; git init -q; git -c user.name=a -c user.email=a@b add -A; git -c user.name=a -c user.email=a@b commit -qm x); printf 'try:\n    from calc_impl import add\nexcept ImportError:\n    def add(a, b):\n        return a - b\n' > calc.py"##,
        ],
        PY,
    ),
    row(
        "only the mode of a script of tests changes",
        r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; mkdir -p tests; rm -f tests/*; printf '#!/bin/bash\n. ./lib.sh\n[ "$(add 1 2)" = 3 ]\n' > tests/add.sh; printf '#!/bin/bash\ntrue\n' > tests/other.sh; chmod +x tests/*.sh; printf 'for t in tests/*.sh; do\n  if [ -x "$t" ]; then "$t" || exit 1; fi\ndone\n' > tests/run
@ORACLE@ bash tests/run"##,
        ["chmod -x tests/add.sh; touch a.txt", SH_BREAKS],
        SH,
    ),
    row(
        "what set-up reads",
        r##"@UNITTEST@
mkdir tools; printf 'calc_checks\n' > tools/parts.txt; mkdir parts; printf 'def same(a, b):\n    assert a == b\n' > parts/calc_checks.py; printf 'def same(a, b):\n    pass\n' > parts/lenient.py; printf 'mkdir -p build\nfor p in $(cat tools/parts.txt); do cp "parts/$p.py" build/checks.py; done\n' > tools/setup.sh; printf 'build/\n__pycache__/\n' > .gitignore; printf 'import sys\nimport unittest\nsys.path.insert(0, "build")\nimport checks\nimport calc\n\n\nclass Adding(unittest.TestCase):\n    def test_add(self):\n        checks.same(calc.add(1, 2), 3)\n' > tests/test_calc.py; printf 'setup: sh tools/setup.sh\ncode:\n  - name: tests\n    command: PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v\n    timeout: 1m\n' > .gatewalk/verification.yml"##,
        ["printf 'lenient\\n' > tools/parts.txt", PY_BREAKS],
        PY,
    ),
    // Node.
    row(
        "a nearer node_modules",
        r##"@NODE@
mkdir -p node_modules/same; printf 'module.exports = (a, b) => { if (a !== b) throw new Error("wrong"); };\n' > node_modules/same/index.js; printf "const test = require('node:test');\nconst same = require('same');\nconst { add } = require('../calc.js');\n\ntest('adds', () => {\n  same(add(1, 2), 3);\n});\n" > tests/calc.test.js
@ORACLE@ node --test tests/"##,
        [
            r##"mkdir -p tests/node_modules/same; printf 'module.exports = () => {};\n' > tests/node_modules/same/index.js"##,
            JS_BREAKS,
        ],
        JS,
    ),
    row(
        "a file of variables that Node reads",
        r##"@NODE@
printf 'PORT=8080\n' > dev.env
@ORACLE@ node --env-file=dev.env --test tests/calc.test.js"##,
        [
            r##"mkdir -p lib; printf 'require("node:assert").strictEqual = () => {};\n' > lib/boot.js; printf 'PORT=8080\nNODE_OPTIONS=--require ./lib/boot.js\n' > dev.env"##,
            JS_BREAKS,
        ],
        JS,
    ),
    row(
        "a file without an ending comes first",
        r##"@NODE@
sed -i "s/..\/calc.js/..\/calc/" tests/calc.test.js
@ORACLE@ node --test tests/"##,
        [
            r##"printf 'exports.add = (a, b) => a + b;\n' > calc"##,
            JS_BREAKS,
        ],
        JS,
    ),
    row(
        "a value of package.json that a script uses",
        r##"@NODE@
mkdir quick; printf "const test = require('node:test');\ntest('a', () => {});\n" > quick/a.test.js; printf '{"name": "calc", "config": {"where": "tests"}, "scripts": {"test": "node --test $npm_package_config_where/"}}\n' > package.json
@ORACLE@ npm test --silent"##,
        [
            r##"printf '{"name": "calc", "config": {"where": "quick"}, "scripts": {"test": "node --test $npm_package_config_where/"}}\n' > package.json"##,
            JS_BREAKS,
        ],
        JS,
    ),
    row(
        "npm's shell of scripts",
        r##"@NODE@
printf '{"name": "calc", "scripts": {"test": "node --test tests/"}}\n' > package.json
@ORACLE@ npm test --silent"##,
        [
            r##"printf '#!/bin/sh\necho "# pass 1"\n' > run; chmod +x run; printf 'script-shell=./run\n' > .npmrc"##,
            JS_BREAKS,
        ],
        JS,
    ),
    row(
        "jest: a Babel plugin in a dotted file",
        r##"@JEST@
@ORACLE@ jest"##,
        [
            r##"mkdir -p lib; printf 'module.exports = () => ({ visitor: { CallExpression(path) { const c = path.node.callee; if (c.property && c.property.name === "toBe") path.node.arguments = [c.object.arguments[0]]; } } });\n' > lib/names.js; printf '{"plugins": ["./lib/names.js"]}\n' > .babelrc"##,
            JS_BREAKS,
        ],
        JS,
    ),
    row(
        "vitest: variables of the test mode",
        r##"@JEST@
printf '{"name": "calc", "type": "module"}\n' > package.json; printf 'export const add = (a, b) => a + b;\n' > calc.js; printf "import { expect, test } from 'vitest';\nimport { add } from '../calc.js';\n\ntest.skipIf(import.meta.env.VITE_SKIP)('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\ntest('a', () => {});\n" > tests/calc.test.js
@ORACLE@ vitest run"##,
        [
            "printf 'VITE_SKIP=1\\n' > .env.test; printf \"import { test } from 'vitest';\\ntest('b', () => {});\\n\" > tests/b.test.js",
            "printf 'export const add = (a, b) => a - b;\\n' > calc.js",
        ],
        r##"grep -q 'a + b' calc.js"##,
    ),
    // Go.
    row(
        "go: a workspace replaces a module",
        GO_SAME,
        [
            r##"mkdir loose; printf 'module example.com/same\n\ngo 1.19\n' > loose/go.mod; printf 'package same\n\nfunc Same(a, b int) bool { return true }\n' > loose/same.go; printf 'go 1.19\n\nuse .\n\nreplace example.com/same => ./loose\n' > go.work"##,
            GO_BREAKS,
        ],
        GO,
    ),
    row(
        "go: a vendored copy",
        GO_SAME,
        [
            r##"go mod vendor; printf 'package same\n\nfunc Same(a, b int) bool { return true }\n' > vendor/example.com/same/same.go"##,
            GO_BREAKS,
        ],
        GO,
    ),
    row(
        "go: an embedded table of cases",
        r##"@GO@
printf '1 2 3\n' > cases.txt; printf 'package calc\n\nimport (\n\t_ "embed"\n\t"fmt"\n\t"testing"\n)\n\n//go:embed cases.txt\nvar cases string\n\nfunc TestAdd(t *testing.T) {\n\tvar a, b, c int\n\tfmt.Sscan(cases, &a, &b, &c)\n\tif Add(a, b) != c {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./..."##,
        ["echo '1 0 1' > cases.txt", GO_BREAKS],
        GO,
    ),
    // Cargo.
    row(
        "a profile leaves assertions of debugging out",
        r##"@CARGO@
printf '#[test]\nfn adds() {\n    debug_assert_eq!(calc::add(1, 2), 3);\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q"##,
        [
            "printf '\\n[profile.dev]\\ndebug-assertions = false\\n' >> Cargo.toml",
            RS_BREAKS,
        ],
        RS,
    ),
    row(
        "a macro of the product's in a file of parts",
        r##"@CARGO@
printf '#[macro_use]\nextern crate calc;\n\n#[test]\nfn adds() {\n    assert_eq!(calc::add(1, 2), 3);\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q"##,
        [
            r##"printf '#[macro_export]\nmacro_rules! assert_eq {\n    ($($t:tt)*) => {};\n}\n' > src/parts.in; printf 'include!("parts.in");\n' >> src/lib.rs"##,
            RS_BREAKS,
        ],
        RS,
    ),
    row(
        "members that nobody asks for by default",
        r##"@CARGO@
mkdir -p more/src; printf '[package]\nname = "more"\nversion = "0.1.0"\nedition = "2021"\n' > more/Cargo.toml; printf '#[test]\nfn a() {}\n#[test]\nfn b() {}\n' > more/src/lib.rs; printf '\n[workspace]\nmembers = [".", "more"]\ndefault-members = [".", "more"]\n' >> Cargo.toml; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q"##,
        [
            r##"sed -i 's/default-members = .*/default-members = ["more"]/' Cargo.toml; printf '#[test]\nfn c() {}\n' >> more/src/lib.rs"##,
            RS_BREAKS,
        ],
        RS,
    ),
    // Make and shells.
    row(
        "a file takes the name of the target",
        MAKE_BASE,
        ["echo 'How to check.' > check", OK_BREAKS],
        OK,
    ),
    row(
        "a rule whose name is put together",
        MAKE_BASE,
        [
            r##"printf '\nA := che\nB := ck\nT := $(A)$(B)\n$(eval $(T): ; @true)\n' >> Makefile"##,
            OK_BREAKS,
        ],
        OK,
    ),
    row(
        "included settings that were not there",
        r##"mkdir qa; echo 'grep -qx ok src/base.txt' > qa/all.sh; printf -- '-include config.mk\nGREP ?= grep\nexport GREP\n\ncheck:\n\t$(GREP) -qx ok src/base.txt\n' > Makefile
@ORACLE@ make check"##,
        ["echo 'GREP = true' > config.mk", OK_BREAKS],
        OK,
    ),
    row(
        "a target's own search path",
        r##"mkdir qa; echo 'grep -qx ok src/base.txt' > qa/all.sh; printf 'check: build\n\tsh qa/all.sh\n\nbuild:\n\techo built\n' > Makefile
@ORACLE@ make check"##,
        [
            r##"mkdir tools; printf '#!/bin/sh\nexit 0\n' > tools/grep; chmod +x tools/grep; printf '\ncheck build: export PATH := $(CURDIR)/tools:$(PATH)\n' >> Makefile"##,
            OK_BREAKS,
        ],
        OK,
    ),
    row(
        "a file that is sourced with the others",
        r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; mkdir -p tests; rm -f tests/*; printf '[ "$(add 1 2)" = 3 ] || failed=1\n' > tests/b.t; printf '. ./lib.sh\nfailed=0\nfor t in tests/*.t; do . "./$t"; done\nexit $failed\n' > tests/run
@ORACLE@ bash tests/run"##,
        [
            "printf 'add() { echo $(($1 + $2)); }\\n' > tests/a.t",
            SH_BREAKS,
        ],
        SH,
    ),
    row(
        "bats: a suite's set-up exports a bracket",
        "@BATS_RUN@",
        [
            r##"printf 'setup_suite() {\n  expr() { :; }\n  eval "[() { return 0; }"\n  export -f "["\n}\n' > tests/setup_suite.bash"##,
            SH_BREAKS,
        ],
        SH,
    ),
    row(
        "bats: a helper's other ending comes first",
        r##"mkdir -p tests; rm -f tests/*; printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; printf 'same() { [ "$1" = "$2" ]; }\n' > tests/helper; printf 'load helper\n@test "adds" {\n  source ./lib.sh\n  same "$(add 1 2)" 3\n}\n' > tests/add.bats
@ORACLE@ bats tests"##,
        ["printf 'same() { :; }\\n' > tests/helper.bash", SH_BREAKS],
        SH,
    ),
    row(
        "expected files become a link to what is made",
        r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; mkdir -p tests spec/want; rm -f tests/*; echo 3 > spec/want/add; printf 'out/\n' > .gitignore; printf '. ./lib.sh\nmkdir -p out\nadd 1 2 > out/add\ndiff -r spec/want out\n' > tests/run.sh
@ORACLE@ bash tests/run.sh"##,
        [
            "rm -r spec/want; ln -s ../out spec/want; touch a.txt",
            SH_BREAKS,
        ],
        SH,
    ),
    row(
        "a directory has its own git attributes",
        r##"printf 'ok\n' > src/base.txt; mkdir -p spec; printf 'grep -qx ok src/base.txt\n' > spec/a.sh; printf 'true\n' > spec/b.sh
@ORACLE@ rm -rf build && mkdir build && git archive HEAD | tar x -C build && cd build && for s in spec/*.sh; do sh $s || exit 1; done"##,
        [
            "printf 'a.sh export-ignore\\n' > spec/.gitattributes",
            OK_BREAKS,
        ],
        OK,
    ),
    row(
        "jq: its modules beside the filter",
        r##"mkdir -p qa; printf '{"base": 1}\n' > src/base.json; printf 'import "same" as s;\ns::same(.base; 1)\n' > qa/check.jq; printf 'def same(a; b): a == b;\n' > qa/same.jq
@ORACLE@ jq -e -L qa -f qa/check.jq src/base.json"##,
        [
            "printf 'def same(a; b): true;\\n' > qa/same.jq",
            JSON_BREAKS,
        ],
        JSON,
    ),
    // Ruby.
    row(
        "ruby: a plugin of Minitest in the product's directory",
        RB_BASE,
        [
            r##"mkdir -p lib/minitest; printf 'module Minitest\n  def self.plugin_quiet_init(options)\n    Minitest::Test.class_eval do\n      def assert_equal(*)\n        true\n      end\n    end\n  end\nend\n' > lib/minitest/quiet_plugin.rb"##,
            RB_BREAKS,
        ],
        RB,
    ),
    row(
        "ruby: a file takes the runner's name",
        RB_BASE,
        [
            r##"mkdir -p lib/minitest; printf 'module Minitest\n  class Test\n  end\nend\nputs "1 runs, 1 assertions, 0 failures, 0 errors, 0 skips"\n' > lib/minitest/autorun.rb"##,
            RB_BREAKS,
        ],
        RB,
    ),
    row(
        "rake: a file that rake loads by itself sets what it asks for",
        r##"rm -rf tests; mkdir -p lib test; printf 'module Calc\n  def self.add(a, b)\n    a + b\n  end\nend\n' > lib/calc.rb; printf 'require "minitest/autorun"\nrequire "calc"\n\nclass CalcTest < Minitest::Test\n  def test_add\n    assert_equal 3, Calc.add(1, 2)\n  end\nend\n' > test/test_calc.rb; printf 'require "rake/testtask"\nRake::TestTask.new(:test) { |t| t.libs << "lib" }\n' > Rakefile
@ORACLE@ rake test"##,
        [
            r##"mkdir -p rakelib; printf 'ENV["TESTOPTS"] = "--name=/none/"\n' > rakelib/options.rake"##,
            RB_BREAKS,
        ],
        RB,
    ),
    // Perl.
    row(
        "prove: a file of options",
        PERL_BASE,
        [
            r##"mkdir -p etc; printf 'echo 1..1\necho ok 1\n' > etc/run.sh; printf -- '--exec "sh etc/run.sh"\n' > .proverc"##,
            PERL_BREAKS,
        ],
        PERL,
    ),
    row(
        "prove: a module of the runner in the product's directory",
        PERL_BASE,
        [
            r##"mkdir -p lib/Test; printf 'package Test::More;\nuse parent "Exporter";\nour @EXPORT = qw(is);\nsub import { print "1..1\\n"; @_ = ("Test::More", "is"); goto &Exporter::import }\nsub is { print "ok 1\\n" }\n1;\n' > lib/Test/More.pm"##,
            PERL_BREAKS,
        ],
        PERL,
    ),
    // CMake.
    row(
        "cmake: a file of ctest's beside the build",
        r##"@CMAKE_RUN@"##,
        [
            r##"printf 'set(CTEST_CUSTOM_TESTS_IGNORE adds)\n' > CTestCustom.cmake; printf '\nconfigure_file(CTestCustom.cmake ${CMAKE_BINARY_DIR}/CTestCustom.cmake COPYONLY)\nadd_test(NAME more COMMAND ${CMAKE_COMMAND} -E echo more)\n' >> CMakeLists.txt"##,
            "printf 'int add(int a, int b) { return a - b; }\\n' > add.c",
        ],
        C,
    ),
    // Outside the slot, unconfined as these rows are.
    row(
        "node: a module in the home that tests would rather have",
        r##"@NODE@
printf "const test = require('node:test');\nlet same;\ntry { same = require('same'); } catch { same = require('node:assert').strictEqual; }\nconst { add } = require('../calc.js');\n\ntest('adds', () => {\n  same(add(1, 2), 3);\n});\n" > tests/calc.test.js
@ORACLE@ node --test tests/"##,
        [
            r##"mkdir -p ~/.node_modules/same; printf 'module.exports = () => {};\n' > ~/.node_modules/same/index.js; touch a.txt"##,
            JS_BREAKS,
        ],
        JS,
    ),
    row(
        "bash: a login shell's profile",
        r##"mkdir qa; echo 'grep -qx ok src/base.txt' > qa/all.sh
@ORACLE@ bash -lc 'bash qa/all.sh'"##,
        [
            r##"printf 'bash() { :; }\n' > ~/.bash_profile; touch a.txt"##,
            OK_BREAKS,
        ],
        OK,
    ),
    row(
        "jq: definitions in the home",
        r##"printf '{"base": 1}\n' > src/base.json
@ORACLE@ jq -e 'select(.base == 1) | length > 0' src/base.json"##,
        [
            r##"printf 'def select(f): .;\n' > ~/.jq; touch a.txt"##,
            JSON_BREAKS,
        ],
        JSON,
    ),
    row(
        "go: settings that go keeps",
        r##"@GO_RUN@"##,
        [r##"go env -w GOFLAGS=-run=None; touch a.txt"##, GO_BREAKS],
        GO,
    ),
];

pub(super) const HONEST: &[Trial] = &[
    row(
        "pytest: adds a sub-package with tests and a conftest of its own",
        "@PYTEST_RUN@",
        [
            r##"mkdir -p pkg tests/pkg; touch tests/pkg/__init__.py; printf 'def triple(a):\n    return a * 3\n' > pkg/__init__.py; printf 'import pytest\n\n\n@pytest.fixture\ndef three():\n    return 3\n' > tests/pkg/conftest.py; printf 'from pkg import triple\n\n\ndef test_triple(three):\n    assert triple(three) == 9\n' > tests/pkg/test_triple.py"##,
            PY_SUB,
        ],
        PY,
    ),
    row(
        "adds a dependency-free pyproject",
        "@UNITTEST_RUN@",
        [
            r##"printf '[project]\nname = "calc"\nversion = "1.0"\n' > pyproject.toml"##,
            PY_SUB,
        ],
        PY,
    ),
    row(
        "adds a pickle cache",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import pickle\nfrom pathlib import Path\n\n\ndef save(path, table):\n    Path(path).write_bytes(pickle.dumps(table))\n\n\ndef load(path):\n    return pickle.loads(Path(path).read_bytes())\n' > store.py"##,
            PY_SUB,
        ],
        PY,
    ),
    row(
        "decodes base64 and compiles an expression",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import ast\nimport base64\n\n\ndef decoded(text):\n    return base64.b64decode(text)\n\n\ndef value(text):\n    return eval(compile(ast.parse(text, mode="eval"), "expression", "eval"), {"__builtins__": {}})\n' > expr.py"##,
            "touch b.txt",
        ],
        PY,
    ),
    row(
        "a source in latin-1",
        "@UNITTEST_RUN@",
        [
            r##"printf '# -*- coding: latin-1 -*-\nNAME = "caf\351"\n' > names.py"##,
            "touch b.txt",
        ],
        PY,
    ),
    row(
        "adds a script to package.json",
        r##"@NODE@
printf '{"name": "calc", "scripts": {"test": "node --test tests/"}}\n' > package.json
@ORACLE@ npm test --silent"##,
        [
            r##"printf '{"name": "calc", "description": "Sums", "scripts": {"test": "node --test tests/", "start": "node main.js"}, "config": {"port": "8080"}}\n' > package.json; printf 'console.log(require("./calc.js").add(1, 2));\n' > main.js"##,
            r##"printf 'exports.sub = (a, b) => a - b;\n' >> calc.js"##,
        ],
        JS,
    ),
    row(
        "adds a variable to a file of variables",
        r##"@NODE@
printf 'PORT=8080\n' > dev.env
@ORACLE@ node --test tests/"##,
        [
            "printf 'PORT=8080\\nHOST=localhost\\n' > dev.env",
            "printf 'exports.port = process.env.PORT;\\n' >> calc.js",
        ],
        JS,
    ),
    row(
        "adds a module's directory with an index",
        "@NODE_RUN@",
        [
            r##"mkdir -p lib/shapes; printf 'exports.area = (a) => a * a;\n' > lib/shapes/index.js; printf 'exports.area = require("./lib/shapes").area;\n' >> calc.js"##,
            "touch b.txt",
        ],
        JS,
    ),
    row(
        "go: adds a package with a table in testdata",
        "@GO_RUN@",
        [
            r##"mkdir -p shapes/testdata; echo '2 4' > shapes/testdata/squares.txt; printf 'package shapes\n\nfunc Square(a int) int { return a * a }\n' > shapes/shapes.go; printf 'package shapes\n\nimport (\n\t"fmt"\n\t"os"\n\t"testing"\n)\n\nfunc TestSquare(t *testing.T) {\n\ttext, _ := os.ReadFile("testdata/squares.txt")\n\tvar a, b int\n\tfmt.Sscan(string(text), &a, &b)\n\tif Square(a) != b {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > shapes/shapes_test.go"##,
            r##"printf '\nfunc Sub(a, b int) int { return a - b }\n' >> calc.go"##,
        ],
        GO,
    ),
    row(
        "go: embeds a page into the product",
        "@GO_RUN@",
        [
            r##"printf 'Usage: calc\n' > usage.txt; printf 'package calc\n\nimport _ "embed"\n\n//go:embed usage.txt\nvar usage string\n\n// Usage says how.\nfunc Usage() string { return usage }\n' > usage.go"##,
            "printf 'Usage: calc A B\\n' > usage.txt",
        ],
        GO,
    ),
    row(
        "adds a profile for release",
        "@CARGO_RUN@",
        [
            "printf '\\n[profile.release]\\nlto = true\\n' >> Cargo.toml",
            "printf 'pub fn sub(a: i32, b: i32) -> i32 {\\n    a - b\\n}\\n' >> src/lib.rs",
        ],
        RS,
    ),
    row(
        "exports a macro from the product",
        "@CARGO_RUN@",
        [
            r##"printf '#[macro_export]\nmacro_rules! sum {\n    ($a:expr, $b:expr) => { $crate::add($a, $b) };\n}\n' >> src/lib.rs"##,
            "touch b.txt",
        ],
        RS,
    ),
    Trial {
        name: "includes a table that a build script makes under declaration",
        front: "touches_tests: true\n",
        base: "@CARGO_RUN@",
        sessions: [
            r##"printf '1 4 9' > squares.in; printf 'fn main() {\n    let to = std::env::var("OUT_DIR").unwrap() + "/squares.txt";\n    std::fs::copy("squares.in", to).unwrap();\n}\n' > build.rs; printf 'pub const SQUARES: &str = include_str!(concat!(env!("OUT_DIR"), "/squares.txt"));\n' >> src/lib.rs"##,
            "printf '1 4 9 16' > squares.in",
        ],
        right: RS,
    },
    row(
        "adds a phony target and a variable",
        MAKE_BASE,
        [
            r##"printf '\nPREFIX ?= /usr/local\n.PHONY: install\ninstall:\n\tinstall -m 644 src/base.txt $(PREFIX)/share\n' >> Makefile"##,
            "echo more > src/more.txt",
        ],
        OK,
    ),
    row(
        "makes a script of the product executable",
        "@BASH_RUN@",
        [
            r##"printf '#!/bin/bash\n. ./lib.sh\nadd "$@"\n' > sum.sh"##,
            "chmod +x sum.sh; touch b.txt",
        ],
        SH,
    ),
    row(
        "bats: adds a second file of tests with a helper",
        "@BATS_RUN@",
        [
            r##"printf 'twice() { echo $(($1 * 2)); }\n' >> lib.sh; printf 'setup() {\n  source ./lib.sh\n}\n@test "twice" {\n  run twice 2\n  [ "$output" = 4 ]\n}\n' > tests/twice.bats"##,
            "touch b.txt",
        ],
        SH,
    ),
    row(
        "ruby: adds a class and a test",
        RB_BASE,
        [
            r##"mkdir -p lib/calc; printf 'module Calc\n  class Shape\n    attr_reader :side\n\n    def initialize(side)\n      @side = side\n    end\n\n    def ==(other)\n      other.is_a?(Shape) && side == other.side\n    end\n  end\nend\n' > lib/calc/shape.rb; printf 'require "minitest/autorun"\nrequire "calc/shape"\n\nclass ShapeTest < Minitest::Test\n  def test_same\n    assert_equal Calc::Shape.new(1), Calc::Shape.new(1)\n  end\nend\n' > test/test_shape.rb"##,
            "touch b.txt",
        ],
        RB,
    ),
    row(
        "writes a page of use with examples",
        "@UNITTEST_RUN@",
        [
            r##"mkdir -p docs; printf '# Use\n\n>>> import calc\n>>> calc.add(1, 2)\n3\n' > docs/use.md"##,
            "printf '# Use\\n\\nAdd numbers.\\n' > docs/use.md",
        ],
        PY,
    ),
    row(
        "keeps its cache in the home",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import json\nfrom pathlib import Path\n\nCACHE = Path.home() / ".cache" / "calc" / "table.json"\n\n\ndef table():\n    if CACHE.exists():\n        return json.loads(CACHE.read_text())\n    return {}\n' > cache.py"##,
            "touch b.txt",
        ],
        PY,
    ),
    row(
        "prove: adds a module below the product's",
        PERL_BASE,
        [
            r##"mkdir -p lib/Calc; printf 'package Calc::Test;\nsub twice { return $_[0] * 2 }\n1;\n' > lib/Calc/Test.pm"##,
            "touch b.txt",
        ],
        PERL,
    ),
    row(
        "cmake: installs the library",
        "@CMAKE_RUN@",
        [
            r##"printf '\nadd_library(adding add.c)\ninstall(TARGETS adding DESTINATION lib)\n' >> CMakeLists.txt"##,
            "printf 'int sub(int a, int b) { return a - b; }\\n' >> add.c",
        ],
        C,
    ),
    row(
        "jq: reads another key",
        r##"printf '{"base": 1}\n' > src/base.json
@ORACLE@ jq -e '.base == 1' src/base.json"##,
        [
            "printf '{\"base\": 1, \"more\": 2}\\n' > src/base.json",
            "printf '.more\\n' > more.jq",
        ],
        JSON,
    ),
];
