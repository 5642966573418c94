use super::*;

fn check(runner: &str, shell: &str, output: &str, proven: bool) {
    let why = why(shell, output);
    assert_eq!(why.is_none(), proven, "{runner}: {why:?}\n{output}");
}

#[test]
fn runs_that_ran_nothing_are_distinguished_from_runs_that_did() {
    let cargo_nothing = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let cargo_some = "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let cargo_ignored = "running 2 tests\ntest a ... ignored\n\ntest result: ok. 0 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    for (runner, shell, output, proven) in [
        ("cargo, nothing", "cargo test", cargo_nothing, false),
        (
            "cargo, one binary of two",
            "cargo test",
            &format!("{cargo_nothing}\n{cargo_some}"),
            true,
        ),
        (
            "cargo, all ignored",
            "cargo test --locked",
            cargo_ignored,
            false,
        ),
        (
            "cargo, all filtered out",
            "cargo test nope",
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.00s\n",
            false,
        ),
        (
            "cargo, forced exit",
            "cargo test",
            "   Compiling x v0.1.0\n     Running unittests src/lib.rs\n\nrunning 3 tests\n",
            false,
        ),
        (
            "cargo, compiled only",
            "cargo test --no-run",
            "  Executable unittests src/lib.rs\n",
            true,
        ),
        (
            "doctest, some",
            "python3 -m doctest -v calc.py",
            "1 items passed all tests:\n   1 tests in calc.add\n1 tests in 2 items.\n1 passed and 0 failed.\nTest passed.\n",
            true,
        ),
        (
            "doctest, nothing",
            "python3 -m doctest -v calc.py",
            "2 items had no tests:\n    calc\n    calc.add\n0 tests in 2 items.\n0 passed and 0 failed.\nTest passed.\n",
            false,
        ),
        (
            "nextest",
            "cargo nextest run",
            "     Summary [   0.012s] 3 tests run: 3 passed, 0 skipped\n",
            true,
        ),
        (
            "nextest, nothing",
            "cargo nextest run",
            "     Summary [   0.000s] 0 tests run: 0 passed, 3 skipped\n",
            false,
        ),
        (
            "nextest, error words",
            "cargo nextest run",
            "error: no tests to run\n",
            false,
        ),
        (
            "pytest",
            "pytest",
            "collected 3 items\n\ntests/test_a.py ...   [100%]\n\n============================== 3 passed in 0.01s ===============================\n",
            true,
        ),
        (
            "pytest -q",
            "pytest -q",
            "...                                          [100%]\n3 passed in 0.01s\n",
            true,
        ),
        (
            "pytest, some skipped",
            "pytest",
            "=================== 2 passed, 1 skipped in 0.02s ===================\n",
            true,
        ),
        (
            "pytest, warnings",
            "pytest",
            "======= 1 skipped, 2 passed, 4 warnings in 61.02s (0:01:01) =======\n",
            true,
        ),
        (
            "pytest, nothing",
            "pytest",
            "collected 0 items\n\n============================ no tests ran in 0.00s =============================\n",
            false,
        ),
        (
            "pytest, all skipped",
            "pytest",
            "============================== 3 skipped in 0.01s ==============================\n",
            false,
        ),
        (
            "pytest, deselected",
            "pytest -k x -q",
            "3 deselected in 0.01s\n",
            false,
        ),
        (
            "pytest, os._exit(0)",
            "pytest",
            "collected 3 items\n\ntests/test_a.py ",
            false,
        ),
        ("pytest, summary off", "pytest -qq", "...   [100%]\n", true),
        (
            "pytest, quiet by settings",
            "pytest -q",
            "....  [ 80%]\n.     [100%]\n",
            true,
        ),
        (
            "pytest, quiet and counting",
            "pytest -q -q",
            "..s   [3/3]\n",
            true,
        ),
        (
            "pytest, quiet without a share",
            "python -m pytest -qq -s",
            ".s.\n",
            true,
        ),
        (
            "pytest, quiet and skipped",
            "pytest -qq",
            "ss    [100%]\n",
            false,
        ),
        (
            "pytest, quiet and ended",
            "pytest -qq",
            "....  [ 80%]\n..",
            false,
        ),
        ("pytest, quiet and ended early", "pytest -qq", "", false),
        (
            "pytest, quiet and ended between",
            "pytest -qq",
            "..    [2/3]\n",
            false,
        ),
        (
            "unittest",
            "python -m unittest",
            "...\n----------------------------------------------------------------------\nRan 3 tests in 0.000s\n\nOK\n",
            true,
        ),
        (
            "unittest, nothing",
            "python3 -m unittest",
            "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n",
            false,
        ),
        (
            "jest",
            "npx jest",
            "Test Suites: 1 passed, 1 total\nTests:       1 skipped, 3 passed, 4 total\nSnapshots:   0 total\n",
            true,
        ),
        (
            "jest, nothing",
            "jest --passWithNoTests",
            "No tests found, exiting with code 0\n",
            false,
        ),
        (
            "jest, all skipped",
            "jest",
            "Test Suites: 1 skipped, 0 of 1 total\nTests:       3 skipped, 3 total\n",
            false,
        ),
        (
            "vitest",
            "vitest run",
            " Test Files  1 passed (1)\n      Tests  3 passed (3)\n",
            true,
        ),
        (
            "vitest, some skipped",
            "vitest run",
            "      Tests  2 passed | 1 skipped (3)\n",
            true,
        ),
        (
            "vitest, nothing",
            "vitest run --passWithNoTests",
            "No test files found, exiting with code 0\n",
            false,
        ),
        (
            "vitest, all skipped",
            "vitest run",
            " Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n",
            false,
        ),
        ("mocha", "mocha", "\n  3 passing (4ms)\n  1 pending\n", true),
        ("mocha, nothing", "mocha", "\n  0 passing (1ms)\n", false),
        (
            "mocha, all pending",
            "mocha",
            "\n  0 passing (1ms)\n  3 pending\n",
            false,
        ),
        (
            "node",
            "node --test",
            "# tests 3\n# suites 0\n# pass 3\n# fail 0\n",
            true,
        ),
        (
            "node, spec",
            "node --test",
            "ℹ tests 3\nℹ pass 3\nℹ fail 0\n",
            true,
        ),
        (
            "node, nothing",
            "node --test",
            "# tests 0\n# suites 0\n# pass 0\n# fail 0\n",
            false,
        ),
        (
            "go",
            "go test ./...",
            "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.003s\n",
            true,
        ),
        (
            "go, cached",
            "go test ./...",
            "ok  \texample.com/b\t(cached)\n",
            true,
        ),
        (
            "go, nothing",
            "go test ./...",
            "?   \texample.com/a\t[no test files]\n",
            false,
        ),
        (
            "go, no match",
            "go test -run X ./...",
            "ok  \texample.com/b\t0.003s [no tests to run]\n",
            false,
        ),
        (
            "maven",
            "mvn -q verify",
            "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n",
            true,
        ),
        (
            "maven, nothing",
            "mvn verify",
            "[INFO] No tests to run.\n",
            false,
        ),
        (
            "maven, all skipped",
            "mvn verify",
            "[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 3\n",
            false,
        ),
        ("maven, quiet", "mvn -q verify", "", true),
        (
            "gradle",
            "./gradlew check",
            "> Task :test\n\nBUILD SUCCESSFUL in 2s\n",
            true,
        ),
        (
            "gradle, nothing",
            "./gradlew check",
            "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 2s\n",
            false,
        ),
        (
            "dotnet",
            "dotnet test",
            "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 12 ms\n",
            true,
        ),
        (
            "dotnet, nothing",
            "dotnet test",
            "No test is available in /x/bin/a.dll.\n",
            false,
        ),
        (
            "dotnet, all skipped",
            "dotnet test",
            "Skipped! - Failed:     0, Passed:     0, Skipped:     3, Total:     3\n",
            false,
        ),
        (
            "ctest",
            "ctest",
            "100% tests passed, 0 tests failed out of 3\n",
            true,
        ),
        ("ctest 4", "ctest", "100% tests passed out of 1\n", true),
        ("ctest, nothing", "ctest", "No tests were found!!!\n", false),
        (
            "rspec",
            "rspec",
            "3 examples, 0 failures, 1 pending\n",
            true,
        ),
        (
            "rspec, nothing",
            "rspec",
            "No examples found.\n\n0 examples, 0 failures\n",
            false,
        ),
        (
            "rspec, all pending",
            "rspec",
            "3 examples, 0 failures, 3 pending\n",
            false,
        ),
        ("phpunit", "phpunit", "OK (3 tests, 5 assertions)\n", true),
        ("phpunit, nothing", "phpunit", "No tests executed!\n", false),
        (
            "phpunit, all skipped",
            "phpunit",
            "OK, but some tests were skipped!\nTests: 3, Assertions: 0, Skipped: 3.\n",
            false,
        ),
        (
            "bats",
            "bats tests",
            "1..2\nok 1 adds\nok 2 removes\n",
            true,
        ),
        (
            "bats, pretty",
            "bats tests",
            " ✓ adds\n\n1 test, 0 failures\n",
            true,
        ),
        ("bats, nothing", "bats tests", "1..0\n", false),
        (
            "bats, all skipped",
            "bats tests",
            "1..2\nok 1 adds # skip\nok 2 removes # skip later\n",
            false,
        ),
        (
            "colour",
            "pytest",
            "\u{1b}[32m=== \u{1b}[1m3 passed\u{1b}[0m\u{1b}[32m in 0.01s\u{1b}[0m ===\n",
            true,
        ),
    ] {
        check(runner, shell, output, proven);
    }
}

