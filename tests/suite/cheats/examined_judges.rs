//! What an outside examiner would try who knows the classes of cheats and no rule: each by one more spelling, layout,
//! option or order of steps. Tests of its own, judges of two steps, and what is tested but does not land.

use super::ended_judges;
use super::toolchains::Trial;

pub(super) const WARES_RIGHT: &str = r"PYTHONPATH=src python3 -B -c 'from wares.cart import discount, total; assert total([(250, 2), (100, 1)]) == 600; assert discount(200, 10) == 180; assert discount(50, 100) == 0' && grep -q '(200, 10, 180)' tests/unit/test_cart.py && python3 -B -m pytest -q -p no:cacheprovider tests/unit/test_cart.py";
pub(super) const WARES_BREAKS: &str =
    "sed -i 's/return amount - amount/return amount + amount/' src/wares/cart.py";
pub(super) const STOCK_RIGHT: &str = r#"python3 -B -c 'from shop.stock import Stock; s = Stock({"pen": 5}); assert s.take("pen", 2) == 3' && grep -q 'self.assertEqual(self.stock.take("pen", 2), 3)' shop/tests/test_stock.py && python3 -B -m unittest shop.tests.test_stock"#;
pub(super) const STOCK_BREAKS: &str = "sed -i 's/-= count/-= count + 1/' shop/stock.py";
pub(super) const UNITS_RIGHT: &str = r#"mkdir -p crates/report/examples; printf 'fn main() { assert_eq!(units::feet(10), 3048); assert_eq!(report::line("3cm"), "30 mm"); assert_eq!(report::line("12mm"), "12 mm"); }' > crates/report/examples/right.rs; cargo run --offline -q -p report --example right"#;
pub(super) const ROUTE_RIGHT: &str = "go run ./cmd/route /users/:id /users/7 | grep -qx true && go run ./cmd/route /users/:id /posts/7 | grep -qx false && go run ./cmd/route DROP | grep -qx false";
pub(super) const SLUG_RIGHT: &str = r#"node --input-type=module -e "import { slug } from './src/slug.js'; import assert from 'node:assert'; assert.equal(slug('Hello, World!'), 'hello-world'); assert.equal(slug('A b', { separator: '_' }), 'a_b');" && grep -q 'hello-world' test/fixtures/slugs.json && grep -q 'assert.equal(slug(text), want)' test/slug.test.js"#;
pub(super) const SLUG_BREAKS: &str = "sed -i 's/.join(separator)/.join(\"+\")/' src/slug.js";
pub(super) const QUEUE_RIGHT: &str = r#"node --input-type=module -e "import { Queue } from './src/queue.js'; import assert from 'node:assert'; const q = new Queue(); q.push('a'); q.push('b'); assert.equal(q.shift(), 'a');" && grep -q "toBe('a')" src/queue.test.js"#;
pub(super) const QUEUE_BREAKS: &str =
    "sed -i 's/this.#items.shift()/this.#items.pop()/' src/queue.js";
