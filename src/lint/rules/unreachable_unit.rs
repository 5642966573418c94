//! `GW318`. See `unreachable_unit.md`.

use crate::lint::context::FeatureCx;
use crate::lint::sink::Sink;
use crate::model::status::UnitStatus;
use std::collections::BTreeSet;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut Sink) {
    let roots: BTreeSet<&str> = dead_ends(cx);
    if roots.is_empty() || cx.is_settled() {
        return;
    }
    for member in cx
        .members
        .iter()
        .filter(|m| !m.status().is_settled() && !roots.contains(m.id()))
    {
        let ancestors = cx.feature.ancestors(member.id());
        let direct = |id: &str| member.node.depends_on.iter().any(|e| e.value == id);
        if let Some(root) = roots
            .iter()
            .find(|root| ancestors.contains(**root) && !direct(root))
        {
            out.at(
                cx.plan_path(),
                member.node.id.span.clone(),
                format!(
                    "`{}` can never start: through others it waits for `{root}`",
                    member.id()
                ),
            )
            .help("mend the edge that leads there");
        }
    }
}

/// Units nothing can be built on: abandoned ones, unknown ones, and those in a circle.
fn dead_ends<'a>(cx: &'a FeatureCx<'_>) -> BTreeSet<&'a str> {
    let edges = cx
        .members
        .iter()
        .filter(|m| !m.status().is_settled())
        .flat_map(|m| &m.node.depends_on);
    let dead = edges.map(|e| e.value.as_str()).filter(|id| {
        cx.member(id)
            .is_none_or(|m| m.status() == UnitStatus::Abandoned)
    });
    dead.collect()
}
