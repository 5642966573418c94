//! `GW603`. See `editing_command.md`.

use crate::lint::context::WorkspaceCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::shells;
use crate::pattern::TextPattern;

static EDITS: TextPattern = TextPattern::new(
    r"(?x) (?:^|[\s;&|(]) (?: \S+ \s+ [^;&|]* --(?:fix|write|in-place|update-?snapshots?|snapshot-update|ci=false|allow-dirty)\b
        | (?i:(?:INSTA_UPDATE|UPDATE_\w+|BLESS)=(?:1|always|true|new|unseen)\b)
        | (?:jest|vitest) \s+ (?:[^;&|]* \s)? -u\b | \S* spotless:apply \b | \S* spotlessApply \b
        | go \s+ (?:mod \s+ tidy|generate|fmt)\b | cargo \s+ update\b | (?:npm|pnpm|yarn) \s+ (?:version|publish)\b
        | sed \s+ (?:-\w+\s+)* -\w*i | git \s+ (?:add|commit|push|reset|checkout|stash|clean|restore)\b
        | (?:ruff\s+format|black|isort|gofmt\s+-w|terraform\s+fmt|rustfmt)\b | cargo\s+(?:fmt|insta\s+accept)\b | prettier \s+ [^;&|]* -w\b )",
);
static ONLY_LOOKS: TextPattern =
    TextPattern::new(r"--(check|diff|dry-run|no-fix|list-different)\b|(^|\s)-l\b");

pub(super) fn check(cx: &WorkspaceCx<'_>, out: &mut FindingSink) {
    for shell in shells::live(cx.ws) {
        for part in shell.text.split([';', '|', '&', '\n']) {
            if EDITS.is_match(part) && !ONLY_LOOKS.is_match(part) {
                out.at(shell.path, shell.span.clone(), format!("`{}` edits files while it verifies", part.trim()))
                    .help("use its checking form (`--check`, `--diff`): what a command changes is not committed, so it hides what is wrong");
                break;
            }
        }
    }
}
