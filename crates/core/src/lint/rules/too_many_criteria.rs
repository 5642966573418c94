//! `GW802`. See `too_many_criteria.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::find_section;

const MANY: usize = 8;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_prompt() {
        return;
    }
    let Some(section) = find_section(cx.unit.doc.sections(), "Acceptance criteria") else {
        return;
    };
    let count = cx
        .unit
        .doc
        .bullets_under("Acceptance criteria")
        .iter()
        .filter(|b| b.depth == 1)
        .count();
    if count > MANY {
        out.at(
            cx.path(),
            section.heading.clone(),
            format!("{count} acceptance criteria; more than {MANY} are seldom met in one session"),
        )
        .help("split the unit");
    }
}
