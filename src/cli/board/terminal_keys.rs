//! What a user presses, read from the bytes that a terminal sends.

/// A key of the board's screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TerminalKey {
    Up,
    Down,
    PageUp,
    PageDown,
    Top,
    Bottom,
    Open,
    Back,
    Follow,
    Diff,
    Help,
    Quit,
}

/// Escape sequences, and letters for who types them.
const KEYS: [(&str, TerminalKey); 34] = [
    ("\x1b[A", TerminalKey::Up),
    ("\x1bOA", TerminalKey::Up),
    ("k", TerminalKey::Up),
    ("\x10", TerminalKey::Up),
    ("\x1b[B", TerminalKey::Down),
    ("\x1bOB", TerminalKey::Down),
    ("j", TerminalKey::Down),
    ("\x0e", TerminalKey::Down),
    ("\x1b[5~", TerminalKey::PageUp),
    ("\x15", TerminalKey::PageUp),
    ("b", TerminalKey::PageUp),
    ("\x1b[6~", TerminalKey::PageDown),
    ("\x04", TerminalKey::PageDown),
    (" ", TerminalKey::PageDown),
    ("\x1b[H", TerminalKey::Top),
    ("\x1b[1~", TerminalKey::Top),
    ("g", TerminalKey::Top),
    ("\x1b[F", TerminalKey::Bottom),
    ("\x1b[4~", TerminalKey::Bottom),
    ("G", TerminalKey::Bottom),
    ("\r", TerminalKey::Open),
    ("\n", TerminalKey::Open),
    ("l", TerminalKey::Open),
    ("\x1b[C", TerminalKey::Open),
    ("\x7f", TerminalKey::Back),
    ("\x08", TerminalKey::Back),
    ("h", TerminalKey::Back),
    ("\x1b[D", TerminalKey::Back),
    ("f", TerminalKey::Follow),
    ("d", TerminalKey::Diff),
    ("?", TerminalKey::Help),
    ("q", TerminalKey::Quit),
    ("Q", TerminalKey::Quit),
    // In raw mode Ctrl-C is a byte like others.
    ("\x03", TerminalKey::Quit),
];

/// Returns the keys that were pressed; what is no key of the screen is passed over. An escape alone is the way back.
pub(super) fn keys_of(bytes: &[u8]) -> Vec<TerminalKey> {
    let mut keys = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let found = KEYS
            .iter()
            .find(|(text, _)| rest.starts_with(text.as_bytes()));
        let taken = match found {
            Some((text, key)) => {
                keys.push(*key);
                text.len()
            }
            None if rest == b"\x1b" => {
                keys.push(TerminalKey::Back);
                1
            }
            None if rest.starts_with(b"\x1b[") || rest.starts_with(b"\x1bO") => {
                let end = rest[2..].iter().position(|b| (0x40..0x7f).contains(b));
                end.map_or(rest.len(), |at| at + 3)
            }
            None => 1,
        };
        rest = &rest[taken..];
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_and_letters_are_keys_and_the_rest_is_passed_over() {
        use TerminalKey::{Back, Down, Open, PageDown, Quit, Top, Up};
        let rows: [(&[u8], &[TerminalKey]); 8] = [
            (b"\x1b[A\x1b[Bj", &[Up, Down, Down]),
            (b"\x1b", &[Back]),
            (b"\x1b[200~\x1b[1;5Cq", &[Quit]),
            (b"\x1bOBg", &[Down, Top]),
            (b"zzz\xff", &[]),
            (b"\r \x7f", &[Open, PageDown, Back]),
            (b"\x03", &[Quit]),
            (b"", &[]),
        ];
        for (bytes, want) in rows {
            assert_eq!(keys_of(bytes), want, "{bytes:?}");
        }
    }
}
