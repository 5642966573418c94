//! `GW205`. See `foreign_id.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::id::UnitId;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let Some(feature) = &cx.feature.plan.id else {
        return;
    };
    for member in &cx.members {
        if let Some(id) = UnitId::parse(member.id()).filter(|id| id.feature() != feature) {
            let own = format!("{feature}/{}", id.local());
            out.at(
                cx.plan_path(),
                member.node.id.span.clone(),
                format!("`{id}` belongs to `{}`, not to `{feature}`", id.feature()),
            )
            .help(format!("did you mean `{own}`?"));
        }
    }
}
