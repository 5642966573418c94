//! `GW408`. See `changed_after_arming.md`.

use crate::engine::contract;
use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if cx.is_settled() {
        return;
    }
    for (member, armed) in contract::changed(cx.feature) {
        let Some(unit) = member.unit else { continue };
        let what = contract::what_changed(&armed, cx.feature, &member).unwrap_or("the unit");
        let key = match unit.front.armed {
            Some(_) => "armed",
            None => "status",
        };
        out.at(
            unit.path(),
            unit.span_of(key),
            format!("{what} was changed after it was armed"),
        )
        .help(format!(
            "read the change and arm it again: `gatewalk arm {}`",
            member.id()
        ));
    }
}
