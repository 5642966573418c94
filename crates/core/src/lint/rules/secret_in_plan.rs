//! `GW711`. See `secret_in_plan.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::pattern::TextPattern;

static SECRETS: TextPattern = TextPattern::new(
    r"(?x)
        (?P<aws>\bAKIA[0-9A-Z]{16}\b)
        | (?P<github>\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{40,}\b)
        | (?P<gitlab>\bglpat-[A-Za-z0-9_-]{20,}\b)
        | (?P<slack>\bxox[abprs]-[A-Za-z0-9-]{20,}\b)
        | (?P<model>\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}\b)
        | (?P<google>\bAIza[0-9A-Za-z_-]{35}\b)
        | (?P<stripe>\b[rs]k_live_[0-9a-zA-Z]{20,}\b)
        | (?P<npm>\bnpm_[A-Za-z0-9]{36}\b)
        | (?P<key>-----BEGIN\ (?:RSA\ |EC\ |OPENSSH\ |DSA\ )?PRIVATE\ KEY-----)
        | (?P<url>\b[a-z][a-z0-9+]*://[^\s/:@]+:[^\s/:@$\{<]{6,}@[^\s/]+)",
);

/// What every one of them begins with, found in one pass; `task-` is no `sk-`.
static MARKS: TextPattern =
    TextPattern::new("AKIA|gh[pousr]_|github_pat_|glpat-|xox|sk-|AIza|k_live_|npm_|-----BEGIN|://");

/// Whether a text has one of the marks where a secret could begin.
fn is_marked(text: &str) -> bool {
    let begins = |mark: regex::Match<'_>| {
        let before = text[..mark.start()].bytes().next_back();
        mark.as_str() != "sk-" || before.is_none_or(|b| !b.is_ascii_alphanumeric() && b != b'_')
    };
    MARKS.find_iter(text).any(begins)
}

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    if !is_marked(file.text) {
        return;
    }
    for capture in SECRETS.captures_iter(file.text) {
        if out.is_full(&file.path) {
            break;
        }
        let named = |name: &&str| capture.name(name).is_some();
        let kind = SECRETS.capture_names().flatten().find(named);
        let Some(found) = capture.get(0).filter(|found| !is_example(found.as_str())) else {
            continue;
        };
        // Never the value, nor a part of it: findings end up in logs.
        out.at(&file.path, found.range(), format!("this looks like a secret ({})", kind.unwrap_or("key")))
            .help("revoke it: it is in the history of the repository, and is sent to an agent; name a variable instead");
    }
}

fn is_example(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "example",
        "xxxx",
        "0000000",
        "1234567890",
        "placeholder",
        "password@",
        "secret@",
        "localhost",
    ]
    .iter()
    .any(|word| lower.contains(word))
}
