use super::*;
use crate::model::layout::Layout;
use crate::model::status_machine::Word;
use crate::model::workspace::{FileSet, Workspace};
use std::sync::Arc;

const DIR: &str = ".gatewalk/features/FEAT-2026-0001-x";

fn files() -> FileSet {
    let unit = |id: &str, kind: &str, status: &str| {
        format!("---\nid: FEAT-2026-0001/{id}\ntype: {kind}\nstatus: {status}\n---\n\n# {id}\n")
    };
    let plan = "---\nfeature_id: FEAT-2026-0001\ntitle: X\nbranch: feat/x\nroadmap_goal: x\nstatus: active\n---\n\n# X\n\n\
        ## Requirements\n\n- REQ-A-1: a thing\n- REQ-A-2: another (deferred: later)\n\n```yaml\ngates:\n\
        \x20 - gate: 1\n    file: GATE-01.md\n    work_units:\n\
        \x20     - {id: FEAT-2026-0001/T01, file: WU-01.md, depends_on: []}\n\
        \x20     - {id: FEAT-2026-0001/G1-PLAN, file: WU-91.md, depends_on: [FEAT-2026-0001/T01]}\n\
        \x20 - gate: 2\n    file: GATE-02.md\n    work_units:\n\
        \x20     - {id: FEAT-2026-0001/T02, file: WU-02.md, depends_on: []}\n\
        \x20     - {id: FEAT-2026-0001/G2-CLOSE, file: WU-92.md, depends_on: []}\n```\n";
    let gate = |n: u32, dod: &str| {
        format!(
            "---\ngate: {n}\nstatus: open\n---\n\n# Gate {n}\n\n## Definition of done\n\n- {dod}\n"
        )
    };
    [
        ("PLAN.md", plan.to_owned()),
        ("GATE-01.md", gate(1, "one")),
        ("GATE-02.md", gate(2, "two")),
        ("WU-01.md", unit("T01", "implementation", "done")),
        ("WU-91.md", unit("G1-PLAN", "plan-next", "pending")),
        ("WU-02.md", unit("T02", "implementation", "draft")),
        ("WU-92.md", unit("G2-CLOSE", "close", "pending")),
    ]
    .into_iter()
    .map(|(name, text)| (format!("{DIR}/{name}"), Arc::from(text.into_bytes())))
    .collect()
}

fn feature(files: &FileSet) -> Feature {
    Feature::clone(&Workspace::parse(Layout::Gatewalk, files).features[0])
}

fn put(files: &mut FileSet, name: &str, text: &str) {
    files.insert(format!("{DIR}/{name}"), Arc::from(text.as_bytes()));
}

fn edit(files: &mut FileSet, name: &str, from: &str, to: &str) {
    let old = String::from_utf8_lossy(&files[&format!("{DIR}/{name}")]).into_owned();
    assert!(old.contains(from), "{name} has no {from:?}");
    put(files, name, &old.replace(from, to));
}

/// Prepares a unit's skeletons, lets a session edit them, and returns what is missing.
fn after(id: &str, session: impl Fn(&mut FileSet)) -> (Vec<&'static str>, Vec<String>) {
    after_with(id, &[], session)
}

/// The same, where nothing shows some requirements.
fn after_with(
    id: &str,
    gaps: &[Gap],
    session: impl Fn(&mut FileSet),
) -> (Vec<&'static str>, Vec<String>) {
    let mut files = files();
    let before = feature(&files);
    let member = before.member(id).expect("listed");
    let unit = member.unit.expect("there");
    for (path, text) in skeletons(&before, member.gate, unit) {
        files.insert(path, Arc::from(text.into_bytes()));
    }
    session(&mut files);
    let own = String::from_utf8_lossy(&files[&**unit.path()]).into_owned();
    let asked = ClosingReview {
        before: &before,
        gate: member.gate,
        unit,
        gaps,
    };
    let looked = look(&asked, &feature(&files), &own);
    (
        looked.violations.iter().map(|v| v.class.word()).collect(),
        looked.shown(),
    )
}

