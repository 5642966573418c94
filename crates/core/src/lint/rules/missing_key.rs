//! `GW106`. See `missing_key.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::{Note, NoteKind};

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    let missing = |note: &&&Note| note.kind == NoteKind::MissingKey;
    for note in file.notes.iter().filter(missing) {
        if is_misspelt(file, &note.key) {
            continue;
        }
        out.at(&file.path, note.span.clone(), &*note.message)
            .maybe_help(note.help.clone())
            .only_warn_if(file.settled);
    }
}

/// Returns whether each place that lacks a key has an unknown one that means it: then that one is the finding.
pub(super) fn is_misspelt(file: &FileCx<'_>, key: &str) -> bool {
    let lacking = file.notes.iter().filter(|note| note.key == key);
    let lacking = lacking.filter(|note| note.kind == NoteKind::MissingKey);
    let unknown = |kind| matches!(kind, NoteKind::UnknownKey | NoteKind::UnknownGraphKey);
    let meant = file.notes.iter().filter(|note| unknown(note.kind));
    let meant = meant.filter(|note| note.meant() == Some(key));
    let lacking = lacking.count();
    lacking > 0 && meant.count() == lacking
}
