//! `GW108`. See `unknown_word.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::NoteKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for note in file
        .notes
        .iter()
        .filter(|n| n.kind == NoteKind::UnknownWord)
    {
        let near = note.meant();
        let found = out
            .at(&file.path, note.span.clone(), &*note.message)
            .maybe_help(note.help.clone())
            .only_warn_if(file.settled);
        if let Some(near) = near {
            let written = file.text.get(note.span.clone()).unwrap_or_default();
            let edits = vec![(note.span.clone(), near.to_owned())];
            let safe = is_spelling_of(written, near);
            found.fix(format!("write `{near}`"), edits, safe);
        }
    }
}

/// Returns whether a word is another in its own capitals, quotes, dashes or underscores: then it means nothing else.
pub(super) fn is_spelling_of(written: &str, word: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim_matches(['"', '\'']).trim();
        text.to_lowercase().replace(['-', ' ', '_'], "")
    };
    plain(written) == plain(word)
}
