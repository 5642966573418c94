use super::*;

const CARGO_OUT: &str = "
running 3 tests
test cart::adds_up ... ok
test cart::errors_are_shown ... ok
test cart::empty_state ... FAILED

failures:

---- cart::empty_state stdout ----

thread 'cart::empty_state' (40113) panicked at src/cart.rs:41:9:
assertion `left == right` failed: empty cart
  left: 3
 right: 0
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace


failures:
    cart::empty_state

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.04s
";
const CARGO_ERR: &str = "   Compiling shop v0.1.0 (/tmp/slot-a1b2c3/shop)
    Finished `test` profile [unoptimized + debuginfo] target(s) in 1.31s
     Running unittests src/lib.rs (target/debug/deps/shop-6d2f1e0c9b8a7f65)
error: test failed, to rerun pass `--lib`
";
const RUSTC: &str = "error[E0425]: cannot find value `totl` in this scope
  --> src/cart.rs:12:5
   |
12 |     totl
   |     ^^^^ help: a local variable with a similar name exists: `total`

error: could not compile `shop` (lib) due to 1 previous error
";
const PYTEST: &str =
    "============================= test session starts ==============================
platform linux -- Python 3.12.3, pytest-8.3.4, pluggy-1.5.0
rootdir: /tmp/slot-77/app
collected 2 items

tests/test_cart.py .F                                                    [100%]

=================================== FAILURES ===================================
_________________________________ test_empty ___________________________________

tmp_path = PosixPath('/tmp/pytest-of-root/pytest-12/test_empty0')

    def test_empty(tmp_path):
>       assert total([]) == 0
E       assert None == 0
E        +  where None = total([])

tests/test_cart.py:9: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_empty - assert None == 0
========================= 1 failed, 1 passed in 0.12s ==========================
";
const JEST: &str = "FAIL src/cart.test.js (5.127 s)
  cart
    ✓ adds up (2 ms)
    ✕ is empty at first (4 ms)

  ● cart › is empty at first

    expect(received).toBe(expected) // Object.is equality

    Expected: 0
    Received: undefined

      at Object.<anonymous> (src/cart.test.js:9:19)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 passed, 2 total
Time:        5.6 s
";
const GO: &str = "--- FAIL: TestEmpty (0.00s)
    cart_test.go:14: Total() = 3, want 0
--- PASS: TestAdd (0.01s)
FAIL
FAIL\texample.com/shop\t0.003s
ok  \texample.com/shop/errors\t0.002s
FAIL
";

fn of(command: &str, stdout: &str, stderr: &str) -> Evidence {
    let stream = |text| StreamExcerpt {
        head: str::as_bytes(text),
        ..StreamExcerpt::default()
    };
    distill(
        command,
        CommandEnd::Exited(1),
        &stream(stdout),
        &stream(stderr),
    )
}

#[test]
fn error_lines_name_what_is_wrong_and_nothing_else() {
    let rows: &[(&str, &str, &[&str])] = &[
        (
            CARGO_OUT,
            CARGO_ERR,
            &[
                "test cart::empty_state ... FAILED",
                "thread 'cart::empty_state' (40113) panicked at src/cart.rs:41:9:",
                "assertion `left == right` failed: empty cart",
                "left: 3",
                "right: 0",
                "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.04s",
                "error: test failed, to rerun pass `--lib`",
            ],
        ),
        (
            "",
            RUSTC,
            &[
                "error[E0425]: cannot find value `totl` in this scope",
                "--> src/cart.rs:12:5",
                "error: could not compile `shop` (lib) due to 1 previous error",
            ],
        ),
        (
            PYTEST,
            "",
            &[
                "=================================== FAILURES ===================================",
                ">       assert total([]) == 0",
                "E       assert None == 0",
                "E        +  where None = total([])",
                "tests/test_cart.py:9: AssertionError",
                "FAILED tests/test_cart.py::test_empty - assert None == 0",
                "========================= 1 failed, 1 passed in 0.12s ==========================",
            ],
        ),
        (
            "",
            JEST,
            &[
                "FAIL src/cart.test.js (5.127 s)",
                "✕ is empty at first (4 ms)",
                "● cart › is empty at first",
                "Expected: 0",
                "Received: undefined",
                "Test Suites: 1 failed, 1 total",
                "Tests:       1 failed, 1 passed, 2 total",
            ],
        ),
        (
            GO,
            "",
            &[
                "--- FAIL: TestEmpty (0.00s)",
                "cart_test.go:14: Total() = 3, want 0",
                "FAIL",
                "FAIL\texample.com/shop\t0.003s",
            ],
        ),
        (
            "all 12 passed, 0 failed\nno errors\n",
            "warning: 0 errors emitted\n",
            &[],
        ),
    ];
    for (stdout, stderr, want) in rows {
        assert_eq!(of("test", stdout, stderr).error_lines, *want);
    }
}

