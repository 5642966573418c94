//! `GW112`. See `not_utf8.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    if let Some(at) = file.not_utf8 {
        let end = (at + '\u{fffd}'.len_utf8()).min(file.text.len());
        out.at(
            &file.path,
            at.min(end)..end,
            format!("byte {at} is not valid UTF-8"),
        )
        .help("save the file as UTF-8");
    }
}
