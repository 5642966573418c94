//! `GW614`. See `requirement_without_command.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::requirements;
use crate::model::status_machine::UnitStatus;
use crate::model::unit::Unit;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if cx.is_settled() {
        return;
    }
    for requirement in requirements::of(&cx.feature.plan)
        .iter()
        .filter(|r| !r.deferred)
    {
        let id = requirement.id.as_str();
        let mut units = cx
            .members
            .iter()
            .filter_map(|m| m.unit)
            .filter(|u| requirements::covers(u, id))
            .peekable();
        let shown = |unit: &Unit| {
            let checks = unit.front.checks.iter().flat_map(|c| &c.value);
            unit.is_human_only()
                || checks
                    .map(|c| &c.value)
                    .any(|c| c.covers.is_none() || Unit::list(&c.covers).contains(&id))
        };
        let Some(first) = units.peek().copied() else {
            continue;
        };
        // A draft may still get its check; what is armed goes as it is.
        if !units.any(|unit| unit.status() == UnitStatus::Draft || shown(unit)) {
            out.at(
                cx.plan_path(),
                requirement.span.clone(),
                format!("`{id}` is covered, but no check shows it"),
            )
            .related(first.path(), first.span_of("covers"), "covered here")
            .help("give that unit a `checks` entry with `covers`, or `human_only` with the reason");
        }
    }
}
