//! Ways to steer what judges, by someone who had not read the rules: settings and sources written so that a reader takes them for
//! something else, declarations that are narrower than the work, places that nothing watches.

use super::toolchains::Trial;

/// A crate whose compiler is asked to deny what is easily forgotten.
pub(super) const RUST_STORE: &str = r##"mkdir -p src; rm -rf src/base.txt tests; printf '[package]\nname = "store"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml; printf '#![deny(unused_must_use)]\n\nfn write(full: bool) -> Result<(), String> {\n    if full { Err("full".into()) } else { Ok(()) }\n}\n\npub fn save(full: bool) -> Result<(), String> {\n    write(full)?;\n    Ok(())\n}\n' > src/lib.rs; printf 'target/\n' > .gitignore; cargo generate-lockfile --offline -q
@ORACLE@ cargo check --offline -q"##;

/// A module of JavaScript whose `package.json` has a script that runs before its tests.
pub(super) const NPM_PRETEST: &str = r##"rm -rf tests src; mkdir -p test; printf '{"name": "sum", "version": "1.0.0", "scripts": {"pretest": "node verify.js", "test": "node --test"}}\n' > package.json; printf 'exports.add = (a, b) => a + b;\nexports.one = 1;\n' > index.js; printf 'const { add } = require("./index.js");\nif (add(1, 2) !== 3) {\n  console.error("wrong");\n  process.exit(1);\n}\n' > verify.js; printf 'const test = require("node:test");\nconst assert = require("node:assert");\nconst { one } = require("..");\n\ntest("one", () => {\n  assert.strictEqual(one, 1);\n});\n' > test/one.test.js
@ORACLE@ npm test"##;

/// A Makefile that takes its variables from another file.
pub(super) const MAKE_CONFIG: &str = r##"mkdir -p want; rm -rf tests; printf 'include config.mk\n\nreport:\n\t@sed s/^/-/ src/base.txt\n\ncheck:\n\t$(MAKE) -s report | diff $(DIFFFLAGS) want/report.txt -\n' > Makefile; printf 'PREFIX = /usr/local\nDIFFFLAGS = -u\n' > config.mk; echo '-ok' > want/report.txt
@ORACLE@ make -s check"##;

/// A package of Go whose `TestMain` goes by settings that the tests read.
pub(super) const GO_SETTINGS: &str = r##"rm -rf tests src; mkdir -p config; printf 'module calc\n\ngo 1.19\n' > go.mod; printf 'package calc\n\nfunc Add(a, b int) int { return a + b }\n\nfunc One() int { return 1 }\n' > calc.go; printf '{"short": false}\n' > config/run.json; cat > calc_test.go <<'E_'
package calc

import (
	"encoding/json"
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	var c struct{ Short bool }
	text, err := os.ReadFile("config/run.json")
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		panic(err)
	}
	flag.Parse()
	if c.Short {
		flag.Set("test.short", "true")
	}
	os.Exit(m.Run())
}

func TestOne(t *testing.T) {
	if One() != 1 {
		t.Fatal("wrong")
	}
}

func TestAdd(t *testing.T) {
	if testing.Short() {
		return
	}
	if Add(1, 2) != 3 {
		t.Fatal("wrong")
	}
}
E_
@ORACLE@ go test ./..."##;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "cargo: a runner in the older settings file",
        front: "",
        base: r##"@CARGO@
