//! `GW502`. See `legacy_closing.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::Word;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(written) = &cx.unit.front.unit_type else {
        return;
    };
    if written.value.is_legacy() && cx.is_dispatchable() {
        out.at(cx.path(), written.span.clone(), format!("`{}` is an older closing form", written.value.word()))
            .help("use one `close-intermediate` (or `close` on the last gate) in place of `retrospective`, `lessons` and `docs`");
    }
}
