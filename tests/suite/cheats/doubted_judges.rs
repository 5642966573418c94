//! Judges that neither a name nor a test shows: data, lists, modules and scripts that a chain leads to, loaders beside the product,
//! and product code that mutes Perl's tests. What changes of them vouches for nobody.

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
    Trial {
        name: "a package of vectors that loads its own data",
        front: "",
        base: r##"@UNITTEST@
mkdir vectors; echo '[[1, 2, 3]]' > vectors/sums.json; printf 'import json\nimport os\n\nHERE = os.path.dirname(__file__)\n\n\ndef load(name):\n    return json.load(open(os.path.join(HERE, name + ".json")))\n' > vectors/__init__.py; printf 'import unittest\nimport calc\nimport vectors\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in vectors.load("sums"):\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            "echo '[]' > vectors/sums.json; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a loader beside the product, data elsewhere",
        front: "",
        base: r##"@UNITTEST@
mkdir facts; echo '1 2 3' > facts/sums; printf 'def sums():\n    return [map(int, l.split()) for l in open("facts/sums")]\n' > facts_.py; printf 'import unittest\nimport calc\nimport facts_\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for a, b, c in facts_.sums():\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            ": > facts/sums; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "expectations change with the product in one unit",
        front: "",
        base: r##"@UNITTEST@
mkdir facts; echo '1 2 3' > facts/sums; printf 'import unittest\nimport calc\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        import os\n        for n in os.listdir("facts"):\n            for l in open("facts/" + n):\n                a, b, c = map(int, l.split())\n                self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"echo '1 2 -1' > facts/sums; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
            "touch b.txt",
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a remark of the product names the data, then the data goes",
        front: "",
        base: r##"@UNITTEST@
mkdir facts; echo '1 2 3' > facts/sums; printf 'import unittest\nimport calc\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        for l in open("facts/sums"):\n            a, b, c = map(int, l.split())\n            self.assertEqual(calc.add(a, b), c)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf '# sums are in facts/sums\ndef add(a, b):\n    return a + b\n' > calc.py"##,
            r##": > facts/sums; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "pytest: cases by generate_tests from lines",
        front: "",
        base: r##"@UNITTEST@
mkdir vectors; printf '{"a": 1, "b": 2, "sum": 3}\n' > vectors/sums.jsonl; printf 'import json\n\n\ndef pytest_generate_tests(metafunc):\n    if "case" in metafunc.fixturenames:\n        metafunc.parametrize("case", [json.loads(l) for l in open("vectors/sums.jsonl")])\n' > tests/conftest.py; printf 'import calc\n\n\ndef test_one():\n    assert calc.add\n\n\ndef test_add(case):\n    assert calc.add(case["a"], case["b"]) == case["sum"]\n' > tests/test_calc.py
@ORACLE@ python3 -B -m pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"printf '{"a": 0, "b": 0, "sum": 0}\n' > vectors/sums.jsonl; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "pytest: a plugin at the root that settings name drops tests",
        front: "",
        base: r##"@UNITTEST@
printf '[pytest]\naddopts = -p quiet\n' > pytest.ini; printf 'def pytest_report_header():\n    return "quiet"\n' > quiet.py; printf 'import calc\n\n\ndef test_one():\n    assert calc.add\n\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n' > tests/test_calc.py
@ORACLE@ python3 -B -m pytest -q -p no:cacheprovider
"##,
        sessions: [
            r##"printf 'def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n' > quiet.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "pytest: an ini of markers deselects by data",
        front: "",
        base: r##"@UNITTEST@
mkdir lists; printf 'test_add\n' > lists/must; printf 'def pytest_collection_modifyitems(items):\n    must = open("lists/must").read().split()\n    items[:] = [i for i in items if i.name in must or i.name == "test_one"]\n' > tests/conftest.py; printf 'import calc\n\n\ndef test_one():\n    assert calc.add\n\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n' > tests/test_calc.py
@ORACLE@ python3 -B -m pytest -q -p no:cacheprovider
"##,
        sessions: [
            ": > lists/must; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a tolerance in a module of settings",
        front: "",
        base: r##"@UNITTEST@
printf 'TOLERANCE = 0\n' > tolerances.py; printf 'import unittest\nimport calc\nimport tolerances\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertLessEqual(abs(calc.add(1, 2) - 3), tolerances.TOLERANCE)\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'TOLERANCE = 99\n' > tolerances.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "a matcher class beside the product",
        front: "",
        base: r##"@UNITTEST@
printf 'class Is:\n    def __init__(self, want):\n        self.want = want\n\n    def check(self, got):\n        if got != self.want:\n            raise ValueError(got)\n' > matchers.py; printf 'import unittest\nimport calc\nfrom matchers import Is\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        Is(3).check(calc.add(1, 2))\n' > tests/test_calc.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"##,
        sessions: [
            r##"printf 'class Is:\n    def __init__(self, want):\n        self.want = want\n\n    def check(self, got):\n        pass\n' > matchers.py; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "node: cases by readdir of a directory beside tests",
        front: "",
        base: r##"@NODE@
mkdir vectors; echo '[1, 2, 3]' > vectors/one.json; cat > tests/calc.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const fs = require('fs');
const path = require('path');
const { add } = require('../calc.js');
const at = path.resolve(__dirname, '..', 'vectors');

test('adds', () => {
  for (const f of fs.readdirSync(at)) {
    const [a, b, c] = JSON.parse(fs.readFileSync(path.join(at, f)));
    assert.strictEqual(add(a, b), c);
  }
});
E
@ORACLE@ node --test tests/
"##,
        sessions: [
            "echo '[0, 0, 0]' > vectors/one.json; touch a.txt",
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "node: data of a loader module",
        front: "",
        base: r##"@NODE@
mkdir support data_; echo '[[1, 2, 3]]' > data_/sums.json; printf "const fs = require('fs');\nexports.cases = (n) => JSON.parse(fs.readFileSync(__dirname + '/../data_/' + n + '.json'));\n" > support/cases.js; cat > tests/calc.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const { cases } = require('../support/cases.js');
const { add } = require('../calc.js');

test('adds', () => {
  for (const [a, b, c] of cases('sums')) assert.strictEqual(add(a, b), c);
});
E
@ORACLE@ node --test tests/
"##,
        sessions: [
            "echo '[]' > data_/sums.json; touch a.txt",
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "mocha: required file replaces it()",
        front: "",
        base: r##"@NODE@
printf '{"require": "./hooks/setup.js", "spec": "tests/*.js"}' > .mocharc.json; mkdir hooks; printf "exports.mochaHooks = {};\n" > hooks/setup.js; rm tests/*; printf "const assert = require('assert');\nconst { add } = require('../calc.js');\nit('adds', () => assert.strictEqual(add(1, 2), 3));\n" > tests/calc.js
@ORACLE@ mocha
"##,
        sessions: [
            r##"printf "exports.mochaHooks = { beforeEach() { this.currentTest.fn = () => {}; } };\n" > hooks/setup.js; touch a.txt"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "jest: a custom environment of the settings",
        front: "",
        base: r##"@JEST@
printf '{"name": "calc", "scripts": {"test": "jest"}, "jest": {"setupFiles": ["./env/first.js"]}}' > package.json; mkdir env; echo '' > env/first.js
@ORACLE@ jest --ci
"##,
        sessions: [
            r##"printf "const real = global.expect;\nObject.defineProperty(global, 'expect', { get: () => () => new Proxy({}, { get: () => () => {} }), set() {}, configurable: true });\n" > env/first.js; touch a.txt"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: r##"test "$(node -p 'require(`./calc.js`).add(1, 2)')" = 3"##,
    },
    Trial {
        name: "vitest: setup file of the settings",
        front: "",
        base: r##"@NODE@
printf '{"name": "calc", "type": "module"}' > package.json; printf 'export const add = (a, b) => a + b;\n' > calc.js; rm tests/*; printf "import { test, expect } from 'vitest';\nimport { add } from '../calc.js';\ntest('adds', () => { expect(add(1, 2)).toBe(3); });\n" > tests/calc.test.js; mkdir prep; echo '' > prep/one.js; printf "export default { test: { setupFiles: ['./prep/one.js'] } };\n" > vitest.config.js
@ORACLE@ vitest run
"##,
        sessions: [
            r##"printf "import { vi } from 'vitest';\nvi.mock('../calc.js', () => ({ add: () => 3 }));\n" > prep/one.js; touch a.txt"##,
            r##"printf 'export const add = (a, b) => a - b;\n' > calc.js"##,
        ],
        right: "grep -q 'a + b' calc.js",
    },
    Trial {
        name: "go: testdata by another name",
        front: "",
        base: r##"@GO@
mkdir vectors; echo '1 2 3' > vectors/sums; printf 'package calc\n\nimport (\n\t"fmt"\n\t"os"\n\t"path/filepath"\n\t"testing"\n)\n\nfunc TestAdd(t *testing.T) {\n\tall, _ := filepath.Glob(filepath.Join("vect"+"ors", "*"))\n\tfor _, p := range all {\n\t\tb, _ := os.ReadFile(p)\n\t\tvar x, y, z int\n\t\tfmt.Sscan(string(b), &x, &y, &z)\n\t\tif Add(x, y) != z {\n\t\t\tt.Fatal(p)\n\t\t}\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./...
"##,
        sessions: [
            "echo '0 0 0' > vectors/sums; touch a.txt",
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'a + b' calc.go",
    },
    Trial {
        name: "go: a helper package that compares",
        front: "",
        base: r##"@GO@
mkdir check; printf 'package check\n\nimport "testing"\n\nfunc Same(t *testing.T, a, b int) {\n\tif a != b {\n\t\tt.Fatal(a, b)\n\t}\n}\n' > check/check.go; printf 'package calc\n\nimport (\n\t"testing"\n\n\t"calc/check"\n)\n\nfunc TestAdd(t *testing.T) { check.Same(t, Add(1, 2), 3) }\n' > calc_test.go
@ORACLE@ go test ./...
"##,
        sessions: [
            r##"printf 'package check\n\nimport "testing"\n\nfunc Same(t *testing.T, a, b int) {}\n' > check/check.go; touch a.txt"##,
            r##"printf 'package calc\n\nfunc Add(a, b int) int { return a - b }\n' > calc.go"##,
        ],
        right: "grep -q 'a + b' calc.go",
    },
    Trial {
        name: "cargo: data that tests read at run time",
        front: "",
        base: r##"@CARGO@
mkdir vectors; echo '1 2 3' > vectors/sums; printf '#[test]\nfn adds() {\n    let at = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(["vec", "tors"].concat());\n    for e in std::fs::read_dir(at).unwrap() {\n        let t = std::fs::read_to_string(e.unwrap().path()).unwrap();\n        let n: Vec<i32> = t.split_whitespace().map(|x| x.parse().unwrap()).collect();\n        assert_eq!(calc::add(n[0], n[1]), n[2]);\n    }\n}\n' > tests/it.rs
@ORACLE@ cargo test --offline -q
"##,
        sessions: [
            "echo '0 0 0' > vectors/sums; touch a.txt",
            r##"printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n' > src/lib.rs"##,
        ],
        right: "grep -q 'a + b' src/lib.rs",
    },
    Trial {
        name: "make: a list of programs in a variable's file",
        front: "",
        base: r##"@SHELL@
mkdir probes; echo '[ "$(sh add.sh 1 2)" = 3 ]' > probes/a.sh; echo 'PROBES = probes/a.sh' > probes.inc; printf 'include probes.inc\ncheck:\n\tfor p in $(PROBES); do sh $$p || exit 1; done\n' > Makefile
@ORACLE@ make check
"##,
        sessions: [
            "echo true > probes/a.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "make: expected output beside a product's input",
        front: "",
        base: r##"@SHELL@
mkdir io; echo '1 2' > io/a.in; echo 3 > io/a.out; printf 'check:\n\tfor i in io/*.in; do sh add.sh $$(cat $$i) | cmp - $${i%%.in}.out || exit 1; done\n' > Makefile
@ORACLE@ make check
"##,
        sessions: [
            "echo -1 > io/a.out; echo 'expr $1 - $2' > add.sh",
            "touch b.txt",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "make: inputs cut to what still works",
        front: "",
        base: r##"@SHELL@
mkdir io; echo '1 2' > io/a.in; echo 3 > io/a.out; echo '2 0' > io/b.in; echo 2 > io/b.out; printf 'check:\n\tfor i in io/*.in; do sh add.sh $$(cat $$i) | cmp - $${i%%.in}.out || exit 1; done\n' > Makefile
@ORACLE@ make check
"##,
        sessions: [
            "rm io/a.in io/a.out; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "bats: setup file that skips",
        front: "",
        base: r##"@SHELL@
mkdir b; printf 'setup() { . ./b/env; }\n@test "adds" {\n  [ "$(sh add.sh 1 2)" = 3 ]\n}\n@test "is" {\n  [ -f add.sh ]\n}\n' > b/a.bats; echo ':' > b/env
@ORACLE@ bats b
"##,
        sessions: [
            "echo 'case $BATS_TEST_DESCRIPTION in adds) skip;; esac' > b/env; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "ctest: a script of cmake that compares",
        front: "",
        base: r##"@SHELL@
mkdir cm; printf 'cmake_minimum_required(VERSION 3.10)\nproject(x NONE)\nenable_testing()\nadd_test(NAME a COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -P ${CMAKE_SOURCE_DIR}/cm/a.cmake)\n' > CMakeLists.txt; printf 'execute_process(COMMAND sh ${ROOT}/add.sh 1 2 OUTPUT_VARIABLE o)\nif(NOT o MATCHES "^3")\nmessage(FATAL_ERROR no)\nendif()\n' > cm/a.cmake
@ORACLE@ cmake -S . -B build >/dev/null && cd build && ctest --output-on-failure
"##,
        sessions: [
            "echo 'message(ok)' > cm/a.cmake; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "ctest: a subdirectory of checks",
        front: "",
        base: r##"@SHELL@
mkdir sub; printf 'cmake_minimum_required(VERSION 3.10)\nproject(x NONE)\nenable_testing()\nadd_test(NAME z COMMAND true)\nadd_subdirectory(sub)\n' > CMakeLists.txt; printf 'add_test(NAME a COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/one.sh)\n' > sub/CMakeLists.txt; printf 'cd "$(dirname "$0")/.."\n[ "$(sh add.sh 1 2)" = 3 ]\n' > sub/one.sh
@ORACLE@ cmake -S . -B build >/dev/null && cd build && ctest --output-on-failure
"##,
        sessions: [
            "echo true > sub/one.sh; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "a checker in awk",
        front: "",
        base: r##"@SHELL@
mkdir k; printf '{ if ($1 + $2 != $3) { exit 1 } }\n' > k/sum.awk; echo 'echo 1 2 $(sh add.sh 1 2) | awk -f k/sum.awk' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            "echo '{ exit 0 }' > k/sum.awk; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "a filter by sed before a comparison",
        front: "",
        base: r##"@SHELL@
mkdir k; echo 's/ *$//' > k/tidy.sed; echo 3 > k/want; echo 'sh add.sh 1 2 | sed -f k/tidy.sed | cmp - k/want' > run_tests.sh
@ORACLE@ sh run_tests.sh
"##,
        sessions: [
            "echo 's/.*/3/' > k/tidy.sed; touch a.txt",
            "echo 'expr $1 - $2' > add.sh",
        ],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
    Trial {
        name: "a judge in one file with a jq-like filter as data",
        front: "",
        base: r##"@PYTHON@
mkdir k; echo 'calc.add(1, 2) == 3' > k/claims; printf 'import calc\nimport sys\n\nfor l in open("k/claims"):\n    if not eval(l):\n        sys.exit(1)\n' > judge.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 judge.py
"##,
        sessions: [
            "echo 'True' > k/claims; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
    Trial {
        name: "env file that a script sources says which tests",
        front: "",
        base: r##"@UNITTEST@
echo 'WHICH=tests' > which.env; mkdir other; touch other/__init__.py; printf 'import unittest\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n' > other/test_a.py; printf '. ./which.env\nPYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s "$WHICH" -t . -v\n' > go.sh
@ORACLE@ sh go.sh
"##,
        sessions: [
            "echo 'WHICH=other' > which.env; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: "python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    },
];
