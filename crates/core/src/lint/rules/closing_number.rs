//! `GW507`. See `closing_number.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(member) = cx.member.filter(|_| cx.is_dispatchable()) else {
        return;
    };
    let Some(number) = cx.file_number() else {
        return;
    };
    let closing = cx.unit.unit_type().is_closing();
    if closing != (90..100).contains(&number) && (closing || number < 100) {
        let message = if closing {
            "is a closing unit; those are numbered from 90"
        } else {
            "is no closing unit; those are numbered from 90"
        };
        out.at(
            cx.f.plan_path(),
            member.node.file.span.clone(),
            format!("`{}` {message}", cx.file),
        );
    }
}
