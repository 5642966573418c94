//! `GW402`. See `done_feature_open_gate.md`.

use crate::engine::record_origin::{self, RecordOrigin};
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
        )
        .only_warn_if(!has_work_left(cx));
    }
}

/// Whether a unit of the gate still waits for work. What another driver ended is not held against it.
fn has_work_left(cx: &GateCx<'_>) -> bool {
    let here = record_origin::of(cx.feature, cx.ws.ws.layout) == RecordOrigin::Here;
    here && cx.units().any(|m| !m.status().is_settled())
}
