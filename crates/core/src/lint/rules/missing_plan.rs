//! `GW123`. See `missing_plan.md`.

use crate::lint::context::{FeatureCx, is_missing};
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if is_missing(&cx.feature.plan.doc) {
        out.at(
            cx.plan_path(),
            0..0,
            format!(
                "`{}` has units but no PLAN.md, or an empty one",
                cx.feature.dir
            ),
        )
        .help("`gatewalk new feature` writes one; or move the units to the feature they belong to");
    }
}
