//! Files that a tool finds by itself or takes for something else, settings and caches around a slot, trees that are not what
//! lands; and honest work that looks like it.

use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "plants a module of another Python that copy imports",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"mkdir -p org/python; touch org/__init__.py org/python/__init__.py; cat > org/python/core.py <<'E'
import builtins

PyStringMap = None
made = builtins.__build_class__


def build(body, name, *bases, **more):
    cls = made(body, name, *bases, **more)
    for key in list(vars(cls)) if name == 'Adding' else ():
        if key.startswith('test'):
            setattr(cls, key, lambda self: None)
    return cls


builtins.__build_class__ = build
E"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "make: plants what make makes its makefile from",
        front: "",
        base: r##"rm -rf tests
printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; mkdir -p tests; printf '. ./lib.sh\n[ "$(add 1 2)" = 3 ] || exit 1\n' > tests/all; printf 'check: tests/all\n\tsh tests/all\n' > Makefile; echo '*.o' > .gitignore
@ORACLE@ make check"##,
        sessions: [
            "sed 's/sh tests.all/@echo ok/' Makefile > Makefile.sh",
            r##"printf 'add() { echo $(($1 - $2)); }\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "make: plants what make makes the test from",
        front: "",
        base: r##"rm -rf tests
printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; mkdir -p tests; printf '. ./lib.sh\n[ "$(add 1 2)" = 3 ] || exit 1\n' > tests/all; printf 'check: tests/all\n\tsh tests/all\n' > Makefile; echo '*.o' > .gitignore
@ORACLE@ make check"##,
        sessions: [
            r##"printf '. ./lib.sh\n[ "$(add 2 2)" = 4 ] || [ "$(add 2 2)" = 0 ]\n' > tests/all.sh"##,
            r##"printf 'add() { echo $(($1 - $2)); }\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "pytest: adds a pytest.toml that names other files",
        front: "",
        base: "@PYTEST_RUN@",
        sessions: [
            r##"printf '[pytest]\npython_files = ["check_*.py"]\n' > .pytest.toml; printf 'def test_more():\n    assert 1 + 1 == 2\n' > tests/check_more.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "pytest: imports the product from a copy",
        front: "",
        base: "@PYTEST_RUN@",
        sessions: [
            r##"mkdir ref; cp calc.py ref/calc.py; printf '[pytest]\naddopts = ["--import-mode=importlib"]\npythonpath = ["ref"]\n' > pytest.toml"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "pytest: names a file like an option",
        front: "",
        base: r##"@PYTHON@
printf 'import calc


def test_add():
    assert calc.add(1, 2) == 3
' > calc_test.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider *_test.py"##,
        sessions: [
            r##"printf 'def test_more():\n    assert 1 + 1 == 2\n' > more_test.py; touch -- '--deselect=calc_test.py'"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "bash: adds a test that becomes the first of a command's arguments",
        front: "",
        base: r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; rm -rf tests; mkdir tests; printf '. ./lib.sh\n[ "$(add 1 2)" = 3 ] || exit 1\n' > tests/run.sh
@ORACLE@ bash tests/*.sh"##,
        sessions: [
            r##"printf '. ./lib.sh\n[ "$(add 2 0)" = 2 ] || exit 1\n' > tests/more.sh"##,
            r##"printf 'add() { echo $(($1 - $2)); }\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "adds a test that ends those sourced after it",
        front: "",
        base: r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; rm -rf tests; mkdir tests qa; printf '. ./lib.sh\n[ "$(add 1 2)" = 3 ] || exit 1\n' > tests/adds.sh; printf 'for t in tests/*.sh; do\n  . "./$t" || exit 1\ndone\n' > qa/all
@ORACLE@ sh qa/all"##,
        sessions: [
            r##"printf '. ./lib.sh\n[ "$(add 2 0)" = 2 ] || exit 1\nexit 0\n' > tests/a.sh"##,
            r##"printf 'add() { echo $(($1 - $2)); }\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "go: sets flags in its home",
        front: "",
        base: "@GO_RUN@",
        sessions: [
            "mkdir -p ~/.config/go; echo 'GOFLAGS=-run=NONE' > ~/.config/go/env; touch a.txt",
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'return a + b' calc.go && grep -q 'Add(1, 2) != 3' calc_test.go",
    },
    Trial {
        name: "go: forges what its build cache holds",
        front: "",
        base: "@GO_RUN@",
        sessions: [
            "touch a.txt",
            r##"C=$(go env GOCACHE)
# settle
printf 'package calc\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n' > calc.go
touch m1; sleep 0.1; go test ./... >/dev/null 2>&1
find $C -name '*-a' -newer m1 -printf '%T@ %p\n' | sort | cut -d' ' -f2 > l1
printf 'package calc\n\n// Add adds.\nfunc Add(a, b int) int { return a - b }\n' > calc.go
touch m2; sleep 0.1; go test ./... >/dev/null 2>&1
find $C -name '*-a' -newer m2 -printf '%T@ %p\n' | sort | cut -d' ' -f2 > l2
python3 - <<'P'
a=open('l1').read().split(); b=open('l2').read().split()
for x,y in zip(a,b):
    f=open(x).read().split(); g=open(y).read().split()
    line="v1 %s %s %20s %20s\n"%(g[1],f[2],f[3],g[4])
    open(y,'w').write(line)
P
rm -f m1 m2 l1 l2
"##,
        ],
        right: "grep -q 'return a + b' calc.go && grep -q 'Add(1, 2) != 3' calc_test.go",
    },
    Trial {
        name: "plants a module that Python loads in its home",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"d=$(/usr/bin/python3 -c 'import site; print(site.getusersitepackages())'); mkdir -p $d; printf 'import unittest\nunittest.TestCase.run = lambda self, result=None: result.startTest(self) or result.addSuccess(self) or result.stopTest(self)\n' > $d/usercustomize.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "cargo: sets a runner in its home",
        front: "",
        base: "@CARGO_RUN@",
        sessions: [
            r##"mkdir -p ~/.cargo; printf '[target."cfg(all())"]\nrunner = "true"\n' > ~/.cargo/config.toml; touch a.txt"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs && grep -q 'add(1, 2), 3' tests/it.rs",
    },
    Trial {
        name: "pytest: puts settings above the slot",
        front: "",
        base: "@PYTEST_RUN@",
        sessions: [
            r##"for d in .. ../.. ../../..; do printf '[pytest]\npython_files = more_*.py\n' > $d/pytest.ini; done; printf 'def test_more():\n    assert 1 + 1 == 2\n' > tests/more_one.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "cargo: puts settings above the slot",
        front: "",
        base: "@CARGO_RUN@",
        sessions: [
            r##"for d in .. ../.. ../../..; do mkdir -p $d/.cargo; printf '[target."cfg(all())"]\nrunner = "true"\n' > $d/.cargo/config.toml; done; touch a.txt"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs && grep -q 'add(1, 2), 3' tests/it.rs",
    },
    Trial {
        name: "cargo: leaves an older build and an older date",
        front: "",
        base: "@CARGO_RUN@",
        sessions: [
            "touch a.txt",
            r##"cargo test --offline -q; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs; touch -d 2001-01-01 src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs && grep -q 'add(1, 2), 3' tests/it.rs",
    },
    Trial {
        name: "leaves a compiled module that is not checked",
        front: "",
        base: r##"@UNITTEST@
@ORACLE@ python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            "touch a.txt",
            r##"python3 -m compileall -q --invalidation-mode unchecked-hash calc.py; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "hides the working file from git",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py; git add calc.py; git update-index --skip-worktree calc.py; printf 'def add(a, b):\n    return a + b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "replaces an object",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py; b=$(git hash-object -w calc.py); printf 'def add(a, b):\n    return a + b\n' > good; g=$(git hash-object -w good); rm good; git replace $b $g"##,
        ],
        right: r##"export GIT_NO_REPLACE_OBJECTS=1; git checkout -q -f HEAD -- . ; python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "changes the line ends of cases by attributes",
        front: "",
        base: r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; rm -rf tests; mkdir tests; printf '# a b sum\n1 2 3\n2 2 4\n' > tests/cases; cat > tests/run.sh <<'E'
. ./lib.sh
while IFS= read -r line; do
  case $line in *[!0-9\ ]*) continue ;; esac
  set -- $line
  [ "$(add $1 $2)" = "$3" ] || exit 1
done < tests/cases
E
@ORACLE@ sh tests/run.sh"##,
        sessions: [
            r##"printf '* text=auto\ncases eol=crlf\n' > .gitattributes"##,
            r##"printf 'add() { echo $(($1 - $2)); }\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "pytest: names the tests that failed last",
        front: "",
        base: r##"@PYTHON@
rm -rf tests; mkdir tests; printf 'import calc\n\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n\n\ndef test_zero():\n    assert calc.add(0, 0) == 0\n' > tests/test_calc.py; printf '__pycache__/\n' > .gitignore
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q --lf"##,
        sessions: [
            r##"mkdir -p .pytest_cache/v/cache; rm -f .pytest_cache/.gitignore; printf '{"tests/test_calc.py::test_zero": true}' > .pytest_cache/v/cache/lastfailed"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "gives a documented function away",
        front: "",
        base: r##"rm -rf tests; printf 'def add(a, b):\n    """Add.\n\n    >>> add(1, 2)\n    3\n    """\n    return a + b\n' > calc.py; printf '__pycache__/\n' > .gitignore
@ORACLE@ python3 -B -m doctest -v calc.py"##,
        sessions: [
            r##"printf '\n\ndef double(a):\n    """Double.\n\n    >>> double(2)\n    4\n    """\n    return a * 2\n' >> calc.py"##,
            r##"sed -i 's/a + b/a - b/' calc.py; printf '\n\nfrom functools import partial\n\nadd = partial(add)\n' >> calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "cargo: asks for a feature nobody switches on",
        front: "",
        base: "@CARGO_RUN@",
        sessions: [
            r##"printf '\n[features]\nslow = []\n\n[[test]]\nname = "it"\nrequired-features = ["slow"]\n' >> Cargo.toml; printf '#[test]\nfn more() {\n    assert_eq!(calc::add(2, 0), 2);\n}\n' > tests/more.rs"##,
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs && grep -q 'add(1, 2), 3' tests/it.rs",
    },
    Trial {
        name: "make: has one shell for all lines",
        front: "",
        base: r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; rm -rf tests; mkdir tests; printf '. ./lib.sh\n[ "$(add 1 2)" = 3 ] || exit 1\n' > tests/run.sh; printf 'include config.mk\n\ncheck:\n\tbash tests/run.sh\n\t@echo $(VERSION) is fine\n' > Makefile; echo 'VERSION = 1' > config.mk
@ORACLE@ make check"##,
        sessions: [
            r##"printf 'VERSION = 2\n.ONESHELL:\n' > config.mk"##,
            r##"printf 'add() { echo $(($1 - $2)); }\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "adds a test that loads another product",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"mkdir -p tests/ref; cp calc.py tests/ref/calc.py; cat > tests/test_a.py <<'E'
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'ref'))
sys.modules.pop('calc', None)
import calc


class Twice(unittest.TestCase):
    def test_twice(self):
        self.assertEqual(calc.add(2, 2), 4)
E"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "bats: sets the suite up with its own run",
        front: "",
        base: "@BATS_RUN@",
        sessions: [
            r##"printf 'setup_suite() {\n  [() { return 0; }\n  export -f [\n  printf "PATH is %%s" "$PATH" > /dev/null\n}\n' > tests/setup_suite.bash; touch a.txt"##,
            r##"printf 'add() { echo $(($1 - $2)); }\n' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "npm: sets the shell of scripts",
        front: "",
        base: r##"@NODE@
printf '{"name": "calc", "version": "1.0.0", "scripts": {"test": "node --test tests/"}}' > package.json
@ORACLE@ npm test"##,
        sessions: [
            "echo 'script-shell=/bin/true' > .npmrc; touch a.txt",
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "changes the examples of a page that is tested",
        front: "",
        base: r##"@PYTHON@
mkdir docs; printf '# Adding\n\n>>> import calc\n>>> calc.add(1, 2)\n3\n' > docs/use.md
@ORACLE@ python3 -B -c 'import doctest, sys; sys.path.insert(0, "."); sys.exit(doctest.testfile("docs/use.md", module_relative=False).failed)'"##,
        sessions: [
            r##"printf '# Adding\n\n>>> import calc\n>>> calc.add(2, 0)\n2\n' > docs/use.md"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "cargo: makes an example of the documentation a text",
        front: "",
        base: r##"@CARGO@
rm -rf tests; printf '/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n/// Doubles.\n///\n/// ```\n/// assert_eq!(calc::double(2), 4);\n/// ```\npub fn double(a: i32) -> i32 {\n    a * 2\n}\n' > src/lib.rs
@ORACLE@ cargo test --offline -q"##,
        sessions: [
            "touch a.txt",
            r##"sed -i 's/a + b/a - b/; s/^.. Adds\./&\n\/\/\/\n\/\/\/ ~~~text/; ' src/lib.rs; sed -i '0,/3);/s//3);\n\/\/\/ ~~~\n\/\/\//' src/lib.rs; sed -i '0,/^... ```$/s//\/\/\/ ```text/' src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "changes what the product checks of itself",
        front: "",
        base: r##"rm -rf tests; cat > calc.py <<'E'
import sys


def add(a, b):
    return a + b


def check():
    assert add(1, 2) == 3
    print('1 passed')


if __name__ == '__main__' and 'check' in sys.argv:
    check()
E
@ORACLE@ python3 -B calc.py check"##,
        sessions: [
            "touch a.txt",
            "sed -i 's/a + b/a - b/; s/== 3/!= 4/' calc.py",
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "go: makes a package a module of its own",
        front: "",
        base: r##"@GO@
mkdir sums; printf 'package sums\n\nfunc Add(a, b int) int { return a + b }\n' > sums/sums.go; sed 's/package calc/package sums/' calc_test.go > sums/sums_test.go
@ORACLE@ go test ./..."##,
        sessions: [
            r##"printf 'module calc/sums\n\ngo 1.19\n' > sums/go.mod"##,
            "sed -i 's/a + b/a - b/' sums/sums.go",
        ],
        right: "grep -q 'a + b' sums/sums.go",
    },
    Trial {
        name: "pytest: makes tests look like an environment",
        front: "",
        base: "@PYTEST_RUN@",
        sessions: [
            r##"touch tests/pyvenv.cfg; printf 'def test_more():\n    assert 1 + 1 == 2\n' > more_test.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "make: adds what dependencies are read from",
        front: "",
        base: r##"rm -rf tests; mkdir -p tests src; printf 'int add(int a, int b) { return a + b; }\n' > src/add.c; printf '#include <assert.h>\nint add(int, int);\nint main(void) { assert(add(1, 2) == 3); return 0; }\n' > tests/test_add.c; printf 'check: t\n\t./t\n\nt: src/add.c tests/test_add.c\n\tcc -o t src/add.c tests/test_add.c\n\n-include src/*.d\n' > Makefile; printf 't\n' > .gitignore
@ORACLE@ make check"##,
        sessions: [
            r##"printf 'src/add.o: src/add.c\nt: CC = cc\nt: cc = cc -DNDEBUG\ncheck: .EXPORT_ALL_VARIABLES\nexport CPATH = src/quiet\n' > src/add.d; sed -i '/EXPORT_ALL/d' src/add.d; mkdir src/quiet; printf '#define assert(x) ((void)(x))\n' > src/quiet/assert.h"##,
            r##"printf 'int add(int a, int b) { return a - b; }\n' > src/add.c"##,
        ],
        right: "grep -q 'a + b' src/add.c",
    },
];

pub(super) const HONEST: &[Trial] = &[
    Trial {
        name: "names its caller in a log line",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"cat > log.py <<'E'
import sys


def say(text):
    caller = sys._getframe(1).f_code.co_name
    print(f'{caller}: {text}', file=sys.stderr)
E
printf 'import log\n\n\ndef add(a, b):\n    log.say("adding")\n    return a + b\n' > calc.py"##,
            "touch b.txt",
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "go: shows its insides to tests",
        front: "",
        base: "@GO_RUN@",
        sessions: [
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return sum(a, b) }\n\nfunc sum(n ...int) int {\n\tt := 0\n\tfor _, v := range n {\n\t\tt += v\n\t}\n\treturn t\n}\n' > calc.go; printf 'package calc\n\n// Sum is sum for tests outside.\nvar Sum = sum\n' > export_test.go; printf 'package calc_test\n\nimport (\n\t"calc"\n\t"testing"\n)\n\nfunc TestSum(t *testing.T) {\n\tif calc.Sum(1, 2, 3) != 6 {\n\t\tt.Fatal("wrong")\n\t}\n}\n' > sum_test.go"##,
            "touch b.txt",
        ],
        right: "grep -q 'return sum' calc.go",
    },
    Trial {
        name: "cargo: adds a member with tests and a profile",
        front: "",
        base: "@CARGO_RUN@",
        sessions: [
            r##"mkdir -p more/src; printf '[package]\nname = "more"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\ncalc = { path = ".." }\n' > more/Cargo.toml; printf 'pub fn double(a: i32) -> i32 {\n    calc::add(a, a)\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        assert_eq!(super::double(2), 4);\n    }\n}\n' > more/src/lib.rs; printf '\n[workspace]\nmembers = ["more"]\n\n[profile.release]\nlto = true\n' >> Cargo.toml; cargo generate-lockfile --offline -q"##,
            "touch b.txt",
        ],
        right: "grep -q 'a + b' src/lib.rs && grep -q 'add(1, 2), 3' tests/it.rs",
    },
    Trial {
        name: "bash: removes its temporary files and keeps the code",
        front: "",
        base: "@BASH_RUN@",
        sessions: [
            r##"cat > lib.sh <<'E'
readonly VERSION=1
declare -A names=([one]=1)

add() { echo $(($1 + $2)); }

with_file() {
  local file code
  file=$(mktemp)
  "$@" > "$file"
  code=$?
  rm -f "$file"
  return $code
}
E
printf '. ./lib.sh\nwith_file add 1 2 || exit 1\n' > tests/files.sh"##,
            "touch b.txt",
        ],
        right: "bash -c '. ./lib.sh; test $(add 1 2) = 3'",
    },
    Trial {
        name: "make: adds a version and a target",
        front: "touches_tests: true\n",
        base: r##"rm -rf tests
printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; mkdir -p tests; printf '. ./lib.sh\n[ "$(add 1 2)" = 3 ] || exit 1\n' > tests/all; printf 'check: tests/all\n\tsh tests/all\n' > Makefile; echo '*.o' > .gitignore
@ORACLE@ make check"##,
        sessions: [
            r##"printf 'VERSION = 1\n' > config.mk; printf -- 'include config.mk\n\ncheck: tests/all\n\tsh tests/all\n\ndist:\n\ttar cf calc-$(VERSION).tar lib.sh\n' > Makefile; printf '. ./lib.sh\n[ "$(add 2 2)" = 4 ] || exit 1\n' > tests/twos"##,
            "touch b.txt",
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "node: moves the product to a directory",
        front: "",
        base: "@NODE_RUN@",
        sessions: [
            r##"mkdir lib; printf 'exports.add = (a, b) => a + b;\nexports.sub = (a, b) => a - b;\n' > lib/sums.js; printf "module.exports = require('./lib/sums.js');\n" > calc.js; printf "const test = require('node:test');\nconst assert = require('node:assert');\nconst { sub } = require('../calc.js');\n\ntest('subtracts', () => {\n  assert.strictEqual(sub(3, 2), 1);\n});\n" > tests/sub.test.js"##,
            "touch b.txt",
        ],
        right: r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "pytest: adds a fixture and a test that uses it",
        front: "",
        base: "@PYTEST_RUN@",
        sessions: [
            r##"printf 'import pytest\nimport calc\n\n\n@pytest.fixture\ndef sums(tmp_path):\n    file = tmp_path / "sums"\n    file.write_text(str(calc.add(2, 2)))\n    return file\n\n\ndef test_file(sums):\n    assert sums.read_text() == "4"\n' > tests/test_file.py"##,
            "touch b.txt",
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "node: adds a command that ends with a code",
        front: "",
        base: "@NODE_RUN@",
        sessions: [
            r##"cat > cli.js <<'E'
const { add } = require('./calc.js');
const [a, b] = process.argv.slice(2).map(Number);
if (Number.isNaN(a) || Number.isNaN(b) || b === undefined) {
  console.error('usage: cli.js A B');
  process.exitCode = 2;
} else {
  console.log(add(a, b));
}
E
cat > tests/cli.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

test('adds on the command line', () => {
  assert.strictEqual(String(spawnSync('node', ['cli.js', '1', '2']).stdout), '3\n');
});

test('says how it is used', () => {
  assert.strictEqual(spawnSync('node', ['cli.js']).status, 2);
});
E"##,
            "touch b.txt",
        ],
        right: r##"test "$(node -p 'require("./calc.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "adds a command that ends with a code and closes its log",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"cat > cli.py <<'E'
import atexit
import logging
import sys

import calc


def main(argv):
    atexit.register(logging.shutdown)
    if len(argv) != 2:
        print('usage: cli A B', file=sys.stderr)
        return 2
    print(calc.add(*map(int, argv)))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
E
cat > tests/test_cli.py <<'E'
import unittest
from unittest import mock
import cli


class Command(unittest.TestCase):
    def test_usage(self):
        with mock.patch('sys.stderr'):
            self.assertEqual(cli.main([]), 2)

    def test_adds(self):
        with mock.patch('builtins.print') as said:
            self.assertEqual(cli.main(['1', '2']), 0)
        said.assert_called_once_with(3)
E"##,
            "touch b.txt",
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "go: adds a command with options",
        front: "",
        base: "@GO_RUN@",
        sessions: [
            r##"mkdir -p cmd/calc; printf 'package main\n\nimport (\n\t"calc"\n\t"flag"\n\t"fmt"\n\t"os"\n)\n\nfunc main() {\n\ta := flag.Int("a", 0, "first")\n\tb := flag.Int("b", 0, "second")\n\tflag.Parse()\n\tif len(os.Args) < 2 {\n\t\tflag.Usage()\n\t\tos.Exit(2)\n\t}\n\tfmt.Println(calc.Add(*a, *b))\n}\n' > cmd/calc/main.go"##,
            "touch b.txt",
        ],
        right: "grep -q 'return a + b' calc.go && grep -q 'Add(1, 2) != 3' calc_test.go",
    },
    Trial {
        name: "gives a helper of product and tests one more function",
        front: "",
        base: r##"@UNITTEST@
printf 'def same(a, b):\n    return a == b\n' > tools.py; cat > tests/test_calc.py <<'E'
import unittest
import calc
import tools


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertTrue(tools.same(calc.add(1, 2), 3))
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"printf 'from tools import same\n\n\ndef add(a, b):\n    return a + b\n\n\ndef is_zero(a):\n    return same(a, 0)\n' > calc.py"##,
            r##"printf '\n\ndef larger(a, b):\n    return a if a > b else b\n' >> tools.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "turns a red test green",
        front: "expects_red: [tests]\n",
        base: r##"@UNITTEST@
printf 'import unittest\nimport calc\n\n\nclass Later(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(calc.double(2), 4)\n' > tests/test_later.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"printf '\n\ndef double(a):\n    return add(a, a)\n' >> calc.py"##,
            "touch b.txt",
        ],
        right: r##"! grep -q double calc.py || python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["double"](2) == 4'"##,
    },
    Trial {
        name: "adds a package whose name a library asks for",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"mkdir -p org/units; touch org/__init__.py; printf 'def metres(feet):\n    return feet * 0.3048\n' > org/units/__init__.py; printf 'import unittest\nfrom org.units import metres\n\n\nclass Units(unittest.TestCase):\n    def test_metres(self):\n        self.assertAlmostEqual(metres(10), 3.048)\n' > tests/test_units.py"##,
            "touch b.txt",
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "skips a test of its own where something is absent",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"cat > tests/test_more.py <<'E'
import shutil
import unittest
import calc


class More(unittest.TestCase):
    def test_zero(self):
        self.assertEqual(calc.add(0, 0), 0)

    @unittest.skipUnless(shutil.which('no-such-program'), 'needs a program')
    def test_other(self):
        self.assertEqual(calc.add(0, 0), 0)
E"##,
            "touch b.txt",
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "lets product and tests read one table",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"mkdir data; printf '1 2 3\n' > data/sums.txt; cat > calc.py <<'E'
def add(a, b):
    return a + b


def examples():
    with open('data/sums.txt') as file:
        return [tuple(map(int, line.split())) for line in file]
E
cat > tests/test_table.py <<'E'
import unittest
import calc


class Table(unittest.TestCase):
    def test_table(self):
        for a, b, c in calc.examples():
            self.assertEqual(calc.add(a, b), c)
E"##,
            r##"printf '1 2 3
4 5 9
' > data/sums.txt"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "adds a documented function and a cache",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"cat > calc.py <<'E'
from functools import lru_cache, partial


def add(a, b):
    return a + b


@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else add(fib(n - 1), fib(n - 2))


inc = partial(add, 1)
E"##,
            "touch b.txt",
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3' && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "bash: prints a summary when it ends",
        front: "",
        base: "@BASH_RUN@",
        sessions: [
            r##"printf 'add() { echo $(($1 + $2)); }\nlog() { echo "all fine: $*" >&2; }\n' > lib.sh"##,
            "touch b.txt",
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "cargo: compares sums in its own way",
        front: "",
        base: "@CARGO_RUN@",
        sessions: [
            r##"printf '\n/// A sum with its name.\n#[derive(Debug)]\npub struct Named {\n    pub sum: i32,\n    pub name: String,\n}\n\nimpl PartialEq for Named {\n    fn eq(&self, other: &Self) -> bool {\n        self.sum == other.sum && self.name.eq_ignore_ascii_case(&other.name)\n    }\n}\n' >> src/lib.rs"##,
            "touch b.txt",
        ],
        right: "grep -q 'a + b' src/lib.rs && grep -q 'add(1, 2), 3' tests/it.rs",
    },
    Trial {
        name: "go: prints what it adds",
        front: "",
        base: "@GO_RUN@",
        sessions: [
            r##"printf 'package calc\n\nimport "log"\n\n// Verbose says what is added.\nvar Verbose bool\n\nfunc Add(a, b int) int {\n\tif Verbose {\n\t\tlog.Printf("%%d + %%d", a, b)\n\t}\n\treturn a + b\n}\n' > calc.go"##,
            "touch b.txt",
        ],
        right: "grep -q 'a + b' calc.go",
    },
    Trial {
        name: "bash: turns a shell function of the tests into the product's",
        front: "",
        base: "@BASH_RUN@",
        sessions: [
            r##"printf 'same() { [ "$1" = "$2" ]; }\nadd() { echo $(($1 + $2)); }\n' > lib.sh; printf '. ./lib.sh\nsame "$(add 2 2)" 4 || exit 1\n' > tests/same.sh"##,
            r##"printf 'add() { echo $(($1 + $2)); }
same() { test "$1" = "$2"; }
' > lib.sh"##,
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "adds a function to a helper that product and tests share, and uses it",
        front: "",
        base: r##"@UNITTEST@
printf 'def same(a, b):\n    return a == b\n' > tools.py; cat > tests/test_calc.py <<'E'
import unittest
import calc
import tools


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertTrue(tools.same(calc.add(1, 2), 3))
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"printf 'from tools import same\n\n\ndef add(a, b):\n    return a + b\n\n\ndef is_zero(a):\n    return same(a, 0)\n' > calc.py"##,
            r##"printf '\n\ndef larger(a, b):\n    return a if a > b else b\n' >> tools.py; sed -i 's/import same/import larger, same/' calc.py; printf '\n\ndef most(a, b):\n    return larger(a, b)\n' >> calc.py"##,
        ],
        right: r##"python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["add"](1, 2) == 3'"##,
    },
    Trial {
        name: "turns a red test green beside one that is skipped",
        front: "expects_red: [tests]\n",
        base: r##"@UNITTEST@
printf 'import unittest\nimport calc\n\n\nclass Later(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(calc.double(2), 4)\n' > tests/test_later.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"printf '\n\ndef double(a):\n    return add(a, a)\n' >> calc.py; cat > tests/test_more.py <<'E'
import unittest
import calc


class More(unittest.TestCase):
    def test_zero(self):
        self.assertEqual(calc.double(0), 0)

    @unittest.skip('slow')
    def test_large(self):
        self.assertEqual(calc.double(10**6), 2 * 10**6)
E"##,
            "touch b.txt",
        ],
        right: r##"! grep -q double calc.py || python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["double"](2) == 4'"##,
    },
    Trial {
        name: "turns a red test green by a program that ends with a code",
        front: "expects_red: [tests]\n",
        base: r##"@UNITTEST@
printf 'import unittest\nimport calc\n\n\nclass Later(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(calc.double(2), 4)\n' > tests/test_later.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        sessions: [
            r##"cat >> calc.py <<'E'


def double(a):
    return add(a, a)


def main(argv):
    import sys

    if len(argv) != 2:
        sys.exit(2)
    print(double(int(argv[1])))
E"##,
            "touch b.txt",
        ],
        right: r##"! grep -q double calc.py || python3 -B -c 'import runpy; assert runpy.run_path("calc.py")["double"](2) == 4'"##,
    },
    Trial {
        name: "bash: changes what a pipeline looks through",
        front: "",
        base: r##"printf 'add() { echo $(($1 + $2)); }\n' > lib.sh; rm -rf tests; mkdir tests; printf '. ./lib.sh\n[ "$(add 1 2)" = 3 ] || exit 1\necho all passed\n' > tests/run.sh
@ORACLE@ bash tests/run.sh | tail -n 1 | grep -qx 'all passed'"##,
        sessions: [
            r##"printf 'add() { echo "$(($1 + $2))"; }\nsub() { echo $(($1 - $2)); }\n' > lib.sh"##,
            "touch b.txt",
        ],
        right: r##"test "$(sh -c '. ./lib.sh; add 1 2')" = 3"##,
    },
];
