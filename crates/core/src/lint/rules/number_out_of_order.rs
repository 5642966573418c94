//! `GW208`. See `number_out_of_order.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::id::{LocalKind, UnitId};

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let mut highest: Option<(u32, &crate::model::plan::UnitNode)> = None;
    for member in cx.units() {
        let Some(LocalKind::Task(number)) = UnitId::parse(member.id()).map(|id| id.kind()) else {
            continue;
        };
        match highest {
            Some((before, node)) if number < before => {
                out.at(
                    cx.plan_path(),
                    member.node.id.span.clone(),
                    format!("`{}` stands behind `{}`", member.id(), node.id.value),
                )
                .related(cx.plan_path(), node.id.span.clone(), "the higher number")
                .help("list order breaks ties: with equal edges the one listed first runs first");
            }
            _ => highest = Some((number, member.node)),
        }
    }
}
