//! Files as files: what rules about form are asked about, whatever the file means.

use super::{FeatureCx, WorkspaceCx};
use crate::diagnostic::Span;
use crate::model::config::ConfigFront;
use crate::model::document::{Document, ProblemKind};
use crate::model::frontmatter::{Key, Note};
use crate::model::gate::GateFront;
use crate::model::layout::Layout;
use crate::model::plan::{GraphProblem, PlanFront};
use crate::model::status_machine::UnitStatus;
use crate::model::unit::UnitFront;
use crate::model::verification::VerificationCommand;
use crate::model::yaml::{YamlError, YamlErrorKind};
use std::sync::Arc;

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

impl FileKind {
    /// Returns the frontmatter keys that such a file can have.
    pub(crate) fn keys(self) -> &'static [Key] {
        match self {
            FileKind::Plan => PlanFront::KEYS,
            FileKind::Gate => GateFront::KEYS,
            FileKind::Unit => UnitFront::KEYS,
            FileKind::Verification => VerificationCommand::KEYS,
            FileKind::Config => ConfigFront::KEYS,
            FileKind::Roadmap => &[],
        }
    }
}

/// One file as a file.
#[derive(Debug)]
pub struct FileCx<'a> {
    /// Path relative to the repository root.
    pub(crate) path: Arc<str>,
    /// Its text, frontmatter included.
    pub(crate) text: &'a str,
    /// What it is, by its name.
    pub(crate) kind: FileKind,
    /// Its frontmatter and body, unless it is YAML all over.
    pub(crate) doc: Option<&'a Document>,
    /// Keys and values that did not fit, the graph's too.
    pub(crate) notes: Vec<&'a Note>,
    /// What is wrong with its YAML, the graph's too.
    pub(crate) yaml: Vec<(&'a YamlErrorKind, &'a str, Span)>,
    /// The frontmatter keys that such a file can have.
    pub(crate) keys: &'static [Key],
    /// Where the first byte stands that is not UTF-8.
    pub(crate) not_utf8: Option<usize>,
    /// Whether nothing in it will run any more.
    pub(crate) settled: bool,
    /// Whether it could be run as it is: an armed unit, or a plan or gate of an active feature.
    pub(crate) live: bool,
    /// Which of the two state directories it is in.
    pub(crate) layout: Layout,
}

impl WorkspaceCx<'_> {
    /// Returns the files that belong to no feature.
    pub(crate) fn files(&self) -> Vec<FileCx<'_>> {
        let (verification, config) = (&self.ws.verification, &self.ws.config);
        let file = |path: &Arc<str>, text, kind: FileKind| FileCx {
            path: path.clone(),
            text,
            kind,
            doc: None,
            notes: vec![],
            yaml: vec![],
            keys: kind.keys(),
            not_utf8: None,
            settled: false,
            live: true,
            layout: self.ws.layout,
        };
        let mut files = Vec::new();
        if verification.exists {
            files.push(FileCx {
                notes: verification.notes.iter().collect(),
                yaml: yaml_errors(&verification.errors),
                not_utf8: verification.not_utf8,
                ..file(
                    &verification.path,
                    &verification.text,
                    FileKind::Verification,
                )
            });
        }
        if !config.text.is_empty() {
            files.push(FileCx {
                notes: config.notes.iter().collect(),
                yaml: yaml_errors(&config.errors),
                ..file(&config.path, &config.text, FileKind::Config)
            });
        }
        if let Some((path, text)) = &self.roadmap {
            let bytes = self.ws.roadmap.as_deref().unwrap_or_default();
            files.push(FileCx {
                not_utf8: std::str::from_utf8(bytes).err().map(|e| e.valid_up_to()),
                ..file(path, text, FileKind::Roadmap)
            });
        }
        files
    }
}

impl<'a> FeatureCx<'a> {
    /// Returns the plan, the gates and the units as files.
    pub(crate) fn files(&self) -> Vec<FileCx<'a>> {
        let settled = self.is_settled();
        let mut files = Vec::new();
        let plan = &self.feature.plan;
        // A directory without a plan has its own finding.
        if !plan.doc.text.is_empty() || !is_missing(&plan.doc) {
            let mut file = self.file(&plan.doc, FileKind::Plan, &plan.notes);
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
            let file = self.file(&gate.doc, FileKind::Gate, &gate.notes);
            files.push(FileCx {
                settled,
                live: self.is_active(),
                ..file
            });
        }
        for unit in self.feature.units.values() {
            let file = self.file(&unit.doc, FileKind::Unit, &unit.notes);
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

    fn file(&self, doc: &'a Document, kind: FileKind, notes: &'a [Note]) -> FileCx<'a> {
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
            keys: kind.keys(),
            not_utf8,
            settled: false,
            live: false,
            layout: self.ws.ws.layout,
        }
    }
}

fn yaml_errors(errors: &[YamlError]) -> Vec<(&YamlErrorKind, &str, Span)> {
    let shown = errors.iter();
    shown
        .map(|e| (&e.kind, e.message.as_str(), e.span.clone()))
        .collect()
}

/// Returns whether the document stands for a file that is not there.
pub fn is_missing(doc: &Document) -> bool {
    doc.text.is_empty() && !doc.problems.iter().any(|p| p.kind == ProblemKind::TooLarge)
}
