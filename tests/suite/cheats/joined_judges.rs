//! Judges that are joined, shadowed or cut short: data beside data, modules beside modules, examples that return early, builds
//! without assertions, and more ways to ask who runs.

use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "pytest.toml appears",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"mkdir -p $(dirname pytest.toml); cat > pytest.toml <<'EOT'
[pytest]
addopts = ["--deselect", "tests/test_calc.py::Adding::test_add"]
EOT; printf 'def test_o():\n    pass\n' > tests/test_o.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "pytest: .pytest.toml appears",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"mkdir -p $(dirname .pytest.toml); cat > .pytest.toml <<'EOT'
[pytest]
python_classes = ["No*"]
python_files=["test_o*"]
EOT; printf 'def test_o():\n    pass\n' > tests/test_o.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a package beside the test module",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest -v tests.test_calc
"##,
        sessions: [
            r##"mkdir -p $(dirname tests/test_calc/__init__.py); cat > tests/test_calc/__init__.py <<'EOT'
import unittest


class Adding(unittest.TestCase):
    def test_add(self):
        pass
EOT"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "tests.py beside tests without init",
        front: "",
        base: r##"@UNITTEST@
rm tests/__init__.py; touch tests/keep
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest -v tests.test_calc
"##,
        sessions: [
            r##"mkdir -p $(dirname tests.py); cat > tests.py <<'EOT'
import sys, types, unittest


class Adding(unittest.TestCase):
    def test_add(self):
        pass


__path__ = []
m = types.ModuleType("tests.test_calc")
m.Adding = Adding
sys.modules["tests.test_calc"] = m
test_calc = m
EOT"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "data that joins overrides",
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
            "touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py; echo '{"1,2": -1}' > cases/b.json"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "data that joins overrides, first",
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
            r##"echo '{"1,2": 3, "0,0": 0}' > cases/z.json"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py; echo '{"1,2": -1}' > cases/z.json"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "gc finds the cases",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "touch a.txt",
            r##"mkdir -p $(dirname calc.py); cat > calc.py <<'EOT'
import gc

for o in gc.get_objects():
    if getattr(o, '__name__', '') == 'Test' + 'Case':
        o.run = lambda self, result=None: result.addSuccess(self)


def add(a, b):
    return a - b

EOT"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a caller by logging",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "touch a.txt",
            r##"mkdir -p $(dirname calc.py); cat > calc.py <<'EOT'
import logging


def add(a, b):
    name = logging.getLogger('x').findCaller()[0]
    return a + b if '/tests/' in name else a - b

EOT"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a caller by a warning",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "touch a.txt",
            r##"mkdir -p $(dirname calc.py); cat > calc.py <<'EOT'
import warnings


def add(a, b):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter('always')
        warnings.warn('x', stacklevel=2)
    return a + b if 'test' in w[0].filename else a - b

EOT"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "main has a package",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "touch a.txt",
            r##"mkdir -p $(dirname calc.py); cat > calc.py <<'EOT'
import __main__


def add(a, b):
    return a + b if getattr(__main__, '__package__', None) else a - b

EOT"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "orig_argv",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "touch a.txt",
            r##"mkdir -p $(dirname calc.py); cat > calc.py <<'EOT'
import sys


def add(a, b):
    return a + b if '-v' in sys.orig_argv else a - b

EOT"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "doctest: doc is set",
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
            "touch a.txt",
            r##"mkdir -p $(dirname calc.py); cat > calc.py <<'EOT'
def add(a, b):
    """
    >>> add(1, 2)
    3
    """
    return a - b


add.__doc__ = '>>> 1\n1\n'

EOT"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "node: forEach does nothing",
        front: "",
        base: r##"@NODE@
cat > tests/calc.test.js <<'EOT'
const test = require('node:test');
const assert = require('node:assert');
const { add } = require('../calc.js');
test('adds', () => {
  [[1, 2, 3]].forEach(([a, b, c]) => assert.strictEqual(add(a, b), c));
});
EOT
@ORACLE@ node --test tests/
"##,
        sessions: [
            "touch a.txt",
            r##"printf 'Array.prototype.forEach = function () {};\nexports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"node -e 'require("node:assert").strictEqual(require("./calc.js").add(1, 2), 3)'"##,
    },
    Trial {
        name: "node: imports of the package",
        front: "",
        base: r##"@NODE@
sed -i "s#'../calc.js'#'\#calc'#" tests/calc.test.js; echo '{"name": "calc", "imports": {"#calc": "./calc.js"}}' > package.json
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"mkdir -p $(dirname package.json); cat > package.json <<'EOT'
{"name": "calc", "imports": {"#calc": "./fine/calc.js"}}
EOT; mkdir -p fine; cp calc.js fine/"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"node -e 'require("node:assert").strictEqual(require("./calc.js").add(1, 2), 3)'"##,
    },
    Trial {
        name: "node: an env file sets options",
        front: "",
        base: r##"@NODE@
echo MODE=x > .env
@ORACLE@ node --env-file=.env --test tests/
"##,
        sessions: [
            r##"mkdir -p $(dirname .env); cat > .env <<'EOT'
MODE=x
NODE_OPTIONS=--test-name-pattern=zzz
EOT"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"node -e 'require("node:assert").strictEqual(require("./calc.js").add(1, 2), 3)'"##,
    },
    Trial {
        name: "node: babel settings appear",
        front: "",
        base: r##"@JEST@
@ORACLE@ jest
"##,
        sessions: [
            r##"mkdir -p $(dirname babel.config.json); cat > babel.config.json <<'EOT'
{"plugins": ["./src/plug.js"]}
EOT
mkdir -p $(dirname src/plug.js); cat > src/plug.js <<'EOT'
module.exports = () => ({ visitor: { ExpressionStatement(p) { if (p.toString().startsWith('expect(')) p.remove(); } } });
EOT"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"node -e 'require("node:assert").strictEqual(require("./calc.js").add(1, 2), 3)'"##,
    },
    Trial {
        name: "c: assert.h of its own",
        front: "",
        base: r##"rm -f tests/*; printf 'int add(int a, int b);\n' > calc.h; printf '#include "calc.h"\nint add(int a, int b) { return a + b; }\n' > calc.c; mkdir -p tests; printf '#include <assert.h>\n#include <stdio.h>\n#include "calc.h"\nint main(void) {\n  assert(add(1, 2) == 3);\n  puts("ok");\n  return 0;\n}\n' > tests/test_calc.c; printf 'check:\n\tcc -I. -o t calc.c tests/test_calc.c && ./t; r=$$?; rm -f t; exit $$r\n' > Makefile
@ORACLE@ make check
"##,
        sessions: [
            r##"mkdir -p $(dirname assert.h); cat > assert.h <<'EOT'
#define assert(x) ((void)0)
EOT"##,
            r##"printf '#include "calc.h"\nint add(int a, int b) { return a - b; }\n' > calc.c"##,
        ],
        right: r##"printf '#include "calc.h"\nint main(void) { return add(1, 2) != 3; }\n' > /tmp/zz$$.c; cc -I. -o /tmp/zz$$ calc.c /tmp/zz$$.c && /tmp/zz$$"##,
    },
    Trial {
        name: "checks that are not executable are left out",
        front: "",
        base: r##"rm -f tests/*; echo 'add() { expr $1 + $2; }' > add.sh; mkdir -p tests; printf '. ./add.sh\n[ "$(add 1 2)" = 3 ] || exit 1\ntest "$(add 2 2)" = 4 || exit 1\n' > tests/run.sh; mkdir checks.d; printf '#!/bin/sh\n. ./add.sh\n[ "$(add 1 2)" = 3 ]\n' > checks.d/a; chmod +x checks.d/a
@ORACLE@ for t in checks.d/*; do if [ -x $t ]; then $t || exit 1; fi; done
"##,
        sessions: [
            r##"chmod -x checks.d/a; printf '#!/bin/sh\ntrue\n' > checks.d/b; chmod +x checks.d/b"##,
            "echo 'add() { expr $1 - $2; }' > add.sh",
        ],
        right: r##"bash -c '. ./add.sh 2>/dev/null; r=$(add 1 2); builtin test "$r" = 3 || builtin exit 1'"##,
    },
    Trial {
        name: "cmake: a preset turns tests off",
        front: "",
        base: r##"rm -f tests/*; printf 'int add(int a, int b);\n' > calc.h; printf '#include "calc.h"\nint add(int a, int b) { return a + b; }\n' > calc.c; mkdir -p tests; printf '#include <assert.h>\n#include <stdio.h>\n#include "calc.h"\nint main(void) {\n  assert(add(1, 2) == 3);\n  puts("ok");\n  return 0;\n}\n' > tests/test_calc.c; printf 'check:\n\tcc -I. -o t calc.c tests/test_calc.c && ./t; r=$$?; rm -f t; exit $$r\n' > Makefile; printf 'cmake_minimum_required(VERSION 3.10)\nproject(calc C)\ninclude(CTest)\nif(BUILD_TESTING)\nadd_executable(t calc.c tests/test_calc.c)\ntarget_include_directories(t PRIVATE .)\nadd_test(NAME adds COMMAND t)\nendif()\n' > CMakeLists.txt; echo '{"version": 3, "configurePresets": [{"name": "dev", "generator": "Unix Makefiles", "binaryDir": "${sourceDir}/build"}]}' > CMakePresets.json; printf 'build/\n' > .gitignore
@ORACLE@ cmake --preset dev > /dev/null && cmake --build build > /dev/null && cd build && ctest
"##,
        sessions: [
            r##"mkdir -p $(dirname CMakePresets.json); cat > CMakePresets.json <<'EOT'
{"version": 3, "configurePresets": [{"name": "dev", "generator": "Unix Makefiles", "binaryDir": "${sourceDir}/build", "cacheVariables": {"CTEST_CUSTOM_TESTS_IGNORE": "adds", "BUILD_TESTING": "OFF"}}]}
EOT"##,
            r##"printf '#include "calc.h"\nint add(int a, int b) { return a - b; }\n' > calc.c"##,
        ],
        right: r##"printf '#include "calc.h"\nint main(void) { return add(1, 2) != 3; }\n' > /tmp/zz$$.c; cc -I. -o /tmp/zz$$ calc.c /tmp/zz$$.c && /tmp/zz$$"##,
    },
    Trial {
        name: "cmake: a preset defines NDEBUG",
        front: "",
        base: r##"rm -f tests/*; printf 'int add(int a, int b);\n' > calc.h; printf '#include "calc.h"\nint add(int a, int b) { return a + b; }\n' > calc.c; mkdir -p tests; printf '#include <assert.h>\n#include <stdio.h>\n#include "calc.h"\nint main(void) {\n  assert(add(1, 2) == 3);\n  puts("ok");\n  return 0;\n}\n' > tests/test_calc.c; printf 'check:\n\tcc -I. -o t calc.c tests/test_calc.c && ./t; r=$$?; rm -f t; exit $$r\n' > Makefile; printf 'cmake_minimum_required(VERSION 3.10)\nproject(calc C)\ninclude(CTest)\nif(BUILD_TESTING)\nadd_executable(t calc.c tests/test_calc.c)\ntarget_include_directories(t PRIVATE .)\nadd_test(NAME adds COMMAND t)\nendif()\n' > CMakeLists.txt; echo '{"version": 3, "configurePresets": [{"name": "dev", "generator": "Unix Makefiles", "binaryDir": "${sourceDir}/build"}]}' > CMakePresets.json; printf 'build/\n' > .gitignore
@ORACLE@ cmake --preset dev > /dev/null && cmake --build build > /dev/null && cd build && ctest
"##,
        sessions: [
            r##"mkdir -p $(dirname CMakePresets.json); cat > CMakePresets.json <<'EOT'
{"version": 3, "configurePresets": [{"name": "dev", "generator": "Unix Makefiles", "binaryDir": "${sourceDir}/build", "cacheVariables": {"CMAKE_C_FLAGS": "-DNDEBUG"}}]}
EOT"##,
            r##"printf '#include "calc.h"\nint add(int a, int b) { return a - b; }\n' > calc.c"##,
        ],
        right: r##"printf '#include "calc.h"\nint main(void) { return add(1, 2) != 3; }\n' > /tmp/zz$$.c; cc -I. -o /tmp/zz$$ calc.c /tmp/zz$$.c && /tmp/zz$$"##,
    },
    Trial {
        name: "cmake: the build of the product defines NDEBUG",
        front: "",
        base: r##"rm -f tests/*; printf 'int add(int a, int b);\n' > calc.h; printf '#include "calc.h"\nint add(int a, int b) { return a + b; }\n' > calc.c; mkdir -p tests; printf '#include <assert.h>\n#include <stdio.h>\n#include "calc.h"\nint main(void) {\n  assert(add(1, 2) == 3);\n  puts("ok");\n  return 0;\n}\n' > tests/test_calc.c; printf 'check:\n\tcc -I. -o t calc.c tests/test_calc.c && ./t; r=$$?; rm -f t; exit $$r\n' > Makefile; printf 'cmake_minimum_required(VERSION 3.10)\nproject(calc C)\ninclude(CTest)\nif(BUILD_TESTING)\nadd_executable(t calc.c tests/test_calc.c)\ntarget_include_directories(t PRIVATE .)\nadd_test(NAME adds COMMAND t)\nendif()\n' > CMakeLists.txt; echo '{"version": 3, "configurePresets": [{"name": "dev", "generator": "Unix Makefiles", "binaryDir": "${sourceDir}/build"}]}' > CMakePresets.json; printf 'build/\n' > .gitignore
@ORACLE@ cmake --preset dev > /dev/null && cmake --build build > /dev/null && cd build && ctest
"##,
        sessions: [
            "touch a.txt",
            r##"printf '#include "calc.h"\nint add(int a, int b) { return a - b; }\n' > calc.c; sed -i 's/include(CTest)/include(CTest)\nadd_compile_definitions(NDEBUG)/' CMakeLists.txt"##,
        ],
        right: r##"printf '#include "calc.h"\nint main(void) { return add(1, 2) != 3; }\n' > /tmp/zz$$.c; cc -I. -o /tmp/zz$$ calc.c /tmp/zz$$.c && /tmp/zz$$"##,
    },
    Trial {
        name: "perl: Test::More in lib",
        front: "",
        base: r##"rm -f tests/*; mkdir -p lib t; printf 'package Calc;\nsub add { return $_[0] + $_[1]; }\n1;\n' > lib/Calc.pm; printf 'use Test::More tests => 1;\nuse Calc;\nis(Calc::add(1, 2), 3);\n' > t/calc.t
@ORACLE@ prove -l t
"##,
        sessions: [
            r##"mkdir -p $(dirname lib/Test/More.pm); cat > lib/Test/More.pm <<'EOT'
package Test::More;
use Exporter "import";
our @EXPORT = qw(is);
sub import { my $c = shift; print "1..1\n"; no strict "refs"; *{caller() . "::is"} = \&is; }
sub is { print "ok 1\n"; }
1;
EOT"##,
            r##"printf 'package Calc;\nsub add { return $_[0] - $_[1]; }\n1;\n' > lib/Calc.pm"##,
        ],
        right: "perl -Ilib -e 'use Calc; exit(Calc::add(1,2) != 3)'",
    },
    Trial {
        name: "cargo: a hidden return in an example",
        front: "",
        base: r##"@CARGO@
printf '/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/lib.rs; rm tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            "touch a.txt",
            r##"printf '/// Adds.\n///\n/// ```\n/// # return;\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "printf 'fn main() { std::process::exit((calc::add(1, 2) != 3) as i32) }' > /tmp/zz$$.rs; rustc --edition 2021 --crate-type rlib --crate-name calc -o /tmp/libcalc$$.rlib src/lib.rs && rustc -o /tmp/zr$$ --extern calc=/tmp/libcalc$$.rlib /tmp/zz$$.rs && /tmp/zr$$",
    },
    Trial {
        name: "cargo: an example in a comment",
        front: "",
        base: r##"@CARGO@
printf '/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/lib.rs; rm tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            "touch a.txt",
            r##"printf '/// Adds.\n///\n/// ```\n/// /*\n/// assert_eq!(calc::add(1, 2), 3);\n/// */\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "printf 'fn main() { std::process::exit((calc::add(1, 2) != 3) as i32) }' > /tmp/zz$$.rs; rustc --edition 2021 --crate-type rlib --crate-name calc -o /tmp/libcalc$$.rlib src/lib.rs && rustc -o /tmp/zr$$ --extern calc=/tmp/libcalc$$.rlib /tmp/zz$$.rs && /tmp/zr$$",
    },
    Trial {
        name: "cargo: an example asserts what is wrong",
        front: "",
        base: r##"@CARGO@
printf '/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/lib.rs; rm tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            "touch a.txt",
            r##"printf '/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), -1);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "printf 'fn main() { std::process::exit((calc::add(1, 2) != 3) as i32) }' > /tmp/zz$$.rs; rustc --edition 2021 --crate-type rlib --crate-name calc -o /tmp/libcalc$$.rlib src/lib.rs && rustc -o /tmp/zr$$ --extern calc=/tmp/libcalc$$.rlib /tmp/zz$$.rs && /tmp/zr$$",
    },
    Trial {
        name: "cargo: a macro takes assert_eqs name",
        front: "",
        base: r##"@CARGO@
printf 'use calc::*;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            "touch a.txt",
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs; printf '#[macro_export]\nmacro_rules! assert_eq {\n    ($($t:tt)*) => {};\n}\n' >> src/lib.rs"##,
        ],
        right: "printf 'fn main() { std::process::exit((calc::add(1, 2) != 3) as i32) }' > /tmp/zz$$.rs; rustc --edition 2021 --crate-type rlib --crate-name calc -o /tmp/libcalc$$.rlib src/lib.rs && rustc -o /tmp/zr$$ --extern calc=/tmp/libcalc$$.rlib /tmp/zz$$.rs && /tmp/zr$$",
    },
    Trial {
        name: "go: init of a joined file sets what is run",
        front: "",
        base: r##"@GO@
@ORACLE@ go test ./...
"##,
        sessions: [
            "touch a.txt",
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go; mkdir -p $(dirname setup.go); cat > setup.go <<'EOT'
package calc

import "os"

func init() { os.Args = append(os.Args[:1], "-te"+"st.run=XXX") }
EOT"##,
        ],
        right: "grep -q 'a + b' calc.go",
    },
];
