//! `GW116`. See `empty_section.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::document::find_section;
use crate::model::unit::REQUIRED_SECTIONS;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_prompt() {
        return;
    }
    let sections = cx.unit.doc.sections();
    for section in REQUIRED_SECTIONS
        .iter()
        .filter_map(|name| find_section(sections, name))
    {
        if !section.has_text {
            out.at(
                cx.path(),
                section.heading.clone(),
                format!("section `{}` is empty", section.name),
            )
            .help("write it, or state that there is nothing: \"nothing beyond the rules\"");
        }
    }
}
