//! `GW320`. See `gate_order.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let Some(number) = &cx.node.number else {
        return;
    };
    let before = cx
        .index
        .checked_sub(1)
        .and_then(|i| cx.feature.plan.gates[i].number.as_ref());
    let wanted = before.map_or(1, |b| b.value.saturating_add(1));
    if number.value == wanted || before.is_some_and(|b| b.value == number.value) {
        return;
    }
    let found = out.at(
        cx.plan_path(),
        number.span.clone(),
        format!(
            "gate {} stands where gate {wanted} is expected",
            number.value
        ),
    );
    match before {
        Some(before) => found.related(cx.plan_path(), before.span.clone(), "the gate before"),
        None => found,
    }
    .help("gates are walked in the order of the list");
}
