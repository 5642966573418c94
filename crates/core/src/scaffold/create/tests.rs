use super::*;
use crate::model::document::Document;
use crate::model::gate::Gate;
use crate::model::plan::Plan;
use crate::model::unit::Unit;
use std::sync::Arc;

const PLACE: ScaffoldTarget<'static> = ScaffoldTarget {
    state_dir: ".gatewalk",
    templates: template::SHIPPED,
};

fn feature_of<'a>(title: &'a str, taken: &'a [String]) -> NewFeature<'a> {
    NewFeature {
        title,
        slug: None,
        goal: None,
        unit: None,
        year: 2026,
        taken,
        roadmap: None,
    }
}

/// A feature's directory in memory: writes are applied as the caller would.
struct Directory {
    dir: String,
    id: String,
    files: Vec<FeatureFile>,
    spent: Vec<String>,
}

impl Directory {
    fn new(title: &str) -> Self {
        let writes = new_feature(&PLACE, &feature_of(title, &[])).unwrap();
        let dir = writes[0].path.strip_suffix("/PLAN.md").unwrap().to_owned();
        let mut directory = Directory {
            id: "FEAT-2026-0001".to_owned(),
            files: Vec::new(),
            spent: Vec::new(),
            dir,
        };
        directory.apply(writes);
        directory
    }

    fn feature(&self) -> FeatureDirectory<'_> {
        FeatureDirectory {
            dir: &self.dir,
            feature_id: &self.id,
            files: &self.files,
            spent: &self.spent,
        }
    }

    fn apply(&mut self, writes: Vec<Write>) {
        for write in writes {
            let Some(name) = write.path.strip_prefix(&format!("{}/", self.dir)) else {
                continue;
            };
            assert_reads_without_a_note(name, &write.content);
            let old = self.files.iter().position(|file| file.name == name);
            match (write.mode, old) {
                (WriteMode::Create, None) => self.files.push(FeatureFile {
                    name: name.to_owned(),
                    text: write.content,
                }),
                (WriteMode::Replace, Some(at)) => self.files[at].text = write.content,
                (WriteMode::Remove, Some(at)) => {
                    assert_eq!(self.files.remove(at).text, write.content)
                }
                (mode, old) => panic!("{name}: {mode:?} over {old:?}"),
            }
        }
    }

    fn gate(&mut self, title: &str) -> Result<()> {
        let writes = new_gate(&PLACE, &self.feature(), title)?;
        self.apply(writes);
        Ok(())
    }

    fn unit(&mut self, title: &str, gate: Option<u32>, depends_on: &[&str]) -> Result<()> {
        let depends_on: Vec<String> = depends_on.iter().map(|id| (*id).to_owned()).collect();
        let new = NewUnit {
            title,
            kind: "implementation",
            gate,
            depends_on: &depends_on,
        };
        let writes = new_unit(&PLACE, &self.feature(), &new)?;
        self.apply(writes);
        Ok(())
    }

    fn set(&mut self, name: &str, from: &str, to: &str) {
        let file = self
            .files
            .iter_mut()
            .find(|file| file.name == name)
            .expect(name);
        assert!(file.text.contains(from), "{name} has no {from}");
        file.text = file.text.replacen(from, to, 1);
    }

    /// Describes the graph: gates apart, each unit with what it waits for.
    fn graph(&self) -> String {
        let gates = graph::read(self.feature().text("PLAN.md").unwrap()).unwrap();
        let short = |id: &str| id.rsplit('/').next().unwrap_or(id).to_owned();
        let unit = |unit: &UnitLine| {
            assert!(
                self.feature().text(&unit.file).is_some(),
                "{} is missing",
                unit.file
            );
            assert_eq!(
                self.feature().unit_key(&unit.file, "id"),
                Some(unit.id.clone())
            );
            assert_eq!(
                self.feature().unit_key(&unit.file, "status").as_deref(),
                Some("draft")
            );
            let edges: Vec<String> = unit.depends_on.iter().map(|id| short(id)).collect();
            format!("{}<{}", short(&unit.id), edges.join(","))
        };
        let gate = |gate: &GateLines| gate.units.iter().map(unit).collect::<Vec<_>>().join(" ");
        gates.iter().map(gate).collect::<Vec<_>>().join(" | ")
    }
}