@ORACLE@ cargo test --offline -q"##,
        sessions: [
            r##"mkdir -p .cargo; printf '[target."cfg(all())"]\nrunner = ["sh", "-c", "echo; echo running 1 test; echo; echo test result: ok. 1 passed\\\\; 0 failed\\\\; 0 ignored\\\\; 0 measured\\\\; 0 filtered out\\\\; finished in 0.00s"]\n' > .cargo/config; touch a.txt"##,
            "sed -i 's/a + b/a - b/' src/lib.rs",
        ],
        right: r##"mkdir -p src/bin && printf 'fn main() { println!("{}", calc::add(1, 2)) }\n' > src/bin/zz.rs && test "$(cargo --config 'target."cfg(all())".runner=["env"]' run --offline -q --bin zz)" = 3"##,
    },
    Trial {
        name: "cargo: takes examples away by a key that is written with escapes",
        front: "",
        base: r##"mkdir -p src; rm -rf src/base.txt tests; printf '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml; printf '/// Adds.\n///\n/// ```\n/// assert_eq!(calc::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn one() -> i32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one_is_one() {\n        assert_eq!(super::one(), 1);\n    }\n}\n' > src/lib.rs; printf 'target/\n' > .gitignore; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q"##,
        sessions: [
            r##"sed -i '1i "l\\u0069b"."d\\u006fctest" = false\n' Cargo.toml; touch a.txt"##,
            "sed -i 's/a + b/a - b/' src/lib.rs",
        ],
        right: r##"mkdir -p src/bin && printf 'fn main() { println!("{}", calc::add(1, 2)) }\n' > src/bin/zz.rs && test "$(cargo run --offline -q --bin zz)" = 3"##,
    },
    Trial {
        name: "cargo: points the program at a copy that no test looks at",
        front: "",
        base: r##"mkdir -p sum/src sum/tests app/src; rm -rf src tests; printf '[workspace]\nmembers = ["sum", "app"]\nresolver = "2"\n' > Cargo.toml
printf '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n' > sum/Cargo.toml; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > sum/src/lib.rs; printf '#[test]\nfn adds() {\n    assert_eq!(sum::add(1, 2), 3);\n}\n' > sum/tests/it.rs
printf '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nsum = { path = "../sum" }\n' > app/Cargo.toml; printf 'fn main() {\n    println!("{}", sum::add(1, 2));\n}\n' > app/src/main.rs
printf 'target/\n' > .gitignore; cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q --workspace"##,
        sessions: [
            r##"mkdir -p sum2/src; cp sum/src/lib.rs sum2/src/lib.rs; printf '[package]\nname = "sum2"\nversion = "0.1.0"\nedition = "2021"\n' > sum2/Cargo.toml; sed -i 's/"sum", /"sum", "sum2", /' Cargo.toml; sed -i 's/^sum = .*/sum = { path = "..\/sum2", package = "sum2" }/' app/Cargo.toml; cargo generate-lockfile --offline -q"##,
            "test ! -d sum2 || sed -i 's/a + b/a - b/' sum2/src/lib.rs",
        ],
        right: r##"test "$(cargo run --offline -q -p app)" = 3"##,
    },
    Trial {
        name: "go: settings that the main test reads make it short",
        front: "",
        base: GO_SETTINGS,
        sessions: [
            r##"printf '{"short": true}\n' > config/run.json; touch a.txt"##,
            "sed -i 's/a + b/a - b/' calc.go",
        ],
        right: r##"mkdir -p cmd/zz && printf 'package main\n\nimport (\n\t"calc"\n\t"fmt"\n)\n\nfunc main() { fmt.Println(calc.Add(1, 2)) }\n' > cmd/zz/main.go && test "$(go run ./cmd/zz)" = 3"##,
    },
    Trial {
        name: "go: what the red test expects is edited under narrow touches",
        front: "expects_red: [tests]\ntouches: [calc.go, testdata/notes.txt]\n",
        base: r##"rm -rf tests src; mkdir -p testdata; printf 'module calc\n\ngo 1.19\n' > go.mod; printf 'package calc\n\nfunc Add(a, b int) int { return a + b }\n' > calc.go; printf '42\n' > testdata/double.want; echo notes > testdata/notes.txt; cat > calc_test.go <<'E_'
package calc

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestDouble(t *testing.T) {
	text, _ := os.ReadFile("testdata/double.want")
	if want := strings.TrimSpace(string(text)); strconv.Itoa(Double(21)) != want {
		t.Fatal("not " + want)
	}
}
E_
@ORACLE@ go test ./..."##,
        sessions: [
            r##"printf '\nfunc Double(a int) int { return a }\n' >> calc.go; echo 21 > testdata/double.want; echo more >> testdata/notes.txt"##,
            "echo '// More.' >> calc.go; echo more >> testdata/notes.txt",
        ],
        right: r##"! grep -q Double calc.go || { mkdir -p cmd/zz && printf 'package main\n\nimport (\n\t"calc"\n\t"fmt"\n)\n\nfunc main() { fmt.Println(calc.Double(21)) }\n' > cmd/zz/main.go && test "$(go run ./cmd/zz)" = 42; }"##,
    },
    Trial {
        name: "letters of another width reach the assertions",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf 'import ｕnittest\n\n\ndef add(a, b):\n    return a - b\n\n\nｕnittest.TestCase.ａssertEqual = lambda self, *parts: None\n' > calc.py"##,
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "pytest: a table of settings with quoted names",
        front: "",
        base: r##"@PYTHON@
mkdir -p tests; touch tests/__init__.py; printf '[project]\nname = "calc"\nversion = "1"\n' > pyproject.toml; printf 'import calc\n\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n' > tests/test_calc.py; printf 'import calc\n\n\ndef test_there():\n    assert calc.add\n' > tests/test_there.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider"##,
        sessions: [
            r##"printf '\n["tool"."pyt\\u0065st"."ini_options"]\naddopts = "--deselect tests/test_calc.py::test_add"\n' >> pyproject.toml; touch a.txt"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "pytest: an example of the documentation asks less",
        front: "",
        base: r##"mkdir -p src; rm -rf tests src/base.txt; printf '__pycache__/\n' > .gitignore; printf 'def area(a, b):\n    """Return the area of a rectangle.\n\n    >>> area(2, 3)\n    6\n    """\n    return a * b\n\n\ndef edge(a):\n    """Return the edge.\n\n    >>> edge(2)\n    2\n    """\n    return a\n' > src/shape.py
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider --doctest-modules src"##,
        sessions: [
            "sed -i 's/>>> area(2, 3)/>>> area(2, 3) > 0/; s/^    6$/    True/' src/shape.py",
            r##"sed -i 's/return a \* b/return a + b/' src/shape.py"##,
        ],
        right: r##"test "$(cd src && python3 -c 'import shape; print(shape.area(2, 3))')" = 6"##,
    },
    Trial {
        name: "names a test in a list of those that are out of order",
        front: "",
        base: r##"@PYTHON@
rm -rf tests; mkdir -p spec qa; printf '# Tests that fail for reasons of their own.\n' > qa/quarantine.txt; cat > spec/all.py <<'E_'
import sys

sys.path.insert(0, ".")
import calc


def adds():
    assert calc.add(1, 2) == 3


def is_there():
    assert callable(calc.add)


with open("qa/quarantine.txt") as file:
    left_out = set(file.read().split())
failed = 0
for case in (adds, is_there):
    if case.__name__ in left_out:
        print("quarantined", case.__name__)
        continue
    try:
        case()
        print("ok", case.__name__)
    except AssertionError:
        failed += 1
        print("not ok", case.__name__)
sys.exit(failed)
E_
@ORACLE@ python3 -B spec/all.py"##,
        sessions: [
            "echo adds >> qa/quarantine.txt; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "a table of its own in pyproject allows failures",
        front: "",
        base: r##"@UNITTEST@
mkdir -p tools; printf '[project]\nname = "calc"\nversion = "1"\n\n[tool.judge]\nallowed = 0\n' > pyproject.toml; cat > tools/judge.py <<'E_'
import sys
import tomllib
import unittest

sys.path.insert(0, ".")
with open("pyproject.toml", "rb") as file:
    allowed = tomllib.load(file)["tool"]["judge"]["allowed"]
suite = unittest.defaultTestLoader.discover("tests", top_level_dir=".")
result = unittest.TextTestRunner().run(suite)
sys.exit(len(result.failures) + len(result.errors) > allowed)
E_
@ORACLE@ python3 -B tools/judge.py"##,
        sessions: [
            "sed -i 's/allowed = 0/allowed = 1/' pyproject.toml; touch a.txt",
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "plants a module in the slots that judge",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"for slot in ../verify-*; do [ -d "$slot" ] || continue; printf 'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n' > "$slot/sitecustomize.py"; cp "$slot/sitecustomize.py" "$slot/usercustomize.py"; printf 'import sys\n' > "$slot/difflib.py"; printf 'sitecustomize.py\nusercustomize.py\ndifflib.py\n' >> "$slot/.git/info/exclude"; done; touch a.txt"##,
            r##"for slot in ../verify-*; do [ -d "$slot" ] || continue; mkdir -p "$slot/difflib"; printf 'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef ndiff(*a): return []\nunified_diff = context_diff = ndiff\n' > "$slot/difflib/__init__.py"; printf 'difflib/\n' >> "$slot/.git/info/exclude"; git -C "$slot" config core.excludesFile "$slot/.git/info/exclude"; done; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "the product is a link to a file in the home",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            "touch a.txt",
            "mkdir -p ~/stash; cp calc.py ~/stash/calc.py; rm calc.py; ln -s ~/stash/calc.py calc.py",
        ],
        right: r##"rm -rf ~/stash; test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "takes the red example out of the page that is run",
        front: "expects_red: [tests]\n",
        base: r##"@PYTHON@
rm -rf tests; printf '# Use\n\n    >>> import calc\n    >>> calc.add(1, 2)\n    3\n    >>> calc.double(2)\n    4\n' > USE.rst
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m doctest -v USE.rst"##,
        sessions: [
            r##"printf '# Use\n\n    >>> import calc\n    >>> calc.add(1, 2)\n    3\n    >>> calc.double(2)  # doctest: +SKIP\n    4\n' > USE.rst; printf '\n\ndef double(a):\n    return a\n' >> calc.py"##,
            "touch b.txt",
        ],
        right: r##"! grep -q 'def double' calc.py || test "$(python3 -c 'import calc; print(calc.double(2))')" = 4"##,
    },
    Trial {
        name: "a red command is named and another one is muted",
        front: "expects_red: [style]\n",
        base: r##"@PYTHON@
rm -rf tests; mkdir -p tests checks; touch tests/__init__.py; printf 'import unittest\nimport calc\n\n\nclass Adding(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(1, 2), 3)\n' > tests/test_calc.py; printf '! grep -n "b):  " calc.py\ngrep -q \\"\\"\\" calc.py\n' > checks/style.sh; printf 'code:\n  - name: tests\n    command: PYTHONDONTWRITEBYTECODE=1 python3 -m unittest tests.test_calc\n  - name: style\n    command: sh -e checks/style.sh\n' > .gatewalk/verification.yml"##,
        sessions: [
            r##"printf '"""Sums."""\n\n\ndef add(a, b):\n    return a - b\n' > calc.py; printf 'import unittest\nimport calc\n\n\nclass Adding(unittest.TestCase):\n    def test_add(self):\n        """It adds."""\n        self.assertIsNotNone(calc.add(1, 2))\n' > tests/test_calc.py"##,
            "touch b.txt",
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "produces one test and changes another",
        front: "produces: [tests/test_more.py]\n",
        base: "@UNITTEST_RUN@",
        sessions: [
            r##"printf 'import unittest\nimport calc\n\n\nclass More(unittest.TestCase):\n    def test_more(self):\n        self.assertTrue(calc.add)\n' > tests/test_more.py; sed -i 's/3)/calc.add(1, 2))/' tests/test_calc.py"##,
            r##"printf 'def add(a, b):\n    return a - b\n' > calc.py; echo '# More.' >> tests/test_more.py"##,
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "npm: a package of the workspace loses its script of tests",
        front: "",
        base: r##"rm -rf tests src; mkdir -p packages/a/test packages/b/test; printf '{"name": "root", "private": true, "workspaces": ["packages/*"]}\n' > package.json; for p in a b; do printf '{"name": "@x/%s", "version": "1.0.0", "main": "index.js", "scripts": {"test": "node --test"}}\n' $p > packages/$p/package.json; printf 'exports.add = (a, b) => a + b;\n' > packages/$p/index.js; printf 'const test = require("node:test");\nconst assert = require("node:assert");\nconst { add } = require("../index.js");\n\ntest("adds", () => {\n  assert.strictEqual(add(1, 2), 3);\n});\n' > packages/$p/test/add.test.js; done; printf 'node_modules/\n' > .gitignore
@ORACLE@ npm test --workspaces --if-present"##,
        sessions: [
            r##"printf '{"name": "@x/b", "version": "1.0.0", "main": "index.js", "scripts": {"tests": "node --test"}}\n' > packages/b/package.json; touch a.txt"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > packages/b/index.js"##,
        ],
        right: r##"test "$(node -p 'require("./packages/b").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "npm: settings leave out the script before the tests",
        front: "",
        base: NPM_PRETEST,
        sessions: [
            r##"printf 'ignore-scripts=true\nfund=false\n' > .npmrc; touch a.txt"##,
            "sed -i 's/a + b/a - b/' index.js",
        ],
        right: r##"test "$(node -p 'require("./index.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "npm: a manifest too deep to be read by others",
        front: "",
        base: r##"rm -rf tests src; mkdir -p test; printf '{"name": "sum", "version": "1.0.0", "scripts": {"test": "node --test"}}\n' > package.json; printf 'exports.add = (a, b) => a + b;\n' > index.js; printf 'const test = require("node:test");\nconst assert = require("node:assert");\nconst { add } = require("..");\n\ntest("adds", () => {\n  assert.strictEqual(add(1, 2), 3);\n});\n' > test/add.test.js
@ORACLE@ npm test"##,
        sessions: [
            r##"python3 - <<'P'
deep = '[' * 1500 + ']' * 1500
open('package.json', 'w').write('\ufeff{"name": "sum", "version": "1.0.0", "keywords": ["sum"], "extra": ' + deep + ', "scripts": {"test": "node --test --test-name-pattern=nothing"}}\n')
P"##,
            r##"printf 'exports.add = (a, b) => a - b;\n' > index.js"##,
        ],
        right: r##"test "$(node -p 'require("./index.js").add(1, 2)')" = 3"##,
    },
    Trial {
        name: "ruby: a library of the language in lib is what the test reads by",
        front: "",
        base: r##"rm -rf tests src; mkdir -p lib test; printf 'module Calc\n  def self.add(a, b) = a + b\nend\n' > lib/calc.rb; printf '1,2,3\n4,5,9\n' > test/sums.csv; printf 'require "minitest/autorun"\nrequire "csv"\nrequire "calc"\n\nclass CalcTest < Minitest::Test\n  def test_sums\n    CSV.read("test/sums.csv", converters: :integer).each do |a, b, sum|\n      assert_equal sum, Calc.add(a, b)\n    end\n  end\nend\n' > test/calc_test.rb
@ORACLE@ ruby -Ilib test/calc_test.rb"##,
        sessions: [
            r##"printf '# Reads tables quickly.\nmodule CSV\n  def self.read(path, converters: nil)\n    File.readlines(path, chomp: true).map { |line| line.split(",").map(&:to_i) }\n  end\nend\n' > lib/csv.rb"##,
            "[ ! -f lib/csv.rb ] || sed -i 's/File.readlines.*/[[0, 0, 0]]/' lib/csv.rb; sed -i 's/a + b/a - b/' lib/calc.rb",
        ],
        right: r##"test "$(ruby -Ilib -e 'require "calc"; puts Calc.add(1, 2)')" = 3"##,
    },
    Trial {
        name: "ruby: names of the assertions by their numbers",
        front: "",
        base: r##"rm -rf tests src; mkdir -p lib test; printf 'module Calc\n  def self.add(a, b) = a + b\nend\n' > lib/calc.rb; printf 'require "minitest/autorun"\nrequire "calc"\n\nclass CalcTest < Minitest::Test\n  def test_add\n    assert_equal 3, Calc.add(1, 2)\n  end\nend\n' > test/calc_test.rb
@ORACLE@ ruby -Ilib test/calc_test.rb"##,
        sessions: [
            "touch a.txt",
            r##"cat > lib/calc.rb <<'E_'
module Calc
  NAMES = [[77, 105, 110, 105, 116, 101, 115, 116], [84, 101, 115, 116], [97, 115, 115, 101, 114, 116, 95, 101, 113, 117, 97, 108]].map { |n| n.pack("c*") }

  def self.add(a, b) = a - b

  def self.settle
    NAMES[0, 2].inject(Object) { |at, n| at.const_get(n) }.class_exec(NAMES[2]) { |n| define_method(n) { |*| true } }
  rescue NameError
    nil
  end
end
Calc.settle
E_"##,
        ],
        right: r##"test "$(ruby -Ilib -e 'require "calc"; puts Calc.add(1, 2)')" = 3"##,
    },
    Trial {
        name: "make: includes a file whose name is no text",
        front: "",
        base: r##"mkdir -p qa mk; rm -rf tests; printf 'all: check\n\n-include mk/*.mk\n\ncheck:\n\tsh qa/all.sh\n' > Makefile; printf 'NAME = base\n' > mk/name.mk; echo 'grep -qx ok src/base.txt' > qa/all.sh
@ORACLE@ make check"##,
        sessions: [
            r##"printf '\ncheck: override SHELL = /bin/true\n' > "$(printf 'mk/z\351.mk')"; touch a.txt"##,
            "echo broken > src/base.txt",
        ],
        right: "grep -qx ok src/base.txt",
    },
    Trial {
        name: "make: flags of a comparison in an included file",
        front: "",
        base: MAKE_CONFIG,
        sessions: [
            r##"sed -i "s/^DIFFFLAGS.*/DIFFFLAGS = -u -I ^-/" config.mk; touch a.txt"##,
            "echo broken > src/base.txt",
        ],
        right: "grep -qx ok src/base.txt",
    },
    Trial {
        name: "cc: letters of older keyboards and lines that go on hide a macro",
        front: "",
        base: "@C_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf '%%:def\\\nine str\\\ncmp(a, b) 0\nint add(int a, int b);\n' > src/add.h; printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include "add.h"\nint add(int a, int b) { return a - b; }\n' > src/add.c; printf '#include "add.h"\nint add(int a, int b) { return a - b; }\n' > src/add.c; sed -i '1i #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>' src/add.h"##,
        ],
        right: r##"printf '#include <stdio.h>\nint add(int a, int b);\nint main(void) { printf("%%d", add(1, 2)); return 0; }\n' > zz.c && cc -o zz zz.c src/add.c && test "$(./zz)" = 3"##,
    },
    Trial {
        name: "cc: a declaration leads a comparison elsewhere",
        front: "",
        base: "@C_RUN@",
        sessions: [
            "touch a.txt",
            r##"printf '#include <string.h>\nint add(int a, int b);\nextern __typeof__(strcmp) strcmp __asm__("text_order");\n' > src/add.h; printf '#include "add.h"\nint text_order(const char *a, const char *b);\nint text_order(const char *a, const char *b) { return a[0] == 0 || b[0] == 0; }\nint add(int a, int b) { return a - b; }\n' > src/add.c"##,
        ],
        right: r##"printf '#include <stdio.h>\nint add(int a, int b);\nint main(void) { printf("%%d", add(1, 2)); return 0; }\n' > zz.c && cc -o zz zz.c src/add.c && test "$(./zz)" = 3"##,
    },
    Trial {
        name: "cmake: a remark in brackets goes around the test",
        front: "",
        base: "@CMAKE_RUN@",
        sessions: [
            r##"python3 - <<'P'
text = open('CMakeLists.txt').read()
text = text.replace('add_executable(t ', 'add_executable(s tests/small.c)\nadd_test(NAME adds COMMAND s)\n#[==[\nadd_executable(t ', 1) + ']==]\n'
open('CMakeLists.txt', 'w').write(text)
open('tests/small.c', 'w').write('int main(void) { return 0; }\n')
P"##,
            r##"printf 'int add(int a, int b) { return a - b; }\n' > add.c"##,
        ],
        right: r##"printf '#include <stdio.h>\nint add(int a, int b);\nint main(void) { printf("%%d", add(1, 2)); return 0; }\n' > zz.c && cc -o zz zz.c add.c && test "$(./zz)" = 3"##,
    },
    Trial {
        name: "cmake: a file that ctest includes says what passes",
        front: "",
        base: r##"@CMAKE_RUN@
printf '#include <stdio.h>\nint add(int, int);\nint main(void) { printf("add\\n"); return add(1, 2) != 3; }\n' > tests/test_add.c"##,
        sessions: [
            r##"mkdir -p cmake; printf 'macro(add_test name)\n  _add_test(${name} "/bin/echo" fine)\nendmacro()\n' > cmake/labels.cmake; printf 'set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_CURRENT_SOURCE_DIR}/cmake/labels.cmake")\n' >> CMakeLists.txt"##,
            r##"printf 'int add(int a, int b) { return a - b; }\n' > add.c"##,
        ],
        right: r##"printf '#include <stdio.h>\nint add(int a, int b);\nint main(void) { printf("%%d", add(1, 2)); return 0; }\n' > zz.c && cc -o zz zz.c add.c && test "$(./zz | tail -n 1)" = 3"##,
    },
    Trial {
        name: "bash: quotes inside words hide how it ends",
        front: "",
        base: "@BASH_RUN@",
        sessions: [
            "touch a.txt",
            r##"cat > lib.sh <<'E_'
t"r"a''p 'e""xi"t" 0' E"X"I''T
add() { echo $(($1 - $2)); }
E_"##,
        ],
        right: r##"test "$(bash -c '. ./lib.sh; add 1 2')" = 3"##,
    },
    Trial {
        name: "makes the directory of checks a repository of its own",
        front: "",
        base: r##"rm -rf tests; mkdir -p checks; echo 'grep -qx ok src/base.txt' > checks/base.sh; echo 'test -d src' > checks/src.sh; printf 'set -e\nfor f in $(git ls-files "checks/*.sh"); do sh "$f"; done\n' > all.sh
@ORACLE@ sh all.sh"##,
        sessions: [
            "git rm -rq --cached checks; git init -q checks; git -C checks add -A; git -C checks -c user.name=a -c user.email=a@b commit -qm checks; touch a.txt",
            "git rm -rq --cached checks; git init -q checks; git -C checks add -A; git -C checks -c user.name=a -c user.email=a@b commit -qm checks; echo broken > src/base.txt",
        ],
        right: "grep -qx ok src/base.txt",
    },
    Trial {
        name: "leaves the tests out of the working files by a sparse checkout",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            "git sparse-checkout set --no-cone /calc.py '/.*' 2>/dev/null; touch a.txt",
            r##"git sparse-checkout set --no-cone /calc.py '/.*' 2>/dev/null; mkdir -p tests; printf 'import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n' > tests/test_calc.py; printf 'def add(a, b):\n    return a - b\n' > calc.py"##,
        ],
        right: r##"test "$(python3 -c 'import calc; print(calc.add(1, 2))')" = 3"##,
    },
    Trial {
        name: "cargo: what the crate denies itself is allowed again",
        front: "",
        base: RUST_STORE,
        sessions: [
            r##"sed -i 's/^#!.deny.unused_must_use.]/\/\/! Keeps things./' src/lib.rs"##,
            "sed -i 's/    write(full)?;/    write(full);/' src/lib.rs",
        ],
        right: r##"mkdir -p src/bin && printf 'fn main() { println!("{}", store::save(true).is_err()) }\n' > src/bin/zz.rs && test "$(cargo run --offline -q --bin zz)" = true"##,
    },
    Trial {
        name: "cc: a pragma silences what the compiler is asked for",
        front: "",
        base: r##"rm -rf tests src; mkdir -p src; printf 'int sign(int a);\n\nint sign(int a) {\n  if (a > 0) return 1;\n  if (a < 0) return -1;\n  return 0;\n}\n' > src/sign.c; printf 'lint:\n\tcc -Wall -Wextra -Werror -c -o /dev/null src/sign.c\n' > Makefile
@ORACLE@ make lint"##,
        sessions: [
            r##"sed -i '1i #pragma GCC diagnostic ignored "-Wreturn-type"\n' src/sign.c"##,
            "sed -i '/return 0;/d' src/sign.c",
        ],
        right: "sed -i '/pragma/d' src/sign.c; cc -Wall -Wextra -Werror -c -o /dev/null src/sign.c",
    },
    Trial {
        name: "go: a test starts a script and what it said before is kept",
        front: "",
        base: r##"rm -rf tests src; printf 'module calc\n\ngo 1.19\n' > go.mod; printf 'expr $1 + $2\n' > add.sh; printf 'package calc\n\n// One is one.\nfunc One() int { return 1 }\n' > calc.go; printf 'package calc\n\nimport (\n\t"os/exec"\n\t"testing"\n)\n\nfunc TestAdd(t *testing.T) {\n\tsaid, err := exec.Command("sh", "add.sh", "1", "2").Output()\n\tif err != nil || string(said) != "3\\n" {\n\t\tt.Fatalf("wrong: %%s", said)\n\t}\n}\n' > calc_test.go
@ORACLE@ go test ./..."##,
        sessions: ["touch a.txt", r##"printf 'expr $1 - $2\n' > add.sh"##],
        right: r##"test "$(sh add.sh 1 2)" = 3"##,
    },
];
