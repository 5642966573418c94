//! `GW707`. See `case_collision.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::paths;
use std::collections::HashMap;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if cx.is_settled() {
        return;
    }
    let mut seen = HashMap::new();
    for unit in cx
        .members
        .iter()
        .filter_map(|m| m.unit)
        .filter(|u| u.status().is_dispatchable())
    {
        for named in paths::named("produces", &unit.front.produces) {
            let Some((path, place, span)) = seen.insert(
                named.path.to_lowercase(),
                (named.path, unit.path(), named.span),
            ) else {
                continue;
            };
            if path != named.path {
                out.at(
                    unit.path(),
                    named.span.clone(),
                    format!(
                        "`{}` and `{path}` are one file where case does not count",
                        named.path
                    ),
                )
                .related(place, span.clone(), "the other one");
            }
        }
    }
}
