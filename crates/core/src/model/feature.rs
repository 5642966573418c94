//! A feature: its plan, gates and units, and every question about its graph.
//!
//! One definition of the terminal gate, of complete, of ready, shared by lint, driver and status.

use super::gate::Gate;
use super::id::UnitId;
use super::layout::{self, Layout};
use super::plan::{Plan, UnitNode};
use super::status_machine::{GateStatus, UnitStatus};
use super::unit::{Unit, UnitType};
use super::unit_files::UnitFiles;
use crate::path_names::{below, file_name};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// One feature directory as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// The directory, relative to the repository root.
    pub dir: Arc<str>,
    /// `PLAN.md`, with the graph.
    pub plan: Plan,
    /// Gate files by file name.
    pub gates: BTreeMap<String, Gate>,
    /// Unit files by file name, also those the graph does not list.
    pub units: UnitFiles,
    /// Every other file of the directory, by name.
    pub others: BTreeMap<String, Arc<[u8]>>,
}

/// A unit's place in the graph, with its file when there is one.
#[derive(Debug, Clone, Copy)]
pub struct PlannedUnit<'a> {
    /// Index of its gate in the plan.
    pub gate: usize,
    /// Its line in the graph.
    pub node: &'a UnitNode,
    /// Its file; absent where the graph names one that is missing.
    pub unit: Option<&'a Unit>,
    status: UnitStatus,
}

impl PlannedUnit<'_> {
    /// Returns the id as the graph says it.
    pub fn id(&self) -> &str {
        &self.node.id.value
    }

    /// Returns its status; a missing file is a draft.
    pub fn status(&self) -> UnitStatus {
        self.status
    }

    /// Returns its type; `implementation` where its file is missing.
    pub fn unit_type(&self) -> UnitType {
        self.unit.map_or(UnitType::Implementation, Unit::unit_type)
    }
}

/// Why a unit that is pending cannot start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waiting {
    /// For a unit that is not done yet.
    On(String),
    /// For a unit that was given up.
    OnAbandoned(String),
    /// For a unit nobody knows.
    OnUnknown(String),
}

impl Waiting {
    /// Returns the unit that is waited for.
    pub fn unit(&self) -> &str {
        match self {
            Waiting::On(id) | Waiting::OnAbandoned(id) | Waiting::OnUnknown(id) => id,
        }
    }

    /// Returns in a few words what is waited for, by the name that its unit has where they stand.
    pub fn in_short(&self, name: &str) -> String {
        match self {
            Waiting::On(_) => name.to_owned(),
            Waiting::OnAbandoned(_) => format!("{name} (abandoned)"),
            Waiting::OnUnknown(_) => format!("{name} (unknown)"),
        }
    }

    /// Returns what is waited for as the end of a sentence.
    pub fn in_full(&self) -> String {
        match self {
            Waiting::On(on) => on.clone(),
            Waiting::OnAbandoned(on) => format!("{on}, which was abandoned"),
            Waiting::OnUnknown(on) => format!("{on}, which does not exist"),
        }
    }
}

impl Feature {
    /// Returns what stands for a feature where there is none, for commands that are about none.
    pub fn nowhere(layout: Layout) -> Feature {
        let dir: Arc<str> = layout.path(layout::FEATURES).into();
        Feature {
            plan: Plan::parse(format!("{dir}/{}", layout::PLAN).into(), b""),
            dir,
            gates: BTreeMap::new(),
            units: UnitFiles::default(),
            others: BTreeMap::new(),
        }
    }

    /// Returns whether it only stands for one.
    pub(crate) fn is_nowhere(&self) -> bool {
        file_name(&self.dir) == layout::FEATURES
    }

