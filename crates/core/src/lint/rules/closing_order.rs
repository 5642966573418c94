//! `GW509`. See `closing_order.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::UnitType;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let of = |wanted: UnitType| {
        cx.units()
            .find(|m| m.unit_type() == wanted && !m.status().is_settled())
    };
    let (Some(plan), Some(close)) = (of(UnitType::PlanNext), of(UnitType::CloseIntermediate))
    else {
        return;
    };
    if !cx.ancestors(plan.id()).contains(close.id()) {
        out.at(
            cx.plan_path(),
            plan.node.id.span.clone(),
            format!("`{}` does not wait for `{}`", plan.id(), close.id()),
        )
        .related(
            cx.plan_path(),
            close.node.id.span.clone(),
            "writes what the next gate should know",
        )
        .help("add the edge");
    }
}
