//! `GW503`. See `mixed_closing.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::UnitType;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let legacy = cx.units().find(|m| m.unit_type().is_legacy());
    let current = cx
        .units()
        .find(|m| matches!(m.unit_type(), UnitType::Close | UnitType::CloseIntermediate));
    let (Some(legacy), Some(current), false) = (legacy, current, cx.is_settled()) else {
        return;
    };
    out.at(
        cx.plan_path(),
        current.node.id.span.clone(),
        format!("gate {} has closing units of both forms", cx.number()),
    )
    .related(
        cx.plan_path(),
        legacy.node.id.span.clone(),
        "the older form",
    )
    .help("keep one of them");
}
