//! `GW210`. See `duplicate_feature_id.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use std::collections::HashMap;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let mut first = HashMap::new();
    for feature in &cx.ws.features {
        let Some(id) = &feature.plan.front.feature_id else {
            continue;
        };
        let Some((path, span)) = first.insert(&id.value, (&feature.plan.doc.path, &id.span)) else {
            continue;
        };
        out.at(
            &feature.plan.doc.path,
            id.span.clone(),
            format!("two features are called `{}`", id.value),
        )
        .related(path, span.clone(), "the other one")
        .help("give the younger one the next free number; two branches took the same one");
    }
}