#[test]
fn what_is_no_known_runner_is_trusted() {
    for (shell, output) in [
        ("sh tests/run.sh", ""),
        ("make test", "all good\n"),
        ("npm test", "> app@1.0.0 test\n> sh run.sh\n"),
        ("cargo build --locked", "    Finished `dev` profile\n"),
        ("cargo clippy", ""),
        ("pytest | tee log", ""),
        ("pytest > log", ""),
        ("test -f README.md", ""),
        ("go vet ./...", ""),
        ("A=1 mkdir x", ""),
        ("grep -q jest package.json", ""),
    ] {
        check(shell, shell, output, true);
    }
}

#[test]
fn launchers_and_variables_do_not_hide_a_runner() {
    for (shell, runner) in [
        ("cargo test", Some("cargo test")),
        ("RUST_LOG=x cargo test --locked", Some("cargo test")),
        ("cd sub && npx vitest run", Some("vitest")),
        ("cargo testing", None),
        ("cargo test; cat log", None),
        ("cargo test --format=json", None),
    ] {
        assert_eq!(named_runner(shell), runner, "{shell}");
    }
}

#[test]
fn what_counts_as_passed_and_is_no_test_proves_nothing() {
    let ctest = |state: &str, n: u32| {
        format!(
            "    Start 1: a\n1/1 Test #1: a ................................{state}   0.00 sec\n\n100% tests passed, 0 tests failed out of {n}\n\nTotal Test time (real) =   0.01 sec\n"
        )
    };
    for (runner, shell, output, proven) in [
        (
            "unittest, all skipped",
            "make test",
            "ss\n-----\nRan 2 tests in 0.000s\n\nOK (skipped=2)\n",
            false,
        ),
        (
            "unittest, one skipped",
            "python -m unittest",
            "s.\n-----\nRan 2 tests in 0.000s\n\nOK (skipped=1)\n",
            true,
        ),
        (
            "unittest, skipped and expected",
            "make test",
            "sx\n-----\nRan 2 tests in 0.001s\n\nOK (skipped=1, expected failures=1)\n",
            true,
        ),
        (
            "unittest 3.12, all skipped",
            "make test",
            "ss\n-----\nRan 2 tests in 0.000s\n\nNO TESTS RAN (skipped=2)\n",
            false,
        ),
        (
            "pytest, expected failures only",
            "make test",
            "1 skipped, 2 xfailed in 0.02s\n",
            false,
        ),
        (
            "node, a file without a test",
            "node --test",
            "TAP version 13\n# Subtest: /s/test/a.test.js\nok 1 - /s/test/a.test.js\n  ---\n  duration_ms: 188.03\n  ...\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n",
            false,
        ),
        (
            "node, a file without a test, told to a user",
            "npm test",
            "✔ /s/test/a.test.mjs (41.9ms)\nℹ tests 1\nℹ pass 1\nℹ fail 0\n",
            false,
        ),
        (
            "node, one test in two files",
            "npm test",
            "✔ adds (0.5ms)\n✔ /s/test/a.test.mjs (41.9ms)\nℹ tests 2\nℹ pass 2\nℹ fail 0\n",
            true,
        ),
        (
            "node, nothing",
            "node --test",
            "TAP version 13\n1..0\n# tests 0\n# pass 0\n",
            false,
        ),
        (
            "go, covered without tests",
            "go test -cover ./...",
            "ok  \texample/a\t0.002s\tcoverage: 0.0% of statements [no tests to run]\n",
            false,
        ),
        (
            "go, without statements or tests",
            "go test -cover ./...",
            "ok  \texample/a\t0.002s\tcoverage: [no statements] [no tests to run]\n",
            false,
        ),
        (
            "go, without statements",
            "go test -cover ./...",
            "ok  \texample/a\t0.002s\tcoverage: [no statements]\n",
            true,
        ),
        (
            "go, covered",
            "go test -cover ./...",
            "ok  \texample/a\t(cached)\tcoverage: 81.3% of statements in ./...\n",
            true,
        ),
        (
            "go, all skipped",
            "go test -v ./...",
            "=== RUN   TestA\n    a_test.go:5: later\n--- SKIP: TestA (0.00s)\nPASS\nok  \texample/a\t0.002s\n",
            false,
        ),
        (
            "go, one skipped",
            "go test -v ./...",
            "=== RUN   TestA\n--- SKIP: TestA (0.00s)\n=== RUN   TestB\n--- PASS: TestB (0.00s)\nPASS\nok  \texample/a\t0.002s\n",
            true,
        ),
        (
            "maven, told to skip",
            "mvn -B test",
            "[INFO] --- surefire:3.2.5:test (default-test) @ a ---\n[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n",
            false,
        ),
        (
            "maven, one module skipped",
            "mvn -B test",
            "[INFO] Tests are skipped.\n[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s\n[INFO] BUILD SUCCESS\n",
            true,
        ),
        (
            "gradle, switched off",
            "./gradlew test",
            "> Task :compileJava\n> Task :test SKIPPED\n\nBUILD SUCCESSFUL in 1s\n",
            false,
        ),
        (
            "dotnet, new platform",
            "dotnet test",
            "Test run summary: Passed!\n  total: 3\n  failed: 0\n  succeeded: 3\n  skipped: 0\n  duration: 1s 2ms\n",
            true,
        ),
        (
            "dotnet, new platform, all skipped",
            "dotnet test",
            "Test run summary: Passed!\n  total: 3\n  failed: 0\n  succeeded: 0\n  skipped: 3\n",
            false,
        ),
        (
            "dotnet, on a terminal",
            "dotnet test",
            "Test summary: total: 3, failed: 0, succeeded: 3, skipped: 0, duration: 1.2s\n",
            true,
        ),
        (
            "dotnet, on a terminal, none",
            "dotnet test",
            "Test summary: total: 0, failed: 0, succeeded: 0, skipped: 0, duration: 1.2s\n",
            false,
        ),
        ("ctest, skipped", "ctest", &ctest("***Skipped", 1), false),
        (
            "ctest, disabled",
            "ctest",
            &ctest("***Not Run (Disabled)", 0),
            false,
        ),
        ("ctest, passed", "ctest", &ctest("   Passed ", 1), true),
        (
            "phpunit, with deprecations",
            "phpunit",
            "OK, but there were issues!\nTests: 3, Assertions: 3, PHPUnit Deprecations: 1.\n",
            true,
        ),
        (
            "phpunit, all incomplete",
            "phpunit",
            "OK, but incomplete, skipped, or risky tests!\nTests: 2, Assertions: 0, Incomplete: 2.\n",
            false,
        ),
        (
            "vitest, no tests",
            "vitest run",
            " Test Files  1 passed (1)\n      Tests  no tests\n",
            false,
        ),
        (
            "jest, none",
            "npm test",
            "Tests:       0 total\nSnapshots:   0 total\n",
            false,
        ),
        (
            "mocha, all pending",
            "mocha",
            "\n  0 passing (2ms)\n  3 pending\n",
            false,
        ),
        (
            "bats, all skipped",
            "bats test",
            " - a (skipped)\n\n1 test, 0 failures, 1 skipped\n",
            false,
        ),
    ] {
        check(runner, shell, output, proven);
    }
}
