//! `GW613`. See `uncovered_requirement.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::requirements;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::Unit;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    // A gate that is still to be drafted may cover it.
    let undrafted = cx.feature.plan.gates.iter().any(|g| g.units.is_empty());
    if cx.is_settled() || undrafted || cx.members.is_empty() {
        return;
    }
    for requirement in requirements::of(&cx.feature.plan)
        .iter()
        .filter(|r| !r.deferred)
    {
        let covers = |unit: &&Unit| requirements::covers(unit, &requirement.id);
        let units = || {
            cx.members
                .iter()
                .filter(|m| m.status() != UnitStatus::Abandoned)
                .filter_map(|m| m.unit)
                .filter(covers)
        };
        if units().next().is_none() {
            out.at(
                cx.plan_path(),
                requirement.span.clone(),
                format!("no unit covers `{}`", requirement.id),
            )
            .help("name it in a unit's `covers`, or write `(deferred: why)` behind it");
        }
    }
}
