//! `GW313`. See `orphan_file.md`.

use crate::lint::context::{FeatureCx, is_missing};
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    if is_missing(&cx.feature.plan.doc) || cx.feature.plan.gates.is_empty() {
        return;
    }
    for (file, unit) in cx
        .feature
        .units
        .iter()
        .filter(|(file, _)| cx.member_of_file(file).is_none())
    {
        let id = unit
            .front
            .id
            .as_ref()
            .map_or_else(|| "FEAT-…/T01".to_owned(), |id| id.value.clone());
        out.at(
            unit.path(),
            unit.span_of("id"),
            format!("`{file}` is in the directory but not in the graph, so it never runs"),
        )
        .help(format!(
            "list it in PLAN.md: `- {{id: {id}, file: {file}, depends_on: []}}`"
        ));
    }
    for (file, gate) in &cx.feature.gates {
        let listed = cx
            .feature
            .plan
            .gates
            .iter()
            .any(|g| g.file.as_ref().is_some_and(|f| f.value == *file));
        if !listed {
            out.at(
                &gate.doc.path,
                gate.doc.key_span("gate"),
                format!("`{file}` is in the directory but not in the graph"),
            )
            .help("list the gate in PLAN.md or delete the file");
        }
    }
}
