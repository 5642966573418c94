//! `GW409`. See `legacy_status.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::layout::Layout;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let (Some(status), true) = (&cx.unit.front.status, cx.is_dispatchable()) else {
        return;
    };
    let written = cx
        .unit
        .doc
        .text
        .get(status.span.clone())
        .unwrap_or_default()
        .trim_matches(['"', '\'']);
    if matches!(written, "ready" | "in_progress" | "in_review") {
        let found = out
            .at(
                cx.path(),
                status.span.clone(),
                format!("`{written}` reads as `pending`"),
            )
            .help("what is running is shown by `gatewalk status`, not written in a file");
        // Another driver may still work on such a directory, and means something by it.
        if cx.f.ws.ws.layout == Layout::Gatewalk {
            found.safe_fix(
                "write `pending`",
                vec![(status.span.clone(), "pending".to_owned())],
            );
        }
    }
}