#[test]
fn a_close_is_given_everything_at_once_and_met_needs_every_criterion() {
    let close = "FEAT-2026-0001/G2-CLOSE";
    let reflect = |f: &mut FileSet| {
        edit(
            f,
            "RETROSPECTIVE.md",
            "# Gate 2\n",
            "# Gate 2\n\nIt went well.\n",
        )
    };
    let verdict = |f: &mut FileSet, v: &str| {
        edit(
            f,
            "WU-92.md",
            "status: pending",
            &format!("status: pending\nverdict: {v}"),
        )
    };
    let criteria = |f: &mut FileSet, from: &str, to: &str| edit(f, "GATE-02-CRITERIA.md", from, to);
    let all_met = |f: &mut FileSet| {
        criteria(f, "state: open", "state: met");
        criteria(f, "shown by:", "shown by: sh t.sh");
    };
    let one_failed = |f: &mut FileSet| {
        let name = format!("{DIR}/GATE-02-CRITERIA.md");
        let text = String::from_utf8_lossy(&f[&name]).into_owned();
        let text = text.replacen("state: met", "state: not_met", 1);
        put(f, "GATE-02-CRITERIA.md", &text);
    };
    let follow = |f: &mut FileSet| criteria(f, "follow-up:", "follow-up: a unit for it");
    type Row<'a> = (&'a str, Box<dyn Fn(&mut FileSet) + 'a>, Vec<&'a str>);
    let rows: Vec<Row<'_>> = vec![
        (
            "untouched",
            Box::new(|_| {}),
            vec!["missing_retrospective", "missing_verdict", "criteria_open"],
        ),
        (
            "met",
            Box::new(move |f| {
                reflect(f);
                verdict(f, "met");
                all_met(f);
            }),
            vec![],
        ),
        (
            "met unproven",
            Box::new(move |f| {
                reflect(f);
                verdict(f, "met");
                criteria(f, "state: open", "state: met");
            }),
            vec!["criteria_unproven"],
        ),
        (
            "met but one is not",
            Box::new(move |f| {
                reflect(f);
                verdict(f, "met");
                all_met(f);
                one_failed(f);
                follow(f);
            }),
            vec!["verdict_contradicts"],
        ),
        (
            "not met without follow-up",
            Box::new(move |f| {
                reflect(f);
                verdict(f, "not_met");
                all_met(f);
                one_failed(f);
            }),
            vec!["missing_follow_up"],
        ),
        (
            "not met with follow-up",
            Box::new(move |f| {
                reflect(f);
                verdict(f, "not_met");
                all_met(f);
                one_failed(f);
                follow(f);
            }),
            vec![],
        ),
        (
            "hedged reads as not met",
            Box::new(move |f| {
                reflect(f);
                verdict(f, "met_with_followups");
                all_met(f);
            }),
            vec!["verdict_contradicts"],
        ),
        (
            "hedged criterion reads as not met",
            Box::new(move |f| {
                reflect(f);
                verdict(f, "met");
                all_met(f);
                criteria(f, "state: met", "state: met_locally");
                follow(f);
            }),
            vec!["verdict_contradicts"],
        ),
        (
            "criterion dropped",
            Box::new(move |f| {
                reflect(f);
                verdict(f, "met");
                all_met(f);
                criteria(f, "### REQ-A-1", "### REQ-A-9");
            }),
            vec!["criteria_changed"],
        ),
    ];
    for (name, session, want) in rows {
        assert_eq!(after(close, session).0, want, "{name}");
    }
}

#[test]
fn criteria_that_lack_something_are_named() {
    let mut files = files();
    let before = feature(&files);
    let member = before.member("FEAT-2026-0001/G2-CLOSE").unwrap();
    let unit = member.unit.unwrap();
    for (path, text) in skeletons(&before, member.gate, unit) {
        files.insert(path, Arc::from(text.into_bytes()));
    }
    let asked = ClosingReview {
        before: &before,
        gate: member.gate,
        unit,
        gaps: &[],
    };
    let looked = look(&asked, &feature(&files), "");
    let messages: Vec<&str> = looked.violations.iter().map(|v| &*v.message).collect();
    assert!(
        messages.contains(&"`state` must be `met` or `not_met`: G2.1, REQ-A-1"),
        "{messages:#?}"
    );
}

