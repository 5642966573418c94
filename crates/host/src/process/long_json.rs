//! Shortens a line of JSON while it comes in: a long text in it keeps its beginning and its end, so that an event of
//! any size stays an event, in bounded memory.

/// How much of the beginning of a text is kept.
const HEAD: usize = 64 * 1024;
/// How much of its end, at least; twice as much at most.
const TAIL: usize = 96 * 1024;
/// What stands for the middle.
const MARK: &[u8] = " … ".as_bytes();

/// A line of JSON on its way.
#[derive(Debug)]
pub(super) struct LongJson {
    /// The line so far, up to the text that is open.
    line: Vec<u8>,
    /// The text that is open.
    text: Option<OpenText>,
    /// The most that a line may have when its texts are shortened.
    cap: usize,
    /// Whether even so it has more.
    truncated: bool,
}

/// A text whose closing quote has not come.
#[derive(Debug, Default)]
struct OpenText {
    head: Vec<u8>,
    older: Vec<u8>,
    newer: Vec<u8>,
    cut: bool,
    escape: Escape,
}

/// Where in an escape a text is: what belongs together is not cut.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// Behind a whole character.
    #[default]
    None,
    /// Behind a backslash that escapes the next byte.
    Begun,
    /// So many hexadecimal digits are missing; whether it is the first half of a character so far.
    Digits(u8, bool),
    /// Behind the first half of a character.
    Half,
}

impl LongJson {
    /// Takes over a line of which this is the beginning; `None` where it is no JSON.
    pub(super) fn new(beginning: &[u8], cap: usize) -> Option<LongJson> {
        if !matches!(beginning.first(), Some(b'{' | b'[')) {
            return None;
        }
        let mut long = LongJson {
            line: Vec::new(),
            text: None,
            cap,
            truncated: false,
        };
        long.push(beginning);
        Some(long)
    }

    /// Takes more of the line. Some programs end without waiting until what they print is read, so megabytes of text are
    /// not looked at byte by byte.
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        while let Some((byte, rest)) = bytes.split_first() {
            bytes = rest;
            match &mut self.text {
                Some(text) if *byte == b'"' && text.escape != Escape::Begun => {
                    let text = std::mem::take(text);
                    self.text = None;
                    self.keep(&text.closed());
                    self.keep(b"\"");
                }
                Some(text) => {
                    text.push(*byte);
                    let plain = memchr::memchr2(b'"', b'\\', bytes).unwrap_or(bytes.len());
                    let (plain, rest) = bytes.split_at(plain);
                    text.push_plain(plain);
                    bytes = rest;
                }
                None => {
                    self.keep(&[*byte]);
                    if *byte == b'"' {
                        self.text = Some(OpenText::default());
                    }
                }
            }
        }
    }

    /// Returns the line, and whether its end was dropped.
    pub(super) fn finish(self) -> (Vec<u8>, bool) {
        let open = self.text.is_some();
        (self.line, self.truncated || open)
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.truncated |= self.line.len() + bytes.len() > self.cap;
        if !self.truncated {
            self.line.extend_from_slice(bytes);
        }
    }
}

impl OpenText {
    /// Takes bytes of which none begins an escape or closes the text.
    fn push_plain(&mut self, mut bytes: &[u8]) {
        while let Some((byte, rest)) = bytes.split_first() {
            let (part, most) = match self.cut {
                true => (&mut self.newer, TAIL),
                false => (&mut self.head, HEAD),
            };
            let room = most.saturating_sub(part.len());
            if self.escape == Escape::None && room > 0 {
                let (fitting, later) = bytes.split_at(room.min(bytes.len()));
                part.extend_from_slice(fitting);
                bytes = later;
            } else {
                self.push(*byte);
                bytes = rest;
            }
        }
    }

