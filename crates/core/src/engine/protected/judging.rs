//! Files of the product that also judge: manifests whose settings steer the tests, Rust sources with tests in them. What
//! cannot be read as what it should be counts as changed: a guard that does not understand does not let by.

use super::judging_part::JudgingPart;
use super::manifests::Manifest;
use super::{Policy, build_files, manifests, rust};
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};

/// What Vitest's tests inside a source stand behind.
const IN_SOURCE: &str = "import.meta.vitest";

/// Returns the blocks of a source that are there when Vitest reads it.
fn in_source(text: &str) -> String {
    let mut found = String::new();
    for (at, _) in text.match_indices(IN_SOURCE) {
        let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
        let opens = text[at..].find('{').map(|open| at + open + 1);
        if let Some(opens) = opens.filter(|_| text[line..at].trim_start().starts_with("if")) {
            found.push_str(&text[line..rust::closing(text, opens)]);
            found.push('\n');
        }
    }
    found
}

/// Returns what a change does to the judging part of a file.
pub(super) fn judging_part(
    path: &str,
    pair: &ChangedFile<'_>,
    pairs: &[ChangedFile<'_>],
    policy: &Policy,
) -> JudgingPart {
    let tasks = || build_files::task_rules(path, &policy.programs).map(Manifest::Lines);
    let kind = manifests::kind(path).or_else(tasks);
    let is_rust = path.ends_with(".rs");
    let before = pair.old.map(String::from_utf8_lossy).unwrap_or_default();
    let holds_tests = before.contains(IN_SOURCE);
    if kind.is_none() && !is_rust && !holds_tests {
        return JudgingPart::Same;
    }
    let old = text(pair.old, pair.change.kind != ChangedPathKind::Added);
    let new = text(pair.new, pair.change.kind != ChangedPathKind::Deleted);
    let (Some(old), Some(new)) = (old, new) else {
        return JudgingPart::from(pair.change.kind != ChangedPathKind::Added || kind.is_some());
    };
    match kind {
        Some(kind) => {
            manifests::changed(kind, (old, new), &policy.words, policy.may_run_tox).into()
        }
        None if old.is_empty() => JudgingPart::Same,
        None if holds_tests => (!rust::grew(&in_source(old), &in_source(new))).into(),
        None => rust::judging_part(path, (old, new), pairs),
    }
}

/// Returns the text of a file, empty where there is none; nothing when it is there and cannot be read as text.
fn text(bytes: Option<&[u8]>, there: bool) -> Option<&str> {
    match bytes {
        Some(bytes) => {
            let text = std::str::from_utf8(bytes).ok()?;
            Some(text.strip_prefix('\u{feff}').unwrap_or(text))
        }
        None if there => None,
        None => Some(""),
    }
}
