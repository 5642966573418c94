//! `GW207`. See `missing_roadmap_row.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let Some((path, text)) = cx.roadmap() else {
        return;
    };
    for feature in cx.ws.features.iter() {
        let Some(id) = &feature.plan.id else { continue };
        let mentioned = text.contains(id.as_str())
            || feature
                .dir
                .rsplit('/')
                .next()
                .is_some_and(|directory| text.contains(directory));
        if !mentioned {
            out.at(
                &feature.plan.doc.path,
                feature.plan.doc.key_span("feature_id"),
                format!("`{id}` has no row in `{path}`"),
            )
            .help("add a row with its id, title, status and directory");
        }
    }
}
