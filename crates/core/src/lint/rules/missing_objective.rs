//! `GW117`. See `missing_objective.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::find_section;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if cx.is_prompt()
        && cx.unit.doc.front.is_some()
        && find_section(cx.unit.doc.sections(), "Objective").is_none()
    {
        let body = cx.unit.doc.body.start;
        let span = cx.unit.doc.title().map_or(body..body, |(_, span)| span);
        out.at(cx.path(), span, "no Objective")
            .help("one sentence: what will be true that is not true now");
    }
}
