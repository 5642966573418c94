//! `GW107`. See `wrong_type.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::frontmatter::{NoteKind, Owner};

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for note in file.notes.iter().filter(|n| n.kind == NoteKind::WrongType) {
        let driver = file
            .keys
            .iter()
            .any(|k| k.name == note.key && k.owner == Owner::Driver);
        out.at(&file.path, note.span.clone(), &*note.message)
            .maybe_help(note.help.clone())
            .only_warn_if(file.settled || driver);
    }
}
