//! Readers of reports, and what is new in one.

mod entries_of_no_case;
mod report_dialects;

use super::case_comparison::{CaseJudgement, CaseRules, judge, unlisted};
use super::*;
use ReportFormat::{CargoJson, CargoText, GoJson, Jest, Junit, Pytest, Tap};

/// Returns a report in words: `+a` passed, `-a` failed, `~a` was left out, `!a` broke around cases, each as often as it stands
/// there.
fn words(report: &TestReport) -> String {
    let mut words = Vec::new();
    for (name, counts) in &report.cases {
        let marks = [
            ('+', counts.passed),
            ('-', counts.failed),
            ('~', counts.skipped),
            ('!', counts.broken),
        ];
        for (mark, count) in marks {
            words.extend((0..count).map(|_| format!("{mark}{name}")));
        }
    }
    words.join(" ")
}

fn check(format: ReportFormat, text: &str, want: &str) {
    let found = match read(format, text.as_bytes(), "/slots/v-0") {
        Ok(report) => words(&report),
        Err(why) => format!("unreadable: {why}"),
    };
    assert_eq!(found, want, "{text}");
}

#[test]
fn junit_names_each_case_by_its_class_and_what_broke_outside_any() {
    for (text, want) in [
        (
            r#"<testsuites><testsuite name="pytest" errors="1" failures="1" tests="5">
<testcase classname="tests.test_a" name="test_ok" time="0.1"/>
<testcase classname="tests.test_a" name="test_bad"><failure message="x">y</failure></testcase>
<testcase classname="" name="tests.test_b"><error message="collection failure">z</error></testcase>
<testcase classname="tests.test_a" name="test_skip"><skipped type="pytest.skip"/></testcase>
<testcase classname="tests.test_a" name="test_p" file="a.py"><system-out>o</system-out></testcase>
</testsuite></testsuites>"#,
            "-tests.test_a::test_bad +tests.test_a::test_ok +tests.test_a::test_p ~tests.test_a::test_skip !tests.test_b",
        ),
        (
            r#"<testsuites tests="2" failures="1" errors="0"><testsuite name="mycrate"><testcase name="m::flaky" classname="mycrate"><flakyFailure/></testcase><testcase name="m::bad" classname="mycrate"><failure type="test failure">panicked</failure></testcase></testsuite></testsuites>"#,
            "-mycrate::m::bad +mycrate::m::flaky",
        ),
        (
            r#"<testsuite name="s"><error>no module</error><testcase name="a" classname="a"/><testcase name="a" classname="a"><failure/></testcase></testsuite>"#,
            "!s +s > a -s > a",
        ),
        (
            r#"<testsuite><testcase name="a" status="disabled"/><testcase name="/slots/v-0/x.js b"/></testsuite>"#,
            "~a +x.js b",
        ),
        (
            r#"<testsuites><testcase name="t" classname="test"><skipped type="todo"/><failure/></testcase><testcase name="s"><skipped type="pytest.skip"/><error/></testcase></testsuites>"#,
            "-s ~t",
        ),
        ("<testsuites/>", ""),
        (
            r#"<testsuite failures="2"><testcase name="a"/></testsuite>"#,
            "unreadable: the report counts 2 failures and names none of them",
        ),
        (
            r#"<testsuite><testcase name=""/></testsuite>"#,
            "unreadable: the report has a case without a name",
        ),
        (
            "<html/>",
            "unreadable: the report is no JUnit XML: it begins with `html`",
        ),
    ] {
        check(Junit, text, want);
    }
    let cut = read(Junit, b"<testsuite><testcase name='a'/>", "");
    assert!(cut.unwrap_err().to_string().contains("no whole XML"));
    assert!(read(Junit, b"", "").is_err());
    assert!(read(Junit, b"\xff<testsuite/>", "").is_err());
    check(Junit, "\u{feff}<testsuite/>", "");
}