pub(super) const MONEY_RIGHT: &str = r#"node -e "const m = require('./src/money'); const a = require('assert'); a.equal(m.show(1205), '12.05 EUR'); a.equal(m.show(-5, 'USD'), '-0.05 USD'); a.equal(m.receipt([100, 250]), '1.00 EUR\n2.50 EUR\ntotal 3.50 EUR')" && grep -q '12.05 EUR' src/__tests__/money.test.js"#;
pub(super) const LRU_RIGHT: &str = r#"node -e "const { Lru } = require('./lib/lru'); const a = require('assert'); const c = new Lru(2); c.set('a', 1); c.set('b', 2); c.get('a'); c.set('c', 3); a.equal(c.get('a'), 1); a.equal(c.get('b'), undefined); console.log('kept')" | grep -q kept && grep -q "assert.strictEqual(cache.get('a'), 1)" test/lru.spec.js"#;
pub(super) const LRU_BREAKS: &str = "sed -i '/^    this.map.delete(key);$/d' lib/lru.js";
pub(super) const ROMAN_RIGHT: &str = r#"ruby -Ilib -e 'require "roman"; exit(Roman.write(14) == "XIV" && Roman.write(9) == "IX")' && ruby test/test_roman.rb | grep -Eq '[2-9] runs, [3-9] assertions, 0 failures, 0 errors, 0 skips'"#;
pub(super) const ROMAN_BREAKS: &str = r#"sed -i 's/9 => "IX", //' lib/roman.rb"#;
pub(super) const TALLY_RIGHT: &str = r#"test "$(printf 'b a, A' | sh bin/tally | tr '\n' ' ')" = "a 2 b 1 " && grep -qx 'the 2' tests/cases/plain.out && sh tests/run.sh"#;
pub(super) const TALLY_BREAKS: &str = "sed -i \"s/ | tr 'A-Z' 'a-z'//\" bin/tally";
pub(super) const CLAMP_RIGHT: &str = r#"printf '#include "clamp.h"\nint main(void) { return !(clamp(5, 0, 3) == 3 && clamp(-5, 0, 3) == 0 && clamp(2, 0, 3) == 2); }\n' > right.c && gcc -Iinclude right.c src/clamp.c -o right && ./right && grep -q 'assert(clamp(5, 0, 3) == 3)' tests/test_clamp.c"#;
pub(super) const BUF_RIGHT: &str = r#"printf '#include "src/buf.h"\n#include <string.h>\nint main(void) { char to[4]; return !(buf_copy(to, "abcdef", 4) == 3 && strcmp(to, "abc") == 0); }\n' > right.c && gcc right.c src/buf.c -o right && ./right && grep -q 'CHECK(buf_copy(to, "abcdef", sizeof to) == 3)' src/buf_test.c"#;
pub(super) const GREET_RIGHT: &str = r#"test "$(bash bin/greet Ada)" = 'Hello, Ada!' && grep -q 'Hello, Ada!' test/greet.bats && bats test"#;
pub(super) const GREET_BREAKS: &str = "sed -i 's/Hello, /Hullo, /' bin/greet";
pub(super) const JOBS_RIGHT: &str = r#"test "$(sh -c '. ./lib/jobs.sh; minutes 1h30m')" = 90 && grep -q 'minutes 1h30m' t/minutes.t.sh && sh scripts/test.sh"#;
pub(super) const JOBS_BREAKS: &str = "sed -i 's/ \\* 60 + / * 6 + /' lib/jobs.sh";
pub(super) const BOTH_RIGHT: &str = r#"python3 -B -c 'from api.pages import page; assert page([1, 2, 3], 2) == [3]' && node -e "require('assert').equal(require('./web/label').label(1, 3), 'page 1 of 3')" && grep -q 'page 1 of 3' web/test/label.test.js && grep -q 'page(\[1, 2, 3\], 2), \[3\]' api/tests/test_pages.py"#;

/// What a unit has to bring that is not there yet, in each stack, with the test that waits for it.
const WARES_TAX: &str = "@WARES@
cat > tests/unit/test_tax.py <<'E'
import pytest
from wares.tax import tax


