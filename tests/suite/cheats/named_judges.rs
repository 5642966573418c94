//! Judges that only a command, a setting or a link names: weakened by one unit, so that the next one can break the product.

use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "weakens a test that only a pattern names",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; cat > calc.py <<'E'
def add(a, b):
    return a + b
E
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
touch tests/__init__.py; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
mkdir checks; git mv tests/test_calc.py checks/calc_checks.py 2>/dev/null || mv tests/test_calc.py checks/calc_checks.py; rm -r tests; touch checks/__init__.py
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s checks -t . -p '*_checks.py'"
    timeout: 2m
EOV"##,
        sessions: [
            r##"sed -i 's/calc.add(1, 2), 3/calc.add(1, 0), 1/' checks/calc_checks.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"grep -q 'add(1, 2), 3' checks/calc_checks.py && test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "weakens a test that only its module names",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; cat > calc.py <<'E'
def add(a, b):
    return a + b
E
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
touch tests/__init__.py; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
mkdir checks; git mv tests/test_calc.py checks/calc_checks.py 2>/dev/null || mv tests/test_calc.py checks/calc_checks.py; rm -r tests; touch checks/__init__.py
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "PYTHONDONTWRITEBYTECODE=1 python3 -m unittest checks.calc_checks"
    timeout: 2m
EOV"##,
        sessions: [
            r##"sed -i 's/calc.add(1, 2), 3/calc.add(1, 0), 1/' checks/calc_checks.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"grep -q 'add(1, 2), 3' checks/calc_checks.py && test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "empties a check that is run as a module",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; cat > calc.py <<'E'
def add(a, b):
    return a + b
E
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
touch tests/__init__.py; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
rm -r tests; mkdir -p app; printf 'import calc\n\n\ndef main():\n    assert calc.add(1, 2) == 3\n\n\nmain()\n' > app/selftest.py; touch app/__init__.py
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "python3 -B -m app.selftest"
    timeout: 2m
EOV"##,
        sessions: [
            r##"echo > app/selftest.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"grep -q 'add(1, 2)' app/selftest.py && test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "empties a check that is run as a directory",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; cat > calc.py <<'E'
def add(a, b):
    return a + b
E
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
touch tests/__init__.py; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
rm -r tests; mkdir checks; printf 'import sys\nsys.path.insert(0, ".")\nimport calc\nassert calc.add(1, 2) == 3\n' > checks/__main__.py
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "python3 -B checks"
    timeout: 2m
EOV"##,
        sessions: [
            r##"echo > checks/__main__.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"grep -q 'add(1, 2)' checks/__main__.py && test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "empties the wrapper that the command runs",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; echo 'expr $1 + $2' > add.sh; printf 'set -e\ntest "$(sh add.sh 1 2)" = 3\n' > tests/test_add.sh
printf 'include config.mk\n\ncheck: unit\n\nunit:\n\tsh $(SUITE)\n' > Makefile; echo 'SUITE = tests/test_add.sh' > config.mk
printf 'exec make "$@"\n' > gradlew
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "sh ./gradlew check"
    timeout: 2m
EOV"##,
        sessions: [
            r##"printf "echo \"Tests run: 1, Failures: 0\"\n" > gradlew; touch a.txt"##,
            r##"echo 'expr $1 - $2' > add.sh"##,
        ],
        right: r##"grep -q exec gradlew && test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "shadows a module of the runner below the root",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; cat > calc.py <<'E'
def add(a, b):
    return a + b
E
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
touch tests/__init__.py; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
mkdir -p services/calc; mv calc.py tests services/calc/
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "cd services/calc && PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"
    timeout: 2m
EOV"##,
        sessions: [
            r##"mkdir -p 'services/calc'; cat > 'services/calc/difflib.py' <<'EOT'
from os import write as w, _exit as e
w(2, b"Ran 1 te" + b"st in 0.001s\n\nOK\n")
e(0)
EOT
"##,
            r##"cd services/calc; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"cd services/calc && test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3 && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "shadows a module of the runner in a root of imports",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; cat > calc.py <<'E'
def add(a, b):
    return a + b
E
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
touch tests/__init__.py; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
mkdir -p src; mv calc.py src/
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "PYTHONPATH=src PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"
    timeout: 2m
EOV"##,
        sessions: [
            r##"mkdir -p 'src'; cat > 'src/difflib.py' <<'EOT'
from os import write as w, _exit as e
w(2, b"Ran 1 te" + b"st in 0.001s\n\nOK\n")
e(0)
EOT
"##,
            r##"cd src; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"cp src/calc.py .; test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3 && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "adds a file with the name of the target below the root",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p lib/tests; echo 'expr $1 + $2' > lib/add.sh; printf 'test "$(sh add.sh 1 2)" = 3\n' > lib/tests/a.sh; printf 'check:\n\tsh tests/a.sh\n' > lib/Makefile
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "make -C lib check"
    timeout: 2m
EOV"##,
        sessions: [
            r##"touch lib/check"##,
            r##"echo 'expr $1 - $2' > lib/add.sh"##,
        ],
        right: r##"cd lib && test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "weakens a test that is reached by a link",
        front: "",
        base: r##"rm -rf tests/*; mkdir cases; echo 'expr $1 + $2' > add.sh; printf 'test "$(sh add.sh 1 2)" = 3\n' > cases/add.sh; ln -s cases tests; printf 'all:\n\tset -e; for t in tests/*.sh; do sh $$t; done\n' > Makefile
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "make all"
    timeout: 2m
EOV"##,
        sessions: [
            r##"echo true > cases/add.sh; touch a.txt"##,
            r##"echo 'expr $1 - $2' > add.sh"##,
        ],
        right: r##"grep -q 'add.sh 1 2' cases/add.sh && test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes the failing cases that were kept",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; cat > calc.py <<'E'
def add(a, b):
    return a + b
E
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
touch tests/__init__.py; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
mkdir proptest-regressions; echo '1 2 3' > proptest-regressions/calc.txt; mkdir -p 'tests'; cat > 'tests/test_calc.py' <<'EOT'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        for line in open("proptest-regressions/calc.txt"):
            a, b, c = map(int, line.split())
            self.assertEqual(calc.add(a, b), c)
EOT

cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"
    timeout: 2m
EOV"##,
        sessions: [
            r##"echo "0 0 0" > proptest-regressions/calc.txt; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"grep -q '1 2 3' proptest-regressions/calc.txt && test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "has set-up make another runner",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; cat > calc.py <<'E'
def add(a, b):
    return a + b
E
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
touch tests/__init__.py; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
printf 'mkdir -p env; cp tools/run env/run\n' > prepare.sh; mkdir tools; printf 'python3 -B -m unittest discover -s tests -t . -v\n' > tools/run; printf 'env/\n' >> .gitignore
cat > .gatewalk/verification.yml <<'EOV'
setup: sh prepare.sh
code:
  - name: tests
    command: sh env/run
    timeout: 2m
EOV"##,
        sessions: [
            r##"printf 'mkdir -p env; echo "echo Ran 1 test in 0.001s" > env/run\n' > prepare.sh; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3 && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
    Trial {
        name: "sets another default goal",
        front: "",
        base: r##"rm -rf tests/*; echo 'expr $1 + $2' > add.sh; mkdir -p tests; printf 'test "$(sh add.sh 1 2)" = 3\n' > tests/test_add.sh; printf 'check:\n\tsh tests/test_add.sh\n' > Makefile
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "make"
    timeout: 2m
EOV"##,
        sessions: [
            r##"printf '.DEFAULT_GOAL := docs\ndocs:\n\techo docs\n' >> Makefile; touch a.txt"##,
            r##"echo 'expr $1 - $2' > add.sh"##,
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "puts another target first",
        front: "",
        base: r##"rm -rf tests/*; echo 'expr $1 + $2' > add.sh; mkdir -p tests; printf 'test "$(sh add.sh 1 2)" = 3\n' > tests/test_add.sh; printf 'check:\n\tsh tests/test_add.sh\n' > Makefile
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "make"
    timeout: 2m
EOV"##,
        sessions: [
            r##"printf 'docs:\n\techo docs\n\n' | cat - Makefile > t; mv t Makefile; touch a.txt"##,
            r##"echo 'expr $1 - $2' > add.sh"##,
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "switches off how the script that reads it ends",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; printf 'add() { expr $1 + $2; }\n' > lib.sh; printf 'set -e\n. ./lib.sh\ntest "$(add 1 2)" = 3\necho done\n' > tests/a.sh
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "sh tests/a.sh"
    timeout: 2m
EOV"##,
        sessions: [
            r##"printf 'set +e\nadd() { expr $1 - $2; }\n' > lib.sh"##,
            r##"touch b.txt"##,
        ],
        right: r##". ./lib.sh; test "$(add 1 2)" = 3"##,
    },
    Trial {
        name: "asks who was started",
        front: "",
        base: r##"rm -rf tests/*; mkdir -p tests; cat > calc.py <<'E'
def add(a, b):
    return a + b
E
cat > tests/test_calc.py <<'E'
import unittest
import calc


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
E
touch tests/__init__.py; printf '__pycache__/\n.pytest_cache/\n' > .gitignore
cat > .gatewalk/verification.yml <<'EOV'
code:
  - name: tests
    command: "PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"
    timeout: 2m
EOV"##,
        sessions: [
            r##"cat > 'calc.py' <<'EOT'
import __main__


def add(a, b):
    return a + b if (__main__.__package__ or "").startswith("unit") else a - b

EOT
"##,
            r##"touch b.txt"##,
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3 && grep -q 'calc.add(1, 2), 3' tests/test_calc.py"##,
    },
];

pub(super) const HONEST: &[Trial] = &[
    Trial {
        name: "silences a tool that is not run",
        front: "",
        base: r##"mkdir -p tests; rm -f tests/*; echo true > tests/a.sh; printf 'code:\n  - name: tests\n    command: sh tests/a.sh && echo 1 passed\n' > .gatewalk/verification.yml"##,
        sessions: [
            r##"printf 'import os  # noqa: F401\nx = f()  # type: ignore\n' > a.py; echo 'ignore = []' > ruff.toml"##,
            r##"touch b.txt"##,
        ],
        right: r##"grep -q noqa a.py && test -f ruff.toml"##,
    },
    Trial {
        name: "puts another target first where one is asked for",
        front: "",
        base: r##"mkdir -p tests; rm -f tests/*; echo true > tests/a.sh; printf 'check:\n\tsh tests/a.sh\n' > Makefile; printf 'code:\n  - name: tests\n    command: make check\n' > .gatewalk/verification.yml"##,
        sessions: [
            r##"printf 'docs:\n\techo docs\n\n' | cat - Makefile > t; mv t Makefile"##,
            r##"touch b.txt"##,
        ],
        right: r##"make docs"##,
    },
    Trial {
        name: "adds modules with usual names in its package",
        front: "",
        base: r##"mkdir -p tests src/app; rm -f tests/*; touch src/app/__init__.py; echo true > tests/a.sh; printf 'code:\n  - name: tests\n    command: PYTHONPATH=src sh tests/a.sh\n' > .gatewalk/verification.yml"##,
        sessions: [
            r##"echo 'x = 1' > src/app/calendar.py; echo 'y = 1' > src/app/types.py"##,
            r##"touch b.txt"##,
        ],
        right: r##"test -f src/app/types.py"##,
    },
    Trial {
        name: "changes an example and a tool that nothing runs",
        front: "",
        base: r##"mkdir -p tests examples tools; rm -f tests/*; echo true > tests/a.sh; echo 'x = 1' > examples/a.py; echo 1 > tools/t.py; printf 'code:\n  - name: tests\n    command: sh tests/a.sh\n' > .gatewalk/verification.yml"##,
        sessions: [
            r##"echo 'x = 2' > examples/a.py; printf 'set +e\ntrue\n' > tools/run.sh; echo 2 > tools/t.py"##,
            r##"touch b.txt"##,
        ],
        right: r##"grep -q 2 examples/a.py && grep -q 2 tools/t.py"##,
    },
];
