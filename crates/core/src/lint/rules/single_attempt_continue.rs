//! `GW902`. See `single_attempt_continue.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::OnFailure;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let front = &cx.unit.front;
    let (Some(attempts), Some(keep)) = (&front.max_attempts, &front.on_failure) else {
        return;
    };
    if attempts.value <= 1 && keep.value == OnFailure::Continue && cx.is_dispatchable() {
        out.at(
            cx.path(),
            keep.span.clone(),
            "the tree of a failed attempt is kept for the next one, and there is none",
        )
        .related(cx.path(), attempts.span.clone(), "one attempt")
        .help("allow a second attempt, or take `on_failure` out");
    }
}
