use super::*;
use crate::diagnostic::Severity;
use crate::lint;
use crate::model::layout::Layout;
use crate::model::status_machine::UnitStatus;
use crate::model::workspace::{FileSet, Workspace};
use crate::scaffold::template::SHIPPED;
use std::sync::Arc;

fn written(title: &str, outline: &PlanOutline) -> Result<Vec<Write>> {
    let target = ScaffoldTarget {
        state_dir: ".gatewalk",
        templates: SHIPPED,
    };
    let new = NewFeature {
        title,
        slug: None,
        goal: None,
        unit: None,
        year: 2026,
        taken: &[],
        roadmap: None,
    };
    write_out(&target, &new, outline)
}

/// Writes an outline out beside an oracle; returns the plan, which has no finding above a note.
fn planned(outline: &PlanOutline) -> Workspace {
    let writes = written("", outline).unwrap();
    let mut files: FileSet = writes
        .into_iter()
        .map(|w| (w.path, Arc::from(w.content.into_bytes())))
        .collect();
    let oracle = b"code:\n  - {name: tests, command: sh check.sh}\ndoc:\n  - {name: docs, command: sh docs.sh}\n";
    files.insert(
        ".gatewalk/verification.yml".to_owned(),
        Arc::from(&oracle[..]),
    );
    let workspace = Workspace::parse(Layout::Gatewalk, &files);
    let found = lint::run(&workspace, &lint::Options::default());
    let bad: Vec<_> = found
        .iter()
        .filter(|d| d.severity > Severity::Info)
        .collect();
    assert!(bad.is_empty(), "{bad:#?}");
    workspace
}

fn unit(title: &str, after: &[usize]) -> UnitOutline {
    UnitOutline {
        title: title.to_owned(),
        after: after.to_vec(),
        ..UnitOutline::default()
    }
}

#[test]
fn a_bug_is_one_unit_with_its_check_and_no_closing() {
    let run = "printf 'a: \"b\"\\n' | sh run.sh; test $? -eq 0\nsh next.sh \u{85} é";
    let bug = PlanOutline {
        title: "The \"total\" is: wrong # twice".to_owned(),
        goal: "The total is right.".to_owned(),
        source: "a sentence".to_owned(),
        text: "---\n# Not a heading\n```yaml\ngates: []\n```\n".to_owned(),
        units: vec![UnitOutline {
            title: "Mend the total".to_owned(),
            text: "## Context\n---\nx".to_owned(),
            criteria: vec!["`sh total.sh` prints 3.".to_owned()],
            check: Some(OutlinedCheck {
                name: "fixed".to_owned(),
                run: run.to_owned(),
            }),
            after: vec![],
            touches: vec!["src/**".to_owned()],
        }],
    };
    let workspace = planned(&bug);
    let feature = &workspace.features[0];
    assert_eq!(feature.members().count(), 1);
    let member = feature.members().next().unwrap();
    assert_eq!(member.status(), UnitStatus::Draft);
    let checks = member.unit.unwrap().front.checks.as_ref().unwrap();
    assert_eq!(checks.value[0].value.run.as_ref().unwrap().value, run);
    assert_eq!(feature.plan.front.title.as_ref().unwrap().value, bug.title);
    let gates = &feature.plan.gates;
    assert_eq!(gates.len(), 1);
}

#[test]
fn edges_and_closing_units_are_those_of_a_plan_made_by_hand() {
    let mut outline = PlanOutline {
        title: "Many".to_owned(),
        goal: "All is there.".to_owned(),
        source: "tasks.md".to_owned(),
        text: String::new(),
        units: vec![unit("A", &[]), unit("B", &[0]), unit("A", &[0, 1])],
    };
    let small = planned(&outline);
    let edges: Vec<String> = small.features[0]
        .members()
        .map(|m| {
            let after: Vec<&str> = m.node.depends_on.iter().map(|d| d.value.as_str()).collect();
            format!("{}<-{}", m.id(), after.join(","))
        })
        .collect();
    assert_eq!(
        edges,
        [
            "FEAT-2026-0001/T01<-",
            "FEAT-2026-0001/T02<-FEAT-2026-0001/T01",
            "FEAT-2026-0001/T03<-FEAT-2026-0001/T01,FEAT-2026-0001/T02"
        ]
    );
    outline.units.extend([unit("D", &[]), unit("E", &[])]);
    let large = planned(&outline);
    let closing = large.features[0]
        .members()
        .filter(|m| m.unit_type().is_closing());
    assert_eq!(closing.count(), 1);
}

#[test]
fn an_empty_outline_is_refused() {
    assert!(written("x", &PlanOutline::default()).is_err());
}
