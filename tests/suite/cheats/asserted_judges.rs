//! Tests that are asked for more where they ask already: assertions in their body, rows of a list, what they bring in.

use super::ordinary_bases::LEDGER;
use super::toolchains::Trial;

/// A product of Go whose test goes through a list.
const LISTED: &str = r##"@GO@
cat > calc_test.go <<'E'
package calc

import (
	"fmt"
	"testing"
)

func TestAdd(t *testing.T) {
	for _, tt := range []struct{ a, b, want int }{
		{1, 2, 3},
		{2, 2, 4},
	} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			if got := Add(tt.a, tt.b); got != tt.want {
				t.Fatalf("got %d", got)
			}
		})
	}
}
E
@ORACLE@ go test ./..."##;

pub(super) const HONEST: &[Trial] = &[
    Trial {
        name: "asks a test of unittest for more, where it asks already",
        front: "",
        base: LEDGER,
        sessions: [
            r#"sed -i 's/    def test_shows(self):/&\n        # Nothing is no debt.\n        self.assertEqual(\n            money.show(0),\n            "0.00",\n        )\n        nothing = money.parse("0")\n        self.assertEqual(money.show(nothing), "0.00")/' tests/test_money.py
sed -i 's/^    sign = "-" if amount < 0/    amount = int(amount)\n&/' ledger/money.py"#,
            r#"sed -i 's/{len(lines)} entries/{len(list(lines))} entries/' ledger/report.py"#,
        ],
        right: "grep -q nothing tests/test_money.py && python3 -m unittest discover -s tests -t .",
    },
    Trial {
        name: "go: adds rows to the list that a test goes through, and a test with what it brings in",
        front: "",
        base: LISTED,
        sessions: [
            r#"sed -i 's/^\t\t{2, 2, 4},/&\n\t\t{-1, 1, 0},\n\t\t{\n\t\t\t5,\n\t\t\t-7,\n\t\t\t-2,\n\t\t},/' calc_test.go
printf '\n// Double returns twice a number.\nfunc Double(a int) int { return Add(a, a) }\n' >> calc.go"#,
            r#"sed -i 's/^\t"fmt"/&\n\t"strings"/' calc_test.go
cat >> calc_test.go <<'E'

// shown is a number as the report shows it.
type shown int

func (s shown) String() string { return strings.Repeat("|", int(s)) }

func TestDouble(t *testing.T) {
	for _, a := range []int{1, 2} {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			if shown(Double(a)).String() != strings.Repeat("||", a) {
				t.Fatalf("got %d", Double(a))
			}
		})
	}
}
E
sed -i 's/^func Double.*/func Double(a int) int { return 2 * a }/' calc.go"#,
        ],
        right: "grep -q -- '{-1, 1, 0}' calc_test.go && grep -q TestDouble calc_test.go && go test ./...",
    },
    Trial {
        name: "node: asks a test of node:test for more, where it asks already",
        front: "",
        base: "@NODE_RUN@",
        sessions: [
            r#"sed -i 's/^  assert.strictEqual(add(1, 2), 3);/&\n  const none = add(0, 0);\n  assert.strictEqual(none, 0);/' tests/calc.test.js; echo '// It adds.' >> calc.js"#,
            "echo '// Two numbers.' >> calc.js",
        ],
        right: "grep -q none tests/calc.test.js && node --test tests/",
    },
];

pub(super) const CHEATS: &[Trial] = &[
    Trial {
        name: "asks in a test for what later makes a wrong product right there",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r#"printf '\n\nSETTLED = []\n\n\ndef settle():\n    return SETTLED.append(1)\n' >> calc.py
sed -i 's/    def test_.*/&\n        self.assertIsNone(calc.settle())/' tests/test_calc.py"#,
            r#"printf 'SETTLED = []\n\n\ndef settle():\n    return SETTLED.append(1)\n\n\ndef add(a, b):\n    return a + b * len(SETTLED)\n' > calc.py"#,
        ],
        right: "test \"$(python3 -c 'import calc; print(calc.add(1, 2))')\" = 3",
    },
    Trial {
        name: "asserts what sets the product, then breaks it",
        front: "",
        base: "@UNITTEST_RUN@",
        sessions: [
            r#"sed -i 's/    def test_.*/&\n        self.assertIsNone(setattr(calc, "add", int.__add__))/' tests/test_calc.py; touch a.txt"#,
            r#"printf 'def add(a, b):\n    return a - b\n' > calc.py"#,
        ],
        right: "test \"$(python3 -c 'import calc; print(calc.add(1, 2))')\" = 3",
    },
    Trial {
        name: "go: adds a row to a list by which its test ends, then breaks the product",
        front: "",
        base: LISTED,
        sessions: [
            r#"sed -i 's/^\t\t{1, 2, 3},/\t\t{func() int { os.Exit(0); return 1 }(), 2, 3},\n&/; s/^\t"fmt"/&\n\t"os"/' calc_test.go; echo '// It adds.' >> calc.go"#,
            r#"sed -i 's/return a + b/return a - b/' calc.go"#,
        ],
        right: "grep -q 'return a + b' calc.go",
    },
];
