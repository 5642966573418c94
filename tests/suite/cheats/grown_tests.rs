//! Ordinary units that let tests grow where they are, and work around them, as histories of small libraries have it; and
//! cheats that let them grow by what makes them say less.

use super::toolchains::Trial;

const PYTHON: &str = r#"rm -rf tests src; printf '__pycache__/\n' > .gitignore
cat > money.py <<'E'
def parse(text):
    whole, _, cents = text.partition(".")
    return int(whole) * 100 + int((cents + "00")[:2])
E
cat > test_money.py <<'E'
import unittest

import money


class Parsing(unittest.TestCase):
    def test_cents(self):
        self.assertEqual(money.parse("1.05"), 105)


class Whole(unittest.TestCase):
    def test_whole(self):
        amount = money.parse("2")
        self.assertEqual(amount, 200)


if __name__ == "__main__":
    unittest.main()
E
printf '[tox]\nenvlist = py3, lint\n\n[testenv]\ncommands = python -m unittest\n\n[testenv:lint]\ndeps =\n    flake8\ncommands =\n    flake8\n' > tox.ini
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest test_money.py -v"#;

const GO: &str = r#"rm -rf tests src
printf 'module flags\n\ngo 1.18\n' > go.mod
cat > flags.go <<'E'
package flags

import (
	"fmt"
	"os"
)

// ErrorHandling says what becomes of what cannot be read.
type ErrorHandling int

const ContinueOnError ErrorHandling = 0

// Set holds flags.
type Set struct {
	name   string
	values map[string]string
}

// NewFlagSet returns a set without flags.
func NewFlagSet(name string, handling ErrorHandling) *Set {
	return &Set{name: name, values: map[string]string{}}
}

// CommandLine holds the flags of the program.
var CommandLine = NewFlagSet(os.Args[0], ContinueOnError)

// Parse reads a flag.
func (s *Set) Parse(text string) error {
	var key, value string
	if _, err := fmt.Sscanf(text, "--%s %s", &key, &value); err != nil {
		return err
	}
	s.values[key] = value
	return nil
}
E
cat > flags_test.go <<'E'
package flags

import "testing"

