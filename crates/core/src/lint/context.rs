//! What rules are asked about: a file, a unit, a gate, a feature, the workspace, each with what a
//! question about it needs. Built once a run, so that no rule searches the graph by itself.

mod file;

use super::history::{AttemptHistory, landed};
use crate::diagnostic::Span;
use crate::model::config::SeverityMap;
use crate::model::document::find_section;
use crate::model::feature::{Feature, PlannedUnit};
use crate::model::gate::Gate;
use crate::model::layout;
use crate::model::plan::GateNode;
use crate::model::status_machine::FeatureStatus;
use crate::model::unit::Unit;
use crate::model::workspace::Workspace;
pub use file::{FileCx, FileKind, is_missing};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// The whole state directory.
#[derive(Debug)]
pub struct WorkspaceCx<'a> {
    pub(crate) ws: &'a Workspace,
    /// What the settings say about severities.
    pub(crate) severities: SeverityMap,
    roadmap: Option<(Arc<str>, String)>,
    history: OnceLock<Arc<AttemptHistory>>,
}

/// One feature, its graph indexed.
#[derive(Debug)]
pub(crate) struct FeatureCx<'a> {
    /// Where it stands among the others.
    pub(crate) ws: &'a WorkspaceCx<'a>,
    /// The feature as parsed.
    pub(crate) feature: &'a Feature,
    /// Every line of the graph, in order.
    pub(crate) members: Vec<PlannedUnit<'a>>,
    by_id: HashMap<&'a str, usize>,
    by_file: HashMap<&'a str, usize>,
    landed: OnceLock<HashSet<String>>,
}

/// One gate of the plan.
#[derive(Debug)]
pub(crate) struct GateCx<'a> {
    pub(crate) f: &'a FeatureCx<'a>,
    /// Its place in the plan.
    pub(crate) index: usize,
    /// Its lines in the plan.
    pub(crate) node: &'a GateNode,
    /// The gate's file; none where it is missing.
    pub(crate) gate: Option<&'a Gate>,
}

/// One unit file, with its place in the graph.
#[derive(Debug)]
pub(crate) struct UnitCx<'a> {
    pub(crate) f: &'a FeatureCx<'a>,
    /// The file's name in the directory.
    pub(crate) file: &'a str,
    /// The unit as parsed.
    pub(crate) unit: &'a Unit,
    /// Its line in the graph; none for an orphan.
    pub(crate) member: Option<PlannedUnit<'a>>,
}

impl<'a> WorkspaceCx<'a> {
    /// Prepares a workspace to be asked about.
    pub(crate) fn new(ws: &'a Workspace) -> Self {
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
    pub fn with_history(ws: &'a Workspace, history: Arc<AttemptHistory>) -> Self {
        let cx = WorkspaceCx::new(ws);
        // A fresh context has none, so this cannot fail.
        drop(cx.history.set(history));
        cx
    }

    /// Returns the roadmap's path and text, when there is one.
    pub(crate) fn roadmap(&self) -> Option<(&Arc<str>, &str)> {
        self.roadmap
            .as_ref()
            .map(|(path, text)| (path, text.as_str()))
    }

    /// Returns what this repository's recorded attempts took.
    pub(crate) fn history(&self) -> &AttemptHistory {
        self.history
            .get_or_init(|| Arc::new(AttemptHistory::of(self.ws)))
    }
}

impl<'a> FeatureCx<'a> {
    /// Indexes the units of one feature by id and file.
    pub(crate) fn new(ws: &'a WorkspaceCx<'a>, feature: &'a Feature) -> Self {
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
            landed: OnceLock::new(),
        }
    }

    /// Returns whether the feature's log says that this unit's work landed.
    pub(crate) fn has_landed(&self, unit: &str) -> bool {
        let log = || self.feature.others.get(layout::EVENTS);
        let read = || log().map(|log| landed(log)).unwrap_or_default();
        self.landed.get_or_init(read).contains(unit)
    }

    /// Returns whether what nobody reads is in the place of one of the feature's files, which another finding says.
    pub(crate) fn has_unread_at(&self, name: &str) -> bool {
        let unread = &self.ws.ws.unread;
        !unread.is_empty() && unread.contains_key(&format!("{}/{name}", self.feature.dir))
    }

