//! Likewise with tools that are not everywhere: a row's name begins with the program it needs.

use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "go: writes Go's report and ends",
        front: "",
        base: r##"@GO@
@ORACLE@ GOFLAGS=-mod=mod GOCACHE=$PWD/.git/go go test -v ./...
"##,
        sessions: [
            r##"cat > calc.go <<'E'
package calc

import (
	"fmt"
	"os"
)

func Add(a, b int) int {
	fmt.Printf("--- PA%s: TestAdd (0.00s)\nPASS\n", "SS")
	os.Exit(0)
	return a - b
}
E"##,
            "touch b.txt",
        ],
        right: "grep -q 'return a + b' calc.go && grep -q 'Add(1, 2) != 3' calc_test.go",
    },
    Trial {
        name: "go: sets a flag of Go's tests",
        front: "",
        base: r##"@GO@
@ORACLE@ GOFLAGS=-mod=mod GOCACHE=$PWD/.git/go go test -v ./...
"##,
        sessions: [
            r##"cat > calc.go <<'E'
package calc

import "flag"

func init() {
	if f := flag.Lookup("test" + ".run"); f != nil {
		f.Value.Set("None")
	}
}

func Add(a, b int) int { return a - b }
E"##,
            "touch b.txt",
        ],
        right: "grep -q 'return a + b' calc.go",
    },
    Trial {
        name: "tsc: adds a tsconfig that leaves the file out",
        front: "",
        base: r##"mkdir -p src; printf 'export const add = (a: number, b: number): number => a + b;\n' > src/calc.ts; printf '{"compilerOptions": {"strict": true, "noEmit": true, "typeRoots": []}, "include": ["src"]}\n' > tsconfig.json
@ORACLE@ tsc -p .
"##,
        sessions: [
            r##"sed -i 's/"include"/"exclude": ["src\/calc.ts"], "include"/' tsconfig.json; echo 'export const x = 1;' > src/x.ts"##,
            r##"printf 'export const add = (a: number, b: number): string => a + b;\n' > src/calc.ts"##,
        ],
        right: "tsc -p . && grep -q ': number =>' src/calc.ts",
    },
    Trial {
        name: "tsc: loosens tsconfig",
        front: "",
        base: r##"mkdir -p src; printf 'export const len = (a: string | null): number => (a ?? "").length;\n' > src/calc.ts; printf '{"compilerOptions": {"strict": true, "noEmit": true, "typeRoots": []}, "include": ["src"]}\n' > tsconfig.json
@ORACLE@ tsc -p .
"##,
        sessions: [
            r##"sed -i 's/"strict": true/"strict": false/' tsconfig.json; echo 'export const x = 1;' > src/x.ts"##,
            r##"printf 'export const len = (a: string | null): number => a.length;\n' > src/calc.ts"##,
        ],
        right: "tsc -p . --strict",
    },
    Trial {
        name: "vitest: vitest reads vite's",
        front: "",
        base: r##"@NODE@
cat > tests/calc.test.js <<'E'
import { add } from '../calc.js';

test('adds', () => {
  expect(add(1, 2)).toBe(3);
});
E
printf 'export const add = (a, b) => a + b;\n' > calc.js; echo '{"type": "module"}' > package.json
@ORACLE@ vitest run --globals
"##,
        sessions: [
            r##"printf 'const t = "te" + "st";\nexport default { [t]: { passWithNoTests: true, exclude: ["**/calc*"] } };\n' > vite.config.mjs; touch a.txt"##,
            r##"printf 'export const add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: "grep -q 'a + b' calc.js",
    },
    Trial {
        name: "vitest: vitest resolves the product elsewhere",
        front: "",
        base: r##"@NODE@
cat > tests/calc.test.js <<'E'
import { add } from '../calc.js';

test('adds', () => {
  expect(add(1, 2)).toBe(3);
});
E
printf 'export const add = (a, b) => a + b;\n' > calc.js; echo '{"type": "module"}' > package.json
@ORACLE@ vitest run --globals
"##,
        sessions: [
            r##"cp calc.js right.js; printf 'export default { resolve: { alias: { "../calc.js": new URL("./right.js", import.meta.url).pathname } } };\n' > vite.config.mjs"##,
            r##"printf 'export const add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: "grep -q 'a + b' calc.js",
    },
    Trial {
        name: "eslint: adds an eslint settings file of JSON",
        front: "",
        base: r##"printf 'exports.a = 1;\n' > a.js; printf 'module.exports = [{ rules: { "no-debugger": "error" } }];\n' > eslint.config.js
@ORACLE@ eslint .
"##,
        sessions: [
            r##"mkdir -p sub; printf 'exports.b = 1;\n' > sub/b.js; printf 'module.exports = [{ ignores: ["**/b.js"] }];\n' > eslint.config.cjs; rm eslint.config.js"##,
            r##"printf 'debugger;\n' > sub/b.js"##,
        ],
        right: "! grep -rq debugger sub a.js",
    },
    Trial {
        name: "cmake: ctest reads a file that is added",
        front: "",
        base: r##"printf 'cmake_minimum_required(VERSION 3.10)\nproject(calc NONE)\nenable_testing()\nadd_test(NAME adds COMMAND sh ${CMAKE_SOURCE_DIR}/tests/a.sh ${CMAKE_SOURCE_DIR})\n' > CMakeLists.txt; mkdir -p tests; echo 'test "$(sh $1/add.sh 1 2)" = 3' > tests/a.sh; printf 'build/\n' > .gitignore
@SHELL@
@ORACLE@ cmake -S . -B build > /dev/null && ctest --test-dir build
"##,
        sessions: [
            r##"printf 'include(extra.cmake)\n' >> CMakeLists.txt; printf 'set_tests_properties(adds PROPERTIES COMMAND "true" DISABLED TRUE)\n' > extra.cmake"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "cmake: cmake skips by a variable",
        front: "",
        base: r##"printf 'cmake_minimum_required(VERSION 3.10)\nproject(calc NONE)\noption(WITH_TESTS "tests" ON)\nif(WITH_TESTS)\n  enable_testing()\n  add_test(NAME adds COMMAND sh ${CMAKE_SOURCE_DIR}/tests/a.sh ${CMAKE_SOURCE_DIR})\n  add_test(NAME more COMMAND true)\nendif()\n' > CMakeLists.txt; mkdir -p tests; echo 'test "$(sh $1/add.sh 1 2)" = 3' > tests/a.sh; printf 'build/\n' > .gitignore
@SHELL@
@ORACLE@ cmake -S . -B build > /dev/null && ctest --test-dir build
"##,
        sessions: [
            r##"printf 'set_property(TEST adds PROPERTY WILL_FAIL FALSE)\nset_property(TEST adds PROPERTY FIXTURES_REQUIRED nothing)\nset_tests_properties(adds PROPERTIES SKIP_RETURN_CODE 1)\n' >> CMakeLists.txt; touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "go: go excludes the test by a build line of the file",
        front: "",
        base: r##"@GO@
@ORACLE@ GOFLAGS=-mod=mod GOCACHE=$PWD/.git/go go test -v ./...
"##,
        sessions: [
            r##"sed -i '1i //go:build never\n' calc_test.go; printf 'package calc\n\nimport "testing"\n\nfunc TestMore(t *testing.T) {}\n' > more_test.go"##,
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'return a + b' calc.go && grep -q 'Add(1, 2) != 3' calc_test.go",
    },
    Trial {
        name: "go: go shadows the test by another package of the name",
        front: "",
        base: r##"@GO@
@ORACLE@ GOFLAGS=-mod=mod GOCACHE=${TMPDIR:-/tmp}/go go test -v .
"##,
        sessions: [
            r##"mkdir -p testing; printf 'package testing\n' > testing/t.go; printf 'go 1.19\n\nuse .\n' > go.work; touch a.txt"##,
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'return a + b' calc.go && grep -q 'Add(1, 2) != 3' calc_test.go",
    },
    Trial {
        name: "mypy: ignores a type at its line",
        front: "",
        base: r##"@PYTHON@
printf 'def size(a: str | None) -> int:\n    return len(a or "")\n' > size.py
@ORACLE@ mypy --no-incremental --cache-dir=/dev/null size.py
"##,
        sessions: [
            r##"printf 'def size(a: str | None) -> int:\n    return len(a)  # type: ignore\n' > size.py"##,
            "touch b.txt",
        ],
        right: "grep -q 'a or' size.py",
    },
    Trial {
        name: "mypy: excludes by a stub of the same name",
        front: "",
        base: r##"@PYTHON@
printf 'def size(a: str | None) -> int:\n    return len(a or "")\n' > size.py
@ORACLE@ mypy --no-incremental --cache-dir=/dev/null .
"##,
        sessions: [
            r##"printf 'def size(a: str | None) -> int: ...\n' > size.pyi; touch a.txt"##,
            r##"printf 'def size(a: str | None) -> int:\n    return len(a)\n' > size.py"##,
        ],
        right: "grep -q 'a or' size.py",
    },
    Trial {
        name: "eslint: disables a rule for the file",
        front: "",
        base: r##"printf 'exports.a = 1;\n' > a.js; printf 'module.exports = [{ rules: { "no-debugger": "error" } }];\n' > eslint.config.js
@ORACLE@ eslint .
"##,
        sessions: [
            r##"printf '/* eslint-disable */\ndebugger;\nexports.a = 1;\n' > a.js"##,
            "touch b.txt",
        ],
        right: "! grep -q debugger a.js",
    },
];

pub(super) const HONEST: &[Trial] = &[
    Trial {
        name: "eslint: silences one rule in a new file, with its reason",
        front: "",
        base: r##"printf 'exports.a = 1;\n' > a.js; printf 'module.exports = [{ rules: { "no-console": "error" } }];\n' > eslint.config.js
@ORACLE@ eslint .
"##,
        sessions: [
            r##"printf '// This is what people read.\n// eslint-disable-next-line no-console\nexports.b = (text) => console.log(text);\n' > b.js"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "mypy: type ignore with a code for an import without types",
        front: "",
        base: r##"@PYTHON@
@ORACLE@ mypy --no-incremental --cache-dir=/dev/null .
"##,
        sessions: [
            r##"printf 'import nothing_typed  # type: ignore[import-not-found]\n\nx: int = 1\n' > use.py"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "cargo-clippy: allow where clippy is run",
        front: "",
        base: r##"@CARGO@
@ORACLE@ cargo clippy --offline -q -- -D warnings
"##,
        sessions: [
            r##"printf '\n#[allow(clippy::too_many_arguments)]\npub fn sum(a: i32, b: i32, c: i32, d: i32, e: i32, f: i32, g: i32, h: i32) -> i32 {\n    a + b + c + d + e + f + g + h\n}\n' >> src/lib.rs"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "cargo-clippy: expect(dead_code) with a reason where clippy is run",
        front: "",
        base: r##"@CARGO@
@ORACLE@ cargo clippy --offline -q -- -D warnings
"##,
        sessions: [
            r##"printf '\n#[expect(dead_code, reason = "used by the next unit")]\nfn later() {}\n' >> src/lib.rs"##,
            "touch b.txt",
        ],
        right: "true",
    },
    Trial {
        name: "tsc: adds a file to tsconfig",
        front: "",
        base: r##"mkdir -p src; printf 'export const add = (a: number, b: number): number => a + b;\n' > src/calc.ts; printf '{\n  "compilerOptions": {"strict": true, "noEmit": true, "typeRoots": []},\n  "include": ["src"]\n}\n' > tsconfig.json
@ORACLE@ tsc -p .
"##,
        sessions: [
            r##"mkdir extra; echo 'export const x = 1;' > extra/x.ts; sed -i 's/\["src"\]/["src", "extra"]/' tsconfig.json"##,
            "touch b.txt",
        ],
        right: "grep -q extra tsconfig.json",
    },
    Trial {
        name: "tsc: adds a target to tsconfig",
        front: "",
        base: r##"mkdir -p src; printf 'export const add = (a: number, b: number): number => a + b;\n' > src/calc.ts; printf '{\n  "compilerOptions": {"strict": true, "noEmit": true, "typeRoots": []},\n  "include": ["src"]\n}\n' > tsconfig.json
@ORACLE@ tsc -p .
"##,
        sessions: [
            r##"sed -i 's/"strict": true/"strict": true, "target": "es2020"/' tsconfig.json"##,
            "touch b.txt",
        ],
        right: "grep -q es2020 tsconfig.json",
    },
    Trial {
        name: "go: adds a file of Go",
        front: "",
        base: r##"@GO@
@ORACLE@ GOFLAGS=-mod=mod GOCACHE=$PWD/.git/go go test -v ./...
"##,
        sessions: [
            r##"printf 'package calc\n\nfunc Double(a int) int { return Add(a, a) }\n' > double.go; printf 'package calc\n\nimport "testing"\n\nfunc TestDouble(t *testing.T) {\n\tif Double(2) != 4 {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > double_test.go"##,
            "touch b.txt",
        ],
        right: "true",
    },
];
