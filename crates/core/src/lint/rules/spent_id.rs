//! `GW213`. See `spent_id.md`.

use crate::engine::spent_ids;
use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if cx.is_settled() {
        return;
    }
    for (member, how) in spent_ids::reused(cx.feature) {
        let Some(unit) = member.unit else { continue };
        out.at(
            unit.path(),
            unit.span_of("id"),
            format!("`{}` is spent: the log says that it {how}", member.id()),
        )
        .help(format!(
            "give the unit an id of its own, here and in PLAN.md: `{}` is free",
            spent_ids::next_free(cx.feature)
        ));
    }
}
