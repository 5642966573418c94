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
        let own = unit.front.id.as_ref().map(|id| &*id.value);
        let taken = cx.members.iter().find(|m| own == Some(m.id()));
        let id = own.unwrap_or("FEAT-…/T01");
        out.at(
            unit.path(),
            unit.span_of("id"),
            format!("`{file}` is in the directory but not in the graph, so it never runs"),
        )
        .help(match taken {
            Some(gone) if gone.unit.is_none() => format!(
                "PLAN.md has its id with `{}`, which is not there: name this file in its place",
                gone.node.file.value
            ),
            Some(other) => format!(
                "its id is that of `{}`: give it one of its own, or delete the file",
                other.node.file.value
            ),
            None => format!("list it in PLAN.md: `- {{id: {id}, file: {file}, depends_on: []}}`"),
        });
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
