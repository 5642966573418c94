//! `GW506`. See `unnamed_guard.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::layout;
use crate::model::unit::UnitType;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let (Some(member), true) = (&cx.member, cx.is_prompt()) else {
        return;
    };
    let next = cx.f.feature.gate_number(member.gate) + 1;
    let review = layout::review_file(next);
    let wanted: &[&str] = match cx.unit.unit_type() {
        UnitType::Close => &[layout::RETROSPECTIVE, "verdict"],
        UnitType::CloseIntermediate => &[layout::RETROSPECTIVE],
        UnitType::PlanNext => &[&review],
        _ => return,
    };
    let body = cx.unit.doc.body_text();
    let missing: Vec<&str> = wanted
        .iter()
        .filter(|word| !body.contains(**word))
        .copied()
        .collect();
    if !missing.is_empty() {
        let start = cx.unit.doc.body.start;
        let span = cx.unit.doc.title().map_or(start..start, |(_, span)| span);
        out.at(
            cx.path(),
            span,
            format!(
                "the text never names what is looked for afterwards: `{}`",
                missing.join("`, `")
            ),
        )
        .help("add it to the acceptance criteria");
    }
}
