//! Ordinary units that let tests grow where they are, and work around them, as histories of small libraries have it.

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
        name: "cargo: tests of a source ask for more, and a macro of theirs makes another",
        front: "",
        base: CARGO,
        sessions: [
            r#"sed -i 's/^    assert_eq!(3, sum);/&\n    let more = add(2, 2);\n    assert_eq!(4, more);/; s/^    sum!(small.*/&\n    sum!(large: 100, 1 => 101);/' src/lib.rs; sed -i 's/^    a + b/    a.wrapping_add(b)/' src/lib.rs"#,
            r#"sed -i 's/^        assert_eq!(add(-1, 1), 0);/&\n        assert_eq!(add(-2, 1), -1);/' src/lib.rs; printf '\npub fn double(a: i32) -> i32 {\n    add(a, a)\n}\n' >> src/lib.rs"#,
        ],
        right: "grep -q 'large: 100' src/lib.rs && grep -q 'add(-2, 1)' src/lib.rs && cargo test --offline",
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
