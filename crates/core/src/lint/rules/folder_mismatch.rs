//! `GW206`. See `folder_mismatch.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::path_names::file_name;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    let Some(id) = &cx.feature.plan.id else {
        return;
    };
    let directory = file_name(&cx.feature.dir);
    let span = cx.feature.plan.doc.key_span("feature_id");
    let Some(rest) = directory
        .strip_prefix(&id.directory_prefix())
        .filter(|rest| rest.is_empty() || rest.starts_with('-'))
    else {
        out.at(
            cx.plan_path(),
            span,
            format!("`{id}` is in the directory `{directory}`"),
        )
        .help(format!(
            "the directory's name begins with `{}`",
            id.directory_prefix()
        ));
        return;
    };
    let Some(slug) = &cx.feature.plan.front.slug else {
        return;
    };
    if rest.strip_prefix('-') != Some(slug.value.as_str()) {
        out.at(
            cx.plan_path(),
            slug.span.clone(),
            format!(
                "the slug is `{}`, the directory is called `{directory}`",
                slug.value
            ),
        );
    }
}