const LIBTEST: &str = r#"   Compiling x v0.1.0
{ "type": "suite", "event": "started", "test_count": 3 }
{ "type": "test", "event": "started", "name": "tests::a" }
{"printed by a test
{ "type": "test", "name": "tests::a", "event": "timeout" }
{ "type": "test", "name": "tests::a", "event": "ok" }
{ "type": "test", "event": "started", "name": "tests::b" }
{ "type": "test", "name": "tests::b", "event": "failed", "stdout": "panicked" }
{ "type": "test", "event": "started", "name": "tests::c" }
{ "type": "test", "name": "tests::c", "event": "ignored" }
{ "type": "suite", "event": "failed", "passed": 1, "failed": 1, "ignored": 1 }
"#;

#[test]
fn cargo_s_lines_are_whole_when_each_suite_has_an_end() {
    check(CargoJson, LIBTEST, "+tests::a -tests::b ~tests::c");
    let twice = LIBTEST.repeat(2);
    check(
        CargoJson,
        &twice,
        "+tests::a +tests::a -tests::b -tests::b ~tests::c ~tests::c",
    );
    let cut = LIBTEST.trim_end().rsplit_once('\n').unwrap().0;
    check(
        CargoJson,
        cut,
        "unreadable: the report ends before the run did",
    );
    let open = "{\"type\":\"suite\",\"event\":\"started\"}\n{\"type\":\"test\",\"event\":\"started\",\"name\":\"a\"}\n{\"type\":\"suite\",\"event\":\"ok\"}";
    check(
        CargoJson,
        open,
        "unreadable: the report ends before the run did",
    );
    let outside = "{\"type\":\"suite\",\"event\":\"started\"}\n{\"type\":\"suite\",\"event\":\"failed\",\"failed\":0}";
    check(
        CargoJson,
        outside,
        "unreadable: the report counts a failed suite and names no case",
    );
    check(
        CargoJson,
        "running 3 tests",
        "unreadable: the report has no test suite",
    );
    let nameless =
        "{\"type\":\"suite\",\"event\":\"started\"}\n{\"type\":\"test\",\"event\":\"ok\"}";
    check(
        CargoJson,
        nameless,
        "unreadable: the report has a case without a name",
    );
}

#[test]
fn an_example_is_known_by_its_place_not_by_its_line() {
    let example = "{\"type\":\"suite\",\"event\":\"started\"}\n{\"type\":\"test\",\"event\":\"ok\",\"name\":\"src/a.rs - f (line 12)\"}\n{\"type\":\"test\",\"event\":\"ok\",\"name\":\"x (line y)\"}\n{\"type\":\"suite\",\"event\":\"ok\"}";
    check(CargoJson, example, "+src/a.rs - f +x (line y)");
}

#[test]
fn go_s_lines_name_packages_that_break_without_a_test() {
    for (text, want) in [
        (
            r#"{"Action":"run","Package":"m/a","Test":"TestOk"}
{"Action":"output","Package":"m/a","Test":"TestOk","Output":"x\n"}
{"Action":"pass","Package":"m/a","Test":"TestOk","Elapsed":0}
{"Action":"run","Package":"m/a","Test":"TestBad"}
{"Action":"fail","Package":"m/a","Test":"TestBad"}
{"Action":"skip","Package":"m/a","Test":"TestSkip"}
{"Action":"fail","Package":"m/a"}
{"Action":"skip","Package":"m/none"}"#,
            "-m/a.TestBad +m/a.TestOk ~m/a.TestSkip",
        ),
        (
            r#"{"ImportPath":"m/b","Action":"build-output","Output":"undefined"}
{"Action":"fail","Package":"m/b","Elapsed":0,"FailedBuild":"m/b"}"#,
            "!m/b",
        ),
        (
            "{\"Action\":\"pass\",\"Package\":\"m\",\"Test\":\"TestA\"}\n{\"Action\":\"pass\",\"Package\":\"m\"}\nFAIL\tm/c [build failed]\nFAIL\tm/d [setup failed]\nFAIL\tm/e\t0.1s\nFAIL",
            "+m.TestA !m/c !m/d",
        ),
        (
            r#"{"Action":"run","Package":"m","Test":"TestPanic"}
{"Action":"fail","Package":"m"}"#,
            "-m.TestPanic",
        ),
        (
            r#"{"Action":"run","Package":"m","Test":"TestA"}
{"Action":"pass","Package":"m"}"#,
            "unreadable: `m` passed before its tests had ended",
        ),
        (
            r#"{"Action":"pass","Package":"m","Test":"TestA"}"#,
            "unreadable: the report ends before `m` did",
        ),
        ("ok m 0.1s", "unreadable: the report has no package"),
    ] {
        check(GoJson, text, want);
    }
}

#[test]
fn tap_is_whole_when_its_plan_is_met() {
    for (text, want) in [
        (
            "TAP version 13\n1..5\nok 1 - a\nnot ok 2 - b # in c.t\n  ---\n  ok 9 - no point\n  ...\nok 3 - c # SKIP slow\nnot ok 4 - d # TODO later\nok 5\n",
            "+#5 +a -b ~c ~d",
        ),
        (
            "# Subtest: outer\n    # Subtest: inner\n    ok 1 - inner\n      ---\n      duration_ms: 1\n      ...\n    not ok 2 - bad\n    1..2\nnot ok 1 - outer\n1..1\n# tests 3\n",
            "-outer -outer > bad +outer > inner",
        ),
        ("1..0 # skipped\n", ""),
        ("ok - a\n1..1\n", "+a"),
        (
            "ok 1 - a\n",
            "unreadable: the report has no plan line `1..N`",
        ),
        (
            "1..2\nok 1 - a\n1..2\n",
            "unreadable: the report announces 2 points and has 1",
        ),
        (
            "1..2\nok 1 - a\n",
            "unreadable: the report announces 2 points and has 1",
        ),
        (
            "# Subtest: s\n    1..2\n    ok 1 - x\nok 1 - s\n1..1\n",
            "unreadable: the subtest `s` is not whole",
        ),
        (
            "1..1\nBail out! no database\n",
            "unreadable: the run bailed out",
        ),
        (
            "1..1\nok 1 - a\n  ---\n  x: y\n",
            "unreadable: the report ends inside a block",
        ),
    ] {
        check(Tap, text, want);
    }
}

#[test]
fn pytest_s_phases_make_one_case() {
    let line = |name: &str, when: &str, outcome: &str| {
        format!(
            "{{\"$report_type\":\"TestReport\",\"nodeid\":\"{name}\",\"when\":\"{when}\",\"outcome\":\"{outcome}\"}}\n"
        )
    };
    let all = |name: &str, [setup, call, teardown]: [&str; 3]| {
        line(name, "setup", setup) + &line(name, "call", call) + &line(name, "teardown", teardown)
    };
    let end = "{\"exitstatus\":1,\"$report_type\":\"SessionFinish\"}\n";
    let log = all("t.py::ok", ["passed"; 3])
        + &all("t.py::bad", ["passed", "failed", "passed"])
        + &all("t.py::late", ["passed", "passed", "failed"])
        + &line("t.py::skip", "setup", "skipped")
        + &line("t.py::skip", "teardown", "passed")
        + &line("t.py::broken", "setup", "failed")
        + &line("t.py::broken", "teardown", "skipped")
        + "{\"$report_type\":\"CollectReport\",\"nodeid\":\"u.py\",\"outcome\":\"failed\"}\n"
        + end;
    check(
        Pytest,
        &log,
        "-t.py::bad -t.py::broken -t.py::late +t.py::ok ~t.py::skip !u.py",
    );
    let cut = log.replace(end, "");
    check(
        Pytest,
        &cut,
        "unreadable: the report ends before the run did",
    );
    check(
        Pytest,
        "no",
        "unreadable: the report has a line that is no whole JSON; `pytest --report-log=FILE` of pytest-reportlog writes one",
    );
    check(
        Pytest,
        r#"{"exitcode":1,"tests":[{"nodeid":"a","outcome":"passed"},{"nodeid":"b","outcome":"error"},{"nodeid":"c","outcome":"xfailed"}],"collectors":[{"nodeid":"d.py","outcome":"failed"},{"nodeid":"","outcome":"passed"}]}"#,
        "+a -b ~c !d.py",
    );
    check(
        Pytest,
        r#"{"tests":[{"nodeid":"a"}]}"#,
        "unreadable: the report has a case without a name or an outcome",
    );
}

#[test]
fn jest_s_files_are_named_from_the_repository() {
    for (text, want) in [
        (
            r#"{"numTotalTests":3,"testResults":[{"name":"/slots/v-0/src/a.test.js","status":"failed","assertionResults":[{"ancestorTitles":["sum"],"fullName":"sum adds","status":"passed","title":"adds"},{"ancestorTitles":[],"status":"failed","title":"b"},{"ancestorTitles":[],"status":"pending","title":"c"}]},{"name":"/slots/v-0/src/b.test.js","status":"failed","message":"Cannot find module","assertionResults":[]}]}"#,
            "-src/a.test.js > b ~src/a.test.js > c +src/a.test.js > sum > adds !src/b.test.js",
        ),
        (
            r#"{"wasInterrupted":true,"testResults":[]}"#,
            "unreadable: the run was interrupted",
        ),
        ("{}", "unreadable: the report has no `testResults`"),
        (
            r#"{"testResults":[{"name":"a","assertionResults":[{"status":"passed"}]}]}"#,
            "unreadable: the report has a case without a name or a status",
        ),
    ] {
        check(Jest, text, want);
    }
    assert!(read(Jest, b"{\"testResults\":[", "").is_err());
}

fn report(words: &str) -> TestReport {
    let mut report = TestReport::default();
    for word in words.split_whitespace() {
        let end = match &word[..1] {
            "+" => CaseEnd::Passed,
            "-" => CaseEnd::Failed,
            "!" => CaseEnd::Broken,
            _ => CaseEnd::Skipped,
        };
        report.add(&word[1..], end);
    }
    report
}

fn rules(known: Option<&[&str]>, may_vanish: bool) -> CaseRules {
    CaseRules {
        shell: "x".to_owned(),
        format: Tap,
        path: None,
        known: known.map(|k| k.iter().map(|k| (*k).to_owned()).collect()),
        may_vanish,
    }
}

#[test]
fn work_may_fail_what_its_base_fails_and_nothing_else() {
    for (base, work, exit, want) in [
        ("+a -b", "+a -b", 1, "passed: b"),
        ("+a -b", "+a +b", 0, "passed: "),
        ("+a -b", "+a -b +c", 1, "passed: b"),
        ("+a -b", "-a -b", 1, "failed: a: fails and did not before"),
        ("+a", "+a -c", 1, "failed: c: fails and did not before"),
        ("+a -b", "+a", 0, "failed: b: ran before"),
        ("+a -b", "~a -b", 1, "failed: a: ran before"),
        ("~a +b", "+b", 0, "passed: "),
        (
            "+a +a -a",
            "+a -a -a",
            1,
            "failed: a: fails and did not before",
        ),
        ("+a +a", "+a", 0, "failed: a: ran before"),
        ("+a", "+a", 3, "failed: it ended with exit 3"),
        (
            "+a -b",
            "",
            1,
            "unproven: the report names no case that ran",
        ),
        ("+a", "~a", 0, "unproven: the report names no case that ran"),
    ] {
        let found = match judge(&report(base), &report(work), exit, &rules(None, false)) {
            CaseJudgement::Passed(inherited) => format!("passed: {}", inherited.join(", ")),
            CaseJudgement::Failed(lines) => format!("failed: {}", lines.join("; ")),
            CaseJudgement::Unproven(why) => format!("unproven: {why}"),
        };
        assert!(found.starts_with(want), "{base} => {work}: {found}");
    }
    let gone = judge(&report("+a -b"), &report("-b"), 1, &rules(None, true));
    assert_eq!(gone, CaseJudgement::Passed(vec!["b".to_owned()]));
}

#[test]
fn a_list_is_all_that_may_fail() {
    let base = report("+a -b -c");
    let listed = rules(Some(&["b"]), false);
    assert_eq!(unlisted(&base, &listed), ["c"]);
    assert_eq!(unlisted(&base, &rules(None, false)), Vec::<String>::new());
    let CaseJudgement::Failed(lines) = judge(&base, &base, 1, &listed) else {
        panic!("c is not listed");
    };
    assert_eq!(lines, ["c: fails and did not before"]);
    let fixed = judge(&base, &report("+a -b +c"), 1, &listed);
    assert_eq!(fixed, CaseJudgement::Passed(vec!["b".to_owned()]));
}

#[test]
fn a_long_list_of_failures_is_cut() {
    let work: String = (10..35).map(|n| format!(" -c{n}")).collect();
    let CaseJudgement::Failed(lines) = judge(&report("+a"), &report(&work), 1, &rules(None, true))
    else {
        panic!("all are new");
    };
    assert_eq!(lines.len(), 21);
    assert_eq!(lines[20], "and 5 more: fails and did not before");
}

#[test]
fn what_failed_once_of_two_runs_is_no_failure_of_the_base_s() {
    let both = report("+a -b -c").failed_in_both(&report("+a -b +c"));
    assert_eq!(words(&both), "+a -b +c");
    assert_eq!(both.failed(), ["b"]);
    assert_eq!(both.ran(), 3);
}
