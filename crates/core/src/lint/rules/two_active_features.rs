//! `GW404`. See `two_active_features.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::FeatureStatus;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let mut active = cx
        .ws
        .features
        .iter()
        .filter(|f| f.plan.status() == FeatureStatus::Active);
    let Some(first) = active.next() else { return };
    for feature in active {
        out.at(
            &feature.plan.doc.path,
            feature.plan.doc.key_span("status"),
            format!(
                "`{}` is active, and so is `{}`",
                feature.name(),
                first.name()
            ),
        )
        .related(
            &first.plan.doc.path,
            first.plan.doc.key_span("status"),
            "the other one",
        )
        .help(
            "the loop takes the one active feature; with several it needs `--feature` or `--all`",
        );
    }
}
