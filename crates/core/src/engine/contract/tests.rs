//! What counts as a change of what was armed.

use super::*;
use crate::model::layout::Layout;
use crate::model::workspace::{FileSet, Workspace};

const DIR: &str = ".gatewalk/features/FEAT-2026-0001-x";
const UNIT: &str = "---\nid: FEAT-2026-0001/T01\ntype: implementation\nstatus: pending\ncovers: [REQ-A-1]\ntouches: [src/**]\nchecks:\n  - name: there\n    run: test -s a\n    covers: [REQ-A-2]\n---\n# A\n\n## Acceptance criteria\n\n1. One.\n";
const PLAN: &str = "---\nfeature_id: FEAT-2026-0001\n---\n# F\n\n## Requirements\n\n- REQ-A-1: one\n- REQ-A-2: two\n- REQ-A-3: three\n\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n      - id: FEAT-2026-0001/T01\n        file: WU-01.md\n```\n";

fn feature(unit: &str, plan: &str, log: &str) -> Feature {
    let mut files = FileSet::new();
    for (name, text) in [("WU-01.md", unit), ("PLAN.md", plan), (layout::EVENTS, log)] {
        if !text.is_empty() {
            files.insert(format!("{DIR}/{name}"), text.as_bytes().to_vec().into());
        }
    }
    let workspace = Workspace::parse(Layout::Gatewalk, &files);
    (*workspace.features[0]).clone()
}

fn armed() -> String {
    let feature = feature(UNIT, PLAN, "");
    let member = feature.member("FEAT-2026-0001/T01").unwrap();
    word(&feature, &member)
}

fn with_armed(unit: &str, word: &str) -> String {
    unit.replacen(
        "status: pending\n",
        &format!("status: pending\narmed: {word}\n"),
        1,
    )
}

fn is_changed(unit: &str, plan: &str, log: &str) -> bool {
    !changed(&feature(unit, plan, log)).is_empty()
}

#[test]
fn what_an_author_wrote_and_what_it_covers_is_frozen() {
    let word = armed();
    assert_eq!(word.len(), 67, "{word}");
    for (from, to, plan_from, plan_to, want) in [
        ("", "", "", "", false),
        ("One.", "Two.", "", "", true),
        ("src/**", "**", "", "", true),
        ("test -s a", "test -e a", "", "", true),
        ("covers: [REQ-A-1]\n", "", "", "", true),
        (
            "touches: [src/**]",
            "touches: [src/**]\nproduces: b",
            "",
            "",
            true,
        ),
        (
            "touches: [src/**]",
            "touches: [src/**]\ntouches_tests: true",
            "",
            "",
            true,
        ),
        (
            "touches: [src/**]",
            "touches: [src/**]\nattempts: 1\ncost_usd: 2.0",
            "",
            "",
            false,
        ),
        ("", "", "REQ-A-1: one", "REQ-A-1: won", true),
        (
            "",
            "",
            "REQ-A-2: two",
            "REQ-A-2: two (deferred: later)",
            true,
        ),
        ("", "", "REQ-A-2: two\n", "", true),
        ("", "", "REQ-A-3: three", "REQ-A-3: more", false),
        ("", "", "REQ-A-1: one", "REQ-A-1:   one", false),
        ("", "", "# F", "# Other", false),
        (
            "",
            "",
            "file: WU-01.md\n",
            "file: WU-01.md\n        depends_on: [FEAT-2026-0001/T02]\n",
            true,
        ),
        ("", "", "- gate: 1", "- gate: 2", true),
        (
            "status: pending",
            "status: blocked_human",
            "REQ-A-1: one",
            "REQ-A-1: won",
            false,
        ),
    ] {
        let unit = with_armed(UNIT, &word).replacen(from, to, 1);
        let plan = PLAN.replacen(plan_from, plan_to, 1);
        assert_eq!(is_changed(&unit, &plan, ""), want, "{to}{plan_to}");
    }
}

