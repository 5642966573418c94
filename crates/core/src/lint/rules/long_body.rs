//! `GW803`. See `long_body.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

const WORDS: usize = 1200;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_prompt() {
        return;
    }
    let body = cx.unit.doc.body_text();
    // A word and what parts it from the next one take two bytes: most bodies need no counting.
    if body.len() < 2 * WORDS {
        return;
    }
    let words = body.split_whitespace().count();
    if words > WORDS {
        let body = cx.unit.doc.body.start;
        let span = cx.unit.doc.title().map_or(body..body, |(_, span)| span);
        out.at(
            cx.path(),
            span,
            format!("{words} words; beyond {WORDS} a session loses the thread"),
        )
        .help("cut what the agent can read in the code, or split the unit");
    }
}
