//! `GW621`. See `quoted_feature_dir.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::shells;

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    for shell in shells::live(cx.ws) {
        let quoted = shell.text.match_indices("{feature_dir}").any(|(at, mark)| {
            let before = shell.text[..at].chars().next_back();
            before.is_some_and(|c| matches!(c, '"' | '\''))
                || shell.text[at + mark.len()..].starts_with(['"', '\''])
        });
        if quoted {
            out.at(
                shell.path,
                shell.span.clone(),
                "`{feature_dir}` stands in quotes, and is quoted when it is filled in",
            )
            .help("write it without, or use \"$GATEWALK_FEATURE_DIR\"");
        }
    }
}