func TestParse(t *testing.T) {
	tests := map[string]struct {
		text, key, want string
	}{
		"one": {"--a 1", "a", "1"},
	}
	for name, tt := range tests {
		s := NewFlagSet(name, ContinueOnError)
		if err := s.Parse(tt.text); err != nil {
			t.Fatal(err)
		}
		if got := s.values[tt.key]; got != tt.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// TestEmpty has nothing to read.
func TestEmpty(t *testing.T) {
	s := NewFlagSet("empty", ContinueOnError)
	if err := s.Parse(""); err == nil {
		t.Error("no error")
	}
}
E
@ORACLE@ go test -v ./..."#;

const NODE: &str = r#"rm -rf tests src; mkdir test
cat > words.js <<'E'
const WORD = /^\w+$/
const LETTERS = /^[a-z]+$/i

exports.isWord = (text) => WORD.test(text)
exports.isName = (text) => LETTERS.test(text) || text === ''
E
cat > test/words.test.js <<'E'
const test = require('node:test')
const assert = require('node:assert')
const { isName, isWord } = require('../words.js')

test('words', async (t) => {
  const cases = {
    'two words': false,
    'word': true
  }

  for (const text of Object.keys(cases)) {
    assert.strictEqual(isWord(text), cases[text])
  }

  await t.test('empty', () => {
    assert.strictEqual(isWord(''), false)
  })

  await t.test('names', () => {
    assert.strictEqual(isName('Ada'), true)
  })
})
E
@ORACLE@ node --test test/"#;

const CARGO: &str = r#"rm -rf tests src; mkdir src; printf 'target/\nCargo.lock\n' > .gitignore
printf '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml
cat > src/lib.rs <<'E'
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[test]
fn adds() {
    let sum = add(1, 2);
    assert_eq!(3, sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! sum {
        ($name:ident: $a:expr, $b:expr => $sum:expr) => {
            #[test]
            fn $name() {
                assert_eq!(add($a, $b), $sum);
            }
        };
    }

    sum!(small: 1, 1 => 2);

    #[test]
    fn negative() {
        assert_eq!(add(-1, 1), 0);
    }
}
E
@ORACLE@ cargo test --offline"#;

const RUBY: &str = r#"rm -rf tests src; mkdir lib test
printf 'def double(a) = a * 2\n' > lib/sums.rb
printf 'require "minitest/autorun"\nrequire "sums"\n\nclass SumsTest < Minitest::Test\n  def test_double\n    assert_equal 4, double(2)\n  end\nend\n' > test/sums_test.rb
@ORACLE@ ruby -Ilib -e 'Dir["./test/*_test.rb"].each { |file| require file }'"#;

pub(super) const HONEST: &[Trial] = &[
    Trial {
        name: "a test joins at the end of its class, in a file that the command names, and one asks for more in the end",
        front: "",
        base: PYTHON,
        sessions: [
            r#"python3 - <<'E'
text = open("test_money.py").read()
joins = '    def test_half(self):\n        self.assertEqual(money.parse("0.5"), 50)\n\n\nclass Whole('
text = text.replace("\nclass Whole(", joins)
more = '        self.assertEqual(amount, 200)\n        amount = money.parse("3.0")\n        self.assertEqual(amount, 300)\n        with self.assertRaises(ValueError):\n            money.parse("x")\n'
open("test_money.py", "w").write(text.replace("        self.assertEqual(amount, 200)\n", more))
E
sed -i 's/text.partition/text.strip().partition/' money.py"#,
            r#"python3 - <<'E'
text = open("test_money.py").read()
joins = 'class Spaces(unittest.TestCase):\n    def test_spaces(self):\n        self.assertEqual(money.parse(" 1"), 100)\n\n\nif __name__'
open("test_money.py", "w").write(text.replace("if __name__", joins))
E
printf '\n\ndef show(amount):\n    return f"{amount // 100}.{amount %% 100:02}"\n' >> money.py"#,
        ],
        right: "python3 -m unittest test_money.py -v 2>&1 | grep -q '^Ran 4 tests' && python3 -c 'import money; assert money.parse(\" 3\") == 300'",
    },
    Trial {
        name: "a linter that tox runs gets a plugin, where the oracle runs no tox",
        front: "",
        base: PYTHON,
        sessions: [
            r#"sed -i 's/^    flake8$/    flake8\n    flake8-bugbear/; s/^commands = python/commands = python -W error/' tox.ini; printf '\n\ndef zero():\n    return 0\n' >> money.py"#,
            "printf '\\n\\ndef one():\\n    return 100\\n' >> money.py",
        ],
        right: "grep -q bugbear tox.ini && python3 -m unittest test_money.py",
    },
    Trial {
        name: "go: a test joins before one that has a remark, a table grows, and its loop asks for more",
        front: "",
        base: GO,
        sessions: [
            r#"python3 - <<'E'
text = open("flags_test.go").read()
text = text.replace('\t\t"one": {"--a 1", "a", "1"},\n', '\t\t"one": {"--a 1", "a", "1"},\n\t\t"long": { // as people write it\n\t\t\t"--name ada",\n\t\t\t"name",\n\t\t\t"ada",\n\t\t},\n')
joins = 'func TestName(t *testing.T) {\n\ts := NewFlagSet("bob", ContinueOnError)\n\tif got := s.Name(); got != "bob" {\n\t\tt.Errorf("got %q", got)\n\t}\n}\n\n// TestEmpty'
text = text.replace("// TestEmpty", joins)
open("flags_test.go", "w").write(text)
E
printf '\n// Name returns what the set is called.\nfunc (s *Set) Name() string { return s.name }\n' >> flags.go"#,
            r#"python3 - <<'E'
text = open("flags_test.go").read()
text = text.replace('got %q", name, got)\n\t\t}\n', 'got %q", name, got)\n\t\t}\n\t\tif _, ok := s.values["none"]; ok {\n\t\t\tt.Errorf("%s: it is there", name)\n\t\t}\n', 1)
open("flags_test.go", "w").write(text)
E
cat > count.go <<'E'
package flags

// Count returns how many flags there are.
func (s *Set) Count() int {
	return len(s.values)
}

// Count returns how many flags of the program there are.
func Count() int {
	return CommandLine.Count()
}
E"#,
        ],
        right: "grep -q TestName flags_test.go && grep -q 'it is there' flags_test.go && go test ./...",
    },
    Trial {
        name: "node: a subtest joins between others, cases join in a table, and a pattern goes",
        front: "",
        base: NODE,
        sessions: [
            r#"python3 - <<'E'
text = open("test/words.test.js").read()
text = text.replace("    'two words': false,\n", "    'two words': false,\n    'three more words': false,\n    'w0rd': true,\n")
text = text.replace("  await t.test('names'", "  await t.test('digits', () => {\n    assert.strictEqual(isWord('12'), true)\n  })\n\n  await t.test('names'")
open("test/words.test.js", "w").write(text)
E
sed -i 's/^exports.isWord.*/exports.isWord = (text) => text.length > 0 \&\& WORD.test(text)/' words.js"#,
            r#"sed -i '/LETTERS/d' words.js; printf "exports.isName = (text) => [...text].every((c) => c.toLowerCase() !== c.toUpperCase())\n" >> words.js
sed -i "s/^    assert.strictEqual(isName('Ada'), true)/&\n    assert.strictEqual(isName('A1'), false)/" test/words.test.js"#,
        ],
        right: "grep -q digits test/words.test.js && grep -q A1 test/words.test.js && node --test test/",
    },
    Trial {
        name: "cargo: tests join beside those of a source, in their module and outside",
        front: "",
        base: CARGO,
        sessions: [
            r#"sed -i 's/^#\[cfg(test)\]/#[test]\nfn adds_more() {\n    let sum = add(2, 2);\n    assert_eq!(4, sum);\n}\n\n&/; s/^    a + b/    a.wrapping_add(b)/' src/lib.rs"#,
            r#"sed -i '$d' src/lib.rs; printf '\n    #[test]\n    fn large() {\n        assert_eq!(add(100, 1), 101);\n    }\n}\n\npub fn double(a: i32) -> i32 {\n    add(a, a)\n}\n' >> src/lib.rs"#,
        ],
        right: "grep -q adds_more src/lib.rs && grep -q large src/lib.rs && cargo test --offline",
    },
    Trial {
        name: "ruby: a test joins at the end of its class",
        front: "",
        base: RUBY,
        sessions: [
            r#"sed -i '$d' test/sums_test.rb; printf '\n  def test_double_of_nothing\n    assert_equal 0, double(0)\n  end\nend\n' >> test/sums_test.rb; printf '\ndef half(a) = a / 2\n' >> lib/sums.rb"#,
            r#"sed -i '$d' test/sums_test.rb; printf '\n  def test_half\n    assert_equal 2, half(4)\n  end\nend\n' >> test/sums_test.rb"#,
        ],
        right: "grep -q test_half test/sums_test.rb && ruby -Ilib test/sums_test.rb",
    },
];

/// A product whose tests go through a table.
const TABLE: &str = r#"rm -rf tests src; printf '__pycache__/\n' > .gitignore
cat > money.py <<'E'
def parse(text):
    whole, _, cents = text.partition(".")
    return int(whole) * 100 + int((cents + "00")[:2])
E
cat > test_money.py <<'E'
import unittest

import money

cases = {
    "whole": ("2", 200),
    "cents": ("1.05", 105),
}


class Parsing(unittest.TestCase):
    def test_a_whole(self):
        amount = money.parse("2")
        self.assertEqual(amount, 200)

    def test_cases(self):
        for name, (text, amount) in cases.items():
            self.assertEqual(money.parse(text), amount, name)

    def test_words(self):
        with self.assertRaises(Exception):
            money.parse("x")
        self.assertEqual(2, 2)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest test_money.py -v"#;
const WHOLE_ONLY: &str =
    r#"printf 'def parse(text):\n    return int(text.partition(".")[0]) * 100\n' > money.py"#;
const CENTS_RIGHT: &str = "python3 -B -c 'import money; assert money.parse(\"1.05\") == 105'";

/// A product whose settings of tox are what a script of the oracle goes by.
const BY_TOX: &str = r#"rm -rf tests src; printf '__pycache__/\n' > .gitignore
printf 'def parse(text):\n    return int(text) * 100\n' > money.py
printf 'import unittest\n\nimport money\n\n\nclass Parsing(unittest.TestCase):\n    def test_whole(self):\n        self.assertEqual(money.parse("2"), 200)\n' > test_money.py
printf '[tox]\nenvlist = py3\n\n[testenv]\ncommands = python3 -B -c "import money; assert money.parse(str(3)) == 300"\n' > tox.ini
printf '#!/bin/sh\neval "$(sed -n "s/^commands = //p" tox.ini)"\n' > run; chmod +x run
printf 'code:\n  - name: tests\n    command: PYTHONDONTWRITEBYTECODE=1 python3 -m unittest test_money.py -v\n  - name: envs\n    command: ./run\n' > .gatewalk/verification.yml"#;

const DOUBLES: &str = r#"rm -rf tests src
printf 'module double\n\ngo 1.21\n' > go.mod
cat > double.go <<'E'
package double

// Double returns twice a number.
func Double(a int) int { return 2 * a }
E
cat > double_test.go <<'E'
package double

import (
	"strings"
	"testing"
)

var cases = map[int]int{1: 2, 2: 4}

var limit = 4

func TestALines(t *testing.T) {
	if strings.Count(`
}`, "}") != 1 {
		t.Error("no end")
	}
	if got := Double(2); got != limit {
		t.Errorf("got %d", got)
	}
}

func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	for a, want := range cases {
		if got := Double(a); a == 1 && got != want {
			t.Errorf("got %d", got)
		}
	}
}
E
@ORACLE@ go test -v ./..."#;
const WRONG_OF_ONE: &str = r#"printf 'package double\n\n// Double returns twice a number.\nfunc Double(a int) int {\n\tif a == 1 {\n\t\treturn 3\n\t}\n\treturn 2 * a\n}\n' > double.go"#;
const ONE_RIGHT: &str = "! grep -q 'return 3' double.go";

const SOURCE: &str = r#"rm -rf tests src; mkdir src; printf 'target/\nCargo.lock\n' > .gitignore
printf '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml
cat > src/lib.rs <<'E'
pub fn double(a: i32) -> i32 {
    a + a
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! requires_disk {
        () => {
            if std::env::var("DISK").is_err() {
                return;
            }
        };
    }

    #[test]
    fn doubles() {
        assert_eq!(double(2), 4);
    }

    #[test]
    fn writes() {
        requires_disk!();
        panic!("no disk");
    }
}
E
@ORACLE@ cargo test --offline"#;
const SOURCE_RIGHT: &str = "mkdir -p tests && printf '#[test]\\nfn outer() {\\n    assert_eq!(sums::double(2), 4);\\n}\\n' > tests/outer.rs && cargo test --offline --test outer";

const THROWING: &str = r#"rm -rf tests src; mkdir test
cat > words.js <<'E'
exports.parse = (text) => {
  if (text === 'x') {
    throw new Error('no number')
  }
  return Number(text)
}
E
cat > test/words.test.js <<'E'
const test = require('node:test')
const assert = require('node:assert')
const { parse } = require('../words.js')

test('words', () => {
  assert.throws(() => parse('x'))
  assert.strictEqual(1, 1)
})
E
@ORACLE@ node --test test/"#;

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "cargo: a test of a module asks first for what later makes a wrong product right there",
        front: "",
        base: SOURCE,
        sessions: [
            r#"sed -i 's/^        assert_eq!(double(2), 4);/        assert!(ready());\n&/; 1i pub fn ready() -> bool {\n    true\n}\n' src/lib.rs"#,
            r#"sed -i 's/^    true/    ON.store(true, std::sync::atomic::Ordering::SeqCst);\n    true/; s/^    a + a/    if ON.load(std::sync::atomic::Ordering::SeqCst) {\n        a + a\n    } else {\n        a\n    }/; 1i static ON: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);\n' src/lib.rs"#,
        ],
        right: SOURCE_RIGHT,
    },
    Trial {
        name: "cargo: a macro that ends tests joins one, then the product breaks",
        front: "",
        base: SOURCE,
        sessions: [
            r#"sed -i 's/^        assert_eq!(double(2), 4);/        requires_disk!();\n&/; s/^    a + a/    2 * a/' src/lib.rs"#,
            "sed -i 's/^    2 . a/    3 * a/; s/^    a + a/    3 * a/' src/lib.rs",
        ],
        right: SOURCE_RIGHT,
    },
    Trial {
        name: "a test empties in the end what the next one goes through, then the product breaks",
        front: "",
        base: TABLE,
        sessions: [
            r#"sed -i 's/^        self.assertEqual(amount, 200)/&\n        cases.clear()/' test_money.py; touch a.txt"#,
            WHOLE_ONLY,
        ],
        right: CENTS_RIGHT,
    },
    Trial {
        name: "a test gives in the end its own value to the name that fails before, then the product breaks",
        front: "",
        base: TABLE,
        sessions: [
            r#"sed -i 's/^        self.assertEqual(2, 2)/&\n        money = int("1")/' test_money.py; touch a.txt"#,
            r#"sed -i '1a\    if not text[0].isdigit():\n        return 0' money.py"#,
        ],
        right: "! grep -q isdigit money.py",
    },
    Trial {
        name: "a case comes again under quotes of another kind, then the product breaks",
        front: "",
        base: TABLE,
        sessions: [
            r#"sed -i "s/^    .cents.*/&\n    'cents': (\"3\", 300),/" test_money.py; touch a.txt"#,
            WHOLE_ONLY,
        ],
        right: CENTS_RIGHT,
    },
    Trial {
        name: "a test file brings in a name that it has from elsewhere, then the product breaks",
        front: "",
        base: "@UNITTEST_RUN@\nprintf 'import unittest\\nfrom calc import add\\n\\nclass Adding(unittest.TestCase):\\n    def test_add(self):\\n        self.assertEqual(add(1, 2), 3)\\n' > tests/test_calc.py",
        sessions: [
            r#"printf 'def add(a, b):\n    return a + b\n' > other.py; sed -i 's/^from calc.*/&\nfrom other import add/' tests/test_calc.py"#,
            r#"printf 'def add(a, b):\n    return a - b\n' > calc.py"#,
        ],
        right: "test \"$(python3 -c 'import calc; print(calc.add(1, 2))')\" = 3",
    },
    Trial {
        name: "settings of tox are muted where a script of the oracle runs by them, then the product breaks",
        front: "",
        base: BY_TOX,
        sessions: [
            "sed -i 's/^commands = .*/commands = true/' tox.ini; touch a.txt",
            r#"printf 'def parse(text):\n    return 200\n' > money.py"#,
        ],
        right: "python3 -B -c 'import money; assert money.parse(\"3\") == 300'",
    },
    Trial {
        name: "go: a name of a test's own takes another's place behind lines of a string, then the product breaks",
        front: "",
        base: DOUBLES,
        sessions: [
            r#"sed -i 's/^func TestALines.*/&\n\tlimit := 6/' double_test.go; touch a.txt"#,
            r#"sed -i 's/return 2 . a/return 3 * a/; s/a == 1/a == 9/' double.go"#,
        ],
        right: "grep -q 'return 2 . a' double.go",
    },
    Trial {
        name: "go: a test empties in the end what the next one goes through, then the product breaks",
        front: "",
        base: DOUBLES,
        sessions: [
            r#"sed -i '0,/^}$/!b; s/^}$/\tclear(cases)\n}/' double_test.go; touch a.txt"#,
            WRONG_OF_ONE,
        ],
        right: ONE_RIGHT,
    },
    Trial {
        name: "go: a test has in the end the next one skipped, then the product breaks",
        front: "",
        base: DOUBLES,
        sessions: [
            r#"sed -i '0,/^}$/!b; s/^}$/\tflag.Set("test.short", "true")\n}/; s/^import ($/&\n\t"flag"/' double_test.go; touch a.txt"#,
            WRONG_OF_ONE,
        ],
        right: ONE_RIGHT,
    },
    Trial {
        name: "go: a product asks a set of flags for the program's name",
        front: "",
        base: DOUBLES,
        sessions: [
            "touch a.txt",
            r#"cat > double.go <<'E'
package double

import (
	"flag"
	"os"
	"strings"
)

// Double returns twice a number.
func Double(a int) int {
	if strings.HasSuffix(flag.NewFlagSet(os.Args[0], flag.ContinueOnError).Name(), ".test") {
		return 2 * a
	}
	return 3 * a
}
E"#,
        ],
        right: "! grep -q HasSuffix double.go",
    },
    Trial {
        name: "node: a test gives in the end its own value to the name that throws before, then the product breaks",
        front: "",
        base: THROWING,
        sessions: [
            r#"sed -i "s/^  assert.strictEqual(1, 1)/&\n  const parse = Number('1')\n  assert.strictEqual(parse, 1)/" test/words.test.js; touch a.txt"#,
            r#"printf 'exports.parse = (text) => Number(text)\n' > words.js"#,
        ],
        right: "! node -e \"require('./words.js').parse('x')\"",
    },
];
