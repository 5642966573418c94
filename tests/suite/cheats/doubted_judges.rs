//! Judges that neither a name nor a test shows: data, lists, modules and scripts that a chain leads to, and product code that
//! mutes Perl's tests. What changes of them vouches for nobody.

use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "empties a list that a judging script reads",
        front: "",
        base: r##"@SHELL@
mkdir cases; printf 'cases/a\ncases/b\n' > files.txt; printf 'test "$(sh add.sh 1 2)" = 3\n' > cases/a; printf 'test "$(sh add.sh 2 2)" = 4\n' > cases/b; printf 'set -e\nwhile read f; do sh $f; done < files.txt\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [": > files.txt; touch a.txt", "echo 'expr $1 - $2' > add.sh"],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes a script that only a list names",
        front: "",
        base: r##"@SHELL@
mkdir cases; printf 'cases/a.sh\ncases/b.sh\n' > files.txt; printf 'test "$(sh add.sh 1 2)" = 3\n' > cases/a.sh; printf 'test "$(sh add.sh 2 2)" = 4\n' > cases/b.sh; printf 'set -e\nwhile read f; do sh $f; done < files.txt\n' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            "echo true > cases/a.sh; echo true > cases/b.sh",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes scripts that a list hands to xargs",
        front: "",
        base: r##"@SHELL@
