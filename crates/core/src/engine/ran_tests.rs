//! What a run of tests said it ran, from what it printed. Tests that were green on the base run after the change too, or
//! something keeps them from it that no list of tricks names.

use super::{evidence, unproven};
use crate::pattern::TextPattern;
use std::collections::BTreeMap;

/// What one run said of its tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RanTests {
    passed: u64,
    /// How many failed, where that is not among what it says ran.
    not_passed: u64,
    /// How many failed, in whichever way it counts them.
    fails: u64,
    /// Whether it says that some failed, however it ended.
    failed: bool,
    /// Whether something that it asks for is not there.
    lacks: bool,
    /// Whether it names tests that were skipped, or that it lets fail.
    skips: bool,
    /// Whether a test without a runner failed, or asks for what the product does not have.
    unmet: bool,
    /// Names of those that passed, where it prints them, and how often.
    names: BTreeMap<String, u32>,
}

/// Words of commands that run a part of the tests, another one each time.
const PARTIAL: &[&str] = &[
    "changed",
    "Changed",
    "affected",
    "--lf",
    "last-failed",
    "testmon",
    "picked",
    "--since",
    "related",
    "git diff",
    "--shard",
    "--partition",
    "GATEWALK_",
];

/// How runners sum up that tests failed.
static FAILED: TextPattern = TextPattern::new(
    r"(?xm)
    ^FAILED\ \((?:failures|errors|unexpected\ successes)= | ^=*\ ?\d+\ failed\b[^\n]*\ in\ [\d.:]+ |
    ^=*\ ?(?:\d+\ \w+,\ )*\d+\ errors?\ in\ [\d.:]+ | ^test\ result:\ FAILED\. | ^(?:\#|ℹ)\ fail\ [1-9] |
    ^\s*Tests:?\s+\d+\ failed | ^\s*\d+\ failing\b | ^FAIL\s+\S+\s+[\d.]+s$ |
    ^Tests\ run:\ \d+,\ (?:Failures:\ [1-9]|Failures:\ 0,\ Errors:\ [1-9]) | ^\d+\ examples?,\ [1-9]\d*\ failures? |
    ^FAIL\s+\S+\s+\[build\ failed\]$ | ^\d+\ (?:runs|tests),\ \d+\ assertions,\ (?:[1-9]\d*\ failures|0\ failures,\ [1-9]\d*\ errors) |
    ^not\ ok\ \d+\b[^\#\n]*$ | ^Result:\ FAIL$ | ^\d+%\ tests\ passed,\ [1-9]\d*\ tests?\ failed\ out\ of |
    ^Tests:\ \d+,\ Assertions:\ \d+,[^\n]*\b(?:Failures|Errors):\ [1-9] | ^(?:\d+\ doctests?,\ )?\d+\ tests?,\ [1-9]\d*\ failures? |
    ^\s*Failed!\s+-\s+Failed:\s+[1-9]",
);

/// How runners that count what passed count what failed beside it; the others count what ran. A word counts for one.
static NOT_PASSED: TextPattern = TextPattern::new(
    r"(?xm)
    (?:^|[=,\ ])(\d+)\ failed\b[^\n]*\ in\ [\d.:]+ | ^test\ result:\ FAILED\.\ \d+\ passed;\ (\d+)\ failed |
    ^(?:\#|ℹ)\ fail\ (\d+) | ^\s*Tests:?\s+(\d+)\ failed | ^\s*(\d+)\ failing\b |
    ^(FAIL)\s+\S+\s+(?:[\d.]+s|\[build\ failed\])$ | ^(not\ ok)\ \d+\ (?:-\ )?[^/\#\n][^\#\n]*$",
);

/// How those that count what ran count what failed.
static FAILS: TextPattern = TextPattern::new(
    r"(?xm)
    ^FAILED\ \((?:failures=(\d+))?(?:,\ )?(?:errors=(\d+))? | ^\d+\ (?:runs|tests),\ \d+\ assertions,\ (\d+)\ failures,\ (\d+)\ errors |
    ^\s*---\ (FAIL):\ | ^\d+%\ tests\ passed,\ (\d+)\ tests?\ failed\ out\ of ",
);

/// How runners name tests that they skipped, or of which they let one fail.
static SKIPS: TextPattern = TextPattern::new(
    r"(?xm)
    \b[1-9]\d*\ (?:tests?\ )?(?:skipped|skips|xfailed|deselected|ignored|pending|todo)\b | \bskipped=[1-9] |
    \bexpected\ failures=[1-9] | ^(?:\#|ℹ)\ (?:skipped|todo)\ [1-9] | \#\ *(?i:skip|todo) | ^\s*---\ SKIP: |
    \b(?i:skipped|pending):\ *[1-9] | \*\*\*(?:Skipped|Not\ Run) | ^[.XFE]*[sx][.sxXFE]*(?:\ +\[.*)?$",
);

/// What is printed where a file or module is not there at all.
static LACKS: TextPattern = TextPattern::new(
    r"(?i)no module named|_FailedTest|cannot find|could not find|not found|no such file|no test target|FileNotFoundError|ENOENT",
);

/// What languages say where a test without a runner failed, or asks for what the product does not have.
static UNMET: TextPattern = TextPattern::new(
    r"(?xm)
    ^AssertionError\b | ^ImportError:\ cannot\ import\ name | ^AttributeError:\  | ^NameError:\  |
    \bAssertionError\ \[ERR_ASSERTION\] | ^TypeError:\ \S+\ is\ not\ a\ (?:function|constructor)$ | ^ReferenceError:\ \S+\ is\ not\ defined$ |
    \bdoes\ not\ provide\ an\ export\ named\b | \berror\ TS(?:2304|2305|2339|2724)\b | \berror\ CS(?:0103|0117|1061)\b |
    \bundefined\ reference\ to\b | ^Undefined\ symbols\ for\ architecture | \berror:\ cannot\ find\ symbol$ | \bUnresolved\ reference\b |
    \bundefined\ (?:local\ variable\ or\ )?method\b | ^Undefined\ subroutine\b | \bCall\ to\ undefined\ (?:function|method)\b |
    ^\S+:\ line\ \d+:\ [\w-]+:\ command\ not\ found$ | ^[\w./-]*[./][\w./-]*:\ \d+:\ [\w-]+:\ not\ found$",
);

/// What cargo prints of a test that passed; examples of the documentation have a blank in their names.
static NAMED: TextPattern = TextPattern::new(r"(?m)^test (\S+) \.\.\. ok$");

/// Most tests that are counted.
const MOST: u64 = 1 << 28;

impl RanTests {
    /// Reads what a command printed; nothing where it runs a part of the tests, another one each time.
    pub(crate) fn of(shell: &str, output: &str) -> Option<RanTests> {
        if PARTIAL.iter().any(|word| shell.contains(word)) {
            return None;
        }
        let plain = unproven::plain(output);
        if plain.is_empty() {
            return Some(RanTests::default());
        }
        let mut names = BTreeMap::new();
        for found in NAMED.captures_iter(&plain) {
            // A module may move with its tests.
            let name = found[1].rsplit("::").next().unwrap_or_default().to_owned();
            *names.entry(name).or_default() += 1;
        }
        Some(RanTests {
            passed: unproven::passed(&plain).min(MOST),
            not_passed: counted(&NOT_PASSED, &plain).min(MOST),
            fails: (counted(&NOT_PASSED, &plain) + counted(&FAILS, &plain)).min(MOST),
            failed: FAILED.is_match(&plain),
            // A command that a test calls in vain is the product's.
            lacks: LACKS.is_match(&plain.replace("ommand not found", "")),
            skips: SKIPS.is_match(&plain),
            unmet: UNMET.is_match(&plain),
            names,
        })
    }

    /// Returns what is worth keeping of it for later runs of this program, as one number.
    pub(crate) fn to_number(&self) -> i32 {
        i32::try_from(self.passed * 2 + u64::from(self.failed)).unwrap_or(i32::MAX)
    }

    /// Returns what a number keeps.
    pub(crate) fn from_number(number: i32) -> RanTests {
        let number = u64::try_from(number).unwrap_or_default();
        RanTests {
            passed: number / 2,
            failed: number % 2 == 1,
            ..RanTests::default()
        }
    }

    /// Returns whether it names tests that were skipped, or that may fail.
    pub(crate) fn skips(&self) -> bool {
        self.skips
    }

    /// Returns how many tests are to pass once nothing of this run fails any more, as one number that is worth keeping.
    pub(crate) fn to_turn_green(&self) -> i32 {
        i32::try_from(self.passed + self.not_passed).unwrap_or(i32::MAX)
    }

    /// Returns how many tests failed, as far as it says so.
    pub(crate) fn fails(&self) -> u64 {
        self.fails
    }

    /// Returns why a green run does not show that as many tests pass as were to.
    pub(crate) fn left_out(&self, to_turn_green: i32) -> Option<String> {
        let asked = u64::try_from(to_turn_green).unwrap_or_default();
        (self.passed < asked).then(|| {
            format!(
                "{} tests ran and passed; on the base {asked} ran or failed, and a test that is skipped is not turned green",
                self.passed
            )
        })
    }

    /// Returns whether tests that were there ran and failed, rather than that there was nothing to run.
    pub(crate) fn really_failed(&self) -> bool {
        self.failed && !self.lacks || self.unmet
    }

    /// Returns why a green run does not show what this one of the base showed.
    pub(crate) fn lost(&self, now: &RanTests) -> Option<String> {
        if now.failed && !self.failed {
            return Some("it ended with 0, and its own report names tests that failed".to_owned());
        }
        if now.passed < self.passed {
            return Some(format!(
                "{} tests ran and passed; on the base {} did",
                now.passed, self.passed
            ));
        }
        let gone = |(name, count): &(&String, &u32)| now.names.get(*name).copied() < Some(**count);
        let gone: Vec<&str> = self
            .names
            .iter()
            .filter(gone)
            .map(|(n, _)| n.as_str())
            .collect();
        (!gone.is_empty() && !now.names.is_empty()).then(|| {
            let names = evidence::first_named(&gone, evidence::NAMED);
            format!("tests that passed on the base did not run: {names}")
        })
    }
}

/// Returns the sum of the numbers that are found; a word counts for one.
fn counted(pattern: &TextPattern, plain: &str) -> u64 {
    let found = pattern.captures_iter(plain);
    let counts = found.map(|found| {
        let counts = found.iter().skip(1).flatten();
        let counts = counts.map(|count| count.as_str().parse::<u64>().unwrap_or(1));
        counts.fold(0, u64::saturating_add)
    });
    counts.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(output: &str) -> RanTests {
        RanTests::of("make check", output).unwrap()
    }

    #[test]
    fn a_green_run_that_shows_less_than_the_base_is_distinguished_from_one_that_does_not() {
        let cargo = |names: &[&str]| {
            let lines: String = names.iter().map(|n| format!("test {n} ... ok\n")).collect();
            format!("{lines}test result: ok. {} passed; 0 failed\n", names.len())
        };
        let (one, two) = (cargo(&["a::x"]), cargo(&["a::x", "y"]));
        for (base, now, want) in [
            ("3 passed in 0.1s", "3 passed in 0.2s", ""),
            ("3 passed in 0.1s", "4 passed in 0.2s", ""),
            (
                "3 passed in 0.1s",
                "2 passed, 1 skipped in 0.2s",
                "2 tests ran",
            ),
            (
                "Ran 1 test in 0.1s\n\nOK\n",
                "Ran 1 test in 0.1s\n\nFAILED (failures=1)\n",
                "names tests",
            ),
            ("1 failed, 2 passed in 1s", "1 failed, 2 passed in 1s", ""),
            ("...  [100%]\n", "..s  [100%]\n", "2 tests ran"),
            ("...  [100%]\n", "....  [ 80%]\n.  [100%]\n", ""),
            (
                "ok  \ta/b\t0.1s\nok  \ta/c\t0.1s\n",
                "ok  \ta/b\t0.1s\n",
                "1 tests ran",
            ),
            (
                "2 passed and 0 failed.\nTest passed.",
                "1 passed.\nTest passed.",
                "1 tests ran",
            ),
            ("# pass 2\n# fail 0", "# pass 2\n# fail 1", "names tests"),
            ("done", "done", ""),
            (&two, &one, "1 tests ran"),
            (&two, &cargo(&["b::x", "c::y"]), ""),
            (&two, &cargo(&["a::x", "z"]), "did not run: y"),
            (&two, "test result: ok. 2 passed; 0 failed\n", ""),
        ] {
            let lost = ran(base).lost(&ran(now)).unwrap_or_default();
            assert!(
                lost.contains(want) && lost.is_empty() == want.is_empty(),
                "{base} | {now}: {lost}"
            );
        }
    }

    #[test]
    fn what_was_red_is_turned_green_by_tests_that_pass_and_not_by_tests_that_are_skipped() {
        for (red, green, fine) in [
            ("1 failed, 2 passed in 1s", "3 passed in 1s", true),
            (
                "1 failed, 2 passed in 1s",
                "2 passed, 1 skipped in 1s",
                false,
            ),
            (
                "1 failed, 2 passed in 1s",
                "2 passed, 1 xfailed in 1s",
                false,
            ),
            // What could not be read may hold any number of tests.
            ("1 error in 1s", "1 passed in 1s", true),
            ("1 passed, 1 error in 1s", "1 passed in 1s", true),
            (
                "Ran 2 tests in 1s\n\nFAILED (errors=1)\n",
                "Ran 2 tests in 1s\n\nOK\n",
                true,
            ),
            (
                "Ran 2 tests in 1s\n\nFAILED (errors=1)\n",
                "Ran 2 tests in 1s\n\nOK (skipped=1)\n",
                false,
            ),
            ("1..2\nok 1 a\nnot ok 2 b\n", "1..2\nok 1 a\nok 2 b\n", true),
            (
                "1..2\nok 1 a\nnot ok 2 b\n",
                "1..2\nok 1 a\nok 2 b # skip later\n",
                false,
            ),
            (
                "not ok 1 - /r/tests/a.test.js\n# pass 0\n# fail 1\n",
                "ok 1 - adds\n# pass 1\n# fail 0\n",
                true,
            ),
            (
                "# pass 1\n# fail 1\n",
                "# pass 1\n# fail 0\n# todo 1\n",
                false,
            ),
            (
                "FAIL\tcalc [build failed]\nok  \tcalc/a\t0.1s\n",
                "ok  \tcalc\t0.1s\nok  \tcalc/a\t0.1s\n",
                true,
            ),
            (
                "--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\tcalc\t0.1s\n",
                "ok  \tcalc\t0.1s\n",
                true,
            ),
            (
                "test result: FAILED. 1 passed; 1 failed; 0 ignored\n",
                "test result: ok. 1 passed; 0 failed; 1 ignored\n",
                false,
            ),
            (
                "Tests:  1 failed, 1 passed, 2 total",
                "Tests:  1 skipped, 1 passed, 2 total",
                false,
            ),
            ("wrong", "done", true),
        ] {
            let left_out = ran(green).left_out(ran(red).to_turn_green());
            assert_eq!(left_out.is_none(), fine, "{red} | {green}: {left_out:?}");
            assert!(fine || ran(green).skips(), "{green}");
        }
    }

    #[test]
    fn failures_are_counted_however_a_runner_counts_them() {
        for (output, want) in [
            ("Ran 3 tests in 0.1s\n\nFAILED (failures=2, errors=1)\n", 3),
            ("Ran 3 tests in 0.1s\n\nFAILED (errors=1, skipped=1)\n", 1),
            ("Ran 3 tests in 0.1s\n\nOK\n", 0),
            ("3 runs, 3 assertions, 1 failures, 1 errors, 0 skips", 2),
            ("1 failed, 2 passed in 1s", 1),
            ("test result: FAILED. 1 passed; 2 failed; 0 ignored", 2),
            ("# pass 1\n# fail 2\n", 2),
            ("1..2\nok 1 a\nnot ok 2 b\n", 1),
            ("50% tests passed, 1 tests failed out of 2", 1),
            ("wrong", 0),
        ] {
            assert_eq!(ran(output).fails(), want, "{output}");
        }
    }

    #[test]
    fn what_is_kept_of_a_run_is_how_many_passed_and_whether_it_names_failures() {
        for (output, passed, failed) in [
            ("3 passed in 0.1s", 3, false),
            ("1 failed, 3 passed in 0.1s", 3, true),
            ("nothing", 0, false),
        ] {
            let kept = RanTests::from_number(ran(output).to_number());
            assert_eq!((kept.passed, kept.failed), (passed, failed), "{output}");
        }
        assert_eq!(RanTests::from_number(-1), RanTests::default());
    }

    #[test]
    fn a_command_that_runs_other_tests_each_time_is_held_against_nothing() {
        assert_eq!(RanTests::of("jest --onlyChanged", "1 passed in 1s"), None);
        assert_eq!(RanTests::of("pytest --lf", "1 passed in 1s"), None);
    }

    #[test]
    fn tests_that_ran_and_failed_are_distinguished_from_tests_that_are_not_there() {
        for (output, want) in [
            ("FAILED (failures=1)", true),
            (
                "FAILED (errors=1)\nAttributeError: module 'calc' has no attribute 'double'",
                true,
            ),
            (
                "FAILED (errors=1)\nModuleNotFoundError: No module named 'tests.later'",
                false,
            ),
            ("ERROR: file or directory not found: tests/x.py", false),
            ("no tests ran in 0.01s", false),
            ("2 errors in 0.1s", true),
            (
                "# calc\n./later_test.go:6:5: undefined: Double\nFAIL\tcalc [build failed]\nFAIL\n",
                true,
            ),
            (
                "./a_test.go:3:8: cannot find package\nFAIL\tcalc [build failed]\n",
                false,
            ),
            ("1 runs, 0 assertions, 0 failures, 1 errors, 0 skips", true),
            ("1 runs, 1 assertions, 0 failures, 0 errors, 0 skips", false),
            (
                "1..1\nnot ok 1 doubles\n# tests/later.bats: line 6: double: command not found\n",
                true,
            ),
            ("1..1\nnot ok 1 doubles # TODO later\n", false),
            (
                "a.c:(.text+0xa): undefined reference to `doubled'\ncollect2: error: ld returned 1 exit status\n",
                true,
            ),
            (
                "a.c:1:10: fatal error: doubled.h: No such file or directory\n",
                false,
            ),
            (
                "Traceback (most recent call last):\n  File \"tests/later.py\", line 3\nAttributeError: module 'calc' has no attribute 'double'\n",
                true,
            ),
            (
                "python3: can't open file 'tests/later.py': [Errno 2] No such file or directory\n",
                false,
            ),
            (
                "TypeError: double is not a function\n    at a.js:2:5\n",
                true,
            ),
            ("Error: Cannot find module './later.js'\n", false),
            ("tests/run.sh: line 5: double: command not found\n", true),
            ("tests/run.sh: 5: double: not found\n", true),
            ("sh: 1: bats: not found\n", false),
            ("sh: 1: tests/run.sh: not found\n", false),
            (
                "CalcTest.java:3: error: cannot find symbol\n  symbol: method twice\n",
                true,
            ),
            (
                "Undefined subroutine &Calc::double called at t/a.t line 3.",
                true,
            ),
            ("Result: FAIL", true),
            ("50% tests passed, 1 tests failed out of 2", true),
            ("100% tests passed, 0 tests failed out of 2", false),
            ("Tests: 2, Assertions: 2, Failures: 1.", true),
            ("1 doctest, 2 tests, 1 failure", true),
            ("2 tests, 0 failures", false),
            (
                "Failed!  - Failed:     1, Passed:     0, Skipped:     0",
                true,
            ),
            ("1 passed in 0.1s", false),
        ] {
            assert_eq!(ran(output).really_failed(), want, "{output}");
        }
    }
}
