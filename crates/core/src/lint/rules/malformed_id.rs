//! `GW201`. See `malformed_id.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::{FindingBuilder, FindingSink};
use crate::lint::one_meaning;
use crate::model::frontmatter::Spanned;
use crate::model::id::{FeatureId, UnitId};
use std::sync::Arc;

const UNIT_FORM: &str = "a unit id is its feature's id, `/` and `T01`, `T01H` or `G1-CLOSE`";

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if let Some(id) = &cx.feature.plan.front.feature_id
        && FeatureId::parse(&id.value).is_none()
    {
        let message = format!("`{}` is not a feature id", id.value);
        let found = out.at(cx.plan_path(), id.span.clone(), message);
        match one_meaning::feature_id(&id.value) {
            Some(meant) => respell(found, id, meant.as_str()),
            None => {
                found.help("a feature id is `FEAT-YYYY-NNNN` or `INIT-YYYY-NNNN/FNN`");
            }
        }
    }
    for member in &cx.members {
        if UnitId::parse(member.id()).is_none() {
            malformed(cx, cx.plan_path(), &member.node.id, out);
        }
    }
    for unit in cx.feature.units.values() {
        if let Some(id) = unit.front.id.as_ref().filter(|_| unit.id.is_none()) {
            malformed(cx, unit.path(), id, out);
        }
    }
}

fn respell(found: FindingBuilder<'_>, id: &Spanned<String>, meant: &str) {
    let edits = vec![(id.span.clone(), meant.to_owned())];
    found
        .help(format!("did you mean `{meant}`?"))
        .safe_fix(format!("write `{meant}`"), edits);
}

fn malformed(cx: &FeatureCx<'_>, path: &Arc<str>, id: &Spanned<String>, out: &mut FindingSink) {
    let message = format!("`{}` is not a unit id", id.value);
    let found = out.at(path, id.span.clone(), message);
    let plan = &cx.feature.plan;
    // Where the feature's own id is written so too, the unit's is held against what that means.
    let spelt = || one_meaning::feature_id(&plan.front.feature_id.as_ref()?.value);
    let feature = plan.id.clone().or_else(spelt);
    match feature.and_then(|feature| one_meaning::unit_id(&id.value, &feature)) {
        Some(meant) => respell(found, id, &meant.to_string()),
        None => {
            found.help(UNIT_FORM);
        }
    }
}
