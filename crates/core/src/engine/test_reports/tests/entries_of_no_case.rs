//! What runners write where something around their cases broke, and the same case written twice: work that mends either is not
//! refused for what it no longer names.

use super::*;

fn judged(format: ReportFormat, base: &str, work: &str, exit: i32) -> String {
    let report = |text: &str| read(format, text.as_bytes(), "/slots/v-0").expect(text);
    match judge(&report(base), &report(work), exit, &rules(None, false)) {
        CaseJudgement::Passed(inherited) => format!("passed: {}", inherited.join(", ")),
        CaseJudgement::Failed(lines) => format!("failed: {}", lines.join("; ")),
        CaseJudgement::Unproven(why) => format!("unproven: {why}"),
    }
}

#[test]
fn junit_entries_that_stand_for_a_class_a_file_or_a_hook_are_no_cases() {
    for (entry, want) in [
        // Maven, of a class whose set-up fails; Gradle; go-junit-report.
        (
            r#"<testcase name="" classname="com.x.T"><error/></testcase>"#,
            "!com.x.T",
        ),
        (
            r#"<testcase name="" classname="com.x.T"><skipped/></testcase>"#,
            "~com.x.T",
        ),
        (
            r#"<testcase name="initializationError" classname="T"><failure/></testcase>"#,
            "!T::initializationError",
        ),
        (
            r#"<testcase name="[build failed]" classname="m/c"><error/></testcase>"#,
            "!m/c::[build failed]",
        ),
        // jest-junit, Vitest, Node, Mocha.
        (
            r#"<testcase name="b.test.js" classname="Test suite failed to run"><error/></testcase>"#,
            "!Test suite failed to run::b.test.js",
        ),
        (
            r#"<testcase name="S" classname="S"><failure/></testcase>"#,
            "!S > S",
        ),
        (
            r#"<testcase name="/slots/v-0/a/b.test.mjs" classname="test"><failure/></testcase>"#,
            "-S > a/b.test.mjs",
        ),
        (
            r#"<testcase name="&quot;before all&quot; hook for &quot;x&quot;" classname="c"><failure/></testcase>"#,
            "!c::\"before all\" hook for \"x\"",
        ),
        // unittest, of a module that it could not import.
        (
            r#"<testcase name="test_b" classname="unittest.loader._FailedTest"><error/></testcase>"#,
            "!unittest.loader._FailedTest::test_b",
        ),
        (
            r#"<testcase name="" classname="com.x.T"/>"#,
            "unreadable: the report has a case without a name",
        ),
    ] {
        check(
            Junit,
            &format!(r#"<testsuite name="S">{entry}</testsuite>"#),
            want,
        );
    }
    let top = r#"<testsuites><testcase name="/slots/v-0/b.test.js" classname="test"><failure/></testcase></testsuites>"#;
    check(Junit, top, "!b.test.js");
    let parts = |name: &str| {
        format!(
            r#"<testsuite name="{name}"><testcase name="test_s (i=1)" classname="T"><failure/></testcase></testsuite>"#
        )
    };
    check(Junit, &parts("t.T-20261122200010"), "!T::test_s (i=1)");
    check(Junit, &parts("t.T"), "-T::test_s (i=1)");
}

#[test]
fn a_suite_that_is_named_only_where_its_set_up_fails_is_no_case() {
    let suite = |hook: &str, x: &str| {
        format!(
            r#"<testsuites><testsuite name="a.test.js"><testcase classname="a.test.js" name="adds"/><testcase classname="a.test.js" name="hook &gt; x">{x}</testcase>{hook}</testsuite></testsuites>"#
        )
    };
    let broken = suite(
        r#"<testcase classname="a.test.js" name="hook"><failure/></testcase>"#,
        "<skipped/>",
    );
    check(
        Junit,
        &broken,
        "+a.test.js::adds !a.test.js::hook ~a.test.js::hook > x",
    );
    assert_eq!(judged(Junit, &broken, &suite("", ""), 0), "passed: ");
    let back = judged(Junit, &suite("", ""), &broken, 1);
    assert!(
        back.starts_with(
            "failed: a.test.js::hook: fails and did not before; a.test.js::hook > x: ran before"
        ),
        "{back}"
    );
}

#[test]
fn pytest_s_teardown_and_reruns_are_of_the_case_they_stand_beside() {
    let suite = |cases: &str| {
        format!(r#"<testsuites><testsuite name="pytest">{cases}</testsuite></testsuites>"#)
    };
    let case = |inner: &str| format!(r#"<testcase classname="t" name="a">{inner}</testcase>"#);
    let late = r#"<error message="failed on teardown with &quot;x&quot;"/>"#;
    let twice = suite(&(case("<failure/>") + &case(late)));
    check(Junit, &twice, "-t::a");
    check(Junit, &twice.replace("\"pytest\"", "\"mine\""), "-t::a");
    check(Junit, &suite(&(case("<skipped/>") + &case(""))), "+t::a");
    check(Junit, &suite(&(case("") + &case("<skipped/>"))), "+t::a");
    let other = twice
        .replace("\"pytest\"", "\"mine\"")
        .replace(late, "<error/>");
    check(Junit, &other, "-t::a -t::a");
    assert_eq!(judged(Junit, &twice, &suite(&case("")), 0), "passed: ");
    // Two runs in one file, each with its cases.
    let runs = format!(
        "<testsuites>{0}{0}</testsuites>",
        r#"<testsuite name="pytest"><testcase classname="t" name="a"/></testsuite>"#
    );
    check(Junit, &runs, "+t::a +t::a");
}

#[test]
fn letters_that_no_xml_may_hold_do_not_hide_a_report() {
    let text = "<testsuite name=\"s\"><testcase name=\"a\x1b[31m &#27;&#x1B;&#65;&#10;&#xFFFFFFFFF;\" classname=\"c\"><failure>\0</failure></testcase></testsuite>";
    check(Junit, text, "-c::a\u{FFFD}[31m \u{FFFD}\u{FFFD}A\n\u{FFFD}");
}

#[test]
fn tap_s_subtests_may_stand_behind_their_point_and_output_beside_it() {
    for (text, want) in [
        (
            "1..2\nnot ok 1 - a.js # time=5.98ms {\n    1..2\n    ok 1 - s # time=1ms {\n        1..1\n        ok 1 - x\n    }\n    not ok 2 - y\n}\nok 2 - b.js {\n    1..1\n    ok 1 - x\n}\n",
            "!a.js +a.js > s +a.js > s > x -a.js > y +b.js +b.js > x",
        ),
        (
            "1..1\nok 1 - a { # time=1ms\n    1..1\n    ok 1 - x\n}\n",
            "+a +a > x",
        ),
        ("1..2\nok 1 - b {\nok 2 - c\n", "+b { +c"),
        (
            "1..1\nok 1 - a {\n    1..2\n    ok 1 - x\n}\n",
            "unreadable: the subtest `a` is not whole",
        ),
        (
            "# Subtest: s\n    ok 1 - x\nok 1 - s\n1..1\n",
            "unreadable: the subtest `s` is not whole",
        ),
        // What Mocha's failing cases printed stands below them.
        (
            "not ok 1 a\n  Error: x\n  ok 7 - forged\n    ok 8 - forged\nok 2 b\n1..2\n",
            "-a +b",
        ),
        (
            "not ok 1 \"after each\" hook for \"x\"\nok 2 b\n1..2\n",
            "!\"after each\" hook for \"x\" +b",
        ),
        // `prove -v`, a file each.
        (
            "t/a.t .. \nok 1 - a\n1..1\nok\nt/b.t ....\n1..1\nnot ok 1 - a\nFailed 1/1 subtests \n",
            "+t/a.t > a -t/b.t > a",
        ),
        (
            "1..1\nok 1 - a\nok\n",
            "unreadable: the report has no plan line `1..N`",
        ),
        (
            "t/a.t .. \nok 1 - a\nt/b.t .. \nok 1 - a\n1..1\nok\n",
            "unreadable: the report announces 1 points and has 3",
        ),
        ("1..2\nok 1 - a\nloading ...\nok 2 - b\n", "+a +b"),
        // tape's, where many points assert the same; diagnostics of others name none.
        (
            "TAP version 13\n# one\nok 1 is equal\n# two\nnot ok 2 is equal\n  ---\n    at: x\n  ...\n\n1..2\n# tests 2\nTAP version 13\nok 1 is equal\n1..1\n",
            "+is equal +one > is equal -two > is equal",
        ),
        (
            "1..2\nnot ok 1 a\n# (in test file a.bats, line 3)\nok 2 b\n",
            "-a +b",
        ),
        ("TAP version 13\n# x\nok 1 - a\n1..1\n", "+a"),
        ("TAP version 14\n# x\nok 1 a\n1..1\n", "+a"),
    ] {
        check(Tap, text, want);
    }
}

#[test]
fn the_end_of_a_go_test_that_prints_no_end_of_line_is_found_behind_it() {
    let line =
        |action: &str, more: &str| format!("{{\"Action\":\"{action}\",\"Package\":\"m\"{more}}}\n");
    let test = |action: &str, name: &str| line(action, &format!(",\"Test\":\"{name}\""));
    let prints = |name: &str, text: &str| {
        line(
            "output",
            &format!(",\"Test\":\"{name}\",\"Output\":\"{text}\""),
        )
    };
    let one = |text: &str, end: &str| {
        test("run", "TestA")
            + &prints("TestA", text)
            + &test("run", "TestB")
            + &test("fail", "TestB")
            + &line(end, "")
    };
    check(
        GoJson,
        &one("hello--- PASS: TestA (0.00s)\\n", "fail"),
        "+m.TestA -m.TestB",
    );
    check(
        GoJson,
        &one("hello--- FAIL: TestA (0.00s)\\n", "fail"),
        "-m.TestA -m.TestB",
    );
    check(
        GoJson,
        &one("hello--- SKIP: TestA (0.00s)\\n", "fail"),
        "~m.TestA -m.TestB",
    );
    check(
        GoJson,
        &one("--- PASS: TestAB (0.00s)\\n", "fail"),
        "-m.TestA -m.TestB",
    );
    // Newer versions find it themselves, and only a case that never ended is open.
    let newer = line("start", "") + &one("hello--- PASS: TestA (0.00s)\\n", "fail");
    check(GoJson, &newer, "-m.TestA -m.TestB");
    let passed =
        test("run", "TestA") + &prints("TestA", "x--- PASS: TestA (0s)") + &line("pass", "");
    check(GoJson, &passed, "+m.TestA");
    let alone =
        test("run", "TestA") + &prints("TestA", "x--- FAIL: TestA (0s)") + &line("fail", "");
    check(GoJson, &alone, "-m.TestA");
}

#[test]
fn a_failing_part_of_a_case_may_go_and_a_new_one_is_new() {
    let end = "{\"exitstatus\":1,\"$report_type\":\"SessionFinish\"}\n";
    let case = "{\"$report_type\":\"TestReport\",\"nodeid\":\"t\",\"when\":\"call\",\"outcome\":\"passed\"}\n";
    let part = "{\"$report_type\":\"SubtestReport\",\"nodeid\":\"t\",\"when\":\"call\",\"outcome\":\"failed\",\"context\":{\"msg\":\"m\"}}\n";
    let (red, green) = (format!("{part}{case}{end}"), format!("{case}{end}"));
    assert_eq!(judged(Pytest, &red, &green, 0), "passed: ");
    assert_eq!(judged(Pytest, &red, &red, 1), "passed: t > m");
    assert_eq!(
        judged(Pytest, &green, &red, 1),
        "failed: t > m: fails and did not before"
    );
    let again = r#"{"tests":[{"nodeid":"a","outcome":"rerun","call":{"outcome":"passed"}},{"nodeid":"b","outcome":"rerun","call":{"outcome":"failed"}}]}"#;
    check(Pytest, again, "+a -b");
}