#[test]
fn the_root_that_a_unit_goes_by_is_frozen() {
    let unit = UNIT.replace("touches: [src/**]\n", "");
    let rooted = |root: &str| PLAN.replace("\n---\n# F", &format!("\nroot: {root}\n---\n# F"));
    for (unit, armed_with, now, want) in [
        (&*unit, "a", "a", false),
        (&*unit, "a", "./a/", false),
        (&*unit, "a", "b", true),
        (&*unit, "a", ".", true),
        (UNIT, "a", "b", false),
    ] {
        let armed = feature(unit, &rooted(armed_with), "");
        let member = armed.member("FEAT-2026-0001/T01").unwrap();
        let word = word(&armed, &member);
        let found = is_changed(&with_armed(unit, &word), &rooted(now), "");
        assert_eq!(found, want, "{armed_with} to {now}: {unit}");
    }
}

#[test]
fn what_the_gate_and_the_plan_set_for_a_unit_is_frozen_and_what_a_nearer_one_says_is_not() {
    const GATE: &str = "---\ngate: 1\nstatus: open\n---\n# G\n";
    let feature = |unit: &str, gate: &str, plan: &str| {
        let front = |page: &str, keys: &str| page.replacen("---\n", &format!("---\n{keys}"), 1);
        let files = [
            ("WU-01.md", front(UNIT, unit)),
            ("GATE-01.md", front(GATE, gate)),
            ("PLAN.md", front(PLAN, plan)),
        ];
        let files = files.map(|(name, text)| (format!("{DIR}/{name}"), text.into_bytes().into()));
        let workspace = Workspace::parse(Layout::Gatewalk, &FileSet::from(files));
        (*workspace.features[0]).clone()
    };
    let oracle = "feature_oracle: make all\n";
    for (unit, [gate, gate_now], [plan, plan_now], want) in [
        ("", ["", ""], ["", ""], false),
        ("", [oracle, ""], ["", ""], true),
        ("", ["", oracle], ["", ""], true),
        ("", [oracle, "feature_oracle: make one\n"], ["", ""], true),
        ("", ["", "model: small\n"], ["", ""], true),
        ("", ["effort: high\n", "effort: low\n"], ["", ""], true),
        ("", ["", "cost_budget_usd: 2\n"], ["", ""], false),
        ("", ["", ""], ["agent: a\n", "agent: [a, b]\n"], true),
        ("", ["", ""], ["model: m\n", "model: n\n"], true),
        ("", ["", ""], ["", "effort: low\n"], true),
        ("", ["", ""], ["", "budget_usd: 2\n"], false),
        ("model: x\n", ["model: m\n", "model: n\n"], ["", ""], false),
        ("agent: x\n", ["", ""], ["agent: m\n", "agent: n\n"], false),
        ("effort: low\n", ["", ""], ["", "effort: high\n"], false),
        ("", ["model: m\n"; 2], ["model: o\n", "model: p\n"], false),
        // As far as it is the same in effect, where it is said does not matter.
        ("", ["", "model: m\n"], ["model: m\n", ""], false),
    ] {
        let armed = feature(unit, gate, plan);
        let id = "FEAT-2026-0001/T01";
        let word = word(&armed, &armed.member(id).unwrap());
        let now = feature(unit, gate_now, plan_now);
        let member = now.member(id).unwrap();
        let case = format!("{unit}{gate}{plan} to {gate_now}{plan_now}");
        assert_eq!(!is_as(&word, &now, &member), want, "{case}");
        let says = |f: &Feature| text(f, &f.member(id).unwrap());
        assert_eq!(says(&armed) != says(&now), want, "{case}");
        // What was armed before this counted is held to the rest.
        let older = word.split(SETTINGS).next().unwrap();
        assert!(is_as(older, &now, &member), "{case}");
    }
}

