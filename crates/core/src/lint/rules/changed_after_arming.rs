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
        let what = match armed.starts_with(&contract::unit_hash(unit)) {
            true => "a requirement that the unit covers was changed after it was armed",
            false => "the unit was changed after it was armed",
        };
        let key = match unit.front.armed {
            Some(_) => "armed",
            None => "status",
        };
        out.at(unit.path(), unit.span_of(key), what).help(format!(
            "read the change and arm it again: `gatewalk arm {}`",
            member.id()
        ));
    }
}
