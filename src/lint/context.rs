//! What rules are asked about: a file, a unit, a gate, a feature, the workspace, each with what a
//! question about it needs. Built once a run, so that no rule searches the graph by itself.

use super::history::History;
use crate::diagnostic::Span;
use crate::model::config::{ConfigFront, SeverityMap};
use crate::model::document::{Document, ProblemKind};
use crate::model::feature::{Feature, Member};
use crate::model::front::{Key, Note};
use crate::model::gate::{Gate, GateFront};
use crate::model::layout::Layout;
use crate::model::plan::{GateNode, GraphProblem, PlanFront};
use crate::model::status::{FeatureStatus, UnitStatus};
use crate::model::unit::{Unit, UnitFront};
use crate::model::verification::Command;
use crate::model::workspace::Workspace;
use crate::model::yaml::YamlErrorKind;
use std::collections::{BTreeSet, HashMap};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// The whole state directory.
#[derive(Debug)]
pub struct WorkspaceCx<'a> {
    /// The workspace itself.
    pub ws: &'a Workspace,
    /// What the settings say about severities.
    pub severities: SeverityMap,
    roadmap: Option<(Arc<str>, String)>,
    history: OnceLock<Arc<History>>,
}

/// One feature, its graph indexed.
#[derive(Debug)]
pub struct FeatureCx<'a> {
    /// Where it stands among the others.
    pub ws: &'a WorkspaceCx<'a>,
    /// The feature itself.
    pub feature: &'a Feature,
    /// Every line of the graph, in order.
    pub members: Vec<Member<'a>>,
    by_id: HashMap<&'a str, usize>,
    by_file: HashMap<&'a str, usize>,
}

/// One gate of the plan.
#[derive(Debug)]
pub struct GateCx<'a> {
    /// Its feature.
    pub f: &'a FeatureCx<'a>,
    /// Its place in the plan.
    pub index: usize,
    /// Its lines in the plan.
    pub node: &'a GateNode,
    /// Its file.
    pub gate: Option<&'a Gate>,
}

/// One unit file.
#[derive(Debug)]
pub struct UnitCx<'a> {
    /// Its feature.
    pub f: &'a FeatureCx<'a>,
    /// The file's name in the folder.
    pub file: &'a str,
    /// The unit itself.
    pub unit: &'a Unit,
    /// Its line in the graph; none for an orphan.
    pub member: Option<Member<'a>>,
}

/// What kind of file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// `PLAN.md`
    Plan,
    /// `GATE-NN.md`
    Gate,
    /// `WU-….md`
    Unit,
    /// `verification.yml`
    Verification,
    /// `config.yml`
    Config,
    /// `roadmap.md`
    Roadmap,
}

/// One file as a file.
#[derive(Debug)]
pub struct FileCx<'a> {
    /// Path relative to the repository root.
    pub path: Arc<str>,
    /// Its text.
    pub text: &'a str,
    /// What it is.
    pub kind: FileKind,
    /// Its frontmatter and body, unless it is YAML all over.
    pub doc: Option<&'a Document>,
    /// Keys and values that did not fit, the graph's too.
    pub notes: Vec<&'a Note>,
    /// What is wrong with its YAML, the graph's too.
    pub yaml: Vec<(&'a YamlErrorKind, &'a str, Span)>,
    /// Its frontmatter keys.
    pub keys: &'static [Key],
    /// Where the first byte stands that is not UTF-8.
    pub not_utf8: Option<usize>,
    /// Whether nothing in it will run any more.
    pub settled: bool,
    /// Whether it could be run as it is: an armed unit, or a plan or gate of an active feature.
    pub live: bool,
    /// Which of the two state directories it is in.
    pub layout: Layout,
}

impl<'a> WorkspaceCx<'a> {
    /// Prepares a workspace to be asked about.
    pub fn new(ws: &'a Workspace) -> Self {
        let severities = ws
            .config
            .front
            .severity
            .as_ref()
            .map(|s| s.value.clone())
            .unwrap_or_default();
        let roadmap = ws.roadmap.as_ref().map(|bytes| {
            (
                ws.layout.path(crate::model::layout::ROADMAP).into(),
                String::from_utf8_lossy(bytes).into_owned(),
            )
        });
        WorkspaceCx {
            ws,
            severities,
            roadmap,
            history: OnceLock::new(),
        }
    }

    /// Prepares a workspace whose recorded attempts have been read before.
    pub fn remembering(ws: &'a Workspace, history: Arc<History>) -> Self {
        let cx = WorkspaceCx::new(ws);
        // A fresh context has none, so this cannot fail.
        drop(cx.history.set(history));
        cx
    }

