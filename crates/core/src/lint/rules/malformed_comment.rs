//! `GW126`. See `malformed_comment.md`.

use crate::engine::review_comments;
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    for span in review_comments::of_text(&cx.unit.doc.text).malformed {
        out.at(
            cx.path(),
            span,
            "this is no comment on a line, so no session will read it as one",
        )
        .help("write it as `` - `PATH:LINE`: TEXT ``, or move it to another section");
    }
}