#[test]
fn a_requirement_that_nothing_shows_cannot_be_met() {
    let close = "FEAT-2026-0001/G2-CLOSE";
    let gap = Gap {
        requirement: "REQ-A-1".to_owned(),
        why: "`c` of T02 FAILS".to_owned(),
    };
    let session = |verdict: &str, requirement: &str| {
        let (verdict, requirement) = (verdict.to_owned(), requirement.to_owned());
        move |f: &mut FileSet| {
            edit(
                f,
                "RETROSPECTIVE.md",
                "# Gate 2\n",
                "# Gate 2\n\nIt went well.\n",
            );
            let to = format!("status: pending\nverdict: {verdict}");
            edit(f, "WU-92.md", "status: pending", &to);
            let page = format!(
                "### G2.1\n- state: met\n- shown by: x\n\n### REQ-A-1\n- state: {requirement}\n- shown by: x\n- follow-up: a unit\n"
            );
            put(f, "GATE-02-CRITERIA.md", &page);
        }
    };
    for (gaps, verdict, requirement, want) in [
        (vec![], "met", "met", vec![]),
        (
            vec![gap.clone()],
            "met",
            "met",
            vec!["requirement_not_covered"],
        ),
        // A verdict that hides behind a criterion is refused too.
        (
            vec![gap.clone()],
            "met",
            "not_met",
            vec!["requirement_not_covered", "verdict_contradicts"],
        ),
        (
            vec![gap.clone()],
            "not_met",
            "met",
            vec!["requirement_not_covered", "verdict_contradicts"],
        ),
        (vec![gap], "not_met", "not_met", vec![]),
    ] {
        let (got, _) = after_with(close, &gaps, session(verdict, requirement));
        assert_eq!(got, want, "{verdict} {requirement}");
    }
}

#[test]
fn deferred_requirements_are_not_asked_for() {
    let feature = feature(&files());
    let ids: Vec<_> = criteria(&feature, 1).into_iter().map(|c| c.id).collect();
    assert_eq!(ids, ["G2.1", "REQ-A-1"]);
    let first: Vec<_> = criteria(&feature, 0).into_iter().map(|c| c.id).collect();
    assert_eq!(first, ["G1.1"], "requirements belong to the terminal gate");
}

