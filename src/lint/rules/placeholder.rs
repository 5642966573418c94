//! `GW111`. See `placeholder.md`.

use crate::diagnostic::Severity;
use crate::lint::context::{FileCx, FileKind};
use crate::lint::sink::Sink;
use crate::model::unit::PLACEHOLDER_OPEN;

pub(super) fn check(file: &FileCx<'_>, out: &mut Sink) {
    let written_by_hand = matches!(
        file.kind,
        FileKind::Plan | FileKind::Gate | FileKind::Unit | FileKind::Verification
    );
    if file.settled || !written_by_hand {
        return;
    }
    for (at, _) in file.text.match_indices(PLACEHOLDER_OPEN) {
        let rest = &file.text[at..];
        let end = rest.find('>').map_or(PLACEHOLDER_OPEN.len(), |n| n + 1);
        let message = "this was left to be filled in";
        let found = out
            .at(&file.path, at..at + end, message)
            .help("replace it by what it asks for, or take the line out");
        // Without its commands the oracle proves nothing, whatever the state of the units.
        let stops = match file.kind {
            FileKind::Unit => file.live,
            kind => kind == FileKind::Verification,
        };
        if !stops {
            found.severity(Severity::Warning);
        }
    }
}
