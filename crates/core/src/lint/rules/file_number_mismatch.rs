//! `GW209`. See `file_number_mismatch.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::id::{LocalKind, UnitId};

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(member) = &cx.member else { return };
    let Some(LocalKind::Task(number)) = UnitId::parse(member.id()).map(|id| id.kind()) else {
        return;
    };
    let Some(named) = cx.file_number() else {
        return;
    };
    if named != number {
        out.at(
            cx.f.plan_path(),
            member.node.file.span.clone(),
            format!("`{}` is the file of `{}`", cx.file, member.id()),
        )
        .related(cx.f.plan_path(), member.node.id.span.clone(), "the id")
        .help(format!("call it `WU-{number:02}-…`"));
    }
}