#[test]
fn a_unit_that_waits_is_without_a_record_until_the_log_says_as_what_it_was_armed() {
    let id = "FEAT-2026-0001/T01";
    let event = |payload: &str| {
        format!(
            "{{\"timestamp\":\"t\",\"correlation_id\":\"FEAT-2026-0001\",\"event_type\":\"gate_armed\",\"payload\":{payload}}}\n"
        )
    };
    let unit = format!("{{\"units\":[\"{id}\"]");
    let recorded = event(&format!("{unit},\"contracts\":{{\"{id}\":\"x\"}}}}"));
    let older = event(&format!("{unit}}}"));
    for (page, log, want) in [
        (UNIT.to_owned(), String::new(), &[id][..]),
        (with_armed(UNIT, "x"), String::new(), &[id]),
        (UNIT.to_owned(), older, &[id]),
        (UNIT.to_owned(), recorded, &[]),
        (UNIT.replace("pending", "draft"), String::new(), &[]),
    ] {
        assert_eq!(without_record(&feature(&page, PLAN, &log)), want, "{log}");
    }
}

const CLOSING_PLAN: &str = "---\nfeature_id: FEAT-2026-0001\n---\n# F\n\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n      - id: FEAT-2026-0001/T01\n        file: WU-01.md\n      - id: FEAT-2026-0001/G1-CLOSE-INTERMEDIATE\n        file: WU-90.md\n        depends_on: [FEAT-2026-0001/T01]\n      - id: FEAT-2026-0001/G1-PLAN\n        file: WU-91.md\n        depends_on: [FEAT-2026-0001/G1-CLOSE-INTERMEDIATE]\n```\n";

#[test]
fn what_a_closing_unit_judges_and_where_it_stands_is_frozen_and_what_is_added_before_it_is_not() {
    const GATE: &str =
        "---\ngate: 1\nstatus: open\n---\n\n## Definition of done\n\n- A file is there.\n";
    let closing = |plan: &str, gate: &str, words: [&str; 2]| {
        let page = |id: &str, kind: &str, word: &str| {
            format!(
                "---\nid: FEAT-2026-0001/{id}\ntype: {kind}\nstatus: pending\narmed: {word}\n---\n# A\n"
            )
        };
        let files = [
            ("PLAN.md", plan.to_owned()),
            ("GATE-01.md", gate.to_owned()),
            ("WU-01.md", UNIT.replace("pending", "draft")),
            (
                "WU-90.md",
                page("G1-CLOSE-INTERMEDIATE", "close-intermediate", words[0]),
            ),
            ("WU-91.md", page("G1-PLAN", "plan-next", words[1])),
        ];
        let files = files.map(|(name, text)| (format!("{DIR}/{name}"), text.into_bytes().into()));
        let workspace = Workspace::parse(Layout::Gatewalk, &FileSet::from(files));
        (*workspace.features[0]).clone()
    };
    let armed = closing(CLOSING_PLAN, GATE, ["x", "x"]);
    let words = ["G1-CLOSE-INTERMEDIATE", "G1-PLAN"].map(|id| {
        word(
            &armed,
            &armed.member(&format!("FEAT-2026-0001/{id}")).unwrap(),
        )
    });
    let words = [&*words[0], &*words[1]];
    let older = words.map(|word| word.split('+').next().unwrap());
    for (plan, gate, words, want) in [
        (("", ""), ("", ""), words, &[][..]),
        (
            ("", ""),
            ("is there", "may be there"),
            words,
            &["CLOSE-INTERMEDIATE"],
        ),
        (
            ("", ""),
            ("there.\n", "there.\n- So is another.\n"),
            words,
            &["CLOSE-INTERMEDIATE"],
        ),
        (
            ("", ""),
            ("status: open", "status: awaiting_review"),
            words,
            &[],
        ),
        (
            ("", ""),
            ("there.\n", "there.\n\n## Notes\n\n- One.\n"),
            words,
            &[],
        ),
        (("/T01]", "/T01, FEAT-2026-0001/T02]"), ("", ""), words, &[]),
        (
            ("[FEAT-2026-0001/G1-CLOSE-INTERMEDIATE]", "[]"),
            ("", ""),
            words,
            &["PLAN"],
        ),
        (
            ("gate: 1", "gate: 2"),
            ("", ""),
            words,
            &["CLOSE-INTERMEDIATE", "PLAN"],
        ),
        (
            ("gate: 1", "gate: 2"),
            ("is there", "may be there"),
            older,
            &[],
        ),
    ] {
        let plan = CLOSING_PLAN.replacen(plan.0, plan.1, 1);
        let feature = closing(&plan, &GATE.replacen(gate.0, gate.1, 1), words);
        let found: Vec<String> = changed(&feature)
            .iter()
            .map(|(m, _)| m.id().replace("FEAT-2026-0001/G1-", ""))
            .collect();
        assert_eq!(found, want, "{plan}{gate:?}");
    }
}

