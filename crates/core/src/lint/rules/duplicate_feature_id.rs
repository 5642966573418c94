//! `GW210`. See `duplicate_feature_id.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use std::collections::BTreeMap;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let mut by_id: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for feature in cx.ws.features.iter() {
        if let Some(id) = &feature.plan.front.feature_id {
            let place = (&feature.plan.doc.path, &id.span);
            by_id.entry(&id.value).or_default().push(place);
        }
    }
    // Each of them: no command can be told which is meant.
    for (id, places) in by_id.iter().filter(|(_, places)| places.len() > 1) {
        for (n, (path, span)) in places.iter().enumerate() {
            let (other, other_span) = places[usize::from(n == 0)];
            out.at(
                path,
                (*span).clone(),
                format!("two features are called `{id}`"),
            )
            .related(other, other_span.clone(), "the other one")
            .help("give the younger one the next free number; two branches took the same one");
        }
    }
}
