//! `GW201`. See `malformed_id.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::id::{FeatureId, UnitId};

const UNIT_FORM: &str = "a unit id is its feature's id, `/` and `T01`, `T01H` or `G1-CLOSE`";

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if let Some(id) = &cx.feature.plan.front.feature_id
        && FeatureId::parse(&id.value).is_none()
    {
        out.at(
            cx.plan_path(),
            id.span.clone(),
            format!("`{}` is not a feature id", id.value),
        )
        .help("a feature id is `FEAT-YYYY-NNNN` or `INIT-YYYY-NNNN/FNN`");
    }
    for member in &cx.members {
        if UnitId::parse(member.id()).is_none() {
            out.at(
                cx.plan_path(),
                member.node.id.span.clone(),
                format!("`{}` is not a unit id", member.id()),
            )
            .help(UNIT_FORM);
        }
    }
    for unit in cx.feature.units.values() {
        if let Some(id) = unit.front.id.as_ref().filter(|_| unit.id.is_none()) {
            out.at(
                unit.path(),
                id.span.clone(),
                format!("`{}` is not a unit id", id.value),
            )
            .help(UNIT_FORM);
        }
    }
}
