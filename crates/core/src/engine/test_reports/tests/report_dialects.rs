//! Reports as runners in the wild write them: the same format, other habits.

use super::*;

#[test]
fn junit_cases_without_a_class_are_kept_apart_by_their_suites_and_files() {
    for (text, want) in [
        // Node's runner.
        (
            r#"<testsuites><testsuite name="sums" time="0" tests="1" failures="0" hostname="h"><testcase name="adds" time="0" classname="test"/></testsuite><testsuite name="lists" tests="1" failures="1"><testcase name="adds" classname="test"><failure type="testCodeFailure" message="m"/></testcase></testsuite><testcase name="top" classname="test" file="/slots/v-0/a.test.js"/></testsuites>"#,
            "+a.test.js > top -lists > adds +sums > adds",
        ),
        // Maven's, with a case that passed when run again, one that did not, and one set aside.
        (
            r#"<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="com.x.CartTest" tests="4" errors="0" skipped="1" failures="1"><properties><property name="java.home" value="/x"/></properties><testcase name="adds" classname="com.x.CartTest"><flakyFailure message="m" type="t"><stackTrace>s</stackTrace></flakyFailure></testcase><testcase name="sums(int, int)[1]" classname="com.x.CartTest"/><testcase name="bad" classname="com.x.CartTest"><failure>f</failure><rerunFailure>f</rerunFailure></testcase><testcase name="off" classname="com.x.CartTest"><skipped/></testcase></testsuite>"#,
            "+com.x.CartTest::adds -com.x.CartTest::bad ~com.x.CartTest::off +com.x.CartTest::sums(int, int)[1]",
        ),
        // Jest's, where a file could not be loaded and is only counted.
        (
            r#"<testsuites name="jest tests" tests="1" failures="0" errors="1"><testsuite name="src/b.test.js" errors="1" failures="0" tests="0"></testsuite><testsuite name="a" errors="0" failures="0" tests="1"><testcase classname="a adds" name="a adds"/></testsuite></testsuites>"#,
            "+a > a adds !src/b.test.js",
        ),
        // A status without an element; GoogleTest's disabled case.
        (
            r#"<testsuites><testsuite name="S"><testcase name="a" status="run" result="completed" classname="S"/><testcase name="b" status="notrun" result="suppressed" classname="S"/><testcase name="c" status="failed" classname="S"/></testsuite></testsuites>"#,
            "+S::a ~S::b -S::c",
        ),
        // Catch2's counts assertions.
        (
            r#"<testsuites><testsuite name="t" failures="2" tests="3"><testcase classname="t.g" name="a"><failure/><failure/></testcase></testsuite></testsuites>"#,
            "-t.g::a",
        ),
        (
            r#"<testsuites><testsuite name="t" failures="2" tests="2"><testcase classname="g" name="a"><failure/></testcase><testcase classname="g" name="b"/></testsuite></testsuites>"#,
            "unreadable: the suite `t` counts 2 failures and names 1",
        ),
    ] {
        check(Junit, text, want);
    }
}

#[test]
fn swapping_which_of_two_cases_of_one_name_fails_is_a_new_failure() {
    let report = |first: &str, second: &str| {
        let text = format!(
            r#"<testsuites><testsuite name="one"><testcase name="adds" classname="test">{first}</testcase></testsuite><testsuite name="two"><testcase name="adds" classname="test">{second}</testcase></testsuite></testsuites>"#
        );
        read(Junit, text.as_bytes(), "").unwrap()
    };
    let (base, work) = (report("<failure/>", ""), report("", "<failure/>"));
    let CaseJudgement::Failed(lines) = judge(&base, &work, 1, &rules(None, false)) else {
        panic!("two > adds is new");
    };
    assert_eq!(lines, ["two > adds: fails and did not before"]);
}

const CARGO: &str = "
running 4 tests
test tests::a ... ok
test tests::b - should panic ... FAILED
test tests::c ... ignored, not on this machine
test tests::slow has been running for over 60 seconds
test tests::slow ... ok

failures:

---- tests::b stdout ----
test tests::forged ... ok
running 7 tests

failures:
    tests::b

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 61.00s


running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s


running 1 test
test src/lib.rs - f (line 12) - compile ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s
";

#[test]
fn what_cargo_prints_for_people_is_whole_when_each_count_is_met() {
    check(
        CargoText,
        CARGO,
        "+src/lib.rs - f +tests::a -tests::b ~tests::c +tests::slow",
    );
    let result = CARGO.find("test result").unwrap();
    check(
        CargoText,
        &CARGO[..result],
        "unreadable: the report ends before the run did",
    );
    let quiet = "running 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    check(
        CargoText,
        quiet,
        "unreadable: the report announces 2 cases and names 0: run it without `-q` and `--nocapture`",
    );
    let forged = "running 2 tests\ntest a ... ok\ntest b ... ok\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    assert!(read(CargoText, forged.as_bytes(), "").is_err());
    check(
        CargoText,
        "error: could not compile `m`\n",
        "unreadable: the report has no line `running N tests`",
    );
    check(
        CargoText,
        "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
        "unreadable: the report has the end of a program that it does not begin",
    );
    let measured = "running 2 tests\ntest t ... ok\ntest b ... bench:  1 ns/iter (+/- 0)\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 1 measured; 0 filtered out\n";
    check(CargoText, measured, "+b +t");
}

