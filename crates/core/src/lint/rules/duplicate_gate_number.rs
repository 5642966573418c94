//! `GW308`. See `duplicate_gate_number.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let gates = &cx.feature.plan.gates;
    let Some(number) = &cx.node.number else {
        return;
    };
    let same = |other: &&crate::model::plan::GateNode| {
        other
            .number
            .as_ref()
            .is_some_and(|n| n.value == number.value)
    };
    if let Some(first) = gates[..cx.index]
        .iter()
        .find(same)
        .and_then(|g| g.number.as_ref())
    {
        out.at(
            cx.plan_path(),
            number.span.clone(),
            format!("two gates have the number {}", number.value),
        )
        .related(cx.plan_path(), first.span.clone(), "the other one");
    }
    let same_file = |other: &&crate::model::plan::GateNode| {
        other
            .file
            .as_ref()
            .zip(cx.node.file.as_ref())
            .is_some_and(|(a, b)| a.value == b.value)
    };
    let earlier = gates[..cx.index]
        .iter()
        .find(same_file)
        .and_then(|g| g.file.as_ref());
    if let (Some(first), Some(file)) = (earlier, &cx.node.file) {
        out.at(
            cx.plan_path(),
            file.span.clone(),
            format!("`{}` is the file of two gates", file.value),
        )
        .related(cx.plan_path(), first.span.clone(), "the other one");
    }
}
