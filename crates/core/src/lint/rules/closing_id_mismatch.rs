//! `GW212`. See `closing_id_mismatch.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::id::{LocalKind, UnitId};
use crate::model::status_machine::Word;
use crate::model::unit::UnitType;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let (Some(member), Some(written)) = (&cx.member, &cx.unit.front.unit_type) else {
        return;
    };
    let Some(id) = UnitId::parse(member.id()) else {
        return;
    };
    let LocalKind::Closing { gate, what } = id.kind() else {
        if written.value.is_closing() && !cx.f.is_settled() {
            out.at(
                cx.path(),
                written.span.clone(),
                format!(
                    "`{id}` is numbered like work on the product, its type is `{}`",
                    written.value.word()
                ),
            )
            .help("closing units are called `G1-CLOSE`, `G1-CLOSE-INTERMEDIATE` or `G1-PLAN`");
        }
        return;
    };
    let number = cx.f.feature.gate_number(member.gate);
    if gate != number {
        out.at(
            cx.f.plan_path(),
            member.node.id.span.clone(),
            format!("`{id}` says gate {gate} and is in gate {number}"),
        );
    }
    let meant = match what {
        "CLOSE-INTERMEDIATE" => UnitType::CloseIntermediate,
        "CLOSE" => UnitType::Close,
        "RETRO" => UnitType::Retrospective,
        "LESSONS" => UnitType::Lessons,
        "DOCS" => UnitType::Docs,
        _ => UnitType::PlanNext,
    };
    if meant != written.value {
        out.at(
            cx.path(),
            written.span.clone(),
            format!("`{id}` has the type `{}`", written.value.word()),
        )
        .help(format!("an id that ends so is of type `{}`", meant.word()));
    }
}