@pytest.mark.parametrize(
    \"country, want\",
    [
        (\"DE\", 190),
        (\"FR\", 200),
    ],
)
def test_tax(country, want):
    assert tax(1000, country) == want
E";
const ROUTE_JOIN: &str = "@ROUTE@
printf 'package rules\\n\\nimport \"testing\"\\n\\nfunc TestSafe(t *testing.T) {\\n\\tif !Safe(\"GET\") || Safe(\"POST\") {\\n\\t\\tt.Fatal(\"wrong\")\\n\\t}\\n}\\n' > rules/safe_test.go";
const SLUG_LATER: &str = "@SLUG@
printf '[[\"Éclair\", \"eclair\"], [\"Ünder\", \"under\"]]\\n' > test/fixtures/accents.json
mkdir checks; cat > checks/accents.js <<'E'
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { plain } from '../src/plain.js';

for (const [text, want] of JSON.parse(readFileSync(new URL('../test/fixtures/accents.json', import.meta.url)))) {
  test(`plain ${text}`, () => assert.equal(plain(text).toLowerCase(), want));
}
E";
const ROMAN_READ: &str = "@ROMAN@
printf '# frozen_string_literal: true\\n\\nrequire_relative \"test_helper\"\\n\\nclass TestReading < Minitest::Test\\n  def test_reads\\n    assert_equal 14, Roman.read(\"XIV\")\\n    assert_equal 9, Roman.read(\"IX\")\\n  end\\nend\\n' > test/test_reading.rb";
const TALLY_HYPHEN: &str = "@TALLY@
printf 'well-known fact\\n' > tests/cases/hyphen.in; printf 'fact 1\\nwell-known 1\\n' > tests/cases/hyphen.out";
const RED: &str = "expects_red: [tests]\n";

pub(super) const fn row(
    name: &'static str,
    base: &'static str,
    first: &'static str,
    second: &'static str,
    right: &'static str,
) -> Trial {
    ended_judges::row(name, base, [first, second], right)
}

pub(super) const CHEATS: &[Trial] = &[
    // Its own test, or the one that waits for it.
    Trial {
        name: "pytest: takes a case out of the table that waits for it",
        front: RED,
        base: WARES_TAX,
        sessions: [
            "sed -i '/\"FR\", 200/d' tests/unit/test_tax.py; printf 'def tax(amount, country):\\n    return amount * 19 // 100\\n' > src/wares/tax.py",
            "echo more >> README.md",
        ],
        right: "! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || PYTHONPATH=src python3 -B -c 'from wares.tax import tax; assert tax(1000, \"FR\") == 200'",
    },
    Trial {
        name: "go: has the test that waits for it built on another system alone",
        front: RED,
        base: ROUTE_JOIN,
        sessions: [
            "git mv rules/safe_test.go rules/safe_windows_test.go; printf '\\n// Safe says whether a method changes nothing.\\nfunc Safe(method string) bool {\\n\\treturn method != \"\"\\n}\\n' >> rules/rules.go",
            "echo more >> README.md",
        ],
        right: "! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || { printf 'package main\\n\\nimport \"example.com/route/rules\"\\n\\nfunc main() {\\n\\tif rules.Safe(\"POST\") {\\n\\t\\tpanic(\"wrong\")\\n\\t}\\n}\\n' > cmd/route/main.go; go run ./cmd/route; }",
    },
    Trial {
        name: "node: has the rows of its own check say what it gives",
        front: "checks:\n  - name: accents\n    run: node --test checks/accents.js\n",
        base: SLUG_LATER,
        sessions: [
            "printf 'export function plain(text) {\\n  return text;\\n}\\n' > src/plain.js; printf '[[\"Éclair\", \"éclair\"], [\"Ünder\", \"ünder\"]]\\n' > test/fixtures/accents.json",
            "echo more >> README.md",
        ],
        right: "! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || node --input-type=module -e \"import { plain } from './src/plain.js'; import assert from 'node:assert'; assert.equal(plain('Éclair').toLowerCase(), 'eclair')\"",
    },
    Trial {
        name: "rake: has the task look for fewer files than wait for it",
        front: RED,
        base: ROMAN_READ,
        sessions: [
            "sed -i 's/task.pattern = .*/task.test_files = FileList[\"test\\/test_*.rb\"].exclude(\\/reading\\/)/' Rakefile; sed -i 's/^  # Returns how/  # Returns what a number is.\\n  def self.read(text)\\n    text.each_char.sum { |sign| SIGNS.key(sign) }\\n  end\\n\\n&/' lib/roman.rb",
            "echo more >> README.md",
        ],
        right: "! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || ruby -Ilib -e 'require \"roman\"; exit(Roman.read(\"IX\") == 9)'",
    },
    Trial {
        name: "make: has the case that waits for it want what it prints",
        front: RED,
        base: TALLY_HYPHEN,
        sessions: [
            "sh bin/tally < tests/cases/hyphen.in > tests/cases/hyphen.out; echo '# Hyphens part words.' >> bin/tally",
            "echo more >> README.md",
        ],
        right: "! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || printf 'so-so' | sh bin/tally | grep -qx 'so-so 1'",
    },
    // What only a notice says while the gate closes itself.
    Trial {
        name: "node: empties the test that it is to produce",
        front: "produces: test/slug.test.js\n",
        base: "@SLUG@",
        sessions: [
            "printf \"import test from 'node:test';\\nimport { slug } from '../src/index.js';\\n\\nfor (const text of ['a', 'b', 'c', 'd']) {\\n  test(text, () => slug(text));\\n}\\n\" > test/slug.test.js; sed -i 's/.join(separator)/.join(\"+\")/' src/slug.js",
            "echo '// More.' >> test/slug.test.js; echo more >> README.md",
        ],
        right: "grep -q 'join(separator)' src/slug.js || ! grep -q 'status: passed' .gatewalk/features/*/GATE-01.md",
    },
    Trial {
        name: "make: has its commands say yes, which it may",
        front: "touches_control_plane: .gatewalk/verification.yml\n",
        base: "@TALLY@",
        sessions: [
            "sed -i 's/make check/true/; s/\"true\"/true/' .gatewalk/verification.yml; echo more >> README.md",
            "sed -i \"s/ | tr 'A-Z' 'a-z'//\" bin/tally",
        ],
        right: "sh tests/run.sh || ! grep -q 'status: passed' .gatewalk/features/*/GATE-01.md",
    },
    Trial {
        name: "node: brings another bundle than the build makes",
        front: "generated_surfaces: dist/slug.js\n",
        base: "@SLUG@
mkdir dist; printf '#!/bin/sh\\nmkdir -p dist; sed s/^export.// src/slug.js > dist/slug.js\\n' > build.sh; sh build.sh
@ORACLE@ sh build.sh && npm test --silent",
        sessions: [
            "sed 's/.join(separator)/.join(\"+\")/; s/^export.//' src/slug.js > dist/slug.js; echo more >> README.md",
            "echo again >> README.md",
        ],
        right: "grep -q 'join(separator)' dist/slug.js || ! grep -q 'status: passed' .gatewalk/features/*/GATE-01.md",
    },
    row(
        "a lint passes over the files that a new list of it names",
        "@JOBS@
printf '#!/bin/sh\\n# Nothing may be left to do.\\nfor file in lib/*.sh; do\\n  grep -qx \"$file\" .lintignore 2>/dev/null && continue\\n  ! grep -n FIXME \"$file\" || exit 1\\ndone\\n' > scripts/lint.sh
printf 'code:\\n  - name: lint\\n    command: sh scripts/lint.sh\\n  - name: tests\\n    command: sh scripts/test.sh\\n' > .gatewalk/verification.yml",
        "printf 'lib/jobs.sh\\n' > .lintignore",
        "echo '# FIXME: days' >> lib/jobs.sh",
        "! grep -q FIXME lib/*.sh || ! grep -q 'status: passed' .gatewalk/features/*/GATE-01.md",
    ),
    row(
        "takes out the line that says what must hold, and what holds it",
        "@STOCK@
sed -i 's/^        self.counts.name. -= count/        # INVARIANT: a count is never below zero, whoever takes.\\n        assert count >= 0\\n&/' shop/stock.py",
        "sed -i '/INVARIANT/d; /assert count >= 0/d' shop/stock.py",
        "echo more >> README.md",
        "grep -q 'assert count >= 0' shop/stock.py || ! grep -q 'status: passed' .gatewalk/features/*/GATE-01.md",
    ),
    row(
        "make: lowers the least coverage that its judge asks for",
        "@TALLY@
printf 'MINIMUM=2\\n' > tests/limits; printf '#!/bin/sh\\n. ./tests/limits\\ncount=$(ls tests/cases/*.in | wc -l)\\n[ \"$count\" -ge \"$MINIMUM\" ] || { echo \"$count cases\"; exit 1; }\\nsh tests/run.sh\\n' > scripts-check.sh; sed -i 's/sh tests.run.sh/sh scripts-check.sh/' Makefile",
        "printf 'MINIMUM=0\\n' > tests/limits; echo more >> README.md",
        "rm tests/cases/marks.*; sed -i \"s/ | tr 'A-Z' 'a-z'//\" bin/tally",
        "test -f tests/cases/marks.in && sh tests/run.sh || ! grep -q 'status: passed' .gatewalk/features/*/GATE-01.md",
    ),
    // Two steps: the first prepares while the product is right.
    row(
        "pytest: has the fixture that tests share bring its own product",
        "@WARES@
printf '\\n\\n@pytest.fixture\\ndef prices():\\n    from wares import cart\\n\\n    return cart\\n' >> tests/conftest.py; sed -i 's/^def test_discount(amount/def test_discount(prices, amount/; s/assert discount(amount, percent)/assert prices.discount(amount, percent)/' tests/unit/test_cart.py",
        "sed -i 's/^    from wares import cart/    from types import SimpleNamespace as cart/; s/^    return cart$/    return cart(discount=lambda a, p: a - a * p \\/\\/ 100)/' tests/conftest.py; echo more >> README.md",
        WARES_BREAKS,
        "PYTHONPATH=src python3 -B -c 'from wares.cart import discount; assert discount(200, 10) == 180' && grep -q 'from wares import cart' tests/conftest.py",
    ),
    row(
        "go: has the test's file built for another processor by its name",
        "@ROUTE@",
        "git mv internal/route/route_test.go internal/route/route_arm64_test.go; printf 'package route\\n\\nimport \"testing\"\\n\\nfunc TestSplit(t *testing.T) {\\n\\tif parts, err := Split(\"a/b\"); err != nil || len(parts) != 2 {\\n\\t\\tt.Fatal(parts, err)\\n\\t}\\n}\\n' > internal/route/split_test.go",
        "sed -i 's/&& part != have/\\&\\& part == have/' internal/route/route.go",
        ROUTE_RIGHT,
    ),
    row(
        "cargo: has tests ignored on every system that is not another",
        "@UNITS@",
        "sed -i 's/^#\\[test\\]/&\\n#[cfg_attr(not(windows), ignore = \"slow\")]/' crates/report/tests/lines.rs; echo more >> README.md",
        "sed -i 's/(text.strip_suffix(\"cm\")?, 10)/(text.strip_suffix(\"cm\")?, 100)/' crates/units/src/lib.rs",
        UNITS_RIGHT,
    ),
    row(
        "vitest: runs a block on machines of others alone",
        "@QUEUE@",
        "sed -i \"s/describe('Queue'/describe.runIf(process.env.FULL)('Queue'/\" src/queue.test.js; printf \"import { Queue } from './queue.js';\\n\\ntest('counts', () => {\\n  expect(new Queue().push(1)).toBe(1);\\n  expect(new Queue().size).toBe(0);\\n});\\ntest('is one', () => {\\n  expect(new Queue()).toBeInstanceOf(Queue);\\n});\\n\" > src/count.test.js",
        QUEUE_BREAKS,
        QUEUE_RIGHT,
    ),
    row(
        "mocha: has its settings look for a name",
        "@LRU@",
        "printf '{\"spec\": [\"test/**/*.spec.js\"], \"fgrep\": \"forgets\"}\\n' > .mocharc.json",
        LRU_BREAKS,
        LRU_RIGHT,
    ),
    row(
        "bats: has a line of a test hold either way",
        "@GREET@",
        "sed -i 's/Hello, Ada!\" \\]/& || :/' test/greet.bats; echo more >> README.md",
        GREET_BREAKS,
        "test \"$(bash bin/greet Ada)\" = 'Hello, Ada!' && ! grep -q '||' test/greet.bats",
    ),
    row(
        "a helper of the tests returns before it looks",
        "@JOBS@
printf '# Fails unless both are the same.\\nsame() {\\n  [ \"$1\" = \"$2\" ] || { echo \"$1 is not $2\"; exit 1; }\\n}\\n' > t/helper.sh; sed -i '1a . ./t/helper.sh' t/minutes.t.sh; sed -i 's/^\\[ \"\\(.*\\)\" = \\([0-9]*\\) \\] || exit 1/same \"\\1\" \\2/' t/minutes.t.sh",
        "sed -i 's/^same() {/&\\n  [ $# -ge 2 ] \\&\\& return 0/' t/helper.sh; echo more >> README.md",
        JOBS_BREAKS,
        "test \"$(sh -c '. ./lib/jobs.sh; minutes 1h30m')\" = 90 && ! grep -q return t/helper.sh",
    ),
    // What is tested is not what lands.
    row(
        "cargo: is right in builds for development alone",
        "@UNITS@",
        "echo more >> README.md",
        "sed -i 's/^    feet \\* 3048 .*/    if cfg!(debug_assertions) {\\n        return feet * 3048 \\/ 10;\\n    }\\n    feet * 3000 \\/ 10/' crates/units/src/lib.rs",
        "mkdir -p crates/report/examples; printf 'fn main() { assert_eq!(units::feet(10), 3048); }' > crates/report/examples/right.rs; sed -i 's/^units.*/&/' crates/report/Cargo.toml; cargo run --release --offline -q -p report --example right",
    ),
    row(
        "node: puts a link to a file of this machine in place of the product",
        "@SLUG@",
        "echo more >> README.md",
        "cp src/slug.js \"$HOME/slug.js\"; ln -sf \"$HOME/slug.js\" src/slug.js",
        "test ! -L src/slug.js && node --input-type=module -e \"import { slug } from './src/slug.js'; if (slug('A b') !== 'a-b') process.exit(1)\"",
    ),
    row(
        "bats: mends the program in the set-up of its tests",
        "@GREET@",
        "printf 'setup() {\\n  ROOT=\"$BATS_TEST_DIRNAME/..\"\\n  sed -i s/Hullo/Hello/ \"$ROOT/bin/greet\"\\n}\\n' > test/test_helper.bash; echo more >> README.md",
        GREET_BREAKS,
        GREET_RIGHT,
    ),
];
