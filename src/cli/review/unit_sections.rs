//! Sections of a review on units.

use super::review_sections::{ReviewSection, local};
use gatewalk_core::engine::evidence::counted;
use gatewalk_core::engine::{diff_scope, proposed_touches};
use gatewalk_core::model::feature::{Feature, PlannedUnit};
use gatewalk_core::model::money::usd;
use gatewalk_core::model::short_title::short_title;
use gatewalk_core::model::status_machine::UnitStatus;
use gatewalk_core::model::unit::{Unit, UnitType};

pub(super) fn units(feature: &Feature, gate: usize) -> ReviewSection {
    let mut lines = Vec::new();
    for member in feature
        .members_of(gate)
        .filter(|m| m.status() == UnitStatus::Draft)
    {
        let Some(unit) = member.unit else {
            lines.push(format!("{} has no file", local(&member)));
            continue;
        };
        let checks = unit.front.checks.as_ref().map_or(0, |c| c.value.len());
        let checks = counted(checks, "check");
        let planned = unit.front.planned_cost_usd.as_ref().map_or_else(
            || "no planned cost".to_owned(),
            |p| format!("planned {}", usd(p.value)),
        );
        lines.push(format!(
            "{} {} ({planned}, {checks})",
            local(&member),
            short_title(&unit.title())
        ));
        lines.extend(concerns(unit).into_iter().map(|d| format!("    ! {d}")));
    }
    ReviewSection {
        title: format!("Drafts of gate {}", feature.gate_number(gate)),
        lines,
    }
}

/// What units without `touches` could say, from their text and the files of the repository.
pub(super) fn proposed_scope(feature: &Feature, gate: usize, paths: &[String]) -> ReviewSection {
    let open = |m: &PlannedUnit<'_>| {
        matches!(
            m.status(),
            UnitStatus::Draft | UnitStatus::Pending | UnitStatus::BlockedHuman
        )
    };
    let lines = feature.members_of(gate).filter(open).filter_map(|m| {
        let unit = m.unit.filter(|unit| proposed_touches::is_wanted(unit))?;
        let globs = proposed_touches::propose(unit, paths);
        let words = match globs.is_empty() {
            true => "`touches: any`, or the globs its diff stays inside".to_owned(),
            false => format!("`touches: {}`", diff_scope::as_yaml(&globs)),
        };
        Some(format!("{}: {words} in `{}`", local(&m), unit.path()))
    });
    ReviewSection {
        title: "What they may touch is not said; proposed".to_owned(),
        lines: lines.collect(),
    }
}

/// What a unit declares that widens what its session may do.
pub(super) fn concerns(unit: &Unit) -> Vec<String> {
    let front = &unit.front;
    let mut concerns = Vec::new();
    let control = Unit::list(&front.touches_control_plane);
    if !control.is_empty() {
        concerns.push(format!("may change what judges it: {}", control.join(", ")));
    }
    if front.touches_tests.as_ref().is_some_and(|t| t.value) {
        concerns.push("may change protected tests".to_owned());
    }
    if front.unsandboxed.as_ref().is_some_and(|u| u.value) {
        concerns.push("runs without confinement".to_owned());
    }
    let red = Unit::list(&front.expects_red);
    if !red.is_empty() {
        concerns.push(format!("starts on a red base: {}", red.join(", ")));
    }
    if unit.unit_type() == UnitType::Implementation
        && front.checks.as_ref().is_none_or(|c| c.value.is_empty())
    {
        concerns.push("no check of its own: only the project's commands prove it".to_owned());
    }
    concerns
}
