//! `GW211`. See `gate_number_mismatch.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let (Some(gate), Some(number)) = (cx.gate, &cx.node.number) else {
        return;
    };
    let Some(own) = gate
        .front
        .gate
        .as_ref()
        .filter(|own| own.value != number.value)
    else {
        return;
    };
    out.at(
        &gate.doc.path,
        own.span.clone(),
        format!(
            "the file says gate {}, the plan says gate {}",
            own.value, number.value
        ),
    )
    .related(
        cx.plan_path(),
        number.span.clone(),
        "the plan's number for this file",
    )
    .only_warn_if(cx.is_settled())
    .unsafe_fix(
        "write the plan's number",
        vec![(own.span.clone(), number.value.to_string())],
    );
}