    /// Returns the roadmap's path and text, when there is one.
    pub fn roadmap(&self) -> Option<(&Arc<str>, &str)> {
        self.roadmap
            .as_ref()
            .map(|(path, text)| (path, text.as_str()))
    }

    /// Returns what this repository's recorded attempts took.
    pub fn history(&self) -> &History {
        self.history.get_or_init(|| Arc::new(History::of(self.ws)))
    }

    /// Returns the files that belong to no feature.
    pub fn files(&self) -> Vec<FileCx<'_>> {
        let (verification, config) = (&self.ws.verification, &self.ws.config);
        let file = |path: &Arc<str>, text, kind, keys| FileCx {
            path: path.clone(),
            text,
            kind,
            doc: None,
            notes: vec![],
            yaml: vec![],
            keys,
            not_utf8: None,
            settled: false,
            live: true,
            layout: self.ws.layout,
        };
        let mut files = Vec::new();
        if verification.exists {
            files.push(FileCx {
                notes: verification.notes.iter().collect(),
                yaml: verification
                    .errors
                    .iter()
                    .map(|e| (&e.kind, e.message.as_str(), e.span.clone()))
                    .collect(),
                not_utf8: verification.not_utf8,
                ..file(
                    &verification.path,
                    &verification.text,
                    FileKind::Verification,
                    Command::KEYS,
                )
            });
        }
        if !config.text.is_empty() {
            files.push(FileCx {
                notes: config.notes.iter().collect(),
                yaml: config
                    .errors
                    .iter()
                    .map(|e| (&e.kind, e.message.as_str(), e.span.clone()))
                    .collect(),
                ..file(
                    &config.path,
                    &config.text,
                    FileKind::Config,
                    ConfigFront::KEYS,
                )
            });
        }
        if let Some((path, text)) = &self.roadmap {
            let bytes = self.ws.roadmap.as_deref().unwrap_or_default();
            files.push(FileCx {
                not_utf8: std::str::from_utf8(bytes).err().map(|e| e.valid_up_to()),
                ..file(path, text, FileKind::Roadmap, &[])
            });
        }
        files
    }
}

impl<'a> FeatureCx<'a> {
    /// Indexes one feature.
    pub fn new(ws: &'a WorkspaceCx<'a>, feature: &'a Feature) -> Self {
        let members: Vec<_> = feature.members().collect();
        let (mut by_id, mut by_file) = (HashMap::new(), HashMap::new());
        for (index, member) in members.iter().enumerate() {
            by_id.entry(member.node.id.value.as_str()).or_insert(index);
            by_file
                .entry(member.node.file.value.as_str())
                .or_insert(index);
        }
        FeatureCx {
            ws,
            feature,
            members,
            by_id,
            by_file,
        }
    }

