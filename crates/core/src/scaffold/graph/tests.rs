use super::*;

fn unit(id: &str, depends_on: &[&str]) -> UnitLine {
    UnitLine {
        id: id.to_owned(),
        file: format!("WU-{}.md", id.to_lowercase()),
        depends_on: depends_on.iter().map(|id| (*id).to_owned()).collect(),
    }
}

/// A PLAN around a graph, with bytes on both sides that no edit may touch.
fn plan(graph: &str) -> String {
    format!(
        "---\nstatus: active\n---\n# P\n\n```yaml\nother: 1\n```\n\n```yaml\n{graph}```\n\nAfter.  \nno newline at the end"
    )
}

const TWO: &str = "\
# order matters
gates:
  - gate: 1   # first
    file: GATE-01.md
    work_units:
      - id: T01
        file: WU-01.md   # kept
        depends_on: []

      # the next one closes
      - id: G1-CLOSE
        file: WU-90.md
        depends_on:
          - T01   # all of them
  - gate: 2
    file: GATE-02.md
    work_units:
    - {id: T02, file: WU-02.md, depends_on: [T01]}   # flow
";

/// Every edit: the lines it must insert, and the line they must follow.
#[test]
fn an_edit_adds_its_lines_and_changes_no_other_byte() {
    type Edit = fn(&str) -> Result<String>;
    let rows: &[(&str, Edit, &str, &str)] = &[
        (
            "a unit before the closing one, in the same list style",
            |plan| add_unit(plan, 1, &unit("T03", &["T01"]), Some("G1-CLOSE")),
            "        depends_on: []\n",
            "      - id: T03\n        file: WU-t03.md\n        depends_on: [T01]\n",
        ),
        (
            "a unit before the first one",
            |plan| add_unit(plan, 1, &unit("T03", &[]), Some("T01")),
            "    file: GATE-01.md\n    work_units:\n",
            "      - id: T03\n        file: WU-t03.md\n        depends_on: []\n",
        ),
        (
            "a unit behind a block list of edges",
            |plan| add_unit(plan, 1, &unit("G1-PLAN", &["G1-CLOSE"]), None),
            "          - T01   # all of them\n",
            "      - id: G1-PLAN\n        file: WU-g1-plan.md\n        depends_on: [G1-CLOSE]\n",
        ),
        (
            "a unit behind one in flow style, at its indentation",
            |plan| add_unit(plan, 2, &unit("T03", &["T01", "T02"]), None),
            "    - {id: T02, file: WU-02.md, depends_on: [T01]}   # flow\n",
            "    - id: T03\n      file: WU-t03.md\n      depends_on: [T01, T02]\n",
        ),
        (
            "a gate behind the last one",
            |plan| {
                let units = vec![unit("T09", &[])];
                add_gate(
                    plan,
                    &GateLines {
                        gate: 3,
                        file: "GATE-03.md".into(),
                        units,
                    },
                )
            },
            "    - {id: T02, file: WU-02.md, depends_on: [T01]}   # flow\n",
            "  - gate: 3\n    file: GATE-03.md\n    work_units:\n      - id: T09\n        file: WU-t09.md\n        depends_on: []\n",
        ),
        (
            "an edge into an empty flow list",
            |plan| add_edge(plan, "T01", "T00"),
            "        depends_on: [",
            "T00",
        ),
        (
            "an edge behind a block list",
            |plan| add_edge(plan, "G1-CLOSE", "T03"),
            "          - T01   # all of them\n",
            "          - T03\n",
        ),
        (
            "an edge behind a flow list",
            |plan| add_edge(plan, "T02", "T03"),
            "file: WU-02.md, depends_on: [T01",
            ", T03",
        ),
    ];
    for (name, edit, follows, inserted) in rows {
        for plan in [
            plan(TWO),
            plan(TWO).replace('\n', "\r\n"),
            format!("\u{feff}{}", plan(TWO)),
        ] {
            let end = if plan.contains('\r') { "\r\n" } else { "\n" };
            let (follows, inserted) = (follows.replace('\n', end), inserted.replace('\n', end));
            let at = plan
                .find(&follows)
                .unwrap_or_else(|| panic!("{name}: the row is wrong"))
                + follows.len();
            let want = format!("{}{inserted}{}", &plan[..at], &plan[at..]);
            assert_eq!(edit(&plan).expect(name), want, "{name}");
        }
    }
}

#[test]
fn a_removed_unit_takes_its_lines_along_and_nothing_else() {
    let got = remove_unit(&plan(TWO), "G1-CLOSE").unwrap();
    let gone = "      - id: G1-CLOSE\n        file: WU-90.md\n        depends_on:\n          - T01   # all of them\n";
    assert_eq!(got, plan(TWO).replace(gone, ""));
}

#[test]
fn edges_and_units_find_room_where_nothing_was() {
    let rows = [
        ("depends_on:", "depends_on: [T00]"),
        ("depends_on: ~", "depends_on: [T00]"),
        ("depends_on: []  # none", "depends_on: [T00]  # none"),
    ];
    for (before, after) in rows {
        let graph = |edges: &str| {
            plan(&format!(
                "gates:\n- gate: 1\n  file: G\n  work_units:\n  - id: T01\n    file: F\n    {edges}\n"
            ))
        };
        let got = add_edge(&graph(before), "T01", "T00").map_err(|e| e.to_string());
        assert_eq!(got, Ok(graph(after)), "{before}");
    }
    let absent = "gates:\n- gate: 1\n  file: G\n  work_units:\n  - file: F\n    id: T01\n";
    let got = add_edge(&plan(absent), "T01", "T00").unwrap();
    assert_eq!(got, plan(&format!("{absent}    depends_on: [T00]\n")));
    let empty = "gates:\n  - gate: 1\n    file: G\n    work_units: []   # soon\n";
    let got = add_unit(&plan(empty), 1, &unit("T01", &[]), None).unwrap();
    assert_eq!(read(&got).unwrap()[0].units, [unit("T01", &[])]);
}

#[test]
fn a_layout_that_cannot_be_edited_exactly_is_refused() {
    let rows = [
        ("no graph", "nothing: 1\n"),
        (
            "one line",
            "gates: [{gate: 1, file: G, work_units: [{id: T01, file: F, depends_on: []}]}]\n",
        ),
        ("broken", "gates:\n  - gate: 1\n    file: [\n"),
        (
            "gate without number",
            "gates:\n  - file: G\n    work_units: []\n",
        ),
        ("two graphs", "gates: []\n```\n\n```yaml\ngates: []\n"),
    ];
    for (name, graph) in rows {
        let got = add_unit(&plan(graph), 1, &unit("T02", &[]), None);
        assert!(got.is_err(), "{name}: {got:?}");
    }
    let unknown = add_unit(&plan(TWO), 7, &unit("T03", &[]), None).unwrap_err();
    assert_eq!(unknown.to_string(), "the plan has no gate 7");
    assert_eq!(unknown.hints, ["its gates: 1, 2"]);
}