    /// Returns the path of the plan.
    pub(crate) fn plan_path(&self) -> &'a Arc<str> {
        &self.feature.plan.doc.path
    }

    /// Returns the first line of the graph with that id.
    pub(crate) fn member(&self, id: &str) -> Option<&PlannedUnit<'a>> {
        self.by_id.get(id).map(|index| &self.members[*index])
    }

    /// Returns the first line of the graph with that file.
    pub(crate) fn member_of_file(&self, file: &str) -> Option<&PlannedUnit<'a>> {
        self.by_file.get(file).map(|index| &self.members[*index])
    }

    /// Returns the ids a unit waits for, directly or through others.
    pub(crate) fn ancestors(&self, id: &str) -> BTreeSet<&str> {
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
    pub(crate) fn is_settled(&self) -> bool {
        self.feature.plan.status().is_over()
    }

    /// Returns whether the loop could run it as it is.
    pub(crate) fn is_active(&self) -> bool {
        self.feature.plan.status() == FeatureStatus::Active
    }

    /// Returns whether the feature waits for its user: its plan may be an outline until it goes on.
    pub(crate) fn is_on_hold(&self) -> bool {
        let status = self.feature.plan.status();
        matches!(status, FeatureStatus::Blocked | FeatureStatus::Deferred)
    }

    /// Returns the gates in order.
    pub(crate) fn gates(&'a self) -> Vec<GateCx<'a>> {
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
    pub(crate) fn units(&'a self) -> Vec<UnitCx<'a>> {
        let unit = |(file, unit): (&'a str, &'a Unit)| UnitCx {
            f: self,
            file,
            unit,
            member: self.member_of_file(file).copied(),
        };
        self.feature.units.iter().map(unit).collect()
    }
}

impl<'a> Deref for GateCx<'a> {
    type Target = FeatureCx<'a>;
    fn deref(&self) -> &Self::Target {
        self.f
    }
}

impl<'a> GateCx<'a> {
    /// Returns the gate's units, in order.
    pub(crate) fn units(&self) -> impl Iterator<Item = &PlannedUnit<'a>> {
        self.f.members.iter().filter(move |m| m.gate == self.index)
    }

    /// Returns its number for messages.
    pub(crate) fn number(&self) -> u32 {
        self.f.feature.gate_number(self.index)
    }

    /// Returns whether it is the last gate that has units.
    pub(crate) fn is_terminal(&self) -> bool {
        self.f.feature.terminal_gate() == Some(self.index)
    }

    /// Returns where it is called by number in the plan.
    pub(crate) fn span(&self) -> Span {
        let number = self.node.number.as_ref().map(|n| n.span.clone());
        number.unwrap_or(self.node.span.start..self.node.span.start)
    }
}

impl<'a> UnitCx<'a> {
    /// Returns the path of its file.
    pub(crate) fn path(&self) -> &'a Arc<str> {
        &self.unit.doc.path
    }

    /// Returns whether its file must be a complete prompt.
    pub(crate) fn is_dispatchable(&self) -> bool {
        self.unit.status().is_dispatchable() && !self.f.is_settled()
    }

    /// Returns whether it is dispatched to an agent some day: not a user's, not settled.
    pub(crate) fn is_prompt(&self) -> bool {
        self.is_dispatchable() && self.unit.unit_type() != crate::model::unit::UnitType::Human
    }

    /// Returns the number in its file's name: 1 of `WU-01-parser.md`.
    pub(crate) fn file_number(&self) -> Option<u32> {
        let name = self.file.trim_start_matches("WU-");
        let digits = name.find(|c: char| !c.is_ascii_digit());
        name[..digits.unwrap_or(name.len())].parse().ok()
    }

    /// Returns a section's text and where it begins.
    pub(crate) fn section(&self, name: &str) -> Option<(&'a str, usize)> {
        let doc = &self.unit.doc;
        let content = &find_section(doc.sections(), name)?.content;
        Some((
            doc.text.get(content.clone()).unwrap_or_default(),
            content.start,
        ))
    }
}
