//! `GW411`. See `open_question.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::UnitStatus;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if cx.is_settled() || !cx.members.iter().any(|m| m.status() == UnitStatus::Pending) {
        return;
    }
    for question in cx.feature.plan.doc.bullets_under("Open questions") {
        if question.checked == Some(false) && question.text.to_lowercase().starts_with("blocking") {
            let first = question.span.start
                ..question.span.start
                    + cx.feature.plan.doc.text[question.span.clone()]
                        .lines()
                        .next()
                        .map_or(0, str::len);
            out.at(
                cx.plan_path(),
                first,
                "a blocking question is open while units are armed",
            )
            .help("answer and check it; nothing more can be armed before");
        }
    }
}