    /// Returns every unit of the graph, in list order.
    pub fn members(&self) -> impl Iterator<Item = PlannedUnit<'_>> {
        self.members_among(0..self.plan.gates.len())
    }

    /// Returns the units of one gate, in list order.
    pub fn members_of(&self, gate: usize) -> impl DoubleEndedIterator<Item = PlannedUnit<'_>> {
        self.members_among(gate..gate + 1)
    }

    fn members_among(
        &self,
        gates: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = PlannedUnit<'_>> {
        let mut files = self.units.search();
        let of_gate = move |gate: usize| self.plan.gates.get(gate).map_or(&[][..], |g| &g.units);
        let nodes = gates.flat_map(move |gate| of_gate(gate).iter().map(move |node| (gate, node)));
        nodes.map(move |(gate, node)| {
            let found = files.find(&node.file.value);
            PlannedUnit {
                gate,
                node,
                unit: found.map(|(unit, _)| unit),
                status: found.map_or(UnitStatus::Draft, |(_, status)| status),
            }
        })
    }

    /// Returns the unit with that id.
    pub fn member(&self, id: &str) -> Option<PlannedUnit<'_>> {
        // By line first: looking up every unit's file on the way would cost more than the search.
        let gates = self.plan.gates.iter().enumerate();
        let (gate, node) = gates
            .flat_map(|(gate, node)| node.units.iter().map(move |unit| (gate, unit)))
            .find(|(_, node)| node.id.value == id)?;
        let unit = self.units.get(&node.file.value);
        Some(PlannedUnit {
            gate,
            node,
            unit,
            status: unit.map_or(UnitStatus::Draft, Unit::status),
        })
    }

    /// Returns the file of a gate.
    pub fn gate(&self, index: usize) -> Option<&Gate> {
        let file = self.plan.gates.get(index)?.file.as_ref()?;
        self.gates.get(&file.value)
    }

    /// Returns the number of a gate: as the plan says, else its place.
    pub fn gate_number(&self, index: usize) -> u32 {
        let node = self.plan.gates.get(index).and_then(|g| g.number.as_ref());
        node.map_or(index as u32 + 1, |n| n.value)
    }

    /// Returns the status of a gate; a missing file is open.
    pub fn gate_status(&self, index: usize) -> GateStatus {
        self.gate(index).map_or(GateStatus::Open, Gate::status)
    }

    /// Returns the terminal gate: the last one in the list that has units.
    pub fn terminal_gate(&self) -> Option<usize> {
        self.plan.gates.iter().rposition(|g| !g.units.is_empty())
    }

    /// Returns the first gate that is not passed.
    pub fn current_gate(&self) -> Option<usize> {
        (0..self.plan.gates.len()).find(|g| self.gate_status(*g) != GateStatus::Passed)
    }

    /// Returns true when a gate has units and every one of them is done or abandoned.
    pub(crate) fn is_complete(&self, gate: usize) -> bool {
        self.members_of(gate).next().is_some() && self.are_settled(gate, |_| true)
    }

    /// Returns true when every unit of a gate that is not a closing unit is done or abandoned.
    pub(crate) fn has_settled_substance(&self, gate: usize) -> bool {
        self.are_settled(gate, |m| !m.unit_type().is_closing())
    }

    /// Returns true when every unit of a gate for which something holds is done or abandoned.
    pub(crate) fn are_settled(
        &self,
        gate: usize,
        which: impl Fn(&PlannedUnit<'_>) -> bool,
    ) -> bool {
        // Units settle in list order for the most part: one that has not is near the end.
        let mut last_first = self.members_of(gate).rev();
        last_first.all(|m| m.status().is_settled() || !which(&m))
    }

    /// Returns the status of every unit of the graph by id; of an id that is there twice, the first one's.
    pub fn statuses(&self) -> HashMap<&str, UnitStatus> {
        let mut statuses = HashMap::new();
        for member in self.members() {
            let id = member.node.id.value.as_str();
            statuses.entry(id).or_insert(member.status());
        }
        statuses
    }

    /// Returns why a pending unit cannot start; empty when every edge is done. For many units: [`Feature::waiting_among`].
    pub fn waiting(&self, member: &PlannedUnit<'_>) -> Vec<Waiting> {
        waiting(member, |id| self.member(id).map(|m| m.status()))
    }

    /// Returns the same for one of many units, from [`Feature::statuses`].
    pub fn waiting_among(
        &self,
        member: &PlannedUnit<'_>,
        statuses: &HashMap<&str, UnitStatus>,
    ) -> Vec<Waiting> {
        waiting(member, |id| statuses.get(id).copied())
    }

    /// Returns the units of a gate that may start now, in list order, closing units last.
    pub fn frontier(&self, gate: usize) -> Vec<PlannedUnit<'_>> {
        let statuses = OnceCell::new();
        let waits = |m: &PlannedUnit<'_>| {
            let statuses = || statuses.get_or_init(|| self.statuses());
            !m.node.depends_on.is_empty() && !self.waiting_among(m, statuses()).is_empty()
        };
        let ready = |m: &PlannedUnit<'_>| m.status() == UnitStatus::Pending && !waits(m);
        let ready = self.members_of(gate).filter(ready);
        let (closing, mut ready): (Vec<_>, Vec<_>) =
            ready.partition(|m| m.unit_type().is_closing());
        // Closing units run as the gate's last, whatever their edges say.
        if !closing.is_empty() && self.has_settled_substance(gate) {
            ready.extend(closing);
        }
        ready
    }

    /// Returns the pending and draft units of a gate in the order a walk would take them.
    ///
    /// Units that can never be reached come last, in list order.
    pub fn walk(&self, gate: usize) -> Vec<PlannedUnit<'_>> {
        let mut left: Vec<_> = self
            .members_of(gate)
            .filter(|m| !m.status().is_settled())
            .collect();
        let mut done: BTreeSet<&str> = self
            .members()
            .filter(|m| m.status() == UnitStatus::Done)
            .map(|m| m.node.id.value.as_str())
            .collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let substantive = left.iter().any(|m| !m.unit_type().is_closing());
            let ready = left.iter().position(|m| {
                (!m.unit_type().is_closing() || !substantive)
                    && m.node
                        .depends_on
                        .iter()
                        .all(|d| done.contains(d.value.as_str()))
            });
            let next = left.remove(ready.unwrap_or(0));
            done.insert(&next.node.id.value);
            order.push(next);
        }
        order
    }

    /// Returns the ids that wait for a unit, directly or through others.
    pub fn descendants<'a>(&'a self, id: &'a str) -> BTreeSet<&'a str> {
        let mut followers: HashMap<&str, Vec<&str>> = HashMap::new();
        for member in self.plan.gates.iter().flat_map(|g| &g.units) {
            for edge in &member.depends_on {
                let list = followers.entry(edge.value.as_str()).or_default();
                list.push(&member.id.value);
            }
        }
        let mut seen = BTreeSet::new();
        let mut todo = vec![id];
        while let Some(next) = todo.pop() {
            let list = followers.get(next).into_iter().flatten();
            todo.extend(list.filter(|follower| seen.insert(**follower)));
        }
        seen
    }

    /// Returns the unit a user means by a full id, a local id, a file's name or its path from the root.
    pub fn find_unit(&self, name: &str) -> Option<PlannedUnit<'_>> {
        let name = name.strip_prefix("./").unwrap_or(name);
        let name = below(name, &self.dir).unwrap_or(name);
        let called = |name: &str| {
            self.members().find(|m| {
                m.id() == name
                    || UnitId::parse(m.id()).is_some_and(|id| id.local() == name)
                    || m.node.file.value == name
                    || m.node.file.value.strip_suffix(".md") == Some(name)
            })
        };
        called(name).or_else(|| called(&name.to_uppercase()))
    }

    /// Returns what the feature is called in messages: its id, else its directory.
    pub fn name(&self) -> String {
        self.plan
            .id
            .as_ref()
            .map_or_else(|| self.dir.to_string(), ToString::to_string)
    }

    /// Returns its short name: as the plan says, else what its directory has behind the id.
    pub(crate) fn slug(&self) -> Option<&str> {
        let stated = self.plan.front.slug.as_ref().map(|slug| &*slug.value);
        let behind_id = || {
            let rest = file_name(&self.dir).strip_prefix(self.plan.id.as_ref()?.as_str())?;
            rest.strip_prefix('-')
        };
        stated.or_else(behind_id).filter(|slug| !slug.is_empty())
    }

    /// Returns the number of units that are not closing units.
    pub(crate) fn substantive_units(&self) -> usize {
        self.members()
            .filter(|m| !m.unit_type().is_closing())
            .count()
    }

    /// Returns the path of a file of the directory, relative to the repository root.
    pub fn path(&self, file: &str) -> String {
        format!("{}/{file}", self.dir)
    }
}

fn waiting(member: &PlannedUnit<'_>, status: impl Fn(&str) -> Option<UnitStatus>) -> Vec<Waiting> {
    let edges = member.node.depends_on.iter();
    edges
        .filter_map(|edge| match status(&edge.value) {
            None => Some(Waiting::OnUnknown(edge.value.clone())),
            Some(UnitStatus::Done) => None,
            Some(UnitStatus::Abandoned) => Some(Waiting::OnAbandoned(edge.value.clone())),
            Some(_) => Some(Waiting::On(edge.value.clone())),
        })
        .collect()
}
