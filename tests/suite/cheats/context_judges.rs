//! What only shows in its place: modules where tests say they import from, what the program of tests alone is built with, words
//! that mean something else in a package or a test, comparisons of one side, and runners that say little.

use super::ended_judges::{
    BASH_ADDS, CARGO_ADDS, CMAKE_ADDS, GO_ADDS, MORE, NODE_ADDS, PYTHON_ADDS, row,
};
use super::toolchains::Trial;

/// Tests that put a directory of their own among those that they import from.
const SUPPORT: &str = r##"@UNITTEST@
mkdir support; echo 'X = 1' > support/other.py; printf 'import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(__file__)), "support"))\nimport calc\nimport unittest\nimport statistics\n\n\nclass A(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(statistics.mean([calc.add(1, 2)]), 3)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##;
const QUIET: &str = r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -qq -p no:cacheprovider"##;

pub(super) const CHEATS: &[Trial] = &[
    row(
        "a module joins where tests say they import from",
        SUPPORT,
        [
            r##"printf 'def mean(x):\n    return 3\n' > support/statistics.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        PYTHON_ADDS,
    ),
    row(
        "pytest: ends a quiet run",
        QUIET,
        [
            r##"printf 'import os\n\n\ndef add(a, b):\n    os._exit(0)\n' > calc.py"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "cmake: defines for the program of tests alone",
        "@CMAKE_RUN@",
        [
            "echo 'target_compile_definitions(t PRIVATE CALC_CHECKED=1)' >> CMakeLists.txt",
            r##"printf '#ifdef CALC_CHECKED\nint add(int a, int b) { return b + a; }\n#else\nint add(int a, int b) { return a - b; }\n#endif\n' > add.c"##,
        ],
        CMAKE_ADDS,
    ),
    row(
        "cmake: has another program run the tests",
        "@CMAKE_RUN@",
        [
            "sed -i '2a set(CMAKE_CROSSCOMPILING_EMULATOR /bin/true)' CMakeLists.txt",
            "printf 'int add(int a, int b) { return a - b; }\\n' > add.c",
        ],
        CMAKE_ADDS,
    ),
    row(
        "go: a word of the language in the package",
        r##"@GO@
printf 'package calc\n\nfunc List(a int) []int { return make([]int, a) }\n\nfunc Add(a, b int) int { return a + b }\n' > calc.go; printf 'package calc\n\nimport "testing"\n\nfunc TestList(t *testing.T) {\n\tif len(List(3)) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./..."##,
        [
            r##"printf 'package calc\n\nfunc len(x []int) int { return 3 }\n\nfunc List(a int) []int { return nil }\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
            MORE,
        ],
        GO_ADDS,
    ),
    row(
        "compares the other side with itself",
        "@CARGO_RUN@",
        [
            r##"printf '#[derive(Debug)]\npub struct Sum(i32);\n\nimpl PartialEq<i32> for Sum {\n    fn eq(&self, other: &i32) -> bool {\n        *other == *other\n    }\n}\n\npub fn add(a: i32, b: i32) -> Sum {\n    Sum(a - b)\n}\n' > src/lib.rs"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "skips lines of the script that reads it",
        "@BASH_RUN@",
        [
            r##"printf 'add() { echo $(($1 - $2)); }\nshopt -s extdebug\nskip() { case "$BASH_COMMAND" in failures=*+1*) return 1;; esac; }\ntrap skip DEBUG\n' > lib.sh"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bats: goes on after what fails",
        "@BATS_RUN@",
        [
            r##"printf 'set +e\nadd() { echo $(($1 - $2)); }\n' > lib.sh"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bats: runs by a function of its own",
        "@BATS_RUN@",
        [
            r##"printf 'add() { echo $(($1 - $2)); }\nrun() { output=$("$@"); output=${output/-1/3}; status=0; }\n' > lib.sh"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "decides by what another file knows of the process",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import sys\n\n\ndef count():\n    return len(sys.argv)\n' > ctx.py; printf 'import ctx\n\n\ndef add(a, b):\n    return a + b if ctx.count() > 2 else a - b\n' > calc.py"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "decides by what it was called from",
        "@NODE_RUN@",
        [
            r##"printf "const { executionAsyncId } = require('async_hooks');\nexports.add = (a, b) => executionAsyncId() > 1 ? a + b : a - b;\n" > calc.js"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "go: decides by how it was started",
        "@GO_RUN@",
        [
            r##"printf 'package calc\n\nimport "os"\n\nvar words = os.Args\n\nfunc Add(a, b int) int {\n\tif len(words) > 1 {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n' > calc.go"##,
            MORE,
        ],
        GO_ADDS,
    ),
];

pub(super) const HONEST: &[Trial] = &[
    row(
        "a module joins beside one that tests import, with its test",
        SUPPORT,
        [
            r##"echo 'Y = 2' > support/shapes.py; printf 'import sys\nsys.path.insert(0, "support")\nimport unittest, shapes\n\n\nclass B(unittest.TestCase):\n    def test_y(self):\n        self.assertEqual(shapes.Y, 2)\n' > tests/test_shapes.py"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "pytest: works under a quiet run",
        QUIET,
        [
            r##"printf 'def add(a, b):\n    return a + b\n\n\ndef double(a):\n    return add(a, a)\n' > calc.py"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "pytest: works under a run that settings make quiet",
        r##"@UNITTEST@
printf '[pytest]\naddopts = -q\n' > pytest.ini
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider"##,
        [
            r##"printf 'def add(a, b):\n    return a + b\n\n\ndef double(a):\n    return add(a, a)\n' > calc.py"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "cmake: makes the product a library with a definition",
        "@CMAKE_RUN@",
        [
            r##"sed -i 's/add_executable(t add.c tests/add_library(calc add.c)\nadd_executable(t tests/' CMakeLists.txt; echo 'target_link_libraries(t PRIVATE calc)
target_compile_definitions(calc PRIVATE FAST=1)' >> CMakeLists.txt"##,
            MORE,
        ],
        CMAKE_ADDS,
    ),
    row(
        "cmake: a test joins with its lines of the build",
        "@CMAKE_RUN@",
        [
            r##"printf '#include <assert.h>\nint add(int, int);\nint main(void) { assert(add(WITH, 2) == 4); return 0; }\n' > tests/test_two.c; printf 'add_executable(u add.c tests/test_two.c)\ntarget_compile_definitions(u PRIVATE WITH=2)\nadd_test(NAME two COMMAND u)\n' >> CMakeLists.txt"##,
            MORE,
        ],
        CMAKE_ADDS,
    ),
    row(
        "bats: a function takes care of how commands end",
        "@BATS_RUN@",
        [
            r##"printf 'add() { echo $(($1 + $2)); }\nrunner() { set +e; "$@"; local rc=$?; set -e; return $rc; }\n' > lib.sh"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "a product gets a command line, and finds who logs",
        "@UNITTEST_RUN@",
        [
            r##"printf 'import sys\n\n\ndef add(a, b):\n    return a + b\n\n\nif __name__ == "__main__":\n    if len(sys.argv) != 3:\n        sys.exit("usage: calc.py A B")\n    print(add(int(sys.argv[1]), int(sys.argv[2])))\n' > calc.py"##,
            r##"printf 'import inspect\nimport logging\n\n\ndef log_here(text):\n    frame = inspect.currentframe().f_back\n    while frame and frame.f_code.co_filename == __file__:\n        frame = frame.f_back\n    logging.info("%%s %%s", frame.f_lineno, text)\n' > logs.py"##,
        ],
        PYTHON_ADDS,
    ),
    row(
        "a product may be run as well as loaded",
        "@NODE_RUN@",
        [
            r##"printf 'exports.add = (a, b) => a + b;\n\nif (require.main === module) {\n  const args = process.argv.slice(2);\n  if (args.length < 2) process.exit(2);\n  console.log(exports.add(+args[0], +args[1]));\n}\n' > calc.js"##,
            MORE,
        ],
        NODE_ADDS,
    ),
];