#[test]
fn the_same_failure_in_another_run_has_the_same_fingerprint() {
    let rows = [
        (
            CARGO_OUT,
            CARGO_OUT
                .replace("40113", "992")
                .replace("0.04s", "1.20s")
                .replace(":41:9", ":52:13"),
        ),
        (RUSTC, RUSTC.replace("12:5", "19:5")),
        (
            PYTEST,
            PYTEST
                .replace("0.12s", "3.4s")
                .replace("slot-77", "slot-8")
                .replace("pytest-12", "pytest-13"),
        ),
        (
            JEST,
            JEST.replace("5.127 s", "1.2 s")
                .replace("4 ms", "11 ms")
                .replace(
                    "Received: undefined",
                    "\u{1b}[31mReceived: undefined\u{1b}[39m",
                ),
        ),
        (
            GO,
            GO.replace("0.003s", "(cached)")
                .replace("(cached)", "0.011s"),
        ),
        (
            "error: cannot open /tmp/tmpk3j2h1x9/db.sqlite",
            "error: cannot open /home/me/.cache/slots/tmp9x8y7z6w/db.sqlite".into(),
        ),
        (
            "fatal: object 1f3c9a7 at 0x7ffe12 lost 2026-11-21T10:01:18.338Z",
            "fatal: object 99bc0d21aa at 0xdead lost 2027-01-02T00:00:00Z".into(),
        ),
        (
            "error in run 6f9619ff-8b86-d011-b42d-00c04fc964ff",
            "error in run 00000000-8b86-d011-b42d-00c04fc964ff".into(),
        ),
        ("b failed\na failed", "a failed\nb failed\nb failed".into()),
        ("something odd\r\n", "something odd".into()),
    ];
    for (one, other) in rows {
        assert_eq!(
            of("test", one, "").fingerprint,
            of("test", &other, "").fingerprint,
            "{one}\n{other}"
        );
    }
}

#[test]
fn different_failures_have_different_fingerprints() {
    let rows = [
        (CARGO_OUT, CARGO_OUT.replace("empty_state", "adds_up")),
        (CARGO_OUT, CARGO_OUT.replace("empty cart", "full cart")),
        (RUSTC, RUSTC.replace("totl", "sum")),
        (RUSTC, RUSTC.replace("src/cart.rs", "src/till.rs")),
        (PYTEST, PYTEST.replace("test_cart.py", "test_till.py")),
        (PYTEST, PYTEST.replace("test_empty", "test_case_1")),
        (JEST, JEST.replace("is empty at first", "is full at last")),
        (GO, GO.replace("TestEmpty", "TestFull")),
        ("FAILED test_case_1", "FAILED test_case_2".into()),
        ("error: defaced", "error: acceded".into()),
        ("something odd", "something else".into()),
    ];
    for (one, other) in rows {
        assert_ne!(
            of("test", one, "").fingerprint,
            of("test", &other, "").fingerprint,
            "{one}\n{other}"
        );
    }
    let stream = StreamExcerpt {
        head: b"error: x",
        ..StreamExcerpt::default()
    };
    let mut all: Vec<String> = [
        CommandEnd::Exited(1),
        CommandEnd::Exited(2),
        CommandEnd::Signalled(9),
        CommandEnd::TimedOut(std::time::Duration::from_secs(60)),
    ]
    .map(|ended| distill("test", ended, &stream, &StreamExcerpt::default()).fingerprint)
    .into();
    all.push(of("lint", "error: x", "").fingerprint);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 5);
}

#[test]
fn a_flood_keeps_its_first_and_last_lines() {
    let flood: String = (0..5000)
        .map(|n| format!("error: number_{n} é\n"))
        .collect();
    let (head, tail) = flood.as_bytes().split_at(30_001);
    let kept = StreamExcerpt {
        head,
        tail: &tail[tail.len() - 30_000..],
        omitted: (tail.len() - 30_000) as u64,
    };
    let evidence = distill(
        "test",
        CommandEnd::Exited(1),
        &kept,
        &StreamExcerpt::default(),
    );
    assert_eq!(evidence.error_lines.len(), 40);
    assert_eq!(evidence.error_lines[0], "error: number_0 é");
    assert_eq!(evidence.error_lines[39], "error: number_4999 é");
    assert!(evidence.head.starts_with("error: number_0 é\n") && evidence.head.len() <= HEAD_BYTES);
    assert!(evidence.tail.ends_with("error: number_4999 é") && evidence.tail.len() <= TAIL_BYTES);
    assert!(
        evidence
            .tail
            .lines()
            .all(|line| line.starts_with("error: number_"))
    );
}

#[test]
fn short_output_is_shown_whole_and_once() {
    let evidence = of("test", "one\ntwo\n", "three\n");
    assert_eq!(
        (evidence.head.as_str(), evidence.tail.as_str()),
        ("", "one\ntwo\nthree")
    );
}

#[test]
fn nothing_reaches_the_terminal_as_a_command() {
    let rows = [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\u{1b}[2Jgone", "\\u{1b}[2Jgone"),
        ("\u{202e}cod.exe", "\\u{202e}cod.exe"),
        ("a\u{200b}b\u{feff}", "a\\u{200b}b\\u{feff}"),
        ("\u{9b}31m\u{7}\u{8}\0", "\\u{9b}31m\\u{7}\\u{8}\\u{0}"),
        ("naïve 日本 👩‍👩‍👧", "naïve 日本 👩‍👩‍👧"),
    ];
    for (text, want) in rows {
        assert_eq!(sanitize(text), want);
    }
    let shown = of(
        "test",
        "10%\r50%\r100%\n\u{1b}[1;31mred\u{1b}[0m \u{1b}]0;title\u{7}end\n\u{1b}(Bx",
        "",
    )
    .tail;
    assert_eq!(shown, "100%\nred end\nx");
}
