use super::*;
use crate::model::plan::Plan;
use crate::model::unit::Unit;
use std::sync::Arc;

#[test]
fn every_file_of_the_plan_reads_without_a_note() {
    for (path, text) in FILES.iter().filter(|(path, _)| path.contains("/features/")) {
        let (path, name) = (Arc::from(*path), path.rsplit('/').next().expect("a name"));
        if name.starts_with("WU-") {
            let unit = Unit::parse(path, text.as_bytes());
            assert_eq!(unit.notes, [], "{name}");
            assert_eq!(unit.doc.problems, [], "{name}");
            assert!(unit.id.is_some(), "{name}");
        } else if name == "PLAN.md" {
            let plan = Plan::parse(path, text.as_bytes());
            assert_eq!(
                (plan.notes, plan.graph_problems),
                (vec![], vec![]),
                "{name}"
            );
        }
        assert!(!text.contains(super::super::PLACEHOLDER_OPEN), "{name}");
    }
}

#[test]
fn closing_units_are_the_shipped_pages() {
    let body = |text: &str| {
        text.splitn(3, "---\n")
            .nth(2)
            .expect("frontmatter")
            .to_owned()
    };
    let pages = [
        (
            "WU-90-gate-1-close.md",
            super::super::template::CLOSE_INTERMEDIATE,
            "1",
        ),
        (
            "WU-91-gate-1-plan-next.md",
            super::super::template::PLAN_NEXT,
            "1",
        ),
        ("WU-92-gate-2-close.md", super::super::template::CLOSE, "2"),
    ];
    for (name, page, gate) in pages {
        let (_, text) = FILES
            .iter()
            .find(|(path, _)| path.ends_with(name))
            .expect(name);
        let values = [("gate", gate), ("next_gate", "2"), ("next_gate_file", "02")];
        assert_eq!(
            body(text),
            body(&super::super::template::fill(page, &values)),
            "{name}"
        );
    }
}
