//! `GW405`. See `misplaced_verdict.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::Word;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(verdict) = &cx.unit.front.verdict else {
        return;
    };
    if !cx.unit.unit_type().is_closing() {
        out.at(
            cx.path(),
            verdict.span.clone(),
            format!(
                "a verdict on a unit of type `{}`",
                cx.unit.unit_type().word()
            ),
        )
        .help("only closing units judge; what decides this one are its commands");
    }
}
