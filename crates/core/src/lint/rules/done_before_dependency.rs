//! `GW401`. See `done_before_dependency.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::UnitStatus;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for member in cx.members.iter().filter(|m| m.status() == UnitStatus::Done) {
        let Some(unit) = member.unit else { continue };
        for edge in &member.node.depends_on {
            let Some(target) = cx.member(&edge.value).filter(|t| !t.status().is_settled()) else {
                continue;
            };
            out.at(unit.path(), unit.span_of("status"), format!("done, but it depends on `{}`, which is {}", edge.value, target.status()))
                .related(cx.plan_path(), edge.span.clone(), "the edge")
                .help("if it was edited by hand, put it back to `pending`; the driver marks what it has verified")
                .only_warn_if(cx.is_settled());
        }
    }
}
