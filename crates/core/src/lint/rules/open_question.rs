//! `GW411`. See `open_question.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::UnitStatus;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    boxless(cx, out);
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

/// Reports questions that are called blocking and cannot be checked: they would stop nothing.
fn boxless(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if cx.is_settled() {
        return;
    }
    let doc = &cx.feature.plan.doc;
    for question in doc.bullets_under("Open questions") {
        let text = doc.text.get(question.span.clone()).unwrap_or_default();
        let word = text.to_lowercase().find("blocking");
        let begins = question.text.to_lowercase().starts_with("blocking");
        let Some(word) = word.filter(|_| begins && question.checked.is_none()) else {
            continue;
        };
        let line = text.lines().next().map_or(0, str::len);
        let start = question.span.start;
        let message = "a blocking question without a box stops nothing";
        out.at(cx.plan_path(), start..start + line, message)
            .help("begin it with a box: `- [ ] blocking: …`")
            .safe_fix(
                "give it a box",
                vec![(start + word..start + word, "[ ] ".to_owned())],
            );
    }
}
