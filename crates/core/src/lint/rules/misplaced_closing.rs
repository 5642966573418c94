//! `GW504`. See `misplaced_closing.md`.

use crate::diagnostic::Severity;
use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::UnitType;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    if cx.is_settled() {
        return;
    }
    let last = cx.index + 1 == cx.feature.plan.gates.len();
    for member in cx.units().filter(|m| !m.status().is_settled()) {
        match member.unit_type() {
            UnitType::Close if !cx.is_terminal() => {
                out.at(
                    cx.plan_path(),
                    member.node.id.span.clone(),
                    format!(
                        "`{}` closes the feature, but gate {} is not the last one with units",
                        member.id(),
                        cx.number()
                    ),
                )
                .help("a gate that is not the last ends with `close-intermediate`");
            }
            UnitType::CloseIntermediate | UnitType::PlanNext if last => {
                out.at(
                    cx.plan_path(),
                    member.node.id.span.clone(),
                    format!(
                        "`{}` prepares a next gate, but gate {} is the last",
                        member.id(),
                        cx.number()
                    ),
                )
                .help(
                    "the last gate ends with `close`; or list the next gate with `work_units: []`",
                )
                .severity(Severity::Warning);
            }
            _ => {}
        }
    }
}
