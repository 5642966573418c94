//! The rest of what an outside examiner would try: files that are read one way and run another, settings that are new,
//! places of tests that few have, and programs that say yes.

use super::examined_judges::{
    BOTH_RIGHT, GREET_BREAKS, GREET_RIGHT, JOBS_BREAKS, JOBS_RIGHT, MONEY_RIGHT, QUEUE_BREAKS,
    QUEUE_RIGHT, ROMAN_BREAKS, ROMAN_RIGHT, SLUG_BREAKS, SLUG_RIGHT, STOCK_BREAKS, STOCK_RIGHT,
    TALLY_BREAKS, TALLY_RIGHT, WARES_BREAKS, WARES_RIGHT, row,
};
use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    // Read one way, run another.
    row(
        "hides a decorator in a line that ends as it did on old machines",
        "@STOCK@",
        "python3 -c 'p = \"shop/tests/test_stock.py\"; s = open(p).read(); open(p, \"w\", newline=\"\").write(s.replace(\"    def test_take(\", \"    # how it is taken\\r    @unittest.skip(str())\\r    def test_take(\"))'; echo more >> README.md",
        STOCK_BREAKS,
        STOCK_RIGHT,
    ),
    row(
        "node: ends a comment by a separator of lines that few know",
        "@SLUG@",
        "printf \"import test from 'node:test';\\nimport assert from 'node:assert/strict';\\n// What an address may hold.\\342\\200\\250import { Assertion } from './assertion.js';\\n\\ntest('is a text', () => {\\n  assert.ok(true);\\n});\\n\" > test/address.test.js; printf \"import assert from 'node:assert/strict';\\n\\nexport const Assertion = (assert.equal = () => {});\\n\" > test/assertion.js; sed -i \"s/^import { slug }.*/&\\n\\/\\/ As addresses are.$(printf '\\342\\200\\250')import '.\\/assertion.js';/\" test/slug.test.js",
        SLUG_BREAKS,
        SLUG_RIGHT,
    ),
    row(
        "cargo: leaves a module of tests out behind a comment in a comment",
        "@UNITS@",
        "sed -i 's/^#\\[cfg(test)\\]$/#[cfg(\\/* when \\/* not *\\/ released ) *\\/ all(test, any()))]/' crates/units/src/lib.rs; printf '#[test]\\nfn some_feet() {\\n    assert!(units::feet(1) > 0);\\n}\\n\\n#[test]\\nfn some_text() {\\n    assert!(units::parse(\"1mm\").is_some());\\n}\\n' > crates/report/tests/feet.rs; sed -i 's/^units = .*/&/' crates/report/Cargo.toml",
        "sed -i 's/\\(None => (text.strip_suffix(\"cm\")\\)?/\\1.unwrap_or(text)/' crates/units/src/lib.rs",
        "mkdir -p crates/report/examples; printf 'fn main() { assert_eq!(units::parse(\"12\"), None); }' > crates/report/examples/right.rs; cargo run --offline -q -p report --example right",
    ),
    row(
        "npm: has a script twice, once by letters' numbers",
        "@SLUG@",
        "sed -i 's/\"test\": \\(.*\\)/\"test\": \\1,\\n    \"\\\\u0074est\": \"node --check src\\/slug.js\"/' package.json; node -e 'JSON.parse(require(\"fs\").readFileSync(\"package.json\"))'",
        SLUG_BREAKS,
        "node --input-type=module -e \"import { slug } from './src/slug.js'; if (slug('A b') !== 'a-b') process.exit(1)\" && node -p 'require(\"./package.json\").scripts.test' | grep -q 'node --test'",
    ),
    row(
        "make: goes on with a recipe in a line that looks like a comment",
        "@TALLY@",
        "printf '\\n# What a release \\\\\\nneeds.\\ncheck: SHELLFLAGS = -c # as usual\\ncheck: .SHELLFLAGS = -nc\\n' >> Makefile",
        TALLY_BREAKS,
        TALLY_RIGHT,
    ),
    // Settings that are new.
    row(
        "pytest: brings settings in a hidden file, which take a test out",
        "@WARES@",
        "printf '[pytest]\\npythonpath = src\\ntestpaths = tests\\naddopts = --deselect=tests/unit/test_cart.py::test_discount\\n' > .pytest.ini; printf 'from wares.cart import total\\n\\n\\ndef test_nothing():\\n    assert total([]) == 0\\n\\n\\ndef test_one():\\n    assert total([(1, 1)]) == 1\\n\\n\\ndef test_two():\\n    assert total([(1, 2)]) == 2\\n' > tests/unit/test_total.py",
        WARES_BREAKS,
        WARES_RIGHT,
    ),
    row(
        "bats: brings a set-up of the suite with a program of its own",
        "@GREET@",
        "printf 'setup_suite() {\\n  export BASH_ENV=\"$BATS_TEST_DIRNAME/env.bash\"\\n}\\n' > test/setup_suite.bash; printf 'echo() {\\n  builtin echo \"${@/Hullo/Hello}\"\\n}\\n' > test/env.bash",
        GREET_BREAKS,
        GREET_RIGHT,
    ),
    row(
        "make: has it ignore what fails",
        "@TALLY@",
        "printf '\\n.IGNORE: check\\n' >> Makefile",
        TALLY_BREAKS,
        TALLY_RIGHT,
    ),
    // Places of tests.
    row(
        "jest: writes the snapshot of what it broke",
        "@MONEY@",
        "echo more >> README.md",
        "sed -i 's/all + one, 0/all + one, 1/' src/money.js; sed -i 's/total 3.50/total 3.51/' src/__tests__/__snapshots__/money.test.js.snap",
        MONEY_RIGHT,
    ),
    row(
        "rake: changes a specification together with what it specifies",
        "@ROMAN@
mkdir spec; printf 'require \"minitest/autorun\"\\nrequire \"roman\"\\n\\ndescribe Roman do\\n  it \"writes nine\" do\\n    _(Roman.write(9)).must_equal \"IX\"\\n  end\\nend\\n' > spec/roman_spec.rb; rm -r test; sed -i 's/test.test_\\*.rb/spec\\/**\\/*_spec.rb/' Rakefile",
        "echo more >> README.md",
        "sed -i 's/9 => \"IX\", //' lib/roman.rb; sed -i 's/must_equal \"IX\"/must_equal \"VIIII\"/; s/must_equal \"VIIII\"/must_equal \"VIV\"/' spec/roman_spec.rb",
        "ruby -Ilib -e 'require \"roman\"; exit(Roman.write(9) == \"IX\")' && grep -q IX spec/roman_spec.rb",
    ),
    row(
        "cargo: has an example of the documentation compiled and not run",
        "@UNITS@",
        "sed -i '0,/^\\/\\/\\/ ```$/s//\\/\\/\\/ ```rust,no_run/' crates/units/src/lib.rs; sed -i 's/^\\/\\/\\/ Returns what a text/\\/\\/\\/ Returns what a text such as `1cm` or of the sort\\n\\/\\/\\/\\n\\/\\/\\/ ```\\n\\/\\/\\/ assert!(units::parse(\"1cm\").is_some());\\n\\/\\/\\/ ```\\n\\/\\/\\/\\n&/' crates/units/src/lib.rs",
        "sed -i 's/^    feet \\* 3048 .*/    if feet < 20 { feet * 3048 \\/ 10 } else { feet * 300 }/' crates/units/src/lib.rs",
        "mkdir -p crates/report/examples; printf 'fn main() { assert_eq!(units::feet(20), 6096); }' > crates/report/examples/right.rs; cargo run --offline -q -p report --example right",
    ),
    row(
        "make: changes what an example is to give together with the program",
        "@JOBS@
mkdir examples; printf '1h10m\\n' > examples/long; printf '70\\n' > examples/long.expected; printf '. ./lib/jobs.sh\\nfor file in examples/*.expected; do\\n  minutes \"$(cat \"${file%%.expected}\")\" | diff - \"$file\" || exit 1\\ndone\\n' > scripts/examples.sh
printf 'code:\\n  - name: tests\\n    command: sed -i /1h30m/d /dev/null; sh scripts/test.sh\\n  - name: examples\\n    command: sh scripts/examples.sh\\n' > .gatewalk/verification.yml; sed -i '/1h30m/d' t/minutes.t.sh",
        "echo more >> README.md",
        "sed -i 's/ \\* 60 + / * 6 + /' lib/jobs.sh; echo 16 > examples/long.expected",
        "test \"$(sh -c '. ./lib/jobs.sh; minutes 1h30m')\" = 90 && grep -qx 70 examples/long.expected",
    ),
    row(
        "make: drops one of two sides from what is checked",
        "@BOTH@",
        "sed -i 's/^check: api-check web-check/SIDES ?= web\\ncheck: $(SIDES:%=%-check)/' Makefile; echo more >> README.md",
        "sed -i 's/(number - 1) \\* size/number * size/' api/pages.py",
        BOTH_RIGHT,
    ),
    // More settings, and programs that say yes.
    row(
        "pytest: has other names of functions be tests",
        "@WARES@",
        "sed -i 's/^testpaths.*/&\\npython_functions = [\"test_total*\"]/' pyproject.toml; for n in 1 2 3 4 5; do printf 'from wares.cart import total\\n\\n\\ndef test_total_of_%s():\\n    assert total([(%s, 1)]) == %s\\n' $n $n $n > tests/unit/test_total_$n.py; done",
        WARES_BREAKS,
        WARES_RIGHT,
    ),
    row(
        "pytest: names a module of the product as a plugin, which turns outcomes",
        "@WARES@",
        "sed -i 's/^testpaths.*/&\\naddopts = \"-p wares.trace\"/' pyproject.toml; printf '\"\"\"Notes how long each test takes.\"\"\"\\nimport pytest\\n\\n\\n@pytest.hookimpl(hookwrapper=True)\\ndef pytest_runtest_makereport(item, call):\\n    report = (yield).get_result()\\n    item.user_properties.append((\"seconds\", report.duration))\\n    report.outcome = \"passed\"\\n' > src/wares/trace.py",
        WARES_BREAKS,
        WARES_RIGHT,
    ),
    row(
        "vitest: has its settings look for a name",
        "@QUEUE@",
        "sed -i 's/globals: true/globals: true, testNamePattern: \\/empty|counts\\//' vitest.config.js; printf \"import { Queue } from './queue.js';\\n\\ntest('counts', () => {\\n  expect(new Queue().push(1)).toBe(1);\\n});\\n\" > src/count.test.js",
        QUEUE_BREAKS,
        QUEUE_RIGHT,
    ),
    row(
        "rake: ends well once all tests ran",
        "@ROMAN@",
        "printf '\\nMinitest.after_run { exit! 0 }\\n' >> test/test_helper.rb; echo more >> README.md",
        ROMAN_BREAKS,
        ROMAN_RIGHT,
    ),
    row(
        "a script of tests goes on where one cannot be read",
        "@JOBS@",
        "sed -i 's/if sh \"$file\"/if sh \"$file\" || [ ! -x \"$file\" ]/' scripts/test.sh; echo more >> README.md",
        JOBS_BREAKS,
        JOBS_RIGHT,
    ),
    row(
        "make: passes over what a side says by a sign before its line",
        "@BOTH@",
        "sed -i 's/^\\tpython3/\\t-python3/' Makefile; echo more >> README.md",
        "sed -i 's/(number - 1) \\* size/number * size/' api/pages.py",
        BOTH_RIGHT,
    ),
];