    fn push(&mut self, byte: u8) {
        let between = self.escape == Escape::None && !(0x80..0xc0).contains(&byte);
        // Halves without end are no text.
        let whole = between
            || self.escape == Escape::Half && self.newer.len().max(self.head.len()) >= 2 * TAIL;
        if self.cut || whole && self.head.len() >= HEAD {
            self.cut = true;
            if whole && self.newer.len() >= TAIL {
                self.older = std::mem::take(&mut self.newer);
            }
            self.newer.push(byte);
        } else {
            self.head.push(byte);
        }
        self.escape = match (self.escape, byte) {
            (Escape::None | Escape::Half, b'\\') => Escape::Begun,
            (Escape::Begun, b'u') => Escape::Digits(4, false),
            (Escape::Digits(4, _), first) => Escape::Digits(3, matches!(first, b'd' | b'D')),
            (Escape::Digits(3, half), second) => Escape::Digits(
                2,
                half && matches!(second, b'8' | b'9' | b'a' | b'b' | b'A' | b'B'),
            ),
            (Escape::Digits(1, true), _) => Escape::Half,
            (Escape::Digits(2, half), _) => Escape::Digits(1, half),
            (Escape::Begun | Escape::None | Escape::Half | Escape::Digits(..), _) => Escape::None,
        };
    }

    fn closed(self) -> Vec<u8> {
        let mut text = self.head;
        if !self.older.is_empty() {
            text.extend_from_slice(MARK);
        }
        text.extend_from_slice(&self.older);
        text.extend_from_slice(&self.newer);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const CAP: usize = 1 << 20;

    /// Passes a line through in pieces of a size.
    fn shortened(line: &str, piece: usize) -> (Vec<u8>, bool) {
        let (first, rest) = line.as_bytes().split_at(piece.min(line.len()));
        let mut long = LongJson::new(first, CAP).expect("JSON");
        rest.chunks(piece).for_each(|piece| long.push(piece));
        long.finish()
    }

    #[test]
    fn a_long_text_keeps_its_ends_and_the_event_stays_whole() {
        let block = "\n```result\nstatus: complete\n```\n";
        for filler in [
            "x",
            "ä",
            "\\",
            "\"",
            "\u{1}",
            "😀",
            "a \"quoted\" \\ 😀 word\n",
        ] {
            let text = format!("begin{}{block}", filler.repeat(300_000 / filler.len()));
            let line = json!({"n": 1, "result": text, "type": "result"}).to_string();
            // As some programs write it: every character beyond ASCII escaped.
            let escaped: String = line.chars().map(escape).collect();
            for line in [&line, &escaped] {
                let (short, truncated) = shortened(line, 65_536);
                assert!(!truncated && short.len() < CAP, "{filler}: {}", short.len());
                let value: Value = serde_json::from_slice(&short).expect(filler);
                let text = value["result"].as_str().unwrap();
                assert!(
                    text.starts_with("begin") && text.ends_with(block),
                    "{filler}"
                );
                assert_eq!(value["type"], "result");
            }
        }
    }

    fn escape(c: char) -> String {
        match c.is_ascii() {
            true => c.to_string(),
            false => {
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units).iter();
                units.map(|unit| format!("\\u{unit:04x}")).collect()
            }
        }
    }

    #[test]
    fn what_is_short_stays_as_it_is_wherever_it_is_split() {
        let line = r#"{"a":"b\"c\\","d":[1,"\ud83d\ude00","é"],"e":"\\"}"#;
        for piece in 1..line.len() {
            let (short, truncated) = shortened(line, piece);
            assert_eq!((short.as_slice(), truncated), (line.as_bytes(), false));
        }
    }

    #[test]
    fn what_is_no_event_is_still_cut() {
        assert!(LongJson::new(b"plain", CAP).is_none());
        let many = format!("[{}1]", "1,".repeat(CAP));
        assert!(shortened(&many, 65_536).1, "too much beside texts");
        let open = format!("{{\"a\":\"{}", "x".repeat(3 * CAP));
        let (short, truncated) = shortened(&open, 65_536);
        assert!(truncated && short.len() < 100, "a text that never ends");
    }
}
