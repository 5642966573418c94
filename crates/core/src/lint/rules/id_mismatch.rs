//! `GW202`. See `id_mismatch.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let (Some(member), Some(id)) = (&cx.member, &cx.unit.front.id) else {
        return;
    };
    // An id that is none has a finding of its own.
    if id.value != member.id() && cx.unit.id.is_some() {
        out.at(
            cx.path(),
            id.span.clone(),
            format!(
                "the file says `{}`, the graph says `{}`",
                id.value,
                member.id()
            ),
        )
        .related(
            cx.f.plan_path(),
            member.node.id.span.clone(),
            "the graph's id for this file",
        )
        .help("one of the two is a copy that was not changed")
        .unsafe_fix(
            "write the graph's id",
            vec![(id.span.clone(), member.id().to_owned())],
        );
    }
}
