//! `GW204`. See `shared_unit_file.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for member in &cx.members {
        let file = &member.node.file;
        let Some(first) = cx.member_of_file(&file.value) else {
            continue;
        };
        if first.node.span != member.node.span {
            out.at(
                cx.plan_path(),
                file.span.clone(),
                format!("`{}` is the file of two units", file.value),
            )
            .related(
                cx.plan_path(),
                first.node.file.span.clone(),
                format!("the other one, `{}`", first.id()),
            );
        }
    }
}