#[test]
fn a_planner_may_shape_what_is_not_reached_and_it_is_reported() {
    let plan = "FEAT-2026-0001/G1-PLAN";
    let review = |f: &mut FileSet| {
        put(
            f,
            "GATE-02-REVIEW.md",
            "# Review of gate 2\n\nDoubt all of it.\n",
        )
    };
    type Row = (
        &'static str,
        Box<dyn Fn(&mut FileSet)>,
        Vec<&'static str>,
        Vec<&'static str>,
    );
    let rows: Vec<Row> = vec![
        (
            "nothing done",
            Box::new(|_| {}),
            vec!["missing_review"],
            vec![],
        ),
        ("review only", Box::new(review), vec![], vec![]),
        (
            "sharpened draft",
            Box::new(move |f| {
                review(f);
                edit(f, "WU-02.md", "# T02", "# T02 sharper");
            }),
            vec![],
            vec!["reshaped: FEAT-2026-0001/T02 was planned before and is different now"],
        ),
        (
            "dropped draft",
            Box::new(move |f| {
                review(f);
                edit(
                    f,
                    "PLAN.md",
                    "      - {id: FEAT-2026-0001/T02, file: WU-02.md, depends_on: []}\n",
                    "",
                );
            }),
            vec![],
            vec!["reshaped: FEAT-2026-0001/T02 is no longer in the plan"],
        ),
        (
            "draft put off to a further gate",
            Box::new(move |f| {
                review(f);
                let unit = "      - {id: FEAT-2026-0001/T02, file: WU-02.md, depends_on: []}\n";
                edit(f, "PLAN.md", unit, "");
                let gate = "  - gate: 3\n    file: GATE-03.md\n    work_units:\n";
                edit(f, "PLAN.md", "\n```\n", &format!("\n{gate}{unit}```\n"));
            }),
            vec![],
            vec![
                "reshaped: FEAT-2026-0001/T02 moved from gate 2 to gate 3",
                "reshaped: gate 3 is new",
            ],
        ),
        (
            "armed",
            Box::new(move |f| {
                review(f);
                edit(f, "WU-02.md", "status: draft", "status: pending");
            }),
            vec!["armed_by_session"],
            vec![],
        ),
        (
            "gate flipped",
            Box::new(move |f| {
                review(f);
                edit(f, "GATE-02.md", "status: open", "status: passed");
            }),
            vec!["gate_moved_by_session"],
            vec![],
        ),
        (
            // No planner writes there: the guards refuse it, once.
            "units and file of the current gate",
            Box::new(move |f| {
                review(f);
                edit(f, "WU-01.md", "status: done", "status: pending");
                edit(f, "WU-01.md", "# T01", "# T01 sharper");
                edit(f, "GATE-01.md", "status: open", "status: passed");
            }),
            vec![],
            vec![],
        ),
        (
            "edge of the current gate",
            Box::new(move |f| {
                review(f);
                edit(
                    f,
                    "PLAN.md",
                    "WU-91.md, depends_on: [FEAT-2026-0001/T01]",
                    "WU-91.md, depends_on: []",
                );
            }),
            vec!["passed_gate_changed"],
            vec![],
        ),
        (
            "goal",
            Box::new(move |f| {
                review(f);
                edit(f, "PLAN.md", "roadmap_goal: x", "roadmap_goal: easier");
            }),
            vec!["plan_changed"],
            vec![],
        ),
        (
            "requirement",
            Box::new(move |f| {
                review(f);
                edit(f, "PLAN.md", "REQ-A-1: a thing", "REQ-A-1: a smaller thing");
            }),
            vec!["requirements_changed"],
            vec![],
        ),
        (
            "no units",
            Box::new(move |f| {
                review(f);
                edit(
                    f,
                    "PLAN.md",
                    "      - {id: FEAT-2026-0001/T02, file: WU-02.md, depends_on: []}\n      - {id: FEAT-2026-0001/G2-CLOSE, file: WU-92.md, depends_on: []}\n",
                    "",
                );
            }),
            vec!["nothing_drafted"],
            vec![
                "reshaped: FEAT-2026-0001/T02 is no longer in the plan",
                "reshaped: FEAT-2026-0001/G2-CLOSE is no longer in the plan",
            ],
        ),
    ];
    for (name, session, want, notices) in rows {
        let (got, said) = after(plan, session);
        assert_eq!(got, want, "{name}");
        assert_eq!(said, notices, "{name}");
    }
}

#[test]
fn what_a_session_must_leave_is_told_by_what_its_unit_is() {
    type Edit = fn(&mut FileSet);
    let as_it_is: Edit = |_| {};
    let in_between: Edit = |f| edit(f, "WU-92.md", "type: close", "type: close-intermediate");
    let nothing_named: Edit = |f| {
        edit(f, "WU-92.md", "type: close", "type: close-intermediate");
        edit(f, "GATE-02.md", "- two\n", "");
        edit(f, "PLAN.md", "- REQ-A-1: a thing\n", "");
    };
    let none_required: Edit = |f| edit(f, "PLAN.md", "- REQ-A-1: a thing\n", "");
    let (retrospective, criteria) = (
        "RETROSPECTIVE.md`: the section `# Gate 2`",
        "GATE-02-CRITERIA.md`: every",
    );
    let (required, verdict) = (
        "a requirement is `met` only",
        "WU-92.md`: its frontmatter has `verdict",
    );
    let rows: [(&str, Edit, &[&str]); 6] = [
        ("T02", as_it_is, &[]),
        (
            "G1-PLAN",
            as_it_is,
            &["GATE-02-REVIEW.md`: nothing", "gate 2 has units"],
        ),
        (
            "G2-CLOSE",
            as_it_is,
            &[retrospective, criteria, required, verdict],
        ),
        (
            "G2-CLOSE",
            none_required,
            &[retrospective, criteria, verdict],
        ),
        ("G2-CLOSE", in_between, &[retrospective, criteria]),
        ("G2-CLOSE", nothing_named, &[retrospective]),
    ];
    for (id, change, want) in rows {
        let mut files = files();
        change(&mut files);
        let found = feature(&files);
        let member = found.member(&format!("FEAT-2026-0001/{id}")).unwrap();
        let asked = must_leave(&found, member.gate, member.unit.unwrap());
        assert_eq!(asked.len(), want.len(), "{id}: {asked:#?}");
        for (asked, want) in asked.iter().zip(want) {
            assert!(asked.contains(want), "{id}: {asked}");
        }
    }
}

