//! `GW611`. See `missing_oracle_env.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::pattern::TextPattern;

static PLACES: TextPattern = TextPattern::new(
    r"(?i)\b(on (a )?(mac ?os|windows|iphone|ios|android)( machine| device)?|on (a )?(real|physical) device|simulator|emulator|(needs|requires) (a )?gpu|against (staging|the staging)|(needs|requires|with) (a )?(running )?(docker|podman|kubernetes|vpn|xcode|postgres|mysql|redis)\b|staging (credentials|database|account)|(needs|requires|set|export) (the )?`?\$?(?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]+)`?)\b",
);

/// One of these, in small letters, is in all of them.
const HINTS: [&str; 18] = [
    "mac",
    "windows",
    "iphone",
    "ios",
    "android",
    "device",
    "simulator",
    "emulator",
    "gpu",
    "staging",
    "docker",
    "podman",
    "kubernetes",
    "vpn",
    "xcode",
    "sql",
    "redis",
    "postgres",
];

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    if !cx.is_prompt() || cx.unit.front.oracle_env.is_some() {
        return;
    }
    for name in ["Acceptance criteria", "Verification"] {
        let Some((text, start)) = cx.section(name) else {
            continue;
        };
        let lower = text.to_ascii_lowercase();
        if !lower.contains('_') && !HINTS.iter().any(|hint| lower.contains(hint)) {
            continue;
        }
        if let Some(found) = PLACES.find(text) {
            let at = start + found.start();
            out.at(
                cx.path(),
                at..at + found.len(),
                format!("\"{}\" is not where every driver runs", found.as_str()),
            )
            .help("state where its commands can run: `oracle_env: macos_local`");
            return;
        }
    }
}
