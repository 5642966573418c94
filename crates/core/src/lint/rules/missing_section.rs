//! `GW115`. See `missing_section.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::find_section;
use crate::model::unit::REQUIRED_SECTIONS;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_prompt() || cx.unit.doc.front.is_none() {
        return;
    }
    let sections = cx.unit.doc.sections();
    let missing: Vec<&str> = REQUIRED_SECTIONS
        .into_iter()
        .filter(|name| find_section(sections, name).is_none())
        .collect();
    if missing.is_empty() {
        return;
    }
    let body = cx.unit.doc.body.start;
    let span = cx.unit.doc.title().map_or(body..body, |(_, span)| span);
    let plural = if missing.len() == 1 {
        "section"
    } else {
        "sections"
    };
    out.at(
        cx.path(),
        span,
        format!("missing {plural}: {}", missing.join(", ")),
    )
    .help("add each as a heading (`## Context`) or a bold lead-in (`**Context.** …`)");
}