fn assert_reads_without_a_note(name: &str, text: &str) {
    let path: Arc<str> = Arc::from(name);
    let (notes, problems) = if name.starts_with("WU-") {
        let unit = Unit::parse(path, text.as_bytes());
        (unit.notes, unit.doc.problems)
    } else if name == "PLAN.md" {
        let plan = Plan::parse(path, text.as_bytes());
        assert_eq!(plan.graph_problems, [], "{text}");
        (plan.notes, plan.doc.problems)
    } else {
        let gate = Gate::parse(path, text.as_bytes());
        (gate.notes, gate.doc.problems)
    };
    assert_eq!((notes, problems), (vec![], vec![]), "{name}:\n{text}");
}

#[test]
fn the_next_feature_id_is_one_more_than_the_highest_of_the_year() {
    let rows: [(&[&str], &str); 6] = [
        (&[], "FEAT-2026-0001"),
        (&["FEAT-2026-0001", "FEAT-2026-0003"], "FEAT-2026-0004"),
        (&["FEAT-2025-0099"], "FEAT-2026-0001"),
        (&["FEAT-2026-0007-with-a-slug"], "FEAT-2026-0008"),
        (
            &["INIT-2026-0050/F01", "junk", "FEAT-2026-x"],
            "FEAT-2026-0001",
        ),
        (&["FEAT-2026-9998"], "FEAT-2026-9999"),
    ];
    for (taken, want) in rows {
        let taken: Vec<String> = taken.iter().map(|id| (*id).to_owned()).collect();
        assert_eq!(next_feature_id(2026, &taken).unwrap(), want, "{taken:?}");
    }
    assert!(next_feature_id(2026, &["FEAT-2026-9999".to_owned()]).is_err());
}

