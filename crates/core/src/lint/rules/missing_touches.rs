//! `GW715`. See `missing_touches.md`.

use crate::engine::proposed_touches;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::unit::PLACEHOLDER_OPEN;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    // A unit that is still a template has more to be filled in.
    let is_written = !cx.unit.doc.text.contains(PLACEHOLDER_OPEN);
    if cx.is_prompt() && cx.member.is_some() && is_written && proposed_touches::is_wanted(cx.unit) {
        out.at(
            cx.path(),
            cx.unit.span_of("id"),
            "nothing says what it may touch",
        )
        .help("add `touches: [\"src/**\"]`, or `touches: any`; `gatewalk review` proposes one");
    }
}
