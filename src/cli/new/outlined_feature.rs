//! A feature planned from an outline: a bug's, or another tool's task list.

use super::OnDisk;
use crate::cli::Context;
use gatewalk_core::engine::evidence::plain;
use gatewalk_core::error::Result;
use gatewalk_core::model::layout;
use gatewalk_core::scaffold::Write;
use gatewalk_core::scaffold::create::NewFeature;
use gatewalk_core::scaffold::plan_outline::{self, PlanOutline};

/// Directories in which other tools keep plans: they speak of the work, and are not where it is done.
const PLANS_OF_TOOLS: [&str; 7] = [
    "openspec/",
    "backlog/",
    "specs/",
    "tasks/",
    "docs/stories/",
    "docs/prd",
    "docs/epics",
];

fn is_plan_of_a_tool(path: &str) -> bool {
    let within = PLANS_OF_TOOLS.iter().any(|dir| path.starts_with(dir));
    within && (path.ends_with(".md") || path.ends_with(".json"))
}

impl OnDisk {
    /// Plans a feature from an outline, with the next free id; drafts get a proposed `touches` where they have none.
    pub(crate) fn drafted(&self, context: &Context, outline: &PlanOutline) -> Result<Vec<Write>> {
        let mut writes = self.outlined(context, outline)?;
        self.propose_touches_among(context, &mut writes, |path| !is_plan_of_a_tool(path));
        Ok(writes)
    }

    /// Plans the same as it is.
    pub(crate) fn outlined(&self, context: &Context, outline: &PlanOutline) -> Result<Vec<Write>> {
        let outline = &outline.clone().cleaned(&plain);
        let roadmap = self.text(layout::ROADMAP);
        let new = NewFeature {
            title: &outline.title,
            slug: None,
            goal: None,
            unit: None,
            year: jiff::Zoned::now().year().clamp(0, 9999) as u16,
            taken: &self.taken(context),
            roadmap: roadmap.as_deref(),
        };
        self.with_templates(|target| plan_outline::write_out(target, &new, outline))
    }
}
