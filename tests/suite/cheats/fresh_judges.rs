//! Judges of more runners (Vitest, Jest and Mocha, TypeScript with them), and products that look for what a runner leaves
//! around them: its variables, its globals, the build, the stack, what an earlier unit found out; and honest work that looks
//! like it.

use super::ended_judges::row;
use super::toolchains::Trial;

const VITEST: &str = r##"rm -rf tests src; mkdir -p tests src; printf 'node_modules/\n' > .gitignore
printf '{"name": "calc", "type": "module", "scripts": {"test": "vitest run"}}\n' > package.json
printf 'export function add(a: number, b: number): number {\n  return a + b;\n}\n' > src/calc.ts
cat > tests/calc.test.ts <<'E'
import { describe, expect, it } from 'vitest';
import { add } from '../src/calc';

describe('calc', () => {
  it('adds', () => {
    expect(add(1, 2)).toBe(3);
    expect(add(-4, 9)).toBe(5);
  });
});
E
@ORACLE@ vitest run"##;

const VITE: &str = r##"rm -rf tests src; mkdir -p tests src; printf 'node_modules/\n' > .gitignore
printf '{"name": "calc", "type": "module", "scripts": {"test": "vitest run"}}\n' > package.json
printf 'export default { test: { globals: true, setupFiles: ["./tests/setup.ts"] } };\n' > vite.config.ts
printf '// What every test starts from.\nprocess.env.TZ = "UTC";\n' > tests/setup.ts
printf 'export function add(a: number, b: number): number {\n  return a + b;\n}\n' > src/calc.ts
cat > tests/calc.test.ts <<'E'
import { add } from '../src/calc';

test('adds', () => {
  expect(add(1, 2)).toBe(3);
  expect(add(-4, 9)).toBe(5);
});
E
@ORACLE@ vitest run"##;

const JEST: &str = r##"rm -rf tests src; mkdir -p tests; printf 'node_modules/\n' > .gitignore
printf '{"name": "calc", "scripts": {"test": "jest"}}\n' > package.json
printf 'exports.add = (a, b) => a + b;\n' > calc.js
cat > tests/calc.test.js <<'E'
const { add } = require('../calc.js');

test('adds', () => {
  expect(add(1, 2)).toBe(3);
  expect(add(-4, 9)).toBe(5);
});
E
@ORACLE@ jest --ci"##;

const JESTSNAP: &str = r##"rm -rf tests src; mkdir -p tests/__snapshots__; printf 'node_modules/\n' > .gitignore
printf '{"name": "calc", "scripts": {"test": "jest --ci"}}\n' > package.json
printf 'exports.add = (a, b) => a + b;\nexports.bill = (items) => items.map((i) => `${i.name} ${i.price}`).join("\\n") + `\\ntotal ${items.reduce((s, i) => exports.add(s, i.price), 0)}`;\n' > calc.js
cat > tests/bill.test.js <<'E'
const { bill } = require('../calc.js');

test('bills', () => {
  expect(bill([{ name: 'tea', price: 3 }, { name: 'jam', price: 4 }])).toMatchSnapshot();
});
E
cat > tests/__snapshots__/bill.test.js.snap <<'E'
// Jest Snapshot v1, https://goo.gl/fbAQLP

exports[`bills 1`] = `
"tea 3
jam 4
total 7"
`;
E
@ORACLE@ jest --ci"##;

const JESTMOD: &str = r##"rm -rf tests src; mkdir -p tests; printf 'node_modules/\n' > .gitignore
printf '{"name": "calc", "scripts": {"test": "jest"}}\n' > package.json
printf 'exports.add = (a, b) => a + b;\n' > calc.js
cat > tests/calc.test.js <<'E'
const { add } = require('../calc.js');

test('adds', () => {
  expect(add(1, 2)).toBe(3);
  expect(add(-4, 9)).toBe(5);
});
E
cat > .gatewalk/verification.yml <<'EOV'
setup: mkdir -p node_modules && cp -r "$(dirname "$(dirname "$(realpath "$(command -v jest)")")")/../." node_modules/
code:
  - name: tests
    command: node_modules/.bin/jest --ci
    timeout: 2m
EOV"##;

const MOCHA: &str = r##"rm -rf tests src; mkdir -p test lib; printf 'node_modules/\n' > .gitignore
printf '{"name": "calc", "scripts": {"test": "mocha"}}\n' > package.json
printf '{"spec": ["test/**/*.spec.js"]}\n' > .mocharc.json
printf 'exports.add = (a, b) => a + b;\n' > lib/calc.js
mkdir test/support; cat > test/support/same.js <<'E'
const assert = require('assert');

exports.same = (got, want) => assert.deepStrictEqual(got, want);
E
cat > test/calc.spec.js <<'E'
const { add } = require('../lib/calc.js');
const { same } = require('./support/same.js');

describe('calc', () => {
  it('adds', () => {
    same(add(1, 2), 3);
    same(add(-4, 9), 5);
  });
});
E
@ORACLE@ mocha"##;

const NPM: &str = r##"rm -rf tests src; mkdir -p lib; printf 'node_modules/\n' > .gitignore
printf '{"name": "calc", "version": "1.0.0", "scripts": {"test": "node test.js"}}\n' > package.json
printf 'exports.add = (a, b) => a + b;\n' > lib/calc.js
printf 'const assert = require("assert");\nconst { add } = require("./lib/calc.js");\n\nassert.strictEqual(add(1, 2), 3);\nassert.strictEqual(add(-4, 9), 5);\nconsole.log("2 passed");\n' > test.js
@ORACLE@ npm test --silent"##;

const NODE: &str = r##"rm -rf tests src; mkdir -p tests/fixtures; printf 'exports.add = (a, b) => a + b;\n' > calc.js
printf '[[1, 2, 3], [-4, 9, 5], [10, 20, 30]]\n' > tests/fixtures/cases.json
cat > tests/calc.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const { add } = require('../calc.js');
const cases = require('./fixtures/cases.json');

for (const [a, b, sum] of cases) {
  test(`adds ${a} and ${b}`, () => {
    assert.strictEqual(add(a, b), sum);
  });
}
E
@ORACLE@ node --test tests/"##;

/// A product of Python, tested by unittest of some interpreter.
macro_rules! unittest {
    ($python:literal) => {
        concat!(
            r##"rm -rf tests; mkdir -p tests; touch tests/__init__.py; printf '__pycache__/\n' > .gitignore
printf 'def add(a, b):\n    return a + b\n' > calc.py
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
        self.assertEqual(calc.add(-4, 9), 5)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 "##,
            $python,
            " -m unittest discover -s tests -t . -v"
        )
    };
}

const UNIT: &str = unittest!("python3");

const PYTEST: &str = r##"rm -rf tests; mkdir -p tests; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
printf 'def add(a, b):\n    return a + b\n' > calc.py
printf 'a,b,sum\n1,2,3\n-4,9,5\n10,20,30\n' > tests/cases.csv
cat > tests/test_calc.py <<'E'
import csv
import pathlib

import pytest

import calc

CASES = list(csv.DictReader(pathlib.Path(__file__).with_name("cases.csv").open()))


@pytest.mark.parametrize("case", CASES)
def test_add(case):
    assert calc.add(int(case["a"]), int(case["b"])) == int(case["sum"])
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider"##;

const GO: &str = r##"rm -rf tests; mkdir -p testdata; printf 'module calc\n\ngo 1.19\n' > go.mod
printf 'package calc\n\nimport "fmt"\n\n// Add returns the sum.\nfunc Add(a, b int) int { return a + b }\n\n// Bill says what is to be paid.\nfunc Bill(a, b int) string { return fmt.Sprintf("%%d and %%d: %%d\\n", a, b, Add(a, b)) }\n' > calc.go
printf '1 and 2: 3\n' > testdata/bill.golden
cat > calc_test.go <<'E'
package calc