    /// Returns the path of the plan.
    pub fn plan_path(&self) -> &'a Arc<str> {
        &self.feature.plan.doc.path
    }

    /// Returns the first line of the graph with that id.
    pub fn member(&self, id: &str) -> Option<&Member<'a>> {
        self.by_id.get(id).map(|index| &self.members[*index])
    }

    /// Returns the first line of the graph with that file.
    pub fn member_of_file(&self, file: &str) -> Option<&Member<'a>> {
        self.by_file.get(file).map(|index| &self.members[*index])
    }

    /// Returns the ids a unit waits for, directly or through others.
    pub fn ancestors(&self, id: &str) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        let mut todo = vec![id];
        while let Some(next) = todo.pop() {
            let edges = self.by_id.get(next).map(|i| &self.members[*i].node);
            for edge in edges.iter().flat_map(|node| &node.depends_on) {
                if seen.insert(edge.value.as_str()) {
                    todo.push(&edge.value);
                }
            }
        }
        seen
    }

    /// Returns whether nothing of the feature will run any more.
    pub fn is_settled(&self) -> bool {
        matches!(
            self.feature.plan.status(),
            FeatureStatus::Done | FeatureStatus::Abandoned
        )
    }

    /// Returns whether the loop could run it as it is.
    pub fn is_active(&self) -> bool {
        self.feature.plan.status() == FeatureStatus::Active
    }

    /// Returns the gates in order.
    pub fn gates(&'a self) -> Vec<GateCx<'a>> {
        let gate = |(index, node)| GateCx {
            f: self,
            index,
            node,
            gate: self.feature.gate(index),
        };
        self.feature
            .plan
            .gates
            .iter()
            .enumerate()
            .map(gate)
            .collect()
    }

    /// Returns the unit files by name.
    pub fn units(&'a self) -> Vec<UnitCx<'a>> {
        let unit = |(file, unit): (&'a String, &'a Unit)| UnitCx {
            f: self,
            file,
            unit,
            member: self.member_of_file(file).copied(),
        };
        self.feature.units.iter().map(unit).collect()
    }

    /// Returns the plan, the gates and the units as files.
    pub fn files(&self) -> Vec<FileCx<'a>> {
        let settled = self.is_settled();
        let mut files = Vec::new();
        let plan = &self.feature.plan;
        // A folder without a plan has its own finding.
        if !plan.doc.text.is_empty() || !is_missing(&plan.doc) {
            let mut file = self.file(&plan.doc, FileKind::Plan, &plan.notes, PlanFront::KEYS);
            for problem in &plan.graph_problems {
                match problem {
                    GraphProblem::Note(note) => file.notes.push(note),
                    GraphProblem::Yaml(e) => file.yaml.push((&e.kind, &e.message, e.span.clone())),
                    _ => {}
                }
            }
            files.push(FileCx {
                settled,
                live: self.is_active(),
                ..file
            });
        }
        for gate in self.feature.gates.values() {
            let file = self.file(&gate.doc, FileKind::Gate, &gate.notes, GateFront::KEYS);
            files.push(FileCx {
                settled,
                live: self.is_active(),
                ..file
            });
        }
        for unit in self.feature.units.values() {
            let file = self.file(&unit.doc, FileKind::Unit, &unit.notes, UnitFront::KEYS);
            let settled = settled || unit.status().is_settled();
            let live = !settled && unit.status() == UnitStatus::Pending;
            files.push(FileCx {
                settled,
                live,
                ..file
            });
        }
        files
    }

    fn file(
        &self,
        doc: &'a Document,
        kind: FileKind,
        notes: &'a [Note],
        keys: &'static [Key],
    ) -> FileCx<'a> {
        let yaml = doc.problems.iter().filter_map(|p| match &p.kind {
            ProblemKind::Yaml(kind) => Some((kind, p.message.as_str(), p.span.clone())),
            _ => None,
        });
        let not_utf8 = doc
            .problems
            .iter()
            .find(|p| p.kind == ProblemKind::NotUtf8)
            .map(|p| p.span.start);
        FileCx {
            path: doc.path.clone(),
            text: &doc.text,
            kind,
            doc: Some(doc),
            notes: notes.iter().collect(),
            yaml: yaml.collect(),
            keys,
            not_utf8,
            settled: false,
            live: false,
            layout: self.ws.ws.layout,
        }
    }
}

/// Whether the document stands for a file that is not there.
pub fn is_missing(doc: &Document) -> bool {
    doc.text.is_empty() && !doc.problems.iter().any(|p| p.kind == ProblemKind::TooLarge)
}

impl<'a> Deref for GateCx<'a> {
    type Target = FeatureCx<'a>;
    fn deref(&self) -> &Self::Target {
        self.f
    }
}

impl<'a> GateCx<'a> {
    /// Returns the gate's units, in order.
    pub fn units(&self) -> impl Iterator<Item = &Member<'a>> {
        self.f.members.iter().filter(move |m| m.gate == self.index)
    }

    /// Returns its number for messages.
    pub fn number(&self) -> u32 {
        self.f.feature.gate_number(self.index)
    }

    /// Returns whether it is the last gate that has units.
    pub fn is_terminal(&self) -> bool {
        self.f.feature.terminal_gate() == Some(self.index)
    }

    /// Returns where it is called by number in the plan.
    pub fn span(&self) -> Span {
        let number = self.node.number.as_ref().map(|n| n.span.clone());
        number.unwrap_or(self.node.span.start..self.node.span.start)
    }
}

impl<'a> UnitCx<'a> {
    /// Returns the path of its file.
    pub fn path(&self) -> &'a Arc<str> {
        &self.unit.doc.path
    }

    /// Returns whether its file must be a complete prompt.
    pub fn is_dispatchable(&self) -> bool {
        self.unit.status().is_dispatchable() && !self.f.is_settled()
    }

    /// Returns whether it is dispatched to an agent some day: not a person's, not settled.
    pub fn is_prompt(&self) -> bool {
        self.is_dispatchable() && self.unit.unit_type() != crate::model::unit::UnitType::Human
    }
}
