//! `GW603`. See `editing_command.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::shells;
use regex::bytes::Regex;
use std::sync::LazyLock;

static EDITS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x-u) (?:^|[\s;&|(]) (?: \S+ \s+ [^;&|]* --(?:fix|write|in-place|update-?snapshots?|snapshot-update|ci=false|allow-dirty)(?-u:\b)
        | (?i:(?:INSTA_UPDATE|UPDATE_\w+|BLESS)=(?:1|always|true|new|unseen)(?-u:\b))
        | (?:jest|vitest) \s+ (?:[^;&|]* \s)? -u(?-u:\b) | \S* spotless:apply (?-u:\b) | \S* spotlessApply (?-u:\b)
        | go \s+ (?:mod \s+ tidy|generate|fmt)(?-u:\b) | cargo \s+ update(?-u:\b) | (?:npm|pnpm|yarn) \s+ (?:version|publish)(?-u:\b)
        | sed \s+ (?:-\w+\s+)* -\w*i | git \s+ (?:add|commit|push|reset|checkout|stash|clean|restore)(?-u:\b)
        | (?:ruff\s+format|black|isort|gofmt\s+-w|terraform\s+fmt|rustfmt)(?-u:\b) | cargo\s+(?:fmt|insta\s+accept)(?-u:\b) | prettier \s+ [^;&|]* -w(?-u:\b) )",
    )
    .expect("the pattern is constant")
});
static ONLY_LOOKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u)--(check|diff|dry-run|no-fix|list-different)(?-u:\b)|(^|\s)-l(?-u:\b)")
        .expect("the pattern is constant")
});

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    for shell in shells::live(cx.ws) {
        for part in shell.text.split([';', '|', '&', '\n']) {
            if EDITS.is_match(part.as_bytes()) && !ONLY_LOOKS.is_match(part.as_bytes()) {
                out.at(shell.path, shell.span.clone(), format!("`{}` edits files while it verifies", part.trim()))
                    .help("use its checking form (`--check`, `--diff`): what a command changes is not committed, so it hides what is wrong");
                break;
            }
        }
    }
}
