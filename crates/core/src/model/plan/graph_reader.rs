//! The graph of a plan, from its YAML to gates and units.

use super::{GateNode, GraphProblem, UnitNode};
use crate::model::frontmatter::{self, FromYaml, Note, NoteKind, Spanned};
use crate::model::yaml::{Kind, Node};

/// Reads the graph's nodes, noting what does not fit.
pub(super) struct GraphReader<'a> {
    pub(super) problems: &'a mut Vec<GraphProblem>,
}

const GATE_KEYS: [&str; 3] = ["gate", "file", "work_units"];
const UNIT_KEYS: [&str; 3] = ["id", "file", "depends_on"];

/// How an item of the graph is written.
const ITEM: &str = "write an item for each unit, `- ` before its first key: `id: …`, `file: …` and `depends_on: []`";

impl GraphReader<'_> {
    /// Reads the list of gates.
    pub(super) fn gates(&mut self, root: &Node) -> Vec<GateNode> {
        let gates = root.get("gates").expect("checked by the caller");
        let Some(items) = self.list(&gates.value, "gates") else {
            return vec![];
        };
        if items.is_empty() {
            self.problems
                .push(GraphProblem::NoGates(gates.key_span.clone()));
        }
        let items = self.within(items, &gates.value, "gates");
        items.iter().map(|item| self.gate(item)).collect()
    }

    fn within<'n>(&mut self, items: &'n [Node], node: &Node, key: &str) -> &'n [Node] {
        let mut notes = Vec::new();
        let items = frontmatter::within(items, node, key, &mut notes);
        self.problems
            .extend(notes.into_iter().map(GraphProblem::Note));
        items
    }

    fn gate(&mut self, node: &Node) -> GateNode {
        self.unknown_keys(node, &GATE_KEYS);
        let units = match node.get("work_units") {
            None => {
                self.missing(node, "work_units");
                vec![]
            }
            // `work_units:` with nothing behind it is an empty list.
            Some(entry) if entry.value.is_null() => vec![],
            Some(entry) => self
                .list(&entry.value, "work_units")
                .map(<[Node]>::to_vec)
                .unwrap_or_default()
                .iter()
                .filter_map(|unit| self.unit(unit))
                .collect(),
        };
        GateNode {
            number: self.value(node, "gate"),
            file: self.value(node, "file"),
            units,
            span: node.span.clone(),
        }
    }

    fn unit(&mut self, node: &Node) -> Option<UnitNode> {
        if !matches!(node.kind, Kind::Mapping(_)) {
            let want = "a list of mappings";
            return self.wrong_type(node, "work_units", want, Some(ITEM));
        }
        self.unknown_keys(node, &UNIT_KEYS);
        let id = self.value::<String>(node, "id");
        let file = self.value::<String>(node, "file");
        let depends_on = match node.get("depends_on") {
            Some(entry) if !entry.value.is_null() => self
                .list(&entry.value, "depends_on")
                .map(|edges| self.within(edges, &entry.value, "depends_on").to_vec())
                .unwrap_or_default()
                .iter()
                .filter_map(|edge| self.text(edge, "depends_on"))
                .collect(),
            _ => vec![],
        };
        Some(UnitNode {
            id: id?,
            file: file?,
            depends_on,
            span: node.span.clone(),
        })
    }

    fn list<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n [Node]> {
        match &node.kind {
            Kind::Sequence(items) => Some(items),
            _ => self.wrong_type(node, key, "a list", None),
        }
    }

    /// Notes a value of another type, and how it is written where that is not said elsewhere.
    fn wrong_type<T>(
        &mut self,
        node: &Node,
        key: &str,
        want: &str,
        help: Option<&str>,
    ) -> Option<T> {
        let mut notes = Vec::new();
        frontmatter::wrong_type::<()>(node, key, want, &mut notes);
        let noted = notes.into_iter().map(|note| Note {
            help: help.map(str::to_owned),
            ..note
        });
        self.problems.extend(noted.map(GraphProblem::Note));
        None
    }

    fn text(&mut self, node: &Node, key: &str) -> Option<Spanned<String>> {
        self.typed(node, key)
    }

    fn value<T: FromYaml>(&mut self, node: &Node, key: &str) -> Option<Spanned<T>> {
        match node.get(key) {
            Some(entry) => self.typed(&entry.value, key),
            None => {
                self.missing(node, key);
                None
            }
        }
    }

    fn typed<T: FromYaml>(&mut self, node: &Node, key: &str) -> Option<Spanned<T>> {
        let mut notes = Vec::new();
        let value = T::from_yaml(node, key, &mut notes);
        self.problems
            .extend(notes.into_iter().map(GraphProblem::Note));
        value.map(|value| Spanned {
            value,
            span: node.span.clone(),
        })
    }

    fn missing(&mut self, node: &Node, key: &str) {
        self.problems.push(GraphProblem::Note(Note {
            kind: NoteKind::MissingKey,
            key: key.to_owned(),
            message: format!("missing key `{key}` in the graph"),
            help: written_as(key).map(str::to_owned),
            span: node.span.clone(),
        }));
    }

    fn unknown_keys(&mut self, node: &Node, known: &[&str]) {
        for entry in node
            .entries()
            .iter()
            .filter(|e| !known.contains(&e.key.as_str()))
        {
            let near = frontmatter::meant(&entry.key, known.iter().copied());
            self.problems.push(GraphProblem::Note(Note {
                kind: NoteKind::UnknownGraphKey,
                key: entry.key.clone(),
                message: format!("unknown key `{}` in the graph", entry.key),
                help: near.map(|n| format!("did you mean `{n}`?")),
                span: entry.key_span.clone(),
            }));
        }
    }
}

/// Returns how a key that an item of the graph needs is written.
fn written_as(key: &str) -> Option<&'static str> {
    Some(match key {
        "gate" => "write the gate's number: `- gate: 1`",
        "file" => {
            "write the name of its file, which lies beside PLAN.md: `file: GATE-01.md`, `file: WU-01-parser.md`"
        }
        "work_units" => {
            "write `work_units:` and below it an item for each unit of the gate: `- id: …` and `file: …`"
        }
        "id" => "write the unit's id, as its file has it: `- id: FEAT-2026-0001/T01`",
        _ => return None,
    })
}
