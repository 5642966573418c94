//! `GW501`. See `missing_closing.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::UnitType;

/// Substantive units up to which a feature of one gate needs no closing unit.
const SMALL: usize = 4;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    if cx.is_settled()
        || cx.node.units.is_empty()
        || cx.feature.gate_status(cx.index) != crate::model::status_machine::GateStatus::Open
    {
        return;
    }
    let has = |wanted: UnitType| cx.units().any(|m| m.unit_type() == wanted);
    let legacy = cx.units().any(|m| m.unit_type().is_legacy());
    // An empty gate behind this one is still to be drafted: then this one is not the last.
    let last = cx.index + 1 == cx.feature.plan.gates.len();
    let missing: Vec<&str> = if last {
        let small = cx.feature.plan.gates.len() == 1 && cx.feature.substantive_units() <= SMALL;
        if small || has(UnitType::Close) || legacy {
            vec![]
        } else {
            vec!["close"]
        }
    } else {
        let mut missing = Vec::new();
        if !has(UnitType::CloseIntermediate) && !legacy {
            missing.push("close-intermediate");
        }
        let next_is_empty = cx
            .feature
            .plan
            .gates
            .get(cx.index + 1)
            .is_some_and(|g| g.units.is_empty());
        if !has(UnitType::PlanNext) && next_is_empty {
            missing.push("plan-next");
        }
        missing
    };
    if !missing.is_empty() {
        out.at(cx.plan_path(), cx.span(), format!("gate {} has no `{}` unit", cx.number(), missing.join("` and no `")))
            .help("a gate that is not the last ends with `close-intermediate` and `plan-next`, the last one with `close`");
    }
}
