//! `GW710`. See `unsandboxed_without_rationale.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let front = &cx.unit.front;
    let Some(open) = front.unsandboxed.as_ref().filter(|u| u.value) else {
        return;
    };
    let has_rationale = front
        .unsandboxed_rationale
        .as_ref()
        .is_some_and(|r| !r.value.trim().is_empty());
    if !has_rationale {
        out.at(
            cx.path(),
            open.span.clone(),
            "the session is not confined, and nothing explains why",
        )
        .help("add `unsandboxed_rationale`, or take `unsandboxed` out")
        .only_warn_if(!cx.is_dispatchable());
    }
}
