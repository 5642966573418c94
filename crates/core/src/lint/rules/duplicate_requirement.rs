//! `GW618`. See `duplicate_requirement.md`.

use crate::diagnostic::Severity;
use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::requirements;
use crate::model::requirements::MAX_REQUIREMENTS;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let listed = cx.feature.plan.doc.bullets_under("Requirements");
    if let Some(first) = listed.first().filter(|_| listed.len() > MAX_REQUIREMENTS) {
        let message = format!("more than {MAX_REQUIREMENTS} requirements: the rest is not read");
        out.at(cx.plan_path(), first.span.start..first.span.start, message)
            .help("make several features of it")
            .severity(Severity::Error);
    }
    let all = requirements::of(&cx.feature.plan);
    for (index, requirement) in all.iter().enumerate() {
        if let Some(first) = all[..index].iter().find(|r| r.id == requirement.id) {
            out.at(
                cx.plan_path(),
                requirement.span.clone(),
                format!("`{}` is there twice", requirement.id),
            )
            .related(cx.plan_path(), first.span.clone(), "the first one")
            .help("ids are never used again: give the new one the next number");
        }
    }
}
