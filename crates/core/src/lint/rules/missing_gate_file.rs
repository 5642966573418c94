//! `GW307`. See `missing_gate_file.md`.

use crate::lint::context::GateCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::nearest;

pub(super) fn check(cx: &GateCx<'_>, out: &mut FindingSink) {
    let Some(file) = cx.node.file.as_ref().filter(|_| cx.gate.is_none()) else {
        return;
    };
    if cx.has_unread_at(&file.value) {
        return;
    }
    let near = nearest(&file.value, cx.feature.gates.keys().map(String::as_str));
    out.at(
        cx.plan_path(),
        file.span.clone(),
        format!("`{}` is in the graph but not in the directory", file.value),
    )
    .help(near.map_or_else(
        || "write it: `gatewalk upgrade --show templates/GATE.md` prints its shape".to_owned(),
        |near| format!("did you mean `{near}`?"),
    ))
    .only_warn_if(cx.is_on_hold());
}