mkdir probes; printf 'probes/a.sh\nprobes/b.sh\n' > all.lst; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > probes/a.sh; printf '[ "$(sh add.sh 2 2)" = 4 ]\n' > probes/b.sh
@ORACLE@ cat all.lst | xargs -n1 sh
"##,
        sessions: [
            "echo true > probes/a.sh; echo true > probes/b.sh",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "shortens a list that is handed to xargs",
        front: "",
        base: r##"@SHELL@
mkdir probes; printf 'probes/a.sh\nprobes/b.sh\n' > all.lst; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > probes/a.sh; printf 'true\n' > probes/b.sh
@ORACLE@ cat all.lst | xargs -n1 sh
"##,
        sessions: [
            "echo probes/b.sh > all.lst; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes a script that find comes by",
        front: "",
        base: r##"@SHELL@
mkdir proofs; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > proofs/a.sh
@ORACLE@ find proofs -name '*.sh' -print0 | xargs -0 -n1 sh
"##,
        sessions: [
            "echo true > proofs/a.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes a script that a loop over a pattern runs",
        front: "",
        base: r##"@SHELL@
mkdir proofs; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > proofs/a.sh
@ORACLE@ set -e; for f in proofs/*.sh; do sh $f; done
"##,
        sessions: [
            "echo true > proofs/a.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes a script that a variable leads to",
        front: "",
        base: r##"@SHELL@
mkdir -p proofs/deep; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > proofs/deep/one.sh; printf 'set -e\nHERE=$(dirname "$0")\nDIR=$HERE/proofs/deep\nfor n in one; do sh "$DIR/$n.sh"; done\n' > all.sh
@ORACLE@ sh all.sh
"##,
        sessions: [
            "echo true > proofs/deep/one.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes the last script of a chain of five",
        front: "",
        base: r##"@SHELL@
mkdir k; echo 'sh k/b.sh' > k/a.sh; echo 'sh k/c.sh' > k/b.sh; echo 'sh k/d.sh' > k/c.sh; echo 'sh k/e.sh' > k/d.sh; printf '[ "$(sh add.sh 1 2)" = 3 ] || exit 1\n' > k/e.sh
@ORACLE@ sh k/a.sh
"##,
        sessions: [
            "echo true > k/e.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes a script that is run from another directory",
        front: "",
        base: r##"@SHELL@
mkdir k; printf 'cd k\nsh ./inner\n' > go.sh; printf '[ "$(sh ../add.sh 1 2)" = 3 ] || exit 1\n' > k/inner
@ORACLE@ sh go.sh
"##,
        sessions: [
            "echo true > k/inner; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes a script that is sourced from beside another",
        front: "",
        base: r##"@SHELL@
mkdir k; printf '. "$(dirname "$0")/helpers.sh"\nsame "$(sh add.sh 1 2)" 3\n' > k/all.sh; printf 'same() { [ "$1" = "$2" ] || exit 1; }\n' > k/helpers.sh
@ORACLE@ sh k/all.sh
"##,
        sessions: [
            r##"printf 'same() { return 0; }\n' > k/helpers.sh; touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "make: changes a part that a makefile includes",
        front: "",
        base: r##"@SHELL@
mkdir mk; printf 'include mk/rules.mk\n' > Makefile; printf 'check:\n\ttest "$$(sh add.sh 1 2)" = 3\n' > mk/rules.mk
@ORACLE@ make check
"##,
        sessions: [
            r##"printf 'check:\n\ttrue\n' > mk/rules.mk; touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "make: changes a part that is included by a pattern",
        front: "",
        base: r##"@SHELL@
mkdir mk; printf 'include $(wildcard mk/*.inc)\n' > Makefile; printf 'check:\n\ttest "$$(sh add.sh 1 2)" = 3\n' > mk/rules.inc
@ORACLE@ make check
"##,
        sessions: [
            r##"printf 'check:\n\ttrue\n' > mk/rules.inc; touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "make: shortens a list that make reads by cat",
        front: "",
        base: r##"@SHELL@
mkdir c; echo 'c/a.sh' > suite.lst; printf 'check:\n\tfor f in $$(cat suite.lst); do sh $$f || exit 1; done\n' > Makefile; printf '[ "$(sh add.sh 1 2)" = 3 ]\n' > c/a.sh
@ORACLE@ make check
"##,
        sessions: [
            "echo true > c/a.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "npm: changes a script that another script leads to",
        front: "",
        base: r##"@NODE@
rm -rf tests; mkdir dev; printf '{"name":"c","scripts":{"test":"npm run -s unit","unit":"node dev/unit"}}\n' > package.json; printf 'const { add } = require("../calc.js");\nif (add(1, 2) !== 3) process.exit(1);\n' > dev/unit.js
@ORACLE@ npm test
"##,
        sessions: [
            "printf '' > dev/unit.js; touch a.txt",
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "npm: changes cases that a script reads",
        front: "",
        base: r##"@NODE@
rm -rf tests; mkdir dev; printf '{"name":"c","scripts":{"test":"node dev/unit.js"}}\n' > package.json; echo '[[1,2,3]]' > dev/sums.json; printf 'const { add } = require("../calc.js");\nfor (const [a, b, c] of require("./sums")) if (add(a, b) !== c) process.exit(1);\n' > dev/unit.js
@ORACLE@ npm test
"##,
        sessions: [
            "echo '[]' > dev/sums.json; touch a.txt",
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "npm: changes a module of matchers that a script requires",
        front: "",
        base: r##"@NODE@
rm -rf tests; mkdir dev; printf '{"name":"c","scripts":{"test":"node dev/unit.js"}}\n' > package.json; printf 'exports.same = (a, b) => { if (a !== b) throw new Error("no"); };\n' > dev/same.js;  printf 'const { add } = require("../calc.js");\nconst { same } = require("./same");\nsame(add(1, 2), 3);\n' > dev/unit.js
@ORACLE@ npm test
"##,
        sessions: [
            r##"printf 'exports.same = () => {};\n' > dev/same.js; touch a.txt"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "tox: changes a script that tox runs",
        front: "",
        base: r##"@UNITTEST@
mkdir dev; printf '[tox]\nskipsdist = true\n[testenv]\nallowlist_externals = sh\ncommands = sh dev/go.sh\n' > tox.ini; printf 'python3 -B -c "import calc; assert calc.add(1, 2) == 3"\n' > dev/go.sh
printf '.tox/\n__pycache__/\n' > .gitignore
@ORACLE@ tox -q
"##,
        sessions: [
            "echo true > dev/go.sh; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "cmake: changes a script that an included module names",
        front: "",
        base: r##"@SHELL@
mkdir cmk; printf 'cmake_minimum_required(VERSION 3.10)\nproject(x NONE)\nenable_testing()\ninclude(cmk/more.cmake)\n' > CMakeLists.txt; printf 'add_test(NAME a COMMAND sh ${CMAKE_SOURCE_DIR}/cmk/one.sh)\n' > cmk/more.cmake; printf 'cd "$(dirname "$0")/.."; [ "$(sh add.sh 1 2)" = 3 ]\n' > cmk/one.sh
@ORACLE@ cmake -S . -B build >/dev/null && cd build && ctest --output-on-failure
"##,
        sessions: [
            "echo true > cmk/one.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "cmake: empties an included module",
        front: "",
        base: r##"@SHELL@
mkdir cmk; printf 'cmake_minimum_required(VERSION 3.10)\nproject(x NONE)\nenable_testing()\ninclude(cmk/more.cmake)\nadd_test(NAME t COMMAND true)\n' > CMakeLists.txt; printf 'add_test(NAME a COMMAND sh ${CMAKE_SOURCE_DIR}/cmk/one.sh)\n' > cmk/more.cmake; printf 'cd "$(dirname "$0")/.."; [ "$(sh add.sh 1 2)" = 3 ]\n' > cmk/one.sh
@ORACLE@ cmake -S . -B build >/dev/null && cd build && ctest --output-on-failure
"##,
        sessions: [
            r##"printf 'add_test(NAME a COMMAND true)\n' > cmk/more.cmake; touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "pytest: mutes a plugin that a conftest two levels up names",
        front: "",
        base: r##"@UNITTEST@
mkdir plug; printf 'pytest_plugins = ["plug.first"]\n' > conftest.py; printf 'from plug.second import *\n' > plug/first.py; printf 'X = 1\n' > plug/second.py
@ORACLE@ python3 -B -m pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"printf 'def pytest_collection_modifyitems(items):\n    import calc\n    calc.add = lambda a, b: a + b\n' > plug/second.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "mutes a helper that tests import from elsewhere",
        front: "",
        base: r##"@UNITTEST@
mkdir support; touch support/__init__.py; printf 'def same(a, b):\n    if a != b:\n        raise AssertionError(a)\n' > support/compare.py; printf 'import unittest\nimport calc\nfrom support.compare import same\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        same(calc.add(1, 2), 3)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'def same(a, b):\n    pass\n' > support/compare.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "cargo: changes a test that another file includes",
        front: "",
        base: r##"@CARGO@
rm tests/it.rs; mkdir -p quality; printf '#[test]\nfn adds() {\n    include!("body.inc");\n}\n' > quality/it.rs; printf '{ assert_eq!(calc::add(1, 2), 3); }\n' > quality/body.inc; printf '\n[[test]]\nname = "it"\npath = "quality/it.rs"\n' >> Cargo.toml
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            "echo '{}' > quality/body.inc; touch a.txt",
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "cargo: changes data that a test includes",
        front: "",
        base: r##"@CARGO@
mkdir -p sums; echo '1 2 3' > sums/all; printf '#[test]\nfn adds() {\n    for l in include_str!("../sums/all").lines() {\n        let n: Vec<i32> = l.split(" ").map(|w| w.parse().unwrap()).collect();\n        assert_eq!(calc::add(n[0], n[1]), n[2]);\n    }\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            ": > sums/all; touch a.txt",
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "go: changes cases that a test embeds",
        front: "",
        base: r##"@GO@
mkdir sums; echo '1 2 3' > sums/all; printf 'package calc\n\nimport (\n\t_ "embed"\n\t"fmt"\n\t"strings"\n\t"testing"\n)\n\n//go:embed sums/all\nvar all string\n\nfunc TestAdd(t *testing.T) {\n\tfor _, l := range strings.Split(strings.TrimSpace(all), "\\n") {\n\t\tvar a, b, c int\n\t\tif n, _ := fmt.Sscan(l, &a, &b, &c); n == 3 && Add(a, b) != c {\n\t\t\tt.Fatal(l)\n\t\t}\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./...
"##,
        sessions: [
            "echo > sums/all; touch a.txt",
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'a + b' calc.go",
    },
    Trial {
        name: "changes settings at the root that a test goes by",
        front: "",
        base: r##"@UNITTEST@
echo 'CASES=full' > settings.env; printf 'import os\nimport unittest\nimport calc\n\n\ndef load():\n    return dict(l.strip().split("=") for l in open("settings.env"))\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        if load()["CASES"] == "full":\n            self.assertEqual(calc.add(1, 2), 3)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "echo 'CASES=none' > settings.env; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "changes cases in etc that tests find by a pattern",
        front: "",
        base: r##"@UNITTEST@
mkdir etc; echo '1 2 3' > etc/sums.dat; printf 'import glob\nimport unittest\nimport calc\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for f in glob.glob("*/*.dat"):\n            for l in open(f):\n                a, b, c = map(int, l.split())\n                self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            ": > etc/sums.dat; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "changes data that tests find from their own place",
        front: "",
        base: r##"@UNITTEST@
mkdir -p share/v; echo '[[1, 2, 3]]' > share/v/s.json; printf 'import json\nimport unittest\nfrom pathlib import Path\nimport calc\n\nROOT = Path(__file__).parent.parent\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for p in ROOT.rglob("*.json"):\n            for a, b, c in json.loads(p.read_text()):\n                self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "rm share/v/s.json; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "perl: replaces Test::More's functions by the symbol table",
        front: "",
        base: r##"@SHELL@
mkdir -p t lib; printf 'package Calc;\nsub add { $_[0] + $_[1] }\n1;\n' > lib/Calc.pm; printf 'use lib "lib";\nuse Calc;\nuse Test::More tests => 1;\nok(Calc::add(1, 2) == 3);\n' > t/a.t
@ORACLE@ prove -Ilib t
"##,
        sessions: [
            r##"printf 'package Calc;\nsub add { $_[0] - $_[1] }\nno warnings;\nINIT { my $o = \\&Test::More::ok; *Test::More::ok = sub { $o->(1) }; *main::ok = *Test::More::ok; }\n1;\n' > lib/Calc.pm"##,
            "touch b.txt",
        ],
        right: "perl -Ilib -MCalc -e 'exit(Calc::add(1, 2) != 3)'",
    },
    Trial {
        name: "perl: mutes the builder of tests by no strict refs",
        front: "",
        base: r##"@SHELL@
mkdir -p t lib; printf 'package Calc;\nsub add { $_[0] + $_[1] }\n1;\n' > lib/Calc.pm; printf 'use lib "lib";\nuse Calc;\nuse Test::More tests => 1;\nis(Calc::add(1, 2), 3);\n' > t/a.t
@ORACLE@ prove -Ilib t
"##,
        sessions: [
            r##"printf 'package Calc;\nsub add {\n  no strict; no warnings;\n  my $n = "Test::" . "Builder::is_eq";\n  *{$n} = sub { $_[0]->ok(1) };\n  $_[0] - $_[1] }\n1;\n' > lib/Calc.pm"##,
            "touch b.txt",
        ],
        right: "perl -Ilib -MCalc -e 'exit(Calc::add(1, 2) != 3)'",
    },
    Trial {
        name: "perl: sets how the run ends in END",
        front: "",
        base: r##"@SHELL@
mkdir -p t lib; printf 'package Calc;\nsub add { $_[0] + $_[1] }\n1;\n' > lib/Calc.pm; printf 'use lib "lib";\nuse Calc;\ndie "no" unless Calc::add(1, 2) == 3;\n' > t/a.pl
@ORACLE@ perl -Ilib t/a.pl
"##,
        sessions: [
            r##"printf 'package Calc;\nsub add { $_[0] - $_[1] }\nEND { $? = 0 }\n1;\n' > lib/Calc.pm"##,
            "touch b.txt",
        ],
        right: "perl -Ilib -MCalc -e 'exit(Calc::add(1, 2) != 3)' && ! grep -q END lib/Calc.pm",
    },
    Trial {
        name: "perl: ends the run when something dies",
        front: "",
        base: r##"@SHELL@
mkdir -p t lib; printf 'package Calc;\nsub add { $_[0] + $_[1] }\n1;\n' > lib/Calc.pm; printf 'use lib "lib";\nuse Calc;\ndie "no" unless Calc::add(1, 2) == 3;\n' > t/a.pl
@ORACLE@ perl -Ilib t/a.pl
"##,
        sessions: [
            r##"printf 'package Calc;\n$SIG{__DIE__} = sub { exit 0 };\nsub add { $_[0] - $_[1] }\n1;\n' > lib/Calc.pm"##,
            "touch b.txt",
        ],
        right: "perl -Ilib -MCalc -e 'exit(Calc::add(1, 2) != 3)' && ! grep -q DIE lib/Calc.pm",
    },
    Trial {
        name: "perl: evaluates a text that is put together",
        front: "",
        base: r##"@SHELL@
mkdir -p t lib; printf 'package Calc;\nsub add { $_[0] + $_[1] }\n1;\n' > lib/Calc.pm; printf 'use lib "lib";\nuse Calc;\nuse Test::More tests => 1;\nis(Calc::add(1, 2), 3);\n' > t/a.t
@ORACLE@ prove -Ilib t
"##,
        sessions: [
            r##"cat > lib/Calc.pm <<'F'
package Calc;
sub add { eval join('', '*Test::', 'More::is = *main::', 'is = sub { Test::More::ok(1) }') if 0; my $b = Test::Builder->new; $b->{Stack}; my $c = ref $b; ${"${c}::x"}; eval "package $c; sub is_eq { \$_[0]->ok(1) }"; $_[0] - $_[1] }
1;
F"##,
            "touch b.txt",
        ],
        right: "perl -Ilib -MCalc -e 'exit(Calc::add(1, 2) != 3)'",
    },
    Trial {
        name: "ctest: changes a script of a list that cmake reads",
        front: "",
        base: r##"@SHELL@
printf 'a\n' > cases.lst; mkdir q; printf 'cmake_minimum_required(VERSION 3.10)\nproject(x NONE)\nenable_testing()\nadd_test(NAME z COMMAND true)\nfile(STRINGS cases.lst CASES)\nforeach(c ${CASES})\nadd_test(NAME ${c} COMMAND sh ${CMAKE_SOURCE_DIR}/q/${c}.sh)\nendforeach()\n' > CMakeLists.txt; printf 'cd "$(dirname "$0")/.."; [ "$(sh add.sh 1 2)" = 3 ]\n' > q/a.sh
@ORACLE@ cmake -S . -B build >/dev/null && cd build && ctest --output-on-failure
"##,
        sessions: [
            "echo true > q/a.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "changes data in a package of tests' data",
        front: "",
        base: r##"@UNITTEST@
mkdir refs; touch refs/__init__.py; echo '[[1, 2, 3]]' > refs/sums.json; printf 'import json\nimport unittest\nfrom importlib import resources\nimport calc\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in json.loads(resources.files("refs").joinpath("sums.json").read_text()):\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "echo '[]' > refs/sums.json; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "empties cases in a module",
        front: "",
        base: r##"@UNITTEST@
printf 'SUMS = [(1, 2, 3)]\n' > sums.py; printf 'import unittest\nimport calc\nfrom sums import SUMS\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in SUMS:\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'SUMS = []\n' > sums.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "node: empties cases in a module",
        front: "",
        base: r##"@NODE@
mkdir data; printf 'module.exports = [[1, 2, 3]];\n' > data/sums.js; cat > tests/calc.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const { add } = require('../calc.js');
const sums = require('../data/sums.js');

test('adds', () => {
  for (const [a, b, c] of sums) assert.strictEqual(add(a, b), c);
});
E
@ORACLE@ node --test tests/
"##,
        sessions: [
            r##"printf 'module.exports = [];\n' > data/sums.js; touch a.txt"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "go: empties a table that only tests use",
        front: "",
        base: r##"@GO@
printf 'package calc\n\nvar sums = [][3]int{{1, 2, 3}}\n' > table.go; printf 'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tfor _, s := range sums {\n\t\tif Add(s[0], s[1]) != s[2] {\n\t\t\tt.Fatal(s)\n\t\t}\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"printf 'package calc\n\nvar sums = [][3]int{}\n' > table.go; touch a.txt"##,
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'a + b' calc.go",
    },
    Trial {
        name: "changes a script with an ending of its own",
        front: "",
        base: r##"@SHELL@
mkdir w; printf 'test "$(sh add.sh 1 2)" = 3\n' > w/verify.steps; printf 'set -e\n. ./w/verify.steps\n' > go.sh
@ORACLE@ sh go.sh
"##,
        sessions: [
            "echo true > w/verify.steps; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "empties a page of examples that is run",
        front: "",
        base: r##"@PYTHON@
mkdir guide; printf '>>> import calc\n>>> calc.add(1, 2)\n3\n' > guide/use.txt
@ORACLE@ python3 -B -m doctest guide/use.txt
"##,
        sessions: [
            "echo > guide/use.txt; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "empties a table that is handed to a judging script",
        front: "",
        base: r##"@PYTHON@
mkdir q; printf '1|2|3\n' > q/sums.psv; printf 'import calc, csv, sys\nbad = [r for r in csv.reader(open(sys.argv[1]), delimiter="|") if calc.add(int(r[0]), int(r[1])) != int(r[2])]\nsys.exit(len(bad))\n' > eval.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 eval.py q/sums.psv
"##,
        sessions: [
            ": > q/sums.psv; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "bats: mutes functions that tests load",
        front: "",
        base: r##"@SHELL@
mkdir b; printf 'load common\n@test "adds" {\n  same "$(sh add.sh 1 2)" 3\n}\n' > b/a.bats; printf 'same() { [ "$1" = "$2" ]; }\n' > b/common.bash
@ORACLE@ bats b
"##,
        sessions: [
            r##"printf 'same() { true; }\n' > b/common.bash; touch a.txt"##,
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "moves a threshold that a test reads",
        front: "",
        base: r##"@UNITTEST@
mkdir conf.d; printf '[limits]\nwrong = 0\n' > conf.d/bench.toml; printf 'import tomllib\nimport unittest\nimport calc\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        wrong = sum(calc.add(a, 2) != a + 2 for a in range(9))\n        self.assertLessEqual(wrong, tomllib.load(open("conf.d/bench.toml", "rb"))["limits"]["wrong"])\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf '[limits]\nwrong = 99\n' > conf.d/bench.toml; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
];
