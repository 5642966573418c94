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
        let near = note
            .help
            .as_deref()
            .filter(|h| h.starts_with("did you mean"))
            .and_then(|h| h.split('`').nth(1));
        let found = out
            .at(&file.path, note.span.clone(), &*note.message)
            .maybe_help(note.help.clone())
            .only_warn_if(file.settled);
        if let Some(near) = near {
            found.unsafe_fix(
                format!("write `{near}`"),
                vec![(note.span.clone(), near.to_owned())],
            );
        }
    }
}
