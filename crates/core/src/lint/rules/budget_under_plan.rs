//! `GW809`. See `budget_under_plan.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let front = &cx.unit.front;
    let (Some(budget), Some(planned)) = (&front.budget_usd, &front.planned_cost_usd) else {
        return;
    };
    if cx.is_prompt() && budget.value < planned.value {
        out.at(
            cx.path(),
            budget.span.clone(),
            format!(
                "the unit may cost {:.2} and is planned to cost {:.2}",
                budget.value, planned.value
            ),
        )
        .related(cx.path(), planned.span.clone(), "the plan");
    }
}