#[test]
fn a_unit_armed_before_requirements_counted_is_held_to_its_own_file() {
    let narrow = armed()[..16].to_owned();
    let unit = with_armed(UNIT, &narrow);
    assert!(!is_changed(&unit, PLAN, ""));
    assert!(!is_changed(&unit, &PLAN.replace("one", "won"), ""));
    assert!(is_changed(&unit.replace("One.", "Two."), PLAN, ""));
    // And one armed before its place counted, to what the plan says for it, too.
    let unit = with_armed(UNIT, &armed()[..33]);
    assert!(is_changed(&unit, &PLAN.replace("one", "won"), ""));
    assert!(!is_changed(&unit, &PLAN.replace("gate: 1", "gate: 2"), ""));
    // One that nobody armed is what its author wrote.
    assert!(!is_changed(UNIT, PLAN, ""));
}

#[test]
fn the_log_outlasts_the_key() {
    let arming = |payload: &str| {
        format!(
            "{{\"timestamp\":\"t\",\"correlation_id\":\"FEAT-2026-0001\",\"event_type\":\"gate_armed\",\"payload\":{payload}}}\n"
        )
    };
    let again = |contract: &str| {
        format!(
            "{{\"timestamp\":\"t\",\"correlation_id\":\"FEAT-2026-0001/T01\",\"event_type\":\"re_arm_dispatched\",\"payload\":{{\"contract\":\"{contract}\"}}}}\n"
        )
    };
    let word = armed();
    let said = |word: &str| {
        arming(&format!(
            "{{\"units\":[\"FEAT-2026-0001/T01\"],\"contracts\":{{\"FEAT-2026-0001/T01\":\"{word}\"}}}}"
        ))
    };
    let older = arming("{\"units\":[\"FEAT-2026-0001/T01\"]}");
    let changed = UNIT.replace("One.", "Two.");
    let forged = {
        let feature = feature(&changed, PLAN, "");
        super::word(&feature, &feature.member("FEAT-2026-0001/T01").unwrap())
    };
    for (unit, log, want) in [
        (UNIT.to_owned(), said(&word), false),
        (changed.clone(), said(&word), true),
        (with_armed(&changed, &forged), said(&word), true),
        (with_armed(&changed, &forged), String::new(), false),
        (
            with_armed(&changed, &forged),
            format!("{}{older}", said(&word)),
            false,
        ),
        (
            changed.clone(),
            format!("{}{}", said(&word), again(&forged)),
            false,
        ),
        (
            UNIT.to_owned(),
            format!("{}{}", said(&word), again(&forged)),
            true,
        ),
    ] {
        assert_eq!(is_changed(&unit, PLAN, &log), want, "{unit}{log}");
    }
}

#[test]
fn a_difference_names_what_went_and_what_came() {
    let old = feature(UNIT, PLAN, "");
    let new = feature(
        &with_armed(UNIT, "x").replace("One.", "Two."),
        &PLAN.replace("REQ-A-1: one", "REQ-A-1: won"),
        "",
    );
    let text_of = |f: &Feature| text(f, &f.member("FEAT-2026-0001/T01").unwrap());
    assert_eq!(
        difference(&text_of(&old), &text_of(&new)),
        ["- REQ-A-1: one", "+ REQ-A-1: won", "- 1. One.", "+ 1. Two."]
    );
    assert_eq!(difference(&text_of(&old), &text_of(&old)), [""; 0]);
}
