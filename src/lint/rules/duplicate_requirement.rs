//! `GW618`. See `duplicate_requirement.md`.

use crate::lint::context::FeatureCx;
use crate::lint::requirements;
use crate::lint::sink::Sink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut Sink) {
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
