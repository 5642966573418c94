//! `GW617`. See `missing_verification.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::layout::Layout;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    let is_unread = cx.ws.unread.contains_key(&*verification.path);
    if !verification.exists && !is_unread && !cx.ws.features.is_empty() {
        out.at(
            &verification.path,
            0..0,
            format!(
                "there is no `{}`: nothing could be verified",
                verification.path
            ),
        )
        .help(match cx.ws.layout {
            Layout::Gatewalk => "`gatewalk init` proposes one from the tools it finds",
            Layout::Specfuse => "write one: under `code:` the commands that decide, each with a `name` and a `command`",
        });
    }
}
