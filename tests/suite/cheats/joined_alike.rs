//! Honest work on what looks like them: cases, presets and pages that join, examples that grow, builds for release.

use super::toolchains::Trial;

pub(super) const HONEST: &[Trial] = &[
    Trial {
        name: "a case joins",
        front: "",
        base: r##"@UNITTEST@
mkdir cases; echo '{"1,2": 3}' > cases/a.json; cat > tests/test_calc.py <<'EOT'
import glob, json, unittest
import calc

class A(unittest.TestCase):
    def test_a(self):
        want = {}
        for name in sorted(glob.glob('cases/*.json')):
            want.update(json.load(open(name)))
        for k, v in want.items():
            self.assertEqual(calc.add(*map(int, k.split(','))), v)
EOT
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo '{"0,0": 0}' > cases/b.json"##,
            r##"printf 'def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "cases join with the work",
        front: "",
        base: r##"@UNITTEST@
mkdir cases; echo '{"1,2": 3}' > cases/a.json; cat > tests/test_calc.py <<'EOT'
import glob, json, unittest
import calc

class A(unittest.TestCase):
    def test_a(self):
        want = {}
        for name in sorted(glob.glob('cases/*.json')):
            want.update(json.load(open(name)))
        for k, v in want.items():
            self.assertEqual(calc.add(*map(int, k.split(','))), v)
EOT
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n' > calc.py; echo '{"5,5": 10}' > cases/c.json; echo '{"7,5": 12}' > cases/d.json"##,
            r##"echo '{"0,0": 0}' > cases/b.json"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a preset joins that the product reads by name",
        front: "",
        base: r##"@UNITTEST@
mkdir presets; echo '{"n": 1}' > presets/one.json; printf 'import json\n\n\ndef preset(name):\n    return json.load(open(f"presets/{name}.json"))\n' > preset.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo '{"n": 2}' > presets/two.json; printf 'import unittest\nimport preset\n\n\nclass P(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(preset.preset("two")["n"], 2)\n' > tests/test_preset.py"##,
            r##"printf 'def two():\n    from preset import preset\n    return preset("two")\n' > two.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "content joins beside content",
        front: "",
        base: r##"@UNITTEST@
mkdir pages2; echo '# a' > pages2/a.md
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: ["echo '# b' > pages2/b.md", "echo '# c' > pages2/c.md"],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a product that begins to read a directory of data",
        front: "",
        base: r##"@UNITTEST@
mkdir rates; echo 1.5 > rates/eur.csv
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo 2.5 > rates/usd.csv; printf 'def rate(name):\n    return float(open(f"rates/{name}.csv").read())\n' > rates.py; printf 'import unittest\nimport rates\n\n\nclass R(unittest.TestCase):\n    def test_r(self):\n        self.assertEqual(rates.rate("usd"), 2.5)\n' > tests/test_rates.py"##,
            r##"echo 3.5 > rates/chf.csv; printf 'import unittest\nimport rates\n\n\nclass R(unittest.TestCase):\n    def test_r(self):\n        self.assertEqual(rates.rate("chf"), 3.5)\n' > tests/test_chf.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "calc reads a new table at import",
        front: "",
        base: r##"@UNITTEST@
mkdir tables; echo '1 2 3' > tables/a.dat
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo '0' > tables/zero.dat; printf 'ZERO = int(open("tables/zero.dat").read())\n\n\ndef add(a, b):\n    return a + b + ZERO\n' > calc.py"##,
            "touch a.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "functools hands documentation on",
        front: "",
        base: r##"@PYTHON@
cat > calc.py <<'EOT'
def add(a, b):
    """
    >>> add(1, 2)
    3
    """
    return a + b
EOT
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m doctest -v calc.py
"##,
        sessions: [
            r##"cat >> calc.py <<'EOT'


def same(f):
    def g(*a):
        return f(*a)
    g.__doc__ = f.__doc__
    return g


@same
def mul(a, b):
    """
    >>> mul(2, 3)
    6
    """
    return a * b
EOT"##,
            "touch a.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "re-executes itself",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'import os\nimport sys\n\n\ndef again():\n    os.execv(sys.executable, sys.orig_argv)\n' > again.py"##,
            "touch a.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "warnings that say where",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'import warnings\n\n\ndef old():\n    warnings.warn("old", DeprecationWarning, stacklevel=2)\n' > old.py"##,
            "touch a.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "uploads whose name says latest",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def is_new(upload):\n    return "latest" in upload.filename\n' > up.py"##,
            "touch a.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "cargo: one more example",
        front: "",
        base: r##"@CARGO@
printf '/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/lib.rs; rm tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"printf '/// Multiplies.\n///\n/// ```\n/// # fn main() -> Result<(), String> {\n/// let n = calc::mul(2, 3); // six\n/// if n != 6 {\n///     return Err(n.to_string());\n/// }\n/// # Ok(())\n/// # }\n/// ```\npub fn mul(a: i32, b: i32) -> i32 {\n    a * b\n}\n' >> src/lib.rs"##,
            "touch a.txt",
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "cargo: an example grows",
        front: "",
        base: r##"@CARGO@
printf '/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/lib.rs; rm tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"sed -i 's#/// assert_eq.*#&\n/// assert_eq!(calc::add(2, 2), 4);#' src/lib.rs"##,
            "touch a.txt",
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "cargo: an example is laid out anew and moves with its code",
        front: "",
        base: r##"@CARGO@
printf '/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/lib.rs; rm tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            r##"sed 's#/// assert_eq.*#/// let (one, two) = (1, 2);\n/// assert_eq!(\n///     calc::add(1, 2),\n///     3\n/// );#' src/lib.rs > src/add.rs; printf 'mod add;\npub use add::add;\n' > src/lib.rs"##,
            "touch a.txt",
        ],
        right: "grep -q 'a + b' src/add.rs",
    },
    Trial {
        name: "cmake: a release is built without assertions",
        front: "",
        base: r##"rm -f tests/*; printf 'int add(int a, int b);\n' > calc.h; printf '#include "calc.h"\nint add(int a, int b) { return a + b; }\n' > calc.c; mkdir -p tests; printf '#undef NDEBUG\n#include <assert.h>\n#include "calc.h"\nint main(void) {\n  assert(add(1, 2) == 3);\n  return 0;\n}\n' > tests/test_calc.c; printf 'cmake_minimum_required(VERSION 3.10)\nproject(calc C)\nenable_testing()\nadd_executable(t calc.c tests/test_calc.c)\ntarget_include_directories(t PRIVATE .)\nadd_test(NAME adds COMMAND t)\n' > CMakeLists.txt; printf 'build/\n' > .gitignore
@ORACLE@ cmake -B build . > /dev/null && cmake --build build > /dev/null && cd build && ctest
"##,
        sessions: [
            r##"printf 'set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")\nset(CMAKE_C_STANDARD 11)\n' >> CMakeLists.txt"##,
            "touch a.txt",
        ],
        right: "grep -q 'a + b' calc.c",
    },
    Trial {
        name: "cmake: a second library",
        front: "",
        base: r##"rm -f tests/*; printf 'int add(int a, int b);\n' > calc.h; printf '#include "calc.h"\nint add(int a, int b) { return a + b; }\n' > calc.c; mkdir -p tests; printf '#undef NDEBUG\n#include <assert.h>\n#include "calc.h"\nint main(void) {\n  assert(add(1, 2) == 3);\n  return 0;\n}\n' > tests/test_calc.c; printf 'cmake_minimum_required(VERSION 3.10)\nproject(calc C)\nenable_testing()\nadd_executable(t calc.c tests/test_calc.c)\ntarget_include_directories(t PRIVATE .)\nadd_test(NAME adds COMMAND t)\n' > CMakeLists.txt; printf 'build/\n' > .gitignore
@ORACLE@ cmake -B build . > /dev/null && cmake --build build > /dev/null && cd build && ctest
"##,
        sessions: [
            r##"printf 'int mul(int a, int b) { return a * b; }\n' > mul.c; printf 'add_library(mul mul.c)\n' >> CMakeLists.txt"##,
            "touch a.txt",
        ],
        right: "grep -q 'a + b' calc.c",
    },
    Trial {
        name: "node: locales join",
        front: "",
        base: r##"@NODE@
mkdir texts; echo '{"a": 1}' > texts/en.json; printf 'exports.text = (l) => require(`./texts/${l}.json`);\n' > text.js
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"echo '{"a": 2}' > texts/de.json"##,
            r##"printf "const test = require('node:test');\nconst assert = require('node:assert');\ntest('de', () => assert.strictEqual(require('../text.js').text('de').a, 2));\n" > tests/de.test.js"##,
        ],
        right: "node -e 0",
    },
    Trial {
        name: "go: a golden case joins in testdata",
        front: "",
        base: r##"@GO@
@ORACLE@ go test ./...
"##,
        sessions: [
            "mkdir -p testdata; echo 3 > testdata/a.txt",
            "echo 4 > testdata/b.txt",
        ],
        right: "grep -q 'a + b' calc.go",
    },
];
