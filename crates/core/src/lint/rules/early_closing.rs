//! `GW314`. See `early_closing.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use std::collections::BTreeSet;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let substantive: Vec<&str> = cx
        .units()
        .filter(|m| !m.unit_type().is_closing())
        .map(|m| m.node.id.value.as_str())
        .collect();
    for member in cx
        .units()
        .filter(|m| m.unit_type().is_closing() && !m.status().is_settled())
    {
        let reached: BTreeSet<&str> = cx.ancestors(member.id());
        let missed: Vec<&str> = substantive
            .iter()
            .filter(|id| !reached.contains(*id))
            .copied()
            .collect();
        if !missed.is_empty() {
            out.at(
                cx.plan_path(),
                member.node.id.span.clone(),
                format!(
                    "`{}` closes the gate but does not wait for {}",
                    member.id(),
                    missed.join(", ")
                ),
            )
            .help("add them to its `depends_on`");
        }
    }
}
