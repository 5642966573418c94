//! `GW106`. See `missing_key.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::NoteKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for note in file.notes.iter().filter(|n| n.kind == NoteKind::MissingKey) {
        out.at(&file.path, note.span.clone(), &*note.message)
            .maybe_help(note.help.clone())
            .only_warn_if(file.settled);
    }
}
