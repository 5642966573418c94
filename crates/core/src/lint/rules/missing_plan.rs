//! `GW123`. See `missing_plan.md`.

use crate::lint::context::{FeatureCx, is_missing};
use crate::lint::finding_sink::FindingSink;
use crate::model::layout;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if is_missing(&cx.feature.plan.doc) && !cx.has_unread_at(layout::PLAN) {
        let mut others = cx.feature.others.keys();
        let namesake = others.find(|name| name.eq_ignore_ascii_case(layout::PLAN));
        out.at(
            cx.plan_path(),
            0..0,
            format!(
                "`{}` has units but no PLAN.md, or an empty one",
                cx.feature.dir
            ),
        )
        .help(match namesake {
            Some(name) => format!("rename `{name}` to `{}`", layout::PLAN),
            None => {
                "write one (`gatewalk upgrade --show templates/PLAN.md` prints its shape), or move the units to the feature they belong to"
                    .to_owned()
            }
        });
    }
}
