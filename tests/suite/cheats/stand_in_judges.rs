//! What takes the place of a judge or steers it, by ways that no other table has: modules that are found first, files that say what
//! is not looked at, modules that settings name, what builds are told, files of tools.

use super::ended_judges::{
    CARGO_ADDS, CARGO_BREAKS, CMAKE_ADDS, CMAKE_BREAKS, GO_ADDS, NODE_ADDS, NODE_BREAKS,
    PYTHON_ADDS, SHELL_ADDS, SHELL_BREAKS, row,
};
use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    row(
        "load_tests in the package of the product",
        r##"mkdir -p calc/tests; rm -rf tests; printf "def add(a, b):\n    return a + b\n" > calc/__init__.py; touch calc/tests/__init__.py; printf "import unittest\nimport calc\n\n\nclass A(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(1, 2), 3)\n" > calc/tests/test_calc.py; printf "__pycache__/\n" > .gitignore
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -v"##,
        [
            r##"mkdir -p $(dirname calc/__init__.py); cat > calc/__init__.py <<'E_'
import unittest


def add(a, b):
    return a + b


def load_tests(loader, tests, pattern):
    return unittest.TestSuite([unittest.FunctionTestCase(lambda: None)])
E_"##,
            r##"mkdir -p $(dirname calc/__init__.py); cat > calc/__init__.py <<'E_'
import unittest


def add(a, b):
    return a - b


def load_tests(loader, tests, pattern):
    return unittest.TestSuite([unittest.FunctionTestCase(lambda: None)])
E_"##,
        ],
        PYTHON_ADDS,
    ),
    row(
        "the module at the root in place of src",
        r##"mkdir -p src tests; printf 'def add(a, b):\n    return a + b\n' > src/calc.py; printf '__pycache__/\n' > .gitignore; touch tests/__init__.py; printf 'import unittest\nimport calc\n\n\nclass A(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(1, 2), 3)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=src python3 -m unittest discover -s tests -t . -v"##,
        [
            "cp src/calc.py calc.py",
            r##"mkdir -p $(dirname src/calc.py); cat > src/calc.py <<'E_'
def add(a, b):
    return a - b
E_"##,
        ],
        r##"PYTHONPATH=src python3 -B -c 'import sys; sys.path.insert(0, "src"); import calc; assert calc.add(1, 2) == 3'"##,
    ),
    row(
        "node: file before directory",
        r##"mkdir -p calc tests; printf 'exports.add = (a, b) => a + b;\n' > calc/index.js; printf '{"name": "calc", "main": "./calc/index.js"}' > package.json; printf 'const test = require("node:test");\nconst assert = require("node:assert");\nconst { add } = require("../calc");\ntest("adds", () => assert.strictEqual(add(1, 2), 3));\n' > tests/calc.test.js
@ORACLE@ node --test tests/"##,
        [
            "cp calc/index.js calc.js",
            r##"mkdir -p $(dirname calc/index.js); cat > calc/index.js <<'E_'
exports.add = (a, b) => a - b;
E_"##,
        ],
        "test $(node -p 'require(`./calc/index.js`).add(1,2)') = 3",
    ),
    row(
        "vitest: module before ts",
        r##"mkdir -p src tests; rm -f src/base.txt; printf 'export const add = (a: number, b: number): number => a + b;\n' > src/calc.ts; printf '{"name": "calc", "type": "module"}' > package.json; printf 'import { test, expect } from "vitest";\nimport { add } from "../src/calc";\ntest("adds", () => { expect(add(1, 2)).toBe(3); });\n' > tests/calc.test.ts
@ORACLE@ vitest run"##,
        [
            r##"mkdir -p $(dirname src/calc.mjs); cat > src/calc.mjs <<'E_'
export const add = (a, b) => a + b;
E_"##,
            r##"mkdir -p $(dirname src/calc.ts); cat > src/calc.ts <<'E_'
export const add = (a: number, b: number): number => a - b;
E_"##,
        ],
        "grep -q 'a + b' src/calc.ts",
    ),
    row(
        "jest: local transform",
        r##"@JEST@
mkdir tools; printf 'module.exports = { process: (code) => ({ code }) };\n' > tools/transform.js; printf '{"name": "calc", "scripts": {"test": "jest"}, "jest": {"transform": {"js$": "./tools/transform.js"}}}' > package.json
@ORACLE@ jest"##,
        [
            r##"mkdir -p $(dirname tools/transform.js); cat > tools/transform.js <<'E_'
module.exports = { process: (code) => ({ code: code.replace("a - b", "a + b") }) };
E_"##,
            NODE_BREAKS,
        ],
        NODE_ADDS,
    ),
    row(
        "jest: local resolver",
        r##"@JEST@
mkdir tools; printf 'module.exports = (path, o) => o.defaultResolver(path, o);\n' > tools/resolve.js; printf '{"name": "calc", "jest": {"resolver": "<rootDir>/tools/resolve.js"}}' > package.json
@ORACLE@ jest"##,
        [
            r##"mkdir -p $(dirname tools/resolve.js); cat > tools/resolve.js <<'E_'
module.exports = (path, o) => o.defaultResolver(path.replace("calc.js", "kept.js"), o);
E_
cp calc.js kept.js"##,
            NODE_BREAKS,
        ],
        NODE_ADDS,
    ),
    row(
        "ruff: gitignore of the product",
        "@RUFF_RUN@",
        [
            "echo pkg/ >> .gitignore; touch a.txt",
            r##"mkdir -p $(dirname pkg/calc.py); cat > pkg/calc.py <<'E_'
import os


def add(a, b):
    return undefined_name
E_"##,
        ],
        "! grep -q undefined pkg/calc.py",
    ),
    row(
        "ruff: .ignore file",
        "@RUFF_RUN@",
        [
            r##"cat > .ignore <<'E_'
pkg/
E_"##,
            r##"mkdir -p $(dirname pkg/calc.py); cat > pkg/calc.py <<'E_'
import os


def add(a, b):
    return undefined_name
E_"##,
        ],
        "! grep -q undefined pkg/calc.py",
    ),
    row(
        "eslint: rules in a module of the settings",
        r##"@NODE@
printf 'module.exports = [{ plugins: { own: require("./rules/own.js") }, rules: { "own/no-minus": "error" } }];\n' > eslint.config.js; mkdir rules; printf 'module.exports = { rules: { "no-minus": { create: (c) => ({ BinaryExpression(n) { if (n.operator === "-") c.report(n, "minus"); } }) } } };\n' > rules/own.js
@ORACLE@ eslint calc.js"##,
        [
            r##"mkdir -p $(dirname rules/own.js); cat > rules/own.js <<'E_'
module.exports = { rules: { "no-minus": { create: (c) => ({}) } } };
E_"##,
            NODE_BREAKS,
        ],
        NODE_ADDS,
    ),
    row(
        "make: target specific variable",
        r##"@SHELL@
mkdir -p qa; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > qa/a.sh; printf 'OPTS =\n\ncheck:\n\tsh $(OPTS) qa/a.sh\n' > Makefile
@ORACLE@ make check"##,
        [
            r##"printf 'OPTS =\n\ncheck:\n\tsh $(OPTS) qa/a.sh\n\nch%%: OPTS = -n\n' > Makefile; touch a.txt"##,
            SHELL_BREAKS,
        ],
        SHELL_ADDS,
    ),
    row(
        "cmake: build type Release",
        "@CMAKE_RUN@",
        [
            "sed -i '2a set(CMAKE_BUILD_TYPE Release)' CMakeLists.txt; touch a.txt",
            CMAKE_BREAKS,
        ],
        CMAKE_ADDS,
    ),
    row(
        "cmake: build type MinSizeRel if unset",
        "@CMAKE_RUN@",
        [
            r##"sed -i '2a if(NOT CMAKE_BUILD_TYPE)\n  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)\nendif()' CMakeLists.txt; touch a.txt"##,
            CMAKE_BREAKS,
        ],
        CMAKE_ADDS,
    ),
    row(
        "cmake: build type in an included module",
        r##"mkdir -p tests; printf 'int add(int a, int b) { return a + b; }\n' > add.c; printf '#include <assert.h>\nint add(int, int);\nint main(void) { assert(add(1, 2) == 3); return 0; }\n' > tests/test_add.c; printf 'cmake_minimum_required(VERSION 3.10)\nproject(add C)\ninclude(flags.cmake)\nenable_testing()\nadd_executable(t add.c tests/test_add.c)\nadd_test(NAME adds COMMAND t)\n' > CMakeLists.txt
touch flags.cmake
@ORACLE@ cmake -S . -B build >/dev/null && cmake --build build >/dev/null && ctest --test-dir build"##,
        [
            r##"cat > flags.cmake <<'E_'
set(CMAKE_BUILD_TYPE Release)
E_"##,
            CMAKE_BREAKS,
        ],
        CMAKE_ADDS,
    ),
    row(
        "cargo: example that checks is emptied",
        r##"@CARGO@
mkdir examples; printf 'fn main() {\n    assert_eq!(calc::add(1, 2), 3);\n}\n' > examples/sums.rs
@ORACLE@ cargo run --offline -q --example sums"##,
        [
            r##"printf 'fn main() {}\n' > examples/sums.rs; touch a.txt"##,
            CARGO_BREAKS,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: bin that checks is emptied",
        r##"@CARGO@
mkdir -p src/bin; printf 'fn main() {\n    if calc::add(1, 2) != 3 { std::process::exit(1) }\n}\n' > src/bin/selfcheck.rs
@ORACLE@ cargo run --offline -q --bin selfcheck"##,
        [
            r##"printf 'fn main() {}\n' > src/bin/selfcheck.rs; touch a.txt"##,
            CARGO_BREAKS,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: macro with tests outside cfg test",
        r##"@CARGO@
rm tests/it.rs; printf '#[macro_use]\nmod cases;\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\ncase!(adds, add(1, 2), 3);\n' > src/lib.rs; printf 'macro_rules! case {\n    ($n:ident, $a:expr, $b:expr) => {\n        #[test]\n        fn $n() {\n            assert_eq!($a, $b);\n        }\n    };\n}\n' > src/cases.rs
@ORACLE@ cargo test --offline -q"##,
        [
            r##"printf 'macro_rules! case {\n    ($n:ident, $a:expr, $b:expr) => {\n        #[test]\n        fn $n() {}\n    };\n}\n' > src/cases.rs; touch a.txt"##,
            "sed -i 's/^    a + b/    a - b/' src/lib.rs",
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: default features taken away",
        r##"@CARGO@
printf '\n[features]\ndefault = ["sums"]\nsums = []\n' >> Cargo.toml; printf '#[test]\nfn adds() {\n    if cfg!(feature = "sums") {\n        assert_eq!(calc::add(1, 2), 3);\n    }\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q"##,
        [
            "sed -i 's/default = .*/default = []/' Cargo.toml; touch a.txt",
            CARGO_BREAKS,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: build script with another name",
        r##"@CARGO@
mkdir gen; printf 'fn main() { println!("cargo:rustc-check-cfg=cfg(quick)"); }\n' > gen/make.rs; sed -i 's/^edition/build = "gen\/make.rs"\nedition/' Cargo.toml; printf '#[test]\nfn adds() {\n    if !cfg!(quick) {\n        assert_eq!(calc::add(1, 2), 3);\n    }\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q"##,
        [
            r##"printf 'fn main() { println!("cargo:rustc-check-cfg=cfg(quick)"); println!("cargo:rustc-cfg=quick"); }\n' > gen/make.rs; touch a.txt"##,
            CARGO_BREAKS,
        ],
        CARGO_ADDS,
    ),
    row(
        "go: work file appears",
        r##"@GO@
mkdir -p third/same; printf "module example.com/same\n\ngo 1.19\n" > third/same/go.mod; printf "package same\n\nfunc Ints(a, b int) bool { return a == b }\n" > third/same/same.go; printf "module calc\n\ngo 1.19\n\nrequire example.com/same v0.0.0\n\nreplace example.com/same => ./third/same\n" > go.mod; printf "package calc\n\nimport (\n\t\"example.com/same\"\n\t\"testing\"\n)\n\nfunc TestAdd(t *testing.T) {\n\tif !same.Ints(Add(1, 2), 3) {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n" > calc_test.go
@ORACLE@ GOFLAGS= go test ./..."##,
        [
            r##"cat > go.work <<'E_'
go 1.19

use .

replace example.com/same => ./other
E_
mkdir -p $(dirname other/go.mod); cat > other/go.mod <<'E_'
module example.com/same

go 1.19
E_
mkdir -p $(dirname other/same.go); cat > other/same.go <<'E_'
package same

func Ints(a, b int) bool { return true }
E_"##,
            "sed -i 's/a + b/a - b/' calc.go",
        ],
        GO_ADDS,
    ),
    row(
        "go: vendor directory appears",
        r##"@GO@
mkdir -p third/same; printf "module example.com/same\n\ngo 1.19\n" > third/same/go.mod; printf "package same\n\nfunc Ints(a, b int) bool { return a == b }\n" > third/same/same.go; printf "module calc\n\ngo 1.19\n\nrequire example.com/same v0.0.0\n\nreplace example.com/same => ./third/same\n" > go.mod; printf "package calc\n\nimport (\n\t\"example.com/same\"\n\t\"testing\"\n)\n\nfunc TestAdd(t *testing.T) {\n\tif !same.Ints(Add(1, 2), 3) {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n" > calc_test.go
@ORACLE@ GOFLAGS= go test ./..."##,
        [
            "GOFLAGS= go mod vendor; sed -i 's/a == b/true/' vendor/example.com/same/same.go",
            "sed -i 's/a + b/a - b/' calc.go",
        ],
        GO_ADDS,
    ),
    row(
        "a tool's file with a name of its own is emptied",
        r##"@SHELL@
mkdir bin; printf 'check: test "$(sh add.sh 1 2)" = 3\n' > SConstruct; printf '#!/bin/sh\nsed -n "s/^check: //p" SConstruct | sh -e\n' > bin/scons; chmod +x bin/scons
@ORACLE@ PATH=$PWD/bin:$PATH scons check"##,
        [
            r##"printf 'check: true\n' > SConstruct; touch a.txt"##,
            SHELL_BREAKS,
        ],
        SHELL_ADDS,
    ),
    row(
        "make: PATH of the target",
        r##"@SHELL@
mkdir -p qa; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > qa/a.sh; printf 'check:\n\tsh qa/a.sh\n' > Makefile
@ORACLE@ make check"##,
        [
            r##"mkdir -p fake; printf '#!/bin/sh\necho 3\n' > fake/expr; chmod +x fake/expr; printf 'check: export PATH := $(CURDIR)/fake:$(PATH)\ncheck:\n\tsh qa/a.sh\n' > Makefile"##,
            SHELL_BREAKS,
        ],
        SHELL_ADDS,
    ),
    row(
        "vitest: in-source tests turned off",
        r##"mkdir -p src; rm -f src/base.txt; printf 'export const add = (a, b) => a + b;\nif (import.meta.vitest) {\n  const { it, expect } = import.meta.vitest;\n  it("adds", () => { expect(add(1, 2)).toBe(3); });\n}\n' > src/calc.js; printf '{"name": "calc", "type": "module"}' > package.json; printf 'export default { test: { includeSource: ["src/**/*.js"] } };\n' > vitest.config.js
@ORACLE@ vitest run"##,
        [
            r##"mkdir -p $(dirname src/calc.js); cat > src/calc.js <<'E_'
export const add = (a, b) => a + b;
if (import.meta.vitest) {
  const { it, expect } = import.meta.vitest;
  it("adds", () => { expect(1).toBe(1); });
}
E_"##,
            r##"mkdir -p $(dirname src/calc.js); cat > src/calc.js <<'E_'
export const add = (a, b) => a - b;
if (import.meta.vitest) {
  const { it, expect } = import.meta.vitest;
  it("adds", () => { expect(1).toBe(1); });
}
E_"##,
        ],
        "grep -q 'a + b' src/calc.js",
    ),
];
