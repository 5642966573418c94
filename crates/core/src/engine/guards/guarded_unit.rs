//! The unit whose diff is looked at, and the plan files that are its own to write.

use crate::model::feature::Feature;
use crate::model::layout::{self, Layout};
use crate::model::unit::{Unit, UnitType};
use crate::path_names::below;

/// The unit whose diff is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Which state directory the plan is in.
    pub(crate) layout: Layout,
    /// Its feature, at the base.
    pub(crate) feature: &'a Feature,
    /// Index of its gate.
    pub(crate) gate: usize,
    /// The unit, at the base.
    pub(crate) unit: &'a Unit,
    /// More control-plane globs, from config.yml.
    pub(crate) protect: &'a [&'a str],
    /// Changed git attributes that git does nothing by.
    pub(crate) idle_attributes: &'a [String],
}

impl Subject<'_> {
    /// Returns true for the unit's own file: its edits there are put back, never judged.
    pub(crate) fn is_own_file(&self, path: &str) -> bool {
        path == &**self.unit.path()
    }

    /// Returns true for the files the driver alone writes: what an attempt does there is put back.
    pub(crate) fn is_driver_file(&self, path: &str) -> bool {
        self.is_own_file(path)
    }

    /// Returns true for the plan files that a unit of this type is meant to write.
    pub(crate) fn may_write(&self, path: &str) -> bool {
        let in_state = below(path, self.layout.dir());
        let in_feature = below(path, &self.feature.dir);
        let reflective = matches!(
            in_state,
            Some(layout::LEARNINGS | layout::ROADMAP | "roadmap-archive.md")
        ) || in_feature.is_some_and(|name| {
            name == layout::RETROSPECTIVE
                || (name.starts_with("GATE-") && name.ends_with("-CRITERIA.md"))
        });
        match self.unit.unit_type() {
            UnitType::Implementation | UnitType::Human => false,
            UnitType::PlanNext => reflective || in_feature.is_some_and(|name| self.may_draft(name)),
            _ => reflective,
        }
    }

    /// Returns true for the files a planner drafts: PLAN, later gates, their units and reviews.
    fn may_draft(&self, name: &str) -> bool {
        let passed = |unit: &&crate::model::plan::UnitNode| unit.file.value == name;
        let current = self.feature.gate_number(self.gate);
        let in_this_or_earlier = self.feature.plan.gates[..=self.gate]
            .iter()
            .flat_map(|g| &g.units)
            .any(|u| passed(&u));
        let review_of = name
            .strip_prefix("GATE-")
            .and_then(|n| n.strip_suffix("-REVIEW.md"));
        name == layout::PLAN
            || layout::gate_number(name).is_some_and(|n| n > current)
            || review_of.and_then(|n| n.parse::<u32>().ok()).is_some()
            || (layout::is_unit_file(name) && !in_this_or_earlier)
    }
}
