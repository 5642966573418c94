//! `GW402`. See `done_feature_open_gate.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::{FeatureStatus, GateStatus};

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let done = cx.feature.plan.status() == FeatureStatus::Done;
    let open = cx.feature.gate_status(cx.index) != GateStatus::Passed;
    if let Some(gate) = cx
        .gate
        .filter(|_| done && open && !cx.node.units.is_empty())
    {
        out.at(
            &gate.doc.path,
            gate.doc.key_span("status"),
            format!(
                "the feature is done, but gate {} is {}",
                cx.number(),
                gate.status()
            ),
        )
        .related(
            cx.plan_path(),
            cx.feature.plan.doc.key_span("status"),
            "done here",
        );
    }
}
