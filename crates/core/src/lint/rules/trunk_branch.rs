//! `GW716`. See `trunk_branch.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::trunk;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let plan = &cx.feature.plan;
    let (Some(branch), true) = (&plan.front.branch, trunk::is_landed_on(plan)) else {
        return;
    };
    if cx.is_settled() {
        return;
    }
    let base = plan.front.base.as_ref().map(|base| base.value.trim());
    let name = branch.value.trim();
    out.at(
        cx.plan_path(),
        branch.span.clone(),
        match base == Some(name) {
            true => format!(
                "`base` is `{name}` as well: units land on the branch they were to start from"
            ),
            false => format!("units land on `{name}` itself, before anyone reviewed them"),
        },
    )
    .help("name a branch of the feature's own, such as `feat/FEAT-2026-0042-user-export`");
}