#[test]
fn the_last_planner_of_an_older_plan_may_find_nothing_left_to_plan() {
    let with_older = |files: &mut FileSet, kind: &str| {
        let to = "- {id: FEAT-2026-0001/G2-DOCS, file: WU-93.md, depends_on: []}\n      - {id: FEAT-2026-0001/G2-PLAN, file: WU-92.md";
        edit(
            files,
            "PLAN.md",
            "- {id: FEAT-2026-0001/G2-CLOSE, file: WU-92.md",
            to,
        );
        edit(files, "WU-92.md", "type: close", "type: plan-next");
        edit(files, "WU-92.md", "G2-CLOSE", "G2-PLAN");
        let page = format!("---\nid: FEAT-2026-0001/G2-DOCS\ntype: {kind}\nstatus: done\n---\n");
        put(files, "WU-93.md", &page);
    };
    for (kind, may_end) in [("docs", true), ("lessons", true), ("implementation", false)] {
        let mut before = files();
        with_older(&mut before, kind);
        let found = feature(&before);
        let member = found.member("FEAT-2026-0001/G2-PLAN").unwrap();
        let unit = member.unit.unwrap();
        let prepared = skeletons(&found, 1, unit);
        assert_eq!(prepared.is_empty(), may_end, "{kind}: {prepared:?}");
        let asked = must_leave(&found, 1, unit).join(" ");
        assert_eq!(
            asked.contains("no gate is planned after gate 2"),
            may_end,
            "{asked}"
        );
        let review = ClosingReview {
            before: &found,
            gate: 1,
            unit,
            gaps: &[],
        };
        let looked = look(&review, &found, "");
        assert_eq!(looked.violations.is_empty(), may_end, "{kind}");
        let mut longer = before.clone();
        let gate = "\n  - gate: 3\n    file: GATE-03.md\n    work_units: []\n```";
        edit(&mut longer, "PLAN.md", "\n```\n", &format!("{gate}\n"));
        let looked = look(&review, &feature(&longer), "");
        assert!(
            !looked.violations.is_empty(),
            "{kind}: a gate without units"
        );
    }
    // A gate that is not the last one of the list wants the next one planned, whatever closes it.
    let mut before = files();
    edit(
        &mut before,
        "WU-01.md",
        "type: implementation",
        "type: docs",
    );
    let found = feature(&before);
    let unit = found
        .member("FEAT-2026-0001/G1-PLAN")
        .unwrap()
        .unit
        .unwrap();
    assert!(!skeletons(&found, 0, unit).is_empty());
}

#[test]
fn entries_are_read_from_older_pages_too() {
    let text = "### T05#2\n\n- **criterion:** x\n- **oracle:** python3 -c \"a: b\"\n- **state:** `pass`\n\n### T05#3\n- **state:** `unverified`\n";
    let got = entries(text);
    assert_eq!(got[0].state, CriterionState::Met);
    assert_eq!(got[0].shown_by, "python3 -c \"a: b\"");
    assert_eq!(got[1].state, CriterionState::Open);
}
