//! `GW617`. See `missing_verification.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    let verification = &cx.ws.verification;
    if !verification.exists && !cx.ws.features.is_empty() {
        out.at(
            &verification.path,
            0..0,
            format!(
                "there is no `{}`: nothing could be verified",
                verification.path
            ),
        )
        .help("`gatewalk init` proposes one from the tools it finds");
    }
}