#[test]
fn tap_s_subtests_are_named_by_a_comment_or_by_the_point_behind_them() {
    for (text, want) in [
        // Version 14, without comments.
        (
            "TAP version 14\n1..2\n    1..1\n    ok 1 - x\nok 1 - foo\n    ok 1 - x\n    not ok 2 - y\n    1..2\nnot ok 2 - bar\n",
            "-bar +bar > x -bar > y +foo +foo > x",
        ),
        // Perl's, with the comment inside.
        (
            "    # Subtest: foo\n    ok 1 - x\n    1..1\nok 1 - foo\n    # Subtest: bar\n    ok 1 - x\n    1..1\nok 2 - bar\n1..2\n",
            "+bar +bar > x +foo +foo > x",
        ),
        // Node's, where what has no inner list is a subtest, too.
        (
            "# Subtest: s\n    # Subtest: a\n    ok 1 - a\n      ---\n      duration_ms: 1\n      ...\n    # Subtest: b\n    ok 2 - b\n    1..2\nok 1 - s\n# Subtest: t\nok 2 - t\n1..2\n",
            "+s +s > a +s > b +t",
        ),
        // Several files, one after the other.
        (
            "1..1\nok 1 - a\nok 1 - b\n1..1\nTAP version 13\n1..0 # SKIP no network\n",
            "+a +b",
        ),
        (
            "1..1\nok 1 - a\nok 2 - b\n",
            "unreadable: the report has no plan line `1..N`",
        ),
        // What it takes is no part of a name; a number sign may be.
        (
            "1..4\nok 1 - a in 12ms\nok 2 - b # time=3.4ms\nok 3 - is \\# c\nnot ok 4 - d#e #TODO later\n",
            "+a +b ~d#e +is # c",
        ),
        ("1..1\r\nok 1 - a\r\n", "+a"),
    ] {
        check(Tap, text, want);
    }
}

#[test]
fn pytest_s_reruns_count_once_and_its_failing_subtests_are_no_cases() {
    let line = |kind: &str, name: &str, when: &str, outcome: &str, more: &str| {
        format!(
            "{{\"$report_type\":\"{kind}\",\"nodeid\":\"{name}\",\"when\":\"{when}\",\"outcome\":\"{outcome}\"{more}}}\n"
        )
    };
    let end = "{\"exitstatus\":1,\"$report_type\":\"SessionFinish\"}\n";
    let part = |outcome: &str, n: u32| {
        let context = format!(",\"_subtest.context\":{{\"msg\":\"m\",\"kwargs\":{{\"i\":{n}}}}}");
        line("SubTestReport", "t.py::parts", "call", outcome, &context)
    };
    let log = line("TestReport", "t.py::flaky", "setup", "passed", "")
        + &line("TestReport", "t.py::flaky", "call", "rerun", "")
        + &line("TestReport", "t.py::flaky", "setup", "passed", "")
        + &line("TestReport", "t.py::flaky", "call", "passed", "")
        + &line(
            "TestReport",
            "t.py::expected",
            "call",
            "skipped",
            ",\"wasxfail\":\"x\"",
        )
        + &part("passed", 1)
        + &part("failed", 2)
        + &line("TestReport", "t.py::parts", "call", "passed", "")
        + &line("TestReport", "t.py::p[a/b-1]", "call", "passed", "")
        + end;
    check(
        Pytest,
        &log,
        "~t.py::expected +t.py::flaky +t.py::p[a/b-1] +t.py::parts !t.py::parts > m i=2",
    );
}

#[test]
fn jest_s_count_and_its_names_agree() {
    let text = r#"{"numFailedTests":2,"testResults":[{"name":"a","status":"failed","assertionResults":[{"title":"t","status":"failed"}]}]}"#;
    check(
        Jest,
        text,
        "unreadable: the report counts 2 failed cases and names 1",
    );
    check(Jest, &text.replace(":2,", ":1,"), "-a > t");
}

#[test]
fn what_could_not_be_loaded_is_no_case_that_ran_or_vanished() {
    let one = rules(None, false);
    let nothing = judge(&report("!u.py"), &report("!u.py"), 2, &one);
    let CaseJudgement::Unproven(why) = nothing else {
        panic!("no case ran: {nothing:?}");
    };
    assert!(
        why.contains("1 that could not be loaded, such as u.py"),
        "{why}"
    );
    let mended = judge(&report("+a !u.py"), &report("+a +u.py::b"), 0, &one);
    assert_eq!(mended, CaseJudgement::Passed(vec![]));
    let still = judge(&report("+a !u.py"), &report("+a !u.py"), 2, &one);
    assert_eq!(still, CaseJudgement::Passed(vec!["u.py".to_owned()]));
    let broke = judge(&report("+a +u.py::b"), &report("+a !u.py"), 2, &one);
    let CaseJudgement::Failed(lines) = broke else {
        panic!("u.py broke");
    };
    assert_eq!(lines.len(), 2, "{lines:?}");
    let once = report("+a !u.py !v.py").failed_in_both(&report("+a !u.py"));
    assert_eq!(words(&once), "+a !u.py");
    assert_eq!(once.failed(), ["u.py"]);
}

#[test]
fn files_of_one_run_are_one_report_and_one_cut_short_spoils_all() {
    let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    let suite = |name: &str| {
        format!(
            "<testsuite name=\"{name}\"><testcase classname=\"{name}\" name=\"t\"/></testsuite>"
        )
    };
    let both = [
        file("TEST-a.xml", &suite("a")),
        file("TEST-b.xml", &suite("b")),
    ];
    assert_eq!(words(&read_all(Junit, &both, "").unwrap()), "+a::t +b::t");
    let cut = [both[0].clone(), file("TEST-c.xml", "<testsuite>")];
    let why = read_all(Junit, &cut, "").unwrap_err().to_string();
    assert!(
        why.starts_with("`TEST-c.xml`: the report is no whole XML"),
        "{why}"
    );
    let one = read_all(Junit, &cut[1..], "").unwrap_err().to_string();
    assert!(one.starts_with("the report is no whole XML"), "{one}");
}