#[test]
fn a_new_feature_is_a_plan_a_gate_a_unit_and_a_row() {
    let writes = new_feature(&PLACE, &feature_of("Grüße: \"CSV\" export", &[])).unwrap();
    let dir = ".gatewalk/features/FEAT-2026-0001-gruesse-csv-export";
    let paths: Vec<&str> = writes.iter().map(|write| write.path.as_str()).collect();
    let want = [
        format!("{dir}/PLAN.md"),
        format!("{dir}/GATE-01.md"),
        format!("{dir}/WU-01-gruesse-csv-export.md"),
        ".gatewalk/roadmap.md".to_owned(),
    ];
    assert_eq!(paths, want);
    let key = |write: &Write, key: &str| {
        let document = Document::parse(Arc::from("x.md"), write.content.as_bytes());
        assert_eq!(document.problems, [], "{}", write.path);
        document
            .front
            .and_then(|front| front.root.get(key)?.value.as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    assert_eq!(key(&writes[0], "feature_id"), "FEAT-2026-0001");
    assert_eq!(key(&writes[0], "title"), "Grüße: \"CSV\" export");
    assert_eq!(
        key(&writes[0], "branch"),
        "feat/FEAT-2026-0001-gruesse-csv-export"
    );
    assert_eq!(key(&writes[0], "status"), "planned");
    assert_eq!(key(&writes[1], "gate"), "1");
    assert_eq!(key(&writes[2], "id"), "FEAT-2026-0001/T01");
    assert_eq!(key(&writes[2], "type"), "implementation");
    assert!(writes[3].content.ends_with(
        "| FEAT-2026-0001 | Grüße: \"CSV\" export | planned | \
         [FEAT-2026-0001-gruesse-csv-export](features/FEAT-2026-0001-gruesse-csv-export/PLAN.md) |\n"
    ));
    assert!(
        writes.iter().all(|write| !write.content.contains("{{")),
        "a marker was left"
    );
    assert!(
        writes[2].content.contains("covers: [REQ-GRUESSE-1]")
            && writes[0].content.contains("- REQ-GRUESSE-1: ")
    );
}

#[test]
fn titles_and_slugs_that_say_nothing_are_refused_or_replaced() {
    let dir = |new: &NewFeature<'_>| new_feature(&PLACE, new).map(|writes| writes[0].path.clone());
    assert!(
        dir(&feature_of("导出", &[]))
            .unwrap()
            .contains("FEAT-2026-0001-feature/")
    );
    assert!(dir(&feature_of(" \n ", &[])).is_err());
    for slug in ["Upper", "../x", "a--b", "", "-a", "a b"] {
        assert!(
            dir(&NewFeature {
                slug: Some(slug),
                ..feature_of("x", &[])
            })
            .is_err(),
            "{slug:?}"
        );
    }
    assert!(
        dir(&NewFeature {
            slug: Some("a-b"),
            ..feature_of("x", &[])
        })
        .unwrap()
        .contains("-a-b/")
    );
}

#[test]
fn an_edited_template_that_loses_the_graph_is_refused() {
    let templates = Templates {
        plan: "---\ntitle: {{title}}\n---\n",
        ..template::SHIPPED
    };
    assert!(
        new_feature(
            &ScaffoldTarget { templates, ..PLACE },
            &feature_of("x", &[])
        )
        .is_err()
    );
}

#[test]
fn plans_grow_by_units_and_gates_with_the_closing_units_they_need() {
    let mut directory = Directory::new("Export");
    assert_eq!(directory.graph(), "T01<");
    directory.unit("Endpoint", None, &["T01"]).unwrap();
    directory
        .unit("Format", Some(1), &["FEAT-2026-0001/T01", "T02", "T02"])
        .unwrap();
    assert_eq!(directory.graph(), "T01< T02<T01 T03<T01,T02");
    directory.gate("Import").unwrap();
    let closed =
        "T01< T02<T01 T03<T01,T02 G1-CLOSE-INTERMEDIATE<T01,T02,T03 G1-PLAN<G1-CLOSE-INTERMEDIATE";
    assert_eq!(directory.graph(), format!("{closed} | T04< G2-CLOSE<T04"));
    directory.unit("Late", Some(1), &[]).unwrap();
    let closed = "T01< T02<T01 T03<T01,T02 T05< G1-CLOSE-INTERMEDIATE<T01,T02,T03,T05 G1-PLAN<G1-CLOSE-INTERMEDIATE";
    assert_eq!(directory.graph(), format!("{closed} | T04< G2-CLOSE<T04"));
    directory.gate("Polish").unwrap();
    assert_eq!(
        directory.graph(),
        format!(
            "{closed} | T04< G2-CLOSE-INTERMEDIATE<T04 G2-PLAN<G2-CLOSE-INTERMEDIATE | T06< G3-CLOSE<T06"
        )
    );
    let mut names: Vec<&str> = directory
        .files
        .iter()
        .map(|file| file.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), directory.files.len());
}

#[test]
fn a_single_gate_gets_a_closing_unit_with_its_fifth_unit() {
    let mut directory = Directory::new("Export");
    for title in ["b", "c", "d"] {
        directory.unit(title, None, &[]).unwrap();
    }
    assert_eq!(directory.graph(), "T01< T02< T03< T04<");
    directory.unit("e", None, &[]).unwrap();
    directory.unit("f", None, &["T05"]).unwrap();
    assert_eq!(
        directory.graph(),
        "T01< T02< T03< T04< T05< T06<T05 G1-CLOSE<T01,T02,T03,T04,T05,T06"
    );
}

#[test]
fn numbers_are_never_given_twice() {
    let mut directory = Directory::new("Export");
    directory.files.push(FeatureFile {
        name: "WU-07-orphan.md".into(),
        text: String::new(),
    });
    directory.files.push(FeatureFile {
        name: "WU-93-orphan.md".into(),
        text: String::new(),
    });
    directory.unit("Next", None, &[]).unwrap();
    assert_eq!(directory.graph(), "T01< T08<");
    directory.gate("Two").unwrap();
    assert!(
        directory
            .files
            .iter()
            .any(|file| file.name == "WU-94-gate-1-close.md")
    );
    assert!(
        directory
            .files
            .iter()
            .any(|file| file.name == "WU-96-gate-2-close.md")
    );
}

#[test]
fn what_would_break_the_plan_is_refused_with_the_reason() {
    type Act = fn(&mut Directory) -> Result<()>;
    let rows: &[(&str, Act)] = &[
        ("no unit `FEAT-2026-0001/T09` in this plan", |f| {
            f.unit("x", None, &["T09"])
        }),
        ("the plan has no gate 7", |f| f.unit("x", Some(7), &[])),
        ("`FEAT-2026-0001/T02` is in a later gate", |f| {
            f.unit("x", Some(1), &["T02"])
        }),
        ("`FEAT-2026-0001/G2-CLOSE` closes gate 2", |f| {
            f.unit("x", Some(2), &["G2-CLOSE"])
        }),
        ("gate 1 is `passed`", |f| {
            f.set("GATE-01.md", "status: open", "status: passed");
            f.unit("x", Some(1), &[])
        }),
        ("FEAT-2026-0001 is `done`", |f| {
            f.set("PLAN.md", "status: planned", "status: done");
            f.unit("x", None, &[])
        }),
        ("gate 2 is already closing", |f| {
            f.set("WU-92-gate-2-close.md", "status: draft", "status: done");
            f.unit("x", None, &[])
        }),
        (
            "gate 2 ends with `FEAT-2026-0001/G2-CLOSE`, which was edited",
            |f| {
                f.set(
                    "WU-92-gate-2-close.md",
                    "Close the feature",
                    "Close it well",
                );
                f.gate("Three")
            },
        ),
        (
            "a new unit is `implementation` or `human`, not `close`",
            |f| {
                let new = NewUnit {
                    title: "x",
                    kind: "close",
                    gate: None,
                    depends_on: &[],
                };
                new_unit(&PLACE, &f.feature(), &new).map(drop)
            },
        ),
    ];
    for (want, act) in rows {
        let mut directory = Directory::new("Export");
        directory.gate("Two").unwrap();
        let error = act(&mut directory).expect_err(want);
        assert!(
            error.to_string().contains(want),
            "wanted `{want}`, got `{}`",
            error
        );
        assert!(!error.to_string().ends_with('.'), "{}", error.to_string());
    }
}

#[test]
fn closing_pages_name_their_feature_and_gate() {
    let mut directory = Directory::new("Export");
    directory.gate("Two").unwrap();
    let feature = directory.feature();
    let dir = ".gatewalk/features/FEAT-2026-0001-export";
    let produces = |name: &str| feature.unit_key(name, "produces");
    assert_eq!(
        produces("WU-90-gate-1-close.md"),
        Some(format!("{dir}/RETROSPECTIVE.md"))
    );
    assert_eq!(
        produces("WU-91-gate-1-plan-next.md"),
        Some(format!("{dir}/GATE-02-REVIEW.md"))
    );
    assert_eq!(
        produces("WU-92-gate-2-close.md"),
        Some(format!("{dir}/RETROSPECTIVE.md"))
    );
    assert!(
        feature
            .text("WU-91-gate-1-plan-next.md")
            .is_some_and(|text| text.contains("# Draft gate 2\n"))
    );
    assert!(
        directory.files.iter().all(|file| !file.text.contains("{{")),
        "a marker was left"
    );
}

#[test]
fn a_human_unit_says_how_to_resume() {
    let mut directory = Directory::new("Export");
    let new = NewUnit {
        title: "Rotate the key",
        kind: "human",
        gate: None,
        depends_on: &[],
    };
    let writes = new_unit(&PLACE, &directory.feature(), &new).unwrap();
    directory.apply(writes);
    let text = directory.feature().text("WU-02-rotate-the-key.md").unwrap();
    assert!(
        text.contains("type: human\n")
            && text.contains("gatewalk done FEAT-2026-0001/T02 --evidence"),
        "{text}"
    );
}

#[test]
fn the_first_unit_has_a_title_of_its_own_if_given() {
    let new = NewFeature {
        unit: Some("Write the header"),
        ..feature_of("Export to CSV", &[])
    };
    let writes = new_feature(&PLACE, &new).expect("a feature");
    let path = ".gatewalk/features/FEAT-2026-0001-export-to-csv/WU-01-write-the-header.md";
    let unit = writes.iter().find(|write| write.path == path);
    assert!(unit.is_some_and(|unit| unit.content.contains("\n# Write the header\n")));
}
