use super::*;
use crate::engine::attempt_record::{
    AttemptRecord, AttemptVerdict, FORMAT, Judgement, SessionEnd, SessionFigures, WorkRefusal,
};
use crate::engine::coverage::{CheckResult, Proof, RequirementCoverage};
use crate::engine::snapshot::RunOptions;
use crate::engine::test_snapshot::object;
use crate::model::layout::Layout;
use crate::model::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const T01: &str = "FEAT-2026-0001/T01";

/// What one row of the table has other than a clean gate.
struct Dirt {
    plan: &'static str,
    unit: &'static str,
    close: &'static str,
    status: &'static str,
    cost: f64,
    passed: bool,
    missing: Vec<String>,
    forced: bool,
    /// What was unusual about the landing, as the log has it.
    notice: Option<&'static str>,
    /// A requirement's bullet, and what its one check says; none: no check names it.
    requirement: Option<(&'static str, Option<CheckResult>)>,
}

const CLEAN: Dirt = Dirt {
    plan: "",
    unit: "",
    close: "",
    status: "done",
    cost: 1.0,
    passed: true,
    missing: vec![],
    forced: false,
    notice: None,
    requirement: None,
};

fn record(passed: bool, cost: f64) -> AttemptRecord {
    AttemptRecord {
        format: FORMAT,
        unit: T01.to_owned(),
        number: 1,
        attempt_id: "a".to_owned(),
        re_arm: 0,
        armed: None,
        base: object("b"),
        tree: object("t"),
        history_ok: true,
        agent: "script".to_owned(),
        model: None,
        effort: None,
        isolation: String::new(),
        runner: None,
        queued_seconds: None,
        started_at: "2026-01-01T00:00:00Z".to_owned(),
        figures: SessionFigures {
            cost_usd: Some(cost),
            ..SessionFigures::default()
        },
        session: SessionEnd::without_report(crate::agents::SessionClass::Worked),
        judgement: Some(Judgement {
            verdict: match passed {
                true => AttemptVerdict::Passed,
                false => AttemptVerdict::Refused(WorkRefusal::default()),
            },
            at: "2026-01-01T00:00:00Z".to_owned(),
            ..Judgement::unproven(object("t"), object("b"), String::new())
        }),
        by_hand: false,
        collision: None,
    }
}

fn row(said: Option<CheckResult>) -> RequirementCoverage {
    let proof = said.map(|said| Proof {
        unit: T01.to_owned(),
        status: "done".to_owned(),
        check: "c".to_owned(),
        run: "check-c".to_owned(),
        result: said,
        last: None,
    });
    RequirementCoverage {
        requirement: "REQ-A-1".to_owned(),
        text: "a".to_owned(),
        units: vec![T01.to_owned()],
        covered: said == Some(CheckResult::Passes),
        proofs: proof.into_iter().collect(),
    }
}

fn snapshot(dirt: &Dirt) -> Snapshot {
    let dir = ".gatewalk/features/FEAT-2026-0001-x";
    let plan = format!(
        "---\nfeature_id: FEAT-2026-0001\ntitle: X\nbranch: x\nroadmap_goal: x\nstatus: active\n{}---\n\n## Requirements\n\n{}\n\n```yaml\ngates:\n\
         \x20 - gate: 1\n    file: GATE-01.md\n    work_units:\n      - {{id: {T01}, file: WU-01.md}}\n\
         \x20     - {{id: FEAT-2026-0001/G1-CLOSE, file: WU-90.md, depends_on: [{T01}]}}\n```\n",
        dirt.plan,
        dirt.requirement.map_or("", |r| r.0)
    );
    let unit = format!(
        "---\nid: {T01}\ntype: implementation\nstatus: {}\nplanned_cost_usd: 1.0\n{}---\n",
        dirt.status, dirt.unit
    );
    let close = format!(
        "---\nid: FEAT-2026-0001/G1-CLOSE\ntype: close\nstatus: pending\n{}---\n",
        dirt.close
    );
    let gate = "---\ngate: 1\nstatus: open\n---\n".to_owned();
    let said = |notice| {
        format!(
            "{{\"timestamp\":\"t\",\"correlation_id\":\"{T01}\",\"event_type\":\"attempt_outcome\",\"payload\":{{\"outcome\":\"passed\",\"unusual\":[\"{notice}\"]}}}}\n"
        )
    };
    let files = [
        ("events.jsonl", dirt.notice.map_or_else(String::new, said)),
        ("PLAN.md", plan),
        ("GATE-01.md", gate),
        ("WU-01.md", unit),
        ("WU-90.md", close),
    ];
    let files = files
        .into_iter()
        .map(|(n, t)| (format!("{dir}/{n}"), Arc::from(t.into_bytes())))
        .collect();
    let workspace = Workspace::parse(Layout::Gatewalk, &files);
    Snapshot {
        feature: workspace.features[0].clone(),
        verification: workspace.verification.clone(),
        config: workspace.config.clone(),
        tip: object("b"),
        attempts: Arc::new([(T01.into(), vec![record(dirt.passed, dirt.cost)].into())].into()),
        inherited: Default::default(),
        landed: Arc::default(),
        stands_on: BTreeMap::new(),
        uncharged_cost: BTreeMap::new(),
        run_cost_usd: 0.0,
        running: BTreeSet::new(),
        base: BTreeMap::new(),
        trouble: BTreeMap::new(),
        missing_deliverables: dirt.missing.clone(),
        broad: None,
        requirements: match dirt.requirement {
            Some((text, said)) if !text.contains("deferred") => vec![row(said)],
            _ => vec![],
        },
        options: RunOptions {
            jobs: 1,
            force_full_close: dirt.forced,
            ..RunOptions::default()
        },
        now: jiff::Timestamp::UNIX_EPOCH,
    }
}

#[test]
fn each_condition_alone_keeps_a_gate_from_closing_itself() {
    let rows: Vec<(Dirt, &[&str], &str)> = vec![
        (CLEAN, &[], ""),
        (
            Dirt {
                forced: true,
                ..CLEAN
            },
            &["enabled"],
            "a full close was asked for",
        ),
        (
            Dirt {
                plan: "auto_close_disabled: true\n",
                ..CLEAN
            },
            &["enabled"],
            "the plan says auto_close_disabled",
        ),
        (
            Dirt {
                close: "auto_close_disabled: true\n",
                ..CLEAN
            },
            &["enabled"],
            "G1-CLOSE says auto_close_disabled",
        ),
        (
            Dirt {
                status: "blocked_human",
                ..CLEAN
            },
            &["no_blocked_unit"],
            "T01 is blocked_human",
        ),
        (
            Dirt {
                status: "abandoned",
                ..CLEAN
            },
            &["no_blocked_unit"],
            "T01 is abandoned",
        ),
        (
            Dirt {
                unit: "re_arm_count: 1\n",
                ..CLEAN
            },
            &["no_replan"],
            "T01 was unblocked 1×",
        ),
        (Dirt { cost: 1.5, ..CLEAN }, &[], ""),
        (
            Dirt {
                cost: 1.51,
                ..CLEAN
            },
            &["unit_cost_within_plan", "total_cost_within_plan"],
            "T01 cost $1.51, planned $1.00",
        ),
        (
            Dirt {
                passed: false,
                ..CLEAN
            },
            &["final_attempts_passed"],
            "the last attempt of FEAT-2026-0001/T01 did not pass",
        ),
        (
            Dirt {
                missing: vec!["T01 promised a.txt".to_owned()],
                ..CLEAN
            },
            &["deliverables_present"],
            "T01 promised a.txt",
        ),
        (
            Dirt {
                notice: Some("it is flaky"),
                ..CLEAN
            },
            &["nothing_unusual"],
            "FEAT-2026-0001/T01: it is flaky",
        ),
        (
            Dirt {
                requirement: Some(("- REQ-A-1: a", Some(CheckResult::Passes))),
                ..CLEAN
            },
            &[],
            "",
        ),
        (
            Dirt {
                requirement: Some(("- REQ-A-1: a", Some(CheckResult::Fails))),
                ..CLEAN
            },
            &["requirements_covered"],
            "REQ-A-1: `c` of FEAT-2026-0001/T01 FAILS",
        ),
        (
            Dirt {
                requirement: Some(("- REQ-A-1: a", Some(CheckResult::NotRun))),
                ..CLEAN
            },
            &["requirements_covered"],
            "was not run",
        ),
        (
            Dirt {
                requirement: Some(("- REQ-A-1: a", None)),
                ..CLEAN
            },
            &[],
            "",
        ),
        (
            Dirt {
                requirement: Some(("- REQ-A-1: a (deferred: later)", None)),
                ..CLEAN
            },
            &[],
            "",
        ),
    ];
    for (dirt, want, why) in rows {
        let decision = decide(&snapshot(&dirt), 0);
        let failed: Vec<&Condition> = decision.conditions.iter().filter(|c| !c.holds).collect();
        let names: Vec<&str> = failed.iter().map(|c| c.name).collect();
        assert_eq!(names, want, "{why}");
        assert_eq!(decision.clean, want.is_empty());
        let asks_a_session = [
            "enabled",
            "no_blocked_unit",
            "deliverables_present",
            "requirements_covered",
        ];
        let session = names.iter().any(|name| asks_a_session.contains(name));
        assert_eq!(decision.mechanical, !session, "{names:?}");
        assert!(
            decision
                .conditions
                .iter()
                .all(|c| c.holds == c.remedy.is_none())
        );
        assert_eq!(decision.version, VERSION);
        assert_eq!(
            decision.conditions.len(),
            10,
            "every reason is recorded, also those that hold"
        );
        assert!(decision.conditions.iter().all(|c| !c.detail.is_empty()));
        assert!(
            why.is_empty() || failed.iter().any(|c| c.detail.contains(why)),
            "{failed:?}"
        );
    }
}

#[test]
fn what_was_not_read_is_not_covered() {
    let mut s = snapshot(&Dirt {
        requirement: Some(("- REQ-A-1: a", Some(CheckResult::Passes))),
        unit: "covers: [REQ-A-1]\nchecks:\n  - name: c\n    run: x\n",
        ..CLEAN
    });
    assert!(decide(&s, 0).clean);
    s.requirements.clear();
    assert!(!decide(&s, 0).clean);
}

#[test]
fn the_whole_gate_may_be_dear_although_no_unit_with_a_plan_is_alone() {
    // The condition on the total is its own: it also counts when no unit is above its limit.
    let mut s = snapshot(&CLEAN);
    let more = (2..=3).map(|n| format!("FEAT-2026-0001/T0{n}"));
    for id in more {
        Arc::make_mut(&mut s.attempts).insert(id.into(), vec![record(true, 9.0)].into());
    }
    assert!(
        decide(&s, 0).clean,
        "attempts of units outside the gate do not count"
    );
}

#[test]
fn a_gate_that_was_planned_to_cost_nothing_has_no_total_to_exceed() {
    let s = crate::engine::test_snapshot::snapshot("G1: T01 done planned_cost_usd=0 tried=pass$1");
    let conditions = decide(&s, 0).conditions;
    let failed: Vec<&str> = conditions
        .iter()
        .filter(|c| !c.holds)
        .map(|c| c.name)
        .collect();
    assert_eq!(failed, ["unit_cost_within_plan"]);
}

#[test]
fn a_cost_that_nobody_knows_is_said_to_be_unknown() {
    for (tried, unit, total) in [
        ("pass$1", "no unit above", "the gate within"),
        (
            "fail$1,pass",
            "not all that FEAT-2026-0001/T01 cost is known",
            "not known to be above",
        ),
        (
            "pass",
            "not all that FEAT-2026-0001/T01 cost is known",
            "not known to be above",
        ),
    ] {
        let line = format!("G1: T01 done planned_cost_usd=1 tried={tried}");
        let s = crate::engine::test_snapshot::snapshot(&line);
        let conditions = decide(&s, 0).conditions;
        for (name, words) in [
            ("unit_cost_within_plan", unit),
            ("total_cost_within_plan", total),
        ] {
            let condition = conditions.iter().find(|c| c.name == name).unwrap();
            assert!(condition.holds, "{tried}: {}", condition.detail);
            assert!(
                condition.detail.contains(words),
                "{tried}: {}",
                condition.detail
            );
        }
    }
}

#[test]
fn the_broad_tier_is_counted() {
    let oracle = b"code:\n  - {name: all, command: sh all.sh, tier: broad}\n";
    let mut s = snapshot(&CLEAN);
    s.verification = crate::model::verification::Verification::parse("v".into(), Some(oracle));
    let red = |names: &[&str]| crate::engine::broad_report::BroadReport {
        red: names.iter().map(|name| (*name).to_owned()).collect(),
        evidence: String::new(),
    };
    for (broad, clean) in [
        (None, false),
        (Some(red(&["all"])), false),
        (Some(red(&[])), true),
    ] {
        s.broad = broad;
        let decision = decide(&s, 0);
        let condition = decision.conditions.last().unwrap();
        assert_eq!(
            (condition.name, condition.holds),
            ("broad_tier_passed", clean)
        );
        assert_eq!(decision.clean, clean);
    }
}

#[test]
fn failed_sessions_do_not_speak_for_work_that_a_user_landed() {
    let dirt = Dirt {
        passed: false,
        ..CLEAN
    };
    let line = |outcome: &str, by_hand: bool| {
        format!(
            "{{\"timestamp\":\"x\",\"correlation_id\":\"{T01}\",\"event_type\":\"attempt_outcome\",\"payload\":{{\"outcome\":\"{outcome}\",\"by_hand\":{by_hand}}}}}\n"
        )
    };
    for (log, clean) in [
        (line("failed", false), false),
        (line("failed", false) + &line("passed", true), true),
        (line("passed", true) + &line("passed", false), false),
        (
            line("passed", true).replace(T01, "FEAT-2026-0001/T02"),
            false,
        ),
    ] {
        let mut s = snapshot(&dirt);
        let feature = std::sync::Arc::make_mut(&mut s.feature);
        let bytes = log.clone().into_bytes().into();
        feature.others.insert(layout::EVENTS.to_owned(), bytes);
        assert_eq!(decide(&s, 0).clean, clean, "{log}");
    }
}
