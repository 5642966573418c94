//! `GW305`. See `abandoned_dependency.md`.

use crate::lint::context::FeatureCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::status_machine::UnitStatus;

pub(super) fn check(cx: &FeatureCx<'_>, out: &mut FindingSink) {
    for member in cx.members.iter().filter(|m| !m.status().is_settled()) {
        for edge in &member.node.depends_on {
            let Some(target) = cx
                .member(&edge.value)
                .filter(|t| t.status() == UnitStatus::Abandoned)
            else {
                continue;
            };
            let found = out
                .at(
                    cx.plan_path(),
                    edge.span.clone(),
                    format!(
                        "`{}` waits for `{}`, which was abandoned",
                        member.id(),
                        edge.value
                    ),
                )
                .help("take the edge out if the unit can do without, or abandon it as well")
                .only_warn_if(cx.is_settled());
            if let Some(unit) = target.unit {
                found.related(unit.path(), unit.span_of("status"), "given up here");
            }
        }
    }
}
