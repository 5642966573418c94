//! `GW112`. See `not_utf8.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    if is_utf16(file.text) {
        let message = "this file is in UTF-16";
        out.at(&file.path, 0..0, message)
            .help("save it as UTF-8: `iconv -f UTF-16 -t UTF-8 FILE`");
    } else if let Some(at) = file.not_utf8 {
        let end = (at + '\u{fffd}'.len_utf8()).min(file.text.len());
        out.at(
            &file.path,
            at.min(end)..end,
            format!("byte {at} is not valid UTF-8"),
        )
        .help("save the file as UTF-8");
    }
}

/// Returns whether a text, read as UTF-8, was written in UTF-16: every second byte of its letters is zero.
fn is_utf16(text: &str) -> bool {
    let head: Vec<char> = text.chars().take(200).collect();
    head.iter().filter(|c| **c == '\0').count() * 3 > head.len()
}