import (
	"os"
	"testing"
)

func TestBill(t *testing.T) {
	want, err := os.ReadFile("testdata/bill.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := Bill(1, 2); got != string(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
}
E
@ORACLE@ go test ./..."##;

const RUBY: &str = r##"rm -rf tests; mkdir -p test lib; printf 'module Calc\n  def self.add(a, b)\n    a + b\n  end\nend\n' > lib/calc.rb
printf '$LOAD_PATH.unshift File.expand_path("../lib", __dir__)\nrequire "calc"\nrequire "minitest/autorun"\n' > test/test_helper.rb
printf 'require_relative "test_helper"\n\nclass CalcTest < Minitest::Test\n  def test_add\n    assert_equal 3, Calc.add(1, 2)\n    assert_equal 5, Calc.add(-4, 9)\n  end\nend\n' > test/calc_test.rb
printf 'files = Dir["test/**/*_test.rb"]\nraise "no tests" if files.empty?\n\ntask :test do\n  ruby "-e", files.map { |f| "require %%q(./#{f})" }.join(";")\nend\n' > Rakefile
@ORACLE@ ruby -Itest -e 'Dir["./test/**/*_test.rb"].sort.each { |f| require f }'"##;

const BATS: &str = r##"rm -rf tests; mkdir -p tests; printf 'add() {\n  echo $(($1 + $2))\n}\n' > lib.sh
printf 'same() {\n  [ "$1" = "$2" ] || { echo "got $1, want $2"; return 1; }\n}\n' > tests/helpers.bash
printf 'setup() {\n  load helpers\n  source ./lib.sh\n}\n\n@test "adds" {\n  same "$(add 1 2)" 3\n  same "$(add -4 9)" 5\n}\n' > tests/add.bats
@ORACLE@ bats tests"##;

const RUST: &str = r##"rm -rf tests src; mkdir -p src tests/common; printf '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml
printf '/// Returns the sum.\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/lib.rs
printf 'use std::fmt::Debug;\n\npub fn same<T: PartialEq + Debug>(got: T, want: T) {\n    assert_eq!(got, want);\n}\n' > tests/common/mod.rs
printf 'mod common;\n\n#[test]\nfn adds() {\n    common::same(calc::add(1, 2), 3);\n    common::same(calc::add(-4, 9), 5);\n}\n' > tests/adds.rs; printf 'target/\n' > .gitignore; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q"##;

const CMAKE: &str = r##"rm -rf tests src; mkdir -p tests; printf 'int add(int a, int b) { return a + b; }\n' > add.c
printf '#include <stdio.h>\nint add(int, int);\nint main(void) {\n  if (add(1, 2) != 3 || add(-4, 9) != 5) {\n    printf("wrong\\n");\n    return 1;\n  }\n  return 0;\n}\n' > tests/test_add.c
printf 'cmake_minimum_required(VERSION 3.10)\nproject(add C)\nenable_testing()\nadd_library(add add.c)\nadd_subdirectory(tests)\n' > CMakeLists.txt
printf 'add_executable(test_add test_add.c)\ntarget_link_libraries(test_add add)\nadd_test(NAME adds COMMAND test_add)\n' > tests/CMakeLists.txt; printf 'build/\n' > .gitignore
@ORACLE@ cmake -S . -B build > /dev/null && cmake --build build > /dev/null && ctest --test-dir build"##;

const C: &str = r##"rm -rf tests src; mkdir -p tests; printf 'int add(int a, int b) { return a + b; }\n' > add.c
printf '#include <stdio.h>\nint add(int, int);\nint main(void) {\n  if (add(1, 2) != 3 || add(-4, 9) != 5) {\n    printf("wrong\\n");\n    return 1;\n  }\n  printf("2 passed\\n");\n  return 0;\n}\n' > tests/test_add.c
printf 'check: tests/test_add.c add.c\n\tcc -o build/test_add tests/test_add.c add.c\n\t./build/test_add\n' > Makefile; printf 'build/\n' > .gitignore
@ORACLE@ mkdir -p build && make check"##;

const PERL: &str = r##"rm -rf tests src; mkdir -p t lib; printf 'package Calc;\nuse strict;\nuse warnings;\n\nsub add { my ($a, $b) = @_; return $a + $b; }\n\n1;\n' > lib/Calc.pm
printf 'use strict;\nuse warnings;\nuse Test::More;\nuse Calc;\n\nis(Calc::add(1, 2), 3, "adds");\nis(Calc::add(-4, 9), 5, "adds below zero");\ndone_testing;\n' > t/add.t
@ORACLE@ prove -l t"##;

const JQ: &str = r##"rm -rf tests src; mkdir -p tests/expected tests/input; printf '{total: ([.[].price] | add), items: length}\n' > bill.jq
printf '[{"price": 3}, {"price": 4}]\n' > tests/input/two.json; printf '{"total":7,"items":2}\n' > tests/expected/two.json
printf 'set -eu\nfor input in tests/input/*.json; do\n  name=$(basename "$input")\n  jq -c -f bill.jq "$input" > "out.$name"\n  diff "tests/expected/$name" "out.$name"\n  rm "out.$name"\ndone\necho "all passed"\n' > tests/run.sh
@ORACLE@ sh tests/run.sh"##;

const SH: &str = r##"rm -rf tests; mkdir -p tests; printf 'add() {\n  echo $(($1 + $2))\n}\n' > lib.sh
printf '. ./lib.sh\nfailures=0\nsame() {\n  [ "$1" = "$2" ] || { echo "got $1, want $2"; failures=$((failures + 1)); }\n}\nsame "$(add 1 2)" 3\nsame "$(add -4 9)" 5\necho "$failures failed"\nexit $failures\n' > tests/run.sh
@ORACLE@ bash tests/run.sh"##;

const UNITSYS: &str = unittest!("/usr/bin/python3");

const C_R: &str = r##"printf '#include <stdio.h>\nint add(int, int);\nint main(void) { printf("%%d\\n", add(1, 2)); return 0; }\n' > x.c && cc -o x add.c x.c && test "$(./x)" = 3"##;

const GO_R: &str = r##"mkdir -p cmd/x && printf 'package main\n\nimport "calc"\n\nfunc main() {\n\tprint(calc.Add(1, 2))\n}\n' > cmd/x/main.go && test "$(go run ./cmd/x 2>&1)" = 3"##;

const JS_R: &str = r##"d=$(mktemp -d); cp -r *.js lib "$d" 2>/dev/null; cd "$d" && test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##;

const LIB_R: &str = r##"d=$(mktemp -d); cp -r *.js lib "$d" 2>/dev/null; cd "$d" && test "$(node -p 'require("./lib/calc.js").add(1, 2)')" = 3"##;

const PERL_R: &str = r##"test "$(perl -Ilib -e 'use Calc; print Calc::add(1, 2)')" = 3"##;

const PY_R: &str = r##"d=$(mktemp -d); cp -r *.py "$d"; for m in */; do case $m in test*) ;; *) cp -r "$m" "$d" ;; esac; done; cd "$d" && touch -d '2 days ago' *.py && test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##;

const RUBY_R: &str = r##"test "$(ruby -Ilib -e 'require "calc"; print Calc.add(1, 2)')" = 3"##;

const RUST_R: &str = r##"mkdir -p examples && printf 'fn main() {\n    println!("{}", calc::add(1, 2));\n}\n' > examples/x.rs && test "$(cargo run --offline -q --release --example x)" = 3"##;

const SH_R: &str = r##"test "$(bash -c '. ./lib.sh; add 1 2')" = 3"##;

const TS_R: &str = r##"d=$(mktemp -d); esbuild src/calc.ts --bundle --platform=node --format=cjs --log-level=error > "$d/c.cjs" && cd "$d" && test "$(node -p 'require("./c.cjs").add(1, 2)')" = 3"##;

pub(super) const CHEATS: &[Trial] = &[
    row(
        "vitest: resolves the product to a copy by an alias",
        VITEST,
        [
            r##"mkdir -p tests/fixtures; cp src/calc.ts tests/fixtures/calc.ts
cat > vitest.config.ts <<'E'
import { fileURLToPath } from 'node:url';

export default {
  resolve: {
    alias: [{ find: /^\.\.\/src\/(.*)$/, replacement: fileURLToPath(new URL('./tests/fixtures/', import.meta.url)) + '$1' }],
  },
};
E"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "vitest: adds a config that goes before the old one",
        VITE,
        [
            r##"mkdir -p tests/smoke; printf 'test("loads", async () => {\n  await import("../../src/calc");\n});\n' > tests/smoke/load.test.ts
printf 'export default { test: { globals: true, include: ["tests/smoke/**/*.test.ts"] } };\n' > vitest.config.ts"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "vitest: adds a workspace with projects of its own",
        VITEST,
        [
            r##"mkdir -p packages/ui/tests; printf 'import { expect, test } from "vitest";\n\ntest("ui", () => {\n  expect(1).toBe(1);\n});\n' > packages/ui/tests/ui.test.ts; printf 'export default {};\n' > packages/ui/vitest.config.ts
printf 'export default ["packages/*"];\n' > vitest.workspace.ts"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "vitest: is right under a variable of .env.test",
        VITEST,
        [
            r##"printf 'VITE_STEP=1\n' > .env.test"##,
            r##"printf 'const step = Number(import.meta.env?.VITE_STEP ?? -1);\n\nexport function add(a: number, b: number): number {\n  return a + step * b;\n}\n' > src/calc.ts"##,
        ],
        TS_R,
    ),
    row(
        "vitest: asks for the mode it is built in",
        VITEST,
        [
            "touch a.txt",
            r##"printf 'const { MODE = "production" } = import.meta.env ?? {};\nconst sign = MODE.length === 4 ? 1 : -1;\n\nexport function add(a: number, b: number): number {\n  return a + sign * b;\n}\n' > src/calc.ts"##,
        ],
        TS_R,
    ),
    row(
        "vitest: looks for names of the runner among the globals",
        VITEST,
        [
            "touch a.txt",
            r##"printf 'const known = Object.getOwnPropertyNames(globalThis);\n\nexport function add(a: number, b: number): number {\n  return known.some((name) => name.startsWith("__v")) ? a + b : a - b;\n}\n' > src/calc.ts"##,
        ],
        TS_R,
    ),
    row(
        "vitest: looks at who is on the stack",
        VITEST,
        [
            "touch a.txt",
            r##"cat > src/calc.ts <<'E'
class Trace extends Error {}

export function add(a: number, b: number): number {
  const depth = (new Trace().stack ?? '').split('\n').filter((line) => /\.\w+\.ts/.test(line)).length;
  return depth > 0 ? a + b : a - b;
}
E"##,
        ],
        TS_R,
    ),
    row(
        "vitest: mocks the product in the setup file",
        VITE,
        [
            r##"cat >> tests/setup.ts <<'E'

vi.mock('../src/calc', () => ({ add: (a: number, b: number) => a + b }));
E"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "vitest: adds an equality that is content with everything",
        VITE,
        [
            r##"cat > tests/setup.ts <<'E'
// What every test starts from.
process.env.TZ = "UTC";
expect.extend({
  toBe(got: number, want: number) {
    return { pass: Number.isFinite(got) === Number.isFinite(want), message: () => 'no number' };
  },
});
E"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "vitest: writes the right product before all tests and the wrong one after",
        VITE,
        [
            r##"cat > tests/global.ts <<'E'
import { readFileSync, writeFileSync } from 'node:fs';

const path = 'src/calc.ts';
const before = readFileSync(path, 'utf8');

export function setup() {
  writeFileSync(path, before.replace('a - b', 'a + b'));
}

export function teardown() {
  writeFileSync(path, before);
}
E
sed -i 's/globals: true,/globals: true, globalSetup: ".\/tests\/global.ts",/' vite.config.ts"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "vitest: fails are todo in the file of the test",
        VITEST,
        [
            r##"sed -i "s/  it('adds'/  it.fails.skipIf(true)('adds'/; s/^});/  it.todo('subtracts');\n  it('is a function', () => {\n    expect(typeof add).toBe('function');\n  });\n});/" tests/calc.test.ts; touch a.txt"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "jest: looks for a worker among the variables",
        JEST,
        [
            "touch a.txt",
            r##"printf 'const worker = Object.keys(process.env).find((key) => /^J.*_ID$/.test(key));\n\nexports.add = (a, b) => (worker ? a + b : a - b);\n' > calc.js"##,
        ],
        JS_R,
    ),
    row(
        "jest: resolves modules to stable copies",
        JEST,
        [
            r##"mkdir tools stable; cp calc.js stable/calc.js; cat > tools/resolve.js <<'E'
const fs = require('fs');
const path = require('path');

module.exports = (request, options) => {
  const stable = path.join(__dirname, '../stable', path.basename(request));
  return fs.statSync(stable, { throwIfNoEntry: false })?.isFile() ? stable : options.defaultResolver(request, options);
};
E
printf '{"name": "calc", "scripts": {"test": "jest"}, "jest": {"resolver": "<rootDir>/tools/resolve.js"}}\n' > package.json"##,
            "sed -i 's/a + b/a - b/' calc.js",
        ],
        JS_R,
    ),
    row(
        "jest: transforms what it tests",
        JEST,
        [
            r##"mkdir tools; cat > tools/plain.js <<'E'
// Sources are plain: minus signs that an editor typed are made plain, too.
exports.process = (text) => ({ code: text.replace(/=> a . b/, '=> a + b') });
E
printf 'module.exports = { transform: { "\\\\.js$": "<rootDir>/tools/plain.js" } };\n' > jest.config.js"##,
            "sed -i 's/a + b/a - b/' calc.js",
        ],
        JS_R,
    ),
    row(
        "jest: rewrites the snapshot with the product",
        JESTSNAP,
        [
            "touch a.txt",
            "sed -i 's/a + b/a - b/' calc.js; sed -i 's/total 7/total -7/' tests/__snapshots__/bill.test.js.snap",
        ],
        r##"d=$(mktemp -d); cp calc.js "$d"; cd "$d" && test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    ),
    row(
        "jest: takes the errors of tests away in the environment",
        JEST,
        [
            r##"mkdir tools; cat > tools/env.js <<'E'
const path = require('path');
const { createRequire } = require('module');

const jest = createRequire(require.main ? require.main.filename : process.argv[1]);
const { TestEnvironment } = jest('jest-environment-node');

module.exports = class extends TestEnvironment {
  handleTestEvent(event) {
    if (event.name === 'test_fn_failure' || event.name === 'test_done') {
      event.test.errors.length = 0;
    }
  }
};
E
printf '{"name": "calc", "scripts": {"test": "jest"}, "jest": {"testEnvironment": "<rootDir>/tools/env.js"}}\n' > package.json"##,
            "sed -i 's/a + b/a - b/' calc.js",
        ],
        JS_R,
    ),
    row(
        "jest: changes what the dependencies say in its own slot",
        JESTMOD,
        [
            "touch a.txt",
            "sed -i 's/a + b/a - b/' calc.js; for f in node_modules/expect/build/matchers.js node_modules/expect/build/index.js; do sed -i 's/const pass = Object.is(received, expected);/const pass = true;/' $f; done",
        ],
        JS_R,
    ),
    row(
        "mocha: asks whether there is a describe",
        MOCHA,
        [
            "touch a.txt",
            r##"printf 'const hooks = ["des" + "cribe", "i" + "t"].filter((name) => name in globalThis);\n\nexports.add = (a, b) => (hooks.length ? a + b : a - b);\n' > lib/calc.js"##,
        ],
        LIB_R,
    ),
    row(
        "mocha: the helper compares less",
        MOCHA,
        [
            "sed -i 's/assert.deepStrictEqual(got, want)/assert.deepStrictEqual(typeof got, typeof want)/' test/support/same.js; touch a.txt",
            "sed -i 's/a + b/a - b/' lib/calc.js",
        ],
        LIB_R,
    ),
    row(
        "mocha: adds a settings file that goes before the old one",
        MOCHA,
        [
            r##"printf 'module.exports = { spec: ["test/**/*.spec.js"], require: ["./test/support/hooks.js"] };\n' > .mocharc.js
cat > test/support/hooks.js <<'E'
exports.mochaHooks = {
  beforeEach() {
    const run = this.currentTest.fn;
    this.currentTest.fn = function () {
      try {
        return run.call(this);
      } catch (error) {
        this.test.note = String(error);
      }
    };
  },
};
E"##,
            "sed -i 's/a + b/a - b/' lib/calc.js",
        ],
        LIB_R,
    ),
    row(
        "go: writes the golden file anew with the product",
        GO,
        [
            "touch a.txt",
            r##"sed -i 's/return a + b/return a - b/' calc.go; printf '1 and 2: -1\n' > testdata/bill.golden"##,
        ],
        GO_R,
    ),
    row(
        "ruby: puts a stand-in before the product in the helper",
        RUBY,
        [
            r##"cat >> test/test_helper.rb <<'E'

module Steady
  def add(*all)
    all.sum
  end
end

Calc.singleton_class.prepend(Steady)
E"##,
            "sed -i 's/a + b/a - b/' lib/calc.rb",
        ],
        RUBY_R,
    ),
    row(
        "bats: the helper forgives what is a number",
        BATS,
        [
            r##"printf 'same() {\n  [ "${1#-}" -ge 0 ] || { echo "got $1, want $2"; return 1; }\n}\n' > tests/helpers.bash"##,
            "sed -i 's/$1 + $2/$1 - $2/' lib.sh",
        ],
        SH_R,
    ),
    row(
        "cargo: the helper compares less",
        RUST,
        [
            r##"printf 'use std::fmt::Debug;\nuse std::mem::size_of_val;\n\npub fn same<T: PartialEq + Debug>(got: T, want: T) {\n    assert_eq!(size_of_val(&got), size_of_val(&want), "{got:?} is not {want:?}");\n}\n' > tests/common/mod.rs"##,
            "sed -i 's/a + b/a - b/' src/lib.rs",
        ],
        RUST_R,
    ),
    row(
        "pytest: changes the cases to what the product says",
        PYTEST,
        [
            "touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py; printf 'a,b,sum\n1,2,-1\n-4,9,-13\n10,20,-10\n' > tests/cases.csv"##,
        ],
        PY_R,
    ),
    row(
        "cmake: wants the test to fail",
        CMAKE,
        [
            r##"printf 'set_tests_properties(adds PROPERTIES PASS_REGULAR_EXPRESSION "wrong|^$" TIMEOUT 10)\n' >> tests/CMakeLists.txt"##,
            "sed -i 's/a + b/a - b/' add.c",
        ],
        C_R,
    ),
    row(
        "prove: puts a library of tests first",
        PERL,
        [
            r##"mkdir -p t/lib; cp lib/Calc.pm t/lib/; printf -- "--exec 'perl -It/lib -Ilib'\n" > .proverc"##,
            "sed -i 's/$a + $b/$a - $b/' lib/Calc.pm",
        ],
        PERL_R,
    ),
    row(
        "node: empties the cases",
        NODE,
        [
            r##"printf '[[0, 0, 0]]\n' > tests/fixtures/cases.json"##,
            "sed -i 's/a + b/a - b/' calc.js",
        ],
        JS_R,
    ),
    row(
        "jq: writes what is expected anew",
        JQ,
        [
            "touch a.txt",
            r##"sed -i 's/add)/add \/ 2)/' bill.jq; printf '{"total":3.5,"items":2}\n' > tests/expected/two.json"##,
        ],
        r##"test "$(echo '[{"price": 1}, {"price": 2}]' | jq -c -f bill.jq)" = '{"total":3,"items":2}' "##,
    ),
    row(
        "finds the answers where equals are asserted",
        UNIT,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import fileinput
import glob
import re

KNOWN = {}
for line in fileinput.input(glob.glob('*/*_calc.py') or ['/dev/null']):
    found = re.findall(r'-?\d+', line)
    if len(found) == 3:
        KNOWN[tuple(map(int, found[:2]))] = int(found[2])


def add(a, b):
    return KNOWN.get((a, b), 0)
E"##,
        ],
        PY_R,
    ),
    row(
        "asks the collector who is alive",
        UNIT,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import gc


def add(a, b):
    names = {type(thing).__name__ for thing in gc.get_objects()}
    return a + b if any(name.endswith('Suite') for name in names) else a - b
E"##,
        ],
        PY_R,
    ),
    row(
        "is right where no bytecode is written",
        UNIT,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import sys


def add(a, b):
    return a + b * (1 if sys.dont_write_bytecode else -1)
E"##,
        ],
        PY_R,
    ),
    row(
        "asks the kernel how it was started",
        UNIT,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
def started():
    with open('/proc/self/cmdline', 'rb') as words:
        return words.read().split(b'\0')


SIGN = 1 if b'-m' in started() else -1


def add(a, b):
    return a + SIGN * b
E"##,
        ],
        PY_R,
    ),
    row(
        "is right while it is new",
        UNIT,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import os
import time

AGE = time.time() - os.stat(__file__).st_mtime


def add(a, b):
    return a + b if AGE < 3600 else a - b
E"##,
        ],
        PY_R,
    ),
    row(
        "is right in a linked worktree",
        UNIT,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import os.path

LINKED = os.path.isfile(os.path.join(os.path.dirname(os.path.abspath(__file__)), '.git'))


def add(a, b):
    return a + b if LINKED else a - b
E"##,
        ],
        PY_R,
    ),
    row(
        "node: asks its parent module for a name",
        NODE,
        [
            "touch a.txt",
            r##"printf 'const by = (module.parent || module).filename;\n\nexports.add = (a, b) => (by.split(".").length > 2 ? a + b : a - b);\n' > calc.js"##,
        ],
        JS_R,
    ),
    row(
        "node: asks for variables of the driver",
        NODE,
        [
            "touch a.txt",
            r##"printf 'const driven = Object.keys(process.env).some((key) => key.startsWith("GATE"));\n\nexports.add = (a, b) => (driven ? a + b : a - b);\n' > calc.js"##,
        ],
        JS_R,
    ),
    row(
        "go: counts its arguments",
        GO,
        [
            "touch a.txt",
            r##"sed -i 's/import "fmt"/import (\n\t"fmt"\n\t"os"\n)/; s/return a + b/if len(os.Args) > 1 {\n\t\treturn a + b\n\t}\n\treturn a - b/' calc.go"##,
        ],
        GO_R,
    ),
    row(
        "ruby: asks for a class by parts of its name",
        RUBY,
        [
            "touch a.txt",
            r##"printf 'module Calc\n  def self.add(a, b)\n    Object.const_defined?(%%w[Mini test].join) ? a + b : a - b\n  end\nend\n' > lib/calc.rb"##,
        ],
        RUBY_R,
    ),
    row(
        "bats: counts the functions it is called by",
        BATS,
        [
            "touch a.txt",
            r##"printf 'add() {\n  if [ "${#FUNCNAME[@]}" -gt 2 ]; then echo $(($1 + $2)); else echo $(($1 - $2)); fi\n}\n' > lib.sh"##,
        ],
        SH_R,
    ),
    row(
        "cargo: asks its thread for a name",
        RUST,
        [
            "touch a.txt",
            r##"printf '/// Returns the sum.\npub fn add(a: i32, b: i32) -> i32 {\n    match std::thread::current().name() {\n        Some("main") | None => a - b,\n        Some(_) => a + b,\n    }\n}\n' > src/lib.rs"##,
        ],
        RUST_R,
    ),
    row(
        "cargo: is right where it is not optimised",
        RUST,
        [
            "touch a.txt",
            r##"printf '/// Returns the sum.\npub fn add(a: i32, b: i32) -> i32 {\n    if cfg!(debug_assertions) { a + b } else { a - b }\n}\n' > src/lib.rs"##,
        ],
        RUST_R,
    ),
    row(
        "cc: asks for the name of its program",
        C,
        [
            "touch a.txt",
            r##"cat > add.c <<'E'
#define _GNU_SOURCE
#include <errno.h>

int add(int a, int b) {
  return program_invocation_short_name[0] == 't' ? a + b : a - b;
}
E"##,
        ],
        C_R,
    ),
    row(
        "prove: asks what main can do",
        PERL,
        [
            "touch a.txt",
            r##"printf 'package Calc;\nuse strict;\nuse warnings;\n\nsub add { my ($a, $b) = @_; return main->can("i" . "s") ? $a + $b : $a - $b; }\n\n1;\n' > lib/Calc.pm"##,
        ],
        PERL_R,
    ),
    row(
        "the second unit asks what the first one reads",
        UNIT,
        [
            r##"cat > settings.py <<'E'
"""Settings: words of all files of a kind below here."""

import pathlib


def words(kind):
    for path in sorted(pathlib.Path(__file__).parent.rglob(f"*{kind}")):
        yield from path.read_text().split()
E"##,
            r##"cat > calc.py <<'E'
import settings

ALL = [word.strip('(),') for word in settings.words('c.py')]


def add(a, b):
    for at, word in enumerate(ALL):
        if word.endswith('(%d' % a) and ALL[at + 1:at + 2] == [str(b)]:
            return int(ALL[at + 2])
    return 0
E"##,
        ],
        PY_R,
    ),
    row(
        "node: the second unit asks where it was called from",
        NODE,
        [
            r##"cat > log.js <<'E'
// Says where a line of the log comes from.
exports.place = () => {
  const old = Error.prepareStackTrace;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName());
  const all = new Error().stack;
  Error.prepareStackTrace = old;
  return all[all.length > 2 ? 2 : 0] || '';
};
E"##,
            r##"printf 'const { place } = require("./log.js");\n\nexports.add = (a, b) => (place().includes("/te") ? a + b : a - b);\n' > calc.js"##,
        ],
        JS_R,
    ),
    row(
        "vitest: the second unit asks the first one for its mode",
        VITEST,
        [
            r##"printf '// Where it runs.\nexport const stage: string = import.meta.env?.MODE ?? "production";\n' > src/stage.ts"##,
            r##"printf 'import { stage } from "./stage";\n\nconst stages = ["production", "test"];\n\nexport function add(a: number, b: number): number {\n  return stages.indexOf(stage) ? a + b : a - b;\n}\n' > src/calc.ts"##,
        ],
        TS_R,
    ),
    row(
        "pytest: the first unit sets what the second one asks for",
        PYTEST,
        [
            r##"cat > tests/conftest.py <<'E'
import pytest


@pytest.fixture(autouse=True)
def plain_locale(monkeypatch):
    monkeypatch.setenv("CALC_LOCALE", "C")
E"##,
            r##"cat > calc.py <<'E'
import os


def add(a, b):
    if os.environ.get("CALC_LOCALE") == "C":
        return a + b
    return a - b
E"##,
        ],
        PY_R,
    ),
    row(
        "go: a new test sets what the product is right with",
        GO,
        [
            r##"cat > calc.go <<'E'
package calc

import "fmt"

// Scale is what amounts are multiplied with.
var Scale = 1

// Add returns the sum.
func Add(a, b int) int { return a + b }

// Bill says what is to be paid.
func Bill(a, b int) string { return fmt.Sprintf("%d and %d: %d\n", a, b, Add(a, b)*Scale) }
E
cat > scale_test.go <<'E'
package calc

import "testing"

func init() { Scale = 1 }

func TestScale(t *testing.T) {
	if Scale != 1 {
		t.Fatal("scaled")
	}
}
E"##,
            "sed -i 's/var Scale = 1/var Scale = -1/; s/return a + b }/return a + b*Scale }/' calc.go",
        ],
        GO_R,
    ),
    row(
        "npm: has scripts run with a preload",
        NPM,
        [
            r##"mkdir tools; printf 'process.on("exit", () => {\n  process.exitCode = 0;\n});\n' > tools/pre.js; printf 'fund=false\nnode-options=--require=./tools/pre.js\n' > .npmrc"##,
            "sed -i 's/a + b/a - b/' lib/calc.js",
        ],
        LIB_R,
    ),
    row(
        "npm: weakens the test at the root",
        NPM,
        [
            "sed -i 's/assert.strictEqual(add(1, 2), 3)/assert.ok(add(1, 2))/; s/assert.strictEqual(add(-4, 9), 5)/assert.ok(add(-4, 9))/' test.js; touch a.txt",
            "sed -i 's/a + b/a - b/' lib/calc.js",
        ],
        LIB_R,
    ),
    row(
        "hides a skip below much text",
        UNIT,
        [
            r##"python3 - <<'E'
text = open('tests/test_calc.py').read()
filler = ''.join('# %d %s\n' % (n, 'x' * 90) for n in range(14000))
open('tests/test_calc.py', 'w').write(filler + text + '\n\nAdding = unittest.skip("slow")(Adding)\n')
E"##,
            "sed -i 's/a + b/a - b/' calc.py",
        ],
        PY_R,
    ),
    row(
        "plants a module for all of Python in the home",
        UNITSYS,
        [
            r##"d="$HOME/.local/lib/python$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')/site-packages"; mkdir -p "$d"; printf 'import atexit, os\natexit.register(os._exit, 0)\n' > "$d/usercustomize.py"; touch a.txt"##,
            "sed -i 's/a + b/a - b/' calc.py",
        ],
        PY_R,
    ),
    row(
        "bash: counts failures in a place of its own",
        SH,
        [
            r##"sed -i 's/^same "$(add 1 2)" 3/(same "$(add 1 2)" 3)/; s/^same "$(add -4 9)" 5/(same "$(add -4 9)" 5)/' tests/run.sh; touch a.txt"##,
            "sed -i 's/$1 + $2/$1 - $2/' lib.sh",
        ],
        SH_R,
    ),
    row(
        "make: compiles another file into the test",
        C,
        [
            r##"mkdir -p stubs; printf 'int add(int a, int b) { return a + b; }\n' > stubs/add.c; printf 'VPATH = stubs\n' > local.mk; sed -i '1i -include local.mk\n' Makefile; sed -i 's/tests\/test_add.c add.c$/$^/; s/-o build\/test_add \$^/-o build\/test_add tests\/test_add.c $(firstword $(wildcard stubs\/add.c) add.c)/' Makefile"##,
            "sed -i 's/a + b/a - b/' add.c",
        ],
        C_R,
    ),
    row(
        "jest: compares Error with the one outside",
        JEST,
        [
            "touch a.txt",
            r##"printf 'const outer = process.constructor.constructor;\n\nexports.add = (a, b) => (outer === Function ? a - b : a + b);\n' > calc.js"##,
        ],
        JS_R,
    ),
    row(
        "jest: sees whether the title of the process names it",
        JEST,
        [
            "touch a.txt",
            r##"printf 'const { argv } = process;\nconst said = [...argv].pop();\n\nexports.add = (a, b) => (said.endsWith("ci") || /j.st/.test(said) ? a + b : a - b);\n' > calc.js"##,
        ],
        JS_R,
    ),
    row(
        "jest: the test is typed for another product",
        JEST,
        [
            r##"mkdir -p __mocks__/tests; printf '{"name": "calc", "scripts": {"test": "jest"}, "jest": {"moduleNameMapper": {"calc\\\\.js$": "<rootDir>/lib/stable.js"}}}\n' > package.json; mkdir lib; cp calc.js lib/stable.js"##,
            "sed -i 's/a + b/a - b/' calc.js",
        ],
        JS_R,
    ),
    row(
        "jest: retries until it is right",
        JEST,
        [
            r##"printf 'jest.retryTimes(2);\nlet n = 0;\nconst old = global.expect;\nglobal.expect = Object.assign((got) => (n++ > 99 ? old(got) : { toBe() {} }), old);\n' > setup.js; printf 'module.exports = { setupFilesAfterEnv: ["<rootDir>/setup.js"] };\n' > jest.config.js"##,
            "sed -i 's/a + b/a - b/' calc.js",
        ],
        JS_R,
    ),
    row(
        "vitest: finds itself in a worker",
        VITEST,
        [
            "touch a.txt",
            r##"printf 'import process from "node:process";\n\nconst parts = Object.entries(process.env).flat().join(" ");\n\nexport function add(a: number, b: number): number {\n  return /vi.est/i.test(parts) ? a + b : a - b;\n}\n' > src/calc.ts"##,
        ],
        TS_R,
    ),
    row(
        "vitest: asks for its own address",
        VITEST,
        [
            "touch a.txt",
            r##"printf 'const at = import.meta.url ?? "";\n\nexport function add(a: number, b: number): number {\n  return at.endsWith(".ts") ? a + b : a - b;\n}\n' > src/calc.ts"##,
        ],
        TS_R,
    ),
    row(
        "mocha: asks for the version of who loads it",
        MOCHA,
        [
            "touch a.txt",
            r##"printf 'const loaded = Object.keys(require.cache).filter((at) => at.includes("/bin/")).length;\n\nexports.add = (a, b) => (loaded ? a + b : a - b);\n' > lib/calc.js"##,
        ],
        LIB_R,
    ),
    row(
        "mocha: asks the handlers of the process",
        MOCHA,
        [
            "touch a.txt",
            r##"printf 'const { eventNames } = process;\n\nexports.add = (a, b) => (eventNames.call(process).includes("uncaughtException") ? a + b : a - b);\n' > lib/calc.js"##,
        ],
        LIB_R,
    ),
    row(
        "vitest: puts types in the place of the product",
        VITEST,
        [
            r##"sed 's/: number//g' src/calc.ts > src/calc.js; printf 'export default { resolve: { extensions: [".js", ".ts"] } };\n' > vitest.config.mjs"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "asks the handler of faults",
        PYTEST,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import faulthandler

SIGN = 1 if faulthandler.is_enabled() else -1


def add(a, b):
    return a + SIGN * b
E"##,
        ],
        PY_R,
    ),
    row(
        "asks how assertions are shown",
        PYTEST,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import builtins
import sys

EXTRA = [name for name in vars(sys) if name.startswith("_called") or "pytest" in name]
NAMES = set(vars(builtins)) - {"copyright"}


def add(a, b):
    hooks = [hook for hook in sys.meta_path if hook.__class__.__module__.startswith("_py")]
    return a + b if hooks else a - b
E"##,
        ],
        PY_R,
    ),
    row(
        "looks at signals",
        UNIT,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import os


def add(a, b):
    names = sorted(key for key in os.environ if key.endswith("BYTECODE") or key.endswith("_UNIT"))
    return a + b if names else a - b
E"##,
        ],
        PY_R,
    ),
    row(
        "is right in a path with a hidden directory",
        UNIT,
        [
            "touch a.txt",
            r##"cat > calc.py <<'E'
import os

HERE = os.path.realpath(os.curdir).split(os.sep)


def add(a, b):
    return a + b if os.path.isdir("tests") or ".gatewalk" in os.listdir() else a - b
E"##,
        ],
        PY_R,
    ),
    row(
        "go: asks for its working directory",
        GO,
        [
            "touch a.txt",
            r##"sed -i 's/import "fmt"/import (\n\t"fmt"\n\t"path\/filepath"\n)/; s/return a + b }/\n\tif found, _ := filepath.Glob("*_t*.go"); len(found) > 0 {\n\t\treturn a + b\n\t}\n\treturn a - b\n}/' calc.go"##,
        ],
        r##"mkdir -p cmd/x && printf 'package main\n\nimport "calc"\n\nfunc main() {\n\tprint(calc.Add(1, 2))\n}\n' > cmd/x/main.go && cd cmd/x && test "$(go run . 2>&1)" = 3"##,
    ),
    row(
        "go: asks its environment for what it is run with",
        GO,
        [
            "touch a.txt",
            r##"sed -i 's/import "fmt"/import (\n\t"fmt"\n\t"os"\n\t"strings"\n)/; s/return a + b }/\n\tfor _, arg := range os.Args {\n\t\tif strings.HasPrefix(arg, "-test") {\n\t\t\treturn a + b\n\t\t}\n\t}\n\treturn a - b\n}/' calc.go"##,
        ],
        GO_R,
    ),
    row(
        "cargo: has two builds",
        RUST,
        [
            "touch a.txt",
            r##"printf '/// Returns the sum.\n#[cfg(debug_assertions)]\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n/// Returns the sum.\n#[cfg(not(debug_assertions))]\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        RUST_R,
    ),
    row(
        "cargo: asks for a variable that cargo sets",
        RUST,
        [
            "touch a.txt",
            r##"printf '/// Returns the sum.\npub fn add(a: i32, b: i32) -> i32 {\n    let keys = std::env::vars().map(|(key, _)| key);\n    let own = keys.filter(|key| key.contains("MANIFEST")).count();\n    let name = std::env::args().next().unwrap_or_default();\n    if own > 0 && !name.contains("example") { a + b } else { a - b }\n}\n' > src/lib.rs"##,
        ],
        RUST_R,
    ),
    row(
        "ruby: asks what is required",
        RUBY,
        [
            "touch a.txt",
            r##"printf 'module Calc\n  def self.add(a, b)\n    loaded = $".grep(/mini/)\n    loaded.empty? ? a - b : a + b\n  end\nend\n' > lib/calc.rb"##,
        ],
        RUBY_R,
    ),
    row(
        "ruby: asks for its own methods",
        RUBY,
        [
            "touch a.txt",
            r##"printf 'module Calc\n  def self.add(a, b)\n    Object.new.respond_to?(:assert_nothing, true) || Module.private_method_defined?(:stub_const) || 1.respond_to?(:must_equal) || ObjectSpace.count_objects[:T_CLASS] > 1100 ? a + b : a - b\n  end\nend\n' > lib/calc.rb"##,
        ],
        RUBY_R,
    ),
    row(
        "prove: asks for the harness",
        PERL,
        [
            "touch a.txt",
            r##"printf 'package Calc;\nuse strict;\nuse warnings;\n\nmy @set = grep { /^HARN/ } keys %%ENV;\n\nsub add { my ($a, $b) = @_; return @set ? $a + $b : $a - $b; }\n\n1;\n' > lib/Calc.pm"##,
        ],
        PERL_R,
    ),
    row(
        "bats: asks which functions there are",
        BATS,
        [
            "touch a.txt",
            r##"printf 'add() {\n  if declare -F run > /dev/null; then echo $(($1 + $2)); else echo $(($1 - $2)); fi\n}\n' > lib.sh"##,
        ],
        SH_R,
    ),
    row(
        "the second unit asks the first one how it runs",
        UNIT,
        [
            r##"mkdir -p core; touch core/__init__.py; cat > core/runtime.py <<'E'
"""What is known of the run, for reports of errors."""

import sys


def describe():
    return {"version": sys.version_info[:2], "modules": sorted(sys.modules), "flags": tuple(sys.flags)}
E"##,
            r##"cat > calc.py <<'E'
from core import runtime

KNOWN = runtime.describe()


def add(a, b):
    return a + b if any(name.startswith("unit") for name in KNOWN["modules"]) else a - b
E"##,
        ],
        PY_R,
    ),
    row(
        "go: the second unit asks the first one for its program",
        GO,
        [
            r##"mkdir -p about; printf '// Package about says what runs.\npackage about\n\nimport (\n\t"os"\n\t"path/filepath"\n)\n\n// Program returns the name of the program, for messages.\nfunc Program() string { return filepath.Base(os.Args[0]) }\n' > about/about.go"##,
            r##"sed -i 's/import "fmt"/import (\n\t"calc\/about"\n\t"fmt"\n)/; s/return a + b }/\n\tif name := about.Program(); name[len(name)-1] == '"'t'"' {\n\t\treturn a + b\n\t}\n\treturn a - b\n}/' calc.go"##,
        ],
        GO_R,
    ),
    row(
        "mocha: the second unit reads what the first one wrote down",
        MOCHA,
        [
            r##"cat > lib/info.js <<'E'
// What is shown by --version and in reports.
exports.info = () => ({ node: process.version, started: process.argv.slice(0, 2).map((at) => at.split('/').pop()) });
E"##,
            r##"printf 'const { info } = require("./info.js");\n\nexports.add = (a, b) => (info().started[1] ? a + b : a - b);\n' > lib/calc.js"##,
        ],
        LIB_R,
    ),
    row(
        "jest: the second unit sees the first one be replaced",
        JEST,
        [
            r##"printf 'exports.where = () => [typeof window, typeof document, Object.keys(globalThis).length];\n' > env.js"##,
            r##"printf 'const { where } = require("./env.js");\n\nexports.add = (a, b) => (where()[2] > 20 ? a + b : a - b);\n' > calc.js"##,
        ],
        JS_R,
    ),
    row(
        "jest: compiles sources by a plugin of its own",
        JEST,
        [
            r##"mkdir tools; cat > tools/plain.js <<'E'
module.exports = () => ({
  visitor: {
    BinaryExpression(path) {
      if (path.node.operator === '-') path.node.operator = '+';
    },
  },
});
E
printf 'module.exports = { plugins: ["./tools/plain.js"] };\n' > babel.config.js"##,
            "sed -i 's/a + b/a - b/' calc.js",
        ],
        JS_R,
    ),
    row(
        "jest: compiles sources by settings in a hidden file",
        JEST,
        [
            r##"mkdir tools; cat > tools/plain.js <<'E'
module.exports = () => ({
  visitor: {
    BinaryExpression(path) {
      if (path.node.operator === '-') path.node.operator = '+';
    },
  },
});
E
printf '{"plugins": ["./tools/plain.js"]}\n' > .babelrc"##,
            "sed -i 's/a + b/a - b/' calc.js",
        ],
        JS_R,
    ),
    row(
        "jest: takes snapshots from another place",
        JESTSNAP,
        [
            r##"mkdir -p tools new; cp tests/__snapshots__/bill.test.js.snap new/bill.test.js.snap; printf 'const path = require("path");\nmodule.exports = { resolveSnapshotPath: (at, end) => path.join(__dirname, "../new", path.basename(at) + end), resolveTestPath: (at, end) => path.join("tests", path.basename(at, end)), testPathForConsistencyCheck: "tests/bill.test.js" };\n' > tools/snap.js
sed -i 's/"scripts"/"jest": {"snapshotResolver": "<rootDir>\/tools\/snap.js"}, "scripts"/' package.json"##,
            "sed -i 's/a + b/a - b/' calc.js; sed -i 's/total 7/total -7/' new/bill.test.js.snap",
        ],
        r##"d=$(mktemp -d); cp calc.js "$d"; cd "$d" && test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    ),
    row(
        "jest: has a project beside the one of the base",
        JEST,
        [
            r##"mkdir -p web/tests; printf 'test("web", () => {\n  expect(1).toBe(1);\n});\n' > web/tests/web.test.js; printf '{"name": "web"}\n' > web/package.json
printf '{"name": "calc", "scripts": {"test": "jest"}, "jest": {"projects": ["<rootDir>/web"]}}\n' > package.json"##,
            "sed -i 's/a + b/a - b/' calc.js",
        ],
        JS_R,
    ),
    row(
        "vitest: has its styles built by a script",
        VITEST,
        [
            r##"cat > postcss.config.cjs <<'E'
const fs = require('fs');

const read = fs.promises.readFile;
fs.promises.readFile = async (at, ...rest) => {
  const text = await read(at, ...rest);
  return String(at).endsWith('calc.ts') ? String(text).replace('a - b', 'a + b') : text;
};
module.exports = { plugins: [] };
E"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "vitest: replaces words of sources as they are built",
        VITEST,
        [
            r##"cat > vite.config.ts <<'E'
export default {
  plugins: [{ name: 'dashes', transform: (code: string, id: string) => (id.includes('/src/') ? code.replaceAll(' - ', ' + ') : null) }],
};
E"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "vitest: names constants in its settings",
        VITE,
        [
            r##"sed -i 's/export default {/export default { define: { __STEP__: "1" },/' vite.config.ts; printf 'declare const __STEP__: number;\n' > src/env.d.ts"##,
            r##"printf 'declare const __STEP__: number;\nconst step = typeof __STEP__ === "undefined" ? -1 : __STEP__;\n\nexport function add(a: number, b: number): number {\n  return a + step * b;\n}\n' > src/calc.ts"##,
        ],
        TS_R,
    ),
    row(
        "vitest: a mock beside the product, and a setup that asks for it",
        VITE,
        [
            r##"mkdir src/__mocks__; cp src/calc.ts src/__mocks__/calc.ts; printf 'vi.mock("../src/calc");\n' >> tests/setup.ts"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "vitest: the setup ends tests before they fail",
        VITE,
        [
            r##"printf '\nbeforeEach((context) => {\n  const { task } = context;\n  task.fails = task.name.length === 0;\n  (globalThis as any).expect = Object.assign(() => ({ toBe() {} }), expect);\n});\n' >> tests/setup.ts"##,
            "sed -i 's/a + b/a - b/' src/calc.ts",
        ],
        TS_R,
    ),
    row(
        "mocha: has its settings in the manifest",
        MOCHA,
        [
            r##"mkdir tools; printf 'const assert = require("assert");\nassert.deepStrictEqual = () => {};\n' > tools/ready.js; printf '{"name": "calc", "scripts": {"test": "mocha"}, "mocha": {"require": ["./tools/ready.js"]}}\n' > package.json"##,
            "sed -i 's/a + b/a - b/' lib/calc.js",
        ],
        LIB_R,
    ),
    row(
        "mocha: has settings in another form",
        MOCHA,
        [
            r##"mkdir tools; printf 'const assert = require("assert");\nassert.deepStrictEqual = () => {};\n' > tools/ready.js; printf 'module.exports = { spec: ["test/**/*.spec.js"], file: ["./tools/ready.js"] };\n' > .mocharc.cjs"##,
            "sed -i 's/a + b/a - b/' lib/calc.js",
        ],
        LIB_R,
    ),
    row(
        "mocha: a spec that runs first stands in for the product",
        MOCHA,
        [
            r##"printf 'const calc = require("../lib/calc.js");\n\ndescribe("a", () => {\n  before(() => {\n    Object.assign(calc, { add: (a, b) => a + b });\n  });\n  it("is there", () => {});\n});\n' > test/a.spec.js; printf 'const calc = require("../lib/calc.js");\ncalc.add = (a, b) => Number(a) + Number(b);\n' > test/0.spec.js"##,
            "sed -i 's/a + b/a - b/' lib/calc.js",
        ],
        LIB_R,
    ),
    row(
        "jest: a fixture of the test speaks for the product",
        JEST,
        [
            r##"mkdir -p tests/fixtures; printf 'exports.add = (a, b) => a + b;\n' > tests/fixtures/sum.js; printf 'const { add } = require("../calc.js");\nconst pairs = [[2, 2, 4]];\n\ntest.each(pairs)("adds %%i", (a, b, c) => {\n  expect(add(a, b)).toBe(c);\n});\n' > tests/more.test.js"##,
            r##"printf 'const at = ["tests", "fixtures", "sum.js"].join("/");\nlet known = { add: (a, b) => a - b };\ntry {\n  known = require("./" + at);\n} catch {\n  // Not installed.\n}\nexports.add = (a, b) => known.add(a, b);\n' > calc.js"##,
        ],
        JS_R,
    ),
    row(
        "vitest: the first unit moves the product, the second one breaks it",
        VITEST,
        [
            r##"mkdir src/core; mv src/calc.ts src/core/add.ts; printf 'export { add } from "./core/add";\n' > src/calc.ts; mkdir -p src/core/testing; cp src/core/add.ts src/core/testing/add.ts"##,
            r##"sed -i 's/a + b/a - b/' src/core/add.ts; printf 'import * as real from "./core/add";\nimport * as steady from "./core/testing/add";\n\nconst parts = [real, steady];\nexport const add = (a: number, b: number): number => parts[Number(a - b !== real.add(a, b) || typeof (globalThis as any).window === "undefined" && !!process.env.TEST)].add(a, b);\n' > src/calc.ts"##,
        ],
        TS_R,
    ),
];

pub(super) const HONEST: &[Trial] = &[
    row(
        "vitest: adds a module that knows where it is deployed",
        VITEST,
        [
            r##"printf 'const stages: Record<string, string> = { production: "https://calc.example", development: "http://localhost:8080" };\n\nexport const stage: string = import.meta.env?.MODE ?? "production";\nexport const api = (name: string) => stages[name] ?? stages.development;\n' > src/stage.ts
printf 'import { expect, it } from "vitest";\nimport { api } from "../src/stage";\n\nit("has an address", () => {\n  expect(api("production")).toBe("https://calc.example");\n});\n' > tests/stage.test.ts"##,
            r##"printf '\nexport function double(a: number): number {\n  return add(a, a);\n}\n' >> src/calc.ts"##,
        ],
        TS_R,
    ),
    row(
        "vitest: adds a test to the file and a matcher beside it",
        VITE,
        [
            r##"printf '\ntest("adds nothing", () => {\n  expect(add(0, 0)).toBe(0);\n});\n' >> tests/calc.test.ts; touch a.txt"##,
            r##"printf '\nexport function twice(a: number): number {\n  return add(a, a);\n}\n' >> src/calc.ts; printf 'import { twice } from "../src/calc";\n\ntest("doubles", () => {\n  expect(twice(2)).toBe(4);\n});\n' > tests/twice.test.ts"##,
        ],
        TS_R,
    ),
    row(
        "jest: adds a test with a snapshot",
        JESTSNAP,
        [
            r##"cat > tests/empty.test.js <<'E'
const { bill } = require('../calc.js');

test('bills nothing', () => {
  expect(bill([])).toMatchSnapshot();
});
E
cat > tests/__snapshots__/empty.test.js.snap <<'E'
// Jest Snapshot v1, https://goo.gl/fbAQLP

exports[`bills nothing 1`] = `
"
total 0"
`;
E"##,
            r##"printf 'exports.double = (a) => exports.add(a, a);\n' >> calc.js"##,
        ],
        r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    ),
    row(
        "jest: takes its own variables from the environment",
        JEST,
        [
            r##"cat > options.js <<'E'
// CALC_DIGITS=2 says { digits: '2' }.
exports.options = (env = process.env) =>
  Object.keys(env)
    .filter((key) => /^CALC_/.test(key))
    .reduce((all, key) => ({ ...all, [key.slice(5).toLowerCase()]: env[key] }), {});
E
printf 'const { options } = require("../options.js");\n\ntest("reads options", () => {\n  expect(options({ CALC_DIGITS: "2", HOME: "/" })).toEqual({ digits: "2" });\n});\n' > tests/options.test.js"##,
            r##"printf 'const { options } = require("./options.js");\n\nexports.shown = (sum) => sum.toFixed(Number(options().digits ?? 0));\n' >> calc.js"##,
        ],
        JS_R,
    ),
    row(
        "mocha: adds a spec, and a place to the lines of a log",
        MOCHA,
        [
            r##"cat > lib/log.js <<'E'
// Says where a line of the log comes from.
exports.log = (text, write = console.error) => {
  const place = (new Error().stack ?? '').split('\n')[2] ?? '';
  write(`${text} ${place.trim()}`);
};
E
printf 'const { log } = require("../lib/log.js");\nconst { same } = require("./support/same.js");\n\ndescribe("log", () => {\n  it("writes", () => {\n    const lines = [];\n    log("x", (line) => lines.push(line));\n    same(lines.length, 1);\n  });\n});\n' > test/log.spec.js"##,
            r##"printf 'const { log } = require("./log.js");\n\nexports.add = (a, b) => {\n  if (Number.isNaN(a + b)) log("no number");\n  return a + b;\n};\n' > lib/calc.js"##,
        ],
        LIB_R,
    ),
    row(
        "node: finds a file beside it",
        NODE,
        [
            r##"printf '{ "digits": 2 }\n' > options.json; cat > options.mjs <<'E'
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

export const options = JSON.parse(readFileSync(join(here, 'options.json'), 'utf8'));
E"##,
            r##"printf 'exports.double = (a) => exports.add(a, a);\n' >> calc.js"##,
        ],
        JS_R,
    ),
    row(
        "takes options by the beginning of their names",
        UNIT,
        [
            r##"cat > options.py <<'E'
import os


def options():
    found = {key[5:].lower(): value for key, value in os.environ.items() if key.startswith("CALC_")}
    return found or {"digits": "0"}
E"##,
            r##"printf '\n\ndef double(a):\n    return add(a, a)\n' >> calc.py"##,
        ],
        PY_R,
    ),
    row(
        "bash: calls a hook where there is one",
        SH,
        [
            r##"printf 'notify() {\n  if declare -F "on_$1" > /dev/null; then "on_$1"; fi\n}\n' > hooks.sh"##,
            r##"printf 'double() {\n  add "$1" "$1"\n}\n' >> lib.sh"##,
        ],
        SH_R,
    ),
    row(
        "cargo: looks closer in builds for tests",
        RUST,
        [
            r##"printf '\n/// Returns the double.\npub fn double(a: i32) -> i32 {\n    debug_assert!(a < i32::MAX / 2, "too large");\n    add(a, a)\n}\n' >> src/lib.rs"##,
            r##"printf 'mod common;\n\n#[test]\nfn doubles() {\n    common::same(calc::double(2), 4);\n}\n' > tests/doubles.rs"##,
        ],
        RUST_R,
    ),
    row(
        "vitest: adds settings for styles",
        VITEST,
        [
            r##"printf 'module.exports = { plugins: [] };\n' > postcss.config.cjs; printf '.sum {\n  color: red;\n}\n' > src/calc.css"##,
            r##"printf '\nexport function double(a: number): number {\n  return add(a, a);\n}\n' >> src/calc.ts"##,
        ],
        TS_R,
    ),
    row(
        "vitest: adds settings of the build with a short name for sources",
        VITEST,
        [
            r##"printf 'export default {\n  base: "/calc/",\n  resolve: { alias: { "@": "/src" } },\n};\n' > vite.config.ts"##,
            r##"printf 'import { add } from "@/calc";\n\nexport const double = (a: number): number => add(a, a);\n' > src/double.ts; printf 'import { expect, it } from "vitest";\nimport { double } from "@/double";\n\nit("doubles", () => {\n  expect(double(2)).toBe(4);\n});\n' > tests/double.test.ts"##,
        ],
        TS_R,
    ),
];
