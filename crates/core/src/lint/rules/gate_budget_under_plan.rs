//! `GW808`. See `gate_budget_under_plan.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let Some(gate) = cx.gate.filter(|_| !cx.is_settled()) else {
        return;
    };
    let Some(budget) = &gate.front.cost_budget_usd else {
        return;
    };
    let planned: f64 = cx
        .units()
        .filter_map(|m| m.unit?.front.planned_cost_usd.as_ref())
        .map(|c| c.value)
        .sum();
    if planned > budget.value && gate.status() == crate::model::status_machine::GateStatus::Open {
        out.at(
            &gate.doc.path,
            budget.span.clone(),
            format!(
                "the gate may cost {:.2}, its units are planned to cost {planned:.2}",
                budget.value
            ),
        )
        .help("the loop would stop in the middle of the gate");
    }
}
