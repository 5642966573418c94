//! `GW806`. See `plan_total_off.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::UnitStatus;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let Some(planned) = cx
        .feature
        .plan
        .front
        .planned_cost_usd
        .as_ref()
        .filter(|_| !cx.is_settled())
    else {
        return;
    };
    let undrafted = cx.feature.plan.gates.iter().any(|g| g.units.is_empty());
    let units = || {
        cx.members
            .iter()
            .filter(|m| m.status() != UnitStatus::Abandoned)
            .filter_map(|m| m.unit)
    };
    let agents = || units().filter(|u| u.unit_type() != crate::model::unit::UnitType::Human);
    if undrafted || agents().any(|u| u.front.planned_cost_usd.is_none()) || cx.members.is_empty() {
        return;
    }
    let total: f64 = units()
        .filter_map(|u| u.front.planned_cost_usd.as_ref())
        .map(|c| c.value)
        .sum();
    if (total - planned.value).abs() > planned.value.max(total) * 0.1 {
        out.at(
            cx.plan_path(),
            planned.span.clone(),
            format!(
                "the plan says {:.2}, its units add up to {total:.2}",
                planned.value
            ),
        )
        .help("correct the one that is out of date");
    }
}
