use super::*;
use crate::engine::attempt_record::witness_report::WitnessMethod;
use crate::engine::failure_class::FailureClass;
use crate::engine::test_snapshot::{FEATURE, record, snapshot};

fn report(unwitnessed: Vec<UnwitnessedLines>) -> WitnessReport {
    WitnessReport {
        product_tree: "tree".to_owned(),
        oracle: "oracle".to_owned(),
        by: WitnessMethod::TakenBack,
        hunks: 3,
        asked: 5,
        not_asked: 1,
        left: 0,
        unwitnessed,
        commands: vec!["tests".to_owned()],
        seconds: 1.5,
    }
}

fn place(first: u32, added: u32, removed: u32) -> UnwitnessedLines {
    UnwitnessedLines {
        path: "a.py".to_owned(),
        first,
        last: first + added.max(1) - 1,
        added,
        removed,
        text: "x = 1".to_owned(),
    }
}

#[test]
fn a_report_is_one_line() {
    let with = |change: &dyn Fn(&mut WitnessReport)| {
        let mut report = report(vec![]);
        change(&mut report);
        report.summary()
    };
    assert_eq!(with(&|_| ()), "3 hunks: the checks see every change");
    assert_eq!(
        with(&|r| r.hunks = 0),
        "nothing that a check could see changed"
    );
    assert_eq!(
        with(&|r| r.unwitnessed = vec![place(1, 1, 0)]),
        "3 hunks: 1 place that no check sees"
    );
    assert_eq!(
        with(&|r| {
            r.hunks = 1;
            r.unwitnessed = vec![place(1, 1, 0), place(5, 1, 0)];
            r.left = 2;
        }),
        "1 hunk: 2 places that no check sees (2 not asked for want of time)"
    );
    assert_eq!(
        with(&|r| {
            r.by = WitnessMethod::MutationTester;
            r.unwitnessed = vec![place(1, 1, 0), place(5, 1, 0)];
        }),
        "3 mutants: 2 mutants that no check sees"
    );
}

#[test]
fn lines_that_were_only_removed_keep_nothing_from_landing() {
    let judged = |unwitnessed| {
        let mut judgement = record("T01", 1, "pass").judgement.unwrap();
        refuse(&mut judgement, &report(unwitnessed));
        judgement
    };
    assert!(judged(vec![]).passed());
    assert!(judged(vec![place(4, 0, 2)]).passed());
    let refused = judged(vec![place(4, 0, 2), place(7, 2, 1)]);
    assert!(!refused.passed());
    assert_eq!(
        refused.failure_class().cloned(),
        Some(FailureClass::Unwitnessed.into())
    );
    assert_eq!(
        refused.failure_excerpt().unwrap(),
        "no check sees a.py:7-8: x = 1"
    );
    let evidence = refused.evidence().unwrap();
    assert!(evidence.contains("- a.py:7-8: x = 1"), "{evidence}");
    assert!(!evidence.contains("removed"), "{evidence}");
    assert!(evidence.contains("`generated_surfaces`"), "{evidence}");
    let more = judged(vec![place(7, 2, 1), place(12, 1, 0), place(20, 1, 0)]);
    assert_eq!(
        more.failure_excerpt().unwrap(),
        "no check sees a.py:7-8: x = 1 and 2 more places"
    );
}

#[test]
fn the_log_has_the_witness_of_each_unit_since_it_landed() {
    let line = |unit: &str, event: &str, payload: serde_json::Value| {
        let line = json!({"timestamp": "x", "correlation_id": format!("{FEATURE}/{unit}"), "event_type": event, "payload": payload});
        format!("{line}\n")
    };
    let found = report(vec![place(3, 1, 0)]);
    let event = found.event("u", "now", "abc");
    assert_eq!(event.payload["commit"], "abc");
    let recorded = line("T01", EVENT, event.payload.clone());
    let landed = line("T01", "attempt_outcome", json!({"outcome": "passed"}));
    let demanded = line(
        "T02",
        "attempt_outcome",
        json!({"outcome": "passed", "witness": event.payload}),
    );
    let refused = line(
        "T02",
        "attempt_outcome",
        json!({"outcome": "failed", "witness": event.payload}),
    );
    for (log, want) in [
        (recorded.clone(), vec!["T01  a.py:3: x = 1"]),
        (format!("{landed}{recorded}"), vec!["T01  a.py:3: x = 1"]),
        (format!("{recorded}{landed}"), vec![]),
        (demanded.clone(), vec!["T02  a.py:3: x = 1"]),
        (refused, vec![]),
        (
            format!("{recorded}{demanded}"),
            vec!["T01  a.py:3: x = 1", "T02  a.py:3: x = 1"],
        ),
    ] {
        let snapshot = snapshot("active | G1 open: T01 done; T02 done");
        let mut feature = (*snapshot.feature).clone();
        feature
            .others
            .insert(layout::EVENTS.to_owned(), log.clone().into_bytes().into());
        assert_eq!(unwitnessed_lines(&feature, Some(0)), want, "{log}");
        assert_eq!(unwitnessed_lines(&feature, None), want, "{log}");
        assert!(unwitnessed_lines(&feature, Some(1)).is_empty());
        let one = of_unit(&feature, &format!("{FEATURE}/T01"));
        assert_eq!(one.is_some(), want.iter().any(|w| w.starts_with("T01")));
    }
}

#[test]
fn a_file_that_no_check_reads_does_not_hide_the_others() {
    let in_file = |path: &str, count: u32| -> Vec<UnwitnessedLines> {
        let places = (1..=count).map(|n| UnwitnessedLines {
            path: path.to_owned(),
            ..place(10 * n, 1, 0)
        });
        places.collect()
    };
    for (bundle, want) in [
        (2, vec!["bundle.js:10: x = 1", "bundle.js:20: x = 1"]),
        (
            4,
            vec![
                "bundle.js:10: x = 1",
                "bundle.js:20: x = 1",
                "bundle.js:30: x = 1",
                "bundle.js:40: x = 1",
            ],
        ),
        (
            5,
            vec![
                "bundle.js:10: x = 1",
                "bundle.js:20: x = 1",
                "bundle.js:30: x = 1",
                "bundle.js:40-50: 2 more places (gatewalk witness T01)",
            ],
        ),
        (
            27,
            vec![
                "bundle.js:10: x = 1",
                "bundle.js:20: x = 1",
                "bundle.js:30: x = 1",
                "bundle.js:40-270: 24 more places (gatewalk witness T01)",
            ],
        ),
    ] {
        let places = [in_file("bundle.js", bundle), in_file("lib.js", 1)].concat();
        let shown = shown_places(&places, "T01");
        assert_eq!(shown, [want, vec!["lib.js:10: x = 1"]].concat());
    }
}
