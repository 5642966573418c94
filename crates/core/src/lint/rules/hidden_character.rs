//! `GW113`. See `hidden_character.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    // No early end: so the whole text is looked at many bytes at a time.
    let plain = |all: bool, b: u8| all & ((b >= b' ') | (b == b'\n') | (b == b'\r') | (b == b'\t'));
    if file.text.is_ascii() && file.text.bytes().fold(true, plain) {
        return;
    }
    for (at, c) in file.text.char_indices() {
        if out.is_full(&file.path) {
            break;
        }
        let Some(what) = hidden(c).filter(|_| at > 0 || c != '\u{feff}') else {
            continue;
        };
        let found = out
            .at(
                &file.path,
                at..at + c.len_utf8(),
                format!(
                    "{what} U+{:04X}: what is read is not what is seen",
                    u32::from(c)
                ),
            )
            .help("delete it; it came with something that was pasted");
        found.unsafe_fix("delete it", vec![(at..at + c.len_utf8(), String::new())]);
    }
}

fn hidden(c: char) -> Option<&'static str> {
    match c {
        '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{061c}' => Some("bidirectional control"),
        '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{00ad}' | '\u{180e}' => {
            Some("invisible character")
        }
        '\u{e0000}'..='\u{e007f}' => Some("invisible tag character"),
        '\n' | '\r' | '\t' => None,
        c if c.is_control() => Some("control character"),
        _ => None,
    }
}
